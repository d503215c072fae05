import type { Day } from '../../base/clock.js';
import { toDay } from '../../language/time/calendar.js';
import { foldConfidence, type Prior } from '../../memory/confidence.js';
import { type Direction, type Verdict, type Verdicts, winningVerdicts } from '../../memory/evidence.js';
import { evidenceCode } from '../../memory/opinion-notes.js';
import type { PageOpinion } from '../../memory/opinions-page.js';

/** What a person has changed on the page of opinions since reflect wrote it. */
export interface HumanEdits {
  /** Evidence that was added, turned round, or deleted. */
  readonly verdicts: readonly Verdict[];
  /** Priors of the opinions, by id; a confidence that a person has set is one. */
  readonly priors: ReadonlyMap<string, Prior>;
  /** Ids of opinions whose confidence a person has set. */
  readonly edited: ReadonlySet<string>;
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
}

/** Less than this apart, two confidences are written the same. */
const ROUNDING = 0.005_001;

/**
 * Reads what a person has changed, whose word is above every judge's. A confidence that is not the one reflect left is a
 * new prior from today on; an evidence line that is gone says "none", one that nobody has judged so is a person's
 * verdict. Pure.
 * @param given every verdict there is
 * @param merged ids of opinions that a merge put together: nobody has edited these
 */
export function readHumanEdits(
  opinions: readonly PageOpinion[],
  given: readonly Verdict[],
  merged: ReadonlySet<string>,
  reading: ReadingOf,
): HumanEdits {
  const known = winningVerdicts(given);
  const strays = reading.hasForeign ? strayFacts(opinions, known) : NONE;
  const said = new Set(given.map(({ opinion, fact, direction }) => `${opinion} ${fact} ${direction}`));
  const verdicts: Verdict[] = [];
  const priors = new Map<string, Prior>();
  const edited = new Set<string>();
  for (const opinion of opinions) {
    const isMerged = merged.has(opinion.id);
    const isEdited = !isMerged && hasNewConfidence(opinion);
    if (isEdited && opinion.prior !== null) edited.add(opinion.id);
    priors.set(opinion.id, priorOf(opinion, isEdited, reading.today));
    if (isMerged) continue;
    const ofOpinion = known.get(opinion.id) ?? new Map<string, Verdict>();
    for (const [fact, direction] of [...turned(opinion, ofOpinion, said), ...deleted(opinion, ofOpinion)]) {
      if (strays.has(fact)) continue;
      const before = ofOpinion.get(fact);
      const day = before?.day ?? reading.dayOf(fact);
      if (day === null) continue;
      verdicts.push({
        fact,
        opinion: opinion.id,
        direction,
        by: 'human',
        day,
        weight: before?.weight ?? 1,
        at: reading.now,
      });
    }
  }
  return { verdicts, priors, edited };
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

/** A person's number holds from today on. Nobody knows since when one without a prior has held: all evidence counts. */
function priorOf({ confidence, prior }: PageOpinion, isEdited: boolean, today: Day): Prior {
  if (prior === null) return { confidence, day: null };
  return isEdited ? { confidence, day: today } : prior;
}

function hasNewConfidence({ confidence, mark, prior, evidence }: PageOpinion): boolean {
  if (mark !== null) return Math.abs(confidence - Number(mark.confidence.toFixed(2))) > ROUNDING;
  if (prior === null) return false;
  const steps = evidence.flatMap(({ source, supports, weight }) => {
    const day = toDay(/(\d{4}-\d{2}-\d{2})\.md/.exec(source)?.[1]);
    return day === null ? [] : [{ day, supports, weight }];
  });
  return Math.abs(confidence - foldConfidence(prior, steps)) > ROUNDING;
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
