import { groupBy } from '../base/order.js';
import { BASIC_CJK_RANGES, CAPITAL_RANGES, LETTER_RANGES } from '../language/scripts.js';
import { isFirstPersonText } from '../language/speakers.js';
import { NAME_KIND_PREFIXES } from '../memory/page/names.js';
import type { IndexSegment } from './found.js';

/** Where the notes may name somebody or something, as far as the structure of the lines shows it. */
export interface NameUses {
  /**
   * Runs of words with capitals inside of sentences, and the days on which each stands. A page without days counts as one
   * day.
   */
  readonly inside: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of those who speak of themselves in conversations. */
  readonly speakers: ReadonlySet<string>;
  /** Titles and aliases of pages without a day, and the paths of the pages. */
  readonly titles: ReadonlyMap<string, string>;
  /** Those of {@link inside} that the core has. */
  readonly core: ReadonlySet<string>;
  /** Lines of the core that define a term or give a label its value, by their sections; and its headings. */
  readonly labels: readonly (readonly string[])[];
  readonly headings: readonly (readonly string[])[];
}

/** Roles of files whose lines are written by hand, or as if they were. */
const READ_ROLES = "('daily', 'topic', 'import', 'dump', 'bank', 'core', 'persona', 'host')";

/** Reads all lines once. 35 MB take half a second. */
export function readNameUses(segments: readonly IndexSegment[]): NameUses {
  const inside = new Map<string, Set<string>>();
  const speakers = new Set<string>();
  const titles = new Map<string, string>();
  const labels: (readonly string[])[] = [];
  const headings: (readonly string[])[] = [];
  const core = new Set<string>();
  for (const segment of segments) {
    readInside(segment, inside, core);
    for (const name of speakersOf(segment)) speakers.add(name);
    for (const [names, path] of rows<[string, string]>(segment, TITLES))
      for (const name of names.split('\n')) if (name !== '') titles.set(name, path);
    const bySection = groupBy(rows<[string, string]>(segment, LABELS), ([section]) => section);
    for (const [section, lines] of bySection)
      (section.includes('h') ? headings : labels).push(lines.map(([, text]) => text));
  }
  return { inside, speakers, titles, core, labels, headings };
}

const TITLES = `SELECT unit.text, file.path FROM file JOIN unit ON unit.id = file.first_unit
  WHERE file.day IS NULL AND file.role IN ('topic', 'bank')
  AND EXISTS (SELECT 1 FROM link WHERE link.unit = unit.id AND substr(slug, 1, 1) = '${NAME_KIND_PREFIXES.own}')`;
/** The lines of a section are together, and so are the headings below one. */
const LABELS = `SELECT file.id || ':' ||
    iif(unit.section = unit.id - file.first_unit, 'h' || ifnull(json_extract(detail, '$.under'), ''), unit.section), unit.text
  FROM file JOIN unit ON unit.id BETWEEN file.first_unit AND file.last_unit
  WHERE file.role IN ('core', 'persona') AND (unit.text LIKE '**%'
    OR EXISTS (SELECT 1 FROM link WHERE link.unit = unit.id AND substr(slug, 1, 1) IN (':', ';')))`;
const SPOKEN = `SELECT unit.speaker, unit.text, file.id, file.last_unit - file.first_unit
  FROM unit JOIN file ON file.id = unit.file WHERE speaker IS NOT NULL`;
/** Share of the lines of a page from which on it is a conversation. */
const LEAST_SPOKEN = 0.5;
/** Share of lines in the first person from which on a name before lines is that of a speaker, and not a label. */
const LEAST_OF_SELF = 0.05;

function rows<T>({ db, masked }: IndexSegment, sql: string): readonly T[] {
  const unmasked =
    masked.size > 0 ? sql.replace('WHERE ', `WHERE file.id NOT IN (${[...masked].join(',')}) AND `) : sql;
  return db.prepare<[], T>(unmasked).raw().all();
}

/** A label such as `Status:` that recurs has the form of a speaker. But only people talk to each other of themselves. */
function speakersOf(segment: IndexSegment): readonly string[] {
  const spoken = rows<[string, string, number, number]>(segment, SPOKEN);
  const byFile = groupBy(spoken, ([, , file]) => file);
  const counts = new Map<string, { lines: number; ofSelf: number }>();
  for (const [name, text, file, all] of spoken) {
    if ((byFile.get(file)?.length ?? 0) < LEAST_SPOKEN * all) continue;
    const count = counts.get(name) ?? { lines: 0, ofSelf: 0 };
    count.lines++;
    count.ofSelf += Number(isFirstPersonText(text));
    counts.set(name, count);
  }
  return [...counts].filter(([, { lines, ofSelf }]) => ofSelf > LEAST_OF_SELF * lines).map(([name]) => name);
}

const CAPITAL_WORD = `[${CAPITAL_RANGES}][${LETTER_RANGES}'’-]*[${LETTER_RANGES}]`;
/** A run of words with capitals behind a small word or a comma, and not in a path or an address. */
const INSIDE = new RegExp(
  `(?<=[${LETTER_RANGES}],? |[${BASIC_CJK_RANGES}] ?)(?<![${CAPITAL_RANGES}\\d]\\S* )${CAPITAL_WORD}(?: ${CAPITAL_WORD}){0,3}(?![${LETTER_RANGES}/@=(]|[.:'’-][${LETTER_RANGES}])`,
  'g',
);
/** Matches faster than {@link INSIDE}, wherever that does. */
const MAY_BE_INSIDE = new RegExp(`(?:[a-z\\u00df-\\u1fff],? |[${BASIC_CJK_RANGES}] ?)[${CAPITAL_RANGES}]`);

function readInside({ db, masked }: IndexSegment, inside: Map<string, Set<string>>, core: Set<string>): void {
  const files = db
    .prepare<[], [number, number, number, string | null, number]>(
      `SELECT id, first_unit, last_unit, day, role IN ('core', 'persona') FROM file WHERE role IN ${READ_ROLES}`,
    )
    .raw()
    .all();
  const lines = 'FROM unit WHERE id BETWEEN ? AND ? AND section <> id - ?';
  const ofDay = db
    .prepare<[number, number, number], string | null>(`SELECT group_concat(text, char(10)) ${lines}`)
    .pluck();
  const byDay = db
    .prepare<[number, number, number], [string | null, string]>(
      `SELECT day, group_concat(text, char(10)) ${lines} GROUP BY day`,
    )
    .raw();
  for (const [id, first, last, fileDay, isCore] of files) {
    if (masked.has(id)) continue;
    const also = isCore ? core : undefined;
    if (fileDay !== null) addInside(ofDay.get(first, last, first) ?? '', fileDay, inside, also);
    else for (const [day, text] of byDay.all(first, last, first)) addInside(text, day ?? `#${id}`, inside, also);
  }
}

function addInside(text: string, day: string, inside: Map<string, Set<string>>, core?: Set<string>): void {
  if (!MAY_BE_INSIDE.test(text)) return;
  for (const { 0: written, index } of text.matchAll(INSIDE)) {
    if (isInTitle(text, index)) continue;
    const name = written.replace(/['’]s$/, '');
    core?.add(name);
    const days = inside.get(name);
    if (days === undefined) inside.set(name, new Set([day]));
    else days.add(day);
  }
}

/** Share of words with capitals from which on a line is a title or a list of names, and shows nothing about its words. */
const MOST_CAPITALS = 0.6;
const CAPITAL = new RegExp(`^[^${LETTER_RANGES}]*[${CAPITAL_RANGES}]`);

function isInTitle(text: string, at: number): boolean {
  const end = text.indexOf('\n', at);
  const words = text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end).split(' ');
  return words.filter((word) => CAPITAL.test(word)).length > MOST_CAPITALS * words.length;
}
