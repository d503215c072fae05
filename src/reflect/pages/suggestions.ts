import { withoutImportanceMark } from '../../memory/fact.js';
import type { Proposal } from '../../memory/proposals.js';
import type { BeliefState, BeliefStore } from '../beliefs/beliefs.js';
import type { OpinionReport } from '../opinions.js';
import type { Promotion } from './promotion.js';

/** Minimum confidence, and number of days with supporting evidence, for a belief to be suggested for the core. */
const SURE = { confidence: 0.9, days: 5 } as const;

/** Suggestions for the core file: facts marked as important and well-supported beliefs. Pure. */
export function suggestCoreEntries(
  promoted: readonly Promotion[],
  reports: readonly OpinionReport[],
  beliefs: BeliefStore,
  convictions: ReadonlyMap<string, BeliefState>,
): readonly Proposal[] {
  const important = promoted
    .filter(({ fact, reason }) => reason === 'important' && fact.kind === 'world')
    .map(({ fact }): Proposal => {
      const text = about(fact.entities, withoutImportanceMark(fact.text));
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

/**
 * Two lengths of the core, as shares of its maximum length. If the core is longer than `from`, changes are suggested that
 * together would shorten it to `to`.
 */
const FULL = { from: 0.9, to: 0.8 } as const;
const MOST_MOVED = 3;
/** Shorten a line only if at most this share of it remains. */
const MOST_LEFT = 0.6;

/**
 * Suggestions to make room in a core file that is nearly full. They shorten its longest list items to the first
 * sentence. If an item can't be made much shorter, they suggest to move it out of the core. When a person accepts, the
 * whole line is kept where recall finds it. Pure.
 * @param budget in characters
 */
export function suggestCoreRemovals(path: string, core: string, budget: number): readonly Proposal[] {
  if (core.length <= budget * FULL.from) return [];
  const items = core
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => /^[-*+] \S/.test(line))
    .sort((a, b) => b.line.length - a.line.length || a.number - b.number);
  const reason = `the core has ${core.length} of ${budget} characters`;
  const proposals: Proposal[] = [];
  let left = core.length;
  for (const { line, number } of items.slice(0, MOST_MOVED)) {
    if (left <= budget * FULL.to) break;
    const short = shortened(line);
    const grounds = { reason, citations: [`${path}#L${number}`] };
    proposals.push(
      short === undefined
        ? { action: 'move-out', text: line, ...grounds }
        : { action: 'shorten', old: line, text: short, ...grounds },
    );
    left -= line.length - (short === undefined ? -1 : short.length);
  }
  return proposals;
}

/** The first sentence of a list item, if it has enough content and is much shorter than the item. */
function shortened(line: string): string | undefined {
  const first = /^[-*+] .{20,}?(?:[.!?](?=\s+[\p{Lu}\p{Lo}@])|[。！？](?=\s*\S))/u.exec(line)?.[0];
  return first !== undefined && first.length <= MOST_LEFT * line.length ? first : undefined;
}

function about(entities: readonly string[], text: string): string {
  const names = entities.filter((name) => !text.includes(`@${name}`)).map((name) => `@${name}`);
  return names.length === 0 ? text : `${names.join(' ')}: ${text}`;
}
