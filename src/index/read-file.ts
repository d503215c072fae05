import type { Clock } from '../base/clock.js';
import { openTimeReader, type TimeReader } from '../language/time/read-time.js';
import { parseStatement } from '../line/statement/statement.js';
import { NO_TIME_READER, readValidity } from '../line/validity.js';
import { KIND_LETTERS } from '../markdown/bullet.js';
import type { ForgottenStatements } from '../memory/forgotten.js';
import { conflictCopyNotice, mayHaveFacts, type Page, resolveConflictCopy } from '../memory/pages.js';
import { type PageUnits, readUnits } from '../memory/units.js';
import { decodeReadableText } from '../text/bytes.js';
import { whyBytesAreInvalid, whyBytesAreNoText } from '../workspace/readable.js';
import { hashFileContent, RACY_WINDOW_MS, readFileContent, readOriginalBytes, UNREADABLE_HASH } from './bytes.js';
import type { StaleFile } from './changes.js';
import { type PreparedFile, prepareFile, type ReadFileResult } from './read/prepared.js';
import type { TreeFile } from './tree-files.js';

const NOTHING: PageUnits = { units: [], entity: null, forgotten: 0 };

/**
 * The current time, and the order of day and month in dates. The time shows whether a file is racy: written so recently
 * that its time stamps can't show another change.
 */
type FileClock = Pick<Clock, 'machineMs' | 'dateOrder'>;

/** A file as it was read, with its text if the text must be parsed. */
interface Content {
  readonly file: ReadFileResult;
  readonly text: string | null;
}

/**
 * Reads and parses one file, and prepares its rows for writing. An unreadable file has no rows and a notice with the reason.
 * If the content of a file matches the index, for example after a checkout, it is not parsed: `units` is null.
 */
export async function readFile(
  root: string,
  file: StaleFile,
  clock: FileClock,
  forgotten: ForgottenStatements,
): Promise<PreparedFile> {
  const content = readContent(root, file, clock);
  const isKnown = content.file.hash === file.knownHash;
  if (isKnown) return { file: content.file, units: null, entity: null, forgotten: 0 };
  return prepareFile(content.file, await parse(content, clock, forgotten));
}

function readContent(root: string, file: TreeFile, clock: FileClock): Content {
  const bytes = readFileContent(root, file);
  const racy = clock.machineMs() - file.mtimeMs < RACY_WINDOW_MS;
  if (typeof bytes === 'string')
    return { file: { ...file, racy: true, hash: UNREADABLE_HASH, notice: bytes }, text: null };
  const original = readOriginalBytes(root, file);
  const noText = whyBytesAreNoText(bytes)?.reason;
  const notice = noText ?? whyBytesAreInvalid(bytes) ?? null;
  const read = { ...file, racy, hash: hashFileContent(bytes, original), notice };
  if (noText !== undefined) return { file: read, text: null };
  const { page, text } = resolveConflictCopy(
    file.page,
    decodeReadableText(bytes),
    original && decodeReadableText(original),
  );
  if (page === null) return { file: { ...read, notice: 'is not read: its name is that of a copy' }, text: null };
  return { file: { ...read, page, notice: page.role === 'copy' ? conflictCopyNotice(page) : read.notice }, text };
}

async function parse({ file, text }: Content, clock: FileClock, forgotten: ForgottenStatements): Promise<PageUnits> {
  if (text === null) return NOTHING;
  const times = await timesOfPage(file.page, text, clock);
  const dates = (said: string) => openTimeReader(said, clock.dateOrder);
  return readUnits(file.path, file.page, text, forgotten, {
    dates,
    times,
    ahead: openTimeReader(text, clock.dateOrder),
    readValidity,
    readStatement: parseStatement,
  });
}

/**
 * Matches a fact, the line end before it, and the lines that continue it. The pattern begins with a line end, because a
 * line end is found faster than the start of a line.
 */
const KIND = `[${KIND_LETTERS}${KIND_LETTERS.toLowerCase()}]`;
const FACT = new RegExp(
  String.raw`[\n\r\u2028\u2029][ \t>]*(?:[-*+]|\d+[.)])[ \t]+${KIND}[ (:：@＠\t].*(?:\n[ \t]+[^\s*+-].*)*`,
  'g',
);

/**
 * Finds the times in the facts of a page. Only the facts are parsed, because times count only there and few pages consist of
 * facts alone.
 */
async function timesOfPage({ role }: Page, text: string, { dateOrder }: Pick<Clock, 'dateOrder'>): Promise<TimeReader> {
  if (!mayHaveFacts(role)) return NO_TIME_READER;
  const facts = `\n${text}`.match(FACT);
  return facts === null ? NO_TIME_READER : openTimeReader(facts.map((fact) => fact.slice(1)).join('\n'), dateOrder);
}
