import type { Day } from '../../base/clock.js';
import { addAll, compareText } from '../../base/order.js';
import { dayOfPath } from '../../language/time/calendar.js';
import type { AwayFiles } from '../../memory/away.js';
import { type Prior, ROUNDING } from '../../memory/confidence.js';
import type { Direction, EvidenceBook, Verdict, Verdicts } from '../../memory/evidence.js';
import { normaliseText } from '../../memory/fact.js';
import { prepareStatement, wordSimilarity } from '../../memory/judge/rules.js';
import {
  baseOf,
  evidenceCode,
  type OpinionMark,
  type PageEvidence,
  type PageOpinion,
} from '../../memory/opinions-page.js';
import type { FactReader, ReflectFact } from '../facts.js';
import type { Scope } from '../scope.js';

/** What a person has changed on the page of opinions since reflect wrote it. */
export interface HumanEdits {
  /** Evidence that was added, turned round, or deleted. */
  readonly verdicts: readonly Verdict[];
  /** What evidence moves, by the ids of the opinions; a confidence that a person has set is such a prior. */
  readonly priors: ReadonlyMap<string, Prior>;
  /** Ids of opinions whose confidence a person has set. */
  readonly edited: ReadonlySet<string>;
  /** Facts whose lines a merge has put under another opinion. */
  readonly strays: ReadonlySet<string>;
}

/** Where and when the page is read. */
export interface EditContext {
  readonly today: Day;
  /** ISO 8601. */
  readonly now: string;
  /** The source day of a fact; null when there is no such fact. */
  readonly dayOf: (fact: string) => Day | null;
  /** Verdicts have come in that no run here has seen: a merge may have moved lines of the page. */
  readonly hasForeign: boolean;
  /** What was seen last of a belief on which nothing of ours is written; undefined when it was not seen. */
  readonly taken: (opinion: string) => OpinionMark | undefined;
}

/**
 * Reads what a person has changed, whose word is above every judge's. A confidence that is not the one reflect left is a
 * new prior from today on; an evidence line that is gone says "none", one that nobody has judged so is a person's
 * verdict. Pure.
 * @param book every verdict there is
 * @param merged ids of opinions that a merge put together: nobody has edited these
 */
export function readHumanEdits(
  opinions: readonly PageOpinion[],
  book: EvidenceBook,
  merged: ReadonlySet<string>,
  reading: EditContext,
): HumanEdits {
  const known = book.winning();
  const strays = reading.hasForeign ? strayFacts(opinions, known) : NONE;
  const said = new Set(book.given.map(({ opinion, fact, direction }) => `${opinion} ${fact} ${direction}`));
  const verdicts: Verdict[] = [];
  const priors = new Map<string, Prior>();
  const edited = new Set<string>();
  for (const page of opinions) {
    const opinion = { ...page, mark: page.mark ?? reading.taken(page.id) ?? null };
    const isMerged = merged.has(opinion.id);
    const isEdited = !isMerged && hasNewConfidence(opinion.confidence, opinion.mark);
    if (isEdited) edited.add(opinion.id);
    priors.set(opinion.id, isEdited ? { confidence: opinion.confidence, day: reading.today } : baseOf(page));
    if (isMerged) continue;
    const ofOpinion = known.get(opinion.id) ?? new Map<string, Verdict>();
    const changed = [...turned(opinion, ofOpinion, said), ...deleted(opinion, ofOpinion)];
    for (const one of changed.filter(([fact]) => !strays.has(fact))) {
      addAll(verdicts, personsVerdict(opinion.id, one, ofOpinion, reading));
    }
  }
  return { verdicts, priors, edited, strays };
}

/** The word of a person about a fact whose day is known. */
function personsVerdict(
  opinion: string,
  [fact, direction]: Said,
  known: ReadonlyMap<string, Verdict>,
  { dayOf, now }: EditContext,
): readonly Verdict[] {
  const before = known.get(fact);
  const day = before?.day ?? dayOf(fact);
  return day === null ? [] : [{ fact, opinion, direction, by: 'human', day, weight: before?.weight ?? 1, at: now }];
}

/**
 * Facts that stand under an opinion for which nobody has judged them, and are judged to do the same to another one. Git
 * puts the line of one opinion under another when these have lines in common; nobody meant anything by it.
 */
function strayFacts(opinions: readonly PageOpinion[], known: Verdicts): ReadonlySet<string> {
  const strays = new Set<string>();
  for (const { id, evidence } of opinions) {
    for (const { fact, supports } of evidence) {
      if (fact === null || known.get(id)?.has(fact) === true) continue;
      const direction = supports ? 'supports' : 'contradicts';
      if ([...known.values()].some((ofOther) => ofOther.get(fact)?.direction === direction)) strays.add(fact);
    }
  }
  return strays;
}

const NONE: ReadonlySet<string> = new Set();

function hasNewConfidence(confidence: number, mark: OpinionMark | null): boolean {
  return mark !== null && Math.abs(confidence - Number(mark.confidence.toFixed(2))) > ROUNDING;
}

type Said = readonly [fact: string, direction: Direction];

/** Lines that say what nobody has judged: added by hand, or put on the other side. */
function turned(
  { id, evidence, mark }: PageOpinion,
  known: ReadonlyMap<string, Verdict>,
  said: ReadonlySet<string>,
): readonly Said[] {
  return evidence.flatMap(({ fact, supports }): Said[] => {
    const direction = supports ? 'supports' : 'contradicts';
    if (fact === null || known.get(fact)?.direction === direction) return [];
    // Listed by reflect, and overruled since by somebody with a stronger word.
    const isOverruled = mark?.listed.has(evidenceCode(fact)) === true && said.has(`${id} ${fact} ${direction}`);
    return isOverruled ? [] : [[fact, direction]];
  });
}

/** Evidence that reflect had listed, by its own mark, and that is not on the page any more. */
function deleted({ mark, evidence, more }: PageOpinion, known: ReadonlyMap<string, Verdict>): readonly Said[] {
  const listed = new Set(evidence.flatMap(({ fact }) => (fact === null ? [] : [fact])));
  const codes = new Set([...listed].map(evidenceCode));
  if (mark === null || [...mark.listed].every((code) => codes.has(code))) return [];
  const gone = [...known.values()].filter(
    ({ fact, direction }) => direction !== 'none' && !listed.has(fact) && mark.listed.has(evidenceCode(fact)),
  );
  if (more === 0) return gone.map(({ fact }): Said => [fact, 'none']);
  // What is only counted may have the code of a line: of the facts with a code that is gone, the newest was listed.
  const newest = new Map(
    gone.toSorted((a, b) => compareText(a.day, b.day)).map((one) => [evidenceCode(one.fact), one]),
  );
  return [...newest].flatMap(([code, { fact }]): Said[] => (codes.has(code) ? [] : [[fact, 'none']]));
}

/** How alike a fact must be to a belief to be taken for an edited one that was evidence of it. */
const LEAST_LIKENESS = 0.3;
const MOST_FACTS = 2_000;

type Facts = Pick<FactReader, 'byId' | 'ofPage' | 'ofEntity' | 'slugOf'>;

/**
 * An opinion of the page with each line of evidence matched to the fact it means: by its id, else by its place if the
 * fact there is about the belief's entity, else by its text. A line that matches nothing stays as it is written; what was
 * matched by the last run is, as long as the log of its day is the same or away.
 */
export function matchEvidence(
  opinion: PageOpinion,
  reader: Facts,
  { all, days }: Scope,
  elsewhere: AwayFiles,
): PageOpinion {
  const isOpen = ({ fact, source }: PageEvidence): boolean => {
    const day = dayOfPath(source.replace(/#.*$/, ''));
    return all || fact === null || day === null || days.has(day);
  };
  if (!opinion.evidence.some(isOpen)) return opinion;
  const slugs = new Set(opinion.bullet.entities.map((name) => reader.slugOf(name)));
  const listed = new Set(opinion.evidence.map(({ fact }) => fact));
  const evidence = opinion.evidence.map((line): PageEvidence => {
    if (!isOpen(line) || (line.fact !== null && reader.byId(line.fact) !== undefined)) return line;
    if (elsewhere.has(line.source.replace(/#.*$/, ''))) return line;
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
  return (
    wordSimilarity(prepareStatement(bullet.text, bullet.entities), prepareStatement(found.text, found.entities)) >=
    LEAST_LIKENESS
  );
}
