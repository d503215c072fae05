import type { Day } from '../base/clock.js';
import { parseDay } from '../language/time/calendar.js';
import type { UnitDetail } from '../line/unit.js';
import type { ListItem, MarkdownScan } from '../markdown/block.js';
import { type Bullet, parseBullet } from '../markdown/bullet.js';
import { scanMarkdown } from '../markdown/scan.js';
import { visibleLines } from '../markdown/visible.js';
import type { Prior } from './confidence.js';
import { DEFAULT_CONFIDENCE, opinionId } from './fact.js';

/** Link from an opinion to a fact, as listed on its page. */
export interface ListedEvidence {
  /** Id of the fact: `f-…`. Null if a person left it out. */
  readonly fact: string | null;
  /** Place of the fact: `memory/2025-11-27.md#L14`. */
  readonly source: string;
  readonly supports: boolean;
  /** Weight of the evidence, from 0 to 1. */
  readonly weight: number;
  /** Whether a person wrote the line and it matches no fact. Such a line is not in the mark of `reflect`. */
  readonly isUnmatched?: boolean | undefined;
}

/** Hidden mark that `reflect` writes beside the note `updated:`, to detect later edits by a person. */
export interface OpinionMark {
  readonly confidence: number;
  /**
   * The prior from which the evidence raises or lowers the confidence, if it differs from the note `prior:` on the page. A
   * belief that a person wrote starts with the confidence that the person gave.
   */
  readonly base: Prior | null;
  /** Last three characters of the ids of the listed facts. */
  readonly listed: ReadonlySet<string>;
}

/** A piece of evidence on the page, with its line. */
export interface PageEvidence extends ListedEvidence {
  readonly line: number;
  /**
   * The text of the line, if the line has no link. A person wrote such a line. It has the text of a fact, or the place of
   * a fact.
   */
  readonly text?: string | undefined;
  /** Whether the line has more text than `reflect` writes. A person wrote such a line, so it is kept. */
  readonly isWorded: boolean;
  /** The id as written, if the line is matched to a fact with another id. */
  readonly written?: string | null | undefined;
}

/** Parsed notes under an opinion. Lines are 1-based. */
type OpinionNotes = ReturnType<typeof readOpinionNotes>;

const NOTE = /^\s+[-+*]\s+(prior|updated|for|against)\s*[:：]\s*(\S.*)$/i;
/**
 * A link to a piece of evidence: `[memory/2025-11-27.md#L14](../memory/2025-11-27.md#L14) f-a1b2…`. A line may have several.
 */
const LINK = /\[([^\]\s]+)\]\([^)]*\)(?:\s+(f-[0-9a-z]{13})\b)?(?:\s+c=(\d*\.?\d+))?/g;
/** A place without a link: `memory/2025-11-27.md#L14`. */
const PLACE = /(?<![^\s(])(?:[^\s()#]+\/)?[^\s()#/]+\.md#L\d+(?:-L?\d+)?(?![\w-])/;
/**
 * The mark of `reflect`: `<!-- 0.816 b30c4d 0.8@2025-12-01 -->`. It has the confidence, the codes of the listed facts, and
 * the base with its day. Earlier versions wrote `c=` before the confidence and `f=` before the codes.
 */
const MARK = /<!-- (?:c=)?([\d.]+)(?: (?:f=)?([0-9a-z]+))?(?: ([\d.]+)@(\d{4}-\d{2}-\d{2}))? -->/;
/** Maximum number of pieces of evidence listed under an opinion, newest first; the others are only counted. */
export const MAX_LISTED_EVIDENCE = 20;
/** The note that counts the evidence that is not listed: `and 213 more: …`. */
const MORE = /^\s+[-+*]\s+and (\d+) more: `opinion why`\s*$/;
const CODE_LENGTH = 3;
const CODES = new RegExp(`.{${CODE_LENGTH}}`, 'g');

/** The text of a note that `reflect` wrote, without its mark. */
const BARE_NOTE =
  /^(?:prior:\s*[\d.]+(?:\s*\(\d{4}-\d\d-\d\d\))?|updated:\s*\d{4}-\d\d-\d\d|(?:for|against):(?:\s*\[[^\]\s]+\]\([^)]*\)(?: f-[0-9a-z]{13})?(?: c=[\d.]+)?,?)+)\s*$/;

/** Whether a note under an opinion has only figures, days, links and ids. Nobody has said anything there. */
export function isBareNote(text: string): boolean {
  return BARE_NOTE.test(text);
}

/** Reads `prior:`, `updated:`, `for:` and `against:`. The first of several priors counts; unknown notes are ignored. */
export function readOpinionNotes(scan: MarkdownScan, { startLine, textEndLine, endLine }: ListItem) {
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
  // `priorLine`, `updatedLine` and `moreLine` are the lines to edit; null if there is none.
  return { prior, updated, mark, evidence, more, priorLine, updatedLine, moreLine };
}

/** The notes as a unit stores them; empty fields are left out. */
export function opinionDetail({ prior, updated, evidence, more }: OpinionNotes): UnitDetail {
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

/** Key of a piece of evidence. It is the same for all links to this piece. */
export function evidenceKey({ fact, source, supports }: ListedEvidence): string {
  return `${supports} ${fact ?? source}`;
}

/** Short code that stands for a fact in the mark of `reflect`. */
export function factCode(fact: string): string {
  return fact.slice(-CODE_LENGTH);
}

function readPrior(value: string): Prior | null {
  const confidence = Number.parseFloat(value);
  return confidence >= 0 && confidence <= 1 ? { confidence, day: readDay(value) } : null;
}

function readDay(value: string): Day | null {
  return parseDay(/\d{4}-\d{2}-\d{2}/.exec(value)?.[0]);
}

function readMark(value: string): OpinionMark | null {
  const [, confidence, codes = '', from, since] = MARK.exec(value) ?? [];
  if (confidence === undefined) return null;
  const base = from === undefined ? null : { confidence: Number(from), day: parseDay(since) };
  return { confidence: Number(confidence), base, listed: readFactCodes(codes) };
}

/** Parses the codes of facts in a mark. */
export function readFactCodes(codes: string): ReadonlySet<string> {
  return new Set(codes.match(CODES) ?? []);
}

/** Joins the codes of the listed facts for the mark. */
export function formatFactCodes(evidence: readonly ListedEvidence[]): string {
  return evidence
    .flatMap(({ fact, isUnmatched = false }) => (fact === null || isUnmatched ? [] : [factCode(fact)]))
    .sort()
    .join('');
}

/**
 * The prior from which the evidence raises or lowers the confidence. Evidence up to the day of the prior does not count
 * again: it is already included. A belief without a mark of `reflect` starts with the confidence written on the page.
 */
export function chooseStartPrior({
  prior,
  updated,
  mark,
  confidence,
}: OpinionNotes & { readonly confidence: number }): Prior {
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
  /** Id of the opinion, `o-…`: as written, or else computed. */
  readonly id: string;
  readonly bullet: Bullet;
  /** The confidence as written, or else {@link DEFAULT_CONFIDENCE}. */
  readonly confidence: number;
  readonly isRetired: boolean;
  readonly startLine: number;
  readonly textEndLine: number;
  readonly endLine: number;
}

const ID_AT_END = /\s\^o-[0-9a-z]{13}\s*$/;

/** Parses the opinions of a page, in order. Other list items are ignored. Pure. */
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

/**
 * Joins the lines of an opinion and puts its id at the end. If a person continued the text below the line with the id,
 * the id is in the middle.
 */
function withIdLast(lines: readonly string[]): string {
  if (lines.length === 1) return lines.join();
  const at = lines.findIndex((line) => ID_AT_END.test(line));
  const id = ID_AT_END.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.map((line, index) => (index === at ? line.replace(ID_AT_END, '') : line)).join(' ') + id.trimEnd();
}

export function isRetiredHeading(text: string): boolean {
  return /^(?:retired|已退役)(?![\p{L}\p{N}])/iu.test(text.trim());
}
