import type { PageRole } from '../pages.js';
import { nameKey } from './names.js';

/** Pages that say what something is, where they are of no day. */
const DEFINING_ROLES: ReadonlySet<PageRole> = new Set(['core', 'persona', 'topic', 'bank', 'resource']);
/** Longer ones are sentences. */
const LONGEST_TERM = { chars: 40, words: 5 } as const;
/** So much of a line is looked at for a term and its value, in characters. */
const LONGEST_LOOK = 160;
/** What stands between a term and what is said of it; no colon in an address or a time, nor after who is quoted. */
const SETS_OFF = /(?<=[*`])[:：]|[:：](?![/\d]|\s*["“„«「])|\s(?:[—–|=-]|--)\s|——/u;
const SET_AS_TERM = /^(?:\|\s*)?[*_`]/;
const ENDS_VALUE = /[(（,，;；|—–]|\s-\s|[.。](?:\s|$)/u;

/**
 * What a line of a page defines, by keys beside those of names: what it sets off at its beginning (`**Anna** — …`, `Budget: …`,
 * a row's first cell), and a short value (`Landlord: Anna Berg (since May)`), which the term says something of. A heading of
 * such a page is a term that the lines below it define.
 */
export function definedSlugs(
  { role, day }: { readonly role: PageRole; readonly day: string | null },
  text: string,
  isHeading: boolean,
): readonly string[] {
  if (day !== null || !DEFINING_ROLES.has(role)) return [];
  // Notes have a heading or a label on every second line: of them only what is set as a term is one.
  const isNote = role === 'topic' || role === 'resource';
  if (isNote && (isHeading || !SET_AS_TERM.test(text))) return [];
  if (isHeading) return termIn(text.slice(0, LONGEST_LOOK)).map(termSlug);
  const [term = [], value = []] = termAndValue(text) ?? [];
  return [...term.map(termSlug), ...(isNote ? [] : value.map(valueSlug))];
}

/** The key of what a line sets off at its beginning, and says something of. */
export function labelSlug(text: string): string | undefined {
  return termAndValue(text)?.[0].map(termSlug)[0];
}

function termAndValue(text: string): readonly [term: readonly string[], value: readonly string[]] | undefined {
  const beginning = text.slice(0, LONGEST_LOOK);
  const at = SETS_OFF.exec(beginning);
  // What says nothing of its term stands over a list, or waits to be filled in.
  if (at === null || !/[\p{L}\p{N}]/u.test(beginning.slice(at.index))) return undefined;
  const [value = ''] = beginning.slice(at.index + at[0].length).split(ENDS_VALUE, 1);
  return [termIn(beginning.slice(0, at.index)), termIn(value)];
}

/** The key of what a question may name as a whole and a line sets off. */
export function termSlug(name: string): string {
  return `:${keyOf(name)}`;
}

/** The key of what a line says to be the value of a term. */
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
