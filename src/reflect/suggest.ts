import type { Proposal } from '../memory/proposals.js';
import type { Beliefs, Conviction } from './beliefs.js';
import type { OpinionReport } from './opinions.js';
import type { Promotion } from './promote.js';

/** A belief this sure, by evidence of so many days, may be worth a place in the core. */
const SURE = { confidence: 0.9, days: 5 } as const;

/** What a person may want to have in the core file: what was marked as important, and what is believed surely. Pure. */
export function suggestForCore(
  promoted: readonly Promotion[],
  reports: readonly OpinionReport[],
  beliefs: Beliefs,
  convictions: ReadonlyMap<string, Conviction>,
): readonly Proposal[] {
  const important = promoted
    .filter(({ fact, reason }) => reason === 'important' && fact.kind === 'world')
    .map(({ fact }): Proposal => {
      const text = about(fact.entities, fact.text);
      return { action: 'add', text, reason: 'marked as important', citations: [fact.source] };
    });
  const sure = reports.flatMap(({ id, evidence }): Proposal[] => {
    const [belief, conviction] = [beliefs.get(id), convictions.get(id)];
    if (belief === undefined || conviction === undefined || conviction.isRetired) return [];
    const days = conviction.steps.filter(({ supports }) => supports).length;
    if (conviction.confidence < SURE.confidence || days < SURE.days) return [];
    const reason = `believed at ${conviction.confidence.toFixed(2)} by evidence of ${days} days`;
    const citations = evidence.slice(-3).map(({ source }) => source);
    return [
      {
        action: 'add',
        text: about(belief.entities, belief.text),
        reason,
        citations: ['bank/opinions.md', ...citations],
      },
    ];
  });
  return [...important, ...sure];
}

function about(entities: readonly string[], text: string): string {
  const names = entities.filter((name) => !text.includes(`@${name}`)).map((name) => `@${name}`);
  return names.length === 0 ? text : `${names.join(' ')}: ${text}`;
}
