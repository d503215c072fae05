import { hash } from 'node:crypto';
import { detectLanguageGroup, type LanguageGroup } from '../../language/language-group.js';
import { isAscii, UNSPACED_SCRIPT_RANGES } from '../../language/scripts.js';
import type { EmbedDocument } from '../../model/model.js';
import type { FoundUnit } from '../found.js';

/** Headings that only say what kind of list follows ("Notes", "Log"), and not what its lines are about. */
const FORMAL_HEADING =
  /^(?:\d{1,2}[:.]\d{2}\s*)?(?:retain|log|notes?|facts?|misc|summary|chat|session|conversation|\d{4}-\d{2}-\d{2}.*)?$/i;
const WORD = /[\p{L}\p{N}]+/gu;
const TWO_ASCII_WORDS = /[a-z0-9][^a-z0-9]+[a-z0-9]/i;
/** Two characters of an unspaced script count as two words. */
const TWO_UNSPACED = new RegExp(`[${UNSPACED_SCRIPT_RANGES}]{2}`, 'u');
/** Number of lines before a line that are embedded with it as context. Each takes as much time as the line itself. */
const LINES_BEFORE = 2;
/**
 * Maximum number of characters of a line that is used as context. The beginning of a line is enough, because it names
 * the speaker.
 */
const MOST_OF_BEFORE = 240;
/** Matches a citation. It is removed from the text, because it adds nothing to the meaning of a line. */
const CITATION = /\s*\(?\[[^\]]*#L\d[^\]]*\]\([^)]*\)\)?/g;
const LINK = /!?\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]|!?\[([^\]]*)\]\([^)]*\)/g;
/** Minimum share of letters among the characters of a text. With fewer, it is probably not written by a person. */
const LEAST_LETTERS = 0.6;

/** The text of a unit as it is embedded, with its context. */
export interface UnitText extends EmbedDocument {
  readonly before: readonly string[];
}

/** A text that gets a vector. */
export interface EmbeddedText extends UnitText {
  /** Hash of the text with its context, 20 bytes. */
  readonly hash: Buffer;
  /**
   * Language group of the line. If the line alone does not show it, the lines around it decide. Finding the group is
   * slow, and a question does not need it. So the group is computed only when this property is read.
   */
  readonly tongue: LanguageGroup;
}

/** Gives access to the units around a unit. They show what the unit is about. */
export interface TextContext {
  /** The unit with this key, from the same file. */
  unit(key: number): FoundUnit | undefined;
  /** The text of the unit that comes `distance` units before the given one, if both are in the same section. */
  before(unit: FoundUnit, distance: number): string | undefined;
  /** The unit after the given one, if it is in the same section. */
  after(unit: FoundUnit): FoundUnit | undefined;
}

/**
 * Builds the text that is embedded for a unit, with its context. "Lives in Vienna." on Peter's page needs Peter, so the name
 * of the page and the headings above become its title. "Three times a week!" in a conversation needs the lines before it.
 * Undefined for text that means nothing by itself: a heading, fewer than two words, or the output of a tool. Texts that
 * differ only in numbers have the same hash. Pure.
 */
export function unitText(unit: FoundUnit, around: TextContext): UnitText | undefined {
  const text = plain(unit.text);
  if (unit.section === unit.key || unit.file.role === 'dump' || !saysSomething(text)) return undefined;
  const before = isTurn(unit)
    ? Array.from({ length: LINES_BEFORE }, (_, i) => around.before(unit, LINES_BEFORE - i)?.slice(0, MOST_OF_BEFORE))
    : [];
  return {
    title: titleOf(unit, around),
    before: before.flatMap((line) => (line === undefined ? [] : plain(line))),
    text,
  };
}

/** Like {@link unitText}, with the hash under which the vector is stored. */
export function embeddedText(unit: FoundUnit, around: TextContext): EmbeddedText | undefined {
  const whole = unitText(unit, around);
  if (whole === undefined) return undefined;
  const { title, before, text } = whole;
  const named = [title ?? '', ...before, text].join('\n').toLowerCase().replace(/\d+/g, '0');
  return {
    ...whole,
    hash: hash('sha1', named, 'buffer'),
    get tongue() {
      return languageGroupOf(unit, whole, around);
    },
  };
}

/** Language group of a unit. If its text alone does not show it, the lines around it decide. */
function languageGroupOf(unit: FoundUnit, { title, text }: UnitText, around: TextContext): LanguageGroup {
  const beside = [title, ...[2, 1].map((at) => around.before(unit, at)), around.after(unit)?.text];
  return detectLanguageGroup(text, () => detectLanguageGroup(beside.map((one) => one ?? '').join('\n')));
}

/**
 * Whether a unit is what somebody says in a conversation: it is understood by the lines before it. The lines of a diary are
 * not: each may be about another matter.
 */
export function isTurn({ kind, file, speaker }: FoundUnit): boolean {
  return kind === 'log' && file.day !== null && speaker !== null;
}

function plain(line: string): string {
  const unlinked = line.includes('[') ? line.replace(CITATION, '').replace(LINK, '$1$2') : line;
  return unlinked.replace(/(^|\s)@(?=[\p{L}\p{N}])/gu, '$1');
}

/**
 * The headings above a unit, joined. They follow the name of its page, unless the first heading is the title of the page.
 */
function titleOf({ section, file }: FoundUnit, around: TextContext): string | null {
  const above: FoundUnit[] = [];
  for (let key = section; key !== null && above.length < 6; ) {
    const heading = around.unit(key);
    if (heading === undefined) break;
    above.unshift(heading);
    const { under } = heading.detail ?? {};
    key = under === undefined ? null : file.firstUnit + under;
  }
  const [top] = above;
  const isTitled = top !== undefined && top.key - file.firstUnit <= 1 && file.role !== 'entity';
  const page = file.day === null && !isTitled ? pageName(file.path) : '';
  const headings = above.map(({ text }) => text).filter((text) => !FORMAL_HEADING.test(text));
  return [...new Set([page, ...headings])].filter((part) => part !== '').join(': ') || null;
}

/** Whether a text can be a statement: at least two words, and mostly letters. */
function saysSomething(text: string): boolean {
  if (isAscii(text)) return TWO_ASCII_WORDS.test(text) && hasMostlyLetters(text);
  if (TWO_UNSPACED.test(text)) return true;
  const words = text.match(WORD) ?? [];
  const letters = (text.match(/\p{L}/gu) ?? []).length;
  return words.length >= 2 && letters >= LEAST_LETTERS * text.replace(/\s+/g, '').length;
}

/** Whether most characters of an ASCII text are letters. Counts codes of characters: this is asked of every line. */
function hasMostlyLetters(text: string): boolean {
  let [letters, others] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const small = code | 0x20;
    if (small >= 0x61 && small <= 0x7a) letters++;
    else if (code > 0x20) others++;
  }
  return letters >= LEAST_LETTERS * (letters + others);
}

function pageName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  return name.startsWith('.') ? '' : name;
}
