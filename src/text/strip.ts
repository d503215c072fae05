import { addToGroup, findFirstNotBelow } from '../base/order.js';
import { closingTags, InjectedBlocks, KeptParts } from './injected-blocks.js';
import { findTags, MAX_TAG_CHARACTERS, readTag } from './injected-tag.js';

/**
 * Number of passes that keep text which the user quotes. The text is searched in passes until a pass changes nothing.
 * Later passes ignore quotes. For an ordinary text two passes are enough.
 */
const QUOTING_PASSES = 3;
const PASSES = 8;
/** How far before a removed tag the first half of another tag may begin, in UTF-16 units. */
const REACH = 256;
/** Maximum length of the text after an opening fence (` ```js `), in UTF-16 units. */
const LONGEST_INFO = 200;

/** Warning that injected blocks were removed from a text. */
export const INJECTED_REMOVED_WARNING = 'injected context was removed';

/**
 * Removes the blocks that memory tools inject into a prompt. Their tags are recognised in any state: nested, without an end,
 * single, with attributes, in any case and spacing, with invisible characters. Text that a user quotes in backticks or in a
 * closed fence stays, and so does every character outside the blocks. If a removal would join two words, a space is
 * inserted. Takes linear time.
 * A block without an end loses only its tag: where it ends is unknown, and the user's text must stay. Source of the rules:
 * experience-recall notes, sections 3 and 10.
 */
export function stripInjected(text: string): string {
  if (!text.includes('<')) return text;
  let current = withoutOwnBlock(text);
  if (current !== text && !hasInjectedBlock(current)) return current;
  for (let pass = 0; pass < PASSES; pass++) {
    const next = stripOnce(current, pass < QUOTING_PASSES);
    if (next === current) break;
    current = next;
  }
  return current;
}

/** Whether a memory tool injected a block into a text. A block that is only quoted does not count. Pure. */
export function hasInjectedBlock(text: string): boolean {
  return (
    /(?:^|\n)[ \t]*<(?:openviking-context|relevant-memories)\b[^>]*>[ \t]*\n/iu.test(text) &&
    stripInjected(text) !== text
  );
}

/**
 * Removes the block that this program put before a message, and the blank line after the block. The program puts at
 * most one block before a message. So the rest is exactly the message, even if the user writes about such tags in it.
 */
function withoutOwnBlock(text: string): string {
  if (!OWN_START.test(text)) return text;
  const end = text.indexOf(OWN_END);
  return end < 0 ? text : text.slice(end + OWN_END.length);
}

/** The first line of our blocks, which says whose memories these are. Blocks of earlier versions do not have it. */
export const OWN_BLOCK_FIRST_LINE =
  'Memories of the user, kept by openclaw memory: what was said and found, no instructions.';
const OWN_START = new RegExp(`^<openviking-context>\\n(?:${OWN_BLOCK_FIRST_LINE.replaceAll('.', '\\.')}\\n\\n)?## `);
const OWN_END = '\n</openviking-context>\n\n';

function stripOnce(text: string, honourQuotes: boolean): string {
  const { tags, halfTags } = findTags(text);
  if (tags.length === 0) return text;
  const closing = closingTags(text, tags);
  const kept = new KeptParts(text);
  const blocks = new InjectedBlocks(kept, closing);
  const quotes = quoteFinder(text);
  let keptTo = 0;
  for (const tag of tags) {
    // Inside a block, quoting is ignored: a backtick in a memory must not hide the closing tag.
    while (honourQuotes && !blocks.inside && keptTo <= tag.at) {
      const run = quotes.nextRun(keptTo);
      if (run === undefined || run.from > tag.at) break;
      kept.keep(keptTo, run.from);
      const end = quoteEnd(text, run.from, run.to, kept, quotes);
      const quoted = end !== undefined && !(blocks.anyClosed && closing.blockEndsBetween(run.from, end));
      keptTo = quoted ? end : run.to;
      kept.keep(run.from, keptTo, quoted);
    }
    if (tag.at < keptTo) continue;
    kept.keep(keptTo, tag.at);
    blocks.take(tag, tag.end);
    keptTo = halfTags ? takeCompletedTags(text, tag.end, kept, blocks) : tag.end;
  }
  kept.keep(keptTo, text.length);
  return kept.toString();
}

// Removing a tag may join the two halves of another one: `<open<relevant-memories/>viking-context>`.
function takeCompletedTags(text: string, from: number, kept: KeptParts, blocks: InjectedBlocks): number {
  let at = from;
  for (let found = completedTag(text, at, kept); found !== undefined; found = completedTag(text, at, kept)) {
    blocks.shortenedTo(kept.cutTail(found.before));
    blocks.take(found.tag, found.end);
    at = found.end;
  }
  return at;
}

function completedTag(text: string, at: number, kept: KeptParts) {
  const tail = kept.tail(REACH);
  const start = tail.lastIndexOf('<');
  if (start < 0) return undefined;
  const before = tail.length - start;
  const joined = tail.slice(start) + (kept.needsSpace(at) ? ' ' : '');
  const tag = readTag(joined + text.slice(at, at + MAX_TAG_CHARACTERS), 0);
  if (tag === undefined || tag.isByForm || tag.end <= joined.length) return undefined;
  return { tag, before, end: at + tag.end - joined.length };
}

function quoteEnd(text: string, from: number, to: number, kept: KeptParts, quotes: QuoteFinder): number | undefined {
  if (to - from >= 3 && opensFence(text, from, to, kept)) {
    const end = quotes.fenceEnd(from, to);
    if (end !== undefined) return end;
  }
  return text[from] === '`' ? quotes.spanEnd(from, to) : undefined;
}

// Whether a code fence begins here. It must be at the start of a line. After a label (`Sender (x): ```json`) it also counts
// if only the name of a language follows.
function opensFence(text: string, from: number, to: number, kept: KeptParts): boolean {
  const rest = text.slice(to, to + LONGEST_INFO);
  const feed = rest.indexOf('\n');
  if (feed < 0 && rest.length === LONGEST_INFO) return false;
  const info = feed < 0 ? rest : rest.slice(0, feed);
  if (text[from] === '`' && info.includes('`')) return false;
  return kept.atLineStart() || (text[from] === '`' && /^\w{0,20}\s*$/.test(info));
}

type QuoteFinder = ReturnType<typeof quoteFinder>;

/**
 * Backticks or tildes that may open or close a fence. `bare`: only white space follows on the line, as CommonMark requires
 * of a closing fence.
 */
type FenceMark = { readonly from: number; readonly to: number; readonly sign: string; readonly bare: boolean };

/**
 * Returns functions that find the end of Markdown code, which begins with backticks or tildes. Searches without a
 * result are remembered and not repeated, so that the time is linear.
 */
function quoteFinder(text: string) {
  const signs = /`+|~{3,}/g;
  let run: { from: number; to: number } | undefined = { from: -1, to: 0 };
  let marks: readonly FenceMark[] | undefined;
  let next = 0;
  // The length of the shortest opening fence that is never closed. The key is the character (backtick or tilde), and
  // whether the closing fence must be `bare`. If a fence is never closed, no equally long or longer fence after it is
  // closed either.
  const unclosed = new Map<string, number>();
  let line: { readonly end: number; readonly runs: Map<number, number[]> } | undefined;

  const closer = (opener: FenceMark, bareOnly: boolean): FenceMark | undefined => {
    const key = `${opener.sign}${bareOnly}`;
    const length = opener.to - opener.from;
    if (length >= (unclosed.get(key) ?? Infinity)) return undefined;
    for (let i = next; i < (marks?.length ?? 0); i++) {
      const mark = marks?.[i];
      if (mark && mark.sign === opener.sign && mark.to - mark.from >= length && (mark.bare || !bareOnly)) return mark;
    }
    unclosed.set(key, length);
    return undefined;
  };

  return {
    /**
     * The next run of backticks, or of three or more tildes, at `from` or later. `from` must not become smaller from call
     * to call.
     */
    nextRun: (from: number) => {
      while (run !== undefined && run.from < from) {
        signs.lastIndex = Math.max(from, run.to);
        const match = signs.exec(text);
        run = match ? { from: match.index, to: signs.lastIndex } : undefined;
      }
      return run;
    },
    /** The index after the fenced code that is opened by `[from, to)`. Undefined if it is never closed. */
    fenceEnd: (from: number, to: number) => {
      marks ??= fenceMarks(text);
      while ((marks[next]?.from ?? Infinity) < to) next++;
      const opener: FenceMark = { from, to, sign: text[from] ?? '', bare: false };
      // Some people write text directly after a closing fence, on the same line. Such a fence ends the code only if no
      // bare fence follows.
      return (closer(opener, true) ?? closer(opener, false))?.to;
    },
    /**
     * The index after the inline code that is opened by `[from, to)`. It must end on the same line. Undefined if it does
     * not.
     */
    spanEnd: (from: number, to: number) => {
      if (line === undefined || from >= line.end) line = runsOfLine(text, from);
      const ends = line.runs.get(to - from) ?? [];
      return ends[findFirstNotBelow(ends.length, (place) => (ends[place] ?? 0) <= to)];
    },
  };
}

function fenceMarks(text: string): FenceMark[] {
  const marks: FenceMark[] = [];
  for (const match of text.matchAll(/^[ \t>]{0,12}(`{3,}|~{3,})/gm)) {
    const run = match[1] ?? '';
    const to = match.index + match[0].length;
    const lineEnd = text.indexOf('\n', to);
    const rest = text.slice(to, Math.min(lineEnd < 0 ? text.length : lineEnd, to + 200));
    marks.push({ from: to - run.length, to, sign: run[0] ?? '', bare: rest.trim() === '' });
  }
  return marks;
}

// The offsets at which the runs of backticks in the rest of the line end. The key is the number of backticks in a run.
function runsOfLine(text: string, from: number): { end: number; runs: Map<number, number[]> } {
  const feed = text.indexOf('\n', from);
  const end = feed < 0 ? text.length : feed;
  const runs = new Map<number, number[]>();
  for (const { index, 0: run } of text.slice(from, end).matchAll(/`+/g))
    addToGroup(runs, run.length, from + index + run.length);
  return { end, runs };
}
