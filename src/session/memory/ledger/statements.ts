import { COMMON_HAN } from '../../../language/scripts.js';
import { parseBullet } from '../../../markdown/bullet.js';
import { isQuestion } from '../../../text/sentences.js';
import { isAlone } from '../../log/prose.js';
import type { Entry } from './ledger.js';
import { hasCue, shorten } from './sentences.js';
import { isStanding } from './standing.js';

/** The fact that a sentence of a text states: a typed bullet, a decision, or how something is. Pure. */
export function factsOf(sentence: string, text: string, at: number): readonly Entry[] {
  const typed = typedFact(sentence, text, at);
  if (typed.length > 0) return typed;
  if (!standsAlone(sentence) || !(hasCue(sentence) || isStanding(sentence))) return [];
  return [{ section: 'Key Facts & Decisions', text: shorten(sentence), at }];
}

/** It says something only with what stands before it, or breaks off. */
const DEPENDS =
  /^\s*[^\p{L}@#`]|^(?:and|but|or|so that|because|which|where|than|then|rather|e\.?g|i\.?e)\b|(?:[:,…]|\.\.\.?)\s*$/iu;
const POINTS_BACK = /^\W*(?:\p{L}+\s){0,3}(?:this|that|these|those|it|they|them)(?!\p{L})(?!\s(?:repo|project)\b)/iu;
/** What one tells of himself is of the moment, but for what he does or likes at any time. */
const OF_ONESELF =
  /^(?:\p{L}+[,!]?\s+){0,2}i(?:['’]\p{L}+)?\s(?!(?:always|never|prefer|decided|use|live|like|work|own|speak)\b)/iu;
const FOUR_WORDS = new RegExp(String.raw`(?:[\p{L}\p{N}]\S*\s+){2}\S|[${COMMON_HAN}]{3,}`, 'u');

/** What is longer is no sentence. */
const LONGEST = 600;

/** Whether a sentence of a person says something by itself. */
function standsAlone(sentence: string): boolean {
  return (
    sentence.length <= LONGEST &&
    !isQuestion(sentence) &&
    !isAlone(sentence) &&
    FOUR_WORDS.test(sentence) &&
    !DEPENDS.test(sentence) &&
    sentence.split('"').length % 2 === 1 &&
    !/\blines?\s\d/iu.test(sentence) &&
    !POINTS_BACK.test(sentence) &&
    !OF_ONESELF.test(sentence)
  );
}

const LISTED = ['- ', '* ', '+ '];

/** A typed bullet as a fact: an item of a list, or with whom it is about. */
export function typedFact(sentence: string, whole: string, at: number): readonly Entry[] {
  const parsed = parseBullet(sentence);
  if (
    parsed.type !== 'fact' ||
    !(parsed.bullet.entities.length > 0 || LISTED.some((mark) => whole.includes(mark + sentence)))
  )
    return [];
  const text = shorten(`${parsed.bullet.kind} ${parsed.bullet.statement}`);
  return [{ section: 'Key Facts & Decisions', text, at }];
}
