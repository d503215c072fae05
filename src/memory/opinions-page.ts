import type { Day } from '../base/clock.js';
import { toDay } from '../language/time/days.js';
import type { Item, MarkdownScan } from '../markdown/block.js';
import { type Bullet, parseBullet } from '../markdown/bullet.js';
import { scanMarkdown } from '../markdown/scan.js';
import { visibleLines } from '../markdown/visible.js';
import type { Prior } from './confidence.js';
import { DEFAULT_CONFIDENCE, opinionId } from './fact.js';

/** A pointer from an opinion to a fact, as its page lists it. */
export interface ListedEvidence {
  /** `f-…`; null when a person left it out. */
  readonly fact: string | null;
  /** `memory/2025-11-27.md#L14` */
  readonly source: string;
  readonly supports: boolean;
  /** 0..1 */
  readonly weight: number;
}

/** What reflect leaves beside `updated`, to tell later what a person has changed since. */
export interface OpinionMark {
  readonly confidence: number;
  /** The last three characters of the ids of the facts that were listed. */
  readonly listed: ReadonlySet<string>;
}

/** An opinion of `bank/opinions.md`. Lines are 1-based. */
export interface PageOpinion {
  /** `o-…`, as written or computed. */
  readonly id: string;
  readonly bullet: Bullet;
  /** As written, else {@link DEFAULT_CONFIDENCE}. */
  readonly confidence: number;
  readonly prior: Prior | null;
  readonly updated: Day | null;
  readonly mark: OpinionMark | null;
  readonly evidence: readonly (ListedEvidence & { readonly line: number })[];
  readonly isRetired: boolean;
  readonly startLine: number;
  readonly textEndLine: number;
  readonly endLine: number;
  /** Lines of the notes that are ours to change; null when there is none. */
  readonly priorLine: number | null;
  readonly updatedLine: number | null;
}

const NOTE = /^\s+[-+*]\s+(prior|updated|for|against)\s*[:：]\s*(\S.*)$/i;
const LINK = /\[([^\]\s]+)\]\([^)]*\)(?:\s+(f-[0-9a-z]{13})\b)?(?:\s+c=([\d.]+))?/g;
const MARK = /<!-- c=([\d.]+)(?: f=([0-9a-z]*))? -->/;
const ID_AT_END = /\s\^o-[0-9a-z]{13}\s*$/;
const CODE_LENGTH = 3;

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
      opinions.push(readOpinion(scan, block, textEndLine, parsed.bullet, isRetired));
    }
  }
  return opinions;
}

/** An opinion stays the same one when somebody writes on below the line that ends with its id. */
function withIdLast(lines: readonly string[]): string {
  const at = lines.findIndex((line) => ID_AT_END.test(line));
  const id = ID_AT_END.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.map((line, index) => (index === at ? line.replace(ID_AT_END, '') : line)).join(' ') + id.trimEnd();
}

export function isRetiredHeading(text: string): boolean {
  return /^(?:retired|已退役)(?![\p{L}\p{N}])/iu.test(text.trim());
}

/** How the mark names a fact. */
export function evidenceCode(fact: string): string {
  return fact.slice(-CODE_LENGTH);
}

function readOpinion(
  scan: MarkdownScan,
  { startLine, endLine }: Item,
  textEndLine: number,
  bullet: Bullet,
  isRetired: boolean,
): PageOpinion {
  const evidence: (ListedEvidence & { readonly line: number })[] = [];
  let [prior, updated, mark]: [Prior | null, Day | null, OpinionMark | null] = [null, null, null];
  let [priorLine, updatedLine]: [number | null, number | null] = [null, null];
  for (let line = textEndLine + 1; line <= endLine; line++) {
    const [, name = '', value = ''] = NOTE.exec(scan.lines[line - 1] ?? '') ?? [];
    const kind = name.toLowerCase();
    if (kind === 'prior' && priorLine === null) [prior, priorLine] = [readPrior(value), line];
    else if (kind === 'updated' && updatedLine === null)
      [updated, updatedLine, mark] = [readDay(value), line, readMark(value)];
    else if (kind === 'for' || kind === 'against') {
      for (const link of readLinks(value, kind === 'for')) evidence.push({ ...link, line });
    }
  }
  const id = bullet.blockId?.startsWith('o-') ? bullet.blockId : opinionId(bullet);
  const confidence = bullet.confidence ?? DEFAULT_CONFIDENCE;
  const place = { startLine, textEndLine, endLine, priorLine, updatedLine };
  return { id, bullet, confidence, prior, updated, mark, evidence, isRetired, ...place };
}

function readPrior(value: string): Prior | null {
  const confidence = Number.parseFloat(value);
  return confidence >= 0 && confidence <= 1 ? { confidence, day: readDay(value) } : null;
}

function readDay(value: string): Day | null {
  return toDay(/\d{4}-\d{2}-\d{2}/.exec(value)?.[0]);
}

function readMark(value: string): OpinionMark | null {
  const [, confidence, codes = ''] = MARK.exec(value) ?? [];
  if (confidence === undefined) return null;
  const listed = codes.match(new RegExp(`.{${CODE_LENGTH}}`, 'g')) ?? [];
  return { confidence: Number(confidence), listed: new Set(listed) };
}

function readLinks(value: string, supports: boolean): ListedEvidence[] {
  return [...value.matchAll(LINK)].map(([, source = '', fact, weight]) => ({
    fact: fact ?? null,
    source,
    supports,
    weight: weight === undefined ? 1 : Math.min(1, Number(weight)),
  }));
}
