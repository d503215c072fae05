import {
  isPlanLine,
  readCitations,
  readEarlierStatement,
  readSectionTitle,
  withoutCitation,
} from '../../line/generated.js';
import type { PairJudge } from '../../memory/threads/verdicts.js';
import type { PageFactStatus } from '../entity-statuses.js';
import type { ReflectFact } from '../facts.js';
import type { SummaryLine } from './summary.js';

/**
 * A line that entered or left the section `Now` of an entity's page, with the reason. The line above the
 * section, and an earlier statement below a newer one, leave it when they are over.
 */
export interface NowChange {
  readonly path: string;
  readonly change: 'entered' | 'left';
  /** The line as it is on the page, without its citation. */
  readonly line: string;
  /** Id of the fact that the line shows. */
  readonly fact: string;
  readonly why:
    | 'said'
    | 'begun'
    | 'planned'
    | 'planned for today'
    | 'ended'
    | 'replaced'
    /** `newer`: the thread of the statement now begins with a newer statement. No judge has compared the two. */
    | 'newer'
    | 'hidden'
    | 'gone'
    | 'said elsewhere';
  /** Id of the later fact that replaced or ended the line's fact. With `newer`: id of the newer statement. */
  readonly by?: string;
  /** How the replacement or the end was found: by a date, by the words of the later fact, or by a judge. */
  readonly settledBy?: 'date' | 'words' | PairJudge;
}

interface NowChangesInput {
  readonly path: string;
  /** Text of the generated block before the run. `lines` are its lines after the run. */
  readonly before: string;
  readonly lines: readonly SummaryLine[];
  readonly standings: readonly PageFactStatus[];
  readonly hidden: ReadonlySet<string>;
  readonly today: string;
  /** Tells whether this run has read a fact for the first time. */
  readonly isNew: (fact: ReflectFact) => boolean;
}

/** Compares the section `Now` before and after the run: finds the lines that entered or left it. Pure. */
export function findNowChanges(input: NowChangesInput): readonly NowChange[] {
  const after = input.lines.map(({ text }) => text).join('\n');
  const [{ lines: was, earlier }, { lines: is, earlier: still }] = [nowLines(input.before), nowLines(after)];
  const entered = [...is].filter(([text]) => !was.has(text));
  const left = [...was].filter(([text]) => !is.has(text));
  const over = [...firstLine(input.before), ...earlier].filter(
    ([text, fact]) => !is.has(text) && !still.has(text) && standingOf(input, fact)?.place === 'before',
  );
  return [
    ...entered.map(([text, fact]) => enteredLine(input, text, fact)),
    ...[...left, ...over].map(([text, fact]) => leftLine(input, text, fact)),
    ...partsLeft(input, is),
  ];
}

function firstLine(content: string): readonly (readonly [line: string, fact: string])[] {
  const line = content.split('\n').find((one) => one.trim() !== '') ?? '';
  const fact = readCitations(line)[0]?.id;
  return fact === undefined || line.startsWith('- ') ? [] : [[withoutCitation(line), fact]];
}

/** The parts of lines that stay in the section, but that are struck since this run. */
function partsLeft(
  { path, before, standings }: NowChangesInput,
  is: ReadonlyMap<string, string>,
): readonly NowChange[] {
  const ids = new Set(is.values());
  return standings
    .filter(({ fact, place }) => place === 'now' && ids.has(fact.id))
    .flatMap(({ fact, struck, settledBy }) =>
      struck
        .filter(({ text }) => before.includes(text) && !before.includes(`~~${text}~~`))
        .map(({ text, by }): NowChange => {
          const at = { path, change: 'left', line: text, fact: fact.id } as const;
          if (by === null) return { ...at, why: 'ended', settledBy: settledBy ?? 'date' };
          return { ...at, why: 'replaced', by: by.id, ...(settledBy === null ? {} : { settledBy }) };
        }),
    );
}

/**
 * The list items of the section `Now` without their citations, each with the id of the first fact that it cites; and those
 * of earlier statements below them. Leaves out the note that lists hidden facts.
 */
function nowLines(content: string) {
  const [lines, earlier] = [new Map<string, string>(), new Map<string, string>()];
  let isNow = false;
  for (const written of content.split('\n')) {
    // Ignore `~~`, which a person or a later fact adds, and trailing blanks that a text editor left.
    const line = written.replaceAll('~~', '').trimEnd();
    const title = readSectionTitle(line);
    if (title !== undefined) isNow = title === 'Now';
    const fact = readCitations(line)[0]?.id;
    if (!isNow || fact === undefined) continue;
    const below = readEarlierStatement(withoutCitation(line.replace(/^ +- /, '')));
    if (line.startsWith('- ')) lines.set(withoutCitation(line.replace(/^- /, '')), fact);
    else if (below !== undefined) earlier.set(below, fact);
  }
  return { lines, earlier };
}

function standingOf({ standings }: NowChangesInput, fact: string): PageFactStatus | undefined {
  const ofFact = standings.filter((standing) => standing.fact.id === fact);
  const all = [...ofFact, ...standings.flatMap(({ earlier }) => earlier.filter((one) => one.fact.id === fact))];
  return all[0];
}

function enteredLine(input: NowChangesInput, line: string, fact: string): NowChange {
  const standing = standingOf(input, fact);
  const at = { path: input.path, change: 'entered', line, fact } as const;
  if (standing?.place === 'planned')
    return { ...at, why: standing.from === input.today ? 'planned for today' : 'planned' };
  return { ...at, why: standing !== undefined && !input.isNew(standing.fact) ? 'begun' : 'said' };
}

/** Builds the change for a line that left the section. */
function leftLine(input: NowChangesInput, line: string, fact: string): NowChange {
  const at = { path: input.path, change: 'left', line, fact } as const;
  if (input.hidden.has(fact)) return { ...at, why: 'hidden' };
  const standing = standingOf(input, fact);
  if (standing === undefined) return { ...at, why: 'gone' };
  const { by, settledBy } = standing;
  if (by !== null) return { ...at, why: 'replaced', by: by.id, ...(settledBy === null ? {} : { settledBy }) };
  const above = input.standings.find(({ earlier }) => earlier.includes(standing));
  if (above !== undefined) return { ...at, why: 'newer', by: above.fact.id };
  if (standing.ending !== null) return { ...at, why: 'ended', settledBy: settledBy ?? 'date' };
  // Only a date has passed: the day of a plan has come, or an event is over.
  const isDue = standing.place === 'lately' || (isPlanLine(line) && standing.place === 'now');
  if (isDue) return { ...at, why: 'ended', settledBy: 'date' };
  if (standing.place === 'nowhere') return { ...at, why: 'ended' };
  return { ...at, why: 'said elsewhere' };
}
