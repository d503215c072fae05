import type { PageEntity, PageItem, PageRun } from '../page-data.js';
import { contradiction } from './beliefs.js';
import { address, count, DATA, FACT_KINDS, itemsByDay, longDay } from './data.js';
import { mostLinked, noteAddress, noteFigures } from './notes/links.js';
import {
  type Child,
  code,
  el,
  itemLine,
  lead,
  li,
  line,
  longList,
  note,
  part,
  plain,
  said,
  section,
  sourceLink,
  textLink,
  thread,
  why,
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
    lead(figures.join(' · '), ...scope()),
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
    lead('Write a first fact, ask for it, and make this page again:'),
    el('pre', {}, commands.join('\n')),
  ];
}

/** What the page was narrowed to, and what it had no room for. */
function scope(): readonly Child[] {
  const { since, entity, left_out: out } = DATA;
  const left = (what: string, until: string | null): string =>
    `no room for ${what}${until === null ? '' : ` up to ${until}`}; the files have them`;
  const said = [
    entity === null ? [] : `only what is about ${entity}`,
    since === null ? [] : `logs from ${since} on`,
    out.log_lines === 0 ? [] : left(count(out.log_lines, 'log line'), out.until),
    out.shortened_pages === 0 ? [] : `${count(out.shortened_pages, 'long page')} shortened`,
    out.facts === 0 ? [] : left(count(out.facts, 'fact'), out.facts_until),
  ];
  return said.flat().map((one) => el('span', { class: 'scope' }, one));
}

function holding(): HTMLElement {
  const shown = DATA.entities.filter(({ holds }) => holds !== null && holds.now.length > 0).slice(0, MOST_CARDS);
  if (shown.length === 0)
    return section('What holds now', note('No fact names anybody yet: ', code('@Name'), ' in a fact does.'));
  return section('What holds now', el('div', { class: 'cards' }, ...shown.map(card)));
}

function card({ name, type, holds }: PageEntity): HTMLElement {
  const now = holds?.now ?? [];
  const href = address('entity', name);
  const rest = now.length - MOST_LINES;
  const lines = now
    .slice(0, MOST_LINES)
    .map(({ text, at, earlier = [] }) => li(said(text), sourceLink(at, true), ...thread(earlier)));
  return el(
    'article',
    { class: 'card' },
    el('h3', {}, el('a', { href }, name), type === null ? null : el('span', { class: 'type' }, type)),
    el('ul', { class: 'lines' }, ...lines),
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
    group('Contradictions', contradictions, contradiction),
    group('Proposals for the core', proposals, ({ number, action, text, reason, at }) => {
      const command = el('code', { class: 'do' }, `openclaw memory core accept ${number}`);
      return li(el('span', { class: 'tag' }, ACTIONS[action]), said(text), why(reason), sourceLink(at), command);
    }),
  );
}

const ACTIONS = { add: 'add', shorten: 'shorten', 'move-out': 'move out', change: 'change' } as const;

function group<T>(title: string, all: readonly T[], row: (one: T) => HTMLElement): HTMLElement | null {
  return all.length === 0 ? null : el('div', {}, el('h3', {}, title), longList(all, 8, row));
}

const LAST = 'Last reflection';

function lastRun(): HTMLElement {
  const run = DATA.lastRun;
  const none = [code('openclaw memory reflect'), ' turns facts into pages and beliefs.'];
  if (run === null) return section(LAST, note('None on this machine: ', ...none));
  return section(
    LAST,
    note(`${run.day}, ${run.result}: ${count(run.facts, 'fact')} examined, ${count(run.written, 'file')} written.`),
    run.message === null ? null : note(run.message),
    changes(run),
  );
}

function changes({ now, beliefs }: PageRun): HTMLElement | null {
  if (now.length + beliefs.length === 0) return null;
  const rows = [
    ...beliefs.map(({ id, text, before, after }) =>
      li(el('span', { class: 'tag' }, changeOf(before, after)), textLink(address('belief', id), text)),
    ),
    ...now.map(({ text, at, change, why: reason, page }) => {
      const name = page.replace(/^.*\/|\.md$/g, '');
      const mark = el('span', { class: `tag ${change}` }, `${change === 'entered' ? '+' : '−'} ${name}`);
      return line(text, at, mark, why(reason));
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
  return part('History', found, 8, commitLine) ?? section('History', note('Nothing has been committed yet.'));
}

/** The commits that changed a page. */
export function historyOf(title: string, file: number | undefined): HTMLElement | null {
  if (file === undefined || typeof DATA.commits === 'string') return null;
  const own = DATA.commits.filter(({ files }) => files.includes(file));
  return part(title, own, 8, commitLine);
}

export function commitLine({ commit, day, subject }: Exclude<typeof DATA.commits, string>[number]): HTMLElement {
  const link = el('a', { class: 'day', href: address('timeline', day) }, day);
  return li(link, plain(subject), el('code', { class: 'source' }, commit));
}

/** The lines of a day, facts before log text. */
export function dayLines(day: string): readonly Child[] {
  const items = itemsByDay().get(day) ?? [];
  const facts = items.filter(({ kind }) => FACT_KINDS.has(kind));
  const log = items.filter(({ kind }) => !FACT_KINDS.has(kind));
  const line = (item: PageItem): HTMLElement => itemLine(item, false);
  return [part('Facts', facts, 100, line), part('Log', log, 100, line)];
}
