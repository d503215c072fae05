import { CodeSpans } from './code-spans.js';
import { Finder } from './finder.js';

const BACKTICK = 96;
const BACKSLASH = 92;
const LESS = 60;
export const COMMENT_OPEN = '<!--';
export const COMMENT_CLOSE = '-->';

/** Where a comment stands in a text, `<!--` and `-->` included. */
export interface CommentRange {
  readonly start: number;
  readonly end: number;
}

/** The comments in inline text: each ends inside of it, and none stands in a code span or behind a backslash. */
export function inlineComments(text: string): CommentRange[] {
  const comments: CommentRange[] = [];
  if (!text.includes(COMMENT_OPEN)) return comments;
  const closers = new Finder(text, COMMENT_CLOSE);
  const spans = new CodeSpans(text);
  for (let pos = 0; pos < text.length; ) {
    const code = text.charCodeAt(pos);
    if (code === BACKTICK) pos = spans.skip(pos);
    else if (code === LESS && text.startsWith(COMMENT_OPEN, pos)) {
      // `<!-->` and `<!--->` are whole comments, so the closing may overlap the opening.
      const end = closers.next(pos + 2) + COMMENT_CLOSE.length;
      if (end <= text.length) comments.push({ start: pos, end });
      pos = end <= text.length ? end : pos + COMMENT_OPEN.length;
    } else pos += code === BACKSLASH ? 2 : 1;
  }
  return comments;
}

/** The text without its comments. White space around them stays. */
export function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of inlineComments(text)) {
    kept += text.slice(from, start);
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}
