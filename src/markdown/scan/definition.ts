import { findMatchEnd } from '../../text/sticky.js';

/**
 * The offset at which the text of a paragraph starts, after the link reference definitions at its beginning. It is 0 if
 * there are none, and `text.length` if there is nothing else. Lines must be joined by `\n` and have no indent.
 */
export function skipDefinitions(text: string): number {
  let pos = 0;
  while (pos < text.length && text.charCodeAt(pos) === 91) {
    const end = definitionEnd(text, pos);
    if (end === -1) break;
    pos = end;
  }
  return pos;
}

const MAX_LABEL = 999;
const LABEL = /\[(?:[^\\[\]]|\\[\s\S]){1,999}\]/y;
const WHITE = /[ \t]*\n?[ \t]*/y;
const LINE_REST = /[ \t]*(?:\n|$)/y;
const ANGLE_DESTINATION = /<(?:[^<>\n\\]|\\.)*>/y;

/** The offset of the line after the definition that starts at `pos`; -1 if none starts there. */
function definitionEnd(text: string, pos: number): number {
  const label = findMatchEnd(LABEL, text, pos);
  if (label === -1 || label - pos > MAX_LABEL + 2 || text.charCodeAt(label) !== 58) return -1;
  if (/^[ \t\n]*$/.test(text.slice(pos + 1, label - 1))) return -1;
  const destination = findMatchEnd(WHITE, text, label + 1);
  const end = destinationEnd(text, destination);
  if (end === -1) return -1;
  const titleStart = findMatchEnd(WHITE, text, end);
  if (titleStart > end) {
    const title = titleEnd(text, titleStart);
    const rest = title === -1 ? -1 : findMatchEnd(LINE_REST, text, title);
    if (rest !== -1) return rest;
  }
  return findMatchEnd(LINE_REST, text, end);
}

/**
 * The offset after the title that starts at `start`; -1 if no title starts there or it has no end. This is a loop, because a
 * pattern with escapes would run out of stack in a text of many megabytes.
 */
function titleEnd(text: string, start: number): number {
  const open = text.charAt(start);
  const close = open === '(' ? ')' : open;
  for (let pos = start + 1; /["'(]/.test(open) && pos < text.length; pos++) {
    const sign = text.charAt(pos);
    if (sign === close) return pos + 1;
    if (sign === '(' && open === '(') return -1;
    if (sign === '\\') pos++;
  }
  return -1;
}

function destinationEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === 60) return findMatchEnd(ANGLE_DESTINATION, text, start);
  let depth = 0;
  let pos = start;
  for (; pos < text.length; pos++) {
    const code = text.charCodeAt(pos);
    if (code <= 32 || code === 127) break;
    if (code === 92 && /[!-/:-@[-`{-~]/.test(text[pos + 1] ?? '')) pos++;
    else if (code === 40) depth++;
    else if (code === 41) {
      if (depth === 0) break;
      depth--;
    }
  }
  return pos === start || depth > 0 ? -1 : pos;
}
