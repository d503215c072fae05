import type { PageEntity } from '../page-data.js';
import { beliefRow } from './beliefs.js';
import { address, count, DATA, type EntityIndex, entityByName, itemsByEntity } from './data.js';
import { filtered } from './filtered.js';
import { graph } from './graph.js';
import { noteAddress, notesAbout } from './notes/links.js';
import { type Child, el, entityLink, itemLine, longList, note, section, sourceLink, statements } from './parts.js';
import { commitLine } from './today.js';

/** Everybody and everything, and who is mentioned with whom. */
export function entities(): readonly Child[] {
  if (DATA.entities.length === 0)
    return [el('h1', {}, 'Entities'), note('No fact names anybody yet: ', el('code', {}, '@Name'), ' in a fact does.')];
  const shown = DATA.entities.filter(({ holds }) => holds !== null);
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

function namesOf({ name, type, aliases }: PageEntity): string {
  return [name, type ?? '', ...aliases].join('\n');
}

function nameOf(place: EntityIndex): string {
  return DATA.entities[place]?.name ?? '';
}

function row({ name, type, mentions }: PageEntity): HTMLElement {
  return el(
    'li',
    {},
    el(
      'a',
      { href: address('entity', name) },
      el('span', { class: 'name', dir: 'auto' }, name),
      type === null ? null : el('span', { class: 'type' }, type),
      el('span', { class: 'number' }, mentions),
    ),
  );
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
  const about = [type, aliases.length === 0 ? null : `also ${aliases.join(', ')}`, count(mentions, 'mention')];
  return [
    el('h1', { dir: 'auto' }, found.name),
    el(
      'p',
      { class: 'lead' },
      about.filter((one) => one !== null).join(' · '),
      page === null ? null : sourceLink(page),
    ),
    prose.length === 0
      ? null
      : el('div', { class: 'prose' }, ...prose.map((at) => el('p', { dir: 'auto' }, DATA.items[at]?.text ?? ''))),
    holds.now.length === 0 ? null : section('Now', statements(holds.now, false)),
    holds.planned.length === 0 ? null : section('Planned', statements(holds.planned, true)),
    holds.lately.length === 0 ? null : section('Lately', statements(holds.lately, true)),
    beliefs.length === 0 ? null : section('Preferences', el('ul', { class: 'beliefs' }, ...beliefs.map(beliefRow))),
    holds.before.length === 0 ? null : section('Before', statements(holds.before, true)),
    found.hasMore
      ? note(
          'More is known than this page has room for: ',
          el('code', {}, `openclaw memory entity show '${found.name}'`),
        )
      : null,
    company(place),
    notes(found),
    facts.length === 0
      ? note('No dated line is about it.')
      : section(
          'Every line about it',
          longList(facts, 25, (item) => itemLine(item, true)),
        ),
    history(page?.[0]),
  ];
}

function company(place: EntityIndex): HTMLElement | null {
  const others = DATA.together.flatMap(([a, b, times]) =>
    a === place ? [[b, times]] : b === place ? [[a, times]] : [],
  );
  if (others.length === 0) return null;
  const chip = ([other = 0, times = 0]: readonly number[]) =>
    el('span', { class: 'chip' }, entityLink(other), el('span', { class: 'number' }, times));
  return section('Together with', el('p', { class: 'chips' }, ...others.slice(0, 24).map(chip)));
}

function notes(entity: PageEntity): HTMLElement | null {
  const found = notesAbout(entity);
  const link = (place: number): HTMLElement =>
    el('li', {}, el('a', { href: noteAddress(place), dir: 'auto' }, DATA.notes[place]?.title ?? ''));
  return found.length === 0 ? null : section('Pages that name it', longList(found, 25, link));
}

function history(file: number | undefined): HTMLElement | null {
  if (file === undefined || typeof DATA.commits === 'string') return null;
  const found = DATA.commits.filter(({ files }) => files.includes(file));
  return found.length === 0 ? null : section('History of its page', longList(found, 8, commitLine));
}
