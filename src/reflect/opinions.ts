import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { Prior } from '../memory/confidence.js';
import type { Judge, Verdict, Verdicts } from '../memory/evidence.js';
import { opinionId } from '../memory/fact.js';
import { evidenceCode, type ListedEvidence } from '../memory/opinion-notes.js';
import { editOpinionsPage, type NewOpinion, type OpinionChange, type OpinionState } from '../memory/opinions-edit.js';
import type { PageOpinion } from '../memory/opinions-page.js';
import { type Belief, type Beliefs, type Conviction, convictionOf, RETIRED } from './beliefs/beliefs.js';
import type { FactReader } from './facts.js';
import type { Scope } from './scope.js';

/** What became of an opinion in a run. */
export interface OpinionReport {
  readonly id: string;
  readonly statement: string;
  readonly entities: readonly string[];
  /** Null for a new one. */
  readonly before: number | null;
  readonly after: number;
  readonly reason: 'new' | 'evidence' | 'edited' | 'retired' | 'revived' | 'merged';
  /** What counts now and was not listed before. */
  readonly evidence: readonly {
    readonly fact: string;
    readonly direction: 'supports' | 'contradicts';
    readonly by: Judge;
    readonly source: string;
  }[];
}

export interface OpinionsPlan {
  readonly text: string;
  readonly reports: readonly OpinionReport[];
  /** What the evidence makes of each belief, by its id. */
  readonly convictions: ReadonlyMap<string, Conviction>;
}

export interface OpinionsInput {
  /** The page with its merges settled. */
  readonly text: string;
  readonly beliefs: Beliefs;
  readonly verdicts: Verdicts;
  readonly merged: ReadonlySet<string>;
  /** Whose confidence a person has set. */
  readonly edited: ReadonlySet<string>;
  /** Facts whose lines a merge has put under another opinion. */
  readonly strays: ReadonlySet<string>;
  readonly scope: Scope;
  /** Ids of opinions that this run has judged something about. */
  readonly judged: ReadonlySet<string>;
  readonly today: Day;
  readonly reader: Pick<FactReader, 'byId' | 'lookUp'>;
}

/** Brings the page of opinions to what the verdicts make of it. A belief that nothing has changed stays byte for byte. */
export function planOpinions(input: OpinionsInput): OpinionsPlan {
  const { text, beliefs, verdicts, merged, edited, today, reader } = input;
  const changes: OpinionChange[] = [];
  const additions: NewOpinion[] = [];
  const reports: OpinionReport[] = [];
  const convictions = new Map<string, Conviction>();
  const open = new Set(beliefs.all().filter((belief) => belief.page === null || isOpen(belief, belief.page, input)));
  reader.lookUp([...open].flatMap(({ id }) => [...(verdicts.get(id)?.keys() ?? [])]));
  for (const belief of beliefs.all()) {
    if (belief.page !== null && !open.has(belief)) {
      convictions.set(belief.id, convictionOnPage(belief.page));
      continue;
    }
    const counted = countedVerdicts(belief, verdicts, reader);
    belief.prior = originOf(belief, verdicts, reader);
    const conviction = convictionOf(belief.prior, [...counted.keys()], today);
    convictions.set(belief.id, conviction);
    const { page } = belief;
    const evidence = [...[...counted].map(toListed), ...keptLines(belief, counted, input)];
    const { confidence, isRetired } = conviction;
    const isMoved = page === null || page.confidence.toFixed(2) !== confidence.toFixed(2);
    const updated = isMoved || edited.has(belief.id) ? today : (page.updated ?? today);
    const state: OpinionState = { confidence, ...priorNotes(belief, edited), updated, evidence, isRetired };
    if (page === null) additions.push({ ...state, id: belief.id, entities: belief.entities, text: belief.text });
    else if (isChanged(page, state) || merged.has(belief.id)) changes.push({ opinion: page, state });
    else {
      if (isElsewhere(page, state)) changes.push({ opinion: page, state });
      continue;
    }
    reports.push(report(belief, state, counted, reasonOf(belief, state, { merged, edited })));
  }
  if (changes.length + additions.length === 0) return { text, reports, convictions };
  return { text: editOpinionsPage(text === '' ? '# Opinions\n\n' : text, changes, additions), reports, convictions };
}

/** Whether something may have changed about a belief of the page: time follows what is new, not the past. */
function isOpen({ id }: Belief, page: PageOpinion, { scope, judged, verdicts }: OpinionsInput): boolean {
  if (scope.all || judged.has(id)) return true;
  // Time alone retires a belief.
  if (!page.isRetired && page.confidence < RETIRED.below) return true;
  if (scope.days.size === 0) return false;
  return [...(verdicts.get(id)?.values() ?? [])].some(({ day }) => scope.days.has(day));
}

function convictionOnPage({ mark, confidence, isRetired }: PageOpinion): Conviction {
  return { confidence: mark?.confidence ?? confidence, steps: [], isRetired };
}

/** The verdicts about a belief whose facts are still there, with the places these stand at. */
function countedVerdicts(
  belief: Belief,
  verdicts: Verdicts,
  reader: OpinionsInput['reader'],
): ReadonlyMap<Verdict, string> {
  const counted = new Map<Verdict, string>();
  const sorted = [...(verdicts.get(belief.id)?.values() ?? [])].sort(
    (a, b) => compareText(a.day, b.day) || compareText(a.fact, b.fact),
  );
  for (const verdict of sorted) {
    if (verdict.direction === 'none') continue;
    const fact = reader.byId(verdict.fact);
    if (fact?.isEvidence === true) counted.set(verdict, fact.source);
  }
  return counted;
}

/**
 * The prior of a belief that a fact has begun is that of the earliest fact which states it, whichever came in first. One
 * that a person has set, or that nobody knows the beginning of, stays.
 */
export function originOf(belief: Belief, verdicts: Verdicts, reader: OpinionsInput['reader']): Prior {
  const { id, prior } = belief;
  const stating = [...countedVerdicts(belief, verdicts, reader).keys()].filter(({ fact, direction }) => {
    const stated = direction === 'supports' ? reader.byId(fact) : undefined;
    return stated?.kind === 'opinion' && opinionId(stated) === id;
  });
  const isBegun = stating.some(({ day, weight }) => day === prior.day && Math.abs(weight - prior.confidence) < 1e-9);
  const [first] = stating;
  return isBegun && first !== undefined && first.day < (prior.day ?? '')
    ? { confidence: first.weight, day: first.day }
    : prior;
}

function toListed([{ fact, direction, weight }, source]: readonly [Verdict, string]): ListedEvidence {
  return { fact, source, supports: direction === 'supports', weight };
}

function isChanged(page: PageOpinion, state: OpinionState): boolean {
  const listed = page.evidence.map(evidenceKey);
  const wanted = new Set(state.evidence.map(evidenceKey));
  if (new Set(listed).size !== wanted.size || !listed.every((key) => wanted.has(key))) return true;
  if (page.isRetired !== state.isRetired || page.confidence.toFixed(2) !== state.confidence.toFixed(2)) return true;
  // Nothing has ever moved it, and it has no notes of ours: it is as somebody wrote it.
  if (page.mark === null && page.updated === null && wanted.size === 0) return false;
  return page.prior === null
    ? page.mark !== null
    : page.prior.day !== state.prior.day || Math.abs(page.prior.confidence - state.prior.confidence) > 1e-9;
}

/** The prior as it is written stays, unless a person has set the confidence: that is a prior of its own. */
function priorNotes({ id, page, prior }: Belief, edited: ReadonlySet<string>): Pick<OpinionState, 'prior' | 'base'> {
  const written = page?.prior ?? null;
  if (written === null || edited.has(id) || (page?.mark !== null && page?.mark?.base == null)) return { prior };
  const isSame = written.day === prior.day && Math.abs(written.confidence - prior.confidence) < 1e-9;
  return { prior: written, base: isSame ? null : prior };
}

/** Lines of a person that count for nothing stay; so does none that we wrote for a fact that is gone. */
function keptLines(
  { id, page }: Belief,
  counted: ReadonlyMap<Verdict, string>,
  { verdicts, reader, strays }: OpinionsInput,
): readonly ListedEvidence[] {
  const listed = new Set([...counted.keys()].map(({ fact }) => fact));
  const kept = (page?.evidence ?? []).filter(({ fact, supports, isWorded }) => {
    if (fact === null) return true;
    if (listed.has(fact) || strays.has(fact)) return false;
    const direction = verdicts.get(id)?.get(fact)?.direction;
    if (direction !== undefined && direction !== (supports ? 'supports' : 'contradicts')) return false;
    return isWorded || reader.byId(fact) !== undefined || page?.mark?.listed.has(evidenceCode(fact)) !== true;
  });
  return kept.map((line) => ({ ...line, isUnmatched: line.fact === null || reader.byId(line.fact) === undefined }));
}

/** Whether facts stand in other lines than the page says, or lack the id there. */
function isElsewhere(page: PageOpinion, { evidence }: OpinionState): boolean {
  const now = new Map(evidence.map((listed) => [evidenceKey(listed), listed.source]));
  return page.evidence.some(
    (listed) =>
      now.get(evidenceKey(listed)) !== listed.source ||
      (listed.written !== undefined && listed.written !== listed.fact),
  );
}

function evidenceKey({ fact, source, supports }: ListedEvidence): string {
  return `${supports} ${fact ?? source}`;
}

function reasonOf(
  { id, page }: Belief,
  { isRetired }: OpinionState,
  { merged, edited }: Pick<OpinionsInput, 'merged' | 'edited'>,
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
  reason: OpinionReport['reason'],
): OpinionReport {
  const before = new Set(page?.evidence.map(({ fact }) => fact) ?? []);
  const evidence = [...counted].flatMap(([{ fact, direction, by }, source]) =>
    direction === 'none' || before.has(fact) ? [] : [{ fact, direction, by, source }],
  );
  const known = page === null ? null : (page.mark?.confidence ?? page.confidence);
  return { id, statement: text, entities, before: known, after: confidence, reason, evidence };
}
