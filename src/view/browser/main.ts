import { tryWithFallback } from '../../base/failure.js';
import type { PageNote } from '../page-data.js';
import { beliefListPage, beliefPage } from './beliefs.js';
import { FACT_KINDS, formatCount, PAGE_DATA, pageAddress } from './data.js';
import { entityListPage, entityPage } from './entities.js';
import { daySizes } from './lines.js';
import { noteIndexByPath, pages } from './links.js';
import { noteListPage, notePageByPath, tagPage } from './notes.js';
import { type ElementChild, html } from './parts.js';
import { prepareSearch, searchPage } from './search.js';
import { findNextDay, sessionListPage, sessionPage, timelinePage } from './timeline.js';
import { todayPage } from './today.js';

const { entities, beliefs, sessions } = PAGE_DATA;
/** For each tab its name, whether there is something on it, and the function that draws it. */
const TABS: Readonly<
  Record<string, readonly [name: string, isFull: boolean, show: (name?: string) => readonly ElementChild[]]>
> = {
  today: ['today', true, todayPage],
  timeline: ['timeline', daySizes().size > 0, (day) => timelinePage(day)],
  entities: ['people', entities.length > 0, entityListPage],
  pages: ['pages', pages().length > 0, noteListPage],
  beliefs: ['beliefs', beliefs.length > 0, beliefListPage],
  sessions: ['sessions', sessions !== null && sessions.length > 0, sessionListPage],
};
/** Functions that draw the page of one entity, belief, session or note, each with the tab that it belongs to. */
const OF_ONE: Readonly<
  Record<string, readonly [tab: string, show: (name: string, at?: string) => readonly ElementChild[]]>
> = {
  entity: ['entities', entityPage],
  belief: ['beliefs', beliefPage],
  session: ['sessions', sessionPage],
  page: ['pages', pageByPath],
  tag: ['pages', tagPage],
};

/** The text of a file, at the place where it is shown. */
function pageByPath(path: string, at?: string): readonly ElementChild[] {
  const { kind, file = -1 } = noteOf(path) ?? {};
  if (kind === 'day') return timelinePage(PAGE_DATA.files[file]?.day ?? undefined, path, at);
  const entity = kind === 'entity' ? PAGE_DATA.entities.find(({ page }) => page?.[0] === file) : undefined;
  return entity === undefined ? notePageByPath(path, at) : entityPage(entity.name, at);
}

function noteOf(path: string): PageNote | undefined {
  return PAGE_DATA.notes[noteIndexByPath().get(path) ?? -1];
}

const LABEL = 'Search everything on this page';
const SEARCHES = { type: 'search', id: 'search', placeholder: 'Search', 'aria-label': LABEL };
const field = html('input', { ...SEARCHES, autocomplete: 'off', spellcheck: 'false' });
const main = html('main', { tabindex: -1 });
const tabs = new Map(
  Object.entries(TABS).flatMap(([tab, [name, isFull]]) =>
    isFull ? [[tab, html('a', { href: pageAddress(tab) }, name)] as const] : [],
  ),
);

/** Announces the number of results to screen readers, while the focus stays in the search field. */
const status = html('p', { class: 'unseen', role: 'status' });
const skip = html('a', { class: 'skip', href: '#today' }, 'Skip to the content');
skip.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

const key = (name: string): HTMLElement => html('kbd', {}, name);
const keys = [key('/'), ' search ', key('↑'), key('↓'), ' move ', key('Enter'), ' open ', key('Esc'), ' back'];
const brand = html('a', { class: 'brand', href: pageAddress('today') }, PAGE_DATA.workspace);
const nav = html('nav', { 'aria-label': 'Parts of the page' }, ...tabs.values());
const made = `Made from ${formatCount(PAGE_DATA.files.length, 'file')} as of ${PAGE_DATA.today} (${PAGE_DATA.zone}).`;
const kinds =
  PAGE_DATA.items.length === 0
    ? []
    : [...FACT_KINDS].flatMap((kind) => [html('span', { class: `kind ${kind}` }), ` ${kind} `]);
document.body.append(
  status,
  html('header', {}, skip, html('div', { class: 'bar' }, brand, field), nav),
  main,
  html(
    'footer',
    {},
    html('p', {}, made, ' Your Markdown files are the original; this page is only a copy.'),
    html('p', { class: 'kinds' }, ...kinds),
    html('p', { class: 'keys' }, ...keys),
  ),
);

/** Parses an address such as `#entity=Peter` or `#page=topics%2Fredis.md#a-heading`. */
function read(hash: string): Record<'name' | 'at', string | undefined> & { readonly part: string } {
  const [, said = 'today', name, at] = /^#([a-z]+)(?:=([^#]*)(?:#(.*))?)?$/s.exec(hash) ?? [];
  const decoded = (text: string | undefined) => text && tryWithFallback(() => decodeURIComponent(text), text);
  // Use `hasOwn`, because every object inherits properties such as `constructor`.
  const isPart = said === 'search' || tabs.has(said) || Object.hasOwn(OF_ONE, said);
  return { part: isPart ? said : 'today', name: decoded(name), at: decoded(at) };
}

function contents({ part, name, at }: ReturnType<typeof read>): readonly ElementChild[] {
  if (part === 'search') return searchPage(name ?? '');
  const ofOne = OF_ONE[part];
  return ofOne !== undefined && name !== undefined ? ofOne[1](name, at) : (TABS[part]?.[2] ?? todayPage)(name);
}

/** Scroll position at each visited address. */
const scrolled = new Map<string, number>();
let shown = '';

const TAB_OF_KIND = { page: 'pages', day: 'timeline', entity: 'entities' } as const;

function markTab({ part, name = '' }: ReturnType<typeof read>): void {
  const { kind = 'page' } = noteOf(name) ?? {};
  const marked = part === 'page' ? TAB_OF_KIND[kind] : (OF_ONE[part]?.[0] ?? part);
  for (const tab of tabs.values()) tab.removeAttribute('aria-current');
  tabs.get(marked)?.setAttribute('aria-current', 'page');
}

function show(): void {
  const address = read(location.hash);
  const { part, name } = address;
  if (shown !== '') scrolled.set(shown, scrollY);
  shown = location.hash;
  main.replaceChildren(html('div', { 'data-part': part }, ...contents(address)));
  markTab(address);
  if (part === 'search' && document.activeElement !== field) field.value = name ?? '';
  if (part !== 'search') field.value = '';
  status.textContent = part === 'search' ? (main.querySelector('h1')?.textContent ?? '') : '';
  document.title = `${name ?? part} · ${PAGE_DATA.workspace}`;
  for (const map of document.querySelectorAll('.scroll')) {
    const chosen = map.querySelector('.chosen')?.getBoundingClientRect();
    if (chosen !== undefined) map.scrollLeft = chosen.left - map.getBoundingClientRect().left - map.clientWidth / 2;
  }
  // Each page that was shown gets a state in the browser's history. If there is a state already, the user went back or
  // forward, or the page was loaded again: then the state is the scroll position.
  const state: unknown = history.state;
  const isReturn = state !== null;
  history.replaceState(true, '');
  const before = scrolled.get(location.hash) ?? (typeof state === 'number' ? state : 0);
  scrollTo(0, isReturn ? before : 0);
  if (!isReturn) main.querySelector('[data-begin]')?.scrollIntoView();
  if (document.activeElement !== field) main.focus({ preventScroll: true });
}

let waiting: ReturnType<typeof setTimeout> | undefined;
field.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const wanted = field.value;
    const next = wanted.trim() === '' ? pageAddress('today') : pageAddress('search', wanted);
    // All edits of one search share one entry of the browser's history.
    if (read(location.hash).part === 'search') {
      history.replaceState(true, '', next);
      show();
    } else location.assign(next);
  }, 60);
});

history.scrollRestoration = 'manual';
addEventListener('hashchange', show);
show();

/** Loads a served page again after a change. Without a connection to the server the page stays as it is. */
function followChanges(): void {
  let seen: string | undefined;
  new EventSource('changes').addEventListener('message', ({ data }) => {
    if (seen !== undefined && seen !== data) {
      history.replaceState(scrollY, '');
      location.reload();
    }
    seen = String(data);
  });
}
if (location.protocol === 'http:') followChanges();

/** Builds the search index while the page is idle. */
function readAhead(): void {
  if (!prepareSearch(12)) setTimeout(readAhead);
}
setTimeout(readAhead, 150);

/** Elements that the arrow keys visit. In a line, the text comes before its source. */
const STOPS = '.names a, .markdown a, .cards h3 a, .lines a, .beliefs a.text, .more, .thread, .chip a, .rest';

/** Handles the keyboard: `/` searches, arrows move, Enter opens, Esc goes back. */
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = document.activeElement instanceof HTMLInputElement;
  const done = isTyping ? whileTyping(event.key) : whileReading(event.key);
  if (done) event.preventDefault();
});

/**
 * Handles a key while the user types in the search field.
 * @returns whether the key had an effect
 */
function whileTyping(key: string): boolean {
  if (key === 'ArrowDown') return step(1);
  if (key === 'Escape') return back();
  const first = main.querySelector<HTMLElement>('.lines a, .names a');
  if (key !== 'Enter' || first === null) return false;
  first.click();
  field.blur();
  return true;
}

function whileReading(key: string): boolean {
  if (key === 'ArrowDown' || key === 'ArrowUp') return step(key === 'ArrowDown' ? 1 : -1);
  if (key === 'ArrowLeft' || key === 'ArrowRight') return turn(key === 'ArrowRight' ? 1 : -1);
  if (key === 'Escape') return back();
  if (key !== '/') return false;
  field.focus();
  field.select();
  return true;
}

/** Leaves an empty search field; otherwise goes back in the history. */
function back(): boolean {
  const isLeaving = document.activeElement === field && field.value === '';
  main.focus();
  if (!isLeaving) history.back();
  return true;
}

function step(by: 1 | -1): boolean {
  const stops = [...main.querySelectorAll<HTMLElement>(STOPS)];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
  const next = at === 0 && by === -1 ? field : stops[at === -1 ? (by === 1 ? 0 : -1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** In the timeline, moves to the next or previous day that has lines. Returns whether there was such a day. */
function turn(by: 1 | -1): boolean {
  const shown = document.querySelector<HTMLElement>('[data-day]')?.dataset.day;
  const day = shown === undefined ? undefined : findNextDay(shown, by);
  if (day !== undefined) location.assign(pageAddress('timeline', day));
  return day !== undefined;
}
