import type { PageSession } from '../page-data.js';
import { address, count, DATA } from './data.js';
import { type Child, el, longList, note, said, section, sourceLink } from './parts.js';

/** Conversations, the one written last first. */
export function sessions(): readonly Child[] {
  const { sessions: all } = DATA;
  const head = el('h1', {}, 'Sessions');
  if (all === null) return [head, note('They were left out of this page: ', el('code', {}, '--no-sessions'), '.')];
  if (all.length === 0)
    return [
      head,
      note('No conversation has been kept: ', el('code', {}, 'openclaw memory session import'), ' adds one.'),
    ];
  return [head, longList(all, 100, row)];
}

function row({ id, day, live, archived, memory }: PageSession): HTMLElement {
  const title = memory?.find((one) => one.title === 'Session Title')?.lines[0];
  const size = `${count(live, 'live message')}, ${archived.toLocaleString('en')} archived`;
  return el(
    'li',
    {},
    el('span', { class: 'day' }, day ?? ''),
    el('a', { class: 'text', dir: 'auto', href: address('session', id) }, title ?? id),
    title === undefined ? null : el('code', { class: 'source' }, id),
    el('em', { class: 'why' }, size),
  );
}

/** One of them: its Working Memory, its archives, and what was let go. */
export function session(id: string): readonly Child[] {
  const found = DATA.sessions?.find((one) => one.id === id);
  if (found === undefined) return [el('h1', {}, id), note('There is no session of this name on the page.')];
  const { day, live, archived, memory, archives, removed } = found;
  return [
    el('h1', {}, id),
    el(
      'p',
      { class: 'lead' },
      [day, count(live, 'live message'), `${archived} archived`].filter((one) => one).join(' · '),
    ),
    memory === null
      ? note('It has no Working Memory yet: openclaw memory session commit makes one.')
      : el('div', {}, ...memory.map(({ title, lines }) => section(title, longList(lines, 60, plainLine)))),
    archives.length === 0
      ? null
      : section('Archives', el('ul', { class: 'lines' }, ...archives.toReversed().map(archiveLine))),
    removed.length === 0
      ? null
      : section(
          'Let go by the guards',
          longList(removed.toReversed(), 40, ({ archive, section: of, item, reason }) =>
            el(
              'li',
              {},
              el('span', { class: 'day' }, archive),
              el('span', { class: 'text gone', dir: 'auto' }, item),
              el('em', { class: 'why' }, `${of}: ${reason}`),
            ),
          ),
        ),
  ];
}

function plainLine(text: string): HTMLElement {
  return el('li', {}, said(text));
}

function archiveLine({ id, state, day, messages, abstract, at }: PageSession['archives'][number]): HTMLElement {
  const size = messages === null ? '' : `, ${count(messages, 'message')}`;
  return el(
    'li',
    {},
    el('span', { class: 'day' }, day ?? id),
    el('span', { class: 'text', dir: 'auto' }, abstract === '' ? id : abstract),
    el('em', { class: 'why' }, `${state}${size}`),
    sourceLink(at),
  );
}
