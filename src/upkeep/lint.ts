import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { addAll, compareText, groupBy } from '../base/order.js';
import { DRY_RUN_FIELD, type RequestFields, type RequestOf, readTypedRequest } from '../base/request.js';
import { MemoryTypes } from '../extract/types.js';
import { readFileContent, readOriginalBytes } from '../index/bytes.js';
import type { FreshIndex } from '../index/fresh.js';
import type { IndexSearch } from '../index/search.js';
import type { Notice } from '../index/tree.js';
import type { TreeFile } from '../index/tree-files.js';
import { splitLines } from '../markdown/lines.js';
import { scanMarkdown } from '../markdown/scan.js';
import { readEntityPage } from '../memory/entity-page.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { mayWritePage, resolveConflictCopy } from '../memory/pages.js';
import { readUnits } from '../memory/units.js';
import { type LeftoverStatement, leftoversIn } from '../retain/erase.js';
import { decodeBytes } from '../text/bytes.js';
import { editPage, type FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { readVersion, resolveContainedPath } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { findJsonLinesCopies, whyBytesAreInvalid, whyBytesAreNoText, whyTooLarge } from '../workspace/readable.js';
import { ENTITY_RULES, findTwoCurrentValues, ID_RULES } from './lint/fact-rules.js';
import { BULLET_RULES, FILE_RULES, findOddDates, findSecretsInFiles, findUnreadDates } from './lint/page-rules.js';
import type { ConflictCopy, LintInput, LintPage, LintRule, Problem } from './lint/problem.js';
import { listJsonLinesFiles } from './status.js';

export interface LintContext extends WorkspaceContext {
  readonly coreBudgetChars: number;
  /** Calls a function with an index that is up to date, and with the files that were found for it. */
  readonly read: <T>(use: (search: IndexSearch, fresh: Pick<FreshIndex, 'tree' | 'away'>) => Promise<T>) => Promise<T>;
}

const PATHS = { type: 'list', of: { type: 'text' }, place: 'words?' } as const;
export const LINT_REQUEST = {
  paths: { ...PATHS, doc: 'pages or folders of the workspace (default: all)' },
  fix: { type: 'boolean', doc: 'fix what can be fixed safely' },
  secrets: { type: 'boolean', doc: 'also look for secrets, in sessions and proposals too' },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type LintRequest = RequestOf<typeof LINT_REQUEST>;

export interface LintReport {
  /** Problems that remain after the fixes, by path and line. */
  readonly problems: readonly Problem[];
  readonly fixed: readonly Problem[];
  /** Number of checked pages. */
  readonly checked: number;
  readonly changes: readonly FileChange[];
}

const RULES: readonly LintRule[] = [
  ...BULLET_RULES,
  ...ID_RULES,
  ...ENTITY_RULES,
  findOddDates,
  findUnreadDates,
  findTwoCurrentValues,
  ...FILE_RULES,
];

/**
 * Finds problems that a person should look at. With `fix`, corrects single lines whose meaning is unambiguous. Never changes
 * prose.
 * @throws MemoryError `usage` for a missing path, `busy`, `conflict`
 */
export async function lint(context: LintContext, given: LintRequest): Promise<LintReport> {
  const request = readTypedRequest('lint', LINT_REQUEST, given);
  const { view, meant, problems } = await context.read(async (search, fresh) => {
    const found = problemsOf(readView(context, search, fresh, true), request);
    // A damaged index may lack ids. Then reported problems about ids may be wrong. So if there are such problems, check
    // again with the files alone.
    const isSure = !found.problems.some(({ rule }) => UNSURE.has(rule));
    return isSure ? found : problemsOf(readView(context, search, fresh, false), request);
  });
  const checked = view.pages.filter(({ path }) => meant(path)).length;
  // Apply fixes only to pages of the workspace, never to files in extra folders.
  const fixable = problems.filter(({ fix, path }) => fix !== undefined && mayWritePage(path));
  if (!request.fix || fixable.length === 0) return { problems, fixed: [], checked, changes: [] };
  const fixes = [...groupBy(fixable, ({ path }) => path)];
  const changes = request.dryRun ? planFixes(view, fixes) : await writeFixes(context, fixes);
  return { problems: problems.filter((problem) => !fixable.includes(problem)), fixed: fixable, checked, changes };
}

const UNSURE: ReadonlySet<string> = new Set(['dangling-evidence', 'dangling-id', 'shared-id']);

function problemsOf(view: LintInput, { paths = [], secrets: withSecrets }: LintRequest) {
  const meant = scope(view, paths);
  return { view, meant, problems: findProblems(view, withSecrets === true).filter(({ path }) => meant(path)) };
}

function findProblems(view: LintInput, withSecrets: boolean): readonly Problem[] {
  const problems = RULES.flatMap((rule) => [...rule(view)]);
  if (withSecrets) addAll(problems, findSecretsInFiles(view));
  return problems.sort((a, b) => compareText(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0));
}

function readView(
  { root, clock, coreBudgetChars }: LintContext,
  search: IndexSearch,
  { tree, away }: Pick<FreshIndex, 'tree' | 'away'>,
  byIndex: boolean,
): LintInput {
  const notices: Notice[] = [...tree.notices];
  const pages: LintPage[] = [];
  const copies: ConflictCopy[] = [];
  const standing: LeftoverStatement[] = [];
  for (const { path, page: named, bytes, original } of listReadablePages(root, tree.files, notices)) {
    const { page, text } = resolveConflictCopy(named, decodeBytes(bytes), original && decodeBytes(original));
    if (page === null) continue;
    if (page.role === 'copy') {
      copies.push({ path, of: page.copy?.of ?? null, lines: readUnits(path, page, text, tree.forgotten).units });
      const asPage = page.copy?.otherwise ?? page;
      standing.push(...leftoversIn(path, readUnits(path, asPage, text).units, tree.forgotten));
      continue;
    }
    const scan = scanMarkdown(text);
    // Search for forgotten statements also in folders that are only read.
    if (tree.forgotten.size > 0) addAll(standing, leftoversIn(path, readUnits(path, page, text).units, tree.forgotten));
    const file = byIndex ? search.file(path) : undefined;
    const facts =
      file === undefined
        ? readUnits(path, page, text, tree.forgotten).units.filter(({ fact }) => fact !== null)
        : search.factsIn(file.firstUnit, file.lastUnit);
    pages.push({ path, page, text, scan, facts, entity: page.role === 'entity' ? readEntityPage(path, scan) : null });
  }
  addAll(copies, findJsonLinesCopies(root, listJsonLinesFiles(root)));
  const evidence = evidenceOf(root, notices);
  const brokenTypes = MemoryTypes.broken(root);
  const entities = search.entities();
  const stating = pages.filter(({ page }) => page.role === 'daily' || page.role === 'topic');
  const stated = new Set(stating.flatMap(({ facts }) => facts.flatMap(({ fact }) => fact ?? [])));
  const of = { root, today: today(clock), coreBudgetChars };
  return { ...of, away, pages, copies, search, entities, stated, notices, standing, evidence, brokenTypes };
}

function evidenceOf(root: string, notices: readonly Notice[]): string {
  if (notices.some(({ path }) => path === EVIDENCE_PATH)) return '';
  return readVersion(join(root, EVIDENCE_PATH))?.bytes.toString('utf8') ?? '';
}

function scope({ pages, copies, notices, brokenTypes }: LintInput, paths: readonly string[]) {
  const wanted = paths.map((path) =>
    path.normalize('NFC').replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, ''),
  );
  // Compare in one Unicode form: a shell or a keyboard may type accents in another form than the file has.
  const isUnder = (path: string, wish: string) => {
    const form = path.normalize('NFC');
    return wish === '' || wish === '.' || form === wish || form.startsWith(`${wish}/`);
  };
  for (const wish of wanted) {
    if (![...pages, ...copies, ...notices, ...brokenTypes].some(({ path }) => isUnder(path, wish))) {
      const message = `${wish} is not a page or folder of this workspace`;
      return fail('usage', message, 'write the path as in a citation, for example memory/2025-11-27.md');
    }
  }
  return (path: string) => wanted.length === 0 || wanted.some((wish) => isUnder(path, wish));
}

/** Problems that have a fix, grouped by page. */
type Fixes = readonly (readonly [path: string, fixes: readonly Problem[]])[];

function planFixes({ pages }: LintInput, all: Fixes): readonly FileChange[] {
  return all.map(([path, fixes]) => {
    const before = pages.find((page) => page.path === path)?.text ?? '';
    return { path, before, after: mendLines(before, before, fixes) };
  });
}

async function writeFixes(context: LintContext, all: Fixes): Promise<readonly FileChange[]> {
  return runWithLock({ ...context, command: 'lint' }, () =>
    all.map(([path, fixes]) => {
      const seen = decodeBytes(readVersion(resolveContainedPath(context.root, path))?.bytes ?? Buffer.alloc(0));
      return editPage(context.root, path, (before) => before && mendLines(before, seen, fixes));
    }),
  );
}

export type { Problem } from './lint/problem.js';

/** Yields the readable files one by one. Adds a notice for each file that can't be read completely. */
export function* listReadablePages(root: string, files: Iterable<TreeFile>, notices: Notice[]) {
  for (const file of files) {
    const { path, page } = file;
    const unread = whyTooLarge(file.size);
    const bytes = unread === undefined ? readFileContent(root, file) : Buffer.alloc(0);
    if (typeof bytes === 'string') {
      notices.push({ path, reason: bytes, isUnread: true });
      continue;
    }
    const why = unread ?? whyBytesAreNoText(bytes);
    const reason = why?.reason ?? whyBytesAreInvalid(bytes);
    if (reason !== undefined) notices.push({ path, reason, ...(why && { hint: why.hint }) });
    if (why === undefined) yield { path, page, bytes, original: readOriginalBytes(root, file) };
  }
}

/**
 * Applies the fixes of one page to the page's text. Keeps all other bytes. Skips a line that has changed since the text
 * `seen` was checked. Pure.
 */
function mendLines(text: string, seen: string, fixes: readonly Problem[]): string {
  const { lines, starts, ends } = splitLines(text);
  const before = splitLines(seen).lines;
  let mended = text;
  const done = new Set<number>();
  for (const { line, fix } of [...fixes].sort((a, b) => (b.line ?? 0) - (a.line ?? 0))) {
    if (line === null || fix === undefined || done.has(line) || lines[line - 1] !== before[line - 1]) continue;
    done.add(line);
    mended = mended.slice(0, starts[line - 1]) + fix + mended.slice(ends[line - 1]);
  }
  return mended;
}
