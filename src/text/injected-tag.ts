/** An opening, closing or self-closing tag of an injected block. */
export interface InjectedTag {
  readonly kind: 'open' | 'close' | 'single';
  readonly family: Family;
  /** Known by its form alone: it counts with a partner, and where nothing else stands on its line. */
  readonly isByForm: boolean;
  /** The indices of its `<`, and just behind its `>`. */
  readonly at: number;
  readonly end: number;
}

/** What an opening and a closing tag have in common: the tool, or for tools that nobody knows the name of the tag. */
export type Family = string;

/** The tools whose blocks are known. A version suffix (`openviking-context-v2`) belongs to its family. */
const FAMILIES = ['openviking-context', 'relevant-memories', 'cognee-memories', 'hindsight'] as const;
/** The names that other memories give their blocks: words that end in memories, or in the context of a memory. */
const FORM = /^.+-memories$|^(?:.+-)?[a-z0-9]*mem(?:ory)?-context$/;
const LONGEST_NAME = 64;
/** Of a tag that has its line for itself, in UTF-16 units. */
const LONGEST_INDENT = 40;
// The one character beyond ASCII that lower-cases to an ASCII letter of these names.
const KELVIN = 0x212a;
const IGNORABLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;
const SPACE = /^\s$/;

/** The longest tag that is looked for, in UTF-16 units. It bounds what a hostile text can make us read twice. */
export const LONGEST_TAG = 1000;

/** All tags of a text, in order; `halfTags`: whether other `<` stand in it, which the removal of a tag may complete. */
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

/** Without what is known by its form and has no partner: it is somebody's text. */
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
 * The tag that begins at `at`, where a `<` stands, or undefined.
 * Case, white space around the slash and the name, `_` for `-`, and invisible characters inside do not hide a tag.
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

/** Whether nothing but a few blanks stands beside it on its line. */
function isAlone(text: string, at: number, end: number): boolean {
  const before = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - LONGEST_INDENT), at));
  return before && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + LONGEST_INDENT));
}

// The index of the `>` that ends the tag.
function attributesEnd(text: string, from: number, limit: number): number | undefined {
  for (let i = from; i < limit; i++) {
    const unit = text[i];
    if (unit === '>') return i;
    // A blank line ends what was no tag: behind it may stand what the user wrote.
    if (unit === '\n' && /^\r?\n/.test(text.slice(i + 1, i + 3))) return undefined;
    // A tag that never ends must not swallow the next one. This also keeps the scans of two tags apart: linear time.
    if (unit === '<' && readHead(text, i, limit) !== undefined) return undefined;
  }
  return undefined;
}

function readHead(text: string, at: number, limit: number) {
  let i = skipFiller(text, at + 1, limit);
  const closing = text[i] === '/';
  if (closing) i = skipFiller(text, i + 1, limit);
  // Most `<` begin something else: nothing is built for those.
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

// The character as names are compared: lower case, `_` as `-`.
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
