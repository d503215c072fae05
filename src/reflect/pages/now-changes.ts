import { ELSEWHERE } from '../../memory/threads/fact-status.js';
import type { PairJudge } from '../../memory/threads/verdicts.js';
import type { ReflectFact } from '../facts.js';
import type { PageFactStatus } from './entity-statuses.js';
import type { SummaryLine } from './summary.js';

/** A line that entered or left the section `Now` of an entity's page, with the reason. */
export interface NowChange {
  readonly path: string;
  readonly change: 'entered' | 'left';
  /** The line as written on the page, without its citation. */
  readonly line: string;
  /** Id of its fact. */
  readonly fact: string;
  readonly why:
    | 'said'
    | 'begun'
    | 'planned'
    | 'planned for today'
    | 'ended'
    | 'replaced'
    /** A newer statement of its thread is now above it. No judge has compared them. */
    | 'newer'
    | 'hidden'
    | 'gone'
    | 'said elsewhere'
    /** The line of its fact was split into parts, or its parts were joined into one line. */
    | 'divided'
    | 'joined';
  /** Id of the fact that replaced it or is newer; below, what decided that it was replaced or has ended. */
  readonly by?: string;
  readonly settledBy?: 'date' | 'words' | PairJudge;
}

export interface NowChangesInput {
  readonly path: string;
  /** Text of the block before the run. `lines` has those after it. */
  readonly before: string;
  readonly lines: readonly SummaryLine[];
  readonly standings: readonly PageFactStatus[];
  readonly hidden: ReadonlySet<string>;
  readonly today: string;
  /** Whether the run has read a fact for the first time. */
  readonly isNew: (fact: ReflectFact) => boolean;
}

/** Lines that entered or left the section `Now`. Pure. */
export function nowChanges(input: NowChangesInput): readonly NowChange[] {
  const after = input.lines.map(({ text }) => text).join('\n');
  const [was, is] = [nowLines(input.before), nowLines(after)];
  // The line that says who or what the entity is stands above the section.
  const [head, newHead] = [firstLine(input.before), firstLine(after)];
  const come = [...is].filter(([text]) => !was.has(text));
  const gone = [...was].filter(([text]) => !is.has(text));
  const entered = come.map(([text, fact]): NowChange => {
    const change = enteredLine(input, text, fact);
    return isWithin(text, fact, [...gone, ...head]) ? { ...change, why: 'divided' } : change;
  });
  const left = gone.map(([text, fact]): NowChange => {
    if (isWithin(text, fact, [...come, ...newHead])) return { ...leftLine(input, text, fact), why: 'joined' };
    const over = come.some((line) => isWithin(line[0], fact, [[text, fact]])) ? overPart(input, fact) : undefined;
    return leftLine(input, over?.text ?? text, fact, text);
  });
  return [...entered, ...left];
}

/** Whether a line is part of another line of the same fact. */
function isWithin(line: string, fact: string, others: readonly (readonly [line: string, fact: string])[]): boolean {
  // A line that was a plan before counts as begun, not as split.
  const lines = others.filter(([other, id]) => id === fact && other !== line && !other.startsWith('planned: '));
  const said = line.replaceAll(ELSEWHERE, '').trim().toLowerCase();
  return lines.some(([other]) => other.toLowerCase().includes(said));
}

/** The part of a fact that is no longer current, which is why the fact's line was split. */
function overPart({ standings }: NowChangesInput, fact: string): PageFactStatus | undefined {
  return standings.find((standing) => standing.fact.id === fact && standing.place !== 'now');
}

const CITATION = / \(\[[^\]]+\]\([^)]+\) f-[0-9a-z]{13}\)/g;

function firstLine(content: string): readonly (readonly [line: string, fact: string])[] {
  const line = content.split('\n').find((one) => one.trim() !== '') ?? '';
  const fact = /\bf-[0-9a-z]{13}\b/.exec(line)?.[0];
  return fact === undefined || line.startsWith('- ') ? [] : [[line.replace(CITATION, ''), fact]];
}

/**
 * Items of the section `Now`, without citations, with the id of the first fact that each cites. Skips the note of
 * hidden facts.
 */
function nowLines(content: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  let isNow = false;
  for (const written of content.split('\n')) {
    // Ignore `~~` that a person added, and trailing blanks that a text editor left.
    const line = written.replaceAll('~~', '').trimEnd();
    if (/^\*\*[^*]+\*\*$/.test(line)) isNow = line === '**Now**';
    const fact = /\bf-[0-9a-z]{13}\b/.exec(line)?.[0];
    if (isNow && line.startsWith('- ') && fact !== undefined)
      lines.set(line.replace(/^- /, '').replace(CITATION, ''), fact);
  }
  return lines;
}

function standingOf({ standings }: NowChangesInput, fact: string, line: string): PageFactStatus | undefined {
  const ofFact = standings.filter((standing) => standing.fact.id === fact);
  const all = [...ofFact, ...standings.flatMap(({ earlier }) => earlier.filter((one) => one.fact.id === fact))];
  return all.find(({ text }) => line.toLowerCase().includes(text.toLowerCase())) ?? all[0];
}

function enteredLine(input: NowChangesInput, line: string, fact: string): NowChange {
  const standing = standingOf(input, fact, line);
  const at = { path: input.path, change: 'entered', line, fact } as const;
  if (standing?.place === 'planned')
    return { ...at, why: standing.from === input.today ? 'planned for today' : 'planned' };
  return { ...at, why: standing !== undefined && !input.isNew(standing.fact) ? 'begun' : 'said' };
}

/** @param line text to find the status by; `written` is the whole line, if that differs */
function leftLine(input: NowChangesInput, line: string, fact: string, written = line): NowChange {
  const at = { path: input.path, change: 'left', line: written, fact } as const;
  if (input.hidden.has(fact)) return { ...at, why: 'hidden' };
  const standing = standingOf(input, fact, line);
  if (standing === undefined) return { ...at, why: 'gone' };
  const { by, settledBy } = standing;
  if (by !== null) return { ...at, why: 'replaced', by: by.id, ...(settledBy === null ? {} : { settledBy }) };
  const above = input.standings.find(({ earlier }) => earlier.includes(standing));
  if (above !== undefined) return { ...at, why: 'newer', by: above.fact.id };
  if (standing.ending !== null) return { ...at, why: 'ended', settledBy: settledBy ?? 'date' };
  // Only a date has passed: the day of a plan has come, or an event is over.
  const isDue = standing.place === 'lately' || (line.startsWith('planned: ') && standing.place === 'now');
  if (isDue) return { ...at, why: 'ended', settledBy: 'date' };
  if (standing.place === 'nowhere') return { ...at, why: 'ended' };
  return { ...at, why: 'said elsewhere' };
}
