import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { DRY_RUN, type RequestFields, type RequestOf } from '../base/request.js';
import { readForgotten } from '../index/forgotten-page.js';
import { resolveId } from '../index/query/ids.js';
import type { Search } from '../index/search.js';
import { byNewest, isProperPart } from '../memory/threads/threads.js';
import { PairBook, type PairVerdict, RELATIONS, withoutForgottenWords } from '../memory/threads/verdicts.js';
import { editPage, type FileChange, readPageText } from '../workspace/changes.js';
import { locked } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { datedByLog, FactReader, type ReflectFact } from './facts.js';
import { EVIDENCE_PATH, withAppendedLines } from './scope.js';

export const SETTLE = {
  older: { type: 'text', required: true, place: 'argument', doc: 'id or place of the earlier statement' },
  newer: { type: 'text', required: true, place: 'argument', doc: 'id or place of the later one' },
  relation: {
    type: 'choice',
    noun: 'relation',
    choices: RELATIONS,
    required: true,
    place: 'argument',
    doc: 'what the later one does to the earlier',
  },
  over: { type: 'text', value: 'words', doc: 'with partly: the words of the earlier one that are over' },
  dryRun: DRY_RUN,
} as const satisfies RequestFields;

export type SettleRequest = RequestOf<typeof SETTLE>;

export interface SettledPair {
  readonly verdict: PairVerdict;
  readonly earlier: SettledStatement;
  readonly later: SettledStatement;
  readonly changes: readonly FileChange[];
}

type SettledStatement = Pick<ReflectFact, 'id' | 'text' | 'day' | 'source'>;

/**
 * Stores a verdict of a person or agent about two statements of one subject. A person's verdict takes precedence over
 * those of models and agents, here and after merges. Appends one line of evidence, or none if the verdict exists.
 * @throws MemoryError `not_found` for an unknown id, `usage` for two statements that can't have this verdict, `busy`,
 * `conflict`
 */
export async function settlePair(
  context: WorkspaceContext & { readonly readAll: <T>(use: (search: Search) => Promise<T>) => Promise<T> },
  request: SettleRequest,
  by: 'human' | 'agent' = 'human',
): Promise<SettledPair> {
  const { root, clock } = context;
  const forgotten = readForgotten(root).digest;
  const [earlier, later] = await context.readAll(async (search) => {
    const reader = new FactReader(search, (path) => readPageText(root, path));
    return [factOf(request.older, search, reader), factOf(request.newer, search, reader)] as const;
  });
  const { relation, over, dryRun = false } = request;
  const day = checkOrder(earlier, later, request);
  checkOver(earlier, request);
  const words = over === undefined ? {} : { over };
  const said = { fact: later.id, of: earlier.id, relation, ...words, by, day } as const;
  const settled = await locked({ ...context, command: 'settle', dryRun }, () => {
    // One of the two statements may have been forgotten after they were read.
    if (readForgotten(root).digest !== forgotten) return undefined;
    let verdict: PairVerdict | undefined;
    const note = (before: string | null): string => {
      const book = new PairBook(before ?? '');
      const known = book.of(later.id, earlier.id);
      if (known?.by !== by || known.relation !== relation || known.over !== over)
        book.add(said, clock.now().toISOString());
      verdict = book.of(later.id, earlier.id);
      return withAppendedLines(before ?? '', book.lines());
    };
    const changes = [editPage(root, EVIDENCE_PATH, note, dryRun)];
    verdict ??= { ...said, at: clock.now().toISOString() };
    return { verdict, earlier: shown(earlier), later: shown(later), changes };
  });
  return settled ?? settlePair(context, request, by);
}

/** Removes the words of forgotten statements from the verdicts about them. Call it under the writer lock. */
export function dropWords(root: string, texts: readonly string[]): readonly FileChange[] {
  const change = editPage(root, EVIDENCE_PATH, (before) => before && withoutForgottenWords(before, texts));
  return change.before === change.after ? [] : [change];
}

function factOf(given: string, search: Search, reader: FactReader): ReflectFact {
  const id = resolveId(search, given);
  const fact = reader.byId(id);
  if (fact !== undefined) return datedByLog(fact);
  if (/^[ol]-/.test(id))
    return fail('usage', `${id} is no fact`, 'two facts are settled (f-…): entity show --all --json shows their ids');
  return fail('not_found', `no fact has the id ${id}`, 'recall --json and entity show --all --json show the ids');
}

/** Checks that both statements have a common subject, and that one is later. @returns the day of the later one */
function checkOrder(earlier: ReflectFact, later: ReflectFact, { older, newer, relation }: SettleRequest): Day {
  if (earlier.id === later.id) return fail('usage', `${earlier.id} is one statement`, 'give the ids of two');
  if (!earlier.subjects.some((subject) => later.subjects.includes(subject)))
    return fail(
      'usage',
      `they are of different subjects: ${subjectsOf(earlier)} and ${subjectsOf(later)}`,
      'what is said of one says nothing of the other; retain what changed about it as a fact of its own',
    );
  if (later.day === null)
    return fail('usage', `${later.id} has no day (${later.source})`, 'what a later statement does needs its day');
  if (byNewest(later, earlier) < 0) return later.day;
  const [was, is] = [earlier, later].map(({ day, source }) => `${day ?? 'undated'} (${source})`);
  return fail(
    'usage',
    `the older comes first: ${older} is of ${was}, ${newer} of ${is}`,
    `openclaw memory settle ${newer} ${older} ${relation}`,
  );
}

function checkOver({ text }: ReflectFact, { relation, over }: SettleRequest): void {
  if (relation !== 'partly') {
    if (over !== undefined) fail('usage', `--over is for partly, not for ${relation}`, 'leave it out, or say partly');
    return;
  }
  if (over === undefined)
    fail('usage', 'partly needs the words that are over', `--over "…", words of the older one: ${text}`);
  if (!isProperPart(over, text))
    fail('usage', `"${over}" is no part of the older one`, `its words as they stand, not all of them: ${text}`);
}

function subjectsOf({ subjects, slugs, names }: ReflectFact): string {
  const named = subjects.map((slug) => names[slugs.indexOf(slug)] ?? slug);
  return named.length === 0 ? 'nobody that is named' : named.map((name) => `@${name}`).join(' ');
}

function shown({ id, text, day, source }: ReflectFact): SettledStatement {
  return { id, text, day, source };
}
