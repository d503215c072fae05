import type { PageEntity, PageRun } from '../page-data.js';
import { address, count, DATA, FACT_KINDS, itemsByDay, longDay } from './data.js';
import { mostLinked, noteAddress, noteFigures } from './notes/links.js';
import {
  type Child,
  el,
  entityLink,
  itemLine,
  line,
  longList,
  note,
  said,
  section,
  sourceLink,
  thread,
} from './parts.js';

const MOST_CARDS = 12;
const MOST_LINES = 5;
const MOST_PAGES = 24;

/** What holds, what waits for somebody, and what the last night has changed. */
export function today(): readonly Child[] {
  const { items, entities, beliefs } = DATA;
  const isBlank = DATA.notes.every(({ text }) => text.trim() === '');
  if (items.length + entities.length === 0 && isBlank) return welcome();
  const facts = items.filter(({ kind }) => FACT_KINDS.has(kind)).length;
  const figures = [
    count(facts, 'fact'),
    count(entities.length, 'person or thing', 'people and things'),
    count(beliefs.length, 'belief'),
    count(itemsByDay().size, 'day'),
    ...noteFigures(),
  ];
  return [
    el('h1', {}, longDay(DATA.today)),
    el('p', { class: 'lead' }, figures.join(' · '), ...scope()),
    // Of a vault without facts its pages come first.
    ...(entities.length === 0 ? [linked(), holding()] : [holding(), linked()]),
    waiting(),
    lastRun(),
    commits(),
  ];
}

function welcome(): readonly Child[] {
  const commands = [
    'openclaw memory retain "W @Peter: lives in Vienna"',
    'openclaw memory recall "where does Peter live?"',
    'openclaw memory view --open',
  ];
  return [
    el('h1', {}, 'Nothing is remembered yet'),
    el('p', { class: 'lead' }, 'Write a first fact, ask for it, and make this page again:'),
    el('pre', {}, commands.join('\n')),
  ];
}

/** What the page was narrowed to, and what it had no room for. */
function scope(): readonly Child[] {
  const { since, entity, leftOut } = DATA;
  const left = (what: string, until: string | null): HTMLElement =>
    el(
      'span',
      { class: 'scope' },
      `no room for ${what}${until === null ? '' : ` up to ${until}`}; the files have them`,
    );
  return [
    entity === null ? null : el('span', { class: 'scope' }, `only what is about ${entity}`),
    since === null ? null : el('span', { class: 'scope' }, `logs from ${since} on`),
    leftOut.logLines === 0 ? null : left(count(leftOut.logLines, 'log line'), leftOut.until),
    leftOut.shortened === 0
      ? null
      : el('span', { class: 'scope' }, `${count(leftOut.shortened, 'long page')} shortened`),
    leftOut.facts === 0 ? null : left(count(leftOut.facts, 'fact'), leftOut.factsUntil),
  ];
}

function holding(): HTMLElement {
  const shown = DATA.entities.filter(({ holds }) => holds !== null && holds.now.length > 0).slice(0, MOST_CARDS);
  if (shown.length === 0)
    return section('What holds now', note('No fact names anybody yet: ', el('code', {}, '@Name'), ' in a fact does.'));
  return section('What holds now', el('div', { class: 'cards' }, ...shown.map(card)));
}

function card({ name, type, holds }: PageEntity): HTMLElement {
  const now = holds?.now ?? [];
  const href = address('entity', name);
  const rest = now.length - MOST_LINES;
  return el(
    'article',
    { class: 'card' },
    el('h3', {}, el('a', { href }, name), type === null ? null : el('span', { class: 'type' }, type)),
    el(
      'ul',
      { class: 'lines' },
      ...now
        .slice(0, MOST_LINES)
        .map(({ text, at, earlier = [] }) => el('li', {}, said(text), sourceLink(at, true), ...thread(earlier))),
    ),
    rest > 0 ? el('a', { class: 'rest', href }, `${rest} more`) : null,
  );
}

/** The pages of notes that most others link to. */
function linked(): HTMLElement | null {
  const places = mostLinked(MOST_PAGES);
  const chip = (place: number): HTMLElement =>
    el('li', { class: 'chip' }, el('a', { href: noteAddress(place), dir: 'auto' }, DATA.notes[place]?.title ?? ''));
  if (DATA.notes.length === 0) return null;
  return section(
    'Pages',
    places.length === 0 ? null : el('ul', { class: 'chips' }, ...places.map(chip)),
    el('a', { class: 'rest', href: address('pages') }, count(DATA.notes.length, 'page')),
  );
}

function waiting(): HTMLElement {
  const { questions, contradictions, proposals } = DATA.waiting;
  if (questions.length + contradictions.length + proposals.length === 0)
    return section('Waiting for you', note('No open questions, no contradictions, no proposals.'));
  return section(
    'Waiting for you',
    group('Open questions', questions, ({ text, at, where }) =>
      line(text, at, null, at === null ? el('a', { class: 'why', href: address('session', where) }, where) : null),
    ),
    group('Contradictions', contradictions, ({ entity, sides }) =>
      el('li', {}, entityLink(entity), el('ul', { class: 'sides' }, ...sides.map(({ text, at }) => line(text, at)))),
    ),
    group('Proposals for the core', proposals, ({ number, action, text, reason, at }) =>
      el(
        'li',
        {},
        el('span', { class: 'tag' }, ACTIONS[action]),
        said(text),
        el('em', { class: 'why' }, reason),
        sourceLink(at),
        el('code', { class: 'do' }, `openclaw memory core accept ${number}`),
      ),
    ),
  );
}

const ACTIONS = { add: 'add', shorten: 'shorten', 'move-out': 'move out', change: 'change' } as const;

function group<T>(title: string, all: readonly T[], row: (one: T) => HTMLElement): HTMLElement | null {
  return all.length === 0 ? null : el('div', {}, el('h3', {}, title), longList(all, 8, row));
}

function lastRun(): HTMLElement {
  const run = DATA.lastRun;
  if (run === null)
    return section(
      'Last reflection',
      note('None on this machine: ', el('code', {}, 'openclaw memory reflect'), ' turns facts into pages and beliefs.'),
    );
  return section(
    'Last reflection',
    note(`${run.day}, ${run.result}: ${count(run.facts, 'fact')} examined, ${count(run.written, 'file')} written.`),
    run.message === null ? null : note(run.message),
    changes(run),
  );
}

function changes({ now, beliefs }: PageRun): HTMLElement | null {
  if (now.length + beliefs.length === 0) return null;
  const rows = [
    ...beliefs.map(({ id, text, before, after }) =>
      el(
        'li',
        {},
        el('span', { class: 'tag' }, changeOf(before, after)),
        el('a', { class: 'text', dir: 'auto', href: address('belief', id) }, text),
      ),
    ),
    ...now.map(({ text, at, change, why, page }) => {
      const name = page.replace(/^.*\/|\.md$/g, '');
      const mark = el('span', { class: `tag ${change}` }, `${change === 'entered' ? '+' : '−'} ${name}`);
      return line(text, at, mark, el('em', { class: 'why' }, why));
    }),
  ];
  return longList(rows, 12, (row) => row);
}

function changeOf(before: number | null, after: number | null): string {
  if (before === null) return `new ${after?.toFixed(2)}`;
  return after === null ? 'taken off' : `${before.toFixed(2)} → ${after.toFixed(2)}`;
}

function commits(): HTMLElement {
  const { commits: found } = DATA;
  if (typeof found === 'string') return section('History', note(`Git tells nothing: ${found}.`));
  if (found.length === 0) return section('History', note('Nothing has been committed yet.'));
  return section(
    'History',
    longList(found, 8, (one) => commitLine(one)),
  );
}

export function commitLine({ commit, day, subject }: Exclude<typeof DATA.commits, string>[number]): HTMLElement {
  return el(
    'li',
    {},
    el('a', { class: 'day', href: address('timeline', day) }, day),
    el('span', { class: 'text', dir: 'auto' }, subject),
    el('code', { class: 'source' }, commit),
  );
}

/** The lines of a day, facts before log text. */
export function dayLines(day: string): readonly Child[] {
  const items = itemsByDay().get(day) ?? [];
  const facts = items.filter(({ kind }) => FACT_KINDS.has(kind));
  const log = items.filter(({ kind }) => !FACT_KINDS.has(kind));
  return [
    facts.length === 0
      ? null
      : section(
          'Facts',
          longList(facts, 100, (item) => itemLine(item, false)),
        ),
    log.length === 0
      ? null
      : section(
          'Log',
          longList(log, 100, (item) => itemLine(item, false)),
        ),
  ];
}
