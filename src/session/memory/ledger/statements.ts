import { COMMON_HAN } from '../../../language/scripts.js';
import { parseBullet } from '../../../markdown/bullet.js';
import { isQuestion } from '../../../text/sentences.js';
import { isAlone } from '../../log/prose.js';
import { readAttribute } from './attributes.js';
import type { Entry } from './ledger.js';
import { hasCue, shorten } from './sentences.js';
import { isStanding } from './standing.js';
import { readTopic } from './topic.js';

/** Joins two statements, or ends one. */
const JOINT = /\s*[;；，]\s*|,\s+(?:(?:and|und|et|y)\s+)?|\s+(?:and|und)\s+/giu;
/** What begins like this says something only with what stands before it. */
const DEPENDS =
  /^(?:which|that|it|its|they|this|these|those|who|whose|where|because|since|so|as|but|or|than|not|if|when|unless|until|even|then|die|der|das|dass|weil|damit|aber|oder|sondern|nicht|wenn|因为|所以|如果|但|而|并|不然|否则|这样|(?:现在|目前|以后|新的?)(?:是|用|由|改|换|叫|在))/iu;
/** A statement under a condition is one with it. */
const CONDITION =
  /^(?:if|when|whenever|where|before|after|unless|once|wenn|falls|sobald|bevor|si|cuando|如果|当|要是|只要|每当)/iu;
const THREE_HAN = new RegExp(`(?:[${COMMON_HAN}].*){3}`, 'u');
const CHINESE_OWNER = /^(?:[^，,。]{0,12}?[：:])?([^，,。的]{1,16}的)/u;

/**
 * The facts of a sentence: one for each statement in it that stands alone, so that a later value puts an end to no more
 * than what it replaces. Pure.
 */
export function factsOf(sentence: string, at: number, said: string | null): readonly Entry[] {
  const typed = typedFact(sentence, at, said);
  if (typed.length > 0) return typed;
  if (isQuestion(sentence) || isAlone(sentence)) return [];
  return statementsOf(sentence).flatMap((text) => factOf(text, at, said));
}

/** A typed bullet as a fact. */
export function typedFact(sentence: string, at: number, said: string | null): readonly Entry[] {
  const parsed = parseBullet(sentence);
  if (parsed.type !== 'fact') return [];
  const text = shorten(`${parsed.bullet.kind} ${parsed.bullet.statement}`);
  const attribute = readAttribute(parsed.bullet.statement.replace(/@/gu, '').replace(/:\s/u, ' '));
  return [{ section: 'Key Facts & Decisions', text, at, said, ...(attribute === undefined ? {} : { attribute }) }];
}

function factOf(text: string, at: number, said: string | null): readonly Entry[] {
  const attribute = readAttribute(text);
  const isPlain = attribute !== undefined || hasCue(text) || isStanding(text);
  if (!isPlain && !mayCorrect(text)) return [];
  const fact = { section: 'Key Facts & Decisions' as const, text: shorten(text), at, said };
  if (!isPlain) return [{ ...fact, onlyCorrects: true }];
  return [attribute === undefined ? fact : { ...fact, attribute }];
}

const LONGEST_CORRECTION = 120;

/** Whether a sentence may say another value of something that is known: it is short, and has one. */
function mayCorrect(text: string): boolean {
  return text.length <= LONGEST_CORRECTION && readTopic(text).values.length > 0;
}

/** A sentence, or the statements that it joins when each of them says something by itself. */
function statementsOf(sentence: string): readonly string[] {
  if (sentence.length > 400 || CONDITION.test(sentence)) return [sentence];
  const cuts = [...sentence.matchAll(JOINT)].map(({ index, 0: joint }) => ({ from: index, to: index + joint.length }));
  const found: string[] = [];
  let start = 0;
  for (const [at, { from, to }] of cuts.entries()) {
    const next = sentence.slice(to, cuts[at + 1]?.from);
    if (!standsAlone(sentence.slice(start, from)) || !standsAlone(next)) continue;
    found.push(sentence.slice(start, from));
    start = to;
  }
  found.push(sentence.slice(start));
  const owner = CHINESE_OWNER.exec(sentence)?.[1];
  return found.map((text, index) => (index === 0 || owner === undefined || text.includes('的') ? text : owner + text));
}

function standsAlone(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isLong = words.length >= 4 || THREE_HAN.test(text);
  return isLong && !DEPENDS.test(text) && (readAttribute(text) !== undefined || hasCue(text));
}
