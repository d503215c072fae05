import { CodeSpans, Finder } from '../../../markdown/inline.js';

/** What stands in a line. A string is itself. */
export type Inline =
  | string
  | { readonly type: 'strong' | 'em' | 's' | 'mark'; readonly parts: readonly Inline[] }
  | { readonly type: 'code'; readonly text: string }
  /** Of a note: `[[Name#Heading|label]]`, also as an embedded one. */
  | { readonly type: 'wiki'; readonly name: string; readonly heading: string; readonly label: string }
  | { readonly type: 'link'; readonly to: string; readonly parts: readonly Inline[] }
  | { readonly type: 'image'; readonly to: string; readonly label: string }
  | { readonly type: 'tag' | 'mention'; readonly name: string }
  | { readonly type: 'break' };

type Style = 'strong' | 'em' | 's' | 'mark';

interface Frame {
  readonly sign: string;
  readonly style: Style;
  readonly parts: Inline[];
}

/** Styles within styles, and links in labels, are read so deep. */
const DEEPEST = 12;

const SPECIAL = /[\\`*_~=![<#@%\n]|https?:\/\//g;
const WIKI = /!?\[\[([^[\]\n]{1,400})\]\]/y;
const LINK =
  /!?\[((?:\\.|\[[^[\]\n]{0,100}\]|[^[\]\\\n]){0,300})\]\(([^()\n]{0,1000}(?:\([^()\n]{0,200}\)[^()\n]{0,200}){0,2})\)/y;
const NOTE = /\[\^([^\]\s]{1,80})\]:?/y;
const BETWEEN = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y;
const BREAK = /<br ?\/?>/iy;
const URL = /https?:\/\/[^\s<>"`[\]{}|\\^]{1,2000}/y;
const TAG = /#(?:\[\[([^[\]\n]{1,200})\]\]|([\p{L}\p{N}_/-]{0,100}[\p{L}_][\p{L}\p{N}_/-]{0,100}))/uy;
const MENTION = /@([\p{L}\p{N}_.-]{0,100}[\p{L}\p{N}_-])/uy;
const WORD = /[\p{L}\p{N}]/u;

/** Reads the text of a block. What is no Markdown is text, HTML too. Pure, and linear in the text but for some factor. */
export function readInline(text: string, depth = 0): readonly Inline[] {
  return new InlineReader(text, depth).read();
}

class InlineReader {
  private at = 0;
  private readonly spans: CodeSpans;
  private readonly ends: Readonly<Record<'%%' | '<!--', Finder>>;
  private readonly stack: Frame[] = [];
  private parts: Inline[] = [];

  constructor(
    private readonly text: string,
    private readonly depth: number,
  ) {
    this.spans = new CodeSpans(text);
    this.ends = { '%%': new Finder(text, '%%'), '<!--': new Finder(text, '-->') };
  }

  read(): readonly Inline[] {
    while (this.at < this.text.length) {
      SPECIAL.lastIndex = this.at;
      const next = SPECIAL.exec(this.text)?.index ?? this.text.length;
      this.put(this.text.slice(this.at, next));
      this.at = next;
      if (next < this.text.length && !this.readSpecial(this.text.charAt(next))) this.put(this.text.charAt(this.at++));
    }
    while (this.stack.length > 0) this.drop();
    return this.parts;
  }

  private put(part: Inline): void {
    const last = this.parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') this.parts[this.parts.length - 1] = last + part;
    else if (part !== '') this.parts.push(part);
  }

  /** Takes a part of some length. */
  private take(part: Inline, length: number): true {
    this.put(part);
    this.at += length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  private readSpecial(sign: string): boolean {
    if (sign === '\\') return this.readEscape();
    if (sign === '`') return this.readCode();
    if (sign === '\n')
      return this.take(/ {2}$/.test(this.text.slice(this.at - 2, this.at)) ? { type: 'break' } : '\n', 1);
    if (sign === '[' || sign === '!') return this.readLink();
    if (sign === '<') return this.readAngle();
    if (sign === '%') return this.skip('%%', 2);
    if (sign === 'h') return this.readUrl();
    if (sign === '#' || sign === '@') return this.readName(sign);
    return this.readStyle(sign);
  }

  private readEscape(): boolean {
    const next = this.text.charAt(this.at + 1);
    if (next === '\n') return this.take({ type: 'break' }, 2);
    return /[!-/:-@[-`{-~]/.test(next) && this.take(next, 2);
  }

  private readCode(): boolean {
    const end = this.spans.skip(this.at);
    const [ticks = ''] = /^`+/.exec(this.text.slice(this.at, end)) ?? [];
    if (end === this.at + ticks.length) return this.take(ticks, ticks.length);
    const inside = this.text.slice(this.at + ticks.length, end - ticks.length).replaceAll('\n', ' ');
    const text = /^ .*[^ ].* $/.test(inside) ? inside.slice(1, -1) : inside;
    return this.take({ type: 'code', text }, end - this.at);
  }

  private readLink(): boolean {
    const isImage = this.text.charAt(this.at) === '!';
    const [wiki, inside] = this.match(WIKI) ?? [];
    if (wiki !== undefined && inside !== undefined) return this.take(wikiOf(inside), wiki.length);
    const [link, label = '', target = ''] = this.match(LINK) ?? [];
    if (link !== undefined) {
      const to = target
        .trim()
        .replace(/\s+(?:"[^"]*"|'[^']*')$/, '')
        .replace(/^<(.*)>$/, '$1');
      const [, name] = /^\[\[([^[\]]+)\]\]$/.exec(to) ?? [];
      if (name !== undefined) return this.take(wikiOf(`${name}|${label}`), link.length);
      const parts = this.depth < DEEPEST ? readInline(label, this.depth + 1) : [label];
      return this.take(isImage ? { type: 'image', to, label } : { type: 'link', to, parts }, link.length);
    }
    const [note, number] = this.match(NOTE) ?? [];
    return note !== undefined && this.take(`[${number}]`, note.length);
  }

  private readAngle(): boolean {
    const [between, to] = this.match(BETWEEN) ?? [];
    if (between !== undefined && to !== undefined) return this.take({ type: 'link', to, parts: [to] }, between.length);
    const [broken] = this.match(BREAK) ?? [];
    return broken === undefined ? this.skip('<!--', 3) : this.take({ type: 'break' }, broken.length);
  }

  /** Passes over a comment; what never closes is text. */
  private skip(open: '%%' | '<!--', length: number): boolean {
    if (!this.text.startsWith(open, this.at)) return false;
    const end = this.ends[open].next(this.at + open.length);
    if (end >= this.text.length) return this.take(open, open.length);
    this.at = end + length;
    return true;
  }

  private readUrl(): boolean {
    const [found = ''] = this.match(URL) ?? [];
    const url = found.replace(/[.,:;!?'")*_~]+$/, '');
    return url.length > 8 && this.take({ type: 'link', to: url, parts: [url] }, url.length);
  }

  private readName(sign: '#' | '@'): boolean {
    const before = this.text.charAt(this.at - 1);
    if (before !== '' && !/[\s([{,;"'（，、。：]/.test(before)) return false;
    const [whole, inside, plain] = this.match(sign === '#' ? TAG : MENTION) ?? [];
    const name = inside ?? plain;
    return whole !== undefined && name !== undefined
      ? this.take({ type: sign === '#' ? 'tag' : 'mention', name }, whole.length)
      : false;
  }

  private readStyle(sign: string): boolean {
    let run = 1;
    while (this.text.charAt(this.at + run) === sign) run++;
    const [before, after] = [this.text.charAt(this.at - 1), this.text.charAt(this.at + run)];
    const isWord = sign === '_' && WORD.test(before) && WORD.test(after);
    const isPair = sign === '~' || sign === '=';
    if (isWord || run > 3 || (isPair && run !== 2)) return this.take(sign.repeat(run), run);
    const closes = before !== '' && !/\s/.test(before);
    const opens = after !== '' && !/\s/.test(after);
    for (let left = run; left > 0; ) {
      const open = closes
        ? this.stack.findLastIndex((frame) => frame.sign[0] === sign && frame.sign.length <= left)
        : -1;
      const size = this.stack[open]?.sign.length ?? Math.min(2, left);
      if (open !== -1) this.close(open);
      else if (opens && this.stack.length < DEEPEST) this.open(sign.repeat(size));
      else this.put(sign.repeat(size));
      left -= size;
    }
    this.at += run;
    return true;
  }

  private open(sign: string): void {
    this.stack.push({ sign, style: STYLES[sign] ?? 'em', parts: this.parts });
    this.parts = [];
  }

  private close(at: number): void {
    while (this.stack.length > at + 1) this.drop();
    const frame = this.stack.pop();
    if (frame === undefined) return;
    const { style } = frame;
    const inside = this.parts;
    this.parts = frame.parts;
    this.put(inside.length === 0 ? frame.sign + frame.sign : { type: style, parts: inside });
  }

  /** What opened and never closed is text. */
  private drop(): void {
    const frame = this.stack.pop();
    if (frame === undefined) return;
    const inside = this.parts;
    this.parts = frame.parts;
    for (const part of [frame.sign, ...inside]) this.put(part);
  }
}

const STYLES: Readonly<Record<string, Style>> = {
  '**': 'strong',
  __: 'strong',
  '*': 'em',
  _: 'em',
  '~~': 's',
  '==': 'mark',
};

function wikiOf(inside: string): Inline {
  const bar = inside.indexOf('|');
  const target = (bar === -1 ? inside : inside.slice(0, bar).replace(/\\$/, '')).trim();
  const label = bar === -1 ? '' : inside.slice(bar + 1).trim();
  const hash = target.search(/[#^]/);
  const name = hash === -1 ? target : target.slice(0, hash).trim();
  const heading = hash === -1 || target.includes('^') ? '' : target.slice(target.lastIndexOf('#') + 1).trim();
  return { type: 'wiki', name, heading, label: label || (name === '' ? heading : target.replace('#', ' › ')) };
}
