import { type Heading, missingCloser, readHeadings } from './structure.js';

/**
 * Model text made safe to stand inside a section: no heading of depth 1 or 2 anywhere in it, and nothing left open that
 * would swallow the headings after it. Line ends become LF. Applying it again changes nothing.
 */
export function containContent(content: string): string {
  const text = trimBody(content.replace(/\r\n?/gu, '\n'));
  return closeBlocks(demoteHeadings(text));
}

/** The body with its last open fence, comment or raw HTML block closed. */
export function closeBlocks(body: string): string {
  return body + missingCloser(body);
}

/** A body without blank lines around it and white space at its end. Indentation that has a meaning stays. */
export function trimBody(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end--;
  let start = 0;
  for (let at = 0; at < end && isBlank(text[at]); at++) if (text[at] === '\n') start = at + 1;
  const body = text.slice(start, end);
  return /\n[ \t]/u.test(body) || /^(?: {4}| {0,3}\t)/u.test(body) ? body : body.replace(/^ {1,3}/u, '');
}

// Only what is white space to Markdown: a heading behind a byte order mark or a no-break space is text, and stays text.
function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n';
}

const MAX_ROUNDS = 3;

function demoteHeadings(text: string): string {
  let demoted = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tall = readHeadings(demoted).filter((heading) => heading.depth < 3);
    if (tall.length === 0) return demoted;
    demoted = rewrite(demoted, tall);
  }
  return readHeadings(demoted).some((heading) => heading.depth < 3) ? quoteUnderlines(demoted) : demoted;
}

function rewrite(text: string, headings: readonly Heading[]): string {
  const lines = text.split('\n');
  for (const { startLine, endLine, depth } of headings) {
    const line = lines[endLine] ?? '';
    if (startLine === endLine) lines[endLine] = line.replace('#', '#'.repeat(4 - depth));
    else lines[endLine] = line.replace(/(=+|-+)([ \t]*)$/u, '\\$1$2');
  }
  return lines.join('\n');
}

// What is left after the rounds are stacks of underlines made to defeat them: every one is quoted.
function quoteUnderlines(text: string): string {
  return text.replace(/^([ \t>]*)(=+|-+)[ \t]*$/gmu, '$1\\$2');
}
