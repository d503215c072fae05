import type { Day } from '../base/clock.js';
import { toDay } from '../language/time/days.js';
import type { Item, MarkdownScan } from '../markdown/block.js';
import type { EvidenceLink, UnitDetail } from './unit.js';

/** Reads the list under an opinion: `prior:`, `updated:`, `for:` and `against:` (design section 3). Unknown notes are left alone. */
export function readOpinionNotes(scan: MarkdownScan, opinion: Item): UnitDetail {
  const supports: EvidenceLink[] = [];
  const contradicts: EvidenceLink[] = [];
  let notes: UnitDetail = {};
  for (const text of notesUnder(scan, opinion)) {
    const [, name = '', value = ''] = /^(prior|updated|for|against)\s*[:：]\s*(.+)$/is.exec(text) ?? [];
    const day = toDay(/\d{4}-\d{2}-\d{2}/.exec(value)?.[0]);
    if (name === 'updated' && day !== null) notes = { ...notes, updated: day };
    else if (name === 'prior') notes = { ...notes, ...readPrior(value, day) };
    else if (name === 'for') supports.push(...readLinks(value));
    else if (name === 'against') contradicts.push(...readLinks(value));
  }
  const hasEvidence = supports.length + contradicts.length > 0;
  return hasEvidence ? { ...notes, evidence: { for: supports, against: contradicts } } : notes;
}

function* notesUnder(scan: MarkdownScan, opinion: Item): Generator<string> {
  for (const line of scan.lines.slice(opinion.textEndLine, opinion.endLine)) {
    const note = /^\s+[-+*]\s+(.*\S)/.exec(line)?.[1];
    if (note !== undefined) yield note;
  }
}

function readPrior(value: string, day: Day | null): UnitDetail {
  const confidence = Number.parseFloat(value);
  return confidence >= 0 && confidence <= 1 ? { prior: { confidence, day } } : {};
}

/** `[memory/2025-11-27.md#L14](../memory/2025-11-27.md#L14) f-a1b2…`, several to a line. */
function readLinks(value: string): EvidenceLink[] {
  const links: EvidenceLink[] = [];
  for (const [, source = '', fact, weight] of value.matchAll(LINK)) {
    links.push({ source, fact: fact ?? null, ...(weight === undefined ? {} : { weight: Number(weight) }) });
  }
  return links;
}

const LINK = /\[([^\]\s]+)\]\([^)]*\)(?:\s+(f-[0-9a-z]{13})\b)?(?:\s+c=(0|1|0?\.\d+)\b)?/g;
