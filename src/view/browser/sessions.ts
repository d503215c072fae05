import type { PageSession } from '../page-data.js';
import { formatCount, PAGE_DATA, pageAddress } from './data.js';
import * as ui from './parts.js';

/** List of sessions, last written first. */
export function sessionListPage(): readonly ui.ElementChild[] {
  const { sessions: all } = PAGE_DATA;
  const head = ui.createHtmlElement('h1', {}, 'Sessions');
  if (all === null)
    return [head, ui.noteText('This page was made without sessions: ', ui.codeText('--no-sessions'), '.')];
  if (all.length === 0)
    return [
      head,
      ui.noteText('There are no conversations yet. Add one with ', ui.codeText('openclaw memory session import'), '.'),
    ];
  return [head, ui.longList(all, 100, row)];
}

function row({ id, day, live, archived, memory }: PageSession): HTMLElement {
  const title = memory?.find((one) => one.title === 'Session Title')?.lines[0];
  const size = `${formatCount(live, 'live message')}, ${archived.toLocaleString('en')} archived`;
  return ui.listItem(
    ui.dayText(day ?? ''),
    ui.textLink(pageAddress('session', id), title ?? id),
    title === undefined ? null : ui.createHtmlElement('code', { class: 'source' }, id),
    ui.reasonText(size),
  );
}

/** Page of one session: its Working Memory, its archives, and removed items. */
export function sessionPage(id: string): readonly ui.ElementChild[] {
  const found = PAGE_DATA.sessions?.find((one) => one.id === id);
  if (found === undefined)
    return [ui.createHtmlElement('h1', {}, id), ui.noteText('There is no session with this name on this page.')];
  const { day, live, archived, memory, archives, removed } = found;
  return [
    ui.createHtmlElement('h1', {}, id),
    ui.leadText(ui.joinWithDots(day, formatCount(live, 'live message'), `${archived} archived`)),
    memory === null
      ? ui.noteText('It has no Working Memory yet. Make one with openclaw memory session commit.')
      : ui.createHtmlElement(
          'div',
          {},
          ...memory.map(({ title, lines }) =>
            ui.sectionWithTitle(
              title,
              ui.longList(lines, 60, (text) => ui.listItem(ui.statementText(text))),
            ),
          ),
        ),
    ui.listSection('Archives', archives.toReversed(), Number.POSITIVE_INFINITY, archiveLine),
    ui.listSection(
      'Dropped from the Working Memory',
      removed.toReversed(),
      40,
      ({ archive, section: of, item, reason }) => {
        const gone = ui.createHtmlElement('span', { class: 'text gone', dir: 'auto' }, item);
        return ui.listItem(ui.dayText(archive), gone, ui.reasonText(`${of}: ${reason}`));
      },
    ),
  ];
}

function archiveLine({ id, state, day, messages, abstract, at }: PageSession['archives'][number]): HTMLElement {
  const size = messages === null ? '' : `, ${formatCount(messages, 'message')}`;
  return ui.listItem(
    ui.dayText(day ?? id),
    ui.textWithoutLinks(abstract || id),
    ui.reasonText(state + size),
    ui.sourceLink(at),
  );
}
