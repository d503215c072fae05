import type { Bodies, ParsedDocument } from './document.js';
import { isMarkerText, lineItem } from './items.js';
import type { Decision, Ruling } from './ruling.js';
import { byName, type SectionName } from './sections.js';

/** An old item that is not literally in the new document. */
export interface Removal {
  readonly item: string;
  readonly reason: string;
}

/** What happened to one section. */
interface SectionLedger {
  /** The operation as asked; `NONE` when there was none. */
  readonly op: string;
  readonly decision: Decision;
  readonly reason: string;
  /** Items added under the old body by an APPEND, asked for or instead of a rejected UPDATE. */
  readonly appended: readonly string[];
  /** Old issues that an UPDATE left out and that were put back. */
  readonly restored: readonly string[];
  readonly removed: readonly Removal[];
}

export interface Ledger {
  readonly sections: Readonly<Record<SectionName, SectionLedger>>;
  /** Old items that are gone and that no decision explains. Always empty; checked against the texts, not assumed. */
  readonly lost: readonly string[];
}

/** Holds the old text against the new document, line by line. */
export function writeLedger(
  parsed: ParsedDocument,
  rulings: Readonly<Record<SectionName, Ruling>>,
  asked: (name: SectionName) => string,
  newBodies: Bodies,
): Ledger {
  const present = new Set<string>();
  for (const body of Object.values(newBodies)) for (const item of lineItems(body)) present.add(item);
  for (const { restored } of Object.values(rulings)) for (const item of restored) present.add(item);
  const sections = byName((name) => {
    const { operation, decision, reason, restored, whyRemoved } = rulings[name];
    const removed = whyRemoved === undefined ? [] : removals(parsed.bodies[name], present, whyRemoved);
    const appended = operation.op === 'APPEND' ? operation.items : [];
    return { op: asked(name), decision, reason, appended, restored, removed };
  });
  for (const { removed } of Object.values(sections)) for (const { item } of removed) present.add(item);
  const old = parsed.lines.filter((_, line) => !parsed.headingLines.has(line)).map(lineItem);
  return { sections, lost: [...new Set(old)].filter((item) => item !== '' && !present.has(item)) };
}

function removals(body: string, present: ReadonlySet<string>, why: (item: string) => string): readonly Removal[] {
  const gone = new Set(lineItems(body).filter((item) => !present.has(item)));
  return [...gone].map((item) => ({
    item,
    reason: isMarkerText(item) ? 'our own marker text, not content' : why(item),
  }));
}

function lineItems(body: string): readonly string[] {
  return body
    .split('\n')
    .map(lineItem)
    .filter((item) => item !== '');
}
