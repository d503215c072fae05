import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it';
import { lazy } from '../../base/cache.js';
import { tryWithFallback } from '../../base/failure.js';
import { kindName, parseBullet } from '../../markdown/bullet.js';
import { fieldRole, readProperty } from '../../memory/page/head.js';
import type { PageItem, PageNote } from '../page-data.js';
import { entityIndexByName, factAt, PAGE_DATA, pageAddress } from './data.js';
import { linkAddress } from './links.js';
import { type ElementChild, entityLink, html, kindDot, longList } from './parts.js';

/** Number of blocks, list items and table rows that are shown at first. */
const FIRST = 300;
/** Maximum number of characters of an inline text. A longer text is cut off. */
const LONGEST = 20_000;

/** The note that a text belongs to. It decides where the text's links lead. */
interface NoteContext {
  /** Index of the note; undefined outside of notes. */
  readonly note: number | undefined;
  /** Index of the file of the note, and the line at which the text begins, if it is the text of a note. */
  readonly file?: number;
  readonly first?: number;
}

/**
 * Renders the text of a note, at first only the first blocks. Never interprets HTML and loads nothing: images become links.
 * @param note index of the note
 * @param title a first heading with this text is omitted; in the log of a day, also one that begins with it
 * @returns the element, and a function that shows and marks a line (`L12`) or a heading, given by its key
 */
export function renderMarkdown(note: number, { kind, text, line: first, file }: PageNote, title: string) {
  const all = readBlocks(text);
  const [head] = all;
  const [name, written] = [headingKey(title), head !== undefined && isHeading(head) ? headingKey(textOf(head)) : ''];
  const isTitle = written === name || (kind === 'day' && written.startsWith(`${name}-`));
  const blocks = isTitle ? all.slice(1) : all;
  const levels = levelsOf(blocks);
  const place: NoteContext = { note, file, first };
  const element = html('div', { class: 'prose markdown' });
  const more = html('button', { type: 'button', class: 'more' }, 'more of this page');
  let shown = 0;
  const show = (): void => {
    const next = blocks
      .slice(shown, shown + FIRST)
      .flatMap((block, at) => blockOf(block, place, levels[shown + at]) ?? []);
    shown += FIRST;
    element.append(...next);
    if (shown < blocks.length) element.append(more);
    else more.remove();
  };
  more.addEventListener('click', show);
  show();
  const reveal = (at: string): void => {
    const line = Number(/^L(\d+)$/.exec(at)?.[1]);
    const isLine = !Number.isNaN(line);
    const index = isLine
      ? blocks.findLastIndex((block) => (lineOf(block, place) ?? 0) <= line)
      : blocks.findIndex((block) => isHeading(block) && headingKey(textOf(block)) === headingKey(at));
    while (index >= shown) show();
    const found = isLine
      ? [...element.querySelectorAll<HTMLElement>('[data-line]')].findLast((one) => Number(one.dataset.line) <= line)
      : [...element.querySelectorAll<HTMLElement>('[data-heading]')].find(
          (one) => one.dataset.heading === headingKey(at),
        );
    found?.setAttribute('data-begin', '');
    if (isLine) found?.classList.add('hit');
  };
  return { element, reveal };
}

/** The line of the file at which a block of a note begins. */
function lineOf({ token }: MarkdownPiece, { first }: NoteContext): number | undefined {
  return first === undefined || token.map === null ? undefined : first + token.map[0];
}

function isHeading({ token }: MarkdownPiece): boolean {
  return token.type === 'heading_open';
}

/** Text of a heading with its markup. */
function textOf({ inside }: MarkdownPiece): string {
  return inside[0]?.token.content ?? '';
}

function depthOf({ token }: MarkdownPiece): number {
  return Number(token.tag.slice(1));
}

/** Key of a heading. Different spellings of the heading have the same key. */
export function headingKey(heading: string): string {
  return textOfMarkdown(readInline(heading))
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/**
 * The HTML heading level for each block. Level 1 is the title of the page, so headings in the text begin at level 2. No
 * level is left out, and headings of one depth have one level.
 */
function levelsOf(blocks: readonly MarkdownPiece[]): readonly number[] {
  const above: number[] = [];
  return blocks.map((block) => {
    if (!isHeading(block)) return 6;
    while ((above.at(-1) ?? 0) >= depthOf(block)) above.pop();
    return Math.min(6, 1 + above.push(depthOf(block)));
  });
}

const HEADINGS = ['h2', 'h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function blockOf(block: MarkdownPiece, place: NoteContext, level = 6): HTMLElement | null {
  return withLine(block, place, drawnBlock(block, place, level));
}

/** Marks an element with the line of the file at which it begins. */
function withLine<E extends HTMLElement | null>(block: MarkdownPiece, place: NoteContext, element: E): E {
  const line = lineOf(block, place);
  if (line !== undefined) element?.setAttribute('data-line', String(line));
  return element;
}

function drawnBlock(block: MarkdownPiece, place: NoteContext, level: number): HTMLElement | null {
  const { token, inside } = block;
  switch (token.type) {
    case 'fence':
    case 'code_block':
      return html('pre', {}, html('code', {}, token.content.replace(/\n$/, '')));
    case 'hr':
      return html('hr');
    case 'table_open':
      return tableOf(block, place);
  }
  if (isEmpty(block)) return null;
  switch (token.type) {
    case 'heading_open': {
      const heading = { dir: 'auto', 'data-heading': headingKey(textOf(block)) };
      return html(HEADINGS[level] ?? 'h6', heading, drawn(readInlineContent(block), place));
    }
    case 'paragraph_open':
      return html(token.hidden ? 'span' : 'p', { dir: 'auto' }, drawn(readInlineContent(block), place));
    case 'blockquote_open': {
      const { title } = token.meta ?? {};
      const named =
        typeof title === 'string' ? html('p', { class: 'callout', dir: 'auto' }, renderInline(title, place)) : null;
      return html('blockquote', {}, named, ...inside.map((one) => blockOf(one, place)));
    }
    case 'bullet_list_open':
      return listOf(inside, html('ul'), place);
    case 'ordered_list_open':
      return listOf(inside, html('ol', { start: token.attrGet('start') ?? undefined }), place);
    default:
      return html('div', {}, ...inside.map((one) => blockOf(one, place)));
  }
}

/** Whether nothing of a block would be visible. */
function isEmpty({ token, inside }: MarkdownPiece): boolean {
  const isBare = token.meta?.title === undefined && !['fence', 'code_block', 'hr'].includes(token.type);
  return isBare && token.content.trim() === '' && inside.every(isEmpty);
}

function listOf(items: readonly MarkdownPiece[], list: HTMLElement, place: NoteContext): HTMLElement {
  const shown = items.filter((item) => !isEmpty(item));
  return longList(shown, FIRST, (item) => itemOf(item, place), list);
}

/** A list item. A fact has the dot of its kind instead of the letter that was written. */
function itemOf(item: MarkdownPiece, place: NoteContext): HTMLElement {
  const { token, inside } = item;
  const line = lineOf(item, place);
  const known = place.file === undefined || line === undefined ? undefined : factAt([place.file, line]);
  const fact = known ?? copyOfFact(token.meta?.text);
  const sign = token.meta?.sign;
  const [box = null, name] = typeof sign === 'string' ? boxOf(sign) : [];
  const first =
    fact === undefined ? [] : [kindDot(fact.kind), html('span', { dir: 'auto' }, ...renderInline(fact.text, place))];
  const classes = [fact && 'fact', box && 'task', name].filter(Boolean).join(' ');
  return withLine(
    item,
    place,
    html(
      'li',
      classes === '' ? {} : { class: classes },
      box === null ? null : html('span', { class: 'box' }, box),
      ...first,
      ...inside.slice(fact === undefined ? 0 : 1).map((one) => blockOf(one, place)),
    ),
  );
}

/** Reads a line with the id of a fact. Such a line is a copy of the fact, which is not among the facts of the page. */
function copyOfFact(text: unknown): Pick<PageItem, 'kind' | 'text'> | undefined {
  const read = typeof text === 'string' ? parseBullet(text) : undefined;
  if (read?.type !== 'fact' || read.bullet.blockId === null) return undefined;
  return { kind: kindName(read.bullet.kind), text: read.bullet.statement };
}

/** What is shown for the sign in the box of a task, and the class of the task. Other signs are those of open tasks. */
const BOXES: Readonly<Record<string, readonly [box: string, name?: string]>> = {
  x: ['☑ ', 'done'],
  X: ['☑ ', 'done'],
  '-': ['☒ ', 'gone'],
};

function tableOf({ inside }: MarkdownPiece, place: NoteContext): HTMLElement {
  const row = (one: MarkdownPiece): HTMLElement =>
    withLine(one, place, html('tr', {}, ...one.inside.map((cell) => cellOf(cell, place))));
  const [head, body] = inside;
  const rows = longList(body?.inside ?? [], FIRST, row, html('tbody'));
  const table = html('table', {}, html('thead', {}, ...(head?.inside ?? []).map(row)), rows);
  return html('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Table' }, table);
}

function cellOf(cell: MarkdownPiece, place: NoteContext): HTMLElement {
  const isHead = cell.token.type === 'th_open' && !isEmpty(cell);
  const side = /right|center/.exec(String(cell.token.attrGet('style')))?.[0];
  return html(isHead ? 'th' : 'td', { class: side, dir: 'auto' }, drawn(readInlineContent(cell), place));
}

/** Text of a task that begins with the sign of its box instead of `[ ]`. */
export function withTaskSign(text: string): string {
  return text.replace(BOX, (_, sign: string) => boxOf(sign)[0]);
}

function boxOf(sign: string): readonly [box: string, name?: string] {
  return BOXES[sign] ?? ['☐ '];
}

/** Renders inline Markdown. */
export function renderInline(text: string, place: NoteContext): readonly ElementChild[] {
  return drawn(readInline(text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text), place);
}

function drawn(pieces: readonly MarkdownPiece[], place: NoteContext): readonly ElementChild[] {
  return pieces.map((piece) => drawnOne(piece, place));
}

const STYLES: Readonly<Record<string, 'strong' | 'em' | 's' | 'mark'>> = {
  strong_open: 'strong',
  em_open: 'em',
  s_open: 's',
  mark_open: 'mark',
};

function drawnOne({ token, inside }: MarkdownPiece, place: NoteContext): ElementChild {
  const { type, content, meta } = token;
  const style = STYLES[type];
  if (style !== undefined) return html(style, {}, drawn(inside, place));
  switch (type) {
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return html('br');
    case 'code_inline':
      return html('code', {}, content);
    case 'tag':
      return html('a', { class: 'tagged', href: pageAddress('tag', content.toLowerCase()) }, `#${content}`);
    case 'mention': {
      const entity = entityIndexByName().get(content.toLowerCase());
      return entity === undefined ? `@${content}` : entityLink(entity, `@${content}`);
    }
    case 'wiki':
      return wikiLink(String(meta?.name), String(meta?.heading), String(meta?.label), place);
    case 'image': {
      const to = String(token.attrGet('src') ?? '');
      return outward(to, [`picture: ${content || to}`], place);
    }
    case 'link_open':
      return outward(String(token.attrGet('href') ?? ''), drawn(inside, place), place);
    default:
      return content;
  }
}

/** A link to a page by its name; unknown names are marked. */
function wikiLink(name: string, heading: string, label: ElementChild, place: NoteContext): ElementChild {
  const own = place.note === undefined ? undefined : PAGE_DATA.notes[place.note];
  const base =
    name === '' && own !== undefined
      ? pageAddress('page', PAGE_DATA.files[own.file]?.path ?? '')
      : linkAddress(name, place.note);
  if (base === undefined) return html('span', { class: 'absent', title: 'no page has this name' }, label);
  const at = heading === '' || !base.startsWith('#page=') ? '' : `#${encodeURIComponent(headingKey(heading))}`;
  return html('a', { href: base + at }, label);
}

/**
 * A link to a note, or to the web, which only a click opens. Another target becomes a text that shows the target as its
 * tooltip.
 */
function outward(to: string, label: readonly ElementChild[], place: NoteContext): ElementChild {
  if (/^(?:https?:\/\/|mailto:)/i.test(to))
    return html('a', { href: to, rel: 'noreferrer noopener', target: '_blank' }, ...label);
  const [path = '', heading = ''] = to.split('#');
  if (path === '' && heading !== '') return wikiLink('', unescaped(heading), label, place);
  return /\.md$/.test(path)
    ? wikiLink(unescaped(path), unescaped(heading), label, place)
    : html('span', { class: 'absent', title: to }, ...label);
}

function unescaped(text: string): string {
  return tryWithFallback(() => decodeURIComponent(text), text);
}

/** A node of parsed Markdown: its token and its children. */
interface MarkdownPiece {
  readonly token: Token;
  readonly inside: readonly MarkdownPiece[];
}

/** Maximum nesting depth. Deeper content becomes plain text, so that hostile input can't exhaust the stack. */
const DEEPEST = 40;

const WIKI = /!?\[\[([^[\]\n]{1,400})\]\]/y;
const LABELLED = /!?\[([^[\]\n]{0,300})\]\(\[\[([^[\]\n]{1,400})\]\]\)/y;
const COMMENT = /%%[^%]{0,20000}%%|<!--[\s\S]{0,20000}?-->/y;
const BREAK = /<br ?\/?>/iy;
const MARK = /==(?=\S)([^=\n]{1,2000})(?<=\S)==/y;
/** Matches a tag. Like a mention, it must be at the beginning of a word. */
const TAG =
  /(?<![^\s([{,;"'（，、。：])#(?:\[\[([^[\]\n]{1,200})\]\]|([\p{L}\p{N}_/-]{0,100}[\p{L}_][\p{L}\p{N}_/-]{0,100}))/uy;
const MENTION = /(?<![^\s([{,;"'（，、。：])@([\p{L}\p{N}_.-]{0,100}[\p{L}\p{N}_-])/uy;
const CALLOUT = /^\[!([^[\]]{1,80})\][+-]?[ \t]*(.*)\n?/;
/** An id of a block, as Obsidian writes it at the end of a line. */
const BLOCK_ID = /(?:^|\s)\^[A-Za-z0-9][A-Za-z0-9-]+$/gm;
const BOX = /^\[([ xX/-])\] /;

/** Parser for CommonMark with tables and the extensions of Obsidian and Logseq. HTML stays text; comments are removed. */
const reader = lazy(() => {
  const made = new MarkdownIt({ linkify: true });
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // Accept every link here. Targets are checked when they are rendered.
  made.validateLink = () => true;
  made.normalizeLink = (url) => url;
  made.normalizeLinkText = (text) => text;
  made.block.ruler.before('table', 'deep', deep);
  made.block.ruler.before('fence', 'apart', apart, { alt: ['paragraph', 'blockquote', 'list'] });
  made.core.ruler.before('inline', 'notes', notes);
  const inline = (name: string, pattern: RegExp, make: (state: StateInline, found: RegExpExecArray) => void) =>
    made.inline.ruler.before('link', name, found(pattern, make));
  inline('wiki', WIKI, (state, [, inside = '']) => wiki(state, inside));
  inline('labelled', LABELLED, (state, [, label, inside]) => wiki(state, `${inside}|${label}`));
  inline('comment', COMMENT, () => {});
  inline('break', BREAK, (state) => void state.push('hardbreak', 'br', 0));
  inline('mark', MARK, mark);
  inline('tag', TAG, (state, [, inside, plain]) => named(state, 'tag', inside ?? plain ?? ''));
  inline('mention', MENTION, (state, [, name = '']) => named(state, 'mention', name));
  return made;
});

/** Parses the blocks of a text. */
function readBlocks(text: string): readonly MarkdownPiece[] {
  return treeOf(reader().parse(text, {}));
}

/** Parses the inline content of a line. */
export function readInline(text: string): readonly MarkdownPiece[] {
  return treeOf(reader().parseInline(text, {})[0]?.children ?? []);
}

/** Inline content of a heading, paragraph or cell. */
function readInlineContent({ inside }: MarkdownPiece): readonly MarkdownPiece[] {
  return treeOf(inside[0]?.token.children ?? []);
}

/** Visible text of nodes, without markup. */
export function textOfMarkdown(pieces: readonly MarkdownPiece[]): string {
  return pieces.map(({ token, inside }) => plainOf(token) + textOfMarkdown(inside)).join('');
}

function plainOf({ type, content, meta, children }: Token): string {
  if (type === 'hardbreak' || type === 'softbreak') return '\n';
  if (type === 'inline') return textOfMarkdown(treeOf(children ?? []));
  if (type === 'tag' || type === 'mention') return (type === 'tag' ? '#' : '@') + content;
  return type === 'wiki' ? String(meta?.label) : content;
}

function treeOf(tokens: readonly Token[]): readonly MarkdownPiece[] {
  const root: MarkdownPiece[] = [];
  const open = [root];
  for (const token of tokens) {
    if (token.nesting === -1) open.pop();
    else {
      const inside: MarkdownPiece[] = [];
      open.at(-1)?.push({ token, inside });
      if (token.nesting === 1) open.push(inside);
    }
  }
  return root;
}

/** Returns a rule for the parser that passes each match of a pattern in inline text to `make`. */
function found(pattern: RegExp, make: (state: StateInline, found: RegExpExecArray) => void) {
  return (state: StateInline, isSilent: boolean): boolean => {
    pattern.lastIndex = state.pos;
    const match = pattern.exec(state.src);
    if (match === null || state.pos + match[0].length > state.posMax) return false;
    if (!isSilent) make(state, match);
    state.pos += match[0].length;
    return true;
  };
}

/** Adds a link to a note from `[[Name#Heading|label]]` or from an embed, `![[Name]]`. */
function wiki(state: StateInline, inside: string): void {
  const bar = inside.indexOf('|');
  const target = (bar === -1 ? inside : inside.slice(0, bar).replace(/\\$/, '')).trim();
  const label = bar === -1 ? '' : inside.slice(bar + 1).trim();
  const hash = target.search(/[#^]/);
  const name = hash === -1 ? target : target.slice(0, hash).trim();
  const heading = hash === -1 || target.includes('^') ? '' : target.slice(target.lastIndexOf('#') + 1).trim();
  const shown = label || (name === '' ? heading : target.replace('#', ' › '));
  state.push('wiki', '', 0).meta = { name, heading, label: shown };
}

function named(state: StateInline, type: 'tag' | 'mention', name: string): void {
  state.push(type, '', 0).content = name;
}

function mark(state: StateInline, [whole]: RegExpExecArray): void {
  const { pos, posMax } = state;
  state.push('mark_open', 'mark', 1);
  [state.pos, state.posMax] = [pos + 2, pos + whole.length - 2];
  state.md.inline.tokenize(state);
  [state.pos, state.posMax] = [pos, posMax];
  state.push('mark_close', 'mark', -1);
}

function deep(state: StateBlock, from: number, until: number, isSilent: boolean): boolean {
  if (state.level < DEEPEST || isSilent) return false;
  state.push('paragraph_open', 'p', 1);
  const text = state.push('inline', '', 0);
  text.content = state.getLines(from, until, state.blkIndent, false).trim();
  text.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = until;
  return true;
}

/** Removes comments that form a block of their own, and keeps formulas (`$$`) as code. A block without an end stays text. */
function apart(state: StateBlock, from: number, until: number, isSilent: boolean): boolean {
  const line = (at: number): string =>
    state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at]).trim();
  const first = line(from);
  const isComment = first.startsWith('<!--');
  if (!isComment && first !== '%%' && first !== '$$') return false;
  const close = isComment ? '-->' : first;
  let end = isComment ? from : from + 1;
  while (end < until && !(isComment ? line(end).includes(close) : line(end) === close)) end++;
  if (end >= until || (isComment && !line(end).endsWith(close))) return false;
  if (isSilent) return true;
  if (first === '$$') state.push('fence', 'code', 0).content = state.getLines(from + 1, end, state.blkIndent, false);
  state.line = end + 1;
  return true;
}

/**
 * Reads the beginning of each block: the title of a callout, the checkbox of a task. Drops properties that only
 * programs use.
 */
function notes({ tokens }: StateCore): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    const outer = tokens[at - 1]?.type === 'paragraph_open' ? tokens[at - 2] : undefined;
    if (outer?.type === 'blockquote_open')
      token.content = token.content.replace(CALLOUT, (_, kind: string, title: string) => {
        outer.meta = { title: title || (kind.charAt(0).toUpperCase() + kind.slice(1)).replace(/\|.*$/, '') };
        return '';
      });
    if (outer?.type === 'list_item_open')
      token.content = token.content.replace(BOX, (_, sign: string) => {
        outer.meta = { sign };
        return '';
      });
    if (outer?.type === 'list_item_open' && token.content.includes(' ^')) outer.meta = { text: token.content };
    if (token.content.includes('^')) token.content = token.content.replace(BLOCK_ID, '');
    if (token.content.includes(':: ')) token.content = token.content.split('\n').filter(isForPeople).join('\n');
  }
}

function isForPeople(line: string): boolean {
  const property = readProperty(line.trim());
  return property === undefined || fieldRole(property.key) !== 'machine';
}
