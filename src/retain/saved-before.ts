import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { tryWithFallback } from '../base/failure.js';
import { readFileTree } from '../index/tree.js';
import { parseStatement } from '../line/statement/statement.js';
import { NO_TIME_READER } from '../line/validity.js';
import type { Bullet } from '../markdown/bullet.js';
import { normaliseText } from '../memory/fact.js';
import { pageOfPath } from '../memory/pages.js';
import { type ThreadFact, threadEntries } from '../memory/threads/threads.js';
import { decodeReadableText } from '../text/bytes.js';
import { entitySlug } from '../text/slug.js';
import { MAX_TEXT_FILE_BYTES, readVersion } from '../workspace/files.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { factsOfPage } from './near-duplicate.js';

interface Log {
  readonly path: string;
  readonly day: Day;
  readonly text: string;
  /** The text of the log, normalised for comparison. */
  readonly compared: string;
}

type Said = Pick<Bullet, 'entities' | 'text'>;

/**
 * The logs of all days except the day that is written to. Finds out whether a statement is already in one of them. Reads
 * every log once, at the first lookup.
 */
export class LogsOfOtherDays {
  #logs: readonly Log[] | undefined;

  constructor(
    private readonly context: WorkspaceContext,
    private readonly day: Day,
  ) {}

  /**
   * Id of the copy of a statement in another day's log; undefined if there is no copy that counts. A copy in a later log
   * always counts. A copy in an earlier log counts only if no later statement has replaced it. Otherwise the new statement
   * must be written. Example: "lives in Graz" was replaced by "lives in Vienna", and now he lives in Graz again.
   */
  copyOf(said: Said): string | undefined {
    this.#logs ??= logsBeside(this.context, this.day);
    const text = normaliseText(said.text);
    for (const log of this.#logs) {
      if (!log.compared.includes(text)) continue;
      const copy = factsOfPage(log.path, log.text).find((fact) => isSame(fact, said));
      if (copy !== undefined && (log.day > this.day || this.isNewest(said, log))) return copy.id;
    }
    return undefined;
  }

  /**
   * Whether the statement `said` in `log` still holds on the day that is written to. True if no statement in the logs
   * from that log's day up to this day supersedes it.
   */
  private isNewest(said: Said, { day }: Log): boolean {
    const about = keyOf(said.entities);
    const between = (this.#logs ?? []).filter((log) => log.day >= day && log.day <= this.day);
    const facts = between.flatMap((log) =>
      factsOfPage(log.path, log.text)
        .filter((fact) => keyOf(fact.entities) === about)
        .map((fact, line) => statedOf(fact, log, line)),
    );
    const strands = threadEntries(facts, { day: this.day });
    return facts.every(
      (fact) =>
        normaliseText(fact.text) !== normaliseText(said.text) ||
        (strands.get(fact) ?? []).every(
          ({ newerEntry }) => newerEntry === undefined || newerEntry.fact.text === fact.text,
        ),
    );
  }
}

function isSame(a: Said, b: Said): boolean {
  return normaliseText(a.text) === normaliseText(b.text) && keyOf(a.entities) === keyOf(b.entities);
}

function keyOf(entities: readonly string[]): string {
  return [...new Set(entities.map(entitySlug))].sort().join(' ');
}

function statedOf(
  { id, entities, text }: Said & { readonly id: string },
  { path, day }: Log,
  line: number,
): ThreadFact {
  const subjects = entities.map(entitySlug);
  return {
    id,
    kind: 'world',
    day,
    path,
    line,
    text,
    subjects,
    statement: parseStatement(text, day, NO_TIME_READER, []),
  };
}

/** The logs of all days except the day `but`. An unreadable log is treated as empty. */
function logsBeside({ root, reads }: WorkspaceContext, but: Day): readonly Log[] {
  return readFileTree(root, reads).files.paths.flatMap((path): readonly Log[] => {
    const { role, day = null } = pageOfPath(path) ?? {};
    if (role !== 'daily' || day === null || day === but) return [];
    const bytes = tryWithFallback(() => readVersion(join(root, path), MAX_TEXT_FILE_BYTES)?.bytes, undefined);
    const text = bytes === undefined ? '' : decodeReadableText(bytes);
    return [{ path, day, text, compared: normaliseText(text) }];
  });
}
