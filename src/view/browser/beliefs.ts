import type { BeliefStep, PageBelief } from '../page-data.js';
import { formatCount, PAGE_DATA, pageAddress } from './data.js';
import { renderInline } from './markdown.js';
import * as ui from './parts.js';
import { lineWithSource } from './rows.js';

/** The entities of a belief stand behind it. */
const LEADING_ENTITIES = /^(?:@\S+\s*)+[:：]\s*/u;

const PLACES = { bank: null, retired: 'retired', log: 'only in a log' } as const;

/** List of beliefs with their confidence. */
export function beliefListPage(): readonly ui.ElementChild[] {
  const { beliefs: all } = PAGE_DATA;
  const isNew = all.some(({ place }) => place === 'log');
  return [
    ui.html('h1', {}, 'Beliefs'),
    ui.leadText('The number says how sure a belief is, from 0 to 1.'),
    isNew
      ? ui.noteText(
          'Evidence for beliefs that are only in a log is found by ',
          ui.codeText('openclaw memory reflect'),
          '.',
        )
      : null,
    ui.longList(all, 120, beliefRow),
  ];
}

export function beliefRow(belief: PageBelief): HTMLElement {
  const { id, text, confidence, place, steps, more = 0 } = belief;
  const number = (direction: BeliefStep['direction']) => steps.filter((step) => step.direction === direction).length;
  const shown = `+${number('supports')} −${number('contradicts')}`;
  const evidence = steps.length === 0 ? null : more === 0 ? shown : `${shown} and ${more} more`;
  return ui.html(
    'li',
    { class: `belief ${place}` },
    ui.html('span', { class: 'c', title: 'confidence' }, confidence.toFixed(2)),
    ui.textLink(pageAddress('belief', id), text.replace(LEADING_ENTITIES, '')),
    belief.about.length === 0
      ? null
      : ui.html('span', { class: 'chips' }, ...belief.about.map((one) => ui.chip(ui.entityLink(one)))),
    ui.html('span', { class: 'why' }, ui.joinWithDots(PLACES[place], evidence)),
  );
}

/** One belief with every step of its confidence. */
export function beliefPage(id: string): readonly ui.ElementChild[] {
  const found = PAGE_DATA.beliefs.find((one) => one.id === id);
  if (found === undefined) return [ui.html('h1', {}, 'Beliefs'), ui.noteText(`There is no belief ${id} on this page.`)];
  const { text, confidence, place, prior, steps, at, more = 0 } = found;
  const [before, day] = prior ?? [];
  const from = before === undefined ? '' : `, starting from ${before.toFixed(2)}`;
  const since = day == null ? '' : ` (${day})`;
  return [
    ui.html('h1', { class: 'said', dir: 'auto' }, ...renderInline(text, { note: undefined })),
    ui.leadText(`${ui.joinWithDots(confidence.toFixed(2) + from + since, PLACES[place])} `, ui.sourceLink(at)),
    steps.length === 0
      ? ui.noteText('Nobody has weighed its evidence yet. Run openclaw memory reflect.')
      : ui.sectionWithTitle(
          `Evidence: ${formatCount(steps.length + more, 'fact')}`,
          ui.html('ul', { class: 'lines steps' }, ...steps.toReversed().map(stepLine)),
          more === 0
            ? null
            : ui.noteText(`${formatCount(more, 'older fact')}: `, ui.codeText(`openclaw memory opinion why ${id}`)),
        ),
  ];
}

function stepLine({ direction, text, at, day, by, reached, isAway }: BeliefStep): HTMLElement {
  const mark = ui.html('span', { class: `tag ${direction}` }, `${SIGNS[direction]} ${reached?.toFixed(2) ?? ''}`);
  const isByHand = by === 'page';
  const gone = isAway ? '(its source is away)' : isByHand ? 'cited on the page' : '(this fact no longer exists)';
  const counts = reached !== undefined ? null : isByHand ? 'in the starting value' : 'does not count';
  const notes = ui.reasonText([isByHand ? 'by hand' : by, counts].filter(Boolean).join(', '));
  return lineWithSource(text ?? gone, at, [day === null ? null : ui.dayLink(day), mark], notes);
}

const SIGNS = { supports: '+', contradicts: '−', none: '·' } as const;
