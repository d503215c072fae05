import { lazy } from '../../base/cache.js';
import { commonPrefixLength, isOneEdit } from '../../base/nearest.js';
import { addToGroup, groupBy } from '../../base/order.js';
import type { PageItem, PageSession } from '../page-data.js';
import { compareByNewest, dayOfItem, FACT_KINDS, formatCount, PAGE_DATA, pageAddress } from './data.js';
import { allItems, readTextLines, type TextLine } from './lines.js';
import { noteAddress, pages } from './links.js';
import { readInline, textOfMarkdown } from './markdown.js';
import * as ui from './parts.js';
import { itemLine } from './rows.js';

/** Number of results per list that are shown at first, and of lines. */
const [FIRST, FIRST_LINES] = [8, 60];
/**
 * Minimum score of a result that is shown, as a share of the best result's score. The score says how much of the query
 * matches.
 */
const ENOUGH = 0.5;
/** Factor for the score of a match in the text of a page. A match in the names of a page counts fully. */
const OF_TEXT = 0.9;

const LISTS = ['People and things', 'Beliefs', 'Sessions', 'Lines'] as const;

/** A text in which words are searched for. */
interface SearchEntry {
  readonly list: (typeof LISTS)[number] | 'Pages';
  readonly text: string;
  readonly row: (wanted: string) => HTMLElement;
  /** The note of which it is a part. A note is shown once, with its best part. */
  readonly note?: number;
}

/**
 * All texts, read on first use. Among equally good lines, facts come first, log text comes last, and newer lines come
 * before older ones.
 */
const entries = lazy((): readonly SearchEntry[] => {
  const rank = ({ kind }: PageItem): number => (FACT_KINDS.has(kind) ? 0 : kind === 'log' ? 2 : 1);
  const lines = [...allItems()].sort((a, b) => rank(a) - rank(b) || compareByNewest(a, b));
  const linkEntry = (list: SearchEntry['list'], text: string, href: string, name: string, more: string) => {
    return { list, text, row: () => ui.listItem(ui.textLink(href, name), ui.reasonText(more)) };
  };
  const shown = PAGE_DATA.entities.filter(({ holds }) => holds !== null);
  return [
    ...pages().map((note) => {
      const lines = (): readonly TextLine[] => readTextLines(PAGE_DATA.notes[note] ?? { text: '', line: 1 });
      const row = (wanted: string): HTMLElement => pageRow({ note, lines: lines() }, wanted);
      return { list: 'Pages', text: namesOf(note), row, note } as const;
    }),
    ...shown.map(({ name, aliases, type }) =>
      linkEntry('People and things', [name, ...aliases].join('\n'), pageAddress('entity', name), name, type ?? ''),
    ),
    ...PAGE_DATA.beliefs.map(({ id, text, confidence }) =>
      linkEntry('Beliefs', text, pageAddress('belief', id), text, confidence.toFixed(2)),
    ),
    ...(PAGE_DATA.sessions ?? []).map((session) =>
      linkEntry('Sessions', wordsOf(session), pageAddress('session', session.id), session.id, session.day ?? ''),
    ),
    ...sections().map((section) => {
      const text = [namesOf(section.note), section.heading, ...section.lines.map((line) => line.text)].join('\n');
      return { list: 'Pages', text, row: (wanted: string) => pageRow(section, wanted), note: section.note } as const;
    }),
    ...lines.map((item) => {
      const text = `${item.text}\n${dayOfItem(item) ?? ''}`;
      return { list: 'Lines', text, row: (wanted: string) => withHits(itemLine(item), wanted) } as const;
    }),
  ];
});

/** The search page: a list of pages, of entities, of beliefs, of sessions and of lines, each sorted by score. */
export function searchPage(wanted: string): readonly ui.ElementChild[] {
  if (wanted.trim() === '') return [ui.html('h1', {}, 'Search'), ui.noteText('Type what you are looking for.')];
  const hits = find(wanted);
  const known = new Set<number>();
  const near = hits.filter(({ item: { note }, share }) => {
    const isShown = share >= ENOUGH * (hits[0]?.share ?? 0) && (note === undefined || !known.has(note));
    if (note !== undefined) known.add(note);
    return isShown;
  });
  const recall = ui.codeText(`openclaw memory recall '${wanted.replaceAll("'", "'\\''")}'`);
  if (near.length === 0) {
    const nothing = [
      'Nothing on this page has these words. Try ',
      recall,
      ', which also knows times and other spellings.',
    ];
    return [ui.html('h1', {}, 'Search'), ui.noteText(...nothing)];
  }
  const lists = groupBy(near, ({ item }) => item.list);
  const best = (list: SearchEntry['list']): number => lists.get(list)?.[0]?.share ?? 0;
  // Lines come before pages if the best line matches more of the query.
  const order = best('Pages') >= best('Lines') ? (['Pages', ...LISTS] as const) : ([...LISTS, 'Pages'] as const);
  return [
    ui.html('h1', {}, `${formatCount(near.length, 'result')}`),
    ...order.map((list) =>
      ui.listSection(list, lists.get(list) ?? [], list === 'Lines' ? FIRST_LINES : FIRST, ({ item }) =>
        item.row(wanted),
      ),
    ),
  ];
}

function namesOf(place: number): string {
  const { title = '', names = [], tags = [] } = PAGE_DATA.notes[place] ?? {};
  return [title, ...names, ...tags].join('\n');
}

function pageRow({ note: place, lines }: Pick<Section, 'note' | 'lines'>, wanted: string): HTMLElement {
  const best = findBestLine(lines, wanted);
  const heading = best?.heading ?? '';
  const text = textOfMarkdown(readInline(best?.text ?? ''));
  const at = best === undefined ? '' : `#L${best.line}`;
  const title = PAGE_DATA.notes[place]?.title ?? '';
  const row = ui.listItem(
    ui.textLink(noteAddress(place) + at, title),
    heading === '' || heading === title
      ? null
      : ui.html('em', { class: 'why', dir: 'auto' }, textOfMarkdown(readInline(heading))),
    text === '' ? null : ui.html('p', { class: 'snippet', dir: 'auto' }, aroundHit(text, wanted)),
  );
  return withHits(row, wanted);
}

const LONGEST_LINE = 240;

/** The part of a long text in which the query is found first. */
function aroundHit(text: string, wanted: string): string {
  if (text.length <= LONGEST_LINE) return text;
  const isHit = hitTest(wanted);
  const first = [...text.matchAll(WORD)].find(([word]) => isHit(word))?.index ?? 0;
  const from = first < LONGEST_LINE / 2 ? 0 : first - LONGEST_LINE / 3;
  const [start, end] = [from === 0 ? '' : '… ', from + LONGEST_LINE < text.length ? ' …' : ''];
  return start + text.slice(from, from + LONGEST_LINE) + end;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns a function that tells whether a word is one of the query, or like one. */
function hitTest(wanted: string): (word: string) => boolean {
  const words = tokensOf(wanted);
  return (word) => words.some((one) => likeness(one, folded(word)) > 0);
}

/** Marks the words of the query in an element. */
function withHits(element: HTMLElement, wanted: string): HTMLElement {
  const isHit = hitTest(wanted);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement?.closest('.source')) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = (text.textContent ?? '').split(/([\p{L}\p{N}\p{M}]+)/u);
    if (!parts.some((part, at) => at % 2 === 1 && isHit(part))) continue;
    const marked = parts.map((part, at) => (at % 2 === 1 && isHit(part) ? ui.html('mark', {}, part) : part));
    text.parentNode?.replaceChild(ui.html('span', {}, ...marked), text);
  }
  return element;
}

/** The text in which a session is searched for. */
function wordsOf({ id, memory, archives, removed }: PageSession): string {
  const lines = (memory ?? []).flatMap((section) => section.lines);
  const others = [...archives.map(({ abstract }) => abstract), ...removed.map(({ item }) => item)];
  return [id, ...lines, ...others].join('\n');
}

/** A searchable part of a note. */
interface Section {
  readonly note: number;
  /** Heading above the part; empty at the beginning of a note. */
  readonly heading: string;
  readonly lines: readonly TextLine[];
}

/** Number of characters after which a section is split. */
const LONG = 2_000;

/** Sections of the notes that are not days, split on first use. The lines of days are found one by one. */
const sections = lazy(() =>
  PAGE_DATA.notes.flatMap((note, place) => (note.kind === 'day' ? [] : sectionsOf(place, readTextLines(note)))),
);

function sectionsOf(note: number, lines: readonly TextLine[]): readonly Section[] {
  const found: { note: number; heading: string; lines: TextLine[] }[] = [];
  let length = 0;
  for (const line of lines) {
    const last = found.at(-1);
    if (last === undefined || last.heading !== line.heading || line.text === '' || length > LONG) {
      found.push({ note, heading: line.heading, lines: [line] });
      length = 0;
    } else last.lines.push(line);
    length += line.text.length;
  }
  return found;
}

/** Similarity of a typed word and a token of a text, from 0 to 1. */
function likeness(word: string, token: string): number {
  if (token === word) return 1;
  if (token.startsWith(word)) return 0.8;
  const common = commonPrefixLength(word, token);
  // Inflections of a word often begin alike, as "living" and "lives".
  if (common >= 3 && common >= 0.6 * Math.max(word.length, token.length)) return 0.6;
  if (token.includes(word)) return 0.5;
  return word.length >= 5 && isOneEdit(word, token) ? 0.5 : 0;
}

/** Removes diacritics and case. */
function folded(text: string): string {
  const plain = /[^\0-\x7f]/.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text;
  return plain.toLowerCase();
}

function tokensOf(text: string): readonly string[] {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** For each word the entries that have it: indices. */
const places = new Map<string, number[]>();
let read = 0;

/**
 * Reads the words of the entries in advance.
 * @param ms time limit
 * @returns whether all were read
 */
export function prepareSearch(ms: number): boolean {
  const until = performance.now() + ms;
  for (; read < entries().length; read++) {
    if (performance.now() > until) return false;
    for (const token of new Set(tokensOf(entries()[read]?.text ?? ''))) addToGroup(places, token, read);
  }
  return true;
}

/**
 * Finds entries by whole words, beginnings of words and inflections, also with one typo, best first. `share` is the share of
 * the query that an entry matches, from 0 to 1. Rare words count most.
 */
function find(wanted: string): readonly { readonly item: SearchEntry; readonly share: number }[] {
  prepareSearch(Number.POSITIVE_INFINITY);
  const scores = new Map<number, number>();
  let whole = 0;
  for (const word of new Set(tokensOf(wanted))) {
    const hits = new Map<number, number>();
    for (const [token, at] of places) {
      const worth = likeness(word, token);
      if (worth > 0) for (const place of at) hits.set(place, Math.max(hits.get(place) ?? 0, worth));
    }
    // Square the rarity of a word, so that many common words count less than one rare word.
    const rarity = Math.log(1 + entries().length / (1 + hits.size)) ** 2;
    whole += rarity;
    for (const [place, worth] of hits) scores.set(place, (scores.get(place) ?? 0) + worth * rarity);
  }
  const found = [...scores].flatMap(([place, score]) => {
    const item = entries()[place];
    const isPart = item?.list === 'Pages' && place >= pages().length;
    return item === undefined ? [] : [{ item, place, share: (score / whole) * (isPart ? OF_TEXT : 1) }];
  });
  return found.sort((a, b) => b.share - a.share || a.place - b.place);
}

/** The line that matches most of the words; of equal lines the first. */
function findBestLine(lines: readonly TextLine[], wanted: string): TextLine | undefined {
  const words = [...new Set(tokensOf(wanted))];
  const worth = ({ text }: TextLine): number => {
    const tokens = tokensOf(text);
    return words.reduce((sum, word) => sum + Math.max(0, ...tokens.map((token) => likeness(word, token))), 0);
  };
  const scored = lines.map((line) => ({ line, worth: worth(line) + (line.text === '' ? -1 : 0) }));
  return scored.toSorted((a, b) => b.worth - a.worth)[0]?.line;
}
