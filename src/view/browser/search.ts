import type { PageItem, PageSession } from '../page-data.js';
import { count, DATA, dayOf, FACT_KINDS, lazy, newestFirst } from './data.js';
import { address, type Child, el, itemLine, longList, note, section } from './parts.js';
import { type Found, ranked } from './ranked.js';

const MOST = 200;
/** Of what the best has of the question, what is shown beside it. */
const ENOUGH = 0.5;

/** What asks each list, made when somebody searches first; of lines equal ones are facts first, then the newest. */
const lists = lazy(() => {
  const rank = ({ kind }: PageItem): number => (FACT_KINDS.has(kind) ? 0 : kind === 'log' ? 2 : 1);
  const lines = [...DATA.items].sort((a, b) => rank(a) - rank(b) || newestFirst(a, b));
  const shown = DATA.entities.filter(({ holds }) => holds !== null);
  return {
    entities: ranked(shown, ({ name, aliases }) => [name, ...aliases].join('\n')),
    beliefs: ranked(DATA.beliefs, ({ text }) => text),
    sessions: ranked(DATA.sessions ?? [], wordsOf),
    proposals: ranked(DATA.waiting.proposals, ({ text, reason }) => `${text}\n${reason}`),
    commits: ranked(typeof DATA.commits === 'string' ? [] : DATA.commits, ({ subject }) => subject),
    lines: ranked(lines, (item) => `${item.text}\n${dayOf(item) ?? ''}`),
  };
});

/** What is asked for, in each list the best first: people and things, beliefs, sessions, then lines. */
export function search(wanted: string): readonly Child[] {
  if (wanted.trim() === '') return [el('h1', {}, 'Search'), note('Type what you look for.')];
  const all = lists();
  const asked = {
    entities: all.entities(wanted),
    beliefs: all.beliefs(wanted),
    sessions: all.sessions(wanted),
    proposals: all.proposals(wanted),
    commits: all.commits(wanted),
    lines: all.lines(wanted),
  };
  const best = Math.max(...Object.values(asked).map(([first]) => first?.share ?? 0));
  const near = <T>(some: readonly Found<T>[]): readonly T[] =>
    some.flatMap(({ item, share }) => (share >= ENOUGH * best ? item : []));
  const [entities, beliefs, sessions] = [near(asked.entities), near(asked.beliefs), near(asked.sessions)];
  const [proposals, commits, lines] = [near(asked.proposals), near(asked.commits), near(asked.lines)];
  const parts = [entities, beliefs, sessions, proposals, commits, lines];
  const found = parts.reduce((sum, { length }) => sum + length, 0);
  if (found === 0)
    return [
      el('h1', {}, 'Search'),
      note(
        'Nothing on this page has any of these words. ',
        el('code', {}, `openclaw memory recall ${quoted(wanted)}`),
        ' also knows times and other spellings.',
      ),
    ];
  return [
    el('h1', {}, `${count(found, 'result')}`),
    part('People and things', entities, ({ name, type }) => link(address('entity', name), name, type ?? '')),
    part('Beliefs', beliefs, ({ id, text, confidence }) => link(address('belief', id), text, confidence.toFixed(2))),
    part('Proposals', proposals, ({ text, reason }) => link(address('today'), text, reason)),
    part('Sessions', sessions, ({ id, day }) => link(address('session', id), id, day ?? '')),
    lines.length === 0
      ? null
      : section(
          'Lines',
          longList(lines.slice(0, MOST), 60, (item) => itemLine(item, true)),
        ),
    part('History', commits, ({ subject, day }) => link(address('timeline', day), subject, day)),
    lines.length > MOST ? note(`${count(lines.length - MOST, 'more line')}: another word narrows them.`) : null,
  ];
}

/** All that is shown of a session. */
function wordsOf({ id, memory, archives, removed }: PageSession): string {
  const lines = (memory ?? []).flatMap((section) => section.lines);
  const others = [...archives.map(({ abstract }) => abstract), ...removed.map(({ item }) => item)];
  return [id, ...lines, ...others].join('\n');
}

function part<T>(title: string, all: readonly T[], row: (one: T) => HTMLElement): HTMLElement | null {
  return all.length === 0 ? null : section(title, longList(all, 8, row));
}

function link(href: string, text: string, more: string): HTMLElement {
  return el('li', {}, el('a', { class: 'text', dir: 'auto', href }, text), el('em', { class: 'why' }, more));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
