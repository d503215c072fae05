import { belief, beliefs } from './beliefs.js';
import { address, count, DATA } from './data.js';
import { entities, entity } from './entities.js';
import { walk } from './keyboard.js';
import { note, notes, tag } from './notes/notes.js';
import { type Child, el } from './parts.js';
import { search, warm } from './search.js';
import { session, sessions } from './sessions.js';
import { timeline } from './timeline.js';
import { today } from './today.js';

const TABS = ['today', 'timeline', 'entities', 'pages', 'beliefs', 'sessions'] as const;
/** What the dots before facts mean. */
const KINDS = ['world', 'experience', 'opinion', 'observation'] as const;
/** The tab that a part belongs to. */
const TAB_OF: Readonly<Record<string, string>> = {
  entity: 'entities',
  belief: 'beliefs',
  session: 'sessions',
  page: 'pages',
  tag: 'pages',
};

const field = el('input', {
  type: 'search',
  id: 'search',
  placeholder: 'Search',
  'aria-label': 'Search everything on this page',
  autocomplete: 'off',
  spellcheck: 'false',
});
const main = el('main', { tabindex: -1 });
const tabs = TABS.map((tab) => el('a', { href: address(tab) }, tab));

/** Reads out what a search has found, while the words are still in the field. */
const status = el('p', { class: 'unseen', role: 'status' });
const skip = el('a', { class: 'skip', href: '#today' }, 'Skip to the content');
skip.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

document.body.append(
  status,
  el(
    'header',
    {},
    skip,
    el('div', { class: 'bar' }, el('a', { class: 'brand', href: address('today') }, DATA.workspace), field),
    el('nav', { 'aria-label': 'Parts of the page' }, ...tabs),
  ),
  main,
  el(
    'footer',
    {},
    el(
      'p',
      {},
      `Made from ${count(DATA.files.length, 'file')} as of ${DATA.today} (${DATA.zone}). The files are the truth.`,
    ),
    el('p', { class: 'kinds' }, ...KINDS.flatMap((kind) => [el('span', { class: `kind ${kind}` }), ` ${kind} `])),
    el(
      'p',
      { class: 'keys' },
      el('kbd', {}, '/'),
      ' search ',
      el('kbd', {}, '↑'),
      el('kbd', {}, '↓'),
      ' move ',
      el('kbd', {}, 'Enter'),
      ' open ',
      el('kbd', {}, 'Esc'),
      ' back',
    ),
  ),
);

/** What an address names: `#entity=Peter`, `#page=topics%2Fredis.md#a-heading`. */
function read(hash: string): Record<'name' | 'at', string | undefined> & { readonly part: string } {
  const [, part = 'today', name, at] = /^#([a-z]+)(?:=([^#]*)(?:#(.*))?)?$/s.exec(hash) ?? [];
  try {
    return { part, name: name && decodeURIComponent(name), at: at && decodeURIComponent(at) };
  } catch {
    return { part, name, at };
  }
}

function contents({ part, name, at }: ReturnType<typeof read>): readonly Child[] {
  if (part === 'timeline') return timeline(name);
  if (part === 'entities') return entities();
  if (part === 'beliefs') return beliefs();
  if (part === 'pages') return notes();
  if (part === 'sessions') return sessions();
  if (part === 'search') return search(name ?? '');
  if (name === undefined) return today();
  if (part === 'entity') return entity(name);
  if (part === 'belief') return belief(name);
  if (part === 'session') return session(name);
  if (part === 'page') return note(name, at);
  if (part === 'tag') return tag(name);
  return today();
}

/** How far each visited address was scrolled. */
const scrolled = new Map<string, number>();
let shown = '';

function markTab(part: string): void {
  for (const [at, tab] of TABS.entries()) {
    const isHere = tab === (TAB_OF[part] ?? (part === 'search' ? '' : part));
    if (isHere) tabs[at]?.setAttribute('aria-current', 'page');
    else tabs[at]?.removeAttribute('aria-current');
  }
}

function show(): void {
  const address = read(location.hash);
  const { part, name } = address;
  if (shown !== '') scrolled.set(shown, scrollY);
  shown = location.hash;
  main.replaceChildren(el('div', { 'data-part': part }, ...contents(address)));
  markTab(part);
  if (part === 'search' && document.activeElement !== field) field.value = name ?? '';
  if (part !== 'search') field.value = '';
  status.textContent = part === 'search' ? (main.querySelector('h1')?.textContent ?? '') : '';
  document.title = `${name ?? part} · ${DATA.workspace}`;
  for (const map of document.querySelectorAll('.scroll')) {
    const chosen = map.querySelector('.chosen')?.getBoundingClientRect();
    if (chosen !== undefined) map.scrollLeft = chosen.left - map.getBoundingClientRect().left - map.clientWidth / 2;
  }
  // An entry of the history that was shown before has been left by Back or Forward.
  const isReturn = history.state === true;
  history.replaceState(true, '');
  scrollTo(0, isReturn ? (scrolled.get(location.hash) ?? 0) : 0);
  if (!isReturn) main.querySelector('[data-begin]')?.scrollIntoView();
  if (document.activeElement !== field) main.focus({ preventScroll: true });
}

let waiting: ReturnType<typeof setTimeout> | undefined;
field.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const wanted = field.value;
    const next = wanted.trim() === '' ? address('today') : address('search', wanted);
    // The words of one search are one entry of the history.
    if (read(location.hash).part === 'search') {
      history.replaceState(true, '', next);
      show();
    } else location.assign(next);
  }, 60);
});

history.scrollRestoration = 'manual';
addEventListener('hashchange', show);
walk(field, main);
show();

/** What a search asks is read while nothing else is to be done. */
function readAhead(): void {
  if (!warm(12)) setTimeout(readAhead);
}
setTimeout(readAhead, 150);
