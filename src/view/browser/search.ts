import { lazy } from '../../base/cache.js';
import { commonPrefixLength, isOneEdit } from '../../base/nearest.js';
import { addToGroup } from '../../base/order.js';
import type { PageItem, PageSession } from '../page-data.js';
import { compareByNewest, dayOfItem, FACT_KINDS, formatCount, PAGE_DATA, pageAddress } from './data.js';
import { allItems, readTextLines, type TextLine } from './lines.js';
import { noteAddress, pages } from './links.js';
import { readInline, textOfMarkdown } from './markdown.js';
import * as ui from './parts.js';
import { itemLine } from './rows.js';

const MOST = 200;
/** Number of results per list that are shown at first. */
const FIRST = 8;
/**
 * Minimum score of a result that is shown, as a share of the best result's score. The score says how much of the query
 * matches.
 */
const ENOUGH = 0.5;

/**
 * The search indexes, one per list, built on first use. Among equally good lines, facts come first, log text comes
 * last, and newer lines come before older ones.
 */
const lists = lazy(() => {
  const rank = ({ kind }: PageItem): number => (FACT_KINDS.has(kind) ? 0 : kind === 'log' ? 2 : 1);
  const lines = [...allItems()].sort((a, b) => rank(a) - rank(b) || compareByNewest(a, b));
  const shown = PAGE_DATA.entities.filter(({ holds }) => holds !== null);
  return {
    titles: new TextSearch(pages(), namesOf),
    entities: new TextSearch(shown, ({ name, aliases }) => [name, ...aliases].join('\n')),
    beliefs: new TextSearch(PAGE_DATA.beliefs, ({ text }) => text),
    sessions: new TextSearch(PAGE_DATA.sessions ?? [], wordsOf),
    sections: new TextSearch(
      sections(),
      ({ note, heading, lines }) => `${namesOf(note)}\n${heading}\n${textOf(lines)}`,
    ),
    lines: new TextSearch(lines, (item) => `${item.text}\n${dayOfItem(item) ?? ''}`),
  };
});

/**
 * Builds the search indexes in advance.
 * @param ms time limit
 * @returns whether they are complete
 */
export function prepareSearchIndexes(ms: number): boolean {
  const until = performance.now() + ms;
  return Object.values(lists()).every((list) => list.warm(until));
}

/** The search page. Each list is sorted by score: pages, entities, beliefs, sessions, lines. */
export function searchPage(wanted: string): readonly ui.ElementChild[] {
  if (wanted.trim() === '') return [ui.html('h1', {}, 'Search'), ui.noteText('Type what you are looking for.')];
  const all = lists();
  const asked = {
    pages: pagesOf(all.titles.find(wanted), all.sections.find(wanted)),
    entities: all.entities.find(wanted),
    beliefs: all.beliefs.find(wanted),
    sessions: all.sessions.find(wanted),
    lines: all.lines.find(wanted),
  };
  const best = Math.max(...Object.values(asked).map(([first]) => first?.share ?? 0));
  const near = <T>(some: readonly TextHit<T>[]): readonly T[] =>
    some.flatMap(({ item, share }) => (share >= ENOUGH * best ? item : []));
  const lines = near(asked.lines);
  const found = Object.values(asked).reduce((sum, some) => sum + near<unknown>(some).length, 0);
  const recall = ui.codeText(`openclaw memory recall '${wanted.replaceAll("'", "'\\''")}'`);
  const nothing = [
    'Nothing on this page has these words. Try ',
    recall,
    ', which also knows times and other spellings.',
  ];
  if (found === 0) return [ui.html('h1', {}, 'Search'), ui.noteText(...nothing)];
  const shownPages = ui.listSection('Pages', near(asked.pages), FIRST, (page) => pageRow(page, wanted));
  // Show lines before pages if the best line matches more of the query.
  const isPageBest = (asked.pages[0]?.share ?? 0) >= (asked.lines[0]?.share ?? 0);
  return [
    ui.html('h1', {}, `${formatCount(found, 'result')}`),
    isPageBest ? shownPages : null,
    ui.listSection('People and things', near(asked.entities), FIRST, ({ name, type }) =>
      link(pageAddress('entity', name), name, type ?? ''),
    ),
    ui.listSection('Beliefs', near(asked.beliefs), FIRST, ({ id, text, confidence }) =>
      link(pageAddress('belief', id), text, confidence.toFixed(2)),
    ),
    ui.listSection('Sessions', near(asked.sessions), FIRST, ({ id, day }) =>
      link(pageAddress('session', id), id, day ?? ''),
    ),
    ui.listSection('Lines', lines.slice(0, MOST), 60, (item) => withHits(itemLine(item), wanted)),
    isPageBest ? null : shownPages,
    lines.length > MOST
      ? ui.noteText(`${formatCount(lines.length - MOST, 'more line')}. Add a word to see fewer.`)
      : null,
  ];
}

function namesOf(place: number): string {
  const { title = '', names = [], tags = [] } = PAGE_DATA.notes[place] ?? {};
  return [title, ...names, ...tags].join('\n');
}

/** Factor for the score of a match in the text of a page. A match in the names of a page counts fully. */
const OF_TEXT = 0.9;

/**
 * Lists each found page once, with its best section. Its score is the higher one of two: the score of its names, or the
 * score of that section.
 */
function pagesOf(titles: readonly TextHit<number>[], parts: readonly TextHit<Section>[]): readonly TextHit<Section>[] {
  const found = new Map<number, TextHit<Section>>();
  for (const { item, share } of parts)
    if (!found.has(item.note)) found.set(item.note, { item, share: OF_TEXT * share });
  for (const { item: place, share } of titles) {
    const known = found.get(place);
    if (share > (known?.share ?? 0))
      found.set(place, { item: known?.item ?? { note: place, heading: '', lines: [] }, share });
  }
  return [...found.values()].sort((a, b) => b.share - a.share || a.item.note - b.item.note);
}

function pageRow({ note: place, heading, lines }: Section, wanted: string): HTMLElement {
  const best = findBestLine(lines, wanted);
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

function link(href: string, text: string, more: string): HTMLElement {
  return ui.listItem(ui.textLink(href, text), ui.reasonText(more));
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

function textOf(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text).join('\n');
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

/** A found item, and the share of the query that it matches, from 0 to 1. Rare words count most. */
interface TextHit<T> {
  readonly item: T;
  readonly share: number;
}

/** Searches texts by whole words, beginnings of words and inflections. Finds words with one typo, too. */
class TextSearch<T> {
  private readonly places = new Map<string, number[]>();
  private read = 0;

  constructor(
    private readonly items: readonly T[],
    private readonly textOf: (item: T) => string,
  ) {}

  /**
   * Indexes texts until a deadline.
   * @param until in ms, as `performance.now()`
   * @returns whether all texts are indexed
   */
  warm(until: number): boolean {
    for (; this.read < this.items.length; this.read++) {
      if (performance.now() > until) return false;
      for (const item of this.items.slice(this.read, this.read + 1))
        for (const token of new Set(tokensOf(this.textOf(item)))) addToGroup(this.places, token, this.read);
    }
    return true;
  }

  /** Items that match any word, best first. Items with the same score keep the given order. */
  find(wanted: string): readonly TextHit<T>[] {
    this.warm(Number.POSITIVE_INFINITY);
    const scores = new Map<number, number>();
    let whole = 0;
    for (const word of new Set(tokensOf(wanted))) {
      const hits = new Map<number, number>();
      for (const [token, at] of this.places) {
        const worth = likeness(word, token);
        if (worth > 0) for (const place of at) hits.set(place, Math.max(hits.get(place) ?? 0, worth));
      }
      // Square the rarity of a word, so that many common words count less than one rare word.
      const rarity = Math.log(1 + this.items.length / (1 + hits.size)) ** 2;
      whole += rarity;
      for (const [place, worth] of hits) scores.set(place, (scores.get(place) ?? 0) + worth * rarity);
    }
    return [...scores]
      .sort(([a, one], [b, other]) => other - one || a - b)
      .flatMap(([place, score]) => this.items.slice(place, place + 1).map((item) => ({ item, share: score / whole })));
  }
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
