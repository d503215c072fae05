import { parseBullet } from '../../markdown/bullet.js';
import { settleFacts } from '../memory/ledger/facts.js';
import { hasCue } from '../memory/ledger/sentences.js';
import { readTurns } from '../memory/ledger/turns.js';
import type { SessionMessage } from '../message.js';

/**
 * What is worth saving without a model: typed bullets, and what a user decided or wants to be remembered; never what a
 * tool printed. Each says where it comes from, which is no part of the fact. Pure.
 */
export function factsByRules(session: string, messages: readonly SessionMessage[]): readonly string[] {
  const said = messages.filter(({ role }) => role !== 'tool').map((message, index) => ({ message, at: index + 1 }));
  const { facts } = settleFacts([], readTurns(said, []).facts);
  // What one message asks to remember may be several values, of which only the first says so.
  const decided = new Set(facts.flatMap(({ text, at }) => (hasCue(text) ? [at] : [])));
  const lines = facts.flatMap(({ text, at, attribute }) => {
    const isTyped = parseBullet(text).type === 'fact';
    const isWorth = isTyped || hasCue(text) || (attribute !== undefined && decided.has(at));
    return isWorth ? [`${isTyped ? text : `S ${text}`} (from ${session}, by rules)`] : [];
  });
  return [...new Set(lines)];
}
