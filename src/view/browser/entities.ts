import type { PageEntity } from '../page-data.js';
import { beliefRow } from './beliefs.js';
import { address, countLabel, DATA, entityByName, itemsByEntity } from './data.js';
import { graph } from './graph.js';
import { notesAbout } from './notes/links.js';
import * as ui from './parts.js';
import { historyOf } from './today.js';

/** List of entities, and a graph of those that are mentioned together. */
export function entities(): readonly ui.Child[] {
  if (DATA.entities.length === 0) return [ui.el('h1', {}, 'Entities'), ui.nobody()];
  const shown = DATA.entities.filter(({ holds }) => holds !== null);
  const namesOf = ({ name, type, aliases }: PageEntity): string => [name, type ?? '', ...aliases].join('\n');
  const row = ({ name, type, mentions }: PageEntity): HTMLElement =>
    ui.namedRow(address('entity', name), name, type, ui.number(mentions));
  const drawn = graph({
    together: DATA.together,
    nameOf,
    addressOf: (place) => address('entity', nameOf(place)),
    weight: (place) => DATA.entities[place]?.mentions ?? 0,
    caption: 'Who is mentioned with whom',
    label: (number) => `${number} entities and who is mentioned with whom`,
  });
  return [
    ui.el('h1', {}, 'Entities'),
    ui.el(
      'div',
      { class: 'two' },
      ui.el(
        'div',
        {},
        ...ui.filtered(shown, namesOf, row, 'Filter by name or type', 'There is no person or thing with this name.'),
      ),
      ui.el('div', {}, drawn === null ? ui.noteText('No fact names two of them yet.') : drawn),
    ),
  ];
}

function nameOf(place: number): string {
  return DATA.entities[place]?.name ?? '';
}

/** Page of one entity. */
export function entity(name: string): readonly ui.Child[] {
  const place = entityByName().get(name.toLowerCase());
  const found = place === undefined ? undefined : DATA.entities[place];
  if (place === undefined || found?.holds == null)
    return [ui.el('h1', {}, name), ui.noteText('This page knows nothing about this name.')];
  const { type, aliases, mentions, page, prose, holds } = found;
  const facts = itemsByEntity().get(place) ?? [];
  const beliefs = DATA.beliefs.filter(({ about, place: where }) => about.includes(place) && where !== 'retired');
  const also = aliases.length === 0 ? null : `also ${aliases.join(', ')}`;
  return [
    ui.el('h1', { dir: 'auto' }, found.name),
    ui.lead(ui.dotted(type, also, countLabel(mentions, 'mention')), page === null ? null : ui.sourceLink(page)),
    prose.length === 0
      ? null
      : ui.el('div', { class: 'prose' }, ...prose.map((at) => ui.el('p', { dir: 'auto' }, DATA.items[at]?.text ?? ''))),
    ui.statements('Now', holds.now, false),
    ui.statements('Planned', holds.planned),
    ui.statements('Lately', holds.lately),
    ui.part('Preferences', beliefs, Number.POSITIVE_INFINITY, beliefRow, ui.el('ul', { class: 'beliefs' })),
    ui.statements('Before', holds.before),
    found.hasMore
      ? ui.noteText('This page does not have room for everything. See all: ', ui.code(`${SHOW} '${found.name}'`))
      : null,
    company(place),
    ui.part('Pages that name it', notesAbout(found), 25, (one) => ui.li(ui.noteLink(one))),
    ui.part('Every line about it', facts, 25, ui.itemLine) ?? ui.noteText('There is no dated line about it.'),
    historyOf('History of its page', page?.[0]),
  ];
}

const SHOW = 'openclaw memory entity show';

function company(place: number): HTMLElement | null {
  const others = DATA.together.flatMap(([a, b, times]) =>
    a === place ? [[b, times]] : b === place ? [[a, times]] : [],
  );
  if (others.length === 0) return null;
  const together = ([other = 0, times = 0]: readonly number[]) => ui.chip(ui.entityLink(other), ui.number(times));
  return ui.section('Together with', ui.el('p', { class: 'chips' }, ...others.slice(0, 24).map(together)));
}
