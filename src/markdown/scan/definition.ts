/**
 * Where the text of a paragraph starts after the link reference definitions at its head: 0 when there are none,
 * `text.length` when there is nothing else. Lines must be joined by `\n` and have no indent.
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
const WHITE = /[ \t]*\n?[ \t]*/y;
const LINE_REST = /[ \t]*(?:\n|$)/y;
const ANGLE_DESTINATION = /<(?:[^<>\n\\]|\\.)*>/y;

/** The offset of the line after the definition that starts at `pos`, or -1. */
function definitionEnd(text: string, pos: number): number {
  const label = labelEnd(text, pos);
  if (label === -1 || text.charCodeAt(label) !== 58) return -1;
  const destination = match(WHITE, text, label + 1);
  const end = destinationEnd(text, destination);
  if (end === -1) return -1;
  const titleStart = match(WHITE, text, end);
  if (titleStart > end) {
    const title = titleEnd(text, titleStart);
    const rest = title === -1 ? -1 : match(LINE_REST, text, title);
    if (rest !== -1) return rest;
  }
  return match(LINE_REST, text, end);
}

function labelEnd(text: string, start: number): number {
  let seen = false;
  const limit = Math.min(text.length, start + MAX_LABEL + 2);
  for (let pos = start + 1; pos < limit; pos++) {
    const code = text.charCodeAt(pos);
    if (code === 93) return seen ? pos + 1 : -1;
    if (code === 91) return -1;
    if (code === 92) pos++;
    if (code !== 32 && code !== 9 && code !== 10) seen = true;
  }
  return -1;
}

function destinationEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === 60) return match(ANGLE_DESTINATION, text, start);
  let depth = 0;
  let pos = start;
  for (; pos < text.length; pos++) {
    const code = text.charCodeAt(pos);
    if (code <= 32 || code === 127) break;
    if (code === 92 && isAsciiPunctuation(text.charCodeAt(pos + 1))) pos++;
    else if (code === 40) depth++;
    else if (code === 41) {
      if (depth === 0) break;
      depth--;
    }
  }
  return pos === start || depth > 0 ? -1 : pos;
}

function titleEnd(text: string, start: number): number {
  const open = text.charCodeAt(start);
  if (open !== 34 && open !== 39 && open !== 40) return -1;
  const close = open === 40 ? 41 : open;
  for (let pos = start + 1; pos < text.length; pos++) {
    const code = text.charCodeAt(pos);
    if (code === close) return pos + 1;
    if (code === 40 && open === 40) return -1;
    if (code === 92) pos++;
  }
  return -1;
}

function isAsciiPunctuation(code: number): boolean {
  return (code > 32 && code < 48) || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 127);
}

function match(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
