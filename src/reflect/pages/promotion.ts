import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import { isDurableFact, statesLastingRule } from '../../language/statements/durable.js';
import { isUncertainStatement } from '../../language/statements/tenses.js';
import { daysBetween } from '../../language/time/calendar.js';
import { formatReplacedNote, formatSaidOnNote } from '../../line/generated.js';
import type { Clause } from '../../line/statement/statement.js';
import { formatBullet, kindLetter } from '../../markdown/bullet.js';
import { isMarkedImportant, normaliseText, withoutImportanceMark } from '../../memory/fact.js';
import type { ReflectFact } from '../facts.js';

/** Reason to promote a fact. */
type PromotionReason = 'repeated' | 'long-lived' | 'important' | 'lasting';

export interface Promotion {
  /** The earliest of the facts with the same words. It is promoted in place of all of them. */
  readonly fact: ReflectFact;
  readonly reason: PromotionReason;
}

/** A fact with a period of at least this number of days is durable. */
const LONG_DAYS = 90;

/**
 * Whether a fact is durable: stated on two days, marked as important, or likely to matter in half a year. Observations
 * are never durable, nor are temporary facts, plans, and single past events. Pure.
 * @param same all facts with the same words, including the fact itself
 */
export function findPromotion(fact: ReflectFact, same: readonly ReflectFact[]): Promotion | undefined {
  if (fact.kind !== 'world' && fact.kind !== 'experience') return undefined;
  // Do not promote facts of the bank: a person already put them on a curated page.
  if (fact.path.startsWith('bank/')) return undefined;
  const dated = same
    .filter(({ day }) => day !== null)
    .toSorted((a, b) => compareText(a.day ?? '', b.day ?? '') || compareText(a.id, b.id));
  const earliest = dated[0] ?? fact;
  if (isMarkedImportant(fact.text)) return { fact: earliest, reason: 'important' };
  if (isUncertainStatement(fact.text) || fact.statement.every(hasEnd)) return undefined;
  if (new Set(dated.filter(({ isEvidence }) => isEvidence).map(({ day }) => day)).size >= 2)
    return { fact: earliest, reason: 'repeated' };
  if (fact.kind === 'experience')
    return statesLastingRule(fact.text) ? { fact: earliest, reason: 'lasting' } : undefined;
  if (fact.statement.some((part) => part.isPlan || part.isEvent || part.isPast)) return undefined;
  if (isLongLived(fact)) return { fact: earliest, reason: 'long-lived' };
  return (fact.period === null || fact.period.to === null) && isDurableFact(fact.text)
    ? { fact: earliest, reason: 'lasting' }
    : undefined;
}

/** Whether a clause holds for a short period only. */
function hasEnd({ isPeriod, validFrom, validTo }: Clause): boolean {
  return isPeriod === true && validTo !== undefined && daysBetween(validFrom ?? validTo, validTo) < LONG_DAYS;
}

/** Key that facts with the same statement share. */
export function buildStatementKey({ kind, slugs, text }: ReflectFact): string {
  return JSON.stringify([kind, [...slugs].sort(), normaliseText(text)]);
}

/**
 * Whether the period of a fact is long. For a period without an end, only the days up to the day of the statement count.
 * So "ill since Monday" is not durable, although it has no end.
 */
function isLongLived({ period, day }: ReflectFact): boolean {
  if (period === null || period.from === null) return false;
  const until = period.to ?? day;
  return until !== null && daysBetween(period.from, until) >= LONG_DAYS;
}

const ID_AT_END = /^\s\^(f-[0-9a-z]{13})\s*$/;

/** The lines of a generated block by fact id. After a merge conflict: the lines of both sides. Pure. */
export function readDurableLines(content: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of content.split('\n')) {
    const id = ID_AT_END.exec(line.slice(line.lastIndexOf('^') - 1))?.[1];
    if (id !== undefined) lines.set(id, line);
  }
  return lines;
}

/** A part of a durable fact, or all of it, that a later fact has replaced or ended. */
export interface ReplacedPart {
  readonly text: string;
  readonly by: ReflectFact;
  readonly how: 'replaced' | 'ended';
}

/**
 * Renders a durable fact as a view. Strikes out the parts that are over and adds the reason. Pure.
 * @param struck its parts that are over; its whole text if all of it is
 * @param saidOn the day to name, if other statements of its thread stand beside it
 */
export function formatDurableLine(
  { id, kind, entities, text }: ReflectFact,
  struck: readonly ReplacedPart[],
  saidOn: Day | null,
): string {
  const letter = kindLetter(kind);
  const shown = { kind: letter === '-' ? 'W' : letter, confidence: null, entities } as const;
  const bullet = (said: string) => formatBullet({ ...shown, text: withoutImportanceMark(said) });
  if (struck.length === 0) return `${bullet(text)}${saidOn === null ? '' : ` ${formatSaidOnNote(saidOn)}`} ^${id}`;
  const reasons = new Set(struck.map(({ by, how }) => formatReplacedNote(by, how)));
  const left = struck.reduce((said, part) => said.replace(part.text, () => `~~${part.text}~~`), text);
  const line = struck.some((part) => part.text === text) ? `- ~~${bullet(text).slice(2)}~~` : bullet(left);
  return `${line} ${[...reasons].join(' ')} ^${id}`;
}
