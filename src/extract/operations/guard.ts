import { isRecord, type UnknownFields } from '../../base/json.js';
import { isNegation, splitAtNegations } from '../../language/words/stop.js';
import { readStatementTerms } from '../../language/words/terms.js';
import { KIND_LETTERS, parseBullet } from '../../markdown/bullet.js';
import type { ForgottenStatements } from '../../memory/forgotten.js';
import { isMachineLine } from '../../text/machine-text.js';
import { redactSecrets } from '../../text/redact.js';
import { stripInjected } from '../../text/strip.js';
import type { MemoryType } from '../memory-type.js';
import { type ExtractSource, hasUntrustedSource, withoutSources, withSources } from '../page/sources.js';

/** Tests whether a line must not be written. */
export type IsUnwantedLine = (line: string) => boolean;

/**
 * Builds a test for lines that must not be written: examples that a model copied from the prompt, machine-written lines, and
 * forgotten statements.
 */
export function createUnwantedLineTest(types: readonly MemoryType[], forgotten: ForgottenStatements): IsUnwantedLine {
  const examples = new Set(types.flatMap(({ good_cases, bad_cases }) => [...good_cases, ...bad_cases]).map(lineKey));
  return (line) => {
    const bare = withoutSources(line)
      .replace(/^\s*(?:[-*+]\s+)?/u, '')
      .trim();
    if (bare === '') return false;
    const parsed = parseBullet(bare);
    return (
      isMachineLine(bare) ||
      examples.has(lineKey(line)) ||
      forgotten.hasLine(bare) ||
      (parsed.type === 'fact' && forgotten.has(parsed.bullet)) ||
      (forgotten.size > 0 && parsed.type !== 'fact' && isForgottenFact(bare, forgotten))
    );
  };
}

/** Whether a line without a kind letter repeats a forgotten fact. To find out, each kind letter is put before it. */
function isForgottenFact(bare: string, forgotten: ForgottenStatements): boolean {
  return [...KIND_LETTERS].some((kind) => {
    const parsed = parseBullet(`${kind} ${bare}`);
    return parsed.type === 'fact' && forgotten.has(parsed.bullet);
  });
}

/** Cleans the fields that a model wrote for a page. From a field that names the page, removes only unwritable characters. */
export function cleanModelFields(type: MemoryType, fields: UnknownFields, isUnwanted: IsUnwantedLine): UnknownFields {
  const cleaned = Object.entries(fields).map(([name, value]) => {
    if (!type.identity.includes(name)) return [name, cleanModelValue(value, isUnwanted)];
    return [name, typeof value === 'string' ? value.replace(UNWRITABLE, '') : value];
  });
  return Object.fromEntries(cleaned);
}

/**
 * Cleans every text in a value that a model wrote. Secrets are redacted. Injected memory, unwritable characters and
 * unwanted lines are removed. The keys `search` and `delete` of a patch stay unchanged, because they name text that the
 * page already has.
 */
function cleanModelValue(value: unknown, isUnwanted: IsUnwantedLine): unknown {
  if (typeof value === 'string') return cleanText(value, isUnwanted);
  if (Array.isArray(value))
    return value.map((item: unknown) => cleanModelValue(item, isUnwanted)).filter((item) => item !== '');
  if (!isRecord(value)) return value;
  const cleaned = Object.entries(value).map(([key, item]) => {
    return [key, key === 'search' || key === 'delete' ? item : cleanModelValue(item, isUnwanted)];
  });
  return Object.fromEntries(cleaned);
}

/**
 * Matches characters that are never written: control characters except line feed and tab, lone surrogates, and the two
 * characters around the placeholders of managed blocks.
 */
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ue000\ue001]|\p{Cs}/gu;

function cleanText(text: string, isUnwanted: IsUnwantedLine): string {
  const plain = text.replace(/\r\n?/gu, '\n').replace(UNWRITABLE, '');
  const kept = redactSecrets(stripInjected(plain))
    .text.split('\n')
    // Drop list items that became empty when injected memory was removed.
    .filter((line) => !isUnwanted(line) && !/^\s*[-*+]\s*$/u.test(line));
  return kept.join('\n').replace(/<!--(?=\s*(?:MEMORY_FIELDS\b|memory:))/gu, '&lt;!--');
}

function lineKey(line: string): string {
  return line
    .replace(/^\s*[-*+]\s+/u, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** A statement that was not written because the page already contains it. */
export interface MergedStatement {
  readonly page: string;
  readonly statement: string;
}

const ITEM = /^(\s*(?:[-*+]|\d{1,3}[.)])\s+)(.*)$/u;
/** Matches lines that are not statements: headings, quotes, tables, HTML, code fences, blank lines, and placeholders. */
const NO_STATEMENT = /^\s*(?:#{1,6}\s|>|\||<|```|~~~|---+\s*$)|^\s*$|\ue000/u;

/**
 * Checks the statements in the new text of a page. A statement that the page had before keeps the links to its sources. A
 * new statement gets links to the given sources. A new list item that repeats another one is dropped. A new typed bullet
 * loses its kind unless a message or line of a person or agent is its source. Pure.
 */
export function mergeStatements(before: string, after: string, page: string, sources: readonly ExtractSource[]) {
  const known = new Map(before.split('\n').map((line) => [bareOf(line), line]));
  const lines = outsideFences(after);
  const said = lines.flatMap(({ line }) => (known.has(bareOf(line)) ? (itemKey(line) ?? []) : []));
  const merged: MergedStatement[] = [];
  const kept: string[] = [];
  for (const [index, { line, isStatement }] of lines.entries()) {
    const bare = bareOf(line);
    const old = known.get(bare);
    const key = isStatement && old === undefined ? itemKey(line) : undefined;
    if (key !== undefined && said.some((one) => saysAll(one, key))) merged.push({ page, statement: bare.trim() });
    else if (old !== undefined) kept.push(old === bare ? line : old);
    else {
      if (key !== undefined) said.push(key);
      const own = withoutInherited(line, known, lines);
      const ends = isStatement && endsHere(lines[index + 1]?.line);
      kept.push(ends ? withSources(trusted(own, sources), page, sources) : own);
    }
  }
  return { text: kept.join('\n'), merged };
}

/**
 * Removes source links from a new line if they belong to an existing line. This happens when a patch inserts the new line
 * between the text of the existing line and its source links.
 */
function withoutInherited(
  line: string,
  known: ReadonlyMap<string, string>,
  lines: readonly { readonly line: string }[],
): string {
  const bare = bareOf(line);
  const tail = line.slice(bare.length).trimEnd();
  const isOthers = (other: { readonly line: string }) => known.get(bareOf(other.line))?.trimEnd().endsWith(tail);
  return tail !== '' && lines.some(isOthers) ? bare : line;
}

function bareOf(line: string): string {
  return withoutSources(line).trimEnd();
}

function outsideFences(text: string): readonly { readonly line: string; readonly isStatement: boolean }[] {
  let inFence = false;
  return text.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/u.test(line)) inFence = !inFence;
    return { line, isStatement: !inFence && !NO_STATEMENT.test(line) };
  });
}

type StatementKey = NonNullable<ReturnType<typeof itemKey>>;

/**
 * The key by which two list items are compared. Its terms are in the order of the line, because the order shows who does
 * what to whom. Returns `undefined` for other lines, and for items with less than two terms.
 */
function itemKey(line: string) {
  if (!ITEM.test(line)) return undefined;
  const bare = bareOf(line);
  const words = bare.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const denials = words.filter(isNegation).length + splitAtNegations(bare).length - 1;
  const terms = readStatementTerms(bare);
  return terms.length < 2 ? undefined : { terms, numbers: (bare.match(/\p{N}+/gu) ?? []).join(), denials };
}

/**
 * A statement counts as a repetition of an existing one only if it is long enough. Its number of terms must be at least
 * this share of the number of terms of the existing statement.
 */
const LEAST_REPEATED = 0.75;

/**
 * Whether a new statement (`other`) only repeats an existing one (`there`). Both must have the same numbers, and the
 * same number of negations. All terms of the new statement must occur in the existing one, in the same order.
 */
function saysAll(there: StatementKey, other: StatementKey): boolean {
  if (there.numbers !== other.numbers || there.denials !== other.denials) return false;
  if (other.terms.length < there.terms.length * LEAST_REPEATED) return false;
  let at = 0;
  for (const term of there.terms) if (term === other.terms[at]) at++;
  return at === other.terms.length;
}

/** Whether a statement ends with its line, because the next line does not continue it. */
function endsHere(next: string | undefined): boolean {
  return next === undefined || NO_STATEMENT.test(next) || ITEM.test(next);
}

/**
 * Removes the kind of a typed bullet if it has no trusted source, or only a whole file as source. The output of a tool is
 * neither a fact nor an opinion.
 */
function trusted(line: string, sources: readonly ExtractSource[]): string {
  const [, mark = '', text = ''] = ITEM.exec(line) ?? [];
  const isVouched = sources.length > 0 && !hasUntrustedSource(sources) && !sources.some(({ isWhole }) => isWhole);
  if (isVouched || mark === '') return line;
  const parsed = parseBullet(text);
  return parsed.type === 'fact' ? `${mark}${parsed.bullet.text}` : line;
}
