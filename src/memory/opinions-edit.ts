import type { Day } from '../base/clock.js';
import { formatBullet } from '../markdown/bullet.js';
import { splitLines } from '../markdown/lines.js';
import { isSamePrior, type Prior } from './confidence.js';
import { withoutMark } from './fact.js';
import { evidenceKey, type ListedEvidence, writtenCodes } from './opinion-notes.js';
import { isRetiredHeading, type PageOpinion } from './opinions-page.js';

/** What the notes of an opinion are to say. */
export interface OpinionState {
  readonly confidence: number;
  readonly prior: Prior;
  /** What evidence moved, where that is not the prior. */
  readonly base?: Prior | null | undefined;
  readonly updated: Day;
  /** All of it, in the order in which it is listed. */
  readonly evidence: readonly ListedEvidence[];
  readonly isRetired: boolean;
}

/** A belief that the page does not have yet. */
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
 * Changes the notes of some opinions and adds new ones. Every other line, and every note that is not one of ours, is kept
 * byte for byte and in its place; the page's line ends are kept. Pure.
 * @param changes of opinions as `readOpinionsPage(text)` gave them
 */
export function editOpinionsPage(
  text: string,
  changes: readonly OpinionChange[],
  additions: readonly NewOpinion[],
): string {
  const page = new PageLines(text);
  for (const { opinion, state } of changes) {
    editHeadline(page, opinion, state);
    editNotes(page, opinion, state);
  }
  // From the last to the first, so that the lines before keep their numbers.
  const moving = changes.filter(({ opinion, state }) => state.isRetired !== opinion.isRetired);
  const cut = moving
    .toSorted((a, b) => b.opinion.startLine - a.opinion.startLine)
    .map(({ opinion, state }) => ({ lines: page.cut(opinion.startLine, opinion.endLine), ...state }))
    .reverse();
  const blocks = [...cut, ...additions.map((added) => ({ lines: page.withEnds(newBlock(added)), ...added }))];
  const current = blocks.filter(({ isRetired }) => !isRetired).flatMap(({ lines }) => lines);
  const retired = blocks.filter(({ isRetired }) => isRetired).flatMap(({ lines }) => lines);
  page.addBefore(isRetiredLine, current);
  if (retired.length > 0) page.addUnder(isRetiredLine, RETIRED, retired);
  return page.text();
}

/** `0.83` */
function formatConfidence(confidence: number): string {
  return confidence.toFixed(2);
}

function isRetiredLine(line: string): boolean {
  return /^ {0,3}##?\s/.test(line) && isRetiredHeading(line.replace(/^ {0,3}#+\s*/, ''));
}

function newBlock({ id, entities, text, ...state }: NewOpinion): readonly string[] {
  const headline = formatBullet({ kind: 'O', confidence: 0, entities, text: withoutMark(text), blockId: id });
  return [
    withConfidence(headline, state.confidence),
    priorNote(state.prior),
    updatedNote(state),
    ...state.evidence.map(evidenceNote),
  ];
}

function editHeadline(page: PageLines, { startLine, textEndLine, bullet, id }: PageOpinion, state: OpinionState): void {
  page.change(startLine, (line) => withConfidence(line, state.confidence));
  if (bullet.blockId === null) page.change(textEndLine, (line) => `${line.trimEnd()} ^${id}`);
}

function withConfidence(line: string, confidence: number): string {
  const written = `O(c=${formatConfidence(confidence)})`;
  return line.replace(/^(\s*[-+*]\s+)O(?:\(c=[^()]*\))?(?=[\s:：])/, `$1${written}`);
}

function editNotes(page: PageLines, opinion: PageOpinion, state: OpinionState): void {
  const { priorLine, updatedLine, textEndLine } = opinion;
  const lastEvidence = Math.max(0, ...opinion.evidence.map(({ line }) => line));
  const head: string[] = [];
  if (priorLine === null) head.push(priorNote(state.prior));
  else if (!isSamePrior(opinion.prior, state.prior)) {
    page.change(priorLine, (line) =>
      line.replace(/([:：]\s*)[\d.]+(?:\s*\(\d{4}-\d{2}-\d{2}\))?/, `$1${priorValue(state.prior)}`),
    );
  }
  if (updatedLine === null) head.push(updatedNote(state));
  else if (opinion.mark !== null || !isAsItStands(opinion, state))
    page.change(
      updatedLine,
      (line) => `${line.replace(/\s*<!--.*?-->/, '').replace(/\d{4}-\d{2}-\d{2}/, state.updated)} ${mark(state)}`,
    );
  for (const line of new Set(opinion.evidence.map((listed) => listed.line))) {
    followMoved(page, line, opinion, state);
    editEvidenceLine(page, line, opinion, state);
  }
  const known = new Set(opinion.evidence.map(evidenceKey));
  const fresh = state.evidence.filter((listed) => !known.has(evidenceKey(listed))).map(evidenceNote);
  const under = Math.max(textEndLine, priorLine ?? 0, updatedLine ?? 0);
  if (lastEvidence === 0) page.insertAfter(under, [...head, ...fresh]);
  else {
    page.insertAfter(textEndLine, head);
    page.insertAfter(lastEvidence, fresh);
  }
}

/** Nothing has moved a belief that a person wrote: we leave no mark on it. */
function isAsItStands({ confidence, updated, isRetired, evidence }: PageOpinion, state: OpinionState): boolean {
  const known = new Set(evidence.map(evidenceKey));
  return (
    confidence === state.confidence &&
    updated === state.updated &&
    isRetired === state.isRetired &&
    state.evidence.every((listed) => known.has(evidenceKey(listed)))
  );
}

/** Cites facts where they stand now, a merge may have moved their lines; what a person wrote without an id gets it. */
function followMoved(page: PageLines, line: number, { evidence }: PageOpinion, state: OpinionState): void {
  const now = new Map(state.evidence.map(({ fact, source }) => [fact, source]));
  for (const { fact, source, written = fact, text } of evidence.filter((listed) => listed.line === line)) {
    const moved = fact === null ? undefined : now.get(fact);
    if (moved === undefined || (moved === source && written === fact)) continue;
    const cited = (place: string, id: string | null): string => `[${place}](../${place})${id === null ? '' : ` ${id}`}`;
    if (text === undefined)
      page.change(line, (said) => said.replace(linkTo(source, written), () => cited(moved, fact)));
    else if (written === null) page.change(line, (said) => `${said.trimEnd()} ${fact}`);
  }
}

/** A link of evidence however its target is written, with the id behind it. */
function linkTo(source: string, id: string | null): RegExp {
  const quoted = source.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\[${quoted}\\]\\([^)]*\\)${id === null ? '' : `\\s+${id}`}`);
}

/** Takes what is evidence no more out of a line; a line without any goes. */
function editEvidenceLine(page: PageLines, line: number, { evidence }: PageOpinion, state: OpinionState): void {
  const wanted = new Set(state.evidence.map(evidenceKey));
  const here = evidence.filter((listed) => listed.line === line && !listed.isWorded);
  const kept = here.filter((listed) => wanted.has(evidenceKey(listed)));
  if (kept.length === here.length) return;
  if (kept.length === 0) page.remove(line);
  else page.change(line, (text) => text.replace(/([:：]\s*).*$/, `$1${kept.map(evidenceValue).join(', ')}`));
}

function priorNote(prior: Prior): string {
  return `  - prior: ${priorValue(prior)}`;
}

function priorValue({ confidence, day }: Prior): string {
  return `${formatConfidence(confidence)}${day === null ? '' : ` (${day})`}`;
}

function updatedNote(state: OpinionState): string {
  return `  - updated: ${state.updated} ${mark(state)}`;
}

function mark({ confidence, evidence, base = null }: OpinionState): string {
  const codes = writtenCodes(evidence);
  const from = base === null || base.day === null ? '' : ` ${Number(base.confidence.toFixed(6))}@${base.day}`;
  return `<!-- ${Number(confidence.toFixed(6))}${codes === '' ? '' : ` ${codes}`}${from} -->`;
}

function evidenceNote(listed: ListedEvidence): string {
  return `  - ${listed.supports ? 'for' : 'against'}: ${evidenceValue(listed)}`;
}

function evidenceValue({ source, fact, weight }: ListedEvidence): string {
  const id = fact === null ? '' : ` ${fact}`;
  return `[${source}](../${source})${id}${weight === 1 ? '' : ` c=${Number(weight.toFixed(2))}`}`;
}

/** The lines of a page with their ends, addressed by their first numbers whatever is inserted and removed. */
class PageLines {
  /** Of each line, itself and what is inserted behind it; nothing of one that was removed. */
  private readonly lines: string[][];
  private readonly start: string;
  private readonly eol: string;

  constructor(text: string) {
    const { starts } = splitLines(text);
    this.start = text.slice(0, starts[0] ?? text.length);
    this.lines = starts.map((start, index) => [text.slice(start, starts[index + 1] ?? text.length)]);
    this.eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  }

  text(): string {
    return this.start + this.lines.flat().join('');
  }

  withEnds(lines: readonly string[]): readonly string[] {
    return lines.map((line) => line + this.eol);
  }

  change(number: number, edit: (line: string) => string): void {
    const line = this.lines[number - 1]?.shift();
    if (line === undefined) return;
    const end = /(?:\r\n|\r|\n)?$/.exec(line)?.[0] ?? '';
    this.lines[number - 1]?.unshift(edit(line.slice(0, line.length - end.length)) + end);
  }

  remove(number: number): void {
    this.lines[number - 1]?.shift();
  }

  insertAfter(number: number, lines: readonly string[]): void {
    if (lines.length > 0) this.putAfter(number, this.withEnds(lines));
  }

  /** Takes lines out, with what was inserted among them. */
  cut(from: number, to: number): readonly string[] {
    this.putAfter(to, []);
    return this.lines.slice(from - 1, to).flatMap((all) => all.splice(0));
  }

  /** Adds lines at the end of the page, or before the blank lines above the first line that is such a one. */
  addBefore(isSuch: (line: string) => boolean, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const index = this.find(isSuch);
    let last = index;
    while (last > 0 && this.isBlank(last)) last--;
    if (index === -1) this.addAtEnd(lines);
    else if (last === 0) this.lines[index]?.unshift(...lines, this.eol);
    else this.lines[last - 1]?.push(...lines, ...(last === index ? [this.eol] : []));
  }

  /** Adds lines at the end of the section under the first line that is such a one, or under a new heading. */
  addUnder(isSuch: (line: string) => boolean, heading: string, lines: readonly string[]): void {
    const index = this.find(isSuch);
    if (index === -1) {
      this.addAtEnd([this.eol, ...this.withEnds([heading, '']), ...lines]);
      return;
    }
    const next = this.find((line) => /^ {0,3}##?\s/.test(line), index + 1);
    let last = next === -1 ? this.lines.length : next;
    while (last > index + 1 && this.isBlank(last)) last--;
    this.putAfter(last, [...(last === index + 1 ? [this.eol] : []), ...lines]);
  }

  private find(isSuch: (line: string) => boolean, from = 0): number {
    return this.lines.findIndex(([line], at) => at >= from && line !== undefined && isSuch(line.trimEnd()));
  }

  /** Nothing is left of a line, and nothing was put behind it. */
  private isBlank(number: number): boolean {
    return this.lines[number - 1]?.every((line) => line.trim() === '') !== false;
  }

  private addAtEnd(lines: readonly string[]): void {
    if (this.lines.length === 0) this.lines.push([...lines]);
    else this.putAfter(this.lines.length, lines);
  }

  /** The last line of a page may have no end. */
  private putAfter(number: number, lines: readonly string[]): void {
    const all = this.lines[number - 1] ?? [];
    const last = all.pop();
    if (last !== undefined) all.push(/[\r\n]$/.test(last) ? last : last + this.eol);
    all.push(...lines);
  }
}
