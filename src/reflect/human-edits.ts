import type { Day } from '../base/clock.js';
import { addAll, compareText } from '../base/order.js';
import { dayOfPath } from '../language/time/calendar.js';
import { MAX_ROUNDING_ERROR, type Prior } from '../memory/confidence.js';
import type { Direction, FinalVerdictsByOpinion, Verdict, VerdictStore } from '../memory/evidence.js';
import { normaliseText } from '../memory/fact.js';
import { prepareStatement, wordSimilarity } from '../memory/judge/rules.js';
import {
  chooseStartPrior,
  factCode,
  type OpinionMark,
  type PageEvidence,
  type PageOpinion,
} from '../memory/opinions-page.js';
import type { FactReader, ReflectFact } from './facts.js';
import type { ReflectRun } from './run.js';

/** Edits that a person made on the page of opinions since reflect wrote it. */
export interface HumanEdits {
  /**
   * Verdicts that follow from a person's edits of evidence lines. The person added or deleted a line, or moved it
   * between the evidence for the opinion and the evidence against it.
   */
  readonly verdicts: readonly Verdict[];
  /** Priors by opinion id. A confidence that a person set is a new prior. */
  readonly priors: ReadonlyMap<string, Prior>;
  /** Ids of opinions whose confidence a person set. */
  readonly edited: ReadonlySet<string>;
  /** Ids of facts whose evidence line is below the wrong opinion, because a git merge moved it there. */
  readonly strays: ReadonlySet<string>;
}

/** Inputs for the search for a person's edits. */
export interface OpinionEditInput {
  readonly today: Day;
  /** The current time, ISO 8601. */
  readonly now: string;
  /** Finds the day of the log in which a fact is; null if there is no such fact. */
  readonly dayOf: (fact: string) => Day | null;
  /**
   * Whether the file of the evidence has changed since the last run of `reflect`, for example by a merge. The same merge
   * may also have moved lines of the page of opinions.
   */
  readonly hasForeign: boolean;
  /**
   * Finds the last known state of a belief that has no mark of reflect on the page. Undefined if no run has seen the
   * belief.
   */
  readonly taken: (opinion: string) => OpinionMark | undefined;
}

/**
 * Finds the edits of a person on the page of opinions. They override every judge. A changed confidence is a new prior
 * from today on. A deleted evidence line is a `none` verdict. An evidence line without a matching verdict is a person's
 * verdict. Pure.
 * @param book all verdicts
 * @param merged ids of opinions that a merge joined; a difference in such an opinion is not an edit of a person
 */
export function readHumanEdits(
  opinions: readonly PageOpinion[],
  book: VerdictStore,
  merged: ReadonlySet<string>,
  reading: OpinionEditInput,
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
    priors.set(opinion.id, isEdited ? { confidence: opinion.confidence, day: reading.today } : chooseStartPrior(page));
    if (isMerged) continue;
    const ofOpinion = known.get(opinion.id) ?? new Map<string, Verdict>();
    const changed = [...turned(opinion, ofOpinion, said), ...deleted(opinion, ofOpinion)];
    for (const one of changed.filter(([fact]) => !strays.has(fact))) {
      addAll(verdicts, personsVerdict(opinion.id, one, ofOpinion, reading));
    }
  }
  return { verdicts, priors, edited, strays };
}

/** Returns a list with the verdict of a person about a fact. The list is empty if the day of the fact is unknown. */
function personsVerdict(
  opinion: string,
  [fact, direction]: Said,
  known: ReadonlyMap<string, Verdict>,
  { dayOf, now }: OpinionEditInput,
): readonly Verdict[] {
  const before = known.get(fact);
  const day = before?.day ?? dayOf(fact);
  return day === null ? [] : [{ fact, opinion, direction, by: 'human', day, weight: before?.weight ?? 1, at: now }];
}

/**
 * Ids of facts whose evidence line is below the wrong opinion. A git merge may move a line in this way if two opinions
 * have lines in common, so this is no edit of a person. The signs are: the opinion above the line has no verdict on the
 * fact, but another opinion has the verdict that the line shows.
 */
function strayFacts(opinions: readonly PageOpinion[], known: FinalVerdictsByOpinion): ReadonlySet<string> {
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
  return mark !== null && Math.abs(confidence - Number(mark.confidence.toFixed(2))) > MAX_ROUNDING_ERROR;
}

type Said = readonly [fact: string, direction: Direction];

/**
 * Finds evidence lines without a matching verdict. A person added them, or moved them from the evidence for the opinion
 * to the evidence against it, or back.
 */
function turned(
  { id, evidence, mark }: PageOpinion,
  known: ReadonlyMap<string, Verdict>,
  said: ReadonlySet<string>,
): readonly Said[] {
  return evidence.flatMap(({ fact, supports }): Said[] => {
    const direction = supports ? 'supports' : 'contradicts';
    if (fact === null || known.get(fact)?.direction === direction) return [];
    // If reflect wrote this line, and a stronger judge has since given another verdict, the line is not an edit of a
    // person.
    const isOverruled = mark?.listed.has(factCode(fact)) === true && said.has(`${id} ${fact} ${direction}`);
    return isOverruled ? [] : [[fact, direction]];
  });
}

/** Evidence that was deleted from the page: the mark of reflect says that it was listed, but it has no line any more. */
function deleted({ mark, evidence, more }: PageOpinion, known: ReadonlyMap<string, Verdict>): readonly Said[] {
  const listed = new Set(evidence.flatMap(({ fact }) => (fact === null ? [] : [fact])));
  const codes = new Set([...listed].map(factCode));
  if (mark === null || [...mark.listed].every((code) => codes.has(code))) return [];
  const gone = [...known.values()].filter(
    ({ fact, direction }) => direction !== 'none' && !listed.has(fact) && mark.listed.has(factCode(fact)),
  );
  if (more === 0) return gone.map(({ fact }): Said => [fact, 'none']);
  // The mark has only a short code for each listed fact, and two facts may share a code. Perhaps the page listed one of
  // them, and only counted the other. Assume that the newest fact with the code was the listed one.
  const newest = new Map(gone.toSorted((a, b) => compareText(a.day, b.day)).map((one) => [factCode(one.fact), one]));
  return [...newest].flatMap(([code, { fact }]): Said[] => (codes.has(code) ? [] : [[fact, 'none']]));
}

/**
 * Minimum similarity of a fact and a belief. A fact that is less similar can't be the edited version of the belief's
 * evidence.
 */
const LEAST_LIKENESS = 0.3;
const MOST_FACTS = 2_000;

/**
 * Finds the fact of each evidence line of an opinion: first by id, then by place (if the fact there is about an entity
 * of the belief), then by text. A line for which no fact is found stays as written. If the log that a line cites is
 * temporarily unavailable, the line keeps the fact that the last run found. The same applies if the log has not changed
 * and `all` is false.
 */
export function findFactsOfEvidence(
  opinion: PageOpinion,
  { reader, scope: { all, days }, elsewhere }: ReflectRun,
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

function byPlace({ source }: PageEvidence, slugs: ReadonlySet<string>, reader: FactReader): ReflectFact | undefined {
  const [path = '', place = ''] = source.split('#L');
  const line = Number(/^\d+/.exec(place)?.[0]);
  if (path === '' || !Number.isInteger(line)) return undefined;
  const facts = reader.ofPage(path).filter((fact) => fact.line === line);
  return facts.find((fact) => fact.slugs.some((slug) => slugs.has(slug)) || fact.slugs.length + slugs.size === 0);
}

function byText({ text }: PageEvidence, slugs: ReadonlySet<string>, reader: FactReader): ReflectFact | undefined {
  if (text === undefined) return undefined;
  const wanted = normaliseText(text.replace(/^["“]|["”]$/g, ''));
  return [...slugs]
    .flatMap((slug) => reader.ofEntity(slug, MOST_FACTS))
    .find((fact) => normaliseText(fact.text) === wanted);
}

/**
 * Whether the fact that was found for an evidence line is the one that the line refers to. If a person wrote the line,
 * the answer is always yes. If reflect wrote the line, the fact of the line was edited or deleted since, and an
 * unrelated fact may now be in the same place. So the found fact must be similar to the belief.
 */
function isMeant({ fact }: PageEvidence, found: ReflectFact, { mark, bullet }: PageOpinion): boolean {
  if (fact === null || mark?.listed.has(factCode(fact)) !== true) return true;
  return (
    wordSimilarity(prepareStatement(bullet.text, bullet.entities), prepareStatement(found.text, found.entities)) >=
    LEAST_LIKENESS
  );
}
