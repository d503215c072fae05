import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it';
import { lazy } from '../../../base/cache.js';
import { fieldRole, readProperty } from '../../../memory/page/head.js';

/** A node of parsed Markdown: its token and its children. */
export interface MarkdownPiece {
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
export function readBlocks(text: string): readonly MarkdownPiece[] {
  return treeOf(reader().parse(text, {}));
}

/** Parses the inline content of a line. */
export function readInline(text: string): readonly MarkdownPiece[] {
  return treeOf(reader().parseInline(text, {})[0]?.children ?? []);
}

/** Inline content of a heading, paragraph or cell. */
export function readInlineContent({ inside }: MarkdownPiece): readonly MarkdownPiece[] {
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
        outer.meta = { isDone: /[xX]/.test(sign) };
        return '';
      });
    if (token.content.includes(':: ')) token.content = token.content.split('\n').filter(isForPeople).join('\n');
  }
}

function isForPeople(line: string): boolean {
  const property = readProperty(line.trim());
  return property === undefined || fieldRole(property.key) !== 'machine';
}
