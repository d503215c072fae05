import type { Day } from '../../base/clock.js';
import { withoutImportanceMark } from '../../memory/fact.js';
import { entitySlug } from '../../text/slug.js';
import type { PageFactStatus } from '../entity-statuses.js';
import type { ReflectFact } from '../facts.js';

/** Link from an entity's page to the place of a fact, followed by the fact's id. */
export function formatCitationLink({ source, id }: Pick<ReflectFact, 'source' | 'id'>): string {
  return `[${source}](../../${source}) ${id}`;
}

/** A statement within a generated line, escaped so that it does not begin an HTML comment. */
export function toInlineText(text: string): string {
  return withoutImportanceMark(text).replaceAll('<!--', '&lt;!--').replace(/\s+/g, ' ').trim();
}

/** The line of a fact on an entity's page, without the list marker. A reader understands it without the lines around it. */
export function formatFactLine(standing: PageFactStatus, slug: string): string {
  const { fact, place, from, to } = standing;
  const said = formatSentence(standing, slug);
  // A question about the future is not shown as a plan.
  if (place === 'planned' && !isQuestion(standing)) return `planned: ${said} (${formatCitationLink(fact)})`;
  // An event that was stated before it happened is shown with the day of the statement: `2026-03-02: will run on March
  // 18`.
  const happened = from !== null && fact.day !== null && fact.day < from ? fact.day : from;
  const when = place === 'before' ? days(from, to) : place === 'lately' ? (happened ?? '') : '';
  return `${when === '' ? '' : `${when}: `}${said} (${formatCitationLink(fact)})`;
}

/** The line of an earlier statement of a thread. It stands below the line of the newer statement. */
export function formatEarlierLine(standing: PageFactStatus, slug: string): string {
  const { day } = standing.fact;
  return `earlier${day === null ? '' : `, ${day}`}: ${formatSentence(standing, slug)} (${formatCitationLink(standing.fact)})`;
}

function days(from: Day | null, to: Day | null): string {
  // If a plan was revoked before its first day, its period ends before it begins: show one day only.
  if (from === null || from === to || (to !== null && to < from)) return to ?? from ?? '';
  return to === null ? from : `${from} – ${to}`;
}

/**
 * The text of a fact, in the fact's own words. The subject of the fact stands before the text, unless the subject is
 * the entity of the page.
 */
export function formatSentence({ fact, text }: Pick<PageFactStatus, 'fact' | 'text'>, slug: string): string {
  const words = toInlineText(text);
  const lead = text.startsWith('[…]') ? '' : toInlineText(fact.lead);
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
