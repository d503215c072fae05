import type { Day } from '../../base/clock.js';
import { withoutMark } from '../../memory/fact.js';
import { entitySlug } from '../../text/slug.js';
import type { ReflectFact } from '../facts.js';
import type { PageFactStatus } from './entity-statuses.js';

/** A fact's place as a link from an entity's page, with its id. */
export function citationLink({ source, id }: Pick<ReflectFact, 'source' | 'id'>): string {
  return `[${source}](../../${source}) ${id}`;
}

/** A statement within a line of ours: it can't begin something else there. */
export function inlineText(text: string): string {
  return withoutMark(text).replaceAll('<!--', '&lt;!--').replace(/\s+/g, ' ').trim();
}

/** The line of what a fact says on the page of an entity, without the mark of a list item: true when read alone there. */
export function factLine(standing: PageFactStatus, slug: string): string {
  const { fact, place, from, to } = standing;
  const said = sentenceOf(standing, slug);
  // A question of what is to come is no plan.
  if (place === 'planned' && !isQuestion(standing)) return `planned: ${said} (${citationLink(fact)})`;
  // What was told before it happened stands with the day on which it was: `2026-03-02: will run on March 18`.
  const happened = from !== null && fact.day !== null && fact.day < from ? fact.day : from;
  const when = place === 'before' ? days(from, to) : place === 'lately' ? (happened ?? '') : '';
  return `${when === '' ? '' : `${when}: `}${said} (${citationLink(fact)})`;
}

/** The line of an earlier statement of a thread, below the newer one. */
export function earlierLine(standing: PageFactStatus, slug: string): string {
  const { day } = standing.fact;
  return `earlier${day === null ? '' : `, ${day}`}: ${sentenceOf(standing, slug)} (${citationLink(standing.fact)})`;
}

function days(from: Day | null, to: Day | null): string {
  // What was taken back before it came has no days of its own.
  if (from === null || from === to || (to !== null && to < from)) return to ?? from ?? '';
  return to === null ? from : `${from} – ${to}`;
}

/** What a fact says in its own words, with its subject unless that is the page's entity. */
export function sentenceOf({ fact, text }: Pick<PageFactStatus, 'fact' | 'text'>, slug: string): string {
  const words = inlineText(text);
  const lead = text.startsWith('[…]') ? '' : inlineText(fact.lead);
  const said = lead === '' ? words : `${lead} ${words}`;
  const subject = lead === '' ? subjectOf(fact, said, slug) : '';
  return `${isQuestion({ text }) ? 'question: ' : ''}${subject}${said}`;
}

function isQuestion({ text }: Pick<PageFactStatus, 'text'>): boolean {
  return /[?？]\s*$/.test(text);
}

/** Whom a fact is told of, when it is not told of the page's entity and does not name them first. */
function subjectOf({ about, slugs, names }: ReflectFact, said: string, slug: string): string {
  if (about.length === 0 || about.includes(slug)) return '';
  const called = about.map((one) => names[slugs.indexOf(one)] ?? one);
  const begins = entitySlug(said.slice(0, 80));
  return called.some((name) => begins.startsWith(entitySlug(name))) ? '' : `${called.join(', ')}: `;
}

/** The earlier ones of a thread that say it in other words than its top, the newest of each. */
export function differentlyWorded<T extends { readonly text: string }>(
  text: string,
  earlier: readonly T[],
): readonly T[] {
  const said = new Set([text]);
  return earlier.filter((one) => !said.has(one.text) && said.add(one.text));
}
