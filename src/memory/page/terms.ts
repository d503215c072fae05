import type { PageRole } from '../pages.js';
import { nameKey } from './names.js';

/** Roles of pages that may define terms. Dated pages do not. */
const DEFINING_ROLES: ReadonlySet<PageRole> = new Set(['core', 'persona', 'host', 'topic', 'bank', 'resource']);
/** Maximum length of a term. Longer texts are sentences. */
const LONGEST_TERM = { chars: 40, words: 5 } as const;
/** Number of characters at the start of a line that are searched for a term and its value. */
const LONGEST_LOOK = 160;
/** Separator between a term and its definition. Excludes colons in addresses and times, and before a quotation. */
const SETS_OFF = /(?<=[*`])[:：]|[:：](?![/\d]|\s*["“„«「])|\s(?:[—–|=-]|--)\s|——/u;
const SET_AS_TERM = /^(?:\|\s*)?[*_`]/;
const ENDS_VALUE = /[(（,，;；|—–]|\s-\s|[.。](?:\s|$)/u;

/**
 * Keys of the terms that a line defines: its label (`**Anna** — …`, `Budget: …`, a row's first cell), and a short value
 * (`Landlord: Anna Berg (since May)`). A heading is a term, too, which the lines below it define.
 */
export function slugsOfDefinedTerms(
  { role, day }: { readonly role: PageRole; readonly day: string | null },
  text: string,
  isHeading: boolean,
): readonly string[] {
  if (day !== null || !DEFINING_ROLES.has(role)) return [];
  // Notes are full of headings and labels, and most of them are not terms. In notes, accept only text in bold or the like.
  const isNote = role === 'topic' || role === 'resource';
  if (isNote && (isHeading || !SET_AS_TERM.test(text))) return [];
  if (isHeading) return termIn(text.slice(0, LONGEST_LOOK)).map(termSlug);
  const [term = [], value = []] = termAndValue(text) ?? [];
  return [...term.map(termSlug), ...(isNote ? [] : value.map(valueSlug))];
}

/** Key of the label that a line defines; undefined without a label. */
export function labelSlug(text: string): string | undefined {
  return termAndValue(text)?.[0].map(termSlug)[0];
}

/** The label that a line defines and the short value that it gives to the label, as written. Each is empty if there is none. */
export function termAndValue(text: string): readonly [term: readonly string[], value: readonly string[]] | undefined {
  const beginning = text.slice(0, LONGEST_LOOK);
  const at = SETS_OFF.exec(beginning);
  // A label without a value introduces a list or is a blank to fill in.
  if (at === null || !/[\p{L}\p{N}]/u.test(beginning.slice(at.index))) return undefined;
  const [value = ''] = beginning.slice(at.index + at[0].length).split(ENDS_VALUE, 1);
  return [termIn(beginning.slice(0, at.index)), termIn(value)];
}

/** Key of a label. It matches a question that contains the whole label. */
export function termSlug(name: string): string {
  return `:${keyOf(name)}`;
}

/** Key of the value that a line gives to a term: of `Anna Berg` in `Landlord: Anna Berg`. */
export function valueSlug(name: string): string {
  return `;${keyOf(name)}`;
}

function keyOf(name: string): string {
  return nameKey(name.replace(/^@/, ''));
}

function termIn(written: string): readonly string[] {
  const term = written.replace(/[*`@|]|\[\[|\]\]|\p{Extended_Pictographic}\uFE0F?|\s*\(.*$/gu, '').trim();
  const isTerm = /\p{L}/u.test(term) && !/[[\]{}]|[.!?。！？]\s/.test(term) && term.length <= LONGEST_TERM.chars;
  return isTerm && term.split(/\s+/).length <= LONGEST_TERM.words ? [term] : [];
}
