import type { Day } from '../../base/clock.js';
import type { Prior } from '../../memory/confidence.js';
import type { Direction, EvidenceBook, Verdict, Verdicts } from '../../memory/evidence.js';
import { baseOf, evidenceCode, type OpinionMark } from '../../memory/opinion-notes.js';
import type { PageOpinion } from '../../memory/opinions-page.js';

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
export interface ReadingOf {
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

/** Less than this apart, two confidences are written the same. */
const ROUNDING = 0.005_001;

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
  reading: ReadingOf,
): HumanEdits {
  const known = book.winning();
  const strays = reading.hasForeign ? strayFacts(opinions, known) : NONE;
  const said = new Set(book.given().map(({ opinion, fact, direction }) => `${opinion} ${fact} ${direction}`));
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
      verdicts.push(...personsVerdict(opinion.id, one, ofOpinion, reading));
    }
  }
  return { verdicts, priors, edited, strays };
}

/** The word of a person about a fact whose day is known. */
function personsVerdict(
  opinion: string,
  [fact, direction]: Said,
  known: ReadonlyMap<string, Verdict>,
  { dayOf, now }: ReadingOf,
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
function deleted({ mark, evidence }: PageOpinion, known: ReadonlyMap<string, Verdict>): readonly Said[] {
  const listed = new Set(evidence.flatMap(({ fact }) => (fact === null ? [] : [fact])));
  const codes = new Set([...listed].map(evidenceCode));
  if (mark === null || [...mark.listed].every((code) => codes.has(code))) return [];
  return [...known.values()]
    .filter(({ fact, direction }) => direction !== 'none' && !listed.has(fact) && mark.listed.has(evidenceCode(fact)))
    .map(({ fact }): Said => [fact, 'none']);
}
