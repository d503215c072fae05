import { compareText } from '../../base/order.js';
import { isDurableFact, isStandingRule } from '../../language/statements/durable.js';
import { tellsOfDoubt } from '../../language/statements/tenses.js';
import { daysBetween } from '../../language/time/calendar.js';
import { formatBullet } from '../../markdown/bullet.js';
import { kindLetter } from '../../markdown/fact-kinds.js';
import { isMarkedImportant, normaliseText, withoutMark } from '../../memory/fact.js';
import type { Clause } from '../../memory/statement/statement.js';
import type { ReflectFact } from '../facts.js';

/** Why a fact is on a page of durable facts. */
type PromotionReason = 'repeated' | 'long-lived' | 'important' | 'lasting';

export interface Promotion {
  /** The earliest fact that says so: it stands for all of them. */
  readonly fact: ReflectFact;
  readonly reason: PromotionReason;
}

/** A period of so many days makes a fact durable. */
const LONG_DAYS = 90;

/**
 * Whether a fact is durable: said on two days, marked as important, or of what is likely to matter in half a year.
 * Observations never are, nor is what passes, is only planned, or happened once and is over. Pure.
 * @param same every fact that says the same, itself included
 */
export function promotionOf(fact: ReflectFact, same: readonly ReflectFact[]): Promotion | undefined {
  if (fact.kind !== 'world' && fact.kind !== 'experience') return undefined;
  // Pages of the bank are somebody's choice already.
  if (fact.path.startsWith('bank/')) return undefined;
  const dated = same
    .filter(({ day }) => day !== null)
    .toSorted((a, b) => compareText(a.day ?? '', b.day ?? '') || compareText(a.id, b.id));
  const earliest = dated[0] ?? fact;
  if (isMarkedImportant(fact.text)) return { fact: earliest, reason: 'important' };
  if (tellsOfDoubt(fact.text) || fact.statement.every(hasEnd)) return undefined;
  if (new Set(dated.filter(({ isEvidence }) => isEvidence).map(({ day }) => day)).size >= 2)
    return { fact: earliest, reason: 'repeated' };
  if (fact.kind === 'experience') return isStandingRule(fact.text) ? { fact: earliest, reason: 'lasting' } : undefined;
  if (fact.statement.some((part) => part.isPlan || part.isEvent || part.isPast)) return undefined;
  if (isLongLived(fact)) return { fact: earliest, reason: 'long-lived' };
  return (fact.period === null || fact.period.to === null) && isDurableFact(fact.text)
    ? { fact: earliest, reason: 'lasting' }
    : undefined;
}

/** What holds for some days only. */
function hasEnd({ isPeriod, validFrom, validTo }: Clause): boolean {
  return isPeriod === true && validTo !== undefined && daysBetween(validFrom ?? validTo, validTo) < LONG_DAYS;
}

/** What two facts share that say the same. */
export function statementKey({ kind, slugs, text }: ReflectFact): string {
  return JSON.stringify([kind, [...slugs].sort(), normaliseText(text)]);
}

/** What has no end is long-lived when it has lasted as long: a fever has a `since`, too. */
function isLongLived({ period, day }: ReflectFact): boolean {
  if (period === null || period.from === null) return false;
  const until = period.to ?? day;
  return until !== null && daysBetween(period.from, until) >= LONG_DAYS;
}

const ID_AT_END = /^\s\^(f-[0-9a-z]{13})\s*$/;

/** The lines of a generated block by the ids of their facts; of a conflict, those of both sides. Pure. */
export function readDurable(content: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of content.split('\n')) {
    const id = ID_AT_END.exec(line.slice(line.lastIndexOf('^') - 1))?.[1];
    if (id !== undefined) lines.set(id, line);
  }
  return lines;
}

/** What a later fact has replaced of a durable one: a part of it by its words, or all. */
export interface StruckPart {
  readonly text: string;
  readonly by: ReflectFact;
}

/**
 * A durable fact as a view of it; what a later fact has replaced of it is struck, with the reason. Pure.
 * @param struck its replaced parts; its whole text for all of it
 */
export function durableLine({ id, kind, entities, text }: ReflectFact, struck: readonly StruckPart[]): string {
  const letter = kindLetter(kind);
  const bullet = (said: string) =>
    formatBullet({ kind: letter === '-' ? 'W' : letter, confidence: null, entities, text: withoutMark(said) });
  if (struck.length === 0) return `${bullet(text)} ^${id}`;
  const reasons = new Set(struck.map(({ by }) => `(replaced on ${by.day}: [${by.source}](../${by.source}) ${by.id})`));
  const left = struck.reduce((said, part) => said.replace(part.text, () => `~~${part.text}~~`), text);
  const line = struck.some((part) => part.text === text) ? `- ~~${bullet(text).slice(2)}~~` : bullet(left);
  return `${line} ${[...reasons].join(' ')} ^${id}`;
}
