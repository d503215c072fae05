import { parseBullet } from '../../markdown/bullet.js';
import { hasCue } from '../memory/ledger/sentences.js';
import { readTurns } from '../memory/ledger/turns.js';
import type { SessionMessage } from '../message.js';

/**
 * What is worth saving without a model: typed bullets, and what a user decided or wants to be remembered; never what a
 * tool printed. Each says where it comes from, which is no part of the fact. Pure.
 */
export function factsByRules(session: string, messages: readonly SessionMessage[]): readonly string[] {
  const said = messages.filter(({ role }) => role !== 'tool').map((message, index) => ({ message, at: index + 1 }));
  const facts = readTurns(said, []).facts.flatMap(({ text }) => {
    const isTyped = parseBullet(text).type === 'fact';
    return isTyped || hasCue(text) ? [`${isTyped ? text : `S ${text}`} (from ${session}, by rules)`] : [];
  });
  return [...new Set(facts)];
}
