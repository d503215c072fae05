import { hash } from 'node:crypto';
import { UNSPACED } from '../../language/scripts.js';
import type { EmbedDocument } from '../../model/model.js';
import type { FoundUnit } from '../found.js';

/** Headings that say what a list is for, not what its lines are about. */
const FORMAL_HEADING = /^(?:retain|log|notes?|facts?|misc|summary|\d{4}-\d{2}-\d{2}.*)$/i;
const WORD = /[\p{L}\p{N}]+/gu;
/** Of scripts without spaces one character is a word. */
const TWO_UNSPACED = new RegExp(`[${UNSPACED}]{2}`, 'u');

/** A text that is worth a vector. */
export interface EmbeddedText extends EmbedDocument {
  /** Names the text, 20 bytes. */
  readonly hash: Buffer;
}

/**
 * What stands for a unit in the space of meanings: its text, titled by the page and heading that it stands under,
 * since "Lives in Vienna." on Peter's page says nothing without him. Undefined for what means nothing by itself: a
 * heading, or a line of fewer than two words. Pure.
 * @param heading the unit it stands under, or undefined
 */
export function embeddedText(unit: FoundUnit, heading: FoundUnit | undefined): EmbeddedText | undefined {
  if (unit.section === unit.key || !saysSomething(unit.text)) return undefined;
  const page = unit.file.day === null ? pageName(unit.file.path) : '';
  const under = heading === undefined || FORMAL_HEADING.test(heading.text) ? '' : heading.text;
  const title = [...new Set([page, under])].filter((part) => part !== '').join(': ') || null;
  const text = unit.text.replace(/(^|\s)@(?=[\p{L}\p{N}])/gu, '$1');
  return { title, text, hash: hash('sha1', `${title ?? ''}\n${text}`, 'buffer') };
}

function saysSomething(text: string): boolean {
  return (text.match(WORD)?.length ?? 0) >= 2 || TWO_UNSPACED.test(text);
}

function pageName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  return name.startsWith('.') ? '' : name;
}
