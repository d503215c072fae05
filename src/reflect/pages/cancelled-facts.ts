import { addToGroup } from '../../base/order.js';
import { termsInCancellations } from '../../memory/statement/ended-value.js';
import { contentTerms } from '../../memory/statement/terms.js';
import { termsAndDays } from '../../memory/threads/link-index.js';
import type { ReflectFact } from '../facts.js';

/** Minimum number of words that a fact without entities must share with its cancellation: no subject links the two. */
const MIN_SHARED = 2;
/** Minimum share of the words of a cancellation that the cancelled fact must have. */
const MIN_PART = 0.6;
/** A label such as `Decision:` in front of a text. */
const LABEL = /^[\s*_]*[^\s:：]+[:：]/u;
/** Terms of the words "decision" and "decided". They do not tell one decision from another. */
const DECISION = /^(?:decis|decid)/;

/** Terms of the things that a fact without entities says are cancelled; empty if it has entities or cancels nothing. Pure. */
export function readCancellations({ slugs, text, statement }: ReflectFact): readonly string[] {
  const isEnding = slugs.length === 0 && statement.some(({ ended }) => ended !== undefined);
  return isEnding ? withoutLabel(termsInCancellations(text), text) : [];
}

/** The facts without entities that cancel something, by the terms of what they cancel. */
export class Cancellations {
  private readonly byTerm = new Map<string, ReflectFact[]>();

  constructor(facts: readonly ReflectFact[]) {
    for (const fact of facts) for (const term of readCancellations(fact)) addToGroup(this.byTerm, term, fact);
  }

  /** The later facts that cancel a fact without entities. */
  of(fact: ReflectFact): readonly ReflectFact[] {
    if (this.byTerm.size === 0) return [];
    const said = new Set(fact.statement.flatMap(termsAndDays));
    const near = new Set([...said].flatMap((term) => this.byTerm.get(term) ?? []));
    return [...near].filter((later) => later.id !== fact.id && cancels(later, fact, said));
  }
}

function cancels(later: ReflectFact, { day, text }: ReflectFact, said: ReadonlySet<string>): boolean {
  if ((later.day ?? '') < (day ?? '')) return false;
  const cancelled = withoutLabel(readCancellations(later), text);
  const shared = cancelled.filter((term) => said.has(term)).length;
  return shared >= MIN_SHARED && shared >= MIN_PART * cancelled.length;
}

function withoutLabel(terms: readonly string[], text: string): readonly string[] {
  const label = LABEL.exec(text)?.[0];
  const own = new Set(label === undefined ? [] : contentTerms(label));
  return terms.filter((term) => !own.has(term) && !DECISION.test(term));
}
