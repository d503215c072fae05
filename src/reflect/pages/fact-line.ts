import type { Day } from '../../base/clock.js';
import { daysBetween } from '../../language/time/calendar.js';
import { formatCitedLine, formatDated, formatEarlier, formatPlanLine } from '../../line/generated.js';
import { withoutImportanceMark } from '../../memory/fact.js';
import { entitySlug } from '../../text/slug.js';
import type { PageFactStatus } from '../entity-statuses.js';
import type { ReflectFact } from '../facts.js';

/** A statement within a generated line, escaped so that it does not begin an HTML comment. */
export function toInlineText(text: string): string {
  return withoutImportanceMark(text).replaceAll('<!--', '&lt;!--').replace(/\s+/g, ' ').trim();
}

/** The line of a fact on an entity's page, without the list marker. A reader understands it without the lines around it. */
export function formatFactLine(standing: PageFactStatus, slug: string): string {
  const { fact, place, from, to, rest } = standing;
  const said = formatCitedLine(formatSentence(standing, slug), [fact]);
  // A question about the future is not shown as a plan.
  if (place === 'planned' && !isQuestion(standing))
    // A statement of which a part has happened is not all planned.
    return rest.length > 0 ? formatDated(said, fact.day, null) : formatPlanLine(said);
  if (place === 'before') return formatDated(said, from, to);
  return place === 'lately' ? formatDated(said, dayOfEvent(standing), null) : said;
}

/** The longest span, in days, of an event that is listed with its own first day. */
const LONGEST_EVENT = 7;

/**
 * The day with which an event is listed: its own. That of the statement if it came before (`2026-03-02: will run on March
 * 18`), or if the event is a figure for a month or a year. Null if unknown.
 */
export function dayOfEvent({ fact, from, to }: PageFactStatus): Day | null {
  if (from === null || fact.day === null) return from;
  const isLong = to !== null && daysBetween(from, to) > LONGEST_EVENT;
  return fact.day < from || isLong ? fact.day : from;
}

/** The line of an earlier statement of a thread. It stands below the line of the newer statement. */
export function formatEarlierLine(standing: PageFactStatus, slug: string): string {
  return formatEarlier(formatCitedLine(formatSentence(standing, slug), [standing.fact]), standing.fact.day);
}

/**
 * The text of a fact, in the fact's own words. The subject of the fact stands before the text, unless the subject is
 * the entity of the page.
 */
export function formatSentence({ fact, text }: Pick<PageFactStatus, 'fact' | 'text'>, slug: string): string {
  const words = toInlineText(text);
  const lead = toInlineText(fact.lead);
  const said = lead === '' ? words : `${lead} ${words}`;
  const subject = lead === '' ? subjectOf(fact, said, slug) : '';
  return `${isQuestion({ text }) ? 'question: ' : ''}${subject}${said}`;
}

function isQuestion({ text }: Pick<PageFactStatus, 'text'>): boolean {
  return /[?？]\s*$/.test(text);
}

/**
 * Prefix that names the subjects of a fact: `Peter: `. Empty if the entity of the page is one of them, or if the text
 * already begins with a subject.
 */
function subjectOf({ about, slugs, names }: ReflectFact, said: string, slug: string): string {
  if (about.length === 0 || about.includes(slug)) return '';
  const called = about.map((one) => names[slugs.indexOf(one)] ?? one);
  const begins = entitySlug(said.slice(0, 80));
  return called.some((name) => begins.startsWith(entitySlug(name))) ? '' : `${called.join(', ')}: `;
}

/** The earlier statements of a thread that differ in words from the newest, without duplicates. */
export function dropSameTexts<T extends { readonly text: string }>(text: string, earlier: readonly T[]): readonly T[] {
  const said = new Set([text]);
  return earlier.filter((one) => !said.has(one.text) && said.add(one.text));
}
