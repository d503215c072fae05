import { dayOfPath } from '../../language/time/calendar.js';
import { normaliseText } from '../../memory/fact.js';
import { likeness, prepare } from '../../memory/judge/rules.js';
import { evidenceCode, type PageEvidence } from '../../memory/opinion-notes.js';
import type { PageOpinion } from '../../memory/opinions-page.js';
import type { FactReader, ReflectFact } from '../facts.js';
import type { Scope } from '../scope.js';

/** How alike a fact must be to a belief to be taken for an edited one that was evidence of it. */
const LEAST_LIKENESS = 0.3;
const MOST_FACTS = 2_000;

type Facts = Pick<FactReader, 'byId' | 'ofPage' | 'ofEntity' | 'slugOf'>;

/**
 * An opinion of the page with each line of evidence matched to the fact it means: by its id, else by its place if the
 * fact there is about the belief's entity, else by its text. A line that matches nothing stays as it is written; what was
 * matched by the last run is, as long as the log of its day is the same.
 */
export function matchEvidence(opinion: PageOpinion, reader: Facts, { all, days }: Scope): PageOpinion {
  const isOpen = ({ fact, source }: PageEvidence): boolean => {
    const day = dayOfPath(source.replace(/#.*$/, ''));
    return all || fact === null || day === null || days.has(day);
  };
  if (!opinion.evidence.some(isOpen)) return opinion;
  const slugs = new Set(opinion.bullet.entities.map((name) => reader.slugOf(name)));
  const listed = new Set(opinion.evidence.map(({ fact }) => fact));
  const evidence = opinion.evidence.map((line): PageEvidence => {
    if (!isOpen(line) || (line.fact !== null && reader.byId(line.fact) !== undefined)) return line;
    const found = byPlace(line, slugs, reader) ?? byText(line, slugs, reader);
    if (found === undefined || listed.has(found.id) || !isMeant(line, found, opinion)) return line;
    return { ...line, fact: found.id, written: line.fact };
  });
  return { ...opinion, evidence };
}

function byPlace({ source }: PageEvidence, slugs: ReadonlySet<string>, reader: Facts): ReflectFact | undefined {
  const [path = '', place = ''] = source.split('#L');
  const line = Number(/^\d+/.exec(place)?.[0]);
  if (path === '' || !Number.isInteger(line)) return undefined;
  const facts = reader.ofPage(path).filter((fact) => fact.line === line);
  return facts.find((fact) => fact.slugs.some((slug) => slugs.has(slug)) || fact.slugs.length + slugs.size === 0);
}

function byText({ text }: PageEvidence, slugs: ReadonlySet<string>, reader: Facts): ReflectFact | undefined {
  if (text === undefined) return undefined;
  const wanted = normaliseText(text.replace(/^["“]|["”]$/g, ''));
  return [...slugs]
    .flatMap((slug) => reader.ofEntity(slug, MOST_FACTS))
    .find((fact) => normaliseText(fact.text) === wanted);
}

/** What we listed ourselves and is gone was edited, or deleted, and then another fact may stand in its place. */
function isMeant({ fact }: PageEvidence, found: ReflectFact, { mark, bullet }: PageOpinion): boolean {
  if (fact === null || mark?.listed.has(evidenceCode(fact)) !== true) return true;
  return likeness(prepare(bullet.text, bullet.entities), prepare(found.text, found.entities)) >= LEAST_LIKENESS;
}
