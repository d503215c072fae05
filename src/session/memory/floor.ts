import {
  bySectionName,
  contentItems,
  formatItemAsBullet,
  hasContent,
  itemKey,
  itemOfLine,
  parseDocument,
  SECTION_NAMES,
  type SectionName,
} from '../../wm/document.js';
import { findMissingItems } from '../../wm/key-facts.js';
import { type MergeResult, mergeByRulings } from '../../wm/merge.js';
import { makeKeepRuling, makeUpdateRuling, type Ruling } from '../../wm/ruling.js';
import { type LedgerEntry, type MemoryLedger, SECTION_FULL_REASON } from './ledger/ledger.js';
import { updateLedgerAfterModel } from './rules.js';

/** A new Working Memory, the merges that led to it, and the ledger of the lines in it that the rules wrote. */
interface MadeMemory {
  readonly document: string;
  readonly merges: readonly MergeResult[];
  readonly ledger: MemoryLedger;
}

/** A line of Current State that counts the lines of another section. */
const COUNTS = /^Open: \d+ questions?\b/u;

/**
 * Adds to a Working Memory that a model made what the rules made of the same messages: each line of theirs whose names,
 * numbers, dates and negations it does not carry. Replaces the earlier lines of the rules that they themselves replaced. So
 * a model's Working Memory never has less than that of the rules. Pure.
 * @param ruled what the rules made of the old Working Memory and the messages
 * @param before the ledger of the old Working Memory
 */
export function addLinesOfRules<Step extends MadeMemory>(step: Step, ruled: MadeMemory, before: MemoryLedger): Step {
  const { bodies } = parseDocument(step.document);
  const carried = SECTION_NAMES.flatMap((name) => contentItems(bodies[name]));
  const own = parseDocument(ruled.document).bodies;
  const rulings = bySectionName((name) => {
    const lines = contentItems(own[name]).filter((item) => !COUNTS.test(item));
    if (name === 'Session Title') return hasContent(bodies[name]) ? KEPT : filled(own[name]);
    const written = new Set(entriesOf(ruled.ledger, name).map(({ text }) => itemKey(text)));
    const missing = findMissingItems(
      lines.filter((item) => written.has(itemKey(item))),
      carried,
    );
    return withLines(bodies[name], missing, replacedLines(name, ruled, before));
  });
  if (SECTION_NAMES.every((name) => rulings[name] === KEPT)) return step;
  const merge = mergeByRulings(step.document, rulings, (name) => (rulings[name] === KEPT ? 'KEEP' : 'RULES'));
  const known = [...step.ledger.entries, ...ruled.ledger.entries];
  const entries = [...new Map(known.map((entry) => [`${entry.section}\n${itemKey(entry.text)}`, entry])).values()];
  const ledger = updateLedgerAfterModel({ ...step.ledger, entries }, merge.document, 0);
  return { ...step, document: merge.document, merges: [...step.merges, merge], ledger };
}

const KEPT = makeKeepRuling('carries every line of the rules');
const ADDED = 'lines of the rules that the model left out';

function filled(content: string): Ruling {
  return hasContent(content) ? makeUpdateRuling(content, ADDED, () => 'our own marker text, not content') : KEPT;
}

/** Appends the missing lines to a section, and removes those that the rules replaced. */
function withLines(body: string, missing: readonly string[], replaced: ReadonlyMap<string, string>): Ruling {
  const left = body.split('\n').filter((line) => !replaced.has(itemKey(itemOfLine(line))));
  if (missing.length === 0 && left.length === body.split('\n').length) return KEPT;
  const content = [left.join('\n').trimEnd(), ...missing.map(formatItemAsBullet)].filter((part) => part !== '');
  return makeUpdateRuling(content.join('\n'), ADDED, (item) => replaced.get(itemKey(item)) ?? ADDED);
}

/** The earlier lines of the rules that they replaced, by key, with the reason. A question stays until it is resolved. */
function replacedLines(name: SectionName, { merges }: MadeMemory, before: MemoryLedger): ReadonlyMap<string, string> {
  const old = new Set(entriesOf(before, name).map(({ text }) => itemKey(text)));
  if (name === 'Open Issues') return new Map();
  const gone = merges.flatMap(({ sections }) => sections[name].removed);
  return new Map(
    gone.flatMap(({ item, reason }) =>
      old.has(itemKey(item)) && reason !== SECTION_FULL_REASON ? [[itemKey(item), reason] as const] : [],
    ),
  );
}

function entriesOf({ entries }: MemoryLedger, name: SectionName): readonly LedgerEntry[] {
  return entries.filter(({ section }) => section === name);
}
