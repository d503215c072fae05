import { lazy, memoize } from '../base/cache.js';
import { compareText } from '../base/order.js';
import type { ListedEntity } from '../index/entity-list.js';
import type { IndexSearch } from '../index/search.js';
import { CAPITAL_RANGES, foldText, hasUnspaced, startsWithCapital } from '../language/scripts.js';
import { mayNameTimeInAnyLanguage } from '../language/time/cue.js';
import { wholeWordPattern } from '../language/tokens.js';
import { ENGLISH_STOP_WORDS, FUNCTION_WORDS, isFrequentWord } from '../language/words/stop.js';
import { isWeekday } from '../language/words/time-words.js';
import { termAndValue } from '../memory/page/terms.js';
import { buildSearchPhrase } from '../text/search-text.js';
import { entitySlug } from '../text/slug.js';
import { namePattern } from './mentions.js';

/** Where a name was found: facts or pages of entities, the title of another page, the core, a speaker, or other lines. */
type NameSource = 'entity' | 'page' | 'core' | 'speaker' | 'lines';

/** An entity, or a name in plain text. */
export interface ListedName extends ListedEntity {
  readonly by: NameSource;
  /** Number of lines that name it in plain words. An estimate if there are many. */
  readonly lines: number;
}

/** A name in lines alone must stand inside of sentences on this many days. */
const LEAST_DAYS = 3;
/** Maximum number of names that are looked up in the index, those on most days. */
const MOST_LOOKED_UP = 500;
/** Number of lines with a name that are read to see how the notes use it, spread over all. */
const SAMPLE = 40;
/** Maximum number of lines with the words of a name that are counted. */
const MOST_FOUND = 1_000_000;
/**
 * Minimum share of lines that write a name with a capital. In careless notes it is lower; then the word must never have an
 * article.
 */
const LEAST_CAPITAL = { sure: 0.9, careless: 0.35 } as const;
/** Share of uses from which on an article shows that a word is a noun, or a number behind it that it counts something. */
const LEAST_AS_NOUN = 0.1;
const LEAST_NUMBERED = 0.5;
/** Share of the labels of a section that are names by themselves, from which on all of them are. */
const LEAST_NAMES = 0.5;
/** Share of lines in German from which on names must be told from nouns, which German gives a capital, too. */
const LEAST_GERMAN = 0.25;

/** Lists all entities, and the names that the notes use in plain words, the most mentioned first. */
export function listNames(search: IndexSearch): readonly ListedName[] {
  const entities = search.entities();
  const listed = new Set(entities.map(({ slug }) => slug));
  const uses = search.nameUses();
  const found = new Map<string, ListedName>();
  const finder = new NameFinder(search);
  const add = (name: string, by: NameSource, isShown: (use: NameUse) => boolean, page: string | null = null): void => {
    const slug = entitySlug(name);
    if (found.has(slug) || listed.has(search.entity(slug)?.slug ?? slug)) return;
    const use = finder.useOf(name);
    if (isShown(use)) found.set(slug, { name, slug, type: null, page, mentions: 0, by, lines: use.lines });
  };
  const often = [...uses.inside].sort(([, a], [, b]) => b.size - a.size).slice(0, MOST_LOOKED_UP);
  const isNoun = isInGerman(often.map(([name]) => finder.useOf(name))) ? nounTest(uses.inside.keys()) : () => false;
  const isName = (name: string, use: NameUse, least: number): boolean =>
    mayBeName(name) &&
    use.isPerson &&
    use.lines >= least &&
    use.beside >= least &&
    isWrittenAsName(use) &&
    !isNoun(name, use);
  const isKnown = (name: string, use: NameUse): boolean =>
    isName(name, use, 2) && use.share >= LEAST_CAPITAL.sure && (hasUnspaced(name) || uses.inside.has(name));
  for (const [title, path] of uses.titles)
    add(
      title,
      'page',
      (use) => isPersonPage(path) || isKnown(title, use) || (isFullName(title) && isName(title, use, 2)),
      path,
    );
  for (const name of uses.speakers)
    add(name, 'speaker', ({ lines, isPerson }) => lines > 0 && isPerson && (HANDLE.test(name) || mayBeName(name)));
  for (const lines of [...uses.labels, ...uses.headings]) {
    const terms = labelled(lines);
    const named = terms.filter(({ name, isDefined }) => {
      const use = finder.useOf(name);
      return isDefined ? isName(name, use, 1) : isKnown(name, use);
    });
    // In a list of names, each label is one.
    const isList = named.length > 1 && named.length >= LEAST_NAMES * terms.length;
    for (const { name } of isList ? terms.filter(isShort) : named) add(name, 'core', () => true);
  }
  for (const name of uses.labels.flat().flatMap((line) => termAndValue(line)?.[1] ?? []))
    add(name, 'core', (use) => isName(name, use, isFullName(name) ? 1 : 2) && use.share >= LEAST_CAPITAL.sure);
  for (const name of uses.core) add(name, 'core', (use) => isName(name, use, 1) && use.share >= LEAST_CAPITAL.sure);
  for (const [name, days] of often)
    if (days.size >= LEAST_DAYS) add(name, 'lines', (use) => isName(name, use, LEAST_DAYS));
  const all = entities.map(
    (entity): ListedName => ({
      ...entity,
      by: 'entity',
      lines: uses.inside.get(entity.name)?.size ?? 0,
    }),
  );
  return [...all, ...found.values()].sort(
    (a, b) => b.mentions + b.lines - a.mentions - a.lines || compareText(a.slug, b.slug),
  );
}

/** A name as chat programs write it: `dev.anand`. */
const HANDLE = /^\p{Ll}[\p{Ll}\d]*[._-]\p{Ll}[\p{Ll}\d._-]*$/u;

/** Endings of forms of German nouns. A name has none of these: only `s`. */
const NOUN_ENDINGS = ['e', 'en', 'n', 'er', 'ern', 'es'] as const;
const SHORTEST_NOUN = 3;
/** Number of lines, and of different words before a name in them, that show that a German word is a name. */
const LEAST_OF_GERMAN = 3;
const LEAST_AS_LABEL = 0.25;

/**
 * Tells nouns from names in German, which gives both a capital: a noun has more forms, stands in longer words
 * ("Sitzungstermin" and "Termine" show that "Termin" is one), or has an article.
 */
function nounTest(names: Iterable<string>): (name: string, use: NameUse) => boolean {
  const words = new Set([...names].flatMap((name) => name.toLowerCase().split(/[ -]/)));
  const all = [...words];
  return (name, { before, lines, share, asNoun, asLabel }) => {
    const small = name.toLowerCase();
    if (before < LEAST_OF_GERMAN || lines < LEAST_OF_GERMAN || share < LEAST_CAPITAL.sure) return true;
    if (asNoun >= LEAST_AS_NOUN / 2 || asLabel >= LEAST_AS_LABEL) return true;
    if (small.length < SHORTEST_NOUN || small.includes(' ')) return false;
    const isForm = (ending: string): boolean =>
      words.has(small + ending) || (small.endsWith(ending) && words.has(small.slice(0, -ending.length)));
    return NOUN_ENDINGS.some(isForm) || all.some((word) => word.length > small.length && word.endsWith(small));
  };
}

/** Whether a label is as short as a name. */
function isShort({ name }: { readonly name: string }): boolean {
  return !ODD.test(name) && name.split(/\s+/).length < LONGEST_NAME.words && /^[\p{L}\p{M}\p{N} .'’-]+$/u.test(name);
}

function isFullName(name: string): boolean {
  return /\S\s\S/.test(name);
}

function isPersonPage(path: string): boolean {
  return /(?:^|\/)people\//i.test(path);
}

/** How the notes use a word or a few words, by a sample of the lines. */
interface NameUse {
  /** Number of lines with it. */
  readonly lines: number;
  /** Share of these lines that write it with a capital. 1 in scripts without capitals. */
  readonly share: number;
  /** Share of the uses with an article before it: of a language that gives nouns a capital, and of any. */
  readonly asNoun: number;
  readonly withArticle: number;
  /** Share of the uses with a number behind it: "Phase 2". */
  readonly numbered: number;
  /** Number of different words before it, and of different pairs of words beside it. A phrase that recurs has only one. */
  readonly before: number;
  readonly beside: number;
  /** Share of the uses with a colon behind it. */
  readonly asLabel: number;
  /** Share of the lines that are in German. */
  readonly german: number;
  /** Whether it speaks or is addressed somewhere. True in scripts with capitals. */
  readonly isPerson: boolean;
}

function isWrittenAsName({ share, asNoun, withArticle, numbered }: NameUse): boolean {
  if (numbered >= LEAST_NUMBERED) return false;
  return share >= LEAST_CAPITAL.sure
    ? asNoun < LEAST_AS_NOUN
    : share >= LEAST_CAPITAL.careless && withArticle < LEAST_AS_NOUN;
}

class NameFinder {
  constructor(private readonly search: IndexSearch) {}

  readonly useOf = memoize((name: string): NameUse => this.read(name));

  private read(name: string): NameUse {
    const phrase = buildSearchPhrase(name);
    const keys = phrase === undefined ? [] : (this.search.having(phrase, MOST_FOUND).keys ?? []);
    const step = Math.max(1, keys.length / SAMPLE);
    const sample = Array.from({ length: Math.min(SAMPLE, keys.length) }, (_, at) => keys[Math.floor(at * step)] ?? 0);
    const pattern = namePattern(entitySlug(name));
    const isUncased = name.toUpperCase() === name.toLowerCase();
    const befores = new Set<string>();
    const besides = new Set<string>();
    let [all, capital, noun, article, numbered, person, german, label] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (const text of this.search.texts(sample).values()) {
      const match = pattern.exec(text);
      if (match === null) continue;
      const before = text.slice(0, match.index);
      const after = text.slice(match.index + match[0].length);
      const hasCapital = isUncased || startsWithCapital(match[0]);
      // In an address or a path, all names are small.
      if (!hasCapital && (IN_ADDRESS.before.test(before) || IN_ADDRESS.after.test(after))) continue;
      all++;
      capital += Number(hasCapital);
      noun += Number(NOUN_ARTICLE.test(before));
      article += Number(ARTICLE.test(before));
      german += Number(isGerman(text));
      label += Number(/^\**[:：]/.test(after));
      numbered += Number(/^\s?\d/.test(after));
      person += Number(!isUncased || AS_PERSON.test(after));
      const previous = /\S*\s*$/.exec(before)?.[0] ?? '';
      befores.add(previous);
      besides.add(`${previous} ${/^\S*\s*\S*/.exec(after)?.[0]}`);
    }
    const share = (count: number): number => count / Math.max(1, all);
    return {
      lines: Math.round((keys.length * all) / Math.max(1, sample.length)),
      share: share(capital),
      asNoun: share(noun),
      withArticle: share(article),
      numbered: share(numbered),
      before: befores.size,
      beside: besides.size,
      asLabel: share(label),
      german: share(german),
      isPerson: person > 0,
    };
  }
}

const IN_ADDRESS = { before: /[\w./_-]$|\w@$/, after: /^[/@_]|^[.-]\w/ } as const;
/** Articles of German, which gives nouns a capital. An adjective may follow. */
const NOUN_ARTICLE =
  /(?:^|[^\p{L}])(?:de[rmns]|die|das|(?:k|m|d|s)?ein(?:e[mnrs]?)?|[ai]m|ins|zu[mr]|vom|beim)\s(?:\p{Ll}+e[mnrs]?\s)?$/iu;
/** Articles, words in the place of an article, and numbers. */
const ARTICLE =
  /(?:^|[^\p{L}])(?:the|an?|my|our|your|their|der|de[mns]|die|das|eine?[mnrs]?|les?|la|une?|mes|nos|notre|el|los|las|una|il|lo|gli|het|een|\d+)\s$/iu;
/** Says in a script without capitals that somebody speaks or is addressed. */
const AS_PERSON = /^(?:说|說|问|問|告诉|告訴|さん|くん|ちゃん|様|씨|님)/u;

const CAPITALISED = new RegExp(`^[${CAPITAL_RANGES}]`);
/** Short words inside of names. */
const PARTICLE = wholeWordPattern('van von vom zu der den de da di del la le al el bin ibn bint y e');
const LONGEST_NAME = { words: 4, characters: 6 } as const;

/** Names of files, and acronyms with an ending. */
const ODD = /\.\p{Ll}+$|^\p{Lu}{2,}s?(?:$|-\p{Ll})/u;

/** Languages whose names are not those of somebody, and the languages in which they are written. */
const LANGUAGES =
  'ar cs da de el en es et fi fr he hi hr hu it ja ko la lt lv nl no pl pt ro ru sk sl sr sv th tr uk vi zh';
const WRITTEN_IN = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'pl'] as const;
const languageNames = lazy(() => {
  const namesIn = WRITTEN_IN.map((locale) => new Intl.DisplayNames(locale, { type: 'language' }));
  return new Set(LANGUAGES.split(' ').flatMap((code) => namesIn.map((names) => names.of(code)?.toLowerCase())));
});

/** Whether a text has the form of a name: a few words with capitals, or a few characters of a script without them. */
function mayBeName(name: string): boolean {
  if (isWeekday(name.replace(/s$/, '')) || mayNameTimeInAnyLanguage(name)) return false;
  if (languageNames().has(name.toLowerCase())) return false;
  if (hasUnspaced(name)) return name.length > 1 && name.length <= LONGEST_NAME.characters && /^\p{L}+$/u.test(name);
  const words = name.split(/\s+/);
  const small = name.toLowerCase();
  if (ODD.test(name)) return false;
  if (words.length > LONGEST_NAME.words || name === name.toUpperCase() || name.length < 2) return false;
  if (words.length === 1 && (isFrequentWord(small) || ENGLISH_STOP_WORDS.has(small))) return false;
  return (
    words.every((word) => CAPITALISED.test(word) || PARTICLE.test(word)) && /^[\p{L}\p{M}\p{N} .'’-]+$/u.test(name)
  );
}

/** Words that only German has. */
const GERMAN = germanWords();

function germanWords(): ReadonlySet<string> {
  const { de, ...others } = FUNCTION_WORDS;
  const foreign = new Set([
    ...ENGLISH_STOP_WORDS,
    ...Object.values(others).flatMap((words) => words.split(' ')),
    'die',
  ]);
  return new Set(de.split(' ').filter((word) => !foreign.has(word)));
}

function isGerman(text: string): boolean {
  return foldText(text)
    .split(/[^\p{L}]+/u)
    .some((word) => GERMAN.has(word));
}

function isInGerman(uses: readonly NameUse[]): boolean {
  return uses.reduce((sum, { german }) => sum + german, 0) > LEAST_GERMAN * uses.length;
}

/** The labels of some lines. A label is defined if it is bold, and no colon sets it off: `**Oda** — runs the lab`. */
function labelled(lines: readonly string[]) {
  return lines.flatMap((line) => {
    const [, bold] = /^\*\*([^*:：]{1,40})\*\*(?!\s*[:：])/.exec(line) ?? [];
    const [terms] = termAndValue(line) ?? [[line.replace(/\s*\(.*/, '')]];
    return (bold === undefined ? terms : [bold]).map((name) => ({ name, isDefined: bold !== undefined }));
  });
}
