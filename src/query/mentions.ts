import { compareText } from '../base/order.js';
import { dayOfUnit, isHeading, isPageUnit } from '../index/found.js';
import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../index/search.js';
import { startsWithCapital } from '../language/scripts.js';
import { hasForm } from '../line/form.js';
import { NAME_KIND_PREFIXES, nameKey } from '../memory/page/names.js';
import { termSlug, valueSlug } from '../memory/page/terms.js';
import { isAlwaysRead } from '../memory/pages.js';
import { buildSearchPhrase } from '../text/search-text.js';

/** The lines that name somebody or something in plain words. A mention is no link: it enters no fact and no filter. */
interface Mentions {
  /** The name as most lines write it. Undefined if no line has it. */
  readonly written: string | undefined;
  /** Whether the notes show that the word is a name: by a page, a label of the core, a speaker, or its capital. */
  readonly isName: boolean;
  /** The only page without a day whose title or alias is the name. */
  readonly page: FoundUnit | undefined;
  /** Lines of the core that have the name, and the lines directly below each. They are in the order of the page. */
  readonly core: readonly FoundUnit[];
  /** All other lines with the name, newest first. A fact is there only once. */
  readonly lines: readonly FoundUnit[];
}

const FILTER: UnitFilter = { withResources: false };
/** Maximum number of lines with the words of a name that are read: those that were indexed last. */
const MOST_READ = 5_000;
/** Maximum number of lines with the words of a name that are counted. */
const MOST_FOUND = 1_000_000;
/** Maximum number of lines below a line of the core that belong to it. */
const MOST_BELOW = 5;
/**
 * A word is a name if the lines that have it without a capital are at most this share of those that have it with one. A name
 * that is also a word is one if at least `inside` lines have it with a capital inside of a sentence.
 */
const NAME_USE = { small: 1 / 3, inside: 2 } as const;

/** @param slugs the slugs of one name and its aliases, as `entitySlug` makes them */
export function findMentions(search: IndexSearch, slugs: readonly string[]): Mentions {
  const found = slugs.map((slug) => namedIn(search, slug));
  const units = new Map(found.flatMap(({ lines }) => lines).map((unit) => [unit.key, unit]));
  const all = [...units.values()].filter(isSaid);
  const names = slugs.map((slug) => slug.replaceAll('-', ' '));
  const isCore = ({ file }: FoundUnit): boolean => isAlwaysRead(file.role);
  const page = pageNamed(search, names);
  return {
    written: found[0]?.written,
    isName: page !== undefined || isDefined(search, names) || found.some(({ isName }) => isName),
    page,
    core: withLinesBelow(search, all.filter(isCore)),
    lines: eachOnce(all.filter((unit) => !isCore(unit)).sort(newestLineFirst)),
  };
}

/** Orders lines by their own days, or else those of their files; of one day the last comes first. */
export function newestLineFirst(a: FoundUnit, b: FoundUnit): number {
  return compareText(dayOfUnit(b) ?? '', dayOfUnit(a) ?? '') || b.key - a.key;
}

/** Leaves out the copies of facts. */
function eachOnce(units: readonly FoundUnit[]): readonly FoundUnit[] {
  const seen = new Set<string>();
  return units.filter(({ fact }) => fact === null || (!seen.has(fact) && seen.add(fact)));
}

/** Whether a line says something of its own: it is no name of a page, no view of a fact and no machine line. */
function isSaid(unit: FoundUnit): boolean {
  if (isPageUnit(unit) || unit.detail?.generated || unit.file.role === 'copy' || unit.file.role === 'summary')
    return false;
  return !hasForm(unit, 'query') && !hasForm(unit, 'note') && !hasForm(unit, 'empty');
}

/**
 * The lines with a name. A word that is written with a capital and also without one is a name only with it: "Will", and not
 * "will".
 */
function namedIn(search: IndexSearch, slug: string): Pick<Mentions, 'written' | 'isName' | 'lines'> {
  const phrase = buildSearchPhrase(slug.replaceAll('-', ' '));
  const keys = phrase === undefined ? [] : (search.having(phrase, MOST_FOUND).keys ?? []);
  const latest = keys.toSorted((a, b) => b - a).slice(0, MOST_READ);
  const pattern = namePattern(slug);
  const spellings = new Map<string, FoundUnit[]>();
  let isSpeaker = false;
  let inside = 0;
  for (const unit of search.units(search.allowed(latest, FILTER))) {
    isSpeaker ||= unit.speaker !== null && pattern.exec(unit.speaker)?.[0] === unit.speaker;
    const match = pattern.exec(unit.text);
    const written = match?.[0];
    if (match !== null && startsWithCapital(match[0]) && !isHeading(unit))
      inside += Number(INSIDE.test(unit.text.slice(0, match.index)));
    if (written !== undefined) spellings.set(written, [...(spellings.get(written) ?? []), unit]);
  }
  const byUse = [...spellings].sort(([, a], [, b]) => b.length - a.length);
  const isUncased = slug === slug.toUpperCase();
  const hasCapital = ([written]: readonly [string, unknown]): boolean => isUncased || startsWithCapital(written);
  const linesOf = (some: readonly (readonly [string, readonly FoundUnit[]])[]) => some.flatMap(([, lines]) => lines);
  const capitals = linesOf(byUse.filter(hasCapital));
  const smalls = linesOf(byUse.filter((use) => !hasCapital(use)));
  const isMostlyCapital = capitals.length > 0 && smalls.length <= NAME_USE.small * capitals.length;
  return {
    written: (byUse.find(hasCapital) ?? byUse[0])?.[0],
    isName: isMostlyCapital || isSpeaker || inside >= NAME_USE.inside,
    lines: capitals.length === 0 || isMostlyCapital ? [...capitals, ...smalls] : capitals,
  };
}

/** Matches a beginning of a sentence that goes on: "asked ", "Tom, ". */
const INSIDE = /[\p{Ll}\p{N},;]\s$/u;

/** Matches a name as whole words. A script without spaces has no ends of words. */
export function namePattern(slug: string): RegExp {
  const words = slug.split('-').map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}_](?<![\\p{Lo}]))${words.join('[\\s_-]+')}(?!(?!\\p{Lo})[\\p{L}\\p{M}\\p{N}_])`,
    'iu',
  );
}

/** The page of a person's own that has one of the names. Undefined if several have it: README is a name of none. */
function pageNamed(search: IndexSearch, names: readonly string[]): FoundUnit | undefined {
  for (const kind of ['own', 'alias'] as const) {
    const slugs = names.map((name) => NAME_KIND_PREFIXES[kind] + nameKey(name));
    const pages = search.units(search.linked(slugs, FILTER, MOST_READ)).filter(({ file }) => file.day === null);
    if (pages.length > 0) return pages.length === 1 ? pages[0] : undefined;
  }
  return undefined;
}

/** Whether a line of the core defines one of the names, or gives it as the value of a label. */
function isDefined(search: IndexSearch, names: readonly string[]): boolean {
  const slugs = names.flatMap((name) => [termSlug(name), valueSlug(name)]);
  return search.units(search.linked(slugs, FILTER, MOST_READ)).some(({ file }) => isAlwaysRead(file.role));
}

function withLinesBelow(search: IndexSearch, units: readonly FoundUnit[]): readonly FoundUnit[] {
  const found = new Map<UnitKey, FoundUnit>();
  for (const unit of units) for (const one of [unit, ...linesBelow(search, unit)]) found.set(one.key, one);
  return [...found.values()].sort((a, b) => a.key - b.key);
}

/** The lines directly below a heading, or the items of a list below their parent. */
function linesBelow(search: IndexSearch, unit: FoundUnit): readonly FoundUnit[] {
  if (isHeading(unit)) return search.linesBelow(unit).slice(0, MOST_BELOW);
  const { key, file } = unit;
  const next = search.range(key + 1, Math.min(key + MOST_BELOW, file.lastUnit));
  const end = next.findIndex(({ detail }) => (detail?.under ?? -1) < key - file.firstUnit);
  return end < 0 ? next : next.slice(0, end);
}
