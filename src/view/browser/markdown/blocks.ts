import { fieldUse, readProperty } from '../../../memory/page/head.js';

/** A piece of a page. Texts are the source of what stands in a line: `inline.ts` reads them. */
export type Block =
  | { readonly type: 'heading'; readonly depth: number; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'quote'; readonly title: string | null; readonly blocks: readonly Block[] }
  | { readonly type: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly type: 'rule' };

export interface ListItem {
  /** Whether its box is ticked; null where it has none. */
  readonly isDone: boolean | null;
  readonly blocks: readonly Block[];
}

/** What lies deeper is text: nobody writes so, and nothing is to run out of room. */
const DEEPEST = 20;

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^( {0,3})([-+*]|\d{1,9}[.)])( +|$)/;
const COMMENT = /^ {0,3}<!--/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const DEFINITION = /^ {0,3}\[[^\]^[]{1,300}\]:[ \t]*\S/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const CALLOUT = /^\[!([^[\]]{1,80})\][+-]?[ \t]*(.*)$/;

/**
 * Reads the blocks of a Markdown text as Obsidian and Logseq show it: CommonMark with tables, callouts, tasks and
 * properties. HTML is text, comments are left out. Pure, and linear in the text.
 */
export function readBlocks(text: string): readonly Block[] {
  return new Reader(text.split(/\r\n|\r|\n/).map(withoutTabs), 0).read();
}

/** With blanks for the tabs that it begins with. */
function withoutTabs(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return indent.includes('\t') ? indent.replaceAll('\t', '    ') + line.slice(indent.length) : line;
}

class Reader {
  private at = 0;
  private readonly blocks: Block[] = [];

  constructor(
    private readonly lines: readonly string[],
    private readonly depth: number,
  ) {}

  read(): readonly Block[] {
    while (this.at < this.lines.length) {
      const line = this.line();
      if (line.trim() === '') this.at++;
      else if (this.depth > DEEPEST) this.addText(this.lines.slice(this.at), this.lines.length);
      else this.readBlock(line);
    }
    return this.blocks;
  }

  private line(at = this.at): string {
    return this.lines[at] ?? '';
  }

  private readBlock(line: string): void {
    const fence = FENCE.exec(line)?.[1];
    const depth = HEADING.exec(line)?.[1]?.length;
    if (fence !== undefined) this.readFence(fence);
    else if (line.trim() === '$$') this.readTo((one) => one.trim() === '$$', true);
    else if (line.trim() === '%%') this.readTo((one) => one.trim() === '%%', false);
    else if (COMMENT.test(line)) this.skipComment();
    else if (depth !== undefined) this.readHeading(line, depth);
    else if (RULE.test(line)) this.add({ type: 'rule' });
    else if (QUOTE.test(line)) this.readQuote();
    else if (MARKER.test(line)) this.readList();
    else if (DEFINITION.test(line)) this.at++;
    else if (line.includes('|') && TABLE_RULE.test(this.line(this.at + 1))) this.readTable();
    else if (line.startsWith('    ')) this.readIndented();
    else this.readText();
  }

  private add(block: Block, lines = 1): void {
    this.blocks.push(block);
    this.at += lines;
  }

  private readFence(fence: string): void {
    const indent = this.line().length - this.line().trimStart().length;
    const isEnd = (line: string): boolean => {
      const rest = line.trim();
      return rest.length >= fence.length && rest === (fence[0] ?? '').repeat(rest.length);
    };
    this.readTo(isEnd, true, (line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line));
  }

  /** From the next line to the one that ends it, or to the end of the text. */
  private readTo(isEnd: (line: string) => boolean, isShown: boolean, shown = (line: string): string => line): void {
    let end = this.at + 1;
    while (end < this.lines.length && !isEnd(this.line(end))) end++;
    const text = this.lines
      .slice(this.at + 1, end)
      .map(shown)
      .join('\n');
    if (isShown) this.blocks.push({ type: 'code', text });
    this.at = end + 1;
  }

  private skipComment(): void {
    while (this.at < this.lines.length && !this.line().includes('-->')) this.at++;
    const rest = this.line().slice(this.line().indexOf('-->') + 3);
    if (rest.trim() === '') this.at++;
    else this.addText([rest], this.at + 1);
  }

  private readHeading(line: string, depth: number): void {
    const text = line.trim().slice(depth).trim();
    this.add({
      type: 'heading',
      depth,
      text: / #+$|^#+$/.test(text.slice(-20)) ? text.replace(/#+$/, '').trim() : text,
    });
  }

  private readQuote(): void {
    const inside: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.line();
      if (!QUOTE.test(line) && (line.trim() === '' || startsBlock(line))) break;
      inside.push(line.replace(QUOTE, ''));
    }
    const [, kind, title] = CALLOUT.exec(inside[0] ?? '') ?? [];
    const shown =
      kind === undefined ? null : title || (kind.charAt(0).toUpperCase() + kind.slice(1)).replace(/\|.*$/, '');
    const blocks = new Reader(shown === null ? inside : inside.slice(1), this.depth + 1).read();
    this.blocks.push({ type: 'quote', title: shown, blocks });
  }

  private readList(): void {
    const [, , first = ''] = MARKER.exec(this.line()) ?? [];
    const items: ListItem[] = [];
    while (this.at < this.lines.length) {
      const [whole, indent = '', marker = '', blanks = ''] = MARKER.exec(this.line()) ?? [];
      if (whole === undefined || marker.at(-1) !== first.at(-1) || RULE.test(this.line())) break;
      const offset = indent.length + marker.length + (blanks.length > 4 || blanks === '' ? 1 : blanks.length);
      const lines = this.itemLines(offset);
      const [, box] = /^\[([ xX/-])\] /.exec(lines[0] ?? '') ?? [];
      if (box !== undefined) lines[0] = (lines[0] ?? '').slice(4);
      items.push({
        isDone: box === undefined ? null : /[xX]/.test(box),
        blocks: new Reader(lines, this.depth + 1).read(),
      });
    }
    const start = Number.parseInt(first, 10);
    const shown = items.filter(({ blocks }) => blocks.length > 0);
    if (shown.length > 0) this.blocks.push({ type: 'list', start: Number.isNaN(start) ? null : start, items: shown });
  }

  /** The lines of an item without its indent; blank ones after it are not its own. */
  private itemLines(offset: number): string[] {
    const lines = [this.line().slice(offset)];
    let end = this.at + 1;
    for (let at = end; at < this.lines.length; at++) {
      const line = this.line(at);
      const isBlank = line.trim() === '';
      const isInside = line.slice(0, offset).trim() === '';
      const isLazy = !isInside && at === end && lines.at(-1)?.trim() !== '' && !startsBlock(line);
      if (!isBlank && !isInside && !isLazy) break;
      lines.push(isInside ? line.slice(offset) : line);
      if (!isBlank) end = at + 1;
    }
    lines.length = end - this.at;
    this.at = end;
    return lines;
  }

  private readTable(): void {
    const head = cellsOf(this.line());
    const rows: string[][] = [];
    for (this.at += 2; this.at < this.lines.length; this.at++) {
      const line = this.line();
      if (line.trim() === '' || !line.includes('|')) break;
      rows.push(cellsOf(line).slice(0, head.length));
    }
    this.blocks.push({ type: 'table', head, rows });
  }

  private readIndented(): void {
    let end = this.at;
    for (let at = this.at; at < this.lines.length && /^(?: {4}|\s*$)/.test(this.line(at)); at++)
      if (this.line(at).trim() !== '') end = at + 1;
    const lines = this.lines.slice(this.at, end).map((line) => line.slice(4));
    this.add({ type: 'code', text: lines.join('\n') }, end - this.at);
  }

  private readText(): void {
    let end = this.at + 1;
    while (end < this.lines.length) {
      const line = this.line(end);
      if (UNDERLINE.test(line)) {
        const text = this.lines
          .slice(this.at, end)
          .map((one) => one.trim())
          .join(' ');
        this.add({ type: 'heading', depth: line.includes('=') ? 1 : 2, text }, end + 1 - this.at);
        return;
      }
      if (line.trim() === '' || startsBlock(line)) break;
      end++;
    }
    this.addText(this.lines.slice(this.at, end), end);
  }

  /** Properties for machines are not shown. */
  private addText(lines: readonly string[], end: number): void {
    const shown = lines.filter((line) => {
      const property = readProperty(line.trim());
      return property === undefined || fieldUse(property.key) !== 'machine';
    });
    // Two blanks at the end of a line break it: they stay.
    const text = shown
      .map((line) => line.trimStart())
      .join('\n')
      .trimEnd();
    if (text !== '') this.blocks.push({ type: 'text', text });
    this.at = end;
  }
}

/** Whether a line ends the paragraph above it. */
function startsBlock(line: string): boolean {
  const [, , marker, blanks] = MARKER.exec(line) ?? [];
  const isItem = marker !== undefined && blanks !== '' && (!/\d/.test(marker) || marker.length === 2);
  return isItem || FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || COMMENT.test(line);
}

/** The cells of a row: a bar behind a backslash, in code or in a link between brackets ends none. */
function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  const cells = inner.match(/(?:\\.|`[^`]*`|\[\[[^[\]]*\]\]|[^|])+|(?<=\||^)(?=\||$)/g) ?? [];
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
