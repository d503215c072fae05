import type { EntityHolds, HeldStatement } from '../../reflect/entity-holds.js';
import type { WaitingProposal } from '../../retain/proposals.js';
import type { PageSession, Waiting } from '../page-data.js';
import type { Places } from './places.js';

export interface WaitingInput {
  /** What holds, by the place of its entity. */
  readonly held: ReadonlyMap<number, EntityHolds>;
  readonly nameOf: (entity: number) => string;
  readonly sessions: readonly PageSession[];
  readonly proposals: readonly WaitingProposal[];
}

/** What somebody has to answer, to settle or to decide. */
export function collectWaiting({ held, nameOf, sessions, proposals }: WaitingInput, places: Places): Waiting {
  return {
    questions: [...questionsOf(held, nameOf, places), ...sessions.flatMap(openIssues)],
    contradictions: contradictionsOf(held, places),
    proposals: proposals.map(({ number, proposal, source }) => {
      const { action, text, reason } = proposal;
      return { number, action, text, reason, at: places.source(source) };
    }),
  };
}

/** Statements that are questions and hold still, each once. */
function questionsOf(held: WaitingInput['held'], nameOf: WaitingInput['nameOf'], places: Places): Waiting['questions'] {
  const found = new Map<string, Waiting['questions'][number]>();
  for (const [entity, { now, planned }] of held) {
    for (const { id, text, source } of [...now, ...planned]) {
      if (!/[?？]\s*$/.test(text) || found.has(id)) continue;
      found.set(id, { text: text.replace(/^question: /, ''), at: places.source(source), where: nameOf(entity) });
    }
  }
  return [...found.values()];
}

function openIssues({ id, memory }: PageSession): Waiting['questions'] {
  const issues = memory?.find(({ title }) => title === 'Open Issues')?.lines ?? [];
  return issues.map((text) => ({ text, at: null, where: id }));
}

function contradictionsOf(held: WaitingInput['held'], places: Places): Waiting['contradictions'] {
  const known = new Set<string>();
  const side = ({ text, source }: Pick<HeldStatement, 'text' | 'source'>) => ({ text, at: places.source(source) });
  return [...held].flatMap(([entity, { now }]) =>
    now.flatMap((one) => {
      // Two values of one day: nothing tells which is newer.
      const sides = [one, ...(one.earlier ?? []).filter(({ day }) => day === one.day)];
      const key = sides
        .map(({ source, text }) => `${source} ${text}`)
        .sort()
        .join('\n');
      if (sides.length === 1 || known.has(key)) return [];
      known.add(key);
      return [{ entity, sides: sides.map(side) }];
    }),
  );
}
