import { posix } from 'node:path';
import { lazy } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { compareText, groupBy } from '../base/order.js';
import { isHeading, isPageUnit } from '../index/found.js';
import type { FoundUnit } from '../index/search.js';
import { startsWithCapital } from '../language/scripts.js';
import { withoutLeadingTime } from '../language/speakers.js';
import { addDays, weekPeriod } from '../language/time/calendar.js';
import { isFrequentWord } from '../language/words/stop.js';
import { hasForm } from '../line/form.js';
import { formatObservationLine, readObservationMark } from '../line/generated.js';
import { statesDecision } from '../line/said.js';
import { type Bullet, formatBullet, parseBullet } from '../markdown/bullet.js';
import { findEntities } from '../markdown/entities.js';
import { withoutProvenance } from '../markdown/inline.js';
import { linesWithLineEnds, splitLines } from '../markdown/lines.js';
import { pageOfPath, RETAIN_HEADING } from '../memory/pages.js';
import { namePattern } from '../query/mentions.js';
import { insertFacts } from '../retain/insert.js';
import { isMachineHeading, isMachineLine } from '../text/machine-text.js';
import type { ReflectRun } from './run.js';

/** Maximum number of observations of a week. */
const MOST_A_WEEK = 3;
/** An observation needs this many entries on this many days: fewer are read as fast as a line that counts them. */
const LEAST = { entries: 5, days: 2 } as const;
/** Maximum number of sorts in an observation. */
const MOST_SORTS = 5;

interface Log {
  readonly path: string;
  readonly day: Day;
}

/** A fact, a list item, or a paragraph of a log. A paragraph has an entry for each of its lines, all of one place. */
interface Entry {
  readonly log: Log;
  readonly place: string;
  readonly text: string;
  readonly slugs: ReadonlySet<string>;
  /**
   * The sort of the entry; each sort is counted by itself. It is `done task`, `experience` or the like, or has the words of
   * the log: a label (`“Error”`), or the heading of a list (`under “Decisions”`).
   */
  readonly sort: string | undefined;
}

/**
 * Plans the observations of weeks that have ended: for the entities that most entries of a week name, a line that counts
 * these entries, in the newest log of that week. The week that ends today counts as ended. Lines of earlier runs are
 * replaced. A line that somebody has edited or deleted stays so.
 * @returns the changed logs, what was written with its place, and all entities that have or had an observation
 */
export function planObservations(run: ReflectRun) {
  const observed = new Map(run.observe?.known);
  const pages: { readonly path: string; readonly text: string }[] = [];
  const written: string[] = [];
  const entities = lazy(() => readEntities(run));
  for (const [monday, logs] of weeksToObserve(run)) {
    const target = logs.findLast((log) => isWritable(log, run));
    if (target === undefined) continue;
    const marked = logs.flatMap(({ path }) => readMarkedLines(path, run));
    const own = new Set(marked.flatMap(({ slug, isOurs }) => (isOurs ? slug : [])));
    const known = [...(observed.get(monday) ?? []), ...marked.flatMap(({ slug }) => slug)];
    const taken = new Set(known.filter((slug) => !own.has(slug)));
    const entries = logs.flatMap((log) => readEntries(log, run));
    const lines = observationsOf(mostNamed(entries, entities()), target, taken, run);
    observed.set(monday, [...new Set([...known, ...lines.keys()])]);
    for (const { path, day } of logs) {
      const before = readMarkedLines(path, run);
      const text = rewrite(before, path === target.path ? lines : new Map(), day);
      const old = new Set(before.map(({ line }) => line.trimEnd()));
      if (text === before.map(({ line }) => line).join('')) continue;
      pages.push({ path, text });
      for (const [at, line] of splitLines(text).lines.entries())
        if (!old.has(line)) written.push(...statementOf(line, `${path}#L${at + 1}`));
    }
  }
  return { pages, written, observed: run.observe && observed };
}

const isPlain = ({ path, day }: Log): boolean => path === `memory/${day}.md`;

/** The weeks of the run that have ended, each with its logs in order. */
function weeksToObserve({ observe, today, since, files, elsewhere, search }: ReflectRun) {
  // A count would be false while some files are away.
  if (observe === undefined || !elsewhere.isNone) return [];
  const last = weekPeriod(addDays(today, -6)).since;
  const first = since === undefined ? last : weekPeriod(since).since;
  const logs = files.flatMap(({ path, role }): readonly Log[] => {
    const day = role === 'daily' ? (search.file(path)?.day ?? null) : null;
    return day === null ? [] : [{ path, day }];
  });
  // Of one day, the log into which `retain` writes comes last.
  logs.sort((a, b) => compareText(a.day, b.day) || Number(isPlain(a)) - Number(isPlain(b)));
  return [...groupBy(logs, ({ day }) => weekPeriod(day).since)].filter(([monday]) => monday >= first && monday <= last);
}

/**
 * The lines of a week by the slugs of their entities.
 * @param taken entities whose line somebody has edited or deleted
 */
function observationsOf(
  named: ReturnType<typeof mostNamed>,
  target: Log,
  taken: ReadonlySet<string>,
  { reader, observe }: ReflectRun,
) {
  const lines = new Map<string, string>();
  for (const { slug, name, entries } of named) {
    const line = formatBullet({ kind: 'S', confidence: null, entities: [name], text: sentence(entries, target) });
    const bullet = parseLine(line);
    const isSound =
      bullet !== undefined && reader.slugOf(bullet.entities[0] ?? '') === slug && !observe?.isForgotten(bullet);
    if (isSound && !taken.has(slug)) lines.set(slug, formatObservationLine(line));
  }
  return lines;
}

/** The first day of the week of a log; null for other pages. */
export function weekOfPath(path: string): string | null {
  const day = pageOfPath(path)?.day ?? null;
  return day === null ? null : weekPeriod(day).since;
}

function isWritable({ path }: Log, { whyUnread, readPage }: ReflectRun): boolean {
  return pageOfPath(path)?.role === 'daily' && whyUnread(path, readPage(path)) === undefined;
}

function statementOf(line: string, place: string): readonly string[] {
  const bullet = readObservationMark(line) === undefined ? undefined : parseLine(line);
  return bullet === undefined ? [] : [`${withoutProvenance(bullet.statement)} (${place})`];
}

function parseLine(line: string): Bullet | undefined {
  const parsed = parseBullet(line.replace(/^\s*[-*+]\s+/, '').trim());
  return parsed.type === 'fact' ? parsed.bullet : undefined;
}

/** The lines of a log with their ends. `slug` has the entity of a line with the mark of an observation. */
function readMarkedLines(path: string, { reader, readPage }: ReflectRun) {
  return linesWithLineEnds(readPage(path) ?? '').map((line) => {
    const mark = readObservationMark(line);
    // A line that somebody has struck is no fact, but names its entity.
    const names = mark === undefined ? [] : findEntities(line);
    return { line, slug: names.slice(0, 1).map((name) => reader.slugOf(name)), isOurs: mark === 'intact' };
  });
}

/** Replaces the observations of a log, and adds those that it has not. Removes all others that nobody has edited. */
function rewrite(marked: ReturnType<typeof readMarkedLines>, lines: ReadonlyMap<string, string>, day: Day): string {
  const left = new Map(lines);
  const kept = marked.map(({ line, slug: [slug], isOurs }) => {
    if (slug === undefined || !isOurs) return line;
    const wanted = left.get(slug);
    left.delete(slug);
    return wanted === undefined ? '' : wanted + (/[\r\n]+$/.exec(line)?.[0] ?? '');
  });
  return left.size === 0 ? kept.join('') : insertFacts(kept.join(''), day, [...left.values()], true).text;
}

/** The entries of a log: facts, and lines that people or agents wrote. */
function readEntries(log: Log, { search, reader, readPage }: ReflectRun): readonly Entry[] {
  const file = search.file(log.path);
  const units = file === undefined ? [] : search.range(file.firstUnit, file.lastUnit);
  const headings = new Map(
    units.flatMap((unit) => (isHeading(unit) && !isPageUnit(unit) ? [[unit.key, unit.text]] : [])),
  );
  const facts = new Map(reader.ofPage(log.path).map((fact) => [fact.line, fact]));
  const { lines } = splitLines(readPage(log.path) ?? '');
  return units.flatMap((unit): readonly Entry[] => {
    const { line, text, detail, section } = unit;
    const heading = headings.get(section ?? -1) ?? '';
    const fact = facts.get(line);
    if (!isEntry(unit, heading) || fact?.isJob) return [];
    // A fact that was found in a line of the same log is one entry with it.
    const from = detail?.from?.[0];
    const place = from === undefined ? unit.fact : null;
    const slugs = new Set(fact?.slugs ?? detail?.entities?.map((name) => reader.slugOf(name)));
    const sort = sortOf(unit) ?? headingOfItem(lines[line - 1] ?? '', heading);
    return [{ log, place: place ?? `${log.path}#${startOfEntry(lines, from ?? line)}`, text, slugs, sort }];
  });
}

/** Forms of lines that are no entries. */
const NO_ENTRY = ['observed', 'header', 'query', 'note', 'empty', 'date', 'struck', 'links'] as const;

function isEntry(unit: FoundUnit, heading: string): boolean {
  const isMachine = isMachineLine(unit.text) || isMachineHeading(heading);
  const isLabel = isHeading(unit) || unit.detail?.field === true || unit.detail?.cells === true;
  return !isMachine && !isLabel && !NO_ENTRY.some((form) => hasForm(unit, form));
}

const STARTS_ENTRY = /^\s*(?:[-*+|>]|\d{1,9}[.)])\s?/;

/** The line on which the list item or paragraph of a line begins. A line with a time of its own begins an entry. */
function startOfEntry(lines: readonly string[], line: number): number {
  const isStart = (text: string, before: string): boolean =>
    STARTS_ENTRY.test(text) || withoutLeadingTime(text) !== text || /^\s*(?:#.*)?$/.test(before);
  let start = line;
  while (start > 1 && !isStart(lines[start - 1] ?? '', lines[start - 2] ?? '')) start--;
  return start;
}

const LABEL = /^[*_`]*(\p{L}{2,20})[*_`]*[:：]/u;

function sortOf(unit: FoundUnit): string | undefined {
  const { kind, fact, text, speaker } = unit;
  if (hasForm(unit, 'done')) return 'done task';
  if (hasForm(unit, 'cancelled')) return 'cancelled task';
  if (text.startsWith('[ ] ')) return 'open task';
  if (fact !== null) return kind === 'experience' || kind === 'opinion' ? kind : undefined;
  const label = LABEL.exec(text)?.[1];
  return label === undefined || label === speaker ? undefined : `“${label}”`;
}

function headingOfItem(line: string, heading: string): string | undefined {
  const isList = /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line);
  return isList && heading !== '' && heading !== RETAIN_HEADING ? `under “${heading}”` : undefined;
}

/** All entities. `beginnings` has the first word of each name. */
function readEntities({ search }: ReflectRun) {
  return search.entities().map(({ slug, name, page }) => {
    const slugs = page === null ? [slug] : (search.entity(slug)?.slugs ?? [slug]);
    const tests = lazy(() => slugs.map((one) => nameTest(one, name)));
    return { slug, name, tests, beginnings: slugs.map((one) => one.split('-')[0] ?? one) };
  });
}

/** The entities that most entries name, with these entries. */
function mostNamed(entries: readonly Entry[], entities: ReturnType<typeof readEntities>) {
  const texts = entries.map(({ text }) => text.normalize('NFKC').toLowerCase()).join('\n');
  const named = entities.flatMap(({ slug, name, tests, beginnings }) => {
    // A cheap test, because a workspace may have thousands of entities.
    if (!beginnings.some((word) => texts.includes(word))) return [];
    const own = entries.filter((entry) => entry.slugs.has(slug) || tests().some((test) => test(entry.text)));
    const places = new Set(own.map(({ place }) => place)).size;
    const days = new Set(own.map(({ log }) => log.day)).size;
    return places < LEAST.entries || days < LEAST.days ? [] : [{ slug, name, entries: own, places, days }];
  });
  named.sort((a, b) => b.places - a.places || b.days - a.days || compareText(a.slug, b.slug));
  return named.slice(0, MOST_A_WEEK);
}

/** Tests whether a text has a name in plain words. A name that is also a common word must be marked as an entity. */
function nameTest(slug: string, name: string): (text: string) => boolean {
  const pattern = namePattern(slug);
  const isSmall = !startsWithCapital(name);
  return (text) => {
    const word = isFrequentWord(slug) ? undefined : pattern.exec(text)?.[0];
    return word !== undefined && (isSmall || word !== word.toLowerCase() || word === word.toUpperCase());
  };
}

/** The text of an observation: what it counts, and links to the logs with these entries. */
function sentence(entries: readonly Entry[], target: Log): string {
  const byPlace = [...groupBy(entries, ({ place }) => place).values()];
  const logs = [...new Set(entries.map(({ log }) => log))];
  const days = [...new Set(logs.map(({ day }) => day))];
  const sorts = groupBy(
    byPlace.flatMap((lines) => lines.find(({ sort }) => sort !== undefined)?.sort ?? []),
    (sort) => sort,
  );
  const counted = [...sorts]
    .filter(([sort, { length }]) => !sort.endsWith('”') || length > 1 || statesDecision(sort))
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([sort, { length }]) => `${length} ${sort}${length > 1 && !sort.endsWith('”') ? 's' : ''}`);
  const parts = counted.length === 0 ? '' : `: ${counted.slice(0, MOST_SORTS).join(', ')}`;
  const span = `named in ${byPlace.length} entries on ${days.length} days from ${days[0]} to ${days.at(-1)}`;
  return `${span}${parts} (from ${logs.map((log) => `[${log.day}](${encodeURI(posix.relative(posix.dirname(target.path), log.path))})`).join(', ')})`;
}
