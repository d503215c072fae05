/** An opening, closing or self-closing tag of an injected block. */
export interface InjectedTag {
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
export type ToolOfTag = string;

/**
 * The tools whose tags we know. With a version at the end (`openviking-context-v2`), a tag still belongs to the same family.
 */
const FAMILIES = ['openviking-context', 'relevant-memories', 'cognee-memories', 'hindsight'] as const;
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
export const MAX_TAG_CHARACTERS = 1000;

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
export function readTag(text: string, at: number): InjectedTag | undefined {
  const limit = Math.min(text.length, at + MAX_TAG_CHARACTERS);
  const head = readHead(text, at, limit);
  if (head === undefined) return undefined;
  const close = attributesEnd(text, head.end, limit);
  if (close === undefined) return undefined;
  const attributes = text.slice(head.end, close);
  if (head.bareHindsight && /[^\s/]/.test(attributes) && !attributes.includes('=')) return undefined;
  const kind = head.closing ? 'close' : attributes.trimEnd().endsWith('/') ? 'single' : 'open';
  const isByForm = !FAMILIES.some((name) => name === head.family);
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
