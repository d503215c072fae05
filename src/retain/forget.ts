import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { compareText } from '../base/order.js';
import { list, type ReportFields, type ReportOf, text } from '../base/report.js';
import { DRY_RUN_FIELD, type RequestFields, type RequestOf } from '../base/request.js';
import { resolveId } from '../index/query/ids.js';
import type { FoundUnit, IndexSearch } from '../index/search.js';
import { type FileTree, readFileTree } from '../index/tree.js';
import { fileState } from '../index/tree-files.js';
import { type Forgettable, statementForms } from '../memory/forgotten.js';
import { mayWritePage } from '../memory/pages.js';
import { decodeReadableText } from '../text/bytes.js';
import { buildSearchPhrase } from '../text/search-text.js';
import { editPage, type FileChange, readPageText } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { namesIn, readVersion } from '../workspace/files.js';
import { isInGit } from '../workspace/locate.js';
import { runWithLock, takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import type { Run } from '../workspace/runs.js';
import { readEntry, removeTexts, storeEntries } from '../workspace/state.js';
import { findLeftovers, planErasure, readForgettableStatement } from './erase.js';
import { PROPOSALS_FOLDER } from './proposals.js';
import { FORGET, forgottenComment, newNonce, type UndoCopy, writeTombstones } from './tombstones.js';

interface ForgetContext extends WorkspaceContext {
  /**
   * Removes copies of the forgotten texts that other commands have stored or generated from the erased pages. Returns the
   * changes that it made in the workspace. Called under the writer lock.
   */
  readonly dropCopies?:
    | ((texts: readonly string[], erased: readonly FileChange[]) => readonly FileChange[])
    | undefined;
}

export const FORGET_REQUEST = {
  id: { type: 'text', required: true, place: 'argument', doc: 'id of a fact or line, or its source' },
  dryRun: DRY_RUN_FIELD,
  copy: {
    type: 'boolean',
    default: true,
    doc: 'keep a copy on this machine, so that you can undo this (default true)',
    without: 'keep no copy for --undo; use this for a secret',
  },
} as const satisfies RequestFields;

export type ForgetRequest = RequestOf<typeof FORGET_REQUEST>;

export const FORGET_REPORT = {
  id: text(),
  content: text(),
  /** Places from which the statement was removed. */
  erased: list(),
  /** Places that were not changed and still have the same text as the statement. */
  remaining: list<RemainingCopy>(),
  changes: list<FileChange>(),
} satisfies ReportFields;

export type ForgetReport = ReportOf<typeof FORGET_REPORT>;

const ERASE_AGAIN = 'the statement is forgotten; run forget again to remove it from the page, too';

/** Maximum number of search hits for one statement or id. */
const MOST_COPIES = 2_000;

/**
 * Forgets a statement. Writes a tombstone first, so that the statement is gone even if the process dies next. Then a
 * comment replaces every line that consists only of this statement. Lines that were generated from the statement are
 * removed. Other places that contain the text of the statement are reported and not changed.
 * @throws MemoryError `not_found`, `busy`, `conflict`
 */
export async function forget(
  context: ForgetContext,
  search: IndexSearch,
  { files }: FileTree,
  asked: ForgetRequest,
): Promise<ForgetReport> {
  const { root } = context;
  await takeOverOldState(context);
  const asRead = new Map([...files].map((file) => [file.path, fileState(file)]));
  const id = resolveId(search, asked.id);
  const units = find(search, id);
  const conflictCopies = search.files().flatMap(({ path, role }) => (role === 'copy' ? path : []));
  const what = units.length > 0 ? stated(context, search, id, units) : standing(context, search, id);
  const { statements, ids, places } = what;
  const same = new Set(statements.map(identity));
  const isMeant = (unit: Forgettable): boolean => same.has(identity(unit));
  const planOf = (path: string, page: string) =>
    planErasure(path, page, ids, isMeant, forgottenComment(what.day, what.nonce));
  const plan = (path: string) => planOf(path, readPageText(root, path) ?? '');
  const write = (path: string, dryRun: boolean): FileChange =>
    editPage(root, path, (page) => (page === null ? null : planOf(path, page).after), dryRun, ERASE_AGAIN);
  const views = citing(search, ids).filter(isOurs);
  const paths = [...new Set([...places.map(({ path }) => path), ...views.map(({ file }) => file.path)])].sort();
  const generated = (path: string) => [...plan(path).generated].sort((a, b) => a - b).map((line) => `${path}#L${line}`);
  const goes = new Set(what.isNew ? paths.flatMap(generated) : []);
  const report = (changes: readonly FileChange[]): ForgetReport => ({
    id,
    content: what.content,
    erased: [...new Set([...places.map(({ path, line }) => `${path}#L${line}`), ...goes])],
    remaining: [
      ...what.copies.filter((source) => !goes.has(source)).map((source) => ({ source, what: 'text' as const })),
      ...copiesElsewhere(root, statements, conflictCopies),
    ],
    changes,
  });
  if (asked.dryRun) return report(paths.map((path) => write(path, true)));
  return runWithLock({ ...context, command: 'forget' }, () => {
    if (what.isNew && asked.copy !== false) {
      const removed = paths.flatMap((path) => plan(path).removed);
      const copy: UndoCopy = { day: what.day, id, removed };
      storeEntries(context.stateFolder, [{ kind: FORGET, name: what.nonce, value: { note: copy, changes: [] } }]);
    }
    const buried = what.isNew ? writeTombstones(root, statements, what.day, what.nonce) : [];
    // Another process may have written the text again after the index was read and before this lock was taken.
    const since = [...readFileTree(root, context.reads).files].filter(
      (file) => asRead.get(file.path) !== fileState(file),
    );
    const written = since.map(({ path }) => path).filter(mayWritePage);
    const erased = [...new Set([...paths, ...written])].map((path) => write(path, false)).filter(isChange(paths));
    const texts = statements.map(({ text }) => text);
    removeTexts(context.stateFolder, texts, asked.copy === false ? undefined : FORGET);
    const dropped = context.dropCopies?.(texts, erased) ?? [];
    return report([...buried, ...erased, ...dropped]);
  });
}

/**
 * Returns a function that decides whether to report a change. A page that the plan names is always reported; any other page
 * only if its text changes.
 */
function isChange(planned: readonly string[]): (change: FileChange) => boolean {
  return ({ path, before, after }) => before !== after || planned.includes(path);
}

/**
 * The plan to erase a statement that is in pages. It also erases generated lines that cite one of the erased facts. Copies
 * in other lines are reported, not changed.
 */
function stated({ clock }: ForgetContext, search: IndexSearch, id: string, units: readonly FoundUnit[]) {
  const statements = units.map(readForgettableStatement);
  const same = new Set(statements.map(identity));
  const copies = copiesOf(search, units);
  // The program never writes to extra folders: report their lines, so that the person can delete them.
  const targets = copies.filter((unit) => isOurs(unit) && same.has(identity(readForgettableStatement(unit))));
  return {
    isNew: true,
    content: units[0]?.text ?? '',
    statements,
    ids: new Set([id, ...targets.flatMap(({ fact }) => fact ?? [])]),
    places: targets.map(({ file, line }) => ({ path: file.path, line })),
    copies: copies.filter((unit) => !targets.includes(unit)).map(sourceOf),
    day: today(clock),
    nonce: newNonce(),
  };
}

function isOurs({ file }: FoundUnit): boolean {
  return mayWritePage(file.path);
}

function find(search: IndexSearch, id: string): readonly FoundUnit[] {
  if (/^[fo]-/.test(id)) return search.statements(id);
  const line = /^l-/.test(id) ? search.logLine(id) : undefined;
  return line === undefined ? [] : [line];
}

/**
 * The plan to erase a statement that is already forgotten and still stands in a page: a merge or a person brought it back,
 * or an earlier `forget` was interrupted.
 */
function standing({ root, stateFolder, clock }: ForgetContext, search: IndexSearch, id: string) {
  const places = findLeftovers(root, search).filter((one) => one.id === id);
  const [first] = places;
  if (first === undefined) {
    const hint = 'find the id with recall --json, or forget by text: --query "…"';
    return fail('not_found', `there is no statement with the id ${id}`, hint);
  }
  const { content, nonce } = first;
  const day = readEntry<Run<UndoCopy>>(stateFolder, FORGET, nonce)?.note?.day ?? today(clock);
  const statements = places.map(({ statement }) => statement);
  return { isNew: false, content, statements, ids: new Set([id]), places, copies: [], day, nonce };
}

/** A key that is equal for all statements that one tombstone covers. */
function identity(statement: Forgettable): string {
  return statementForms(statement)[0] ?? '';
}

/** All lines that have the words of a statement, including the statement itself. */
function copiesOf(search: IndexSearch, units: readonly FoundUnit[]): readonly FoundUnit[] {
  const found = new Map(units.map((unit) => [unit.key, unit]));
  for (const { text } of units.map(readForgettableStatement)) {
    const phrase = buildSearchPhrase(text);
    if (phrase === undefined) continue;
    for (const { key } of search.match(phrase, { withResources: true }, MOST_COPIES)) {
      const unit = search.unit(key);
      if (unit !== undefined) found.set(key, unit);
    }
  }
  return [...found.values()].sort((a, b) => compareText(a.file.path, b.file.path) || a.line - b.line);
}

/** Lines that cite one of the statements by its id. */
function citing(search: IndexSearch, ids: ReadonlySet<string>): readonly FoundUnit[] {
  return [...ids].flatMap((id) => {
    const phrase = /^[fo]-/.test(id) ? buildSearchPhrase(id) : undefined;
    const hits = phrase === undefined ? [] : search.match(phrase, { withResources: false }, MOST_COPIES);
    return hits.flatMap(({ key }) => search.unit(key) ?? []);
  });
}

function sourceOf({ file, line }: FoundUnit): string {
  return `${file.path}#L${line}`;
}

/** A place that still contains the text of a forgotten statement, because `forget` does not change such a place. */
interface RemainingCopy {
  readonly source: string;
  readonly what: 'text' | 'session' | 'git history';
}

/**
 * Files outside of the indexed pages that may have the text of the statements. The index does not contain proposals, or the
 * lines that a conflict copy shares with its page. So these files are read.
 */
function copiesElsewhere(
  root: string,
  statements: readonly Forgettable[],
  conflictCopies: readonly string[],
): readonly RemainingCopy[] {
  const texts = statements.map(({ text }) => text);
  // Session logs store messages as JSON: search them for the text as JSON escapes it.
  const asJson = texts.map((text) => JSON.stringify(text).slice(1, -1));
  return [
    ...filesWith(root, [...proposalPages(root), ...conflictCopies], texts).map(
      (source): RemainingCopy => ({ source, what: 'text' }),
    ),
    ...filesWith(root, sessionLogs(root), asJson).map((source): RemainingCopy => ({ source, what: 'session' })),
    ...(isInGit(root) ? [{ source: 'git history', what: 'git history' as const }] : []),
  ];
}

/** Files that contain one of the texts; case is ignored. */
function filesWith(root: string, paths: readonly string[], texts: readonly string[]): readonly string[] {
  const needles = texts.map((text) => text.toLowerCase());
  return paths.filter((path) => {
    const text = decodeReadableText(readVersion(join(root, path))?.bytes ?? Buffer.alloc(0)).toLowerCase();
    return needles.some((needle) => text.includes(needle));
  });
}

function proposalPages(root: string): readonly string[] {
  return namesIn(join(root, PROPOSALS_FOLDER))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${PROPOSALS_FOLDER}/${name}`)
    .sort();
}

function sessionLogs(root: string): readonly string[] {
  const sessions = join(root, 'sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('messages.jsonl'))
    .map((path) => `sessions/${path.replaceAll('\\', '/')}`)
    .sort();
}
