/** An opening, closing or self-closing tag of an injected block. */
export interface InjectedTag {
  readonly kind: 'open' | 'close' | 'single';
  readonly family: Family;
  /** Recognised only by its form: it counts only with a partner and alone on its line. */
  readonly isByForm: boolean;
  /** The index of its `<`, and the index after its `>`. */
  readonly at: number;
  readonly end: number;
}

/** The key that an opening and a closing tag share: the tool, or for unknown tools the tag name. */
export type Family = string;

/** The tools with known blocks. A version suffix (`openviking-context-v2`) belongs to the family. */
const FAMILIES = ['openviking-context', 'relevant-memories', 'cognee-memories', 'hindsight'] as const;
/** Names of blocks of other memory tools: words that end in memories, or in the context of a memory. */
const FORM = /^.+-memories$|^(?:.+-)?[a-z0-9]*mem(?:ory)?-context$/;
const LONGEST_NAME = 64;
/** Maximum indent of a tag that is alone on its line, in UTF-16 units. */
const LONGEST_INDENT = 40;
// The only non-ASCII character that lower-cases to an ASCII letter of these names.
const KELVIN = 0x212a;
const IGNORABLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;
const SPACE = /^\s$/;

/** The longest tag that is recognised, in UTF-16 units. It bounds how much text is read twice in hostile input. */
export const LONGEST_TAG = 1000;

/**
 * All tags of a text, in order. `halfTags`: whether the text has other `<`, which the removal of a tag may complete to a
 * tag.
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

/** Removes tags that were recognised only by form and have no partner: they are ordinary text. */
function withPartners(tags: readonly InjectedTag[]): readonly InjectedTag[] {
  if (!tags.some(({ isByForm }) => isByForm)) return tags;
  const opened = new Map<Family, number>();
  const closed = new Map<Family, number>();
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
 * Reads the tag that begins at `at`, where a `<` stands; undefined if there is none. Case, white space around the slash and
 * the name, `_` for `-`, and invisible characters inside do not hide a tag.
 */
export function readTag(text: string, at: number): InjectedTag | undefined {
  const limit = Math.min(text.length, at + LONGEST_TAG);
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

/** Whether only a few blanks are beside the tag on its line. */
function isAlone(text: string, at: number, end: number): boolean {
  const before = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - LONGEST_INDENT), at));
  return before && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + LONGEST_INDENT));
}

// The index of the `>` that ends the tag.
function attributesEnd(text: string, from: number, limit: number): number | undefined {
  for (let i = from; i < limit; i++) {
    const unit = text[i];
    if (unit === '>') return i;
    // A blank line means that this is no tag: the user's text may follow.
    if (unit === '\n' && /^\r?\n/.test(text.slice(i + 1, i + 3))) return undefined;
    // An unclosed tag must not swallow the next one. This also keeps the scans of two tags apart: linear time.
    if (unit === '<' && readHead(text, i, limit) !== undefined) return undefined;
  }
  return undefined;
}

function readHead(text: string, at: number, limit: number) {
  let i = skipFiller(text, at + 1, limit);
  const closing = text[i] === '/';
  if (closing) i = skipFiller(text, i + 1, limit);
  // Most `<` begin something else: build nothing for those.
  if (nameLetter(text.charCodeAt(i)) === undefined) return undefined;
  let name = '';
  for (; i < limit && name.length <= LONGEST_NAME; i++) {
    const letter = nameLetter(text.charCodeAt(i));
    if (letter !== undefined) name += letter;
    else if (!isIgnorable(text, i)) break;
  }
  const family = familyOf(name);
  if (family === undefined) return undefined;
  // `<hindsight is 20/20>` is prose: the bare word needs real attributes, or none.
  return { closing, family, bareHindsight: name === 'hindsight', end: i };
}

// The character as names are compared: lower case, `_` as `-`. Undefined if it can't be in a name.
function nameLetter(unit: number): string | undefined {
  if (unit >= 0x61 && unit <= 0x7a) return String.fromCharCode(unit);
  if (unit >= 0x41 && unit <= 0x5a) return String.fromCharCode(unit + 0x20);
  if (unit === 0x5f) return '-';
  if (unit === KELVIN) return 'k';
  // `-`, `.`, the digits and `:`.
  return unit === 0x2d || unit === 0x2e || (unit >= 0x30 && unit <= 0x3a) ? String.fromCharCode(unit) : undefined;
}

function familyOf(name: string): Family | undefined {
  const known = FAMILIES.find((family) => name.startsWith(family) && /^(?:$|[.:-])/.test(name.slice(family.length)));
  return known ?? (FORM.test(name) ? name : undefined);
}

function skipFiller(text: string, from: number, limit: number): number {
  let i = from;
  while (i < limit && !isPrintable(text.charCodeAt(i)) && (SPACE.test(text[i] ?? '') || isIgnorable(text, i))) i++;
  return i;
}

// Works on single units: the invisible characters beyond U+FFFF (U+E0000…U+E0FFF) share one high surrogate.
function isIgnorable(text: string, at: number): boolean {
  const unit = text[at] ?? '';
  if (unit === ' ' || isPrintable(text.charCodeAt(at))) return false;
  if (unit === '\udb40' || text[at - 1] === '\udb40') return true;
  return IGNORABLE.test(unit) && (unit === '\ufeff' || !SPACE.test(unit));
}

function isPrintable(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}
