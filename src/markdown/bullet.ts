import { entityMentions, findEntities } from './entities.js';

import { withoutComments } from './inline.js';

/** The kinds of facts: the letter of a bullet, and the name used elsewhere. */
export const KIND_NAME_OF_LETTER = { W: 'world', B: 'experience', O: 'opinion', S: 'observation' } as const;

export type FactKind = keyof typeof KIND_NAME_OF_LETTER;
export type FactKindName = (typeof KIND_NAME_OF_LETTER)[FactKind];

export const FACT_KIND_NAMES: readonly FactKindName[] = Object.values(KIND_NAME_OF_LETTER);

/** All letters of kinds in one string, `WBOS`. It is used inside `[…]` in regular expressions. */
export const KIND_LETTERS = Object.keys(KIND_NAME_OF_LETTER).join('');

const KINDS = Object.keys(KIND_NAME_OF_LETTER).filter(isFactKind);

function isFactKind(letter: string): letter is FactKind {
  return Object.hasOwn(KIND_NAME_OF_LETTER, letter);
}

export function kindName(kind: FactKind): FactKindName {
  return KIND_NAME_OF_LETTER[kind];
}

/** The letter of a kind's name; `-` for any other name. */
export function kindLetter(name: string): FactKind | '-' {
  return KINDS.find((kind) => KIND_NAME_OF_LETTER[kind] === name) ?? '-';
}

export interface Bullet {
  readonly kind: FactKind;
  /** The confidence as written, 0 to 1; null if none is written. Only opinions have one. */
  readonly confidence: number | null;
  /**
   * The names in the bullet, without `@`, each once: first the leading ones, then those inside of the text, in order of
   * appearance.
   */
  readonly entities: readonly string[];
  /**
   * The text after the kind, with the leading entities as written: `@Peter: lives in Graz`. One line, without block id and
   * comments.
   */
  readonly statement: string;
  /** The text after the leading entities and the colon: `lives in Graz`. One line, never empty. */
  readonly text: string;
  /** The block id, `f-…` or `o-…`, without the caret; null if there is none. */
  readonly blockId: string | null;
  /**
   * Where a program found the fact, as written at the end of the bullet: `from L12–L14, by rules`. It is
   * provenance, not part of the fact. Null if none is written.
   */
  readonly origin: string | null;
}

type BulletParseResult =
  | { readonly type: 'fact'; readonly bullet: Bullet }
  /** A line that a person probably meant as a fact, but that can't be read as one. `reason` says why. */
  | { readonly type: 'malformed'; readonly reason: string }
  | { readonly type: 'plain' };

const KIND = `[${KIND_LETTERS}]`;
/** The kind letters in their full-width form (`Ｗ`), which a Chinese or Japanese keyboard may produce. */
const FULL_WIDTH = [...KIND_LETTERS]
  .map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
  .join('');

const PLAIN: BulletParseResult = { type: 'plain' };
/**
 * A quick test whether a list item may begin with a kind. Most list items do not begin with one, and are not parsed.
 */
const MAY_BE_TYPED = new RegExp(`^(?:[A-Za-z](?:[\\s(（:：@＠]|$)|[${FULL_WIDTH}*_])`);
/**
 * Matches the provenance at the end of a line that inference or a flush wrote: ` (from L12–L14)`, ` (from chat-1, by
 * rules)`, ` (from chat-1, by qwen3:4b)`. The name of a model has a tag, so that "(from Graz, by train)" is no provenance.
 */
export const ORIGIN_PATTERN =
  / \((from (?:[^()]{1,130}, by (?:rules|[^\s()]{1,100}:[^\s():]{1,60})|L\d{1,7}(?:–L\d{1,7})?))\)$/;
const BLOCK_ID = /(?:^|\s)\^([fo]-[0-9a-z]{13})$/;
const HEAD = new RegExp(`^(${KIND})(\\(c=([^()]{0,20})\\))?(?:([:：])(?=\\s|$|[^\\x21-\\x7e])|(?=\\s|$))`);
const NUMBER = /^(?:0|1|0?\.\d{1,17}|0\.|1\.0{0,17})$/;

/**
 * Reads the text of a list item (its first paragraph, as `scanMarkdown` gives it) as a typed bullet:
 * `KIND[(c=NUMBER)] [@Entity …][:] text … [^block-id]`. A full-width colon (`：`) counts as a colon.
 */
export function parseBullet(itemText: string): BulletParseResult {
  if (!MAY_BE_TYPED.test(itemText)) return PLAIN;
  const near = WELL_BEGUN.test(itemText) ? undefined : NEAR_MISSES.find(({ pattern }) => pattern.test(itemText));
  if (near !== undefined) return { type: 'malformed', reason: near.reason };
  const head = HEAD.exec(itemText);
  const kind = head?.[1];
  if (head === null || kind === undefined || !isFactKind(kind)) return PLAIN;
  const confidence = readConfidence(kind, head[3]);
  if (typeof confidence === 'string') return { type: 'malformed', reason: confidence };
  const rest = foldLines(withoutComments(itemText.slice(head[0].length)));
  const blockId = BLOCK_ID.exec(rest)?.[1] ?? null;
  const told = rest.replace(BLOCK_ID, '').trimEnd();
  const origin = ORIGIN_PATTERN.exec(told)?.[1] ?? null;
  const body = told.replace(ORIGIN_PATTERN, '');
  const text = head[4] === undefined ? textAfterLeadingEntities(body) : body;
  const isBareLetter = head[0].length === 1 && body === '';
  if (text === '') return isBareLetter ? PLAIN : { type: 'malformed', reason: 'there is no text' };
  const bullet = { kind, confidence, entities: findEntities(body), statement: body, text, blockId, origin };
  return { type: 'fact', bullet };
}

/**
 * The rest of a name that was written with spaces: `Schmidt` in `@Anna Schmidt: is our tax adviser`. The parser reads only
 * `Anna` as the name.
 */
export function findRestOfEntityName(name: string | undefined, statement: string): string | undefined {
  if (name === undefined || !statement.startsWith(`@${name} `)) return undefined;
  const text = textAfterLeadingEntities(statement);
  if (statement !== `@${name} ${text}`) return undefined;
  return /^(\p{L}[\p{L}\p{M}’'.-]*(?: \p{L}[\p{L}\p{M}’'.-]*){0,2})[:：]\s/u.exec(text)?.[1];
}

/**
 * A name with the words that belong to it, joined to one word: `Anna-Schmidt` if {@link findRestOfEntityName} finds `Schmidt`. If a
 * page or an alias has this name, the fact is about that entity.
 */
export function joinEntityName(name: string | undefined, statement: string): string | undefined {
  const rest = findRestOfEntityName(name, statement);
  return rest === undefined ? undefined : `${name}-${rest.replace(/\s+/gu, '-')}`;
}

/** The hint for a fact whose name has several words, of which only the first one was read as the name. */
export function hintAboutLongerName(name: string | undefined, statement: string): string | undefined {
  const whole = joinEntityName(name, statement);
  return (
    whole &&
    `this fact is about @${name}, because there is no page for the longer name; write a name of several words as @${whole}`
  );
}

/**
 * Writes a typed bullet as one line, including `- `, that parses to the same bullet. Entities that the text itself names are
 * not written twice. Line breaks become spaces.
 * @param bullet `confidence` is written for opinions only, with at most four digits
 */
export function formatBullet(
  bullet: Pick<Bullet, 'kind' | 'confidence' | 'entities' | 'text'> & Partial<Pick<Bullet, 'blockId' | 'origin'>>,
): string {
  const text = foldLines(bullet.text);
  const named = new Set(findEntities(text));
  const leading = bullet.entities
    .filter((name) => !named.has(name))
    .map((name) => ` @${name.trim().replace(/\s+/g, '-')}`);
  const confidence =
    bullet.kind === 'O' && bullet.confidence !== null ? `(c=${Number(bullet.confidence.toFixed(4))})` : '';
  // A text may begin with `@`, `:` or `(`. Without a colon before it, these would be parsed as an entity, as the colon of
  // the bullet, or as a confidence.
  const colon = leading.length > 0 || /^[@＠:：(（]/.test(text) ? ':' : '';
  const tail = `${bullet.origin ? ` (${bullet.origin})` : ''}${bullet.blockId ? ` ^${bullet.blockId}` : ''}`;
  return `- ${bullet.kind}${confidence}${leading.join('')}${colon} ${text}${tail}`;
}

function foldLines(text: string): string {
  // The pattern does not match a single space between words, because that needs no change.
  return text.replace(/[^\S ]\s*| \s+/g, ' ').trim();
}

function readConfidence(kind: FactKind, written: string | undefined): number | null | string {
  if (written === undefined) return null;
  if (kind !== 'O') return `only an opinion (O) can have a confidence, not ${kind}`;
  return NUMBER.test(written) ? Number(written) : `the confidence must be a number from 0 to 1, not "${written}"`;
}

/**
 * The text of a statement after its leading entities: `lives in Graz` for `@Peter: lives in Graz`. A name is leading if
 * white space, a comma or a colon follows it.
 */
export function textAfterLeadingEntities(statement: string): string {
  if (!statement.startsWith('@')) return statement.trim();
  let pos = 0;
  for (const mention of entityMentions(statement)) {
    const between = statement.slice(pos, mention.start);
    if (!(pos === 0 ? mention.start === 0 : /^[\s,、，&]*$/.test(between))) break;
    if (!/^(?:$|[\s:：,、，])/.test(statement.slice(mention.end, mention.end + 1))) break;
    pos = mention.end;
  }
  const rest = statement.slice(pos).trim();
  return pos > 0 ? rest.replace(/^[:：]\s*/, '') : rest;
}

const LOWER = `[${KIND_LETTERS.toLowerCase()}]`;
const ANY_CASE = `[${KIND_LETTERS}${KIND_LETTERS.toLowerCase()}]`;
const CONFIDENCE = String.raw`(?:\(c=[^()]{0,20}\))?`;
const LETTERS = [...KIND_LETTERS].join(', ').replace(/,(?= .$)/, ' or');

/** Patterns of lines that were probably meant as typed bullets, with the reason why they are not. */
const NEAR_MISSES = [
  [`${KIND}${CONFIDENCE}[:：]?[@＠]`, 'there must be a space between the kind and the entity'],
  [String.raw`${KIND}${CONFIDENCE}\s+＠`, 'the entity must start with @, not with a full-width ＠'],
  [String.raw`${LOWER}(?:\(c=|\s*:?\s*[@＠][\p{L}\p{N}])`, `the kind must be a capital letter: ${LETTERS}`],
  [String.raw`[${FULL_WIDTH}]\s*[@＠(（:：]`, `the kind must be ${LETTERS}, not a full-width letter`],
  [String.raw`${ANY_CASE}\s+[(（]\s*[cC]\s*[=＝:]`, 'there must be no space between the kind and (c=…)'],
  [String.raw`${ANY_CASE}(?:（|\((?!c=)\s*[cC]\s*[=＝:])`, 'the confidence must be written (c=0.8)'],
  [String.raw`${KIND}\([\d.]+\)\s*:?\s*@`, 'the confidence must be written (c=0.8)'],
  [String.raw`${KIND}\(c=[^()]{0,20}(?:\)[^\s:：@＠]|$)`, 'there must be a space after the kind'],
  [String.raw`${KIND}:[^\s\\/]`, 'there must be a space after the colon'],
  [String.raw`(?!${KIND})[A-Z]\(c=`, `the kind must be ${LETTERS}`],
  [String.raw`(?![${KIND_LETTERS}AI])[A-Z] @[^\s:：]+[:：]`, `the kind must be ${LETTERS}`],
  [String.raw`(?:\*\*|__|\*|_)${KIND}(?:\*\*|__|\*|_)\s*@`, 'the kind must be written without emphasis'],
].map(([pattern, reason = '']) => ({ pattern: new RegExp(`^${pattern}`, 'u'), reason }));
/**
 * A quick test: a text that begins like this matches no pattern of {@link NEAR_MISSES}. Nearly every fact begins like this.
 */
const WELL_BEGUN = new RegExp(`^${KIND}${CONFIDENCE} [^\\s(（＠]`);

/** The note that the host OpenClaw writes after a line that it copies into the core file. */
const TAIL =
  /\s*\[score=[\d.]{1,9}(?: [a-z]{1,20}=[^\s\]]{1,40})*? source=([^\s\]]{1,300}?)(?::(\d+)(?:-\d+)?)?\](?=(?: ?<!--[^<>]{0,200}-->)* ?$)/;

export type PromotedLine = ReturnType<typeof readPromotedLine>;

/**
 * Reads a line that the host OpenClaw copied into the core file. Returns its text without the note of the host, and the
 * path of the file that the line was copied from. Undefined for any other line. Pure.
 */
export function readPromotedLine(line: string) {
  const source = line.includes('[score=') ? TAIL.exec(line)?.[1] : undefined;
  return source === undefined ? undefined : { text: line.replace(TAIL, ''), source };
}
