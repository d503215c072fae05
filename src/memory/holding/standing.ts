import type { Day } from '../../base/clock.js';
import { addDays } from '../../language/time/calendar.js';
import type { Times } from '../../language/time/times.js';
import { hasSign } from '../../language/words/states.js';
import { replacementTerms } from '../supersession/ended-value.js';
import { isMany } from '../supersession/other-value.js';
import { type DatedFact, effectOf, newestFirst, Told } from '../supersession/supersession.js';
import { readValidity } from '../validity.js';
import { Later } from './later.js';
import { type Matter, mattersOf, namedNouns, tellsOfTurn } from './matters.js';
import { type Nature, natureOf } from './nature.js';
import { divideStatement } from './parts.js';

/** A fact as it is judged by the day: what says when it holds, and who said it. */
export interface StatedFact extends DatedFact {
  readonly id: string;
  /** Dates in its text, whether they say when it holds or are only mentioned. */
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  /** Written again and again by a job that knows nothing new. */
  readonly isJob: boolean;
}

/** Where a part of a fact stands on a day. */
export type StandingPlace = 'now' | 'planned' | 'lately' | 'before' | 'nowhere';

/** Why a part does not hold. */
export type Ending = 'ended' | 'replaced' | 'lapsed' | 'past';

/** A part of a fact as it stands on a day. */
export interface Standing<F extends StatedFact> {
  readonly fact: F;
  /** The part's own words. */
  readonly text: string;
  /** Its position among the parts of the fact, and how many these are. */
  readonly part: number;
  readonly parts: number;
  readonly place: StandingPlace;
  /** From when to when it holds or held; of an event and of a plan, its days. */
  readonly from: Day | null;
  readonly to: Day | null;
  readonly ending: Ending | null;
  /** The fact that has replaced it. */
  readonly by: F | null;
  /** The last day on which it was said. */
  readonly lastSaid: Day | null;
  /** The next day on which it will stand elsewhere if nothing new is said; null: none is known. */
  readonly changesOn: Day | null;
  /** Others that hold, too, and can't be true with it: neither replaces the other. */
  readonly against: readonly Standing<F>[];
}

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
  const later = new Later(claims.filter((claim) => !claim.source.isJob && claim.counts));
  const restated = new Map<Claim<F>, Claim<F>>();
  const replaced = new Map<Claim<F>, Claim<F>>();
  for (const claim of claims) {
    const near = later.near(claim);
    const found = effectOf(claim, near) ?? claim.resumedBy(near) ?? claim.outdatedBy(near);
    if (found === undefined) continue;
    if (found.effect === 'same') restated.set(claim, found.by);
    else if (claim.source.id !== found.by.source.id) replaced.set(claim, found.by);
  }
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
    const known = { by: replaced.get(claim), first: firstSaid.get(claim), done };
    return { claim, standing: claim.standing(day, options.passingDays, known) };
  });
  return withLeaning(withContradictions(placed));
}

const DEFINITE = /^(?:the|der|die|das|le|la|les|l')\s/i;

/** `The talk is called …` goes where the part before it went that was for a time. */
function withLeaning<F extends StatedFact>(standings: readonly Standing<F>[]): readonly Standing<F>[] {
  const byPart = new Map(standings.map((standing) => [`${standing.fact.id} ${standing.part}`, standing]));
  return standings.map((standing) => {
    if (standing.part === 0 || standing.place !== 'now') return standing;
    if (!DEFINITE.test(standing.text) && !hasSign('unfinished', standing.text)) return standing;
    const { place, from, to, ending } = byPart.get(`${standing.fact.id} ${standing.part - 1}`) ?? standing;
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
  const later = new Later(holding.map(({ claim }) => claim));
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
    return new Claim(fact, { text, part, parts: parts.length, ...own }, slugOf, day);
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

interface ClaimPart {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  readonly from: Day | null;
  readonly to: Day | null;
  readonly isPeriod: boolean;
}

interface Known<F extends StatedFact> {
  readonly by: Claim<F> | undefined;
  readonly first: Day | undefined;
  readonly done: Done<F>;
}

type Placed = Pick<Standing<StatedFact>, 'place' | 'from' | 'to' | 'ending' | 'changesOn'>;

/** A part of a fact, with what is read of it. */
export class Claim<F extends StatedFact> extends Told {
  readonly nature: Nature;
  private nouns: ReadonlyMap<string, string> | undefined;
  private turned: boolean | undefined;

  constructor(
    readonly source: F,
    readonly piece: ClaimPart,
    slugOf: (name: string) => string,
    day: Day,
  ) {
    const { text, from, to, isPeriod } = piece;
    // What one observes and what one knows of the world replace each other.
    const kind = source.kind === 'observation' ? 'world' : source.kind;
    super({ ...source, kind, text, period: isPeriod ? { from, to } : null, mentions: to }, slugOf, day);
    this.nature = natureOf(text);
  }

  standing(day: Day, passingDays: number, { by, first, done }: Known<F>): Standing<F> {
    const { source: fact, piece } = this;
    const { text, part, parts } = piece;
    const placed = this.placeOn(day, passingDays, by, done.isDone(this));
    const isDated = placed.from !== null || placed.place === 'planned';
    const since = isDated ? placed.from : placed.place === 'lately' ? fact.day : (first ?? fact.day);
    const replacedBy = placed.ending === 'replaced' ? (by?.source ?? null) : null;
    return { fact, text, part, parts, ...placed, from: since, by: replacedBy, lastSaid: fact.day, against: [] };
  }

  private placeOn(day: Day, passingDays: number, by: Claim<F> | undefined, isDone: boolean): Placed {
    const over = this.happened();
    if (over !== undefined) return over;
    if (isDone) return this.at('nowhere');
    return this.aheadOn(day, by !== undefined) ?? this.heldUntil(day, by) ?? this.openOn(day, passingDays);
  }

  private at(place: StandingPlace, more: Partial<Placed> = {}): Placed {
    const { from, to } = this.piece;
    return { place, from, to, ending: null, changesOn: null, ...more };
  }

  /** Dated after the day on which it was told. */
  private get isAhead(): boolean {
    const { from } = this.piece;
    const { day } = this.source;
    return !this.nature.isHabit && from !== null && day !== null && from > day;
  }

  /** What happened, and what was once. */
  private happened(): Placed | undefined {
    const { nature, piece, source } = this;
    if (source.kind === 'experience') return this.at('lately', { from: source.day, to: null });
    if (nature.isPlan || this.isAhead) return undefined;
    const isDatedName = nature.isName && nature.type === 'state' && !nature.isHabit;
    const isEvent = nature.type === 'event' || (isDatedName && piece.from !== null && !piece.isPeriod);
    if (isEvent) return this.at('lately', { from: dateOf(piece, source.day), to: null });
    return nature.type === 'past' ? this.at('before', { ending: 'past' }) : undefined;
  }

  /** What begins later. */
  private aheadOn(day: Day, isReplaced: boolean): Placed | undefined {
    const { from, to, isPeriod } = this.piece;
    if (from === null || from <= day) return undefined;
    if (this.nature.isHabit && !isPeriod) return isReplaced ? undefined : this.at('now');
    const changesOn = isPeriod ? from : addDays(to ?? from, 1);
    return isReplaced ? this.at('nowhere') : this.at('planned', { changesOn });
  }

  /** What has a written or a known end. */
  private heldUntil(day: Day, by: Claim<F> | undefined): Placed | undefined {
    const { nature, piece } = this;
    const { from, to, isPeriod } = piece;
    if (by !== undefined) return this.at('before', { to: by.beginning(), ending: 'replaced' });
    // An appointment: it leaves on the day after.
    if (this.isAhead && !isPeriod && !nature.isPassing) {
      const last = to ?? from ?? day;
      if (last >= day) return this.at('planned', { changesOn: addDays(last, 1) });
      return nature.isPlan ? this.at('nowhere') : this.at('before', { ending: 'ended' });
    }
    if (!isPeriod || to === null) return undefined;
    if (to >= day) return this.at('now', { changesOn: addDays(to, 1) });
    return this.at(nature.isWish ? 'nowhere' : 'before', { ending: 'ended' });
  }

  /** What has no end that is known. */
  private openOn(day: Day, passingDays: number): Placed {
    const { nature, piece, source } = this;
    if (nature.isPassing) return this.passingOn(day, passingDays);
    if (!nature.isPlan || piece.isPeriod) return this.at('now');
    if (piece.from === null) return this.at('planned');
    const isOver = (piece.to ?? piece.from) < day && (source.day ?? piece.from) <= piece.from;
    return this.at(isOver ? 'nowhere' : 'now');
  }

  /** A state that passes holds for its written time, else for so many days after it was last said. */
  private passingOn(day: Day, passingDays: number): Placed {
    const told = this.source.day;
    if (told === null) return this.at('now');
    const { to } = this.piece;
    const last = to !== null && to > told ? to : addDays(told, this.nature.lasts ?? passingDays);
    if (last >= day) return this.at('now', { changesOn: addDays(last, 1) });
    return this.at(this.nature.isWish || this.nature.isUnfinished ? 'nowhere' : 'before', { ending: 'lapsed' });
  }

  /** `Drinks … again` ends `no longer drinks …`, and a move every home before it. */
  resumedBy(later: readonly Claim<F>[]): { readonly effect: 'replaces'; readonly by: Claim<F> } | undefined {
    const { day } = this.source;
    if (day === null) return undefined;
    const verb = STOPPED.exec(this.fact.text)?.[1];
    const [stem = ''] = verb === undefined ? [] : replacementTerms(verb);
    const matters = mattersOf(this.fact.text);
    if (verb === undefined && matters.length === 0 && this.named.size === 0) return undefined;
    const by = later.find((claim) => {
      if ((claim.source.day ?? '') <= day || !claim.isAboutSame(this) || claim.fact.text === this.fact.text)
        return false;
      if (claim.hasOtherOf(this) || matters.some((matter) => claim.turns(matter, this))) return true;
      return verb !== undefined && AGAIN.test(claim.fact.text) && claim.terms.has(stem);
    });
    return by === undefined ? undefined : { effect: 'replaces', by };
  }

  /** Whether it says that something else holds of a matter since: with another name in it, if both have one. */
  private turns({ told, turn }: Matter, earlier: Claim<F>): boolean {
    const { text } = this.fact;
    if (!told.test(text) || !turn.test(text) || this.statement.isOpen) return false;
    const [mine, theirs] = [this.names, earlier.names];
    return mine.length === 0 || theirs.length === 0 || !mine.some((name) => theirs.includes(name));
  }

  /** Whether it tells of a turn and has another name or number beside a noun of an earlier one: `joined the Harbour project`. */
  private hasOtherOf(earlier: Claim<F>): boolean {
    if (earlier.named.size === 0 || this.named.size === 0 || !this.isTurn) return false;
    if (![...earlier.named].some(([noun, value]) => (this.named.get(noun) ?? value) !== value)) return false;
    return !this.statement.isOpen && !isMany(this.statement.words) && !isMany(earlier.statement.words);
  }

  /** Read once: a claim is held against many. */
  private get named(): ReadonlyMap<string, string> {
    this.nouns ??= namedNouns(this.fact.text);
    return this.nouns;
  }

  private get isTurn(): boolean {
    this.turned ??= !this.nature.isPassing && (this.tellsOfChange || tellsOfTurn(this.fact.text));
    return this.turned;
  }

  private get names(): readonly string[] {
    return this.statement.clauses.flat().flatMap(({ text, isName }) => (isName ? [text] : []));
  }

  /** Something else was said later of a part of it that can't be divided: it goes whole. */
  outdatedBy(later: readonly Claim<F>[]): { readonly effect: 'replaces'; readonly by: Claim<F> } | undefined {
    const { day } = this.source;
    if (day === null || !this.mayContradict || this.statement.clauses.length < 2) return undefined;
    const by = later.find((claim) => (claim.source.day ?? '') > day && claim.mayContradict && claim.isOtherThan(this));
    return by === undefined ? undefined : { effect: 'replaces', by };
  }

  /** Whether it states what may be compared: no job's, and not only for a time. */
  get mayContradict(): boolean {
    return !this.source.isJob && !this.nature.isPassing && (this.fact.period?.to ?? null) === null;
  }

  /** Neither was said later, as far as is known. */
  isOfOneDay(other: Claim<F>): boolean {
    const [mine, theirs] = [this.source.day, other.source.day];
    return this !== other && (mine === null || theirs === null || mine === theirs);
  }

  /** When it began to hold. */
  beginning(): Day | null {
    const { from } = this.piece;
    const { day } = this.source;
    return from !== null && day !== null && from <= day ? from : day;
  }
}

/** The day of an event: the one that it names, when that is not after it was told. */
function dateOf({ from, to }: ClaimPart, told: Day | null): Day | null {
  if (from === null || (told !== null && from > told)) return told;
  // A month or a year is no day.
  return to === null || to === from || (told !== null && to <= told) ? from : told;
}

const STOPPED = /^(?:no longer|stopped|quit|gave up|does not|doesn't|has stopped)\s+(\w+)/i;
const AGAIN = /\b(?:again|once more|resumed|back to)\b/i;

const DONE_SHARE = 0.6;

/** What was only planned, thought of or open, and is told as done by a later fact. */
class Done<F extends StatedFact> {
  constructor(private readonly claims: readonly Claim<F>[]) {}

  isDone(claim: Claim<F>): boolean {
    const { nature, source } = claim;
    if (!(nature.isWish || nature.isUnfinished || (nature.isPlan && claim.piece.from === null))) return false;
    const wanted = [...claim.terms].filter((term) => !IDLE.has(term));
    if (wanted.length === 0) return false;
    return this.claims.some((other) => {
      if (other.source.id === source.id || (other.source.day ?? '') <= (source.day ?? '')) return false;
      if (other.nature.isWish || other.nature.isUnfinished) return false;
      const isAbout = [...claim.subject].some((slug) => other.subject.has(slug));
      const shared = wanted.filter((term) => other.terms.has(term)).length;
      return isAbout && shared >= Math.max(1, wanted.length * (nature.isUnfinished ? 0.5 : DONE_SHARE));
    });
  }
}

/** Terms that say how something is thought of, and not what. Stems. */
const IDLE: ReadonlySet<string> = new Set(
  'plan consid think hope might mayb perhap yet not intend want next year month week 打算 计划 考虑'.split(' '),
);
