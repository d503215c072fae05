import { compareText } from '../base/order.js';
import { isSamePrior, type Prior } from '../memory/confidence.js';
import type { Judge, Verdict } from '../memory/evidence.js';
import { opinionId } from '../memory/fact.js';
import { editOpinionsPage, type NewOpinion, type OpinionChange, type OpinionState } from '../memory/opinions-edit.js';
import {
  evidenceKey,
  factCode,
  type ListedEvidence,
  MAX_LISTED_EVIDENCE,
  type PageOpinion,
} from '../memory/opinions-page.js';
import { type Belief, type BeliefState, evaluateBelief, RETIRED_BELIEF_LIMITS } from './beliefs.js';
import type { HumanEdits } from './human-edits.js';
import type { ReflectRun } from './run.js';

/** How a run changed one opinion. */
export interface OpinionReport {
  readonly id: string;
  readonly statement: string;
  readonly entities: readonly string[];
  /** Confidence before the run; null for a new opinion. */
  readonly before: number | null;
  readonly after: number;
  readonly reason: 'new' | 'evidence' | 'edited' | 'retired' | 'revived' | 'merged';
  /** The new evidence that counts for or against the opinion. It is new if the page did not list it before the run. */
  readonly evidence: readonly {
    readonly fact: string;
    readonly direction: 'supports' | 'contradicts';
    readonly by: Judge;
    readonly source: string;
  }[];
}

/**
 * Updates the page of opinions from the verdicts. The lines of a belief without changes stay the same to the byte.
 * @param text text of the page, after merges were resolved
 */
export function planOpinions(
  run: ReflectRun,
  text: string,
  merged: ReadonlySet<string>,
  { edited, strays }: Pick<HumanEdits, 'edited' | 'strays'>,
) {
  const { beliefs, today, reader, book } = run;
  const judged = book.judged();
  const changes: OpinionChange[] = [];
  const additions: NewOpinion[] = [];
  const reports: OpinionReport[] = [];
  /** The confidence of each belief as it follows from the evidence, by the belief's id. */
  const convictions = new Map<string, BeliefState>();
  const open = new Set(beliefs.all().filter((belief) => judged.has(belief.id) || isOpen(belief, run)));
  reader.lookUp([...open].flatMap(({ id }) => book.about(id).map(({ fact }) => fact)));
  for (const belief of beliefs.all()) {
    if (belief.page !== null && !open.has(belief)) {
      convictions.set(belief.id, convictionOnPage(belief.page));
      continue;
    }
    const counted = findEvidenceVerdicts(belief, run);
    belief.prior = findPrior(belief, run);
    const conviction = evaluateBelief(belief.prior, [...counted.keys()], today);
    convictions.set(belief.id, conviction);
    const { page } = belief;
    const listed = listedOf(counted, page);
    const evidence = [...listed.map(toListed), ...keptLines(belief, counted, strays, run)];
    const more = counted.size - listed.length;
    const { confidence, isRetired } = conviction;
    const isMoved = page === null || page.confidence.toFixed(2) !== confidence.toFixed(2);
    const updated = isMoved || edited.has(belief.id) ? today : (page.updated ?? today);
    const state: OpinionState = { confidence, ...priorNotes(belief, edited), updated, evidence, more, isRetired };
    if (page === null) additions.push({ ...state, id: belief.id, entities: belief.entities, text: belief.text });
    else if (isChanged(page, state) || merged.has(belief.id)) changes.push({ opinion: page, state });
    else {
      if (isElsewhere(page, state)) changes.push({ opinion: page, state });
      continue;
    }
    reports.push(report(belief, state, counted, run, reasonOf(belief, state, merged, edited)));
  }
  if (changes.length + additions.length === 0) return { text, reports, convictions };
  return { text: editOpinionsPage(text === '' ? '# Opinions\n\n' : text, changes, additions), reports, convictions };
}

/** Whether a belief is new, or its state may have changed through new evidence or the passing of time. */
function isOpen({ id, page }: Belief, { scope, book }: ReflectRun): boolean {
  // A belief whose confidence stays low is retired after some days, even without new evidence. So check it in every run.
  if (page === null || scope.all || (!page.isRetired && page.confidence < RETIRED_BELIEF_LIMITS.below)) return true;
  if (page.evidence.length > MAX_LISTED_EVIDENCE) return true;
  if (scope.days.size === 0) return false;
  return book.about(id).some(({ day }) => scope.days.has(day));
}

function convictionOnPage({ mark, confidence, isRetired }: PageOpinion): BeliefState {
  return { confidence: mark?.confidence ?? confidence, steps: [], isRetired };
}

/**
 * The verdicts that count for a belief, each with the place of its fact. The fact must exist or be in a file that is
 * temporarily unavailable.
 */
export function findEvidenceVerdicts(
  { id, page }: Pick<Belief, 'id' | 'page'>,
  { book, reader, elsewhere }: Pick<ReflectRun, 'book' | 'reader' | 'elsewhere'>,
): ReadonlyMap<Verdict, string> {
  const counted = new Map<Verdict, string>();
  const sorted = book.about(id).toSorted((a, b) => compareText(a.day, b.day) || compareText(a.fact, b.fact));
  for (const verdict of sorted) {
    if (verdict.direction === 'none') continue;
    const fact = reader.byId(verdict.fact);
    if (fact?.isEvidence === true) counted.set(verdict, fact.source);
    if (fact !== undefined || elsewhere.isNone) continue;
    // If the file of a fact is unavailable, keep the source that the page of opinions shows for the fact.
    const listed = page?.evidence.find((line) => line.fact === verdict.fact)?.source;
    const source = elsewhere.placeOf(verdict.fact, listed);
    if (source !== undefined) counted.set(verdict, source);
  }
  return counted;
}

/**
 * The prior of a belief, taken from the earliest fact that states it, so that the order in which facts arrive does not
 * matter. The prior does not change if a person set it, or if no known fact began the belief.
 */
export function findPrior(belief: Belief, run: ReflectRun): Prior {
  const { id, prior } = belief;
  const stating = [...findEvidenceVerdicts(belief, run).keys()].filter(({ fact, direction }) => {
    const stated = direction === 'supports' ? run.reader.byId(fact) : undefined;
    return stated?.kind === 'opinion' && opinionId(stated) === id;
  });
  const isBegun = stating.some(({ day, weight }) => isSamePrior(prior, { confidence: weight, day }));
  const [first] = stating;
  return isBegun && first !== undefined && first.day < (prior.day ?? '')
    ? { confidence: first.weight, day: first.day }
    : prior;
}

/** The verdicts to list on the page: the newest ones, and those that a person wrote there. */
function listedOf(
  counted: ReadonlyMap<Verdict, string>,
  page: PageOpinion | null,
): readonly (readonly [Verdict, string])[] {
  const written = new Set(page?.evidence.map(({ fact }) => fact));
  return [...counted].filter(
    ([{ by, fact }], place) => place >= counted.size - MAX_LISTED_EVIDENCE || (by === 'human' && written.has(fact)),
  );
}

function toListed([{ fact, direction, weight }, source]: readonly [Verdict, string]): ListedEvidence {
  return { fact, source, supports: direction === 'supports', weight };
}

function isChanged(page: PageOpinion, state: OpinionState): boolean {
  const listed = page.evidence.map(evidenceKey);
  const wanted = new Set(state.evidence.map(evidenceKey));
  if (new Set(listed).size !== wanted.size || !listed.every((key) => wanted.has(key))) return true;
  if (
    page.isRetired !== state.isRetired ||
    page.more !== state.more ||
    page.confidence.toFixed(2) !== state.confidence.toFixed(2)
  )
    return true;
  // Leave a belief unchanged if a person wrote it, reflect has added no notes to it, and there is no evidence.
  if (page.mark === null && page.updated === null && wanted.size === 0) return false;
  return page.prior === null ? page.mark !== null : !isSamePrior(page.prior, state.prior);
}

/**
 * The prior to write on the page. If a person set the confidence, this is the prior that the run uses. Otherwise the
 * prior on the page stays if the belief has no mark of reflect, or if its mark has a `base`. If the run then uses
 * another prior, `base` has that other prior. In all other cases the prior of the run is written.
 */
function priorNotes({ id, page, prior }: Belief, edited: ReadonlySet<string>): Pick<OpinionState, 'prior' | 'base'> {
  const written = page?.prior ?? null;
  if (written === null || edited.has(id) || (page?.mark !== null && page?.mark?.base == null)) return { prior };
  return { prior: written, base: isSamePrior(written, prior) ? null : prior };
}

/**
 * Evidence lines that a person wrote. They stay on the page even if they do not count. If reflect wrote a line and its
 * fact is missing, the line is removed.
 */
function keptLines(
  { id, page }: Belief,
  counted: ReadonlyMap<Verdict, string>,
  strays: ReadonlySet<string>,
  { book, reader }: ReflectRun,
): readonly ListedEvidence[] {
  const listed = new Set([...counted.keys()].map(({ fact }) => fact));
  const kept = (page?.evidence ?? []).filter(({ fact, supports, isWorded }) => {
    if (fact === null) return true;
    if (listed.has(fact) || strays.has(fact)) return false;
    const direction = book.of(fact, id)?.direction;
    if (direction === undefined && book.hasRevoked(fact, id)) return false;
    if (direction !== undefined && direction !== (supports ? 'supports' : 'contradicts')) return false;
    return isWorded || reader.byId(fact) !== undefined || page?.mark?.listed.has(factCode(fact)) !== true;
  });
  return kept.map((line) => ({ ...line, isUnmatched: line.fact === null || reader.byId(line.fact) === undefined }));
}

/**
 * Whether the links of the evidence must be corrected: a fact is now at another place than the page cites, or the page
 * lacks its id.
 */
function isElsewhere(page: PageOpinion, { evidence }: OpinionState): boolean {
  const now = new Map(evidence.map((listed) => [evidenceKey(listed), listed.source]));
  return page.evidence.some(
    (listed) =>
      now.get(evidenceKey(listed)) !== listed.source ||
      (listed.written !== undefined && listed.written !== listed.fact),
  );
}

function reasonOf(
  { id, page }: Belief,
  { isRetired }: OpinionState,
  merged: ReadonlySet<string>,
  edited: ReadonlySet<string>,
): OpinionReport['reason'] {
  if (page === null) return 'new';
  if (merged.has(id)) return 'merged';
  if (page.isRetired !== isRetired) return isRetired ? 'retired' : 'revived';
  return edited.has(id) ? 'edited' : 'evidence';
}

function report(
  { id, text, entities, page }: Belief,
  { confidence }: OpinionState,
  counted: ReadonlyMap<Verdict, string>,
  { book }: ReflectRun,
  reason: OpinionReport['reason'],
): OpinionReport {
  const before = new Set(page?.evidence.map(({ fact }) => fact) ?? []);
  // A belief with much evidence has lines for only some of it on the page, and the number of the rest. So evidence
  // without a line may be old. For such a belief, evidence without a line is new only if this run added its verdict.
  const isKnown = (verdict: Verdict): boolean =>
    before.has(verdict.fact) || ((page?.more ?? 0) > 0 && !book.isAdded(verdict));
  const evidence = [...counted].flatMap(([verdict, source]) => {
    const { fact, direction, by } = verdict;
    return direction === 'none' || isKnown(verdict) ? [] : [{ fact, direction, by, source }];
  });
  const known = page === null ? null : (page.mark?.confidence ?? page.confidence);
  return { id, statement: text, entities, before: known, after: confidence, reason, evidence };
}
