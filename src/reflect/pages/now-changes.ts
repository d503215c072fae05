import type { ReflectFact } from '../facts.js';
import type { FactStanding } from './entity-standings.js';
import type { SummaryLine } from './summary.js';

/** A line that came into the section of what holds on an entity's page, or left it, and why. */
export interface NowChange {
  readonly path: string;
  readonly change: 'entered' | 'left';
  /** As it stands or stood on the page, without its citation. */
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
    | 'passed'
    | 'hidden'
    | 'gone'
    | 'said elsewhere';
  /** Id of the fact that replaced it. */
  readonly by?: string;
}

export interface NowChangesInput {
  readonly path: string;
  /** The block as it was and as it is. */
  readonly before: string;
  readonly lines: readonly SummaryLine[];
  readonly standings: readonly FactStanding[];
  readonly hidden: ReadonlySet<string>;
  readonly today: string;
  /** Ids of the facts that are looked at for the first time. */
  readonly isNew: (fact: ReflectFact) => boolean;
}

/** Every line that entered or left what holds. Pure. */
export function nowChanges(input: NowChangesInput): readonly NowChange[] {
  const [was, is] = [nowLines(input.before), nowLines(input.lines.map(({ text }) => text).join('\n'))];
  const entered = [...is].filter(([text]) => !was.has(text)).map(([text, fact]) => enteredLine(input, text, fact));
  const left = [...was].filter(([text]) => !is.has(text)).map(([text, fact]) => leftLine(input, text, fact));
  return [...entered, ...left];
}

const CITATION = / \((?:last said on [^;]+; )?\[[^\]]+\]\([^)]+\) f-[0-9a-z]{13}\)/g;

/** The items of the section, without citations, with the id of the first fact that each cites; what it notes of hidden facts is none. */
function nowLines(content: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  let isNow = false;
  for (const written of content.split('\n')) {
    // As it was before a reader struck it, or an editor left blanks.
    const line = written.replaceAll('~~', '').trimEnd();
    if (/^\*\*[^*]+\*\*$/.test(line)) isNow = line === '**Now**';
    const fact = /\bf-[0-9a-z]{13}\b/.exec(line)?.[0];
    if (isNow && line.startsWith('- ') && fact !== undefined)
      lines.set(line.replace(/^- /, '').replace(CITATION, ''), fact);
  }
  return lines;
}

function standingOf({ standings }: NowChangesInput, fact: string, line: string): FactStanding | undefined {
  const ofFact = standings.filter((standing) => standing.fact.id === fact);
  return ofFact.find(({ text }) => line.toLowerCase().includes(text.toLowerCase())) ?? ofFact[0];
}

function enteredLine(input: NowChangesInput, line: string, fact: string): NowChange {
  const standing = standingOf(input, fact, line);
  const at = { path: input.path, change: 'entered', line, fact } as const;
  if (standing?.place === 'planned')
    return { ...at, why: standing.from === input.today ? 'planned for today' : 'planned' };
  return { ...at, why: standing !== undefined && !input.isNew(standing.fact) ? 'begun' : 'said' };
}

function leftLine(input: NowChangesInput, line: string, fact: string): NowChange {
  const at = { path: input.path, change: 'left', line, fact } as const;
  if (input.hidden.has(fact)) return { ...at, why: 'hidden' };
  const standing = standingOf(input, fact, line);
  if (standing === undefined) return { ...at, why: 'gone' };
  if (standing.by !== null) return { ...at, why: 'replaced', by: standing.by.id };
  if (standing.ending === 'lapsed') return { ...at, why: 'passed' };
  const isOver = standing.ending !== null || standing.place === 'nowhere' || standing.place === 'lately';
  if (isOver) return { ...at, why: 'ended' };
  if (line.startsWith('planned: ') && standing.place === 'now') return { ...at, why: 'ended' };
  return { ...at, why: 'said elsewhere' };
}
