import type { Day } from '../base/clock.js';
import { groupBy } from '../base/order.js';
import type { Direction, Judge } from '../memory/evidence.js';
import { opinionId } from '../memory/fact.js';
import { brings, type Judged, judgeByRules, prepare } from '../memory/judge/rules.js';
import { Alike, type Belief, type Beliefs, statedBelief } from './beliefs/beliefs.js';
import type { EvidenceBook } from './beliefs/evidence-book.js';
import type { ReflectFact } from './facts.js';

/** A fact and a belief that it may speak for or against. */
export interface Pair {
  readonly fact: ReflectFact;
  readonly belief: Belief;
  readonly judged: Judged;
}

/** A fact with what rules read of it. */
interface ReadFact {
  readonly fact: ReflectFact;
  readonly judged: Judged;
}

export interface Judgement {
  readonly direction: Direction;
  readonly by: Judge;
  /** Of rules that stand in for a model: it is to be asked when it is there again. */
  readonly isProvisional?: boolean | undefined;
}

/** Judges pairs, one answer each. Undefined: not now, the fact is to be looked at again by a later run. */
export type JudgePairs = (pairs: readonly Pair[]) => Promise<readonly (Judgement | undefined)[]>;

/** Judges by rules alone: of what somebody only saw they know too little. */
export const byRules: JudgePairs = async (pairs) =>
  pairs.map(({ fact, belief, judged }) => ({
    direction: isOwnAct(fact) || fact.kind === 'observation' ? 'none' : judgeByRules(belief.judged, judged),
    by: 'rules',
  }));

/** Judges by rules in place of a model that is away. */
export const byRulesForNow: JudgePairs = async (pairs) =>
  (await byRules(pairs)).map((judgement) => judgement && { ...judgement, isProvisional: true });

/** What the agent did by itself says nothing of what somebody thinks. */
function isOwnAct({ kind, text }: ReflectFact): boolean {
  return kind === 'experience' && /^(?:I\s+(?!(?:saw|heard|noticed|learned|watched)\b)|我(?![听看见]))/.test(text);
}

/** What a day's facts are judged by. */
export interface Judging {
  readonly beliefs: Beliefs;
  readonly book: EvidenceBook;
  readonly judge: JudgePairs;
  /** Facts that the rules have judged before, and a model is to judge. */
  readonly reopened: ReadonlySet<string>;
}

/**
 * Lets the facts of one day speak: each is judged against the beliefs that it may be about, unless somebody has judged
 * the pair already; an opinion that none of these covers becomes a belief of its own, and so does what contradicts one
 * with a new value: who hears "moved to Graz" must not go on believing in Vienna.
 * @returns facts that were not judged: there was no time
 */
export async function judgeDay(
  facts: readonly ReflectFact[],
  day: Day,
  { beliefs, book, judge, reopened }: Judging,
): Promise<readonly ReflectFact[]> {
  const read = facts.map(readFact);
  const pairs = read.flatMap(({ fact, judged }) =>
    beliefs
      .candidates(fact, judged)
      .filter((belief) => mayCount(fact, belief))
      .map((belief): Pair => ({ fact, belief, judged })),
  );
  const open: Pair[] = [];
  const covered = new Set<ReflectFact>();
  for (const pair of pairs) {
    const isOpen = reopened.has(pair.fact.id) && !book.isSettled(pair.fact.id, pair.belief.id) && !states(pair);
    if (isOpen || !book.has(pair.fact.id, pair.belief.id)) open.push(pair);
    else covered.add(pair.fact);
  }
  const later = new Set<ReflectFact>();
  const brought = new Set<ReflectFact>();
  const judgements = await judge(open);
  for (const [index, pair] of open.entries()) {
    const judgement = judgements[index];
    if (judgement === undefined) later.add(pair.fact);
    else if (note(pair, judgement, day, book)) covered.add(pair.fact);
    if (judgement?.direction === 'contradicts' && bringsAnother(pair)) brought.add(pair.fact);
  }
  for (const one of read) {
    const isNew = one.fact.kind === 'opinion' && !covered.has(one.fact);
    if (!later.has(one.fact) && (isNew || brought.has(one.fact))) begin(one, day, beliefs, book);
  }
  return [...later];
}

/**
 * Judges facts that were looked at before these beliefs were known, or before they reached so far back, so that it does
 * not matter in which order the facts of several days and the pages of several machines come in.
 * @returns beliefs about which not everything was judged: there was no time
 */
export async function judgeLate(
  late: readonly Belief[],
  factsAbout: (slug: string) => readonly ReflectFact[],
  { beliefs, book, judge }: Judging,
): Promise<ReadonlySet<Belief>> {
  const open = new Set<Belief>();
  const judgeThose = async (pairs: readonly Pair[]): Promise<void> => {
    for (const [index, judgement] of (await judge(pairs)).entries()) {
      const pair = pairs[index];
      if (pair === undefined || pair.fact.day === null) continue;
      if (judgement === undefined) open.add(pair.belief);
      else note(pair, judgement, pair.fact.day, book);
    }
  };
  let pairs: Pair[] = [];
  for (const about of bySubject(late)) {
    // Each fact is read once for all beliefs about the same.
    const facts = new Map(about[0]?.slugs.flatMap(factsAbout).map((fact) => [fact.id, fact]));
    const read = [...facts.values()].filter(({ isEvidence }) => isEvidence).map(readFact);
    const words = new Alike(read);
    for (const belief of about) {
      for (const { fact, judged } of beliefs.alikeTo(belief, read, words))
        if (mayCount(fact, belief) && !book.has(fact.id, belief.id)) pairs.push({ fact, belief, judged });
    }
    if (pairs.length < MOST_HELD) continue;
    await judgeThose(pairs);
    pairs = [];
  }
  await judgeThose(pairs);
  return open;
}

/** What is read of so many facts is held at a time. */
const MOST_HELD = 1_000;

function readFact(fact: ReflectFact): ReadFact {
  return { fact, judged: prepare(fact.text, fact.entities) };
}

function bySubject(beliefs: readonly Belief[]): readonly (readonly Belief[])[] {
  return [...groupBy(beliefs, ({ slugs }) => slugs.join(' ')).values()];
}

/** Whether the fact is the one that states the belief. */
function states({ fact, belief }: Pair): boolean {
  return fact.kind === 'opinion' && opinionId(fact) === belief.id;
}

/** What was known when a belief was stated is in its prior; who stated it earlier still moves that. */
function mayCount(fact: ReflectFact, { id, prior }: Belief): boolean {
  return prior.day === null || (fact.day ?? '') > prior.day || (fact.kind === 'opinion' && opinionId(fact) === id);
}

/** Whether a fact that contradicts a belief states another one: an opinion, or a state of the world with a new value. */
function bringsAnother({ fact, belief, judged }: Pair): boolean {
  return fact.kind === 'opinion' || (fact.kind === 'world' && brings(belief.judged, judged));
}

/** Notes a judgement. That rules see nothing is not worth a line: they will see nothing again, and a model may see more. */
function note({ fact, belief }: Pair, { direction, by }: Judgement, day: Day, book: EvidenceBook): boolean {
  if (by === 'rules' && (direction === 'none' || book.has(fact.id, belief.id))) return direction !== 'none';
  book.add({ fact: fact.id, opinion: belief.id, direction, by, day, weight: fact.confidence, at: null });
  return direction !== 'none';
}

/** Begins a belief with the fact that states it; where one is there that says the same, that is what it speaks for. */
function begin({ fact, judged }: ReadFact, day: Day, beliefs: Beliefs, book: EvidenceBook): void {
  const stated = statedBelief(fact, day);
  // One that a person has taken off the page does not come back by the fact that began it.
  if (book.has(fact.id, stated.id)) return;
  const said = beliefs.candidates(fact, judged).find((belief) => judgeByRules(belief.judged, judged) === 'supports');
  if (said === undefined && beliefs.get(stated.id) === undefined) beliefs.add(stated);
  const { id } = said ?? stated;
  if (book.has(fact.id, id)) return;
  book.add({ fact: fact.id, opinion: id, day, weight: fact.confidence, at: null, direction: 'supports', by: 'rules' });
}
