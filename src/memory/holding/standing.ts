import type { Day } from '../../base/clock.js';
import type { Times } from '../../language/time/times.js';
import { hasSign, tenseOf } from '../../language/words/states.js';
import { effectOf, newestFirst, Told } from '../supersession/supersession.js';
import { readValidity } from '../validity.js';
import { Claim } from './claim.js';
import { Done } from './done.js';
import { Later } from './later.js';
import { Linked } from './linked.js';
import { divideStatement } from './parts.js';
import type { Standing, StatedFact } from './stated.js';

export type { Ending, Standing, StandingPlace, StatedFact } from './stated.js';

export interface StandingOptions {
  /** For the times of a fact's parts. */
  readonly times: Times;
  /** So long a state that passes by nature holds after its last mention, in days. */
  readonly passingDays: number;
  /** The one slug of an entity, aliases resolved. */
  readonly slugOf: (name: string) => string;
}

/** What holds on a day is decided here and nowhere else: where each part of some facts stands. Pure. */
export function standingsOn<F extends StatedFact>(
  facts: readonly F[],
  day: Day,
  options: StandingOptions,
): readonly Standing<F>[] {
  const claims = facts
    .filter((fact) => fact.day === null || fact.day <= day)
    .flatMap((fact) => claimsOf(fact, day, options))
    .sort(newestFirst);
  const later = new Later(
    claims.filter((claim) => !claim.source.isJob && claim.counts),
    (claim) => claim.mayEnd,
  );
  const { restated, replaced, outdated, making } = effectsAmong(claims, later);
  const firstSaid = new Map<Claim<F>, Day>();
  for (const claim of claims) {
    const newest = restated.get(claim);
    const first = claim.fact.day;
    if (newest !== undefined && first !== null && first < (firstSaid.get(newest) ?? '9999'))
      firstSaid.set(newest, first);
  }
  const done = new Done(claims);
  const shown = claims.filter(
    (claim) => !restated.has(claim) && !(claim.source.isJob && isBesideAnother(claim, claims)),
  );
  const placed = shown.map((claim) => {
    const known = {
      by: replaced.get(claim),
      first: firstSaid.get(claim),
      isDone: done.isDone(claim),
      isOutdated: outdated.has(claim),
      hasMade: making.has(claim),
    };
    return { claim, standing: claim.standing(day, options.passingDays, known) };
  });
  return withLeaning(withContradictions(placed));
}

/** What the facts that are told later do to each. */
interface Effects<F extends StatedFact> {
  readonly restated: ReadonlyMap<Claim<F>, Claim<F>>;
  readonly replaced: ReadonlyMap<Claim<F>, Claim<F>>;
  /** Of these nobody knows whether they hold. */
  readonly outdated: ReadonlySet<Claim<F>>;
  /** These have put a value in the place of another. */
  readonly making: ReadonlySet<Claim<F>>;
}

function effectsAmong<F extends StatedFact>(claims: readonly Claim<F>[], later: Later<Claim<F>>): Effects<F> {
  const [restated, replaced] = [new Map<Claim<F>, Claim<F>>(), new Map<Claim<F>, Claim<F>>()];
  const [outdated, making] = [new Set<Claim<F>>(), new Set<Claim<F>>()];
  for (const claim of claims) {
    const after = later.after(claim);
    const found = effectOf(claim, after) ?? claim.resumedBy(after) ?? claim.outdatedBy(after);
    if (found?.effect === 'same') restated.set(claim, found.by);
    else if (found === undefined && after.some((other) => other.isBeside(claim))) outdated.add(claim);
    if (found?.effect !== 'replaces' || claim.source.id === found.by.source.id) continue;
    replaced.set(claim, found.by);
    if (found.by.values.size > 0 && claim.values.size > 0 && !found.by.isEnd) making.add(found.by);
  }
  for (const claim of sameValued(claims, replaced)) outdated.add(claim);
  const linked = new Linked(claims);
  for (const claim of claims) {
    if (restated.has(claim) || replaced.has(claim) || outdated.has(claim)) continue;
    const by = linked.otherOf(claim);
    if (by === undefined) continue;
    outdated.add(claim);
    making.add(by);
  }
  return { restated, replaced, outdated, making };
}

/**
 * What was said in other words of a value that has been replaced: it can't be told whether it holds. `Banks with Fidor` and
 * `her account is with Fidor` go together.
 */
function sameValued<F extends StatedFact>(
  claims: readonly Claim<F>[],
  replaced: ReadonlyMap<Claim<F>, Claim<F>>,
): ReadonlySet<Claim<F>> {
  const gone = new Map<string, (readonly [old: Claim<F>, by: Claim<F>])[]>();
  for (const pair of replaced) {
    for (const value of pair[0].values) gone.set(value, [...(gone.get(value) ?? []), pair]);
  }
  return new Set(
    claims.filter((claim) => {
      if (replaced.has(claim) || claim.values.size === 0) return false;
      const pairs = [...claim.values].flatMap((value) => gone.get(value) ?? []);
      return pairs.some(([old, by]) => claim.isOfValueOf(old, by));
    }),
  );
}

/** Somebody else is named first. */
const ANOTHER = /^(?:and |und |et )?[@＠]/i;
const DEFINITE = /^(?:the|der|die|das|le|la|les|l')\s/i;

/** `The talk is called …` and `@Mia stands in` go where the part before them went that was for a time. */
function withLeaning<F extends StatedFact>(standings: readonly Standing<F>[]): readonly Standing<F>[] {
  const byPart = new Map(standings.map((standing) => [`${standing.fact.id} ${standing.part}`, standing]));
  return standings.map((standing) => {
    if (standing.part === 0 || standing.place !== 'now') return standing;
    const before = byPart.get(`${standing.fact.id} ${standing.part - 1}`) ?? standing;
    const isOther = ANOTHER.test(standing.text) && before.to !== null;
    if (!isOther && !DEFINITE.test(standing.text) && !hasSign('unfinished', standing.text)) return standing;
    const { place, from, to, ending } = before;
    return ending === 'ended' || place === 'planned' || place === 'nowhere'
      ? { ...standing, place, from, to, ending }
      : standing;
  });
}

interface Placement<F extends StatedFact> {
  readonly claim: Claim<F>;
  readonly standing: Standing<F>;
}

/** Of what holds without a written end, finds what can't be true at once. */
function withContradictions<F extends StatedFact>(placed: readonly Placement<F>[]): readonly Standing<F>[] {
  const holding = placed.filter(({ claim, standing }) => standing.place === 'now' && claim.mayContradict);
  const later = new Later(
    holding.map(({ claim }) => claim),
    (claim) => claim.mayEnd,
  );
  const standings = new Map(holding.map(({ claim, standing }) => [claim, standing]));
  return placed.map(({ claim, standing }) => {
    if (!standings.has(claim)) return standing;
    // Of two days the later one has replaced the other.
    const others = later.near(claim).filter((other) => other.isOfOneDay(claim) && other.isOtherThan(claim));
    const against = others.flatMap((other) => standings.get(other) ?? []);
    return against.length === 0 ? standing : { ...standing, against };
  });
}

function claimsOf<F extends StatedFact>(fact: F, day: Day, { times, slugOf }: StandingOptions): readonly Claim<F>[] {
  const hasSubject = new Told(fact, slugOf, day).subject.size > 0;
  const parts = divideStatement(fact.text, hasSubject);
  return parts.map((text, part) => {
    const whole = { from: fact.validFrom, to: fact.validTo, isPeriod: fact.period !== null };
    const own = parts.length === 1 ? whole : validityOf(text, fact.day, times);
    const isAfterEvent = part > 0 && tenseOf(parts[part - 1] ?? '') === 'past' && tenseOf(text) === 'present';
    return new Claim(fact, { text, part, parts: parts.length, isAfterEvent, ...own }, slugOf, day);
  });
}

function validityOf(text: string, day: Day | null, times: Times) {
  const read = readValidity(text, day, times);
  return { from: read?.from ?? null, to: read?.to ?? null, isPeriod: read?.type === 'period' };
}

/** Whether somebody has said something else of what a job repeats. */
function isBesideAnother<F extends StatedFact>(job: Claim<F>, claims: readonly Claim<F>[]): boolean {
  return claims.some((claim) => !claim.source.isJob && claim.isOtherThan(job));
}
