import { isRecord, type UnknownFields } from '../../base/json.js';
import { KIND_LETTERS } from '../../markdown/bullet.js';
import { makeCopyTest, makeSupportTest, type SupportSource, type UnsupportedLine } from '../../memory/supported.js';
import { lowerCaseWords } from '../../text/sentences.js';
import type { MemoryType } from '../memory-type.js';
import { withoutSources } from '../page/sources.js';

/** The messages of a part of a conversation, by the names that its prompt gives them: `m1`, `m2`. */
export type NamedMessages = ReadonlyMap<string, SupportSource>;

/** A shorter line is the value of a field, such as a status or a tag, and states nothing by itself. */
const LEAST_WORDS = 3;
const LEAST_UNSPACED = 6;
/** Matches lines that are not statements: headings, tables, fences. */
const NO_STATEMENT = /^\s*(?:#{1,6}\s|\||```|~~~|---+\s*$)/u;

/** The messages and the page that a model's write must agree with. */
interface WrittenAbout {
  readonly messages: NamedMessages;
  /** Text of the page; null for a new one. */
  readonly before: string | null;
  /** Names of messages, as the model wrote them. */
  readonly cited: readonly string[];
  /** Whether the model may use its own words. Otherwise each line must stand in a message word for word. */
  readonly mayWrite: boolean;
}

/**
 * Removes the lines of a write that no message carries: neither those that the write cites, nor the text of the page. The
 * fields that name the page stay.
 */
export function removeUnsupportedLines(
  type: MemoryType,
  given: UnknownFields,
  { messages, before, cited, mayWrite }: WrittenAbout,
): { readonly given: UnknownFields; readonly refused: readonly UnsupportedLine[]; readonly kept: number } {
  const names = [...messages.keys()];
  const cites = cited.flatMap((name) => {
    const at = names.indexOf(
      name
        .trim()
        .replace(/^\[|\]$/gu, '')
        .replace(/^(?=\d)/u, 'm')
        .toLowerCase(),
    );
    return at < 0 ? [] : [at];
  });
  const page = (before ?? '').split('\n').map(statementOf);
  const makeTest = mayWrite ? makeSupportTest : makeCopyTest;
  const ofMessages = makeTest([...messages.values()]);
  const ofAll = makeTest([...page.filter((line) => line !== '').map((text) => ({ text })), ...messages.values()]);
  const refused: UnsupportedLine[] = [];
  let kept = 0;
  const isKept = (line: string): boolean => {
    const statement = statementOf(line);
    if (!isStatement(line, statement) || page.includes(statement)) return true;
    const reason = ofMessages(statement, cites.length === 0 ? undefined : cites);
    if (reason === undefined || (before !== null && ofAll(statement) === undefined)) {
      kept++;
      return true;
    }
    refused.push({ line: statement, reason });
    return false;
  };
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    type.identity.includes(name) ? value : withLines(value, isKept),
  ]);
  return { given: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), refused, kept };
}

/** A list mark, and the kind of a typed bullet. */
const ITEM = new RegExp(`^\\s*(?:[-*+]|\\d{1,3}[.)])\\s+(?:[${KIND_LETTERS}](?:\\(c=[^)]*\\))?\\s+)?`, 'u');

function statementOf(line: string): string {
  return withoutSources(line).replace(ITEM, '').trim();
}

function isStatement(line: string, statement: string): boolean {
  if (NO_STATEMENT.test(line)) return false;
  const words = lowerCaseWords(statement);
  return words.length >= LEAST_WORDS || words.join('').replace(/[^\p{Lo}]/gu, '').length >= LEAST_UNSPACED;
}

/** A value with the lines that a test keeps. Undefined if it had lines, and none is left. */
function withLines(value: unknown, isKept: (line: string) => boolean): unknown {
  if (typeof value === 'string') {
    const lines = value.split('\n');
    const kept = lines.filter(isKept);
    if (kept.length === lines.length) return value;
    return kept.join('').trim() === '' ? undefined : kept.join('\n');
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.map((item) => withLines(item, isKept)).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return value;
  // A patch names by `search` and `delete` text that the page has. Without its new text it is left out.
  const fields = Object.entries(value).map(
    ([key, item]) => [key, key === 'search' || key === 'delete' ? item : withLines(item, isKept)] as const,
  );
  return fields.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(fields);
}
