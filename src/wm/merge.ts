import {
  bySectionName,
  endsInHtml,
  formatItemAsBullet,
  isPlaceholderItem,
  itemOfLine,
  type ParsedDocument,
  parseDocument,
  renderDocument,
  type SectionBodies,
  type SectionName,
  sizeReminders,
} from './document.js';
import { decideRuling } from './guards.js';
import type { SectionOperations } from './operations.js';
import type { Ruling, RulingDecision } from './ruling.js';

/** The new Working Memory and a report of the merge. `wm merge --json` prints exactly this. */
export interface MergeResult extends MergeReport {
  readonly document: string;
  /** Sections that are too big; see {@link sizeReminders}. */
  readonly reminders: readonly string[];
}

/**
 * Applies operations to a Working Memory under the guards of its sections. `old` may be null, empty, or an older
 * free-form summary: its text is kept. Pure. Takes time in proportion to the size of both.
 */
export function mergeWorkingMemory(old: string | null, operations: SectionOperations): MergeResult {
  const { bodies } = parseDocument(old);
  const rulings = bySectionName((name) => decideRuling(name, bodies[name], operations[name]));
  return mergeByRulings(old, rulings, (name) => operations[name].name);
}

/**
 * Applies one ruling to each section. `asked` returns the name of the operation that was requested for a section; only the
 * report shows it.
 */
export function mergeByRulings(
  old: string | null,
  rulings: Readonly<Record<SectionName, Ruling>>,
  asked: (name: SectionName) => string,
): MergeResult {
  const parsed = parseDocument(old);
  const bodies = bySectionName((name) => apply(parsed.bodies[name], rulings[name]));
  const { sections, lost } = writeLedger(parsed, rulings, asked, bodies);
  return { document: renderDocument(bodies), sections, lost, reminders: sizeReminders(bodies) };
}

function apply(old: string, { operation }: Ruling): string {
  if (operation.op === 'KEEP') return old;
  if (operation.op === 'UPDATE') return operation.content;
  const added = operation.items.map(formatItemAsBullet).join('\n');
  if (old === '' || added === '') return old + added;
  return `${old}${endsInHtml(old) ? '\n\n' : '\n'}${added}`;
}

/** An old item that is not word for word in the new document. */
export interface MissingItem {
  readonly item: string;
  readonly reason: string;
}

/** The report about one section. */
interface SectionLedger {
  /** The requested operation; `NONE` if there was none. */
  readonly op: string;
  readonly decision: RulingDecision;
  readonly reason: string;
  /** Items that were added below the old text, because an APPEND was requested, or because an UPDATE was rejected. */
  readonly appended: readonly string[];
  /** Old issues that an UPDATE left out and that were put back. */
  readonly restored: readonly string[];
  readonly removed: readonly MissingItem[];
}

interface MergeReport {
  readonly sections: Readonly<Record<SectionName, SectionLedger>>;
  /**
   * Old items that are missing although no ruling explains why. This list should always be empty. The merge compares
   * the old and the new text to make sure of that.
   */
  readonly lost: readonly string[];
}

/** Makes the report by comparing the old text with the new document, line by line. */
function writeLedger(
  parsed: ParsedDocument,
  rulings: Readonly<Record<SectionName, Ruling>>,
  asked: (name: SectionName) => string,
  newBodies: SectionBodies,
): MergeReport {
  const present = new Set<string>();
  for (const body of Object.values(newBodies)) for (const item of lineItems(body)) present.add(item);
  for (const { restored } of Object.values(rulings)) for (const item of restored) present.add(item);
  const sections = bySectionName((name) => {
    const { operation, decision, reason, restored, whyRemoved } = rulings[name];
    const removed = whyRemoved === undefined ? [] : removals(parsed.bodies[name], present, whyRemoved);
    const appended = operation.op === 'APPEND' ? operation.items : [];
    return { op: asked(name), decision, reason, appended, restored, removed };
  });
  for (const { removed } of Object.values(sections)) for (const { item } of removed) present.add(item);
  const old = parsed.lines.filter((_, line) => !parsed.headingLines.has(line)).map(itemOfLine);
  return { sections, lost: [...new Set(old)].filter((item) => item !== '' && !present.has(item)) };
}

function removals(body: string, present: ReadonlySet<string>, why: (item: string) => string): readonly MissingItem[] {
  const gone = new Set(lineItems(body).filter((item) => !present.has(item)));
  return [...gone].map((item) => ({
    item,
    reason: isPlaceholderItem(item) ? 'our own marker text, not content' : why(item),
  }));
}

function lineItems(body: string): readonly string[] {
  return body
    .split('\n')
    .map(itemOfLine)
    .filter((item) => item !== '');
}
