import type { PageEntity } from '../page-data.js';
import { beliefRow } from './beliefs.js';
import { address, count, DATA, entityByName, itemsByEntity } from './data.js';
import { graph } from './graph.js';
import { notesAbout } from './notes/links.js';
import { noteLink } from './notes/notes.js';
import {
  type Child,
  chip,
  code,
  dotted,
  el,
  entityLink,
  filtered,
  itemLine,
  lead,
  li,
  namedRow,
  note,
  part,
  section,
  sourceLink,
  statements,
} from './parts.js';
import { historyOf } from './today.js';

/** Everybody and everything, and who is mentioned with whom. */
export function entities(): readonly Child[] {
  if (DATA.entities.length === 0)
    return [el('h1', {}, 'Entities'), note('No fact names anybody yet: ', code('@Name'), ' in a fact does.')];
  const shown = DATA.entities.filter(({ holds }) => holds !== null);
  const namesOf = ({ name, type, aliases }: PageEntity): string => [name, type ?? '', ...aliases].join('\n');
  const row = ({ name, type, mentions }: PageEntity): HTMLElement =>
    namedRow(address('entity', name), name, type, el('span', { class: 'number' }, mentions));
  const drawn = graph({
    together: DATA.together,
    nameOf,
    addressOf: (place) => address('entity', nameOf(place)),
    weight: (place) => DATA.entities[place]?.mentions ?? 0,
    caption: 'Who is mentioned with whom',
    label: (number) => `${number} entities and who is mentioned with whom`,
  });
  return [
    el('h1', {}, 'Entities'),
    el(
      'div',
      { class: 'two' },
      el('div', {}, ...filtered(shown, namesOf, row, 'Filter by name or type', 'Nobody and nothing of that name.')),
      el('div', {}, drawn === null ? note('No two are named in one fact yet.') : drawn),
    ),
  ];
}

function nameOf(place: number): string {
  return DATA.entities[place]?.name ?? '';
}

/** The page of one. */
export function entity(name: string): readonly Child[] {
  const place = entityByName().get(name.toLowerCase());
  const found = place === undefined ? undefined : DATA.entities[place];
  if (place === undefined || found?.holds == null)
    return [el('h1', {}, name), note('Nothing is known of this name, as far as this page goes.')];
  const { type, aliases, mentions, page, prose, holds } = found;
  const facts = itemsByEntity().get(place) ?? [];
  const beliefs = DATA.beliefs.filter(({ about, place: where }) => about.includes(place) && where !== 'retired');
  const also = aliases.length === 0 ? null : `also ${aliases.join(', ')}`;
  return [
    el('h1', { dir: 'auto' }, found.name),
    lead(dotted(type, also, count(mentions, 'mention')), page === null ? null : sourceLink(page)),
    prose.length === 0
      ? null
      : el('div', { class: 'prose' }, ...prose.map((at) => el('p', { dir: 'auto' }, DATA.items[at]?.text ?? ''))),
    statements('Now', holds.now, false),
    statements('Planned', holds.planned),
    statements('Lately', holds.lately),
    part('Preferences', beliefs, Number.POSITIVE_INFINITY, beliefRow, el('ul', { class: 'beliefs' })),
    statements('Before', holds.before),
    found.hasMore ? note('More is known than this page has room for: ', code(`${SHOW} '${found.name}'`)) : null,
    company(place),
    part('Pages that name it', notesAbout(found), 25, (one) => li(noteLink(one))),
    part('Every line about it', facts, 25, itemLine) ?? note('No dated line is about it.'),
    historyOf('History of its page', page?.[0]),
  ];
}

const SHOW = 'openclaw memory entity show';

function company(place: number): HTMLElement | null {
  const others = DATA.together.flatMap(([a, b, times]) =>
    a === place ? [[b, times]] : b === place ? [[a, times]] : [],
  );
  if (others.length === 0) return null;
  const together = ([other = 0, times = 0]: readonly number[]) =>
    chip(entityLink(other), el('span', { class: 'number' }, times));
  return section('Together with', el('p', { class: 'chips' }, ...others.slice(0, 24).map(together)));
}
