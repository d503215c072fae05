import { hash } from 'node:crypto';
import { detectLanguageGroup, type LanguageGroup } from '../../language/language-group.js';
import { UNSPACED } from '../../language/scripts.js';
import type { EmbedDocument } from '../../model/model.js';
import type { FoundUnit } from '../found.js';

/** Headings that say what a list is for, not what its lines are about. */
const FORMAL_HEADING =
  /^(?:\d{1,2}[:.]\d{2}\s*)?(?:retain|log|notes?|facts?|misc|summary|chat|session|conversation|\d{4}-\d{2}-\d{2}.*)?$/i;
const WORD = /[\p{L}\p{N}]+/gu;
/** Of scripts without spaces one character is a word. */
const TWO_UNSPACED = new RegExp(`[${UNSPACED}]{2}`, 'u');
/** So many lines before one say what it is about. A line costs as much again, so no more than they are worth. */
const LINES_BEFORE = 2;
/** Of a line before, so many characters: who says it stands first. */
const MOST_OF_BEFORE = 240;
/** Where a line was taken from says nothing of what it means. */
const CITATION = /\s*\(?\[[^\]]*#L\d[^\]]*\]\([^)]*\)\)?/g;
const LINK = /!?\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]|!?\[([^\]]*)\]\([^)]*\)/g;
/** Of the characters of what people write, so many are letters. */
const LEAST_LETTERS = 0.6;

/** A text that is worth a vector. */
export interface EmbeddedText extends EmbedDocument {
  /** Names the text, 20 bytes. */
  readonly hash: Buffer;
  /** Of the line itself, or where it shows none of those around it. Costs more than all else: a question does without. */
  readonly tongue: LanguageGroup;
}

/** Where a unit stands: what is needed of it to say what its line is about. */
export interface TextContext {
  /** A unit of the same file. */
  unit(key: number): FoundUnit | undefined;
  /** The text so many lines before a unit, where it is of the same section. */
  before(unit: FoundUnit, distance: number): string | undefined;
  /** The unit after one, where it is of the same section. */
  after(unit: FoundUnit): FoundUnit | undefined;
}

/**
 * What stands for a unit in the space of meanings: its text with what it is said about. "Lives in Vienna." on Peter's
 * page says nothing without him, so the page and the headings above are its title; "Three times a week!" in a
 * conversation says nothing without what was said before. Undefined for what means nothing by itself: a heading, a line
 * of fewer than two words, what a tool printed, a dump. Texts that differ in nothing but numbers are one. Pure.
 */
export function embeddedText(unit: FoundUnit, around: TextContext): EmbeddedText | undefined {
  const text = plain(unit.text);
  if (unit.section === unit.key || unit.file.role === 'dump' || !saysSomething(text)) return undefined;
  const title = titleOf(unit, around);
  const before = isLogLine(unit)
    ? Array.from({ length: LINES_BEFORE }, (_, i) => around.before(unit, LINES_BEFORE - i)?.slice(0, MOST_OF_BEFORE))
    : [];
  const lines = before.flatMap((line) => (line === undefined ? [] : plain(line)));
  const named = [title ?? '', ...lines, text].join('\n').toLowerCase().replace(/\d+/g, '0');
  return {
    title,
    before: lines,
    text,
    hash: hash('sha1', named, 'buffer'),
    get tongue() {
      const beside = [title, ...[2, 1].map((at) => around.before(unit, at)), around.after(unit)?.text];
      return detectLanguageGroup(text, beside.map((one) => one ?? '').join('\n'));
    },
  };
}

/** Whether a unit is a line of a log of a day: what is said there is said about what was said just before. */
export function isLogLine({ kind, file }: FoundUnit): boolean {
  return kind === 'log' && file.day !== null;
}

function plain(line: string): string {
  const unlinked = line.includes('[') ? line.replace(CITATION, '').replace(LINK, '$1$2') : line;
  return unlinked.replace(/(^|\s)@(?=[\p{L}\p{N}])/gu, '$1');
}

/** The headings above a unit; before them the name of its page, unless the first heading is its title. */
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

/** Whether a text is something that somebody says: two words at least, and more letters than signs. */
function saysSomething(text: string): boolean {
  if (TWO_UNSPACED.test(text)) return true;
  const words = text.match(WORD) ?? [];
  const letters = (text.match(/\p{L}/gu) ?? []).length;
  return words.length >= 2 && letters >= LEAST_LETTERS * text.replace(/\s+/g, '').length;
}

function pageName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  return name.startsWith('.') ? '' : name;
}
