import { Cache } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { addTo, compareText } from '../base/order.js';
import type { Direction } from '../memory/evidence.js';
import { opinionId } from '../memory/fact.js';
import { LikeIndex } from '../memory/judge/like-index.js';
import { deniesOpinion, judgeByRules, prepareStatement } from '../memory/judge/rules.js';
import { type Belief, beliefFromFact } from './beliefs/beliefs.js';
import type { ReflectFact } from './facts.js';
import type { BeliefPair, Judgement, JudgePairs } from './judges.js';
import { priorOf } from './opinions.js';
import { evidenceStart, needsRejudging, RULES_OF_EVIDENCE } from './progress.js';
import type { ReflectRun } from './run.js';

/** A fact with what rules read of it. */
type ReadFact = Omit<BeliefPair, 'belief'>;

/** Judges by rules alone: of what somebody only saw they know too little. */
export const ruleJudge: JudgePairs = async (pairs) =>
  pairs.map((pair) => ({ direction: directionOf(pair), by: 'rules' }));

function directionOf({ fact, belief, judged }: BeliefPair): Direction {
  if (isOwnAct(fact) || fact.kind === 'observation') return 'none';
  const direction = judgeByRules(belief.judged, judged);
  return direction === 'contradicts' && !speaksAgainst({ fact, belief, judged }) ? 'none' : direction;
}

/** Against an opinion speaks what denies its own words, told of the same subject; two other things may both be true. */
function speaksAgainst({ fact, belief, judged }: BeliefPair): boolean {
  const [subject] = belief.slugs;
  if (subject !== undefined && !fact.subjects.includes(subject)) return false;
  return fact.subjects.every((slug) => belief.slugs.includes(slug)) && deniesOpinion(belief.judged, judged);
}

/** Judges by rules in place of a model that is away. */
export const fallbackJudge: JudgePairs = async (pairs) =>
  (await ruleJudge(pairs)).map((judgement) => judgement && { ...judgement, isProvisional: true });

/** What the agent did by itself says nothing of what somebody thinks. */
function isOwnAct({ kind, text }: ReflectFact): boolean {
  return kind === 'experience' && /^(?:I\s+(?!(?:saw|heard|noticed|learned|watched)\b)|我(?![听看见]))/.test(text);
}

/** Of an entity's facts so many of those indexed last are looked at. */
const MOST_FACTS = 2_000;

/** Lets all facts speak, day by day; then the older ones about beliefs that they could not know. */
export async function judgeAll(facts: readonly ReflectFact[], run: ReflectRun): Promise<void> {
  const { beliefs, book, reader, seen, progress, scope } = run;
  dropOldDenials(run);
  if (scope.all) settleOrigins(beliefs.all(), run);
  const again = [...run.awaited.reopened].flatMap((id) => reader.byId(id) ?? []);
  const days = byDay(new Map([...again, ...facts].map((fact) => [fact.id, fact])).values());
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

/** Lets beliefs reach back to where they began, for as far as that is known by now. */
function settleOrigins(beliefs: readonly Belief[], run: ReflectRun): void {
  for (const belief of beliefs) belief.prior = priorOf(belief, run);
}

/** Evidence by its day, in the order of days; within a day in an order that does not depend on the files'. */
function byDay(facts: Iterable<ReflectFact>): readonly (readonly [day: Day, facts: readonly ReflectFact[]])[] {
  const days = new Map<Day, ReflectFact[]>();
  for (const fact of [...facts].sort((a, b) => compareText(a.id, b.id)))
    if (fact.isEvidence && fact.day !== null) addTo(days, fact.day, fact);
  return [...days].sort(([a], [b]) => compareText(a, b));
}

/**
 * Lets the facts of one day speak: each is judged against the beliefs that it may be about, unless somebody has judged
 * the pair already; an opinion that none of these covers becomes a belief of its own, and so does one that contradicts
 * another. A world fact or an experience never does.
 * @returns facts that were not judged: there was no time
 */
async function judgeDay(facts: readonly ReflectFact[], day: Day, run: ReflectRun): Promise<readonly ReflectFact[]> {
  const { beliefs } = run;
  const read = facts.map(readFact);
  const pairs = read.flatMap(({ fact, judged }) =>
    beliefs
      .candidates(fact, judged)
      .filter((belief) => mayCount(fact, belief))
      .map((belief): BeliefPair => ({ fact, belief, judged })),
  );
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

/** Whether nobody has judged a pair, or only the rules a fact that waits for a model. */
function isOpen(pair: BeliefPair, { book, awaited }: ReflectRun): boolean {
  const known = book.of(pair.fact.id, pair.belief.id);
  return known === undefined || (known.by === 'rules' && awaited.reopened.has(pair.fact.id) && !states(pair));
}

/**
 * Judges facts that were looked at before these beliefs were known, or before they reached so far back, so that it does
 * not matter in which order the facts of several days and the pages of several machines come in.
 * @returns beliefs about which not everything was judged: there was no time
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

/** Beliefs with the facts that may count for them, each pair once. The facts of an entity are read once. */
function* latePairs(late: readonly Belief[], { beliefs, book, reader }: ReflectRun): Iterable<BeliefPair> {
  const bySlug = new Map<string, Belief[]>();
  for (const belief of late) for (const slug of belief.slugs) addTo(bySlug, slug, belief);
  const paired = new Map<Belief, Set<string>>();
  for (const belief of late) if (belief.slugs.length > 1) paired.set(belief, new Set());
  for (const [slug, about] of bySlug) {
    const facts = reader.ofEntity(slug, MOST_FACTS).filter(({ isEvidence }) => isEvidence);
    const read = facts.map(readFact);
    const words = new LikeIndex<ReadFact>();
    for (const one of read) words.add(one, one.judged);
    for (const belief of about) {
      // What several entities of a belief have in common comes once.
      const known = paired.get(belief);
      for (const { fact, judged } of beliefs.alikeTo(belief, read, words)) {
        if (!mayCount(fact, belief) || book.has(fact.id, belief.id) || known?.has(fact.id)) continue;
        known?.add(fact.id);
        yield { fact, belief, judged };
      }
    }
  }
}

/** So many pairs are put to a judge at a time. */
const MOST_HELD = 1_000;

function readFact(fact: ReflectFact): ReadFact {
  return { fact, judged: prepareStatement(fact.text, fact.entities) };
}

/** Whether the fact is the one that states the belief. */
function states({ fact, belief }: BeliefPair): boolean {
  return fact.kind === 'opinion' && opinionId(fact) === belief.id;
}

/** What was known when a belief was stated is in its prior; who stated it earlier still moves that. */
function mayCount(fact: ReflectFact, { id, prior }: Belief): boolean {
  return prior.day === null || (fact.day ?? '') > prior.day || (fact.kind === 'opinion' && opinionId(fact) === id);
}

/** Notes a judgement. That rules see nothing is not worth a line: they will see nothing again, and a model may see more. */
function note({ fact, belief }: BeliefPair, { direction, by }: Judgement, day: Day, { book }: ReflectRun): boolean {
  if (by === 'rules' && (direction === 'none' || book.has(fact.id, belief.id))) return direction !== 'none';
  book.add({ fact: fact.id, opinion: belief.id, direction, by, day, weight: fact.confidence, at: null });
  return direction !== 'none';
}

/** Begins a belief with the fact that states it; where one is there that says the same, that is what it speaks for. */
function begin({ fact, judged }: ReadFact, day: Day, { beliefs, book }: ReflectRun): void {
  const stated = beliefFromFact(fact, day);
  // One that a person has taken off the page does not come back by the fact that began it.
  if (book.has(fact.id, stated.id)) return;
  const said = beliefs.candidates(fact, judged).find((belief) => judgeByRules(belief.judged, judged) === 'supports');
  if (said === undefined && beliefs.get(stated.id) === undefined) beliefs.add(stated);
  const { id } = said ?? stated;
  if (book.has(fact.id, id)) return;
  book.add({ fact: fact.id, opinion: id, day, weight: fact.confidence, at: null, direction: 'supports', by: 'rules' });
}

/** Raised when the rules speak against less than before. */
const RULES_VERSION = '1';

/**
 * Takes back what earlier rules said against beliefs and the present ones do not. A person's and a model's verdicts stay.
 * Looks at all of them once, and again when evidence of another machine has come in.
 */
function dropOldDenials({ beliefs, book, reader, seen, progress, scope, now }: ReflectRun): void {
  if (progress.get(RULES_OF_EVIDENCE) === RULES_VERSION && !scope.hasForeign) return;
  seen.set(RULES_OF_EVIDENCE, RULES_VERSION);
  const denials = beliefs.all().map((belief) => ({
    belief,
    verdicts: book.about(belief.id).filter(({ by, direction }) => by === 'rules' && direction === 'contradicts'),
  }));
  reader.lookUp(denials.flatMap(({ verdicts }) => verdicts.map(({ fact }) => fact)));
  const read = new Cache<string, ReadFact | undefined>();
  const readOf = (id: string): ReadFact | undefined => {
    const fact = reader.byId(id);
    return fact && readFact(fact);
  };
  for (const { belief, verdicts } of denials)
    for (const verdict of verdicts) {
      const one = read.of(verdict.fact, () => readOf(verdict.fact));
      if (one !== undefined && directionOf({ ...one, belief }) !== 'contradicts')
        book.add({ ...verdict, direction: 'none', at: now });
    }
}
