import type { Day } from '../../base/clock.js';
import { makeSupportTest, type SupportTest } from '../../memory/supported.js';
import {
  bySectionName,
  contentItems,
  hasContent,
  itemKey,
  itemOfLine,
  parseDocument,
  SECTION_NAMES,
  type SectionName,
} from '../../wm/document.js';
import type { RequestedOperation, SectionOperations } from '../../wm/operations.js';
import type { TranscriptMessage } from '../../wm/prompt.js';

/** An item of a model that was not taken into the Working Memory, with the reason. */
export interface UnsupportedItem {
  readonly section: SectionName;
  readonly item: string;
  readonly reason: string;
}

/** Matches a status tag before or after an item: `[resolved]`. It is no part of what the item says. */
const TAG = /^\s*(?:\[[^\][]{1,60}\]|[✅☑✔✓])\s*|\s*\[[^\][]{1,60}\]\s*$/gu;
/** Matches headings, fences, tables and rules. They are no statements. */
const NO_STATEMENT = /^\s*(?:#{1,6}\s|```|~~~|\||[-*_]{3,}\s*$)/u;

/**
 * Makes the check of the items that a model writes for a Working Memory: each new one must be carried by the messages that
 * the model was shown, or by the old Working Memory. Pure.
 */
export function makeItemTest(
  old: string | null,
  messages: readonly (TranscriptMessage & { readonly day: Day })[],
): SupportTest {
  const { bodies } = parseDocument(old);
  const items = SECTION_NAMES.flatMap((name) => contentItems(bodies[name]));
  const known = new Set(items.map(itemKey));
  const sources = [
    ...items.map((text) => ({ text: withoutTags(text) })),
    ...messages.map(({ role, body, day }) => ({ text: body, day, speaker: role })),
  ];
  const whyUnsupported = makeSupportTest(sources);
  return (item) =>
    known.has(itemKey(item)) || known.has(itemKey(withoutTags(item))) ? undefined : whyUnsupported(withoutTags(item));
}

function withoutTags(item: string): string {
  return item.replace(TAG, '');
}

/** Leaves out the items that the check refuses. An operation of which nothing is left becomes KEEP. */
export function removeUnsupportedItems(
  operations: SectionOperations,
  whyRefused: SupportTest,
): { readonly operations: SectionOperations; readonly refused: readonly UnsupportedItem[] } {
  const refused: UnsupportedItem[] = [];
  const left = bySectionName((section): RequestedOperation => {
    const asked = operations[section];
    const { operation } = asked;
    if (operation.op === 'KEEP') return asked;
    const lines = operation.op === 'UPDATE' ? operation.content.split('\n') : operation.items;
    const kept = lines.filter((line) => {
      const item = itemOfLine(line);
      const reason = item === '' || NO_STATEMENT.test(line) ? undefined : whyRefused(item);
      if (reason !== undefined) refused.push({ section, item, reason });
      return reason === undefined;
    });
    if (kept.length === lines.length) return asked;
    if (!hasContent(kept.join('\n')))
      return { ...asked, operation: { op: 'KEEP' }, problem: 'refused: nothing in it is in the messages' };
    return {
      ...asked,
      operation: operation.op === 'UPDATE' ? { op: 'UPDATE', content: kept.join('\n') } : { op: 'APPEND', items: kept },
    };
  });
  return { operations: left, refused };
}
