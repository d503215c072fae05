import { containContent } from './contain.js';
import { asBullet } from './items.js';

/**
 * A text of the model as it goes into a list: without list markers of its own, contained, further lines without the
 * indentation that {@link asBullet} gives them. Applying it again changes nothing.
 */
export function cleanItem(text: string): string {
  const item = text.trim().replace(MARKERS, '');
  return containContent(asBullet(item)).slice(2).replaceAll('\n  ', '\n');
}

// Four digits and a stop may be a year that begins a sentence.
const MARKERS = /^(?:(?:[-*+•‣◦]|\d{1,3}[.)])[ \t]+)+/u;
