import type { Day } from '../base/clock.js';
import { parseDay } from '../language/time/calendar.js';
import { managedSha } from '../markdown/blocks.js';

/**
 * The wording of the generated lines on pages of the bank. Writers call the functions whose names begin with `format`, and
 * the index stores what the readers find. So nobody else knows the wording. (The notes under an opinion are a format of
 * their own, see `memory/opinions-page`.)
 */

/** A statement that a generated line cites: its id and its place, `memory/2025-11-27.md#L12`. */
interface CitedStatement {
  readonly id: string;
  readonly source: string;
}

const HIDDEN = 'Hidden by a reader: ';
const PLANNED = 'planned: ';

/** Formats a line of an entity's page with the facts that it is made of. */
export function formatCitedLine(said: string, cited: readonly CitedStatement[]): string {
  return `${said} (${cited.map(({ source, id }) => `[${source}](../../${source}) ${id}`).join('; ')})`;
}

/** Formats the line that shows a belief on an entity's page. */
export function formatBeliefLine(said: string, id: string, confidence: number): string {
  return `${said} (c=${confidence.toFixed(2)}; [opinions](../opinions.md) ${id})`;
}

export function formatPlanLine(said: string): string {
  return PLANNED + said;
}

/** Formats an earlier statement of a thread, with the day on which it was said. */
export function formatEarlier(said: string, day: Day | null): string {
  return `earlier${day === null ? '' : `, ${day}`}: ${said}`;
}

const EARLIER = /^earlier(?:, \d{4}-\d{2}-\d{2})?: /;

/** The statement of a line that shows an earlier one. Undefined for all other lines. */
export function readEarlierStatement(line: string): string | undefined {
  return EARLIER.test(line) ? line.replace(EARLIER, '') : undefined;
}

/** Formats a statement that held, or happened, from one day to another. A null day means that this end is open. */
export function formatDated(said: string, from: Day | null, to: Day | null): string {
  const days = formatDays(from, to);
  return days === '' ? said : `${days}: ${said}`;
}

function formatDays(from: Day | null, to: Day | null): string {
  // If a plan was revoked before its first day, its period ends before it begins: show one day only.
  if (from === null || from === to || (to !== null && to < from)) return to ?? from ?? '';
  return to === null ? from : `${from} – ${to}`;
}

export function formatSectionTitle(title: string): string {
  return `**${title}**`;
}

/** Formats the note that counts the statements for which a section has no room. */
export function formatOlderNote(count: number, hasMore: boolean, name: string): string {
  return `and ${hasMore ? 'more than ' : ''}${count} older: \`openclaw memory entity show ${name} --all\``;
}

/** Formats the note that lists what a person took off the page. */
export function formatHiddenNote(ids: Iterable<string>): string {
  return HIDDEN + [...ids].sort().join(', ');
}

/** Formats the links to the entities that go with the entity of a page. A null page means that the entity has none. */
export function formatPageLinks(others: readonly { readonly name: string; readonly page: string | null }[]): string {
  return others.map(({ name, page }) => (page === null ? `@${name}` : `[${name}](${page})`)).join(', ');
}

/** Formats the note behind a struck statement that says which later statement replaced or ended it. */
export function formatReplacedNote(
  { source, id, day }: CitedStatement & { readonly day: Day | null },
  how: 'replaced' | 'ended',
): string {
  return `(${how} on ${day}: [${source}](../${source}) ${id})`;
}

/** Formats the note behind a statement beside which another one of its thread stands. */
export function formatSaidOnNote(day: Day): string {
  return `(said on ${day})`;
}

const SAID_ON = / \(said on [\d-]+\)(?= \^f-[0-9a-z]{13}\s*$)/;

export function hasSaidOnNote(line: string): boolean {
  return SAID_ON.test(line);
}

/** A line of durable facts without the note that says when it was said: the words of the fact do not name that day. */
export function withoutSaidOnNote(line: string): string {
  return line.replace(SAID_ON, '');
}

const NOTES = / \((?:(?:replaced|ended) on [\d-]+: \[[^\]]*\]\([^)]*\) f-[0-9a-z]{13}|said on [\d-]+)\)/g;
/** A line that is over as a whole. */
const REPLACED_BY = /^- ~~.*\b(f-[0-9a-z]{13})\) \^f-[0-9a-z]{13}\s*$/;

/** A line of durable facts without the notes that say when it was said, and what replaced or ended parts of it. */
export function withoutDurableNotes(line: string): string {
  return line.replace(NOTES, '');
}

/** Id of the statement that replaced a whole line. Undefined if none did. */
export function readReplacedBy(line: string): string | undefined {
  return REPLACED_BY.exec(line)?.[1];
}

const SHOWN = /\s([fo]-[0-9a-z]{13})\)$/;
const IDS = /\b[fo]-[0-9a-z]{13}\b/g;
const CITED = /(?:\[([^\]\s]+)\]\([^)]*\) )?\b(f-[0-9a-z]{13})\b/g;
const ONE_CITED = / \(\[[^\]]+\]\([^)]+\) f-[0-9a-z]{13}\)/g;

/** Id of the fact or belief that a line shows, if it ends with this id and has no other. */
export function readShownId(text: string): string | undefined {
  const shown = text.endsWith(')') ? SHOWN.exec(text)?.[1] : undefined;
  return shown !== undefined && text.match(IDS)?.length === 1 ? shown : undefined;
}

/** Ids of the facts in a line, each with the place of the fact where a link before the id names it. */
export function readCitations(text: string): readonly { readonly id: string; readonly source?: string }[] {
  return Array.from(text.matchAll(CITED), ([, source, id = '']) => (source === undefined ? { id } : { id, source }));
}

/** A line without the citation behind it. */
export function withoutCitation(line: string): string {
  return line.replace(ONE_CITED, '');
}

const ENDED = /^(?:\d{4}-\d{2}-\d{2} )?– (\d{4}-\d{2}-\d{2}):/;
const CITED_DAY = /\[memory\/(\d{4}-\d{2}-\d{2})[^\]]*\.md#L/g;

/** The latest day that a generated line knows of: of the statements that it cites, and the end of what it tells. */
export function readLatestDay(text: string): Day | undefined {
  const days = [...text.matchAll(CITED_DAY), ENDED.exec(text)].flatMap((found) => parseDay(found?.[1]) ?? []);
  return days.sort().at(-1);
}

/** The title of a section. Undefined for all other lines. */
export function readSectionTitle(line: string): string | undefined {
  return /^\*\*([^*]+)\*\*$/.exec(line)?.[1];
}

export function isPlanLine(line: string): boolean {
  return line.startsWith(PLANNED);
}

/** Ids in the note that lists what a person took off the page. Undefined for all other lines. */
export function readHiddenNote(line: string): readonly string[] | undefined {
  return line.startsWith(HIDDEN) ? (line.match(IDS) ?? []) : undefined;
}

const BESIDE_FACTS =
  /^\*\*[^*]+\*\*:?$|^and (?:more than )?\d+ older: `|^(?:(?:\[[^[\]]+\]\([^()\s]+\.md\)|[@＠][^\s,]+)(?:, |$))+$/;

/**
 * Whether a line of an entity's page stands beside the facts and says nothing: a title, a count of statements without
 * room, the hidden ones, or links to other entities, which are found by themselves.
 */
export function isNoteBesideFacts(text: string): boolean {
  return text.startsWith(HIDDEN) || BESIDE_FACTS.test(text);
}

/** Whether a line of an entity's page shows facts or beliefs, or stands beside them. */
export function isGeneratedLine(text: string): boolean {
  return /\b[fo]-[0-9a-z]{13}\)$/.test(text) || isNoteBesideFacts(text);
}

/**
 * Formats the note behind a fact that says where a program found it: in a session, or in lines of the same page.
 * @param by `rules`, or the name of a model
 */
export function formatOriginNote(where: string | { readonly from: number; readonly to: number }, by: string): string {
  const place = typeof where === 'string' ? where : `L${where.from}${where.from === where.to ? '' : `–L${where.to}`}`;
  return `(from ${place}, by ${by === RULES || by.includes(':') ? by : `${by}:latest`})`;
}

/** The name under which the rules are in the note of {@link formatOriginNote}. */
export const RULES = 'rules';

const FROM_LINES = /^from L(\d+)(?:–L(\d+))?(?:, by \S+)?$/;

/** The first and the last line in {@link formatOriginNote}, without the parentheses. Undefined for another note. */
export function readOriginLines(origin: string | null): readonly [from: number, to: number] | undefined {
  const [, from, to = from] = FROM_LINES.exec(origin ?? '') ?? [];
  return from === undefined ? undefined : [Number(from), Number(to)];
}

const OBSERVED = / <!-- observed ([0-9a-f]{12}) -->\s*$/;

/** Adds the mark by which a line is known as an observation of `reflect --observe`. It has a hash of the line. */
export function formatObservationLine(line: string): string {
  return `${line} <!-- observed ${managedSha(line)} -->`;
}

/** Whether a line has the mark of an observation: `intact`, or `edited` if somebody has changed the line since. */
export function readObservationMark(line: string): 'intact' | 'edited' | undefined {
  const mark = line.includes('<!-- observed ') ? OBSERVED.exec(line) : null;
  if (mark === null) return undefined;
  return managedSha(line.slice(0, mark.index)) === mark[1] ? 'intact' : 'edited';
}
