import { COMMON_HAN } from '../../../language/scripts.js';
import { isStandingRule } from '../../../language/statements/lasting-matters.js';
import { parseBullet } from '../../../markdown/bullet.js';
import { readEnded } from '../../../memory/statement/ended-value.js';
import { isQuestion } from '../../../text/sentences.js';
import { isAlone } from '../../log/prose.js';
import type { Entry } from './ledger.js';
import { isRule, shorten } from './sentences.js';
import { isStanding } from './standing.js';

/** The fact that a sentence states whatever is done about it: a typed bullet, or what rules beyond the work at hand. Pure. */
export function factsOf(sentence: string, at: number): readonly Entry[] {
  const typed = typedFact(sentence, at);
  if (typed.length > 0) return typed;
  return isRule(sentence.replace(QUOTED, ' ')) && standsAlone(sentence) ? [factOf(sentence, at)] : [];
}

/** What a sentence says by itself, if nobody goes to work at it: how something is, or is to be. Pure. */
export function toldBy(sentence: string, at: number): readonly Entry[] {
  return isTold(sentence) && standsAlone(sentence) ? [factOf(sentence, at)] : [];
}

function isTold(sentence: string): boolean {
  return [isStanding, isStandingRule, isReminder].some((is) => is(sentence)) || readEnded(sentence).length > 0;
}

/** What somebody is not to forget; where something is made, it is a part of the work. */
function isReminder(sentence: string): boolean {
  return /(?<!\p{L})remember to\s|记得/iu.test(sentence);
}

/** A sentence as a fact. Pure. */
export function factOf(sentence: string, at: number): Entry {
  return { section: 'Key Facts & Decisions', text: shorten(sentence), at };
}

/** What somebody else said. */
const QUOTED = /(?<=^|[\s(:])(?:'[^'\n]{8,}'|"[^"\n]{8,}"|“[^”\n]{8,}”|‘[^’\n]{8,}’)(?![\p{L}\d])/gu;
/** It says something only with what stands before it, or breaks off. */
const DEPENDS =
  /^\s*[^\p{L}@#`]|^(?:and|but|or|so that|because|which|where|than|then|rather|e\.?g|i\.?e)\b|(?:[:,…：，]|\.\.\.?)\s*$/iu;
const POINTS_BACK =
  /(?<!\p{L})(?:this|that|these|those|it|they|them)(?!\p{L})(?!\s+\p{L}+\s+(?:is|are|must|has|repo|project)\b)/iu;
const FOUR_WORDS = new RegExp(String.raw`(?:[\p{L}\p{N}]\S*\s+){2}\S|[${COMMON_HAN}]{3,}`, 'u');

/** What is longer is no sentence. */
const LONGEST = 600;

/** Whether a sentence of a person says something by itself. Pure. */
export function standsAlone(sentence: string): boolean {
  return (
    sentence.length <= LONGEST &&
    !isQuestion(sentence) &&
    !isAlone(sentence) &&
    FOUR_WORDS.test(sentence) &&
    !DEPENDS.test(sentence) &&
    !POINTS_BACK.test(sentence)
  );
}

/** A typed bullet as a fact: one that says whom it is about or how sure it is, as "O" alone is a word of many languages. */
export function typedFact(sentence: string, at: number): readonly Entry[] {
  const parsed = parseBullet(sentence);
  if (parsed.type !== 'fact' || (parsed.bullet.entities.length === 0 && parsed.bullet.confidence === null)) return [];
  return [factOf(`${parsed.bullet.kind} ${parsed.bullet.statement}`, at)];
}
