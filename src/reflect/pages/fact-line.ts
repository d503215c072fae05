import type { Day } from '../../base/clock.js';
import { PLACE_WORDS, SMALL_WORDS } from '../../language/words/attributes.js';
import { nowPattern } from '../../language/words/now.js';
import { withoutMark } from '../../memory/importance.js';
import { entitySlug } from '../../text/slug.js';
import type { ReflectFact } from '../facts.js';
import type { FactStanding } from './entity-standings.js';

/** A fact's place as a link from an entity's page, with its id. */
export function citation({ source, id }: Pick<ReflectFact, 'source' | 'id'>): string {
  return `[${source}](../../${source}) ${id}`;
}

/** A statement within a line of ours: it can't begin something else there. */
export function plain(text: string): string {
  return withoutMark(text).replaceAll('<!--', '&lt;!--').replace(/\s+/g, ' ').trim();
}

/** The line of a part of a fact on the page of an entity, without the mark of a list item: true when read alone there. */
export function factLine(standing: FactStanding, slug: string): string {
  const { fact, place, from, to } = standing;
  const cited = `(${lastSaidNote(standing)}${citation(fact)})`;
  // A question of what is to come is no plan.
  const isAsked = place === 'planned' && isQuestion(standing);
  if (place === 'now' || isAsked) return `${sentence(standing, slug, false)} ${cited}`;
  if (place === 'planned') {
    const when = from === null ? '' : `${days(from, to)}: `;
    return `planned: ${when}${sentence(standing, slug, true)} ${cited}`;
  }
  if (place === 'lately') return `${from === null ? '' : `${from}: `}${sentence(standing, slug, false)} ${cited}`;
  const when = from === null && to === null ? '' : `${days(from, to)}: `;
  return `${when}${sentence(standing, slug, when !== '')} ${cited}`;
}

function days(from: Day | null, to: Day | null): string {
  // What was taken back before it came has no days of its own.
  if (from === null || from === to || (to !== null && to < from)) return to ?? from ?? '';
  return to === null ? from : `${from} – ${to}`;
}

function lastSaidNote({ ending, lastSaid }: FactStanding): string {
  return ending === 'lapsed' && lastSaid !== null ? `last said on ${lastSaid}; ` : '';
}

/** A part of a fact in its own words, with its subject unless that is the page's entity. */
export function sentenceOf(standing: FactStanding, slug: string): string {
  return sentence(standing, slug, false);
}

function sentence({ fact, text, part, place }: FactStanding, slug: string, isAfterDate: boolean): string {
  const words = plain(place === 'before' ? withoutNow(text) : text);
  const lead = part === 0 ? plain(fact.lead) : '';
  const said = lead === '' ? words : `${lead} ${words}`;
  const subject = lead === '' ? subjectOf(fact, said, slug) : '';
  const label = isQuestion({ text }) ? 'question: ' : '';
  return `${label}${subject}${subject !== '' || (isAfterDate && lead === '') ? lowerFirst(said) : said}`;
}

function isQuestion({ text }: Pick<FactStanding, 'text'>): boolean {
  return /[?？]\s*$/.test(text);
}

/** Whom a fact is told of, when it is not told of the page's entity and does not name them first. */
function subjectOf({ about, slugs, names }: ReflectFact, said: string, slug: string): string {
  if (about.length === 0 || about.includes(slug)) return '';
  const called = about.map((one) => names[slugs.indexOf(one)] ?? one);
  const begins = entitySlug(said.slice(0, 80));
  return called.some((name) => begins.startsWith(entitySlug(name))) ? '' : `${called.join(', ')}: `;
}

/** A "currently" that does not hold is left out. */
function withoutNow(text: string): string {
  const bare = text
    .replace(nowPattern(), ' ')
    .replace(/(^|[\s,，])(?:still|for now|noch|encore)(?=\s)|还在(?=.)/gi, '$1')
    .replace(/\s+([,.;])/g, '$1')
    .replace(/^[\s,，]+/, '');
  return bare.trim() === '' ? text : bare;
}

/** Small words in the middle of a line begin small; what may be a name stays. */
function lowerFirst(text: string): string {
  const first = /^[A-Z][a-z]*(?=\s)/.exec(text)?.[0] ?? '';
  const word = first.toLowerCase();
  const isSmall =
    SMALL_WORDS.has(word) ||
    PLACE_WORDS.has(word) ||
    /^(?:back|with|from|to|for|is|has|was|runs|works|lives|owns)$/.test(word);
  return isSmall && first !== 'I' ? word + text.slice(first.length) : text;
}
