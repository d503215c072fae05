import { fail } from '../base/failure.js';
import { resolveId } from '../index/query/ids.js';
import type { IndexSearch } from '../index/search.js';
import { type Direction, EVIDENCE_PATH, type Verdict, VerdictStore } from '../memory/evidence.js';
import { PairVerdictStore, type Relation } from '../memory/threads/verdicts.js';
import { editPage, readPageText } from '../workspace/changes.js';
import { runWithLock } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { FactReader, type ReflectFact } from './facts.js';
import { addLinesToText, OPINIONS_PATH } from './run.js';

/** What a verdict of a person needs: the workspace, and an index in which every page was read. */
export interface SettleContext extends WorkspaceContext {
  readonly readAll: <T>(use: (search: IndexSearch) => Promise<T>) => Promise<T>;
}

/** A statement or belief, as `settle` shows it. */
export type SettledStatement = Pick<ReflectFact, 'id' | 'text' | 'day' | 'source'>;

interface BeliefSettling {
  readonly belief: string;
  readonly fact: string;
  readonly direction: Direction;
  readonly by: 'human' | 'agent';
  readonly dryRun: boolean;
}

/**
 * Stores a verdict of a person or agent about a fact and a belief. The next run of reflect counts it.
 * @throws MemoryError `not_found` for an unknown belief or fact, `busy`, `conflict`
 */
export async function settleBelief(context: SettleContext, given: BeliefSettling) {
  const { root, clock } = context;
  const { direction, by, dryRun } = given;
  const { belief, fact, weight } = await context.readAll(async (search) => {
    const reader = new FactReader(search, (path) => readPageText(root, path));
    const found = reader.byId(resolveId(search, given.fact));
    const shown = beliefOf(search, resolveId(search, given.belief));
    if (shown === undefined)
      return fail('not_found', `there is no belief with the id ${given.belief}`, 'see openclaw memory opinion list');
    if (found === undefined || found.day === null)
      return fail('not_found', `there is no fact of a day with the id ${given.fact}`, 'use the id of a fact in a log');
    const { id, text, day, source, confidence } = found;
    return { belief: shown, fact: { id, text, day, source }, weight: confidence };
  });
  const now = clock.now().toISOString();
  const said: Verdict = { fact: fact.id, opinion: belief.id, direction, by, day: fact.day, weight, at: now };
  return runWithLock({ ...context, command: 'settle', dryRun }, () => {
    const note = (before: string | null): string => {
      const book = new VerdictStore(before ?? '');
      const known = book.of(fact.id, belief.id);
      if (known?.by !== by || known.direction !== direction || known.proposed !== undefined) book.add(said);
      return addLinesToText(before ?? '', book.lines());
    };
    return { verdict: said, earlier: belief, later: fact, changes: [editPage(root, EVIDENCE_PATH, note, dryRun)] };
  });
}

function beliefOf(search: IndexSearch, id: string): SettledStatement | undefined {
  const unit = search.statements(id).find(({ file }) => file.path === OPINIONS_PATH);
  return unit && { id, text: unit.text, day: null, source: `${OPINIONS_PATH}#L${unit.line}` };
}

/** A verdict of a model that does not count until a person settles the pair, with the words of `settle` that take it. */
export interface ProposedVerdict {
  readonly older: SettledStatement;
  readonly newer: SettledStatement;
  readonly relation: Relation | Direction;
  readonly over?: string;
  readonly by: string;
  readonly at: string | null;
}

/** The proposals of models about which nobody has decided, the newest first. Leaves out those whose facts are gone. */
export async function listProposedVerdicts(context: SettleContext): Promise<readonly ProposedVerdict[]> {
  const text = readPageText(context.root, EVIDENCE_PATH) ?? '';
  if (!text.includes('"proposed"')) return [];
  const [beliefs, pairs] = [new VerdictStore(text).proposals(), new PairVerdictStore(text).proposals()];
  return context.readAll(async (search) => {
    const reader = new FactReader(search, (path) => readPageText(context.root, path));
    const shown = (id: string): SettledStatement | undefined => {
      const fact = reader.byId(id);
      return fact && { id, text: fact.text, day: fact.day, source: fact.source };
    };
    const listed = (
      older: SettledStatement | undefined,
      newer: SettledStatement | undefined,
      said: Omit<ProposedVerdict, 'older' | 'newer'>,
    ) => (older === undefined || newer === undefined ? [] : [{ older, newer, ...said }]);
    const found = [
      ...beliefs.flatMap(({ opinion, fact, proposed: relation, by, at }) =>
        relation === undefined ? [] : listed(beliefOf(search, opinion), shown(fact), { relation, by, at }),
      ),
      ...pairs.flatMap(({ of, fact, proposed: relation, over, by, at }) =>
        relation === undefined
          ? []
          : listed(shown(of), shown(fact), { relation, ...(over !== undefined && { over }), by, at }),
      ),
    ];
    return found.toSorted((a, b) => ((a.newer.day ?? '') < (b.newer.day ?? '') ? 1 : -1));
  });
}
