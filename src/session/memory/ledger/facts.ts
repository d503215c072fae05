import { parseStatement } from '../../../memory/statement/statement.js';
import { type ThreadFact, threadEntries } from '../../../memory/threads/threads.js';
import { NO_TIME_READER } from '../../../memory/validity.js';
import { itemKey } from '../../../wm/document.js';
import type { LedgerEntry } from './ledger.js';

/** Maximum number of facts that are kept and compared: several times as many as the section has room for. */
const MOST_HELD = 600;
/** All facts of a session get the same day. Only their order shows which one is later. */
const DAY = '2000-01-01';

/**
 * Adds new facts in the order of the messages. A repeated fact moves to its latest place. A fact is removed only if the
 * words of later facts end all its clauses. If there are too many facts, the oldest are removed. Pure.
 * @returns `facts`, oldest first; `gone`: the reason why a fact was removed, by its text. Facts that were dropped because
 * there were too many are not in `gone`.
 */
export function settleFacts(before: readonly LedgerEntry[], added: readonly LedgerEntry[]) {
  const byKey = new Map<string, LedgerEntry>();
  for (const entry of [...before, ...added]) {
    const key = itemKey(entry.text);
    byKey.delete(key);
    byKey.set(key, entry);
  }
  const said = [...byKey.values()].slice(-MOST_HELD).map(statedOf);
  const gone = new Map<string, string>();
  for (const [{ entry }, strands] of threadEntries(said, { day: DAY })) {
    const by = strands[0]?.newerEntry?.fact.entry.text;
    if (by !== undefined && strands.every(({ settledBy }) => settledBy === 'words'))
      gone.set(entry.text, `replaced: "${by}"`);
  }
  return { facts: said.flatMap(({ entry }) => (gone.has(entry.text) ? [] : [entry])), gone };
}

function statedOf(entry: LedgerEntry, line: number): ThreadFact & { readonly entry: LedgerEntry } {
  const text = entry.text.replace(/[.。!！]$/u, '');
  const statement = parseStatement(text, DAY, NO_TIME_READER, []);
  return { entry, id: String(line), kind: 'world', day: DAY, path: '', line, text, subjects: [], statement };
}
