import { type BeliefStep, findDayOfStep, type PageBelief, withoutLeadingEntities } from '../page-data.js';
import { evidenceText, formatCount, PAGE_DATA, pageAddress, toDayNumber } from './data.js';
import { renderInline } from './markdown.js';
import * as ui from './parts.js';
import { contradictionRow, lineWithSource } from './rows.js';

const PLACES = { bank: null, retired: 'retired', log: 'only in a log' } as const;

/** List of beliefs with their confidence, and contradictions. */
export function beliefListPage(): readonly ui.ElementChild[] {
  const { beliefs: all } = PAGE_DATA;
  const head = ui.createHtmlElement('h1', {}, 'Beliefs');
  if (all.length === 0)
    return [
      head,
      ui.noteText('There are no beliefs yet. A fact that begins with ', ui.codeText('O(c=0.8)'), ' is one.'),
    ];
  const isThin = all.every(({ steps }) => steps.length === 0);
  return [
    head,
    isThin
      ? ui.noteText('Nobody has weighed any evidence yet. Run ', ui.codeText('openclaw memory reflect'), '.')
      : null,
    ui.longList(all, 120, beliefRow),
    ui.listSection('Contradictions', PAGE_DATA.waiting.contradictions, Number.POSITIVE_INFINITY, contradictionRow),
  ];
}

export function beliefRow(belief: PageBelief): HTMLElement {
  const { id, text, confidence, place, steps, more = 0 } = belief;
  const number = (direction: BeliefStep['direction']) => steps.filter((step) => step.direction === direction).length;
  const shown = `+${number('supports')} −${number('contradicts')}`;
  const evidence = steps.length === 0 ? null : more === 0 ? shown : `${shown} and ${more} more`;
  return ui.createHtmlElement(
    'li',
    { class: `belief ${place}` },
    ui.createHtmlElement('span', { class: 'c', title: 'confidence' }, confidence.toFixed(2)),
    ui.textLink(pageAddress('belief', id), withoutLeadingEntities(text)),
    belief.about.length === 0
      ? null
      : ui.createHtmlElement('span', { class: 'chips' }, ...belief.about.map((one) => ui.chip(ui.entityLink(one)))),
    ui.createHtmlElement('span', { class: 'why' }, ui.joinWithDots(PLACES[place], evidence)),
  );
}

/** One belief with every step of its confidence. */
export function beliefPage(id: string): readonly ui.ElementChild[] {
  const found = PAGE_DATA.beliefs.find((one) => one.id === id);
  if (found === undefined)
    return [ui.createHtmlElement('h1', {}, 'Beliefs'), ui.noteText(`There is no belief ${id} on this page.`)];
  const { text, confidence, place, prior, steps, at, more = 0 } = found;
  const [before, day] = prior ?? [];
  const from = before === undefined ? '' : `, starting from ${before.toFixed(2)}`;
  const since = day == null ? '' : ` (${day})`;
  return [
    ui.createHtmlElement('h1', { class: 'said', dir: 'auto' }, ...renderInline(text, { note: undefined })),
    ui.leadText(ui.joinWithDots(confidence.toFixed(2) + from + since, PLACES[place]), ui.sourceLink(at)),
    found.curve.length + steps.length === 0
      ? null
      : ui.createHtmlElement('figure', { class: 'curve' }, curve(found, 720, 220)),
    steps.length === 0
      ? ui.noteText('Nobody has weighed its evidence yet. Run openclaw memory reflect.')
      : ui.sectionWithTitle(
          `Evidence: ${formatCount(steps.length + more, 'fact')}`,
          ui.createHtmlElement(
            'ul',
            { class: 'lines steps' },
            ...steps.toReversed().map((step) => stepLine(step, found)),
          ),
          more === 0
            ? null
            : ui.noteText(`${formatCount(more, 'older fact')}: `, ui.codeText(`openclaw memory opinion why ${id}`)),
        ),
  ];
}

function stepLine(step: BeliefStep, belief: PageBelief): HTMLElement {
  const { direction, at, by = 'rules', counts = true } = step;
  const { curve: after } = belief;
  const day = findDayOfStep(PAGE_DATA.files, step);
  const reached = counts ? after.find(([one]) => one === day)?.[1].toFixed(2) : undefined;
  const mark = ui.createHtmlElement('span', { class: `tag ${direction}` }, `${SIGNS[direction]} ${reached ?? ''}`);
  const notes = [
    by === 'page' ? 'by hand' : by,
    counts ? null : by === 'page' ? 'in the starting value' : 'does not count',
  ]
    .filter((one) => one !== null)
    .join(', ');
  const said = evidenceText(step, belief);
  return lineWithSource(said, at, [day === null ? null : ui.dayLink(day), mark], ui.reasonText(notes));
}

const SIGNS = { supports: '+', contradicts: '−', none: '·' } as const;

/** Draws the confidence over time as steps, with a point for each piece of evidence. */
function curve(belief: PageBelief, width: number, height: number) {
  const { prior, curve: after, steps, confidence } = belief;
  const shown = steps.flatMap((step) => {
    const day = findDayOfStep(PAGE_DATA.files, step);
    return day !== null && (step.counts !== false || step.by === 'page') ? [{ step, day }] : [];
  });
  const days = [
    PAGE_DATA.today,
    ...after.map(([day]) => day),
    ...shown.map(({ day }) => day),
    prior?.[1] ?? PAGE_DATA.today,
  ].sort();
  const [first = PAGE_DATA.today, last = PAGE_DATA.today] = [days[0], days.at(-1)];
  const [from, to] = [toDayNumber(first), Math.max(toDayNumber(last), toDayNumber(first) + 1)];
  const start = prior?.[0] ?? confidence;
  const pad = { left: 34, right: 12, top: 10, bottom: 24 };
  const x = (day: string): number =>
    round(pad.left + ((toDayNumber(day) - from) / (to - from)) * (width - pad.left - pad.right));
  const y = (c: number): number => round(pad.top + (1 - c) * (height - pad.top - pad.bottom));
  const moves = after.map(([day, c]) => `H${x(day)}V${y(c)}`).join('');
  const path = `M${x(first)} ${y(start)}${moves}H${x(last)}`;
  const seen = new Map<string, number>();
  const points = shown.map(({ step, day }) => {
    const { direction } = step;
    const earlier = seen.get(day) ?? 0;
    seen.set(day, earlier + 1);
    const c = after.findLast(([one]) => one <= day)?.[1] ?? start;
    const place = { cx: x(day) + earlier * 9, cy: y(c), r: 4.5 };
    const title = ui.createSvgElement('title', {}, `${day}: ${evidenceText(step, belief)}`);
    return ui.createSvgElement('circle', { class: direction, ...place }, title);
  });
  const label = `confidence ${confidence.toFixed(2)} on ${last}, ${formatCount(shown.length, 'piece')} of evidence`;
  const shape = { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label };
  return ui.createSvgElement(
    'svg',
    { class: 'plot', ...shape },
    ...gridOf(width, y, pad, [first, last]),
    ui.createSvgElement('path', { d: path }),
    ...points,
  );
}

function gridOf(
  width: number,
  y: (c: number) => number,
  { left, right }: { readonly left: number; readonly right: number },
  [first, last]: readonly [string, string],
): readonly SVGElement[] {
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((c) => [
    ui.createSvgElement('line', { class: 'grid', x1: left, x2: width - right, y1: y(c), y2: y(c) }),
    ui.createSvgElement('text', { class: 'axis', x: left - 6, y: y(c) + 4, 'text-anchor': 'end' }, c.toFixed(2)),
  ]);
  const bottom = y(0) + 18;
  return [
    ...lines,
    ui.createSvgElement('text', { class: 'axis', x: left, y: bottom }, first),
    ui.createSvgElement('text', { class: 'axis', x: width - right, y: bottom, 'text-anchor': 'end' }, last),
  ];
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
