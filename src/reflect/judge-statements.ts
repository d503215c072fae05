import { memoize } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import type { IndexedFile } from '../index/search.js';
import { dayOfPath } from '../language/time/calendar.js';
import { compareNewestFirst, isPartOfText, type ThreadEntry, threadEntries } from '../memory/threads/threads.js';
import type { PairVerdict, PairVerdictStore, Relation } from '../memory/threads/verdicts.js';
import type { BeliefSimilarity } from './beliefs.js';
import type { EntityStatuses, PageFactStatus } from './entity-statuses.js';
import { type FactReader, type ReflectFact, withLogDate } from './facts.js';
import type { JudgeStatementPairs, StatementJudgement, StatementPair } from './judges.js';
import { findVerdictsToJudgeAgain, statementPairsOf } from './rejudge.js';
import type { ReflectRun } from './run.js';

/** Maximum number of pairs in one prompt. */
const PAIRS_A_PROMPT = 20;
/** Maximum number of pairs to ask about in one run that come from unchanged pages. */
const MOST_OLD = 200;
/** Maximum number of such pairs to look at, because the judge may not know the language of most of them. */
const MOST_OLD_FOUND = 10 * MOST_OLD;

/**
 * Asks the judge about the pairs of statements that have no verdict: first about pairs from changed pages, then about
 * pairs from other pages, newest first. Stores the verdicts in the run's collection of verdicts. Records a page as done
 * when all its pairs have answers.
 */
export async function judgeStatements(
  run: ReflectRun,
  judge: JudgeStatementPairs,
  open: OpenPairFinder,
): Promise<void> {
  const changed = new Set(run.changed.map(({ path }) => path));
  const asking = new Asking(run, judge);
  const isWanted = await findVerdictsToJudgeAgain(run);
  for (const pair of isWanted === undefined ? [] : statementPairsOf(run, isWanted))
    await asking.add(pair.later.path, [pair]);
  const pages = pagesToJudge(run);
  const taken: IndexedFile[] = [];
  const old = { found: 0, asked: 0 };
  for (const [done, page] of pages.entries()) {
    run.onProgress?.(done, pages.length, 'logs');
    const isOld = !changed.has(page.path);
    const isEnough = old.asked >= MOST_OLD || old.found >= MOST_OLD_FOUND;
    if (asking.isOver || (isOld && !run.rejudge && isEnough)) break;
    for (const fact of statementsOfPage(run, page)) {
      const pairs = open.of(fact);
      const asked = await asking.add(page.path, pairs);
      if (isOld) {
        old.found += pairs.length;
        old.asked += asked;
      }
    }
    taken.push(page);
  }
  await asking.end();
  for (const { path, hash } of taken) if (!asking.left.has(path)) run.seen.set(buildJudgedPairsKey(path), hash);
}

/** The logs that may have pairs without a verdict: the changed ones first, then the newest. */
export function pagesToJudge({ files, changed: given, progress, since }: ReflectRun): readonly IndexedFile[] {
  const changed = new Set(given.map(({ path }) => path));
  return files
    .filter(
      ({ path, hash, role }) =>
        role === 'daily' && progress.get(buildJudgedPairsKey(path)) !== hash && isIn(path, since),
    )
    .toSorted((a, b) => Number(changed.has(b.path)) - Number(changed.has(a.path)) || (a.path < b.path ? 1 : -1));
}

/** The statements of a log, the newest first. */
export function statementsOfPage({ reader }: ReflectRun, { path }: IndexedFile): readonly ReflectFact[] {
  return reader.ofPage(path).map(withLogDate).toSorted(compareNewestFirst);
}

/** Key in the progress for the hash that a page had when all pairs of its statements had been judged. */
export function buildJudgedPairsKey(path: string): string {
  return `${path} pairs`;
}

function isIn(path: string, since: Day | undefined): boolean {
  return since === undefined || (dayOfPath(path) ?? '') >= since;
}

/** Collects pairs and passes them to a judge, as many at a time as fit into one prompt. Passes each pair once. */
class Asking {
  /** Paths of pages that have a pair without an answer. */
  readonly left = new Set<string>();
  isOver = false;
  private readonly asked = new Set<string>();
  /** Ids of the statements that an answer has ended. */
  private readonly settled = new Set<string>();
  private waiting: { readonly path: string; readonly pair: StatementPair }[] = [];

  constructor(
    private readonly run: ReflectRun,
    private readonly judge: JudgeStatementPairs,
  ) {}

  /**
   * Adds pairs to ask about. A pair in a language that the judge does not know stays open.
   * @returns number of new pairs
   */
  async add(path: string, pairs: readonly StatementPair[]): Promise<number> {
    const fresh = pairs.filter((pair) => !this.asked.has(buildStatementPairKey(pair)) && !this.isSettled(pair));
    let added = 0;
    for (const pair of fresh) {
      if ((await this.run.knows?.(pair)) === false) this.left.add(path);
      else {
        this.asked.add(buildStatementPairKey(pair));
        this.waiting.push({ path, pair });
        added++;
      }
    }
    while (this.waiting.length >= PAIRS_A_PROMPT) await this.ask();
    return added;
  }

  async end(): Promise<void> {
    while (this.waiting.length > 0) await this.ask();
  }

  private async ask(): Promise<void> {
    const some = this.waiting.slice(0, PAIRS_A_PROMPT);
    this.waiting = this.waiting.slice(PAIRS_A_PROMPT);
    // Skip a statement that another answer of this run has already ended.
    const open = some.filter(({ pair }) => !this.isSettled(pair));
    const answers = this.isOver || open.length === 0 ? [] : await this.judge(open.map(({ pair }) => pair));
    for (const [index, { path, pair }] of open.entries()) {
      const answer = answers[index];
      if (answer === undefined) this.isOver = true;
      if (answer == null) this.left.add(path);
      else this.note(pair, answer);
    }
  }

  private note({ earlier, later }: StatementPair, judgement: StatementJudgement): void {
    if (later.day === null) return;
    const { relation, proposed, over, by, digest } = judgement;
    const words = (proposed ?? relation) === 'partly' ? literally(over, earlier.text) : undefined;
    const said = { fact: later.id, of: earlier.id, relation, proposed, by, digest, day: later.day };
    this.run.pairs.add(words === undefined ? said : { ...said, over: words }, this.run.now);
    if (ENDING.has(relation)) this.settled.add(earlier.id);
  }

  private isSettled({ earlier }: StatementPair): boolean {
    return this.settled.has(earlier.id);
  }
}

const ENDING: ReadonlySet<Relation> = new Set(['replaces', 'ends', 'same']);

/**
 * Finds the words that a judge quoted from a text, and returns them as they are spelled there. The judge may have
 * changed capitals or added quotation marks.
 */
function literally(words: string | undefined, text: string): string | undefined {
  if (words === undefined || isPartOfText(words, text)) return words;
  const bare = words.trim().replace(/^["'“„«「]|["'”“»」.]$/gu, '');
  const at = text.toLowerCase().indexOf(bare.toLowerCase());
  const found = at < 0 ? undefined : text.slice(at, at + bare.length);
  return isPartOfText(found, text) ? found : undefined;
}

/** Key of a pair: the ids of the later and the earlier statement, separated by a space. */
export function buildStatementPairKey({ earlier, later }: StatementPair): string {
  return `${later.id} ${earlier.id}`;
}

/**
 * A verdict about two statements, with their texts: the earlier one has ended, completely or in part, or the later one
 * says the same.
 */
export interface SettledLine extends Omit<PairVerdict, 'at'> {
  /** Text of the earlier statement; `later` has that of the later one. */
  readonly text: string;
  readonly source: string;
  readonly later: string;
}

/** The verdicts that change what pages show, with the texts of their statements. */
export function listSettledLines(given: readonly PairVerdict[], reader: FactReader): readonly SettledLine[] {
  return given.flatMap(({ at: _, ...verdict }) => {
    const [earlier, later] = [reader.byId(verdict.of), reader.byId(verdict.fact)];
    if (earlier === undefined || later === undefined || LEAVING.has(verdict.relation)) return [];
    return [{ ...verdict, text: earlier.text, source: earlier.source, later: later.text }];
  });
}

const LEAVING: ReadonlySet<PairVerdict['relation']> = new Set(['both', 'plan', 'undone']);

/**
 * Maximum numbers of pairs to judge for one statement. `linked`: pairs with earlier or later statements of the same
 * threads. `unlinked`: pairs with current statements of other threads.
 */
const MOST = { linked: 16, unlinked: 8 } as const;

/** Finds the pairs to judge. Only reads. */
export class OpenPairFinder {
  constructor(
    private readonly standings: EntityStatuses,
    private readonly book: PairVerdictStore,
    /** Similarity by vectors, if there are any. */
    private readonly near: BeliefSimilarity | undefined,
  ) {}

  /**
   * The pairs of a statement: with the other statements of its threads, and with some current statements that it may
   * change.
   */
  of(fact: ReflectFact): readonly StatementPair[] {
    return fact.subjects.flatMap((slug) => this.about(slug, fact.id));
  }

  private about(slug: string, id: string): readonly StatementPair[] {
    const { facts, earlier, later, current } = this.subject(slug);
    const own = facts.get(id);
    if (own === undefined) return [];
    const name = `@${own.names[own.slugs.indexOf(slug)] ?? slug}`;
    const linked = earlier.get(id) ?? [];
    const known = new Set(linked);
    const unlinked = current.filter((one) => !known.has(one.id) && mayChange(own, one));
    // Filter after the limit: an answer in parts must not bring ever more pairs of the same statement.
    const likely = this.likely(own, unlinked).filter((one) => this.isOpen(own, one));
    const below = [...linked.flatMap((one) => facts.get(one) ?? []), ...likely];
    const above = (later.get(id) ?? []).flatMap((one) => facts.get(one) ?? []);
    return [
      ...below.map((one) => ({ subject: name, earlier: one, later: own })),
      ...above.map((one) => ({ subject: name, earlier: own, later: one })),
    ];
  }

  /**
   * Selects the statements that a new statement most likely affects: those nearest in meaning, or the newest if there are
   * no vectors.
   */
  private likely(own: ReflectFact, unlinked: readonly ReflectFact[]): readonly ReflectFact[] {
    const { near } = this;
    if (near === undefined || unlinked.length <= MOST.unlinked) return unlinked.slice(0, MOST.unlinked);
    const sorted = unlinked.map((one) => ({ one, near: near(own, one) })).toSorted((a, b) => b.near - a.near);
    return sorted.slice(0, MOST.unlinked).map(({ one }) => one);
  }

  private isOpen(later: ReflectFact, earlier: ReflectFact): boolean {
    return this.book.of(later.id, earlier.id) === undefined;
  }

  /** Reads what is needed to build the pairs of one subject. */
  private readonly subject = memoize((slug: string) => {
    const { standings } = this;
    /** Facts of the subject, newest first. */
    const sorted = standings.facts(slug).toSorted(compareNewestFirst);
    const facts = new Map(sorted.map((fact) => [fact.id, fact]));
    const held = new Set(standings.told(slug).flatMap(heldIds));
    /**
     * The pairs of statements in one thread that still need a verdict. `earlier` has for the id of the later statement
     * the ids of the earlier statements. `later` has for the id of the earlier statement the ids of the later
     * statements.
     */
    const earlier = new Map<string, string[]>();
    const later = new Map<string, string[]>();
    for (const [fact, strands] of threadEntries([...facts.values()], standings)) {
      if (!held.has(fact.id)) continue;
      const above = [...new Set(strands.flatMap(openAbove))];
      for (const one of above.filter((by) => mayChange(by, fact) && this.isOpen(by, fact))) {
        const below = earlier.get(one.id) ?? [];
        const over = later.get(fact.id) ?? [];
        if (below.length >= MOST.linked || over.length >= MOST.linked) continue;
        earlier.set(one.id, [...below, fact.id]);
        later.set(fact.id, [...over, one.id]);
      }
    }
    // Current facts, plans and preferences.
    const current = standings.told(slug).filter(({ place }) => CURRENT.has(place));
    const ids = new Set(current.flatMap(heldIds));
    return { facts, earlier, later, current: [...facts.values()].filter(({ id }) => ids.has(id)) };
  });
}

const CURRENT: ReadonlySet<string> = new Set(['now', 'planned', 'preferences']);

/**
 * The later statements that still need a verdict about how they affect a part of an earlier statement. Empty if the
 * words of a later statement or a judge have already decided what became of that part.
 */
function openAbove({ unsettledNewer, settledBy, isSaidAgain }: ThreadEntry<ReflectFact>): readonly ReflectFact[] {
  return settledBy !== undefined || isSaidAgain ? [] : unsettledNewer.map(({ fact }) => fact);
}

function heldIds({ fact, place, earlier }: PageFactStatus): readonly string[] {
  return place === 'before' || place === 'nowhere' ? [] : [fact.id, ...earlier.map((one) => one.fact.id)];
}

/**
 * Whether a later statement may change an earlier one. Experiences change nothing, and an opinion and a fact do not
 * affect each other.
 */
function mayChange(later: ReflectFact, earlier: ReflectFact): boolean {
  if (later.kind === 'experience' || earlier.kind === 'experience' || later.day === null) return false;
  return (later.kind === 'opinion') === (earlier.kind === 'opinion') && compareNewestFirst(later, earlier) < 0;
}
