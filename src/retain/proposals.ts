import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { parseDay } from '../language/time/calendar.js';
import { splitLines } from '../markdown/lines.js';
import { isTransientFile, mayWritePage } from '../memory/pages.js';
import {
  applyPageChange,
  editOfProposal,
  findLineWithText,
  formatListItem,
  formatProposal,
  isTextOnPage,
  type KnownProposal,
  markProposal,
  type Proposal,
  type ProposalItem,
  type ProposalState,
  parseProposals,
  proposalId,
} from '../memory/proposals.js';
import { decodeBytes, dominantLineEnd } from '../text/bytes.js';
import { redactSecrets } from '../text/redact.js';
import { editPage, type FileChange, readPageText, writeAllChanges } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { namesIn, readVersion } from '../workspace/files.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { refuseConflictCopy } from '../workspace/readable.js';
import { type CoreContext, findCoreFile, refuseForgotten, writeCore } from './core.js';

export const PROPOSALS_FOLDER = 'bank/proposals';
/** Page that keeps the lines moved out of the core, so that recall finds them. */
const MOVED_PAGE = 'memory/topics/moved-from-core.md';

/** A proposal that waits for a person. */
export interface WaitingProposal {
  /**
   * Position among the waiting proposals, from 1, the oldest first. The number changes when an earlier proposal is
   * accepted or rejected. The id never changes.
   */
  readonly number: number;
  readonly id: string;
  readonly state: Extract<ProposalState, 'open' | 'ticked'>;
  readonly proposal: Proposal;
  /** Citation of the proposal: `bank/proposals/2026-01-02.md#L5`. */
  readonly source: string;
}

interface ProposalList {
  readonly waiting: readonly WaitingProposal[];
  /** A message for each item that can't be read. */
  readonly warnings: readonly string[];
}

interface SettledProposal {
  readonly id: string;
  readonly proposal: Proposal;
  readonly settled: 'accepted' | 'rejected';
  readonly changes: readonly FileChange[];
}

/**
 * Adds proposals to today's page under the writer lock. Skips a proposal that is already on a page of proposals,
 * whether it waits, was accepted or was rejected. Also skips a proposal whose result is already in the core file.
 * Redacts secrets.
 * @returns the change of the page; before and after are equal if nothing was new
 */
export async function addProposals(context: WorkspaceContext, proposals: readonly Proposal[]): Promise<FileChange> {
  return runWithLock({ ...context, command: 'proposals' }, () => writeProposals(context, proposals));
}

/** As {@link addProposals}, for a caller that holds the writer lock or only wants a preview (`dryRun`). */
export function writeProposals(
  { root, clock }: Pick<WorkspaceContext, 'root' | 'clock'>,
  proposals: readonly Proposal[],
  dryRun = false,
): FileChange {
  const day = today(clock);
  const addTo = (before: string | null): string | null => {
    const lines = newLines(root, proposals);
    const head = `# Proposals of ${day}\n\nTo accept one: openclaw memory core accept. To reject one: core reject, or [-].\n\n`;
    return lines.length === 0 ? before : withItems(before?.trim() ? before : head, lines);
  };
  return editPage(root, `${PROPOSALS_FOLDER}/${day}.md`, addTo, dryRun);
}

function newLines(root: string, proposals: readonly Proposal[]): readonly string[] {
  const known = new Set(readPages(root).flatMap(({ items }) => items.map(({ id }) => id)));
  const core = readText(root, findCoreFile(root).path) ?? '';
  const lines: string[] = [];
  for (const proposal of proposals.map(redacted)) {
    const id = proposalId(proposal);
    if (known.has(id) || isApplied(core, proposal)) continue;
    known.add(id);
    lines.push(formatProposal(proposal));
  }
  return lines;
}

/** All proposals on pages of proposals, with the day of the page, whatever became of them. */
export function readAllProposals(root: string): readonly KnownProposal[] {
  return readPages(root).flatMap(({ path, items }) =>
    items.map(({ proposal, state }) => ({
      proposal,
      day: parseDay(path.slice(PROPOSALS_FOLDER.length + 1, -'.md'.length)),
      isWaiting: state === 'open' || state === 'ticked',
    })),
  );
}

/** Whether the core already contains the result of the proposal. */
function isApplied(core: string, proposal: Proposal): boolean {
  return proposal.action !== 'change' && editOfProposal(core, proposal) === 'applied';
}

function redacted(proposal: Proposal): Proposal {
  const clean = (text: string): string => redactSecrets(text).text;
  return { ...proposal, reason: clean(proposal.reason), text: clean(proposal.text) };
}

/** The proposals of a workspace, for the person who accepts or rejects them. */
export class Proposals {
  constructor(private readonly context: CoreContext) {}

  /**
   * The waiting proposals, oldest page first.
   * @example
   * const { waiting } = proposals.list();
   * waiting[0]?.proposal.text; // => 'Peter lives in Vienna.'
   */
  list(): ProposalList {
    return listProposals(this.context.root);
  }

  /**
   * Makes the change in the core file, within its budget, and ticks the box of the proposal on every page that has it. A
   * line that leaves the core or is shortened is copied in full to `memory/topics/moved-from-core.md`.
   * @param which number or id
   * @throws MemoryError `not_found`, and as `changeCore` does
   * @example
   * const { settled } = await proposals.accept('1');
   * (await memory.core()).text.includes('Peter lives in Vienna.'); // => true
   */
  accept(which: string, dryRun = false): Promise<SettledProposal> {
    const { root } = this.context;
    return this.settle(which, dryRun, 'accepted', (item) => {
      const proposal = redacted(item);
      if (proposal.action === 'change') {
        refuseForgotten(root, proposal.text);
        const change = changeOf(root, proposal);
        if (!dryRun) writeAllChanges(root, this.context.stateFolder, [change]);
        return [change];
      }
      // Write the core first: after a crash in between, accepting again only ticks the box.
      const { path } = findCoreFile(root);
      const kept = keepLeaving(root, path, proposal, dryRun);
      return [...kept, writeCore(this.context, path, (core) => editOfProposal(core, proposal), dryRun)];
    });
  }

  /**
   * Marks a proposal as rejected on every page that has it, so that it is not made again.
   * @param which number or id
   * @throws MemoryError `not_found`, `busy`, `interrupted`
   * @example
   * await proposals.reject('1');
   * proposals.list().waiting; // => []
   */
  reject(which: string, dryRun = false): Promise<SettledProposal> {
    return this.settle(which, dryRun, 'rejected', () => []);
  }

  private async settle(
    which: string,
    dryRun: boolean,
    settled: SettledProposal['settled'],
    apply: (proposal: Proposal) => readonly FileChange[],
  ): Promise<SettledProposal> {
    const { root, clock } = this.context;
    return runWithLock({ ...this.context, command: 'core', dryRun }, () => {
      const { id, proposal } = findItem(root, which);
      const applied = apply(proposal);
      const as = settled === 'rejected' ? settled : { accepted: today(clock) };
      const pages = readPages(root).filter(({ items }) => items.some((item) => item.id === id));
      const mark = (page: string | null): string | null => {
        const lines = parseProposals(page ?? '').items.filter((item) => item.id === id);
        return page && lines.reduce((marked, { line }) => markProposal(marked, line, as), page);
      };
      const marked = pages.map(({ path }) => editPage(root, path, mark, dryRun));
      return { id, proposal, settled, changes: [...applied, ...marked] };
    });
  }
}

/**
 * The waiting proposals, oldest page first. If one page shows a proposal as accepted or rejected, it does not wait on any
 * other page.
 */
export function listProposals(root: string): ProposalList {
  const core = readText(root, findCoreFile(root).path) ?? '';
  const pages = readPages(root);
  const all = pages.flatMap(({ path, items }) => items.map((item) => ({ ...item, path })));
  const seen = new Set(all.filter(({ state }) => state === 'accepted' || state === 'rejected').map(({ id }) => id));
  const waiting: WaitingProposal[] = [];
  for (const { id, state, proposal, path, line } of all) {
    if (state === 'accepted' || state === 'rejected' || seen.has(id)) continue;
    seen.add(id);
    if (state === 'ticked' && isApplied(core, proposal)) continue;
    waiting.push({ number: waiting.length + 1, id, state, proposal, source: `${path}#L${line}` });
  }
  const warnings = pages.flatMap(({ path, unreadable }) =>
    unreadable.map(({ line, reason }) => `${path}#L${line} is not a valid proposal: ${reason}`),
  );
  return { waiting, warnings };
}

/**
 * The change of a page that a proposal makes.
 * @throws MemoryError `conflict` if the page does not have these lines any more
 */
function changeOf(root: string, proposal: Extract<Proposal, { action: 'change' }>): FileChange {
  const { page: path } = proposal;
  if (!mayWritePage(path)) fail('refused', `${path} is not a page of this memory`, 'edit the file by hand');
  refuseConflictCopy(root, path);
  const before = readPageText(root, path);
  const after = applyPageChange(before, proposal);
  const hint = 'change the page by hand, then reject the proposal';
  if (after === undefined)
    return fail('conflict', `${path} does not have these lines, or has them more than once`, hint);
  return { path, before, after };
}

/** Finds a proposal by its number among the waiting ones, or by its id, even if a person has settled it by hand. */
function findItem(root: string, which: string): ProposalItem {
  const hint = 'list them: openclaw memory core proposals';
  const { waiting } = listProposals(root);
  const id = /^\d+$/.test(which) ? waiting[Number(which) - 1]?.id : which;
  if (id === undefined) return fail('not_found', `there is no proposal ${which}; ${waiting.length} are waiting`, hint);
  const found = readPages(root)
    .flatMap(({ items }) => items)
    .find((item) => item.id === id);
  return found ?? fail('not_found', `there is no proposal with the id ${which}`, hint);
}

/**
 * Copies a line of the core to {@link MOVED_PAGE} before a proposal removes or shortens it. Always copies the whole line.
 * Does nothing if an earlier run has copied it.
 */
function keepLeaving(root: string, corePath: string, proposal: CoreProposal, dryRun: boolean): readonly FileChange[] {
  if (proposal.action === 'add') return [];
  const core = readText(root, corePath) ?? '';
  const old = proposal.action === 'shorten' ? proposal.old : undefined;
  const line = old === undefined ? undefined : splitLines(core).lines.find((one) => one.includes(old));
  const text = line ?? old ?? proposal.text;
  const keep = (before: string | null): string | null => {
    const page = before ?? '# Moved from the core\n\n';
    if (!core.includes(text) || isTextOnPage(page, text)) return before;
    const end = dominantLineEnd(page);
    return withItems(page, [formatListItem(findLineWithText(core, text)).replace(/\r\n?|\n/g, end)]);
  };
  return [editPage(root, MOVED_PAGE, keep, dryRun)];
}

/** Appends lines to a page. */
function withItems(page: string, lines: readonly string[]): string {
  const end = dominantLineEnd(page);
  return `${page}${/[\r\n]$/.test(page) ? '' : end}${lines.join(end)}${end}`;
}

type CoreProposal = Exclude<Proposal, { action: 'change' }>;

/** All pages of proposals, oldest first. */
function readPages(root: string) {
  const names = namesIn(join(root, PROPOSALS_FOLDER)).filter((name) => name.endsWith('.md') && !isTransientFile(name));
  return names.sort().map((name) => {
    const path = `${PROPOSALS_FOLDER}/${name}`;
    return { path, ...parseProposals(readText(root, path) ?? '') };
  });
}

function readText(root: string, path: string): string | undefined {
  const version = readVersion(join(root, path));
  return version === undefined ? undefined : decodeBytes(version.bytes);
}
