import { parseStatement } from '../../../memory/statement/statement.js';
import { type ThreadFact, threadEntries } from '../../../memory/threads/threads.js';
import { NO_TIMES } from '../../../memory/validity.js';
import { itemKey } from '../../../wm/items.js';
import type { Entry } from './ledger.js';

/** Most facts that are held against a new one: several times what the section has room for. */
const MOST_HELD = 600;
/** Within a session the order tells what is later: all is said on one day. */
const DAY = '2000-01-01';

/**
 * Takes new facts in, in the order they were said: what is said again is as new as it was said last, and what a later one
 * names as over, part by part, goes. All else stays beside what is said later. Of very many the oldest go. Pure.
 * @returns the facts, oldest first, and why others are gone, by their text; not those for which there is no room
 */
export function settleFacts(before: readonly Entry[], added: readonly Entry[]) {
  const byKey = new Map<string, Entry>();
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

function statedOf(entry: Entry, line: number): ThreadFact & { readonly entry: Entry } {
  const text = entry.text.replace(/[.。!！]$/u, '');
  const statement = parseStatement(text, DAY, NO_TIMES, []);
  return { entry, id: String(line), kind: 'world', day: DAY, path: '', line, text, subjects: [], statement };
}
