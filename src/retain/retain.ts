import { join, posix } from 'node:path';
import type { Day } from '../base/clock.js';
import { err, type Failure, fail, ok, type Result, toFailure } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { list, type ReportFields, type ReportOf } from '../base/report.js';
import { DRY_RUN_FIELD, type RequestFields, type RequestOf } from '../base/request.js';
import { readForgotten } from '../index/forgotten-page.js';
import { addDays, isDay } from '../language/time/calendar.js';
import {
  type Bullet,
  type FactKindName,
  findRestOfEntityName,
  formatBullet,
  hintAboutLongerName,
  KIND_LETTERS,
  kindName,
  parseBullet,
} from '../markdown/bullet.js';
import { DEFAULT_CONFIDENCE, factId } from '../memory/fact.js';
import { pageOfPath } from '../memory/pages.js';
import { decodeBytes, decodeReadableText, encodeBytes, encodeLikePage } from '../text/bytes.js';
import { redactSecrets } from '../text/redact.js';
import { INJECTED_REMOVED_WARNING, stripInjected } from '../text/strip.js';
import type { FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import {
  appendToFile,
  type FileVersion,
  findPathOnDisk,
  MAX_TEXT_FILE_BYTES,
  namesIn,
  readVersion,
  replaceFile,
  resolveContainedPath,
} from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import {
  refuseConflictCopy,
  refuseUnreadPage,
  type UnreadReason,
  whyNotRead,
  whyPageMayNotGrow,
} from '../workspace/readable.js';
import { insertFacts } from './insert.js';
import { factsOfPage, type KnownFact, SimilarFactFinder } from './near-duplicate.js';
import { LogsOfOtherDays } from './saved-before.js';
import { revokeTombstones } from './tombstones.js';

export const RETAIN_REQUEST = {
  facts: {
    type: 'list',
    of: { type: 'text' },
    required: true,
    place: 'words?',
    instead: ['fact', 'text'],
    doc: 'facts: KIND [@Entity …]: text',
  },
  file: {
    type: 'text',
    isNeverEmpty: true,
    value: 'page',
    doc: 'write to this page, for example memory/topics/redis.md',
  },
  dryRun: DRY_RUN_FIELD,
  force: { type: 'boolean', doc: 'also write forgotten facts, and remember them again' },
} as const satisfies RequestFields;

export type RetainRequest = RequestOf<typeof RETAIN_REQUEST>;

export interface StaleSourceOption {
  /**
   * Returns true if a statement was forgotten after the source of the facts was read. In that case nothing is written,
   * because the facts may come from a forgotten line. Called under the writer lock.
   */
  readonly isStale?: (() => boolean) | undefined;
}

/**
 * A request that was checked, with further options. Only the program itself sets these options, never a caller of the
 * library.
 */
interface RetainOrder extends RetainRequest, StaleSourceOption {
  /** If true, facts that the log of another day already has are not written. */
  readonly isOnceInAllLogs?: boolean;
  /** If the log of the day is not readable, write to another log of that day and add a warning. */
  readonly elsewhere?: boolean;
}

export const RETAIN_REPORT = {
  retained: list<RetainedFact>(),
  skipped: list<SkippedFact>(),
  warnings: list(),
  /** The page before and after; empty if nothing was new. */
  changes: list<FileChange>(),
} satisfies ReportFields;

export type RetainReport = ReportOf<typeof RETAIN_REPORT>;

/** Number of days before today that are searched for near-duplicates. */
const NEAR_DUPLICATE_DAYS = 30;

const NOTHING: RetainReport = { retained: [], skipped: [], warnings: [], changes: [] };

interface RetainedFact {
  readonly id: string;
  readonly kind: FactKindName;
  readonly entities: readonly string[];
  readonly content: string;
  /** Citation of the written fact: `memory/2025-11-27.md#L14`. */
  readonly source: string;
  readonly nearDuplicateOf?: string;
  /** The text of that fact. */
  readonly nearText?: string;
  /** Only for opinions. */
  readonly confidence?: number;
}

interface SkippedFact {
  readonly text: string;
  readonly reason: string;
  /** True if the fact is written already, so that nothing is lost by skipping it. */
  readonly duplicate: boolean;
}

/**
 * Appends facts to the daily log (or a named page) and returns once the bytes are on disk. Skips a fact that the page
 * already has, so that retaining twice changes nothing. Holds the writer lock while it reads and writes.
 * @throws MemoryError `usage` for a page that may not hold facts, `busy`, and file system errors
 */
export async function retain(context: WorkspaceContext, request: RetainOrder): Promise<RetainReport> {
  const path = findPathOnDisk(context.root, targetPage(request.file, today(context.clock)));
  refuseConflictCopy(context.root, path);
  if (request.dryRun) return planReadable(context, request, path).report;
  const taken: FileChange[] = [];
  return runWithLock({ ...context, command: 'retain' }, () => {
    if (request.isStale?.() === true) return NOTHING;
    for (let attempt = 0; attempt < 20; attempt++) {
      const { full, version, report, appended, after, remembered } = planReadable(context, request, path);
      // Revoke the tombstones first: a fact that is still forgotten would not be found.
      if (remembered.length > 0) taken.push(revokeTombstones(context.root, remembered, today(context.clock)));
      if (report.retained.length === 0 || write(full, version, appended, after))
        return { ...report, changes: [...taken, ...report.changes] };
    }
    return fail('conflict', `${path} is being changed by another program`, 'try again when it is done');
  });
}

function write(full: string, version: FileVersion | undefined, appended: Buffer | null, after: Buffer): boolean {
  return version !== undefined && appended !== null
    ? appendToFile(full, version, appended)
    : replaceFile(full, version, after);
}

/**
 * Plans what to write, and on which page. The index must be able to read the page after the write. The requested page
 * is tried first. If the request allows it (`elsewhere`), other logs of the same day are tried next.
 * @throws MemoryError `refused` if there is no such page, with the reason that the requested page is not read
 */
function planReadable(context: WorkspaceContext, request: RetainOrder, meant: string) {
  const others = request.elsewhere === true ? otherLogs(meant) : [];
  let why: UnreadReason | undefined;
  for (const path of [meant, ...others]) {
    const full = resolveContainedPath(context.root, path);
    const version = readVersion(full);
    const unread = whyNotRead(context, path, version?.bytes);
    const planned = unread === undefined ? planBytes(context, request, path, version) : undefined;
    const isTooLarge = planned && whyPageMayNotGrow(version?.bytes.length ?? 0, planned.after.length);
    why ??= unread ?? isTooLarge;
    if (planned === undefined || isTooLarge !== undefined) continue;
    if (path === meant || why === undefined) return { ...planned, full, version };
    const warnings = [
      ...planned.report.warnings,
      `${meant} ${why.reason}; the fact was written to ${path}; ${why.hint}`,
    ];
    return { ...planned, report: { ...planned.report, warnings }, full, version };
  }
  return refuseUnreadPage(meant, why ?? { reason: 'is not read', hint: 'use another page' });
}

/** Other file names that count as the log of the same day, for example `journals/2025-11-27.md`. */
function otherLogs(path: string): readonly string[] {
  const day = pageOfPath(path)?.day ?? null;
  if (day === null) return [];
  const [year] = day.split('-');
  const names = [`memory/${day.replaceAll('-', '_')}`, `memory/${day.replaceAll('-', '')}`];
  return [...names, `memory/${year}/${day}`, `journals/${day}`].map((name) => `${name}.md`);
}

function planBytes(context: WorkspaceContext, request: RetainOrder, path: string, version: FileVersion | undefined) {
  const { appended, after, before, ...planned } = plan(context, request, path, version);
  return {
    ...planned,
    appended: appended === null ? null : encodeLikePage(before ?? '', appended),
    after: encodeBytes(after ?? before ?? ''),
  };
}

function targetPage(file: string | undefined, day: Day): string {
  if (file === undefined) return `memory/${day}.md`;
  const written = file.replaceAll('\\', '/');
  const path = posix.normalize(written);
  const page = written.split('/').includes('..') ? undefined : pageOfPath(path);
  const date = /^memory\/(\d{4}-\d\d-\d\d)[^/]*$/.exec(path)?.[1];
  if (date !== undefined && !isDay(date)) fail('usage', `there is no day ${date}`, 'use a date that exists');
  if (page?.role === 'daily' || page?.role === 'topic') return path;
  const message = `facts can't be saved in ${file}`;
  return fail('usage', message, 'use a page such as memory/topics/redis.md, or leave out --file');
}

function plan(context: WorkspaceContext, request: RetainOrder, path: string, version: FileVersion | undefined) {
  // A page that is not valid UTF-8 keeps its bytes, even if it is rewritten as a whole.
  const before = version === undefined ? undefined : decodeBytes(version.bytes);
  const day = pageOfPath(path)?.day ?? null;
  const onPage = factsOfPage(path, before ?? '');
  const existing = new Set(onPage.map(({ id }) => id));
  const forgotten = readForgotten(context.root);
  const retained: Omit<RetainedFact, 'source'>[] = [];
  const lines: string[] = [];
  const skipped: SkippedFact[] = [];
  /** Nonces of the tombstones to revoke: they cover forgotten facts that the request writes again with `force`. */
  const remembered: string[] = [];
  const warnings = new Set<string>();
  const known = new SimilarFactFinder([...onPage, ...recentFacts(context, NEAR_DUPLICATE_DAYS, warnings)]);
  const copyOf = copiesFor(context, request, day, existing);
  const given = request.facts.map(stripInjected);
  if (given.some((text, i) => text !== request.facts[i])) warnings.add(INJECTED_REMOVED_WARNING);
  for (const text of given.flatMap(separateFacts)) {
    const read = readNewFact(text);
    if (!read.ok) {
      skipped.push({ text, reason: read.error.message, duplicate: false });
      continue;
    }
    const { bullet } = read.value;
    const { entities } = bullet;
    for (const warning of [...read.value.warnings, ...hintOf(bullet)]) warnings.add(warning);
    const nonce = forgotten.nonceOf(bullet);
    const id = factId({ kind: bullet.kind, entities, text: bullet.text, day });
    const refused = refusal(copyOf(id, bullet), nonce !== undefined && !request.force);
    if (refused !== undefined) {
      skipped.push({ text, ...refused });
      continue;
    }
    if (nonce !== undefined) remembered.push(nonce);
    const fact = { id, entities, text: bullet.text };
    const near = known.near(fact);
    existing.add(id);
    known.add(fact);
    lines.push(factLine(bullet));
    retained.push(retainedFact(id, bullet, near));
  }
  const inserted = lines.length === 0 ? undefined : insertFacts(before, day ?? posix.basename(path, '.md'), lines);
  const report: RetainReport = {
    retained: retained.map((fact, i) => ({ ...fact, source: `${path}#L${(inserted?.firstLine ?? 0) + i}` })),
    skipped,
    warnings: [...warnings],
    changes: inserted === undefined ? [] : [{ path, before: before ?? null, after: inserted.text }],
  };
  // `appended` is the text to append if the page only grows at its end.
  return { report, before, appended: inserted?.appended ?? null, after: inserted?.text, remembered };
}

/**
 * Returns a function that finds the id of a copy of a statement on its page or, if requested, in the logs of other
 * days.
 */
function copiesFor(
  context: WorkspaceContext,
  { isOnceInAllLogs }: RetainOrder,
  day: Day | null,
  onPage: ReadonlySet<string>,
): (id: string, bullet: Bullet) => string | undefined {
  const others = isOnceInAllLogs && day !== null ? new LogsOfOtherDays(context, day) : undefined;
  return (id, bullet) => (onPage.has(id) ? id : others?.copyOf(bullet));
}

function retainedFact(id: string, bullet: Bullet, near: KnownFact | undefined): Omit<RetainedFact, 'source'> {
  const { entities, statement: content } = bullet;
  const beside = near && { nearDuplicateOf: near.id, nearText: near.text };
  const sure = bullet.kind === 'O' && { confidence: bullet.confidence ?? DEFAULT_CONFIDENCE };
  return { id, kind: kindName(bullet.kind), entities, content, ...beside, ...sure };
}

/** Why a valid fact is not written; undefined if nothing prevents it. */
function refusal(saved: string | undefined, isForgotten: boolean): Omit<SkippedFact, 'text'> | undefined {
  if (isForgotten) return { reason: 'was forgotten before; save it anyway with --force', duplicate: false };
  return saved === undefined ? undefined : { reason: `is already saved as ${saved}`, duplicate: true };
}

function hintOf({ entities, statement }: Bullet): readonly string[] {
  return [hintAboutLongerName(entities[0], statement) ?? []].flat();
}

// `retain` writes no block id: an id in the given text could be the id of another fact.
function factLine(bullet: Bullet): string {
  // For `@Anna Schmidt: is our tax adviser`, write the statement as it was typed. {@link formatBullet} would write `@Anna:
  // Schmidt: is …`, which makes `Schmidt` a part of the text.
  if (findRestOfEntityName(bullet.entities[0], bullet.statement) !== undefined)
    return formatBullet({ ...bullet, entities: [], text: 'x', blockId: null }).replace(
      /: x|x/u,
      () => bullet.statement,
    );
  return formatBullet({ ...bullet, blockId: null });
}

/**
 * The facts of the last days' logs, read from the files, because retain needs no index. An unreadable log adds a
 * warning and does not stop the retain.
 */
function recentFacts({ root, clock }: WorkspaceContext, days: number, warnings: Set<string>): KnownFact[] {
  const now = today(clock);
  const since = addDays(now, -days);
  const facts: KnownFact[] = [];
  for (const name of namesIn(join(root, 'memory')).toSorted().reverse()) {
    const path = `memory/${name}`;
    const page = pageOfPath(path);
    if (page?.role !== 'daily' || page.day === null || page.day < since || page.day > now) continue;
    try {
      const { bytes = Buffer.alloc(0) } = readVersion(join(root, path), MAX_TEXT_FILE_BYTES) ?? {};
      addAll(facts, factsOfPage(path, decodeReadableText(bytes)));
    } catch (error) {
      const { type, message } = toFailure(error);
      if (type === 'internal') throw error;
      warnings.add(`${message}, so it was not searched for a similar fact`);
    }
  }
  return facts;
}

/** A checked new fact: one typed line without control characters and secrets. */
interface NewFact {
  readonly bullet: Bullet;
  readonly warnings: readonly string[];
}

/** Maximum length of a fact in characters; a longer text is a document. */
const MAX_FACT_CHARS = 8_000;

/**
 * Parses a fact to retain: `[- ]KIND[(c=0.8)] [@Entity …][:] text`. Folds line breaks; without a kind it is an
 * observation (S). Pure.
 */
function readNewFact(input: string): Result<NewFact> {
  const folded = input
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim()
    .replace(/^[-*+] (?=\S)/, '');
  if (folded === '') return refuse('there is no fact', 'write the fact as text: openclaw memory retain "W @Peter: …"');
  if (CONTROL.test(folded)) return refuse('the text has control characters', 'remove them');
  if (folded.length > MAX_FACT_CHARS) {
    return refuse(
      `the text has ${folded.length} characters, more than ${MAX_FACT_CHARS}`,
      'put the document into resources/, and retain one sentence about it',
    );
  }
  const { text, found } = redactSecrets(folded);
  const warnings = found.map(({ kind }) => `a secret (${kind}) was replaced by a placeholder`);
  const parsed = parseBullet(text);
  if (parsed.type === 'fact') return ok({ bullet: parsed.bullet, warnings });
  if (parsed.type === 'malformed')
    return refuse(
      `"${clip(text)}" is not a valid fact: ${parsed.reason}`,
      'write KIND @Entity: text, for example W @Peter: lives in Vienna',
    );
  const untyped = parseBullet(`S ${text}`);
  if (untyped.type !== 'fact')
    return refuse(`"${clip(text)}" has no text`, 'write KIND @Entity: text, for example W @Peter: lives in Vienna');
  const hint =
    'the fact has no kind, so it was saved as an observation (S); the other kinds are W (world fact), B (experience) and O (opinion)';
  return ok({ bullet: untyped.bullet, warnings: [...warnings, hint] });
}

/**
 * Splits a text of several lines into facts. A line with a kind begins a fact; other lines continue the fact before. The
 * letter at the start of a line is not always a kind: "B sides are rare" may be an ordinary line. So such a line begins a
 * fact only if every line begins with a kind letter, or if `:` or `@` follows the letter. Pure.
 */
function separateFacts(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/u).filter((line) => line.trim() !== '');
  const areFacts = lines.every((line) => parseBullet(line.replace(LIST_MARK, '')).type === 'fact');
  const facts: string[] = [];
  for (const line of lines) {
    if (facts.length === 0 || areFacts || TYPED_LINE.test(line.replace(LIST_MARK, ''))) facts.push(line);
    else facts.push(`${facts.pop()}\n${line}`);
  }
  return facts.length === 0 ? [text] : facts;
}

const LIST_MARK = /^\s*(?:[-*+] +)?/;
/** Matches a line that begins with a kind, and not just with a word of one letter. */
export const TYPED_LINE = new RegExp(
  `^[${KIND_LETTERS}](?:\\(c=[^()]{0,20}\\))?(?:\\s*[:：](?=\\s|[^\\x21-\\x7e])|\\s+[@＠])`,
);

// C0 controls (line breaks are already folded), DEL, C1 controls, and marks that reorder text on a screen.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

function refuse(message: string, hint: string): Result<never, Failure> {
  return err({ type: 'usage', message, hint });
}

function clip(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
