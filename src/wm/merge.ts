import { parseDocument, renderDocument, sizeReminders } from './document.js';
import { ruleOn } from './guards/index.js';
import { asBullet } from './items.js';
import { type Ledger, writeLedger } from './ledger.js';
import type { Operations } from './operations.js';
import type { Ruling } from './ruling.js';
import { byName, type SectionName } from './sections.js';
import { endsInHtml } from './structure.js';

/** The new Working Memory and the account of how it came about. `wm merge --json` prints exactly this. */
export interface Merge extends Ledger {
  readonly document: string;
  /** What has become too big; see {@link sizeReminders}. */
  readonly reminders: readonly string[];
}

/**
 * Applies operations to a Working Memory under the guards of its sections. `old` may be null,
 * empty, or an older free-form summary: its text is kept. Pure, and linear in the size of both.
 */
export function mergeWorkingMemory(old: string | null, operations: Operations): Merge {
  const { bodies } = parseDocument(old);
  const rulings = byName((name) => ruleOn(name, bodies[name], operations[name]));
  return mergeByRulings(old, rulings, (name) => operations[name].name);
}

/** The same by what was decided for each section already; `asked` is what the account calls its operation. */
export function mergeByRulings(
  old: string | null,
  rulings: Readonly<Record<SectionName, Ruling>>,
  asked: (name: SectionName) => string,
): Merge {
  const parsed = parseDocument(old);
  const bodies = byName((name) => apply(parsed.bodies[name], rulings[name]));
  const { sections, lost } = writeLedger(parsed, rulings, asked, bodies);
  return { document: renderDocument(bodies), sections, lost, reminders: sizeReminders(bodies) };
}

function apply(old: string, { operation }: Ruling): string {
  if (operation.op === 'KEEP') return old;
  if (operation.op === 'UPDATE') return operation.content;
  const added = operation.items.map(asBullet).join('\n');
  if (old === '' || added === '') return old + added;
  return `${old}${endsInHtml(old) ? '\n\n' : '\n'}${added}`;
}
