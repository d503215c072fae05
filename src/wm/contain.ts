import { type Heading, missingCloser, readHeadings } from './structure.js';

/**
 * Model text made safe to stand inside a section: no heading of depth 1 or 2 anywhere in it, and nothing left open that
 * would swallow the headings after it. Line ends become LF. Applying it again changes nothing.
 */
export function containContent(content: string): string {
  const text = trimBlankLines(normaliseLineEnds(content));
  return closeBlocks(demoteHeadings(text));
}

/** Every line end that any reader of the file may see as one becomes LF: a `## x` after U+2028 is a heading to some. */
function normaliseLineEnds(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n').replaceAll('\u0000', '');
}

/** The body with its last open fence, comment or raw HTML block closed. */
export function closeBlocks(body: string): string {
  return body + missingCloser(body);
}

/** A text without blank lines around it and without white space at its end. */
export function trimBlankLines(text: string): string {
  return text.trimEnd().replace(/^(?:[^\S\n]*\n)+/u, '');
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
