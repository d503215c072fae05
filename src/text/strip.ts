import { addToGroup, findFirstNotBelow } from '../base/order.js';
import { findMatchEnd } from './ranges.js';

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

/** Whether a text has an injected block of `OWN_FAMILIES`. A block that is only quoted does not count. Pure. */
export function hasInjectedBlock(text: string): boolean {
  const isBlock = ({ kind, family, at, end }: InjectedTag): boolean =>
    kind !== 'close' && OWN_FAMILIES.includes(family) && isAlone(text, at, end);
  return findTags(text).tags.some(isBlock) && stripInjected(text) !== text;
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
    kept.cutTail(found.before);
    blocks.shortenedTo(kept.mark);
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

type ClosingTags = ReturnType<typeof closingTags>;

const BLANK_LINE = /[ \t]{0,9}\r?\n[ \t]{0,9}\r?\n/y;

/**
 * Reads all closing tags of a text in advance, and returns two functions that look for them. The ranges passed to
 * `blockEndsBetween` must be in the order of the text.
 */
function closingTags(text: string, tags: readonly InjectedTag[]) {
  const last = new Map<ToolOfTag, number>();
  const ends: number[] = [];
  for (const { kind, family, at, end } of tags) {
    if (kind !== 'close') continue;
    last.set(family, at);
    if (findMatchEnd(BLANK_LINE, text, end) >= 0) ends.push(at);
  }
  let next = 0;
  return {
    /**
     * Whether the text has a closing tag of the family at `from` or later. Without such a closing tag, an opening tag
     * before `from` begins no block.
     */
    after: (from: number, family: ToolOfTag) => (last.get(family) ?? -1) >= from,
    /**
     * Whether a range contains a closing tag that a blank line follows. Memory tools write both between a block and the
     * text of the user. The caller asks this for a range that looks like code, for example because it is between two
     * backticks. If the answer is yes, and a block was closed before the range, the range is not code of the user. It
     * belongs to an injected memory, whose own text contained a closing tag and a backtick.
     */
    blockEndsBetween: (from: number, to: number) => {
      while ((ends[next] ?? Infinity) < from) next++;
      return (ends[next] ?? Infinity) < to;
    },
  };
}

/**
 * A block whose closing tag was found. `mark`: the position in the kept text at which the block was removed. `surplus`:
 * how many opening tags inside the block have no closing tag yet. Tags of different families are counted separately.
 * The family of the block itself always has a number, which may be 0.
 */
type Block = { readonly mark: KeptPartCount; readonly surplus: Map<ToolOfTag, number> };

/**
 * Decides which text each tag removes. A tag without a partner removes only itself. A block goes from its opening tag to
 * the first closing tag of its family. An injected memory may itself contain such tags as text. An opening tag in a memory
 * can't hide the user's text after the block, because the first closing tag ends the block. A closing tag in a memory can't
 * end the block too early either: a later closing tag extends the block, if its opening tag is inside the block or if it
 * has no opening tag at all.
 */
class InjectedBlocks {
  private readonly open = new Map<ToolOfTag, { mark: KeptPartCount; surplus: number }>();
  private readonly closed: Block[] = [];
  // Two counts by family, which only save time. `known` counts the blocks in `closed` whose `surplus` has a number for
  // the family. `waiting` is the sum of those numbers. If a count is 0, `closed` need not be searched.
  private readonly known = new Map<ToolOfTag, number>();
  private readonly waiting = new Map<ToolOfTag, number>();

  constructor(
    private readonly kept: KeptParts,
    private readonly closingTags: ClosingTags,
  ) {}

  get inside(): boolean {
    return this.open.size > 0;
  }

  get anyClosed(): boolean {
    return this.closed.length > 0;
  }

  /**
   * Removes a tag. An opening tag begins a block; a closing tag removes the block that it ends. @param from start of the
   * text after the tag
   */
  take({ kind, family }: InjectedTag, from: number): void {
    if (kind === 'close') this.closing(family);
    else if (kind === 'open' && this.closingTags.after(from, family)) this.opening(family, this.kept.mark);
    this.kept.cutTo(this.kept.mark);
  }

  /**
   * Must be called when the kept text was shortened and now ends at `mark`. Blocks that began after `mark` then begin at
   * `mark`.
   */
  shortenedTo(mark: KeptPartCount): void {
    for (const block of this.open.values()) block.mark = Math.min(block.mark, mark);
    if ((this.closed[this.closed.length - 1]?.mark ?? 0) > mark) this.close(mark, new Map());
  }

  private opening(family: ToolOfTag, mark: KeptPartCount): void {
    const block = this.open.get(family);
    if (block) block.surplus++;
    else this.open.set(family, { mark, surplus: 0 });
  }

  private closing(family: ToolOfTag): void {
    const block = this.open.get(family);
    if (block) {
      this.open.delete(family);
      this.close(block.mark, new Map([[family, block.surplus]]));
      return;
    }
    const target = this.blockThatWentOn(family);
    if (target === undefined) return;
    const surplus = target.surplus.get(family) ?? 0;
    this.count(target, -1);
    target.surplus.set(family, Math.max(0, surplus - 1));
    this.count(target, 1);
    this.close(target.mark, new Map());
  }

  private blockThatWentOn(family: ToolOfTag): Block | undefined {
    if ((this.waiting.get(family) ?? 0) > 0) return this.closed.findLast((b) => (b.surplus.get(family) ?? 0) > 0);
    if ((this.known.get(family) ?? 0) > 0) return this.closed.findLast((b) => b.surplus.has(family));
    return undefined;
  }

  // Turns all text from `mark` up to now into one closed block and removes it. Blocks that were opened or closed inside it
  // become part of it.
  private close(mark: KeptPartCount, surplus: Map<ToolOfTag, number>): void {
    const add = (family: ToolOfTag, count: number) => surplus.set(family, (surplus.get(family) ?? 0) + count);
    for (const [family, block] of this.open) {
      if (block.mark < mark) continue;
      this.open.delete(family);
      add(family, block.surplus + 1);
    }
    for (let last = this.closed.at(-1); last !== undefined && last.mark >= mark; last = this.closed.at(-1)) {
      this.closed.pop();
      this.count(last, -1);
      for (const [family, count] of last.surplus) add(family, count);
    }
    const block = { mark, surplus };
    this.closed.push(block);
    this.count(block, 1);
    this.kept.cutTo(mark);
  }

  private count(block: Block, sign: 1 | -1): void {
    for (const [family, count] of block.surplus) {
      this.known.set(family, (this.known.get(family) ?? 0) + sign);
      this.waiting.set(family, (this.waiting.get(family) ?? 0) + sign * count);
    }
  }
}

/** A position in {@link KeptParts}: the number of parts before it. */
type KeptPartCount = number;

/**
 * A range of the text that is kept. `spaced`: a space is written before the range, so that removing text does not join two
 * words.
 */
type Piece = { readonly from: number; readonly to: number; readonly quoted: boolean; readonly spaced: boolean };

/**
 * The parts of a text that stay after injected memory is removed. The parts are stored as ranges of the text, so that
 * the last parts can be dropped quickly.
 */
class KeptParts {
  private readonly pieces: Piece[] = [];
  private removed = false;

  constructor(private readonly source: string) {}

  keep(from: number, to: number, quoted = false): void {
    if (to <= from) return;
    this.pieces.push({ from, to, quoted, spaced: this.needsSpace(from) });
    this.removed = false;
  }

  get mark(): KeptPartCount {
    return this.pieces.length;
  }

  /** Drops all parts that were kept after `mark`. */
  cutTo(mark: KeptPartCount): void {
    this.pieces.length = Math.min(this.pieces.length, mark);
    this.removed = true;
  }

  /** Drops the last `count` characters of the kept text. */
  cutTail(count: number): void {
    let left = count;
    for (let piece = this.pieces.pop(); piece !== undefined; piece = left > 0 ? this.pieces.pop() : undefined) {
      const length = piece.to - piece.from;
      if (left < length) this.pieces.push({ ...piece, to: piece.to - left });
      left -= Math.min(left, length);
      if (left > 0 && piece.spaced) left--;
    }
    this.removed = true;
  }

  /** The last `length` characters of the kept text, or a few more. Stops at quoted text, so the result may be shorter. */
  tail(length: number): string {
    let text = '';
    for (let i = this.pieces.length - 1; i >= 0 && text.length < length; i--) {
      const piece = this.pieces[i];
      if (piece === undefined || piece.quoted) break;
      text = (piece.spaced ? ' ' : '') + this.source.slice(Math.max(piece.from, piece.to - length), piece.to) + text;
    }
    return text;
  }

  /**
   * Whether a space must be written before the text at `from` if that text is kept next. True only if text was removed
   * before `from`, and two words would become one without the space.
   */
  needsSpace(from: number): boolean {
    const last = this.pieces[this.pieces.length - 1];
    return this.removed && last !== undefined && /^\S\S$/.test(`${this.source[last.to - 1]}${this.source[from]}`);
  }

  /** Whether the last line of the kept text contains only indentation and quote marks so far. */
  atLineStart(): boolean {
    let looked = 0;
    for (let i = this.pieces.length - 1; i >= 0; i--) {
      const { from, to } = this.pieces[i] ?? { from: 0, to: 0 };
      for (let at = to - 1; at >= from; at--) {
        const unit = this.source[at] ?? '';
        if (unit === '\n') return true;
        if (!/^[ \t>]$/.test(unit) || ++looked > 12) return false;
      }
    }
    return true;
  }

  toString(): string {
    return this.pieces.map(({ from, to, spaced }) => (spaced ? ' ' : '') + this.source.slice(from, to)).join('');
  }
}

/** An opening, closing or self-closing tag of an injected block. */
interface InjectedTag {
  readonly kind: 'open' | 'close' | 'single';
  readonly family: ToolOfTag;
  /**
   * True if the name of the tag is not known, but looks like the name of a memory tool: `x-memories`. Such a tag counts
   * only if it is alone on its line and has a partner: a closing tag for an opening tag, or an opening tag for a
   * closing tag.
   */
  readonly isByForm: boolean;
  /** The index of the `<` of the tag, and the index after its `>`. */
  readonly at: number;
  readonly end: number;
}

/**
 * The key that an opening and a closing tag have in common: the name of the tool, or the name of the tag if the tool is
 * unknown.
 */
type ToolOfTag = string;

/**
 * The tools whose tags we know. This program and its reference implementation write those of `OWN_FAMILIES`. With a version
 * at the end (`openviking-context-v2`), a tag still belongs to the same family.
 */
const OWN_FAMILIES: readonly ToolOfTag[] = ['openviking-context', 'relevant-memories'];
const FAMILIES: readonly ToolOfTag[] = [...OWN_FAMILIES, 'cognee-memories', 'hindsight'];
/** Tag names that other memory tools may use: `…-memories`, `memory-context`, `…-mem-context`. */
const FORM = /^.+-memories$|^(?:.+-)?[a-z0-9]*mem(?:ory)?-context$/;
const LONGEST_NAME = 64;
/** Maximum indent of a tag that is alone on its line, in UTF-16 units. */
const LONGEST_INDENT = 40;
// The Kelvin sign. It is the only non-ASCII character whose lower case is an ASCII letter of a known tag name.
const KELVIN = 0x212a;
const IGNORABLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;
const SPACE = /^\s$/;

/**
 * Maximum length of a tag, in UTF-16 units. Without a limit, a text with many `<` could make us read the same text again
 * for each of them.
 */
const MAX_TAG_CHARACTERS = 1000;

/**
 * Finds all tags of a text, in order. `halfTags`: whether the text has a `<` that begins no tag. It may be the first half of
 * a tag whose second half follows a tag that is removed.
 */
export function findTags(text: string): { readonly tags: readonly InjectedTag[]; readonly halfTags: boolean } {
  const tags: InjectedTag[] = [];
  let halfTags = false;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const tag = readTag(text, at);
    if (tag) tags.push(tag);
    else halfTags = true;
  }
  return { tags: withPartners(tags), halfTags };
}

/** Drops tags that were recognised only by their form and have no partner. They are ordinary text. */
function withPartners(tags: readonly InjectedTag[]): readonly InjectedTag[] {
  if (!tags.some(({ isByForm }) => isByForm)) return tags;
  const opened = new Map<ToolOfTag, number>();
  const closed = new Map<ToolOfTag, number>();
  for (const { kind, family, at } of tags) {
    if (kind === 'open' && !opened.has(family)) opened.set(family, at);
    if (kind === 'close') closed.set(family, at);
  }
  return tags.filter(({ kind, family, at, isByForm }) => {
    if (!isByForm) return true;
    return kind === 'open' ? (closed.get(family) ?? -1) > at : kind === 'close' && (opened.get(family) ?? at) < at;
  });
}

/**
 * Reads the tag that begins with the `<` at `at`; undefined if there is none. A tag is recognised in any case, with white
 * space around the slash and the name, with `_` for `-`, and with invisible characters in it.
 */
function readTag(text: string, at: number): InjectedTag | undefined {
  const limit = Math.min(text.length, at + MAX_TAG_CHARACTERS);
  const head = readHead(text, at, limit);
  if (head === undefined) return undefined;
  const close = attributesEnd(text, head.end, limit);
  if (close === undefined) return undefined;
  const attributes = text.slice(head.end, close);
  if (head.bareHindsight && /[^\s/]/.test(attributes) && !attributes.includes('=')) return undefined;
  const kind = head.closing ? 'close' : attributes.trimEnd().endsWith('/') ? 'single' : 'open';
  const isByForm = !FAMILIES.includes(head.family);
  if (isByForm && !isAlone(text, at, close + 1)) return undefined;
  return { kind, family: head.family, isByForm, at, end: close + 1 };
}

/** Whether a tag is alone on its line, except for a few blanks. */
function isAlone(text: string, at: number, end: number): boolean {
  const before = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - LONGEST_INDENT), at));
  return before && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + LONGEST_INDENT));
}

// The index of the `>` that ends the tag. Undefined if it does not end.
function attributesEnd(text: string, from: number, limit: number): number | undefined {
  for (let i = from; i < limit; i++) {
    const unit = text[i];
    if (unit === '>') return i;
    // A blank line can't be inside a tag, so this is no tag. The text after the blank line may be that of the user.
    if (unit === '\n' && /^\r?\n/.test(text.slice(i + 1, i + 3))) return undefined;
    // Another tag begins here, so the tag that is being read has no end. Stopping here keeps the other tag visible. It
    // also keeps the time linear, because no text is scanned for two tags.
    if (unit === '<' && readHead(text, i, limit) !== undefined) return undefined;
  }
  return undefined;
}

function readHead(text: string, at: number, limit: number) {
  let i = skipFiller(text, at + 1, limit);
  const closing = text[i] === '/';
  if (closing) i = skipFiller(text, i + 1, limit);
  // Most `<` signs do not begin the tag of a memory tool. For those, return before any other test.
  if (nameLetter(text.charCodeAt(i)) === undefined) return undefined;
  let name = '';
  for (; i < limit && name.length <= LONGEST_NAME; i++) {
    const letter = nameLetter(text.charCodeAt(i));
    if (letter !== undefined) name += letter;
    else if (!isIgnorable(text, i)) break;
  }
  const family = familyOf(name);
  if (family === undefined) return undefined;
  // `hindsight` is also an ordinary word, so a user may write `<hindsight is 20/20>`. The plain name therefore counts as a
  // tag only if nothing follows it, or attributes with `=`. With an ending, as in `hindsight-memories`, it always counts.
  return { closing, family, bareHindsight: name === 'hindsight', end: i };
}

// The form in which characters of names are compared: lower case, and `-` for `_`. Undefined if the character can't be in a
// name.
function nameLetter(unit: number): string | undefined {
  if (unit >= 0x61 && unit <= 0x7a) return String.fromCharCode(unit);
  if (unit >= 0x41 && unit <= 0x5a) return String.fromCharCode(unit + 0x20);
  if (unit === 0x5f) return '-';
  if (unit === KELVIN) return 'k';
  // These characters stay as they are: `-`, `.`, the digits and `:`.
  return unit === 0x2d || unit === 0x2e || (unit >= 0x30 && unit <= 0x3a) ? String.fromCharCode(unit) : undefined;
}

function familyOf(name: string): ToolOfTag | undefined {
  const known = FAMILIES.find((family) => name.startsWith(family) && /^(?:$|[.:-])/.test(name.slice(family.length)));
  return known ?? (FORM.test(name) ? name : undefined);
}

function skipFiller(text: string, from: number, limit: number): number {
  let i = from;
  while (i < limit && !isPrintable(text.charCodeAt(i)) && (SPACE.test(text[i] ?? '') || isIgnorable(text, i))) i++;
  return i;
}

// Whether the UTF-16 unit at `at` belongs to an invisible character. Of the characters above U+FFFF, only tags and variation
// selectors (U+E0000 to U+E03FF) count. They all begin with the unit U+DB40.
function isIgnorable(text: string, at: number): boolean {
  const unit = text[at] ?? '';
  if (unit === ' ' || isPrintable(text.charCodeAt(at))) return false;
  if (unit === '\udb40' || text[at - 1] === '\udb40') return true;
  return IGNORABLE.test(unit) && (unit === '\ufeff' || !SPACE.test(unit));
}

function isPrintable(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}
