import type { PageItem, PageSession } from '../page-data.js';
import { count, DATA, dayOf, FACT_KINDS, lazy, newestFirst } from './data.js';
import { address, type Child, el, itemLine, longList, note, section } from './parts.js';

const MOST = 200;

/** Each item with its text as it is compared; the newest first, facts before log text. */
const searched = lazy(() => {
  const rank = ({ kind }: PageItem): number => (FACT_KINDS.has(kind) ? 0 : kind === 'log' ? 2 : 1);
  const sorted = [...DATA.items].sort((a, b) => rank(a) - rank(b) || newestFirst(a, b));
  return sorted.map((item) => ({ item, text: folded(`${item.text}\n${dayOf(item) ?? ''}`) }));
});

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** What has every word: people and things, beliefs, sessions, then lines. */
export function search(wanted: string): readonly Child[] {
  const asked = folded(wanted)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (asked.length === 0) return [el('h1', {}, 'Search'), note('Type what you look for.')];
  const has = (text: string): boolean => asked.every((word) => text.includes(word));
  const entities = DATA.entities.filter(
    ({ name, aliases, holds }) => holds && has(folded([name, ...aliases].join('\n'))),
  );
  const beliefs = DATA.beliefs.filter(({ text }) => has(folded(text)));
  const sessions = (DATA.sessions ?? []).filter((one) => has(folded(wordsOf(one))));
  const proposals = DATA.waiting.proposals.filter(({ text, reason }) => has(folded(`${text}\n${reason}`)));
  const commits = typeof DATA.commits === 'string' ? [] : DATA.commits.filter(({ subject }) => has(folded(subject)));
  const lines = searched().filter(({ text }) => has(text));
  const parts = [entities, beliefs, sessions, proposals, commits, lines];
  const found = parts.reduce((sum, { length }) => sum + length, 0);
  if (found === 0)
    return [
      el('h1', {}, 'Search'),
      note(
        'Nothing on this page has all of these words. ',
        el('code', {}, `openclaw memory recall ${quoted(wanted)}`),
        ' also knows stems and times.',
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
          longList(lines.slice(0, MOST), 60, ({ item }) => itemLine(item, true)),
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
