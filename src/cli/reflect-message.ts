import { groupBy } from '../base/order.js';
import type { ReflectReport } from '../reflect/plan.js';
import { formatNumberOf } from './text.js';

type NowChange = ReflectReport['now'][number];

/** Maximum length of the first line of a commit's message, with `memory: `, in characters. */
const MOST_SUBJECT = 72;
/** Maximum number of lines in each section of the message. */
const MOST_LINES = 20;
/** Maximum lengths of a statement and of a line in the message, in characters. */
const MOST_CHARS = { statement: 160, line: 400 } as const;

/** Reasons for which a statement holds no more. For all others, it only moved on its page. */
const OVER: ReadonlySet<NowChange['why']> = new Set(['ended', 'replaced', 'newer', 'hidden', 'gone']);
const NEW: ReadonlySet<NowChange['why']> = new Set(['said', 'begun', 'planned', 'planned for today']);

/**
 * Names as many of some entities, at most three, as the first line of a message has room for: `Peter, harbor and 3 more`.
 * Empty if not even one fits.
 * @param used number of the characters that the rest of the line takes
 */
export function formatNames(names: ReadonlySet<string>, used: number): string {
  for (let shown = Math.min(3, names.size); shown > 0; shown--) {
    const left = names.size - shown;
    const said = `${[...names].slice(0, shown).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
    if (said.length + used <= MOST_SUBJECT) return said;
  }
  return '';
}

/**
 * The message of the commit of a run, without `memory: `: what the run is about, what came to hold, what holds no more,
 * and who settled it.
 */
export function formatReflectMessage(report: ReflectReport): string {
  const { now, settled, opinions, promoted } = report;
  const texts = new Map([
    ...settled.map(({ fact, later }) => [fact, later] as const),
    ...now.flatMap(({ change, fact, line }) => (change === 'entered' ? [[fact, line] as const] : [])),
  ]);
  const told = new Set(now.filter(isOver).map(({ fact }) => fact));
  const sections = [
    section(
      'Came to hold:',
      now.filter(({ change, why }) => change === 'entered' && NEW.has(why)).map((one) => `${lineOf(one)}${begun(one)}`),
    ),
    section('Holds no more:', [
      ...now.filter(isOver).map((one) => `${lineOf(one)} (${reasonOf(one, texts)})`),
      ...settled
        .filter(({ of }) => !told.has(of))
        .map(({ text, relation, over, later, by }) => {
          const part = over === undefined ? '' : ` in "${over}"`;
          return `${shorten(text)} (${relation}${part}, settled by ${by}: ${shorten(later)})`;
        }),
    ]),
    section(
      'Beliefs:',
      opinions.map(({ statement, entities, before, after, reason }) => {
        const from = before === null || before.toFixed(2) === after.toFixed(2) ? '' : `${before.toFixed(2)} → `;
        return `${from}${after.toFixed(2)} ${[entities.join(', '), shorten(statement)].filter(Boolean).join(': ')} (${reason})`;
      }),
    ),
    section(
      'Durable:',
      promoted.map(({ statement, reason }) => `${shorten(statement)} (${reason})`),
    ),
    section('Observed:', report.observed),
  ];
  return [subjectOf(report), ...sections].filter((part) => part !== '').join('\n\n');
}

/** Whom or what the run is about, those of whom most changed first, and how much it read and wrote. */
function subjectOf({ now, entities, opinions, facts, settled, proposals, written }: ReflectReport): string {
  const changed = [...now.map(({ path }) => nameOf(path)), ...opinions.flatMap((opinion) => opinion.entities)];
  const most = [...groupBy(changed, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
  const named = [...most.map(([name]) => name), ...entities.map(nameOf)];
  const counts = [
    count(facts, 'fact'),
    count(opinions.length, 'belief'),
    count(settled.length, 'verdict'),
    count(proposals.length, 'proposal'),
  ].filter((part) => part !== '');
  const what = counts.length > 0 ? counts.join(', ') : formatNumberOf(written.length, 'file');
  const names = formatNames(new Set(named), `memory: : ${what}`.length);
  return `${names === '' ? 'reflect' : names}: ${what}`;
}

function count(number: number, what: string): string {
  return number === 0 ? '' : formatNumberOf(number, what);
}

function isOver({ change, why }: NowChange): boolean {
  return change === 'left' && OVER.has(why);
}

function begun({ why }: NowChange): string {
  return why === 'begun' ? ' (begun)' : '';
}

function lineOf({ path, line }: NowChange): string {
  return `${nameOf(path)}: ${shorten(line)}`;
}

/** Why a statement holds no more, with the later statement and who settled it. */
function reasonOf({ why, by, settledBy }: NowChange, texts: ReadonlyMap<string, string>): string {
  const later = by === undefined ? '' : `: ${shorten(texts.get(by) ?? by)}`;
  const who = settledBy === undefined ? '' : `, settled by ${WHO[settledBy] ?? settledBy}`;
  return `${why === 'newer' ? 'nobody settled it; newer' : why}${who}${later}`;
}

const WHO: Readonly<Record<string, string>> = {
  date: 'its date',
  words: 'the words of the later fact',
  human: 'a person',
  agent: 'the calling agent',
};

function nameOf(path: string): string {
  return path.replace(/^bank\/entities\/|\.md$/g, '');
}

/** A text in one line without control characters, because git takes no NUL. */
function shorten(text: string, most: number = MOST_CHARS.statement): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const left = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => `- ${shorten(line, MOST_CHARS.line)}`);
  return [title, ...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}
