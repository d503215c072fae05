import type { Day } from '../../base/clock.js';
import { CJK, LETTER } from '../../language/scripts.js';
import { SMALL_WORDS } from '../../language/words/attributes.js';
import { mayTellOfNow, nowPattern } from '../../language/words/now.js';
import { wordSet } from '../../language/words/word-set.js';
import { type Judged, judgeByRules, prepare } from '../judge/rules.js';
import type { UnitKind } from '../unit.js';
import { isReplaced, type Replacement, readReplacement, replacementTerms } from './ended-value.js';
import { compareStatements, isMany } from './other-value.js';
import { edgeWords, readStatement, type Statement, tellsOfChange, tellsOfFuture } from './statement.js';
import { isAttribute } from './statement-word.js';

/** A fact as far as it matters for what replaces it. */
export interface DatedFact {
  readonly kind: UnitKind;
  /** When it was said, or last said; null when nobody knows. */
  readonly day: Day | null;
  /** Where it stands, for the order within a day. */
  readonly path: string;
  readonly line: number;
  /** Without leading entities. */
  readonly text: string;
  /** As written. */
  readonly entities: readonly string[];
  /** When it holds, if it states a period. */
  readonly period: { readonly from: Day | null; readonly to: Day | null } | null;
  /** The last day of a time that it only mentions. */
  readonly mentions?: Day | null;
}

/** "Thinks Tailwind is fine" and "dislikes Tailwind now" share one of two, the words of their stances apart; 喜欢辣的 and 讨厌辣的 one of three. */
const NEAR_SHARE = 0.33;
/** Stems of words by which an opinion is held, and which say nothing of what it is about. */
const HELD_BY = wordSet('want prefer like love hate dislik enjoi think need find believ favour favor');

/** Somebody says how a thing is. */
const JUDGES = /\b(?:thinks?|finds?|considers?|hält|findet|trouve|considère)\b|觉得|认为/i;

/** What a later fact does to an earlier one. */
type Effect = 'same' | 'replaces' | 'none';

/** A fact with what is read of it for telling what replaces it. Most of it is read only when something is near. */
export class Told {
  /** Whose or what's fact it is: the entities before its text. */
  readonly subject: ReadonlySet<string>;
  private said: Statement | undefined;
  private held: ReadonlySet<string> | undefined;
  private about: readonly string[] | undefined;
  private ended: { readonly replacement: Replacement | undefined } | undefined;
  private stance: Judged | undefined;
  private many: boolean | undefined;
  private ends: readonly [first: string, last: string] | undefined;
  private change: boolean | undefined;

  /**
   * @param slugOf the one slug of an entity, aliases resolved
   * @param day on which it is looked at: what is later does not count, and what was to come by then has come
   */
  constructor(
    readonly fact: DatedFact,
    slugOf: (name: string) => string,
    readonly day: Day,
  ) {
    this.subject = new Set(fact.entities.filter((name) => !mentions(fact.text, name)).map(slugOf));
  }

  get statement(): Statement {
    const [subject = ''] = this.subject.size === 1 ? this.subject : [];
    this.said ??= readStatement(this.fact.text, {
      attribute: isAttribute(subject) ? subject : undefined,
      isDue: this.isDue,
    });
    return this.said;
  }

  /** It is of what one may have several of. */
  get isOfMany(): boolean {
    this.many ??= isMany(this.statement.words);
    return this.many;
  }

  /** Whether the day that it names has come: a plan for it is one no more. */
  get isDue(): boolean {
    const { period, mentions } = this.fact;
    const begins = period === null ? mentions : period.from;
    return begins != null && begins <= this.day;
  }

  get terms(): ReadonlySet<string> {
    this.held ??= new Set(replacementTerms(this.fact.text));
    return this.held;
  }

  private get topic(): readonly string[] {
    this.about ??= [...this.terms].filter((term) => !HELD_BY.has(term));
    return this.about;
  }

  get replacement(): Replacement | undefined {
    this.ended ??= { replacement: readReplacement(this.fact.text) };
    return this.ended.replacement;
  }

  get judged(): Judged {
    const { text, entities } = this.fact;
    this.stance ??= prepare(mayTellOfNow(text) ? text.replace(nowPattern(), ' ') : text, entities);
    return this.stance;
  }

  /** Whether it may end what held before: it is dated, and begun if it is open-ended. */
  get counts(): boolean {
    const { kind, day, period } = this.fact;
    if (kind === 'experience' || day === null || day > this.day) return false;
    return period === null || period.to !== null || this.replacement !== undefined || (period.from ?? day) <= this.day;
  }

  /** Whether it holds for a time only, and so ends nothing. `Moved from March 3 to March 17` is no time. */
  private get isForATime(): boolean {
    return this.fact.period !== null && this.fact.period.to !== null && this.replacement === undefined;
  }

  /** What this fact does to an earlier one. */
  effectOn(earlier: Told): Effect {
    if (this.fact.kind !== earlier.fact.kind || !this.isLaterThan(earlier)) return 'none';
    const isSame = this.isAboutSame(earlier);
    if (!isSame && [...earlier.subject].every((slug) => !this.subject.has(slug))) return 'none';
    if (this.fact.text === earlier.fact.text) return 'same';
    const { replacement } = this;
    if (replacement !== undefined && isReplaced(earlier.terms, replacement))
      return this.statement.isOpen ? 'none' : 'replaces';
    return isSame ? this.comparedWith(earlier) : 'none';
  }

  private comparedWith(earlier: Told): Effect {
    const compared = this.mayHaveOther(earlier) ? compareStatements(earlier.statement, this.statement) : 'unsure';
    // `Is due by June 3` holds for no time: the date is what it says.
    if (this.isForATime && compared !== 'other date') return 'none';
    if (compared !== 'unsure') return compared === 'same' ? 'same' : 'replaces';
    if (this.fact.kind !== 'opinion') return 'none';
    if (this.tellsOfChange && this.isTurnedFrom(earlier)) return 'replaces';
    if (!this.isNear(earlier)) return 'none';
    const direction = judgeByRules(earlier.judged, this.judged);
    return direction === 'none' ? 'none' : direction === 'supports' ? 'same' : 'replaces';
  }

  /** Whether somebody has come to think otherwise of a thing: it was `a waste of money`, and they `love it now`. */
  private isTurnedFrom({ judged: { stance: was }, fact }: Told): boolean {
    const { stance } = this.judged;
    if (thingOf(was.topic) !== thingOf(stance.topic) || was.topic.size + stance.topic.size < 3) return false;
    return [fact, this.fact].every(({ text }) => JUDGES.test(text)) || isProperlyWithin(stance.topic, was.topic);
  }

  /** A cheap look before two statements are read: they begin or end alike, or the later one tells of a change. */
  private mayHaveOther({ edges: [first, last] }: Told): boolean {
    const [begins, stops] = this.edges;
    return begins === first || stops === last || this.tellsOfChange;
  }

  /** How it begins and ends: most facts that say something else of the same do so alike. */
  get edges(): readonly [first: string, last: string] {
    this.ends ??= edgeWords(this.fact.text);
    return this.ends;
  }

  get tellsOfChange(): boolean {
    this.change ??= tellsOfChange(this.fact.text) || (this.isDue && tellsOfFuture(this.fact.text));
    return this.change;
  }

  /** Whether one of two facts about the same states another value of what the other states, whichever came first. */
  isOtherThan(other: Told): boolean {
    if (!this.isAboutSame(other) || !(this.mayHaveOther(other) || other.mayHaveOther(this))) return false;
    const compared = [
      compareStatements(other.statement, this.statement),
      compareStatements(this.statement, other.statement),
    ];
    return compared.some((result) => result === 'other value' || result === 'other date');
  }

  isAboutSame({ subject }: Told): boolean {
    return this.subject.size === subject.size && isWithin(subject, this.subject);
  }

  /** Opinions of one thing share a good part of their words: judging two of them costs more than all else. */
  private isNear({ topic }: Told): boolean {
    const shared = this.topic.filter((term) => topic.includes(term)).length;
    return shared > 0 && shared >= NEAR_SHARE * Math.min(topic.length, this.topic.length);
  }

  /** On another day, or on the same one further down where it says that something has changed. */
  private isLaterThan({ fact: earlier }: Told): boolean {
    const { day, path, line } = this.fact;
    if (day === null || earlier.day === null) return false;
    if (day !== earlier.day) return day > earlier.day;
    return path === earlier.path && line > earlier.line && this.statement.isChange;
  }
}

/**
 * The fact that has replaced one: of the later facts about the same subject the newest decides that speaks of the same
 * attribute, so that a value which came back holds. Unsure is not replaced. Pure.
 * @param later the newest first, of those that {@link Told.counts | count}
 */
export function replacedBy<T extends Told>(earlier: Told, later: Iterable<T>): T | undefined {
  const found = effectOf(earlier, later);
  return found?.effect === 'replaces' ? found.by : undefined;
}

/** As {@link replacedBy}, also what says the same again. Pure. */
export function effectOf<T extends Told>(
  earlier: Told,
  later: Iterable<T>,
): { readonly effect: 'same' | 'replaces'; readonly by: T } | undefined {
  if (earlier.fact.kind === 'experience' || earlier.fact.day === null) return undefined;
  for (const fact of later) {
    const effect = fact === earlier ? 'none' : fact.effectOn(earlier);
    if (effect !== 'none') return { effect, by: fact };
  }
  return undefined;
}

/** The newest first; of one day those further down. */
export function newestFirst({ fact: a }: Told, { fact: b }: Told): number {
  const [dayA, dayB] = [a.day ?? '', b.day ?? ''];
  if (dayA !== dayB) return dayA > dayB ? -1 : 1;
  return b.line - a.line || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** Whether an entity of a fact is named inside its text, too: a look for what its bullet was read to have. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isMarked = text.charAt(at - 1) === '@' || text.charAt(at - 1) === '＠';
    if (isMarked && !NAME_CHARACTER.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

const NAME_CHARACTER = new RegExp(`[${LETTER}${CJK}-]`);

/** What an opinion is of: its first word, of which a quality says too little. */
function thingOf(topic: ReadonlySet<string>): string | undefined {
  const [first, second] = [...topic].filter((term) => !SMALL_WORDS.has(term));
  return first?.startsWith('axis') ? `${first} ${second}` : first;
}

function isProperlyWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return some.size < all.size && isWithin(some, all);
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const one of some) if (!all.has(one)) return false;
  return true;
}
