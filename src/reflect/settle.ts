import type { Day } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { list, object, type ReportFields, type ReportOf } from '../base/report.js';
import { DRY_RUN_FIELD, type RequestFields, type RequestOf } from '../base/request.js';
import { readForgotten } from '../index/forgotten-page.js';
import { dayOfUnit, isHeading } from '../index/found.js';
import { resolveId } from '../index/query/ids.js';
import type { IndexSearch } from '../index/search.js';
import { DIRECTIONS, type Direction, EVIDENCE_PATH, type Verdict } from '../memory/evidence.js';
import { textHash } from '../memory/fact.js';
import { compareNewestFirst, isPartOfText } from '../memory/threads/threads.js';
import {
  type PairVerdict,
  PairVerdictStore,
  RELATIONS,
  type Relation,
  withoutForgottenWords,
} from '../memory/threads/verdicts.js';
import { editPage, type FileChange, readPageText } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { runWithLock } from '../workspace/lock.js';
import { FactReader, type ReflectFact, withLogDate } from './facts.js';
import { addLinesToText } from './run.js';
import type { SettleContext, SettledStatement } from './settle-belief.js';

export const SETTLE_REQUEST = {
  older: {
    type: 'text',
    required: true,
    place: 'argument',
    doc: 'id or place of the earlier statement, or a belief',
  },
  newer: { type: 'text', required: true, place: 'argument', doc: 'id or place of the later statement' },
  relation: {
    type: 'choice',
    noun: 'relation',
    choices: [...RELATIONS, ...DIRECTIONS],
    required: true,
    place: 'argument',
    doc: 'what the later one does to the earlier one',
  },
  over: {
    type: 'text',
    value: 'words',
    doc: 'with partly: the words of the earlier statement that are no longer true',
  },
  dryRun: DRY_RUN_FIELD,
} as const satisfies RequestFields;

export type SettleRequest = RequestOf<typeof SETTLE_REQUEST>;

export const SETTLED_PAIR = {
  verdict: object<PairVerdict | Verdict>(),
  earlier: object<SettledStatement>(),
  later: object<SettledStatement>(),
  changes: list<FileChange>(),
} satisfies ReportFields;

export type SettledPair = ReportOf<typeof SETTLED_PAIR>;

/** A fact, or a line of log text, whose subjects nobody has read. */
type JudgedStatement = SettledStatement & Pick<ReflectFact, 'path' | 'line'> & Partial<ReflectFact>;

/**
 * Stores a verdict of a person or agent about two facts of one subject, about lines of log text, or about a belief and a
 * fact. A person's verdict takes precedence over the verdicts of models and agents, also over verdicts that a later merge adds. Appends one line of
 * evidence, or none if the verdict exists.
 * @throws MemoryError `not_found` for an unknown id, `usage` for two statements that can't have this verdict, `busy`,
 * `conflict`
 */
export async function settlePair(
  context: SettleContext,
  request: SettleRequest,
  by: 'human' | 'agent' = 'human',
): Promise<SettledPair> {
  const { root, clock } = context;
  const { relation, over, dryRun = false } = request;
  if (isDirection(relation)) {
    if (over !== undefined) fail('usage', `--over works only with partly, not with ${relation}`, 'leave out --over');
    const { settleBelief } = await import('./settle-belief.js');
    return settleBelief(context, { belief: request.older, fact: request.newer, direction: relation, by, dryRun });
  }
  const forgotten = readForgotten(root).digest;
  const [earlier, later] = await context.readAll(async (search) => {
    const reader = new FactReader(search, (path) => readPageText(root, path));
    return [statementOf(request.older, search, reader), statementOf(request.newer, search, reader)] as const;
  });
  const day = checkOrder(earlier, later, request) ?? today(clock);
  checkOver(earlier, request);
  const words = over === undefined ? {} : { over };
  const isOfFacts = isFact(earlier) && isFact(later);
  const lines = isOfFacts ? {} : { lines: { fact: judgedLine(later), of: judgedLine(earlier) } };
  const said = { fact: later.id, of: earlier.id, relation, ...words, by, day, ...lines } as const;
  const settled = await runWithLock({ ...context, command: 'settle', dryRun }, () => {
    // One of the two statements may have been forgotten after they were read.
    if (readForgotten(root).digest !== forgotten) return undefined;
    let verdict: PairVerdict | undefined;
    const note = (before: string | null): string => {
      const book = new PairVerdictStore(before ?? '');
      const known = book.of(later.id, earlier.id);
      if (known?.by !== by || known.relation !== relation || known.over !== over || known.proposed !== undefined)
        book.add(said, clock.now().toISOString());
      verdict = book.of(later.id, earlier.id);
      return addLinesToText(before ?? '', book.lines());
    };
    const changes = [editPage(root, EVIDENCE_PATH, note, dryRun)];
    verdict ??= { ...said, at: clock.now().toISOString() };
    return { verdict, earlier: shown(earlier), later: shown(later), changes };
  });
  return settled ?? settlePair(context, request, by);
}

/** Removes the words of forgotten statements from the verdicts about them. Call it under the writer lock. */
export function removeForgottenFromEvidence(root: string, texts: readonly string[]): readonly FileChange[] {
  const change = editPage(root, EVIDENCE_PATH, (before) => before && withoutForgottenWords(before, texts));
  return change.before === change.after ? [] : [change];
}

function isDirection(relation: Relation | Direction): relation is Direction {
  return DIRECTIONS.some((one) => one === relation);
}

function statementOf(given: string, search: IndexSearch, reader: FactReader): JudgedStatement {
  const id = resolveId(search, given);
  const unit = id.startsWith('l-') ? search.logLine(id) : undefined;
  if (unit !== undefined && !isHeading(unit)) {
    const { text, line, file } = unit;
    return { id, text, day: dayOfUnit(unit), path: file.path, line, source: `${file.path}#L${line}` };
  }
  const fact = reader.byId(id);
  if (fact !== undefined) return withLogDate(fact);
  if (/^[ol]-/.test(id))
    return fail(
      'usage',
      `${id} is not a statement of a log`,
      'use the ids of two facts (f-…), or of lines (l-…); find them with: openclaw memory recall QUESTION --json',
    );
  return fail(
    'not_found',
    `there is no fact with the id ${id}`,
    'find the ids with recall --json, or with entity show NAME --all --json',
  );
}

/**
 * Checks that both facts have a common subject, and that one statement is later.
 * @returns the day of the later one; null for a line of log text without a day
 */
function checkOrder(
  earlier: JudgedStatement,
  later: JudgedStatement,
  { older, newer, relation }: SettleRequest,
): Day | null {
  if (earlier.id === later.id)
    return fail('usage', `you gave the same statement twice: ${earlier.id}`, 'use the ids of two different ones');
  if (isFact(earlier) && isFact(later) && !earlier.subjects.some((subject) => later.subjects.includes(subject)))
    return fail(
      'usage',
      `the facts are about different subjects: ${subjectsOf(earlier)} and ${subjectsOf(later)}`,
      'a fact can only replace a fact about the same subject; to change the other one, save a new fact about it',
    );
  if (later.day === null && !isFact(later)) return null;
  if (later.day === null)
    return fail(
      'usage',
      `${later.id} has no day (${later.source})`,
      'write the fact into a daily log, or add a date to it',
    );
  if (compareNewestFirst(later, earlier) < 0) return later.day;
  const [was, is] = [earlier, later].map(({ day, source }) => `${day ?? 'undated'} (${source})`);
  return fail(
    'usage',
    `the older statement must come first: ${older} is from ${was}, ${newer} from ${is}`,
    `openclaw memory settle ${newer} ${older} ${relation}`,
  );
}

function checkOver({ text }: JudgedStatement, { relation, over }: SettleRequest): void {
  if (relation !== 'partly') {
    if (over !== undefined)
      fail('usage', `--over works only with partly, not with ${relation}`, 'leave out --over, or use partly');
    return;
  }
  if (over === undefined)
    fail(
      'usage',
      'partly needs --over with the words that are no longer true',
      `use --over "…" with words of the older statement: ${text}`,
    );
  if (!isPartOfText(over, text))
    fail(
      'usage',
      `"${over}" is not a part of the older statement`,
      `copy some of its words exactly, but not all: ${text}`,
    );
}

function subjectsOf({ subjects, slugs, names }: ReflectFact): string {
  const named = subjects.map((slug) => names[slugs.indexOf(slug)] ?? slug);
  return named.length === 0 ? 'nobody' : named.map((name) => `@${name}`).join(' ');
}

function isFact(one: JudgedStatement | ReflectFact): one is ReflectFact {
  return one.subjects !== undefined;
}

function judgedLine({ path, text }: JudgedStatement) {
  return { path, text: textHash(text) };
}

function shown({ id, text, day, source }: JudgedStatement): SettledStatement {
  return { id, text, day, source };
}
