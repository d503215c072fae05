import type { Clock, Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import type { Search } from '../index/search.js';
import { writeProposals } from '../retain/proposals.js';
import { decodeBytes, encodeBytes } from '../text/bytes.js';
import type { FileChange } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { containedPath } from '../workspace/contained.js';
import { type FileVersion, readVersion, replaceFile } from '../workspace/files.js';
import { lock, tryLock } from '../workspace/lock.js';
import { byRules, type JudgePairs } from './examine.js';
import { readExamined, writeExamined } from './examined.js';
import { removeJournal, rollForward, writeJournal } from './journal.js';
import type { OpinionReport } from './opinions.js';
import { type Plan, planRun } from './plan.js';

export interface ReflectPlace {
  readonly root: string;
  readonly stateFolder: string;
  readonly clock: Clock;
  /** Works on an index that is up to date. */
  readonly read: <T>(use: (search: Search) => Promise<T>) => Promise<T>;
}

export interface ReflectRequest {
  /** Only facts from this day on; older ones wait for a run without it. */
  readonly since?: Day | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Who judges and who tells, when it is not the rules. */
export interface ReflectMinds {
  readonly judge: JudgePairs;
  readonly narrate: Parameters<typeof planRun>[0]['narrate'];
}

export interface ReflectReport {
  readonly run: string;
  /** Facts that were looked at. */
  readonly facts: number;
  /** Pages of entities that are brought up to date. */
  readonly entities: readonly string[];
  readonly opinions: readonly OpinionReport[];
  readonly promoted: readonly {
    readonly id: string;
    readonly statement: string;
    readonly reason: string;
    readonly source: string;
  }[];
  /** What a person may take over into the core. */
  readonly proposals: readonly string[];
  /** Generated blocks that people have edited, and where their new version went. */
  readonly conflicts: readonly { readonly path: string; readonly block: string; readonly reason: string }[];
  /** Paths. */
  readonly written: readonly string[];
  readonly changes: readonly FileChange[];
  readonly warnings: readonly string[];
}

export const RULES_ALONE: ReflectMinds = { judge: byRules, narrate: async () => [] };
const MOST_ATTEMPTS = 5;

/**
 * Turns facts into pages and lets beliefs follow the evidence. Works on all facts that no run has looked at; one run at a
 * time; what a killed run has begun is finished first.
 * @throws MemoryError `busy` when another run is on, `conflict` when a page keeps being changed meanwhile
 */
export async function reflect(
  place: ReflectPlace,
  { since, dryRun = false }: ReflectRequest,
  minds: ReflectMinds = RULES_ALONE,
): Promise<ReflectReport> {
  const { root, stateFolder, clock } = place;
  const mine = tryLock(stateFolder, { command: 'reflect', clock, name: 'reflect' });
  if (mine === undefined) fail('busy', 'another reflect is running', 'wait for it, or look at schedule --check');
  try {
    if (!dryRun) await underLock(place, () => rollForward(root, stateFolder));
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const pages = new Pages(root);
      const examined = readExamined(stateFolder);
      const plan = await place.read((search) =>
        planRun({
          ...minds,
          search,
          today: today(clock),
          now: clock.now().toISOString(),
          examined,
          since,
          readPage: (path) => pages.text(path),
        }),
      );
      if (dryRun) return report(place, plan, writeProposals(place, plan.proposals, true));
      const proposed = await underLock(place, () => write(place, plan, pages));
      if (proposed === undefined) continue;
      writeExamined(stateFolder, new Map([...examined, ...plan.seen]));
      return report(place, plan, proposed);
    }
    return fail('conflict', 'pages are being changed faster than they can be read', 'run reflect again later');
  } finally {
    mine.release();
  }
}

async function underLock<T>({ stateFolder, clock }: ReflectPlace, work: () => T): Promise<T> {
  const held = await lock(stateFolder, { command: 'reflect', clock });
  try {
    return work();
  } finally {
    held.release();
  }
}

/** Pages as they were when they were first read: what is written replaces these versions and no others. */
class Pages {
  private readonly versions = new Map<string, FileVersion | undefined>();

  constructor(private readonly root: string) {}

  text(path: string): string | null {
    const version = this.version(path);
    return version === undefined ? null : decodeBytes(version.bytes);
  }

  version(path: string): FileVersion | undefined {
    if (!this.versions.has(path)) this.versions.set(path, readVersion(containedPath(this.root, path)));
    return this.versions.get(path);
  }

  isUnchanged(path: string): boolean {
    return readVersion(containedPath(this.root, path))?.hash === this.version(path)?.hash;
  }
}

/**
 * Writes a plan whole, or, when a page is not what was planned on, nothing that matters: undefined, plan again.
 * @returns the change of the page of proposals
 */
function write(place: ReflectPlace, { changes, proposals }: Plan, pages: Pages): FileChange | undefined {
  const { root, stateFolder } = place;
  if (changes.some(({ path }) => !pages.isUnchanged(path))) return undefined;
  if (changes.length > 0) writeJournal(stateFolder, changes);
  for (const { path, after } of changes) {
    if (after !== null && !replaceFile(containedPath(root, path), pages.version(path), encodeBytes(after))) {
      removeJournal(stateFolder);
      return undefined;
    }
  }
  const proposed = writeProposals(place, proposals);
  removeJournal(stateFolder);
  return proposed;
}

function report({ clock }: ReflectPlace, plan: Plan, proposed: FileChange): ReflectReport {
  const changes = [...plan.changes, ...(proposed.before === proposed.after ? [] : [proposed])];
  return {
    run: runId(clock),
    facts: plan.facts,
    entities: plan.entities,
    opinions: plan.opinions,
    promoted: plan.promoted.map(({ fact, reason }) => ({
      id: fact.id,
      statement: fact.text,
      reason,
      source: fact.source,
    })),
    proposals: proposed.before === proposed.after ? [] : plan.proposals.map(({ text }) => text),
    conflicts: plan.edited.map(({ path, block, state }) => ({
      path,
      block,
      reason: state === 'edited' ? 'a person has edited it' : 'its end is missing',
    })),
    written: changes.map(({ path }) => path),
    changes,
    warnings: plan.warnings,
  };
}

/** `r-20260315T120000Z` */
export function runId(clock: Clock): string {
  return `r-${clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')}`;
}
