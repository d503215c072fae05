import type { PageEntity, PageItem } from '../page-data.js';
import { beliefRow } from './beliefs.js';
import { entityIndexByName, formatCount, PAGE_DATA, pageAddress } from './data.js';
import { itemsByEntity, mentionsOf } from './lines.js';
import { noteBody } from './notes.js';
import * as ui from './parts.js';
import { itemLine, statementSection, statementText } from './rows.js';
import { pageHistorySection } from './today.js';

/** List of entities, each with its newest statement. */
export function entityListPage(): readonly ui.ElementChild[] {
  const shown = PAGE_DATA.entities.filter(({ holds }) => holds !== null);
  const namesOf = ({ name, type, aliases }: PageEntity): string => [name, type ?? '', ...aliases].join('\n');
  const row = ({ name, type, mentions, holds }: PageEntity): HTMLElement => {
    const entry = ui.nameListRow(
      pageAddress('entity', name),
      name,
      type,
      ui.numberText(formatCount(mentions, 'mention')),
    );
    const latest = holds?.now[0] ?? holds?.planned[0] ?? holds?.lately[0];
    if (latest !== undefined) entry.append(ui.html('p', { class: 'snippet' }, statementText(latest.text, latest.at)));
    return entry;
  };
  const nothing = 'There is no person or thing with this name.';
  return [
    ui.html('h1', {}, 'People and things'),
    ...ui.filteredList(shown, namesOf, row, 'Filter by name or type', nothing),
  ];
}

/** Page of one entity. @param at line or heading of its page to scroll to */
export function entityPage(name: string, at?: string): readonly ui.ElementChild[] {
  const place = entityIndexByName().get(name.toLowerCase());
  const found = place === undefined ? undefined : PAGE_DATA.entities[place];
  if (place === undefined || found?.holds == null)
    return [ui.html('h1', {}, name), ui.noteText('This page knows nothing about this name.')];
  const { type, aliases, mentions, page, note, holds } = found;
  const facts = itemsByEntity().get(place) ?? [];
  const listed = new Set(facts.map(({ at: source }) => source.join(' ')));
  const beliefs = PAGE_DATA.beliefs.filter(({ about, place: where }) => about.includes(place) && where !== 'retired');
  const also = aliases.length === 0 ? null : `also ${aliases.join(', ')}`;
  return [
    ui.html('h1', { dir: 'auto' }, found.name),
    ui.leadText(
      `${ui.joinWithDots(type, also, formatCount(mentions, 'mention'))} `,
      page === null ? null : ui.sourceLink(page),
    ),
    ...(note === null ? [] : noteBody(note, at)),
    statementSection('Now', holds.now, false),
    statementSection('Planned', holds.planned),
    statementSection('Lately', holds.lately),
    ui.listSection('Preferences', beliefs, Number.POSITIVE_INFINITY, beliefRow, ui.html('ul', { class: 'beliefs' })),
    statementSection('Before', holds.before),
    found.hasMore
      ? ui.noteText('This page does not have room for everything. See all: ', ui.codeText(`${SHOW} '${found.name}'`))
      : null,
    company(place, facts),
    ui.listSection('Every line about it', facts, 25, itemLine) ?? ui.noteText('No line is about it.'),
    ui.listSection(
      'Other lines with the name',
      mentionsOf([found.name, ...aliases], (line, one) => one === note || listed.has(line.at.join(' '))),
      12,
      itemLine,
    ),
    pageHistorySection('History of its page', page?.[0]),
  ];
}

const SHOW = 'openclaw memory entity show';

/** Entities that lines name together with one, most often first. */
function company(place: number, lines: readonly PageItem[]): HTMLElement | null {
  const times = new Map<number, number>();
  for (const other of lines.flatMap(({ about = [] }) => about)) times.set(other, (times.get(other) ?? 0) + 1);
  times.delete(place);
  const others = [...times].sort(([a, one], [b, more]) => more - one || a - b).slice(0, 24);
  const chips = others.map(([other, number]) => ui.chip(ui.entityLink(other), ui.numberText(number)));
  if (chips.length === 0) return null;
  return ui.sectionWithTitle('Together with', ui.html('p', { class: 'chips' }, ...chips));
}
