import { parseBullet } from '../../../markdown/bullet.js';
import { isQuestion } from '../../../text/sentences.js';
import { isAlone } from '../../log/prose.js';
import type { Entry } from './ledger.js';
import { hasCue, shorten } from './sentences.js';
import { isStanding } from './standing.js';

/** The fact that a sentence states: a typed bullet, a decision, or how something is. Pure. */
export function factsOf(sentence: string, at: number, said: string | null): readonly Entry[] {
  const typed = typedFact(sentence, at, said);
  if (typed.length > 0) return typed;
  if (isQuestion(sentence) || isAlone(sentence) || !(hasCue(sentence) || isStanding(sentence))) return [];
  return [{ section: 'Key Facts & Decisions', text: shorten(sentence), at, said }];
}

/** A typed bullet as a fact. */
export function typedFact(sentence: string, at: number, said: string | null): readonly Entry[] {
  const parsed = parseBullet(sentence);
  if (parsed.type !== 'fact') return [];
  const text = shorten(`${parsed.bullet.kind} ${parsed.bullet.statement}`);
  return [{ section: 'Key Facts & Decisions', text, at, said }];
}
