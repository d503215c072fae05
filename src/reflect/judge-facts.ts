import { memoize } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { addToGroup, compareText } from '../base/order.js';
import type { Direction } from '../memory/evidence.js';
import { opinionId } from '../memory/fact.js';
import { SimilarityIndex } from '../memory/judge/like-index.js';
import { deniesOpinion, judgeByRules, prepareStatement } from '../memory/judge/rules.js';
import { type Belief, type BeliefStore, createBeliefFromFact } from './beliefs.js';
import type { ReflectFact } from './facts.js';
import type { BeliefJudgement, BeliefPair, JudgeBeliefPairs } from './judges.js';
import { findPrior } from './opinions.js';
import { EVIDENCE_RULES_VERSION_KEY, evidenceStart, needsRejudging } from './progress.js';
import { beliefPairsOf, findVerdictsToJudgeAgain } from './rejudge.js';
import type { ReflectRun } from './run.js';

/** A fact, prepared for the comparison with beliefs. */
type ReadFact = Omit<BeliefPair, 'belief'>;

/** Judges by rules alone. Observations get `none`: the rules can't judge them. */
export const judgePairsByRules: JudgeBeliefPairs = async (pairs) =>
  pairs.map((pair) => ({ direction: directionOf(pair), by: 'rules' }));

function directionOf({ fact, belief, judged }: BeliefPair): Direction {
  if (isOwnAct(fact) || fact.kind === 'observation') return 'none';
  const direction = judgeByRules(belief.judged, judged);
  return direction === 'contradicts' && !speaksAgainst({ fact, belief, judged }) ? 'none' : direction;
}

/**
 * Whether a fact really contradicts an opinion: it must deny the opinion's own words about the same subject. A
 * different value is not enough, because both may be true.
 */
function speaksAgainst({ fact, belief, judged }: BeliefPair): boolean {
  const [subject] = belief.slugs;
  if (subject !== undefined && !fact.subjects.includes(subject)) return false;
  return fact.subjects.every((slug) => belief.slugs.includes(slug)) && deniesOpinion(belief.judged, judged);
}

/** Judges by rules because the model is unavailable. The verdicts are provisional: a later run asks the model. */
export const judgeWithoutModel: JudgeBeliefPairs = async (pairs) =>
  (await judgePairsByRules(pairs)).map((judgement) => judgement && { ...judgement, isProvisional: true });

/** Whether a fact is an action of the agent itself. Such a fact is not evidence of a person's opinion. */
function isOwnAct({ kind, text }: ReflectFact): boolean {
  return kind === 'experience' && /^(?:I\s+(?!(?:saw|heard|noticed|learned|watched)\b)|我(?![听看见]))/.test(text);
}

/** Maximum number of facts about an entity to read. */
const MOST_FACTS = 2_000;

/**
 * Judges all facts, day by day. Then judges older facts against beliefs that did not exist when those facts were
 * judged.
 */
export async function judgeAllFacts(facts: readonly ReflectFact[], run: ReflectRun): Promise<void> {
  const { beliefs, book, seen, progress, scope } = run;
  dropOldDenials(run);
  await judgeAgain(run);
  if (scope.all) settleOrigins(beliefs.all(), run);
  const days = daysToJudge(run, facts);
  for (const [done, [day, ofDay]] of days.entries()) {
    run.onProgress?.(done, days.length, 'days');
    for (const { path } of await judgeDay(ofDay, day, run)) seen.delete(path);
  }
  const judged = book.judged();
  settleOrigins(
    beliefs.all().filter(({ id }) => scope.all || judged.has(id)),
    run,
  );
  const late = beliefs.all().filter((belief) => needsRejudging(belief, progress));
  const open = await judgeLate(late, run);
  for (const belief of progress.size === 0 ? beliefs.all() : late)
    if (!open.has(belief)) seen.set(belief.id, evidenceStart(belief));
}

/** Asks again about the pairs that an earlier model has judged. Their verdicts stay until there is another. */
async function judgeAgain(run: ReflectRun): Promise<void> {
  const isWanted = await findVerdictsToJudgeAgain(run);
  const pairs = isWanted === undefined ? [] : beliefPairsOf(run, isWanted, readFact);
  for (const [index, judgement] of (pairs.length === 0 ? [] : await run.judge(pairs)).entries()) {
    const pair = pairs[index];
    if (pair !== undefined && pair.fact.day !== null && judgement !== undefined)
      note(pair, judgement, pair.fact.day, run);
  }
}

/**
 * Gives each belief the prior of the earliest known fact that states it, as {@link findPrior} finds it. So the order in
 * which facts arrive does not matter.
 */
function settleOrigins(beliefs: readonly Belief[], run: ReflectRun): void {
  for (const belief of beliefs) belief.prior = findPrior(belief, run);
}

/** The facts that this run judges, by day: the given ones, and those of earlier runs that it judges again. */
function daysToJudge({ reopened, awaited, reader }: ReflectRun, facts: readonly ReflectFact[]) {
  const again = [...reopened, ...[...awaited.reopened].flatMap((id) => reader.byId(id) ?? [])];
  return byDay(new Map([...again, ...facts].map((fact) => [fact.id, fact])).values());
}

/** For each day, the pairs of its facts with some beliefs that need a verdict. */
export function openPairsByDay(
  run: ReflectRun,
  facts: readonly ReflectFact[],
  beliefs: BeliefStore,
): readonly (readonly BeliefPair[])[] {
  return daysToJudge(run, facts).map(([, ofDay]) =>
    pairsOf(ofDay.map(readFact), beliefs).filter((pair) => isOpen(pair, run)),
  );
}

/** The pairs of facts with the beliefs that they may be evidence for or against. */
function pairsOf(read: readonly ReadFact[], beliefs: BeliefStore): readonly BeliefPair[] {
  return read.flatMap(({ fact, judged }) =>
    beliefs
      .candidates(fact, judged)
      .filter((belief) => mayCount(fact, belief))
      .map((belief): BeliefPair => ({ fact, belief, judged })),
  );
}

/**
 * Groups the facts that count as evidence by day. Sorts the facts of a day by id, so that the order of the files does
 * not matter.
 */
function byDay(facts: Iterable<ReflectFact>): readonly (readonly [day: Day, facts: readonly ReflectFact[]])[] {
  const days = new Map<Day, ReflectFact[]>();
  for (const fact of [...facts].sort((a, b) => compareText(a.id, b.id)))
    if (fact.isEvidence && fact.day !== null) addToGroup(days, fact.day, fact);
  return [...days].sort(([a], [b]) => compareText(a, b));
}

/**
 * Judges the facts of one day against the beliefs that they may be about. Skips pairs that already have a verdict. An
 * opinion becomes a new belief if it supports no known belief, or if it contradicts one. A fact of another kind never
 * becomes a belief.
 * @returns facts that were not judged for lack of time
 */
async function judgeDay(facts: readonly ReflectFact[], day: Day, run: ReflectRun): Promise<readonly ReflectFact[]> {
  const read = facts.map(readFact);
  const pairs = pairsOf(read, run.beliefs);
  const open = pairs.filter((pair) => isOpen(pair, run));
  const asked = new Set(open);
  const covered = new Set(pairs.flatMap((pair) => (asked.has(pair) ? [] : pair.fact)));
  const later = new Set<ReflectFact>();
  const brought = new Set<ReflectFact>();
  const judgements = await run.judge(open);
  for (const [index, pair] of open.entries()) {
    const judgement = judgements[index];
    if (judgement === undefined) later.add(pair.fact);
    else if (note(pair, judgement, day, run)) covered.add(pair.fact);
    if (judgement?.direction === 'contradicts' && pair.fact.kind === 'opinion') brought.add(pair.fact);
  }
  for (const one of read) {
    const isNew = one.fact.kind === 'opinion' && !covered.has(one.fact);
    if (!later.has(one.fact) && (isNew || brought.has(one.fact))) begin(one, day, run);
  }
  return [...later];
}

/** Whether a pair needs a verdict: it has none yet, or it has only a verdict of the rules and its fact waits for a model. */
function isOpen(pair: BeliefPair, { book, awaited }: ReflectRun): boolean {
  const known = book.of(pair.fact.id, pair.belief.id);
  return known === undefined || (known.by === 'rules' && awaited.reopened.has(pair.fact.id) && !states(pair));
}

/**
 * Judges facts that earlier runs have read, against beliefs that are new or whose prior now has another day. So the
 * result does not depend on the order in which days arrive, or on the machine that a page comes from.
 * @returns beliefs for which some facts were not judged for lack of time
 */
async function judgeLate(late: readonly Belief[], run: ReflectRun): Promise<ReadonlySet<Belief>> {
  const open = new Set<Belief>();
  const judgeThose = async (pairs: readonly BeliefPair[]): Promise<void> => {
    for (const [index, judgement] of (await run.judge(pairs)).entries()) {
      const pair = pairs[index];
      if (pair === undefined || pair.fact.day === null) continue;
      if (judgement === undefined) open.add(pair.belief);
      else note(pair, judgement, pair.fact.day, run);
    }
  };
  let pairs: BeliefPair[] = [];
  for (const pair of latePairs(late, run)) {
    pairs.push(pair);
    if (pairs.length < MOST_HELD) continue;
    await judgeThose(pairs);
    pairs = [];
  }
  await judgeThose(pairs);
  return open;
}

/**
 * Yields each pair of a belief and a fact that may be evidence for or against it, once. Reads the facts about an entity
 * only once, for all beliefs about it.
 */
function* latePairs(late: readonly Belief[], { beliefs, book, reader }: ReflectRun): Iterable<BeliefPair> {
  const bySlug = new Map<string, Belief[]>();
  for (const belief of late) for (const slug of belief.slugs) addToGroup(bySlug, slug, belief);
  const paired = new Map<Belief, Set<string>>();
  for (const belief of late) if (belief.slugs.length > 1) paired.set(belief, new Set());
  for (const [slug, about] of bySlug) {
    const facts = reader.ofEntity(slug, MOST_FACTS).filter(({ isEvidence }) => isEvidence);
    const read = facts.map(readFact);
    const words = new SimilarityIndex<ReadFact>();
    for (const one of read) words.add(one, one.judged);
    for (const belief of about) {
      // A fact may be found through several entities of a belief: yield it once.
      const known = paired.get(belief);
      for (const { fact, judged } of beliefs.alikeTo(belief, read, words)) {
        if (!mayCount(fact, belief) || book.has(fact.id, belief.id) || known?.has(fact.id)) continue;
        known?.add(fact.id);
        yield { fact, belief, judged };
      }
    }
  }
}

/** Maximum number of pairs per call of the judge. */
const MOST_HELD = 1_000;

export function readFact(fact: ReflectFact): ReadFact {
  return { fact, judged: prepareStatement(fact.text, fact.entities) };
}

/** Whether the fact states the belief itself. */
function states({ fact, belief }: BeliefPair): boolean {
  return fact.kind === 'opinion' && opinionId(fact) === belief.id;
}

/**
 * Whether a fact may be evidence for or against a belief. Facts up to the day of the prior do not count, because the
 * prior already includes them. A fact that states the belief itself is always allowed, because an earlier statement
 * changes the prior.
 */
function mayCount(fact: ReflectFact, { id, prior }: Belief): boolean {
  return prior.day === null || (fact.day ?? '') > prior.day || (fact.kind === 'opinion' && opinionId(fact) === id);
}

/**
 * Adds a verdict to the book of verdicts. A `none` of the rules is not stored: the rules would give it again, and a
 * model may judge differently.
 * @returns whether the verdict supports or contradicts the belief
 */
function note(
  { fact, belief }: BeliefPair,
  { direction, by, proposed, digest }: BeliefJudgement,
  day: Day,
  { book, now }: ReflectRun,
): boolean {
  if (by === 'rules' && (direction === 'none' || book.has(fact.id, belief.id))) return direction !== 'none';
  const at = by === 'rules' ? null : now;
  book.add({ fact: fact.id, opinion: belief.id, direction, proposed, by, digest, day, weight: fact.confidence, at });
  return direction !== 'none';
}

/**
 * Adds a belief with the fact that states it. If a belief with the same meaning exists, the fact supports that belief
 * instead.
 */
function begin({ fact, judged }: ReadFact, day: Day, { beliefs, book }: ReflectRun): void {
  const stated = createBeliefFromFact(fact, day);
  // A belief that a person removed from the page must not return through the fact that began it.
  if (book.has(fact.id, stated.id)) return;
  const said = beliefs.candidates(fact, judged).find((belief) => judgeByRules(belief.judged, judged) === 'supports');
  if (said === undefined && beliefs.get(stated.id) === undefined) beliefs.add(stated);
  const { id } = said ?? stated;
  if (book.has(fact.id, id)) return;
  book.add({ fact: fact.id, opinion: id, day, weight: fact.confidence, at: null, direction: 'supports', by: 'rules' });
}

/** Version of the rules. Increase it when the rules find fewer contradictions than before. */
const RULES_VERSION = '1';

/**
 * Revokes contradictions that an earlier version of the rules found and that the current rules do not find. Verdicts of
 * people and models stay. Checks all contradictions by rules once per version, and again after evidence from another
 * machine has arrived.
 */
function dropOldDenials({ beliefs, book, reader, seen, progress, scope, now }: ReflectRun): void {
  if (progress.get(EVIDENCE_RULES_VERSION_KEY) === RULES_VERSION && !scope.hasForeign) return;
  seen.set(EVIDENCE_RULES_VERSION_KEY, RULES_VERSION);
  const denials = beliefs.all().map((belief) => ({
    belief,
    verdicts: book.about(belief.id).filter(({ by, direction }) => by === 'rules' && direction === 'contradicts'),
  }));
  reader.lookUp(denials.flatMap(({ verdicts }) => verdicts.map(({ fact }) => fact)));
  const readOf = memoize((id: string) => {
    const fact = reader.byId(id);
    return fact && readFact(fact);
  });
  for (const { belief, verdicts } of denials)
    for (const verdict of verdicts) {
      const one = readOf(verdict.fact);
      if (one !== undefined && directionOf({ ...one, belief }) !== 'contradicts')
        book.add({ ...verdict, direction: 'none', at: now });
    }
}
