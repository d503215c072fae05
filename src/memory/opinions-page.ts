import type { Day } from '../base/clock.js';
import { toDay } from '../language/time/calendar.js';
import type { Item, MarkdownScan } from '../markdown/block.js';
import { type Bullet, parseBullet } from '../markdown/bullet.js';
import { scanMarkdown } from '../markdown/scan.js';
import { visibleLines } from '../markdown/visible.js';
import type { Prior } from './confidence.js';
import { DEFAULT_CONFIDENCE, opinionId } from './fact.js';
import type { UnitDetail } from './unit.js';

/** A pointer from an opinion to a fact, as its page lists it. */
export interface ListedEvidence {
  /** `f-…`; null when a person left it out. */
  readonly fact: string | null;
  /** `memory/2025-11-27.md#L14` */
  readonly source: string;
  readonly supports: boolean;
  /** 0..1 */
  readonly weight: number;
  /** A person's line that matches no fact: not one of those that are listed as ours. */
  readonly isUnmatched?: boolean | undefined;
}

/** What reflect leaves beside `updated`, to tell later what a person has changed since. */
export interface OpinionMark {
  readonly confidence: number;
  /** What evidence moved, when that is not the prior: a belief is taken over as it stands. */
  readonly base: Prior | null;
  /** The last three characters of the ids of the facts that were listed. */
  readonly listed: ReadonlySet<string>;
}

/** A line of evidence as it stands on the page. */
export interface PageEvidence extends ListedEvidence {
  readonly line: number;
  /** What the line says where it links to nothing: the text of a fact, or its place in plain words. */
  readonly text?: string | undefined;
  /** The line says more than what reflect writes: it is a person's, and stays. */
  readonly isWorded: boolean;
  /** The id as it is written, when the line means a fact with another one. */
  readonly written?: string | null | undefined;
}

/** What the list under an opinion says. Lines are 1-based. */
type OpinionNotes = ReturnType<typeof readOpinionNotes>;

const NOTE = /^\s+[-+*]\s+(prior|updated|for|against)\s*[:：]\s*(\S.*)$/i;
/** `[memory/2025-11-27.md#L14](../memory/2025-11-27.md#L14) f-a1b2…`, several to a line. */
const LINK = /\[([^\]\s]+)\]\([^)]*\)(?:\s+(f-[0-9a-z]{13})\b)?(?:\s+c=(\d*\.?\d+))?/g;
/** `memory/2025-11-27.md#L14` without a link. */
const PLACE = /(?<![^\s(])(?:[^\s()#]+\/)?[^\s()#/]+\.md#L\d+(?:-L?\d+)?(?![\w-])/;
/** `<!-- 0.816 b30c4d 0.8@2025-12-01 -->`; earlier runs wrote `c=` and `f=`. */
const MARK = /<!-- (?:c=)?([\d.]+)(?: (?:f=)?([0-9a-z]+))?(?: ([\d.]+)@(\d{4}-\d{2}-\d{2}))? -->/;
/** A page lists so many of the newest pieces of evidence of an opinion; the others are counted. */
export const MOST_LISTED = 20;
/** `and 213 more: `opinion why`` */
const MORE = /^\s+[-+*]\s+and (\d+) more: `opinion why`\s*$/;
const CODE_LENGTH = 3;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');

/** Reads `prior:`, `updated:`, `for:` and `against:`. The first of several priors counts; unknown notes are left alone. */
export function readOpinionNotes(scan: MarkdownScan, { startLine, textEndLine, endLine }: Item) {
  const evidence: PageEvidence[] = [];
  let [prior, updated, mark]: [Prior | null, Day | null, OpinionMark | null] = [null, null, null];
  let [priorLine, updatedLine]: [number | null, number | null] = [null, null];
  let [more, moreLine]: [number, number | null] = [0, null];
  for (let line = Math.max(startLine, textEndLine) + 1; line <= endLine; line++) {
    const text = scan.lines[line - 1] ?? '';
    const [, name = '', value = ''] = NOTE.exec(text) ?? [];
    const counted: string | undefined = MORE.exec(text)?.[1];
    if (counted !== undefined && moreLine === null) [more, moreLine] = [Number(counted), line];
    const kind = name.toLowerCase();
    if (kind === 'prior' && priorLine === null) [prior, priorLine] = [readPrior(value), line];
    else if (kind === 'updated' && updatedLine === null)
      [updated, updatedLine, mark] = [readDay(value), line, readMark(value)];
    else if (kind === 'for' || kind === 'against') {
      for (const link of readLinks(value, kind === 'for')) evidence.push({ ...link, line });
    }
  }
  // Lines of the notes that are ours to change; null when there is none.
  return { prior, updated, mark, evidence, more, priorLine, updatedLine, moreLine };
}

/** Notes as a unit keeps them: nothing stands for what is not written. */
export function notesDetail({ prior, updated, evidence, more }: OpinionNotes): UnitDetail {
  const linksOf = (side: boolean) =>
    evidence
      .filter(({ supports, source }) => supports === side && source !== '')
      .map(({ source, fact, weight }) => ({ source, fact, ...(weight === 1 ? {} : { weight }) }));
  return {
    ...(updated === null ? {} : { updated }),
    ...(prior === null ? {} : { prior }),
    ...(evidence.length + more === 0
      ? {}
      : { evidence: { for: linksOf(true), against: linksOf(false), ...(more === 0 ? {} : { more }) } }),
  };
}

/** What two pointers must share to be one. */
export function evidenceKey({ fact, source, supports }: ListedEvidence): string {
  return `${supports} ${fact ?? source}`;
}

/** How the mark names a fact. */
export function evidenceCode(fact: string): string {
  return fact.slice(-CODE_LENGTH);
}

function readPrior(value: string): Prior | null {
  const confidence = Number.parseFloat(value);
  return confidence >= 0 && confidence <= 1 ? { confidence, day: readDay(value) } : null;
}

function readDay(value: string): Day | null {
  return toDay(/\d{4}-\d{2}-\d{2}/.exec(value)?.[0]);
}

function readMark(value: string): OpinionMark | null {
  const [, confidence, codes = '', from, since] = MARK.exec(value) ?? [];
  if (confidence === undefined) return null;
  const base = from === undefined ? null : { confidence: Number(from), day: toDay(since) };
  return { confidence: Number(confidence), base, listed: readCodes(codes) };
}

/** The codes of some facts, as they were written. */
export function readCodes(codes: string): ReadonlySet<string> {
  return new Set(codes.match(CODES) ?? []);
}

/** The codes of the facts of some evidence, put together. */
export function writtenCodes(evidence: readonly ListedEvidence[]): string {
  return evidence
    .flatMap(({ fact, isUnmatched = false }) => (fact === null || isUnmatched ? [] : [evidenceCode(fact)]))
    .sort()
    .join('');
}

/** The confidence that evidence moves, and the day up to which all is in it: a belief that nobody has moved is taken as it stands. */
export function baseOf({ prior, updated, mark, confidence }: OpinionNotes & { readonly confidence: number }): Prior {
  if (mark !== null) return mark.base ?? prior ?? { confidence, day: null };
  return { confidence, day: updated ?? prior?.day ?? null };
}

function readLinks(value: string, supports: boolean): Omit<PageEvidence, 'line'>[] {
  const links = [...value.matchAll(LINK)];
  if (links.length === 0) {
    const [fact = null] = /\bf-[0-9a-z]{13}\b/.exec(value) ?? [];
    const [source = ''] = PLACE.exec(value) ?? [];
    const text = value.replace(/\s*f-[0-9a-z]{13}\s*$/, '').trim();
    return [{ fact, source, supports, weight: 1, text, isWorded: true }];
  }
  const isWorded = /[^\s,]/.test(value.replace(LINK, ''));
  return links.map(([, source = '', fact, weight]) => ({
    fact: fact ?? null,
    source,
    supports,
    weight: weight === undefined ? 1 : Math.min(1, Number(weight)),
    isWorded,
  }));
}

/** An opinion of `bank/opinions.md`. Lines are 1-based. */
export interface PageOpinion extends OpinionNotes {
  /** `o-…`, as written or computed. */
  readonly id: string;
  readonly bullet: Bullet;
  /** As written, else {@link DEFAULT_CONFIDENCE}. */
  readonly confidence: number;
  readonly isRetired: boolean;
  readonly startLine: number;
  readonly textEndLine: number;
  readonly endLine: number;
}

const ID_AT_END = /\s\^o-[0-9a-z]{13}\s*$/;

/** The opinions of a page, in its order. What is no opinion is not ours. Pure. */
export function readOpinionsPage(text: string): readonly PageOpinion[] {
  const scan = scanMarkdown(text);
  const visible = visibleLines(scan);
  const opinions: PageOpinion[] = [];
  let isRetired = false;
  for (const block of scan.blocks) {
    if (block.type === 'heading' && block.depth <= 2) isRetired = isRetiredHeading(block.text);
    if (block.type !== 'item' || block.level > 0) continue;
    const textEndLine = Math.max(block.startLine, block.textEndLine);
    const shown = withIdLast(visible.slice(block.startLine - 1, textEndLine));
    const parsed = parseBullet(shown.replace(/^\s*[-+*]\s+/, ''));
    if (parsed.type === 'fact' && parsed.bullet.kind === 'O') {
      const { bullet } = parsed;
      opinions.push({
        ...readOpinionNotes(scan, block),
        id: bullet.blockId?.startsWith('o-') ? bullet.blockId : opinionId(bullet),
        bullet,
        confidence: bullet.confidence ?? DEFAULT_CONFIDENCE,
        isRetired,
        startLine: block.startLine,
        textEndLine,
        endLine: block.endLine,
      });
    }
  }
  return opinions;
}

/** An opinion stays the same one when somebody writes on below the line that ends with its id. */
function withIdLast(lines: readonly string[]): string {
  if (lines.length === 1) return lines.join();
  const at = lines.findIndex((line) => ID_AT_END.test(line));
  const id = ID_AT_END.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.map((line, index) => (index === at ? line.replace(ID_AT_END, '') : line)).join(' ') + id.trimEnd();
}

export function isRetiredHeading(text: string): boolean {
  return /^(?:retired|已退役)(?![\p{L}\p{N}])/iu.test(text.trim());
}
