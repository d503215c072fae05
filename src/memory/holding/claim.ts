import type { Day } from '../../base/clock.js';
import { addDays } from '../../language/time/calendar.js';
import { isHan } from '../../language/words/states.js';
import { replacementTerms } from '../supersession/ended-value.js';
import { Told } from '../supersession/supersession.js';
import { type Matter, mattersOf, namedNouns, tellsOfOne, tellsOfTurn } from './matters.js';
import { type Nature, natureOf } from './nature.js';
import { isOfOver, type Over, readOver, tellsOfSwap } from './over.js';
import { type Slots, slotsOf } from './slots.js';
import type { Standing, StandingPlace, StatedFact } from './stated.js';
import { isOfSameThing, isOfValue, isOrigin, putsOther, putsSomewhere, statesOther, valuesOf } from './values.js';

export interface ClaimPart {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  /** What happened is told right before it: `handed that over and chairs the Heritage committee`. */
  readonly isAfterEvent: boolean;
  readonly from: Day | null;
  readonly to: Day | null;
  readonly isPeriod: boolean;
}

/** What is known of a claim by the others. */
export interface Known<F extends StatedFact> {
  readonly by: Claim<F> | undefined;
  readonly first: Day | undefined;
  /** What it planned or left open is told as done. */
  readonly isDone: boolean;
  /** A value of it has been replaced in other words. */
  readonly isOutdated: boolean;
  /** It tells of an event that has put a value in the place of another: `got desk 22`. */
  readonly hasMade: boolean;
}

type Placed = Pick<Standing<StatedFact>, 'place' | 'from' | 'to' | 'ending' | 'changesOn'>;

/** A part of a fact, with what is read of it. */
export class Claim<F extends StatedFact> extends Told {
  readonly nature: Nature;
  private nouns: ReadonlyMap<string, string> | undefined;
  private turned: boolean | undefined;
  private told: readonly Matter[] | undefined;
  private stated: ReadonlySet<string> | undefined;
  private setting: boolean | undefined;
  private missing: readonly string[] | undefined;
  private relative: string | undefined;
  private finished: { readonly over: Over | undefined } | undefined;
  private emptied: { readonly slots: Slots | undefined } | undefined;

  constructor(
    readonly source: F,
    readonly piece: ClaimPart,
    slugOf: (name: string) => string,
    day: Day,
  ) {
    const { text, from, to, isPeriod } = piece;
    // What one observes and what one knows of the world replace each other.
    const kind = source.kind === 'observation' ? 'world' : source.kind;
    // Whom another part mentions is not whom this one is about.
    const entities = source.entities.filter((name) => !source.text.includes(`@${name}`) || text.includes(`@${name}`));
    super({ ...source, kind, entities, text, period: isPeriod ? { from, to } : null, mentions: to }, slugOf, day);
    this.nature = natureOf(text);
  }

  standing(day: Day, passingDays: number, known: Known<F>): Standing<F> {
    const { by, first } = known;
    const { source: fact, piece } = this;
    const { text, part, parts } = piece;
    const placed = this.placeOn(day, passingDays, known);
    const isDated = placed.from !== null || placed.place === 'planned';
    const since = isDated ? placed.from : placed.place === 'lately' ? fact.day : (first ?? fact.day);
    const replacedBy = placed.ending === 'replaced' ? (by?.source ?? null) : null;
    return { fact, text, part, parts, ...placed, from: since, by: replacedBy, lastSaid: fact.day, against: [] };
  }

  private placeOn(day: Day, passingDays: number, { by, isDone, isOutdated, hasMade }: Known<F>): Placed {
    const over = this.happened(hasMade);
    if (over !== undefined) return over;
    if (isDone) return this.at('nowhere');
    const placed = this.aheadOn(day, by !== undefined) ?? this.heldUntil(day, by);
    if (placed !== undefined) return placed;
    return isOutdated ? this.at('before', { ending: 'lapsed' }) : this.openOn(day, passingDays);
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
  private happened(hasMade: boolean): Placed | undefined {
    const { nature, piece, source } = this;
    if (source.kind === 'experience') return this.at('lately', { from: source.day, to: null });
    if (nature.isPlan || this.isAhead) return undefined;
    const isDatedName = nature.isName && nature.type === 'state' && !nature.isHabit;
    // `Has gone to Rome` until a day to come.
    const told = source.day ?? piece.to ?? '';
    const isStill = PERFECT.test(piece.text) && piece.isPeriod && piece.to !== null && piece.to > told;
    // `Farmhouse from 1880`
    const isOld = piece.from !== null && source.day !== null && piece.from < addDays(source.day, -LONG_AGO);
    const isEvent =
      (nature.type === 'event' && !isStill && !hasMade) ||
      (isDatedName && piece.from !== null && !piece.isPeriod && !isOld);
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
    if (by !== undefined) {
      const since = by.beginning();
      const isOver = isPeriod && to !== null && since !== null && to < since;
      return this.at('before', isOver ? { ending: 'ended' } : { to: since, ending: 'replaced' });
    }
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
    const end = later.find((claim) => claim.endsWhole(this));
    if (end !== undefined) return { effect: 'replaces', by: end };
    const verb = STOPPED.exec(this.fact.text)?.[1];
    const [stem = ''] = verb === undefined ? [] : replacementTerms(verb);
    const { matters } = this;
    const isBare = matters.length === 0 && this.named.size === 0 && this.values.size === 0;
    if (verb === undefined && isBare && !isHan(this.fact.text) && !HAS.test(this.fact.text)) return undefined;
    const by = later.find((claim) => {
      if ((claim.source.day ?? '') <= day || !claim.isAboutSame(this) || claim.fact.text === this.fact.text)
        return false;
      // What is to come ends nothing before it has.
      if (claim.isAhead && (claim.piece.from ?? '') > this.day) return false;
      if (claim.kin !== this.kin) return false;
      if (claim.hasLost(this)) return true;
      if (
        claim.hasOtherOf(this) ||
        claim.turnsValueOf(this) ||
        claim.fillsOther(this) ||
        matters.some((matter) => claim.turns(matter, this))
      )
        return true;
      return verb !== undefined && AGAIN.test(claim.fact.text) && claim.terms.has(stem);
    });
    return by === undefined ? undefined : { effect: 'replaces', by };
  }

  /** `Sold the piano` ends `plays the piano`. */
  private endsWhole(earlier: Claim<F>): boolean {
    if (this.swapsOut(earlier)) return true;
    const { over } = this;
    if (over === undefined || earlier.over !== undefined || earlier.nature.type === 'event') return false;
    if ((this.source.day ?? '') <= (earlier.source.day ?? '') || !this.isAboutSame(earlier)) return false;
    return isOfOver(over, earlier.fact.text, earlier.terms);
  }

  /** `Kafka换成Pulsar`, `replaced Kafka with Pulsar` */
  private swapsOut(earlier: Claim<F>): boolean {
    if ((this.source.day ?? '') <= (earlier.source.day ?? '') || !this.isAboutSame(earlier)) return false;
    return !this.statement.isOpen && earlier.nature.type !== 'event' && tellsOfSwap(this.fact.text, earlier.fact.text);
  }

  /** Whether it tells that something is over. */
  get isEnd(): boolean {
    return this.over !== undefined;
  }

  private get over(): Over | undefined {
    this.finished ??= { over: readOver(this.fact.text) };
    return this.finished.over;
  }

  /** `No longer has cats` is of `has a kiln and two cats`. */
  private hasLost(earlier: Claim<F>): boolean {
    this.missing ??= replacementTerms(LOST.exec(this.fact.text)?.[1] ?? '');
    return (
      this.missing.length > 0 && HAS.test(earlier.fact.text) && this.missing.every((term) => earlier.terms.has(term))
    );
  }

  /** Of whom it is where it begins with somebody's kin: `sister lives in Bonn`. */
  private get kin(): string {
    this.relative ??= KIN.exec(this.fact.text)?.[1]?.toLowerCase() ?? '';
    return this.relative;
  }

  /** Whether it says that something else holds of a matter since: with another name in it, if both have one. */
  private turns({ told, turn, single }: Matter, earlier: Claim<F>): boolean {
    const { text } = this.fact;
    const isSingle = single?.test(text) === true && single.test(earlier.fact.text);
    if (!told.test(text) || !(isSingle || turn.test(text)) || this.statement.isOpen) return false;
    const [mine, theirs] = [this.values, earlier.values];
    if (!turn.test(text) && (mine.size === 0 || theirs.size === 0)) return false;
    return mine.size === 0 || theirs.size === 0 || ![...mine].some((value) => theirs.has(value));
  }

  /** Whether it states another value around the same words, later: the earlier one is not known to hold. */
  isBeside(earlier: Claim<F>): boolean {
    if (!this.maySet || earlier.values.size === 0 || earlier.isOfMany || !this.isAboutSame(earlier)) return false;
    return (this.source.day ?? '') > (earlier.source.day ?? '') && statesOther(this, earlier);
  }

  /** Whether it states a value that others of its kind can't hold beside. */
  private get maySet(): boolean {
    this.setting ??=
      this.values.size > 0 &&
      this.nature.type !== 'event' &&
      !this.statement.isOpen &&
      this.mayContradict &&
      !this.isOfMany;
    return this.setting;
  }

  /** Whether it tells of a turn in what an earlier one names, with another value of the same sort: `got desk 22`. */
  private turnsValueOf(earlier: Claim<F>): boolean {
    if (!this.isTurn || this.statement.isOpen) return false;
    if (isOfSameThing(this.fact.text, earlier.fact.text)) return true;
    return !this.isOneOfMany(earlier) && putsOther(this, earlier, this.nature.type === 'event');
  }

  /** Whether it has another value in the same words and says that it is so since, or is of what one has one of: `plays for Hearts`. */
  private fillsOther(earlier: Claim<F>): boolean {
    const [mine, theirs] = [this.slots, earlier.slots];
    if (mine === undefined || mine.frame !== theirs?.frame || this.statement.isOpen) return false;
    // Of what the other words are, not of how it came about: `bought the house and is the landlady`.
    const isOfMany = this.isOfMany && earlier.isOfMany;
    if (!mine.isPlaced && (!this.isTurn || isOfMany)) return false;
    return ![...this.values].some((value) => earlier.values.has(value));
  }

  /** Whether it has a value that another one may come in the place of. */
  get mayFill(): boolean {
    const { nature, source, slots } = this;
    if (slots === undefined || source.isJob || nature.isPlan || nature.isHabit || nature.isPassing) return false;
    if (nature.type === 'event' ? !this.isTurn : nature.type === 'past') return false;
    return !isOrigin(this.fact.text) && !this.statement.isOpen && this.fact.period?.to == null;
  }

  /** Whether it was said later, of the same subject and matter, with no value in common. */
  isInPlaceOf(earlier: Claim<F>): boolean {
    if ((this.source.day ?? '') <= (earlier.source.day ?? '') || !this.isAboutSame(earlier)) return false;
    if ([...this.values].some((value) => earlier.values.has(value))) return false;
    const { matters } = this;
    return (
      matters.length === 0 || earlier.matters.length === 0 || matters.some((matter) => earlier.matters.includes(matter))
    );
  }

  /** It without its values. */
  get slots(): Slots | undefined {
    this.emptied ??= { slots: slotsOf(this.fact.text) };
    return this.emptied.slots;
  }

  private isOneOfMany(earlier: Claim<F>): boolean {
    return this.isOfMany || earlier.isOfMany;
  }

  /** Whether it was said of a value that has been replaced since, and may be of the same: with no other value, and of no other matter. */
  isOfValueOf(old: Claim<F>, by: Claim<F>): boolean {
    if (old === this || !this.isAboutSame(old) || this.nature.isHabit || isOrigin(this.fact.text)) return false;
    if ((this.source.day ?? '') >= (by.source.day ?? '')) return false;
    const { matters } = this;
    if (matters.length > 0 && old.matters.length > 0 && !matters.some((matter) => old.matters.includes(matter)))
      return false;
    return isOfValue(this, old, by);
  }

  private get matters(): readonly Matter[] {
    this.told ??= mattersOf(this.fact.text);
    return this.told;
  }

  /** Its names and numbers. */
  get values(): ReadonlySet<string> {
    this.stated ??= valuesOf(this.fact.text);
    return this.stated;
  }

  /** Whether it tells of a turn and has another name or number beside a noun of an earlier one: `joined the Harbour project`. */
  private hasOtherOf(earlier: Claim<F>): boolean {
    if (earlier.named.size === 0 || this.named.size === 0 || !this.isTurn) return false;
    if (![...earlier.named].some(([noun, value]) => (this.named.get(noun) ?? value) !== value)) return false;
    return !this.statement.isOpen && !this.isOfMany && !earlier.isOfMany;
  }

  /** Read once: a claim is held against many. */
  private get named(): ReadonlyMap<string, string> {
    this.nouns ??= namedNouns(this.fact.text);
    return this.nouns;
  }

  private get isTurn(): boolean {
    const { text } = this.fact;
    this.turned ??=
      !this.nature.isPassing &&
      (this.tellsOfChange ||
        this.piece.isAfterEvent ||
        tellsOfTurn(text) ||
        (this.nature.type !== 'state' && putsSomewhere(text)));
    return this.turned;
  }

  /** Whether it may end what has nothing but its matter in common with it. */
  get mayEnd(): boolean {
    return this.isTurn || this.over !== undefined || tellsOfOne(this.fact.text);
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

const KIN =
  /^(?:(?:his|her|their|my|the|seine?|ihre?|die|der|sa|son|su) )?((?:grand)?(?:mother|father)|mum|mom|dad|sister|brother|son|daughter|wife|husband|aunt|uncle|cousin|niece|nephew|parents|mutter|vater|schwester|bruder|sohn|tochter|frau|mann|eltern|oma|opa|mère|père|sœur|frère|fils|fille|madre|padre|hermana|hermano|妈妈|爸爸|父母|母亲|父亲|姐姐|妹妹|哥哥|弟弟|儿子|女儿|妻子|丈夫|奶奶|爷爷)(?![\p{Ll}-])/iu;
const PERFECT = /^(?:has|have|'s|gone|hat|ist)\b/i;
/** In days. */
const LONG_AGO = 366;
const HAS = /\b(?:has|have|owns|keeps)\b/i;
const STOPPED = /^(?:no longer|stopped|quit|gave up|does not|doesn't|has stopped)\s+(\w+)/i;
const LOST = /^no longer (?:has|owns|keeps) (.+)$/i;
const AGAIN = /\b(?:again|once more|resumed|back to)\b/i;
