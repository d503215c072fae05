import { compareText } from '../../base/order.js';
import { daysBetween } from '../../language/time/calendar.js';
import { formatBullet } from '../../markdown/bullet.js';
import { kindLetter } from '../../markdown/fact-kinds.js';
import { normaliseText } from '../../memory/fact.js';
import type { ReflectFact } from '../facts.js';

/** Why a fact is on a page of durable facts. */
export type PromotionReason = 'repeated' | 'long-lived' | 'important';

export interface Promotion {
  /** The earliest fact that says so: it stands for all of them. */
  readonly fact: ReflectFact;
  readonly reason: PromotionReason;
}

const IMPORTANT = /(?:^|\s)#important\b|\(important\)|^important[:：]|[⭐❗]|!!\s*$|^重要[:：]|（重要）/iu;
/** A validity of so many days makes a fact durable; so does one without an end. */
const LONG_DAYS = 30;

/**
 * Whether a fact is durable: said on two days, valid for long, or marked as important; observations never are. Pure.
 * @param same every fact that says the same, itself included
 */
export function promotionOf(fact: ReflectFact, same: readonly ReflectFact[]): Promotion | undefined {
  if (fact.kind !== 'world' && fact.kind !== 'experience') return undefined;
  const dated = same
    .filter(({ day }) => day !== null)
    .toSorted((a, b) => compareText(a.day ?? '', b.day ?? '') || compareText(a.id, b.id));
  const earliest = dated[0] ?? fact;
  if (new Set(dated.filter(({ isEvidence }) => isEvidence).map(({ day }) => day)).size >= 2)
    return { fact: earliest, reason: 'repeated' };
  if (IMPORTANT.test(fact.text)) return { fact: earliest, reason: 'important' };
  return isLongLived(fact) ? { fact: earliest, reason: 'long-lived' } : undefined;
}

/** What two facts share that say the same. */
export function statementKey({ kind, slugs, text }: ReflectFact): string {
  return JSON.stringify([kind, [...slugs].sort(), normaliseText(text)]);
}

function isLongLived({ validFrom, validTo }: ReflectFact): boolean {
  if (validFrom !== null && validTo === null) return true;
  return validFrom !== null && validTo !== null && daysBetween(validFrom, validTo) >= LONG_DAYS;
}

/** A line of a page of durable facts, by the id of its fact. */
export interface DurableLine {
  readonly id: string;
  readonly line: string;
}

/** The lines of a generated block; of a conflict, those of both sides. Pure. */
export function readDurable(content: string): readonly DurableLine[] {
  const lines = new Map<string, string>();
  for (const line of content.split('\n')) {
    const id = /\s\^(f-[0-9a-z]{13})\s*$/.exec(line)?.[1];
    if (id !== undefined) lines.set(id, line);
  }
  return [...lines].map(([id, line]) => ({ id, line }));
}

/** A durable fact as a view of it; one that a later fact has replaced is struck, with the reason. Pure. */
export function durableLine({ id, kind, entities, text }: ReflectFact, by: ReflectFact | undefined): string {
  const letter = kindLetter(kind);
  const bullet = formatBullet({ kind: letter === '-' ? 'W' : letter, confidence: null, entities, text });
  if (by === undefined) return `${bullet} ^${id}`;
  return `- ~~${bullet.slice(2)}~~ (replaced on ${by.day}: [${by.source}](../${by.source}) ${by.id}) ^${id}`;
}
