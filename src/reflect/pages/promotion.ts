import { compareText } from '../../base/order.js';
import { daysBetween } from '../../language/time/calendar.js';
import { formatBullet } from '../../markdown/bullet.js';
import { kindLetter } from '../../markdown/fact-kinds.js';
import { normaliseText } from '../../memory/fact.js';
import { natureOf } from '../../memory/holding/nature.js';
import { isMarkedImportant, withoutMark } from '../../memory/importance.js';
import type { ReflectFact } from '../facts.js';

/** Why a fact is on a page of durable facts. */
export type PromotionReason = 'repeated' | 'long-lived' | 'important' | 'lasting';

export interface Promotion {
  /** The earliest fact that says so: it stands for all of them. */
  readonly fact: ReflectFact;
  readonly reason: PromotionReason;
}

/**
 * What is likely to matter in half a year: roles, addresses, owners, what must and must not be, decisions, procedures.
 * English and Chinese.
 */
const MATTERS =
  /\b(?:owns?|owner|founder|founded|leads?|maintains?|maintainer|manages?|manager|head of|responsible|in charge|reports to|contact|works (?:at|for|as)|employed|engineer|doctor|lives? (?:in|at|near)|resides|address|located|based in|moved (?:to|into)|relocated|office at|born|birthday|allergic|married|must|may not|can ?not|can't|never|always|only|required|requires|forbidden|not allowed|at most|at least|no more than|limit|decided|decision|agreed|policy|rule|standard|instead of|stored (?:in|at)|hosted|runs on|pinned|procedure|steps?|before (?:any|every|each|you)|every time|password|code is|port|time ?zone|deadline|contract|price|costs)\b|负责|所有者|创始人|地址|住在|位于|搬到|必须|不得|不能|禁止|总是|从不|每次|决定|规定|流程|步骤|过敏|生日|密码|端口|上限|价格|合同/i;
/** A period of so many days makes a fact durable; so does one without an end. */
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
  const nature = natureOf(fact.text);
  if (nature.isPassing || nature.isWish) return undefined;
  if (new Set(dated.filter(({ isEvidence }) => isEvidence).map(({ day }) => day)).size >= 2)
    return { fact: earliest, reason: 'repeated' };
  if (fact.kind !== 'world' || nature.isPlan || nature.type === 'event' || nature.type === 'past') return undefined;
  if (isLongLived(fact)) return { fact: earliest, reason: 'long-lived' };
  return fact.period === null && MATTERS.test(fact.text) ? { fact: earliest, reason: 'lasting' } : undefined;
}

/** What two facts share that say the same. */
export function statementKey({ kind, slugs, text }: ReflectFact): string {
  return JSON.stringify([kind, [...slugs].sort(), normaliseText(text)]);
}

function isLongLived({ period }: ReflectFact): boolean {
  if (period === null || period.from === null) return false;
  return period.to === null || daysBetween(period.from, period.to) >= LONG_DAYS;
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
  const bullet = formatBullet({
    kind: letter === '-' ? 'W' : letter,
    confidence: null,
    entities,
    text: withoutMark(text),
  });
  if (by === undefined) return `${bullet} ^${id}`;
  return `- ~~${bullet.slice(2)}~~ (replaced on ${by.day}: [${by.source}](../${by.source}) ${by.id}) ^${id}`;
}
