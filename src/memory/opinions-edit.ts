import type { Day } from '../base/clock.js';
import { addAll, largest } from '../base/order.js';
import { formatBullet } from '../markdown/bullet.js';
import { firstLineEnd, joinLines, linesWithLineEnds, withLineEnd } from '../markdown/lines.js';
import { byteOrderMark } from '../text/bytes.js';
import { isSamePrior, type Prior } from './confidence.js';
import { withoutImportanceMark } from './fact.js';
import {
  evidenceKey,
  formatFactCodes,
  isRetiredHeading,
  type ListedEvidence,
  type PageOpinion,
} from './opinions-page.js';

/** Notes to write under an opinion. */
export interface OpinionState {
  readonly confidence: number;
  readonly prior: Prior;
  /** The prior from which the evidence raises or lowers the confidence, if it differs from `prior`. */
  readonly base?: Prior | null | undefined;
  readonly updated: Day;
  /** Evidence to list, in the order of the page. */
  readonly evidence: readonly ListedEvidence[];
  /** Number of older pieces of evidence, which the page counts but does not list. */
  readonly more: number;
  readonly isRetired: boolean;
}

/** A belief that is not on the page yet. */
export interface NewOpinion extends OpinionState {
  readonly id: string;
  readonly entities: readonly string[];
  readonly text: string;
}

export interface OpinionChange {
  readonly opinion: PageOpinion;
  readonly state: OpinionState;
}

const RETIRED = '## Retired';

/**
 * Edits the notes of some opinions and adds new opinions. Every other line stays unchanged and in its place, and so does
 * every note that `reflect` did not write. The page keeps its line ends. Pure.
 * @param changes of opinions as `readOpinionsPage(text)` returned them
 */
export function editOpinionsPage(
  text: string,
  changes: readonly OpinionChange[],
  additions: readonly NewOpinion[],
): string {
  const mark = byteOrderMark(text);
  const lines = linesWithLineEnds(text.slice(mark.length));
  const eol = firstLineEnd(text);
  const moved: Moved[] = [];
  // Edit from the last to the first, so that earlier line numbers stay valid.
  for (const { opinion, state } of changes.toSorted((a, b) => b.opinion.startLine - a.opinion.startLine)) {
    const { startLine, endLine, isRetired } = opinion;
    const old = lines.slice(startLine - 1, endLine);
    const edited = editedBlock(old, opinion, state, eol);
    const isMoved = state.isRetired !== isRetired;
    if (isMoved) moved.unshift({ lines: edited.map((line) => withLineEnd(line, eol)), isRetired: state.isRetired });
    lines.splice(startLine - 1, old.length, ...(isMoved ? [] : edited));
  }
  const made = additions.map((added): Moved => {
    return { lines: newBlock(added).map((line) => line + eol), isRetired: added.isRetired };
  });
  const blocks = [...moved, ...made];
  const current = blocks.filter(({ isRetired }) => !isRetired).flatMap((block) => block.lines);
  const retired = blocks.filter(({ isRetired }) => isRetired).flatMap((block) => block.lines);
  if (current.length > 0) addCurrent(lines, current, eol);
  if (retired.length > 0) addRetired(lines, retired, eol);
  return mark + joinLines(lines, eol);
}

interface Moved {
  readonly lines: readonly string[];
  readonly isRetired: boolean;
}

/** Adds lines at the end of the page, or before the blank lines above the retired section. */
function addCurrent(lines: string[], added: readonly string[], eol: string): void {
  const index = lines.findIndex(isRetiredLine);
  const last = lastWritten(lines, index, 0);
  if (index === -1) addAll(lines, added);
  else if (last === 0) lines.splice(index, 0, ...added, eol);
  else lines.splice(last, 0, ...added, ...(last === index ? [eol] : []));
}

/** Adds lines at the end of the retired section; creates the section if there is none. */
function addRetired(lines: string[], added: readonly string[], eol: string): void {
  const index = lines.findIndex(isRetiredLine);
  const next = lines.findIndex((line, at) => at > index && /^ {0,3}##?\s/.test(line.trimEnd()));
  const last = lastWritten(lines, next === -1 ? lines.length : next, index + 1);
  if (index === -1) lines.push(eol, RETIRED + eol, eol, ...added);
  else lines.splice(last, 0, ...(last === index + 1 ? [eol] : []), ...added);
}

/** The number of lines before `place`, without blank lines at their end. Never less than `least`. */
function lastWritten(lines: readonly string[], place: number, least: number): number {
  let last = place;
  while (last > least && lines[last - 1]?.trim() === '') last--;
  return last;
}

function isRetiredLine(line: string): boolean {
  return /^ {0,3}##?\s/.test(line.trimEnd()) && isRetiredHeading(line.replace(/^ {0,3}#+\s*/, ''));
}

function newBlock({ id, entities, text, ...state }: NewOpinion): readonly string[] {
  const headline = formatBullet({ kind: 'O', confidence: 0, entities, text: withoutImportanceMark(text), blockId: id });
  return [
    withConfidence(headline, state.confidence),
    priorNote(state.prior),
    updatedNote(state),
    ...state.evidence.map(evidenceNote),
    ...moreNotes(state),
  ];
}

function withConfidence(line: string, confidence: number): string {
  const written = `O(c=${confidence.toFixed(2)})`;
  return line.replace(/^(\s*[-+*]\s+)O(?:\(c=[^()]*\))?(?=[\s:：])/, `$1${written}`);
}

/** Lines of an opinion after the edit of its headline and notes; other lines stay. */
function editedBlock(
  block: readonly string[],
  opinion: PageOpinion,
  state: OpinionState,
  eol: string,
): readonly string[] {
  const { startLine, textEndLine, priorLine, updatedLine, moreLine, evidence } = opinion;
  const known = new Set(evidence.map(evidenceKey));
  const fresh = state.evidence
    .filter((listed) => !known.has(evidenceKey(listed)))
    .map((listed) => evidenceNote(listed) + eol);
  const added = [...fresh, ...(moreLine === null ? moreNotes(state).map((line) => line + eol) : [])];
  const head = [
    ...(priorLine === null ? [priorNote(state.prior) + eol] : []),
    ...(updatedLine === null ? [updatedNote(state) + eol] : []),
  ];
  const lastEvidence = largest(
    evidence.map(({ line }) => line),
    0,
  );
  const under = Math.max(textEndLine, priorLine ?? 0, updatedLine ?? 0);
  return block.flatMap((whole, index) => {
    const number = startLine + index;
    const [end = ''] = /(?:\r\n|\r|\n)?$/.exec(whole) ?? [];
    const line = editedLine(whole.slice(0, whole.length - end.length), number, opinion, state);
    return [
      ...(line === undefined ? [] : [line + end]),
      ...(number === (lastEvidence === 0 ? under : textEndLine) ? head : []),
      ...(number === (lastEvidence === 0 ? under : lastEvidence) ? added : []),
    ];
  });
}

/** The edited line; undefined for a line to remove. */
function editedLine(line: string, number: number, opinion: PageOpinion, state: OpinionState): string | undefined {
  const { startLine, textEndLine, priorLine, updatedLine, moreLine, bullet, id } = opinion;
  if (number === priorLine && !isSamePrior(opinion.prior, state.prior))
    return line.replace(/([:：]\s*)[\d.]+(?:\s*\(\d{4}-\d{2}-\d{2}\))?/, `$1${priorValue(state.prior)}`);
  if (number === updatedLine && (opinion.mark !== null || !isAsItStands(opinion, state)))
    return `${line.replace(/\s*<!--.*?-->/, '').replace(/\d{4}-\d{2}-\d{2}/, state.updated)} ${mark(state)}`;
  if (number === moreLine) return state.more === 0 ? undefined : line.replace(/\d+/, String(state.more));
  if (number > textEndLine) return editedEvidence(line, number, opinion, state);
  const headline = number === startLine ? withConfidence(line, state.confidence) : line;
  return number === textEndLine && bullet.blockId === null ? `${headline.trimEnd()} ^${id}` : headline;
}

/**
 * Whether the page already shows the state of a belief. If so, `reflect` adds no hidden mark to a belief that a person
 * wrote.
 */
function isAsItStands({ confidence, updated, isRetired, evidence, more }: PageOpinion, state: OpinionState): boolean {
  const known = new Set(evidence.map(evidenceKey));
  return (
    confidence === state.confidence &&
    updated === state.updated &&
    isRetired === state.isRetired &&
    more === state.more &&
    state.evidence.every((listed) => known.has(evidenceKey(listed)))
  );
}

/**
 * Updates the citations of an evidence line, because a merge may have moved the cited lines. Adds missing fact ids.
 * Removes evidence that no longer counts. Removes the line if it has no evidence left.
 */
function editedEvidence(line: string, number: number, { evidence }: PageOpinion, state: OpinionState) {
  const here = evidence.filter((listed) => listed.line === number);
  const now = new Map(state.evidence.map(({ fact, source }) => [fact, source]));
  let said = line;
  for (const { fact, source, written = fact, text } of here) {
    const moved = fact === null ? undefined : now.get(fact);
    if (moved === undefined || (moved === source && written === fact)) continue;
    if (text === undefined) said = said.replace(linkTo(source, written), () => `[${moved}](../${moved}) ${fact}`);
    else if (written === null) said = `${said.trimEnd()} ${fact}`;
  }
  const wanted = new Set(state.evidence.map(evidenceKey));
  const ours = here.filter(({ isWorded }) => !isWorded);
  const kept = ours.filter((listed) => wanted.has(evidenceKey(listed)));
  if (kept.length === ours.length) return said;
  return kept.length === 0 ? undefined : said.replace(/([:：]\s*).*$/, `$1${kept.map(evidenceValue).join(', ')}`);
}

/** Pattern for an evidence link with the given text and any target, together with the id behind the link. */
function linkTo(source: string, id: string | null): RegExp {
  const quoted = source.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\[${quoted}\\]\\([^)]*\\)${id === null ? '' : `\\s+${id}`}`);
}

function priorNote(prior: Prior): string {
  return `  - prior: ${priorValue(prior)}`;
}

function priorValue({ confidence, day }: Prior): string {
  return `${confidence.toFixed(2)}${day === null ? '' : ` (${day})`}`;
}

function updatedNote(state: OpinionState): string {
  return `  - updated: ${state.updated} ${mark(state)}`;
}

function mark({ confidence, evidence, base = null }: OpinionState): string {
  const codes = formatFactCodes(evidence);
  const from = base === null || base.day === null ? '' : ` ${Number(base.confidence.toFixed(6))}@${base.day}`;
  return `<!-- ${Number(confidence.toFixed(6))}${codes === '' ? '' : ` ${codes}`}${from} -->`;
}

function moreNotes({ more }: OpinionState): readonly string[] {
  return more === 0 ? [] : [`  - and ${more} more: \`opinion why\``];
}

function evidenceNote(listed: ListedEvidence): string {
  return `  - ${listed.supports ? 'for' : 'against'}: ${evidenceValue(listed)}`;
}

function evidenceValue({ source, fact, weight }: ListedEvidence): string {
  const id = fact === null ? '' : ` ${fact}`;
  return `[${source}](../${source})${id}${weight === 1 ? '' : ` c=${Number(weight.toFixed(2))}`}`;
}
