import type { PageSession } from '../page-data.js';
import { address, count, DATA } from './data.js';
import {
  type Child,
  code,
  dotted,
  el,
  lead,
  li,
  longList,
  note,
  part,
  plain,
  said,
  section,
  sourceLink,
  textLink,
  why,
} from './parts.js';

/** Conversations, the one written last first. */
export function sessions(): readonly Child[] {
  const { sessions: all } = DATA;
  const head = el('h1', {}, 'Sessions');
  if (all === null) return [head, note('They were left out of this page: ', code('--no-sessions'), '.')];
  if (all.length === 0)
    return [head, note('No conversation has been kept: ', code('openclaw memory session import'), ' adds one.')];
  return [head, longList(all, 100, row)];
}

function row({ id, day, live, archived, memory }: PageSession): HTMLElement {
  const title = memory?.find((one) => one.title === 'Session Title')?.lines[0];
  const size = `${count(live, 'live message')}, ${archived.toLocaleString('en')} archived`;
  return li(
    el('span', { class: 'day' }, day ?? ''),
    textLink(address('session', id), title ?? id),
    title === undefined ? null : el('code', { class: 'source' }, id),
    why(size),
  );
}

/** One of them: its Working Memory, its archives, and what was let go. */
export function session(id: string): readonly Child[] {
  const found = DATA.sessions?.find((one) => one.id === id);
  if (found === undefined) return [el('h1', {}, id), note('There is no session of this name on the page.')];
  const { day, live, archived, memory, archives, removed } = found;
  return [
    el('h1', {}, id),
    lead(dotted(day, count(live, 'live message'), `${archived} archived`)),
    memory === null
      ? note('It has no Working Memory yet: openclaw memory session commit makes one.')
      : el(
          'div',
          {},
          ...memory.map(({ title, lines }) =>
            section(
              title,
              longList(lines, 60, (text) => li(said(text))),
            ),
          ),
        ),
    part('Archives', archives.toReversed(), Number.POSITIVE_INFINITY, archiveLine),
    part('Let go by the guards', removed.toReversed(), 40, ({ archive, section: of, item, reason }) => {
      const gone = el('span', { class: 'text gone', dir: 'auto' }, item);
      return li(el('span', { class: 'day' }, archive), gone, why(`${of}: ${reason}`));
    }),
  ];
}

function archiveLine({ id, state, day, messages, abstract, at }: PageSession['archives'][number]): HTMLElement {
  const size = messages === null ? '' : `, ${count(messages, 'message')}`;
  return li(el('span', { class: 'day' }, day ?? id), plain(abstract || id), why(state + size), sourceLink(at));
}
