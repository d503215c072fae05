import { commonStartAndEndLengths } from '../../base/order.js';
import { ALL_HAN_RANGES, isAscii } from '../../language/scripts.js';
import { wordSet } from '../../language/tokens.js';
import { stemOf } from '../../language/words/forms.js';
import { hashText, mixHashes } from '../../text/hash.js';

const WORDS = new RegExp(`[${ALL_HAN_RANGES}]|[\\p{L}\\p{N}]+(?:[.:]\\d+)*`, 'gu');
const ASCII_WORDS = /[A-Za-z\d]+(?:[.:]\d+)*/g;
const HAN = new RegExp(`[${ALL_HAN_RANGES}]`, 'u');
const SMALL: ReadonlySet<string> = wordSet(
  'the a an his her its their my our your now currently always usually mostly really',
);
const PREPOSITIONS: ReadonlySet<string> = wordSet('in on at by to from for with as under over into per via');
/** Stems of verbs that may be true of several objects at once: a person who likes tea may also like coffee. */
const MANY: ReadonlySet<string> = wordSet(
  'like love enjoi hate dislik find believ fear worri trust admir know met meet visit saw see bought bui read write talk think care listen look depend plai help speak ask sai told tell has have had own mention review mag liebt hasst findet hält glaubt trouv croit kennt isst trinkt spielt liest aim ador mang boit joue lit',
);
/**
 * Prepositions after a feeling. A feeling can have several objects at once: `is happy with the laptop` does not exclude the
 * phone.
 */
const FELT: ReadonlySet<string> = wordSet('with about of');
const CHINESE_STATE = /[在用是于叫做由住按]/u;
const LONGEST_SLOT = 4;

/** Stems of a statement's words in order, without function words. Chinese is split into characters. Pure. */
export function readFrameWords(text: string): readonly string[] {
  const words = text.match(isAscii(text) ? ASCII_WORDS : WORDS) ?? [];
  return words.map((word) => (isHan(word) ? word : stemOf(word.toLowerCase()))).filter((word) => !SMALL.has(word));
}

/**
 * Whether two statements share a frame and differ in one value: `runs on A` and `runs on B`, `wants weekly reports` and
 * `wants monthly reports`, `部署在甲` and `部署在乙`. The frame must describe a state with one value at a time. Pure.
 */
export function differInOneSlot(mine: readonly string[], theirs: readonly string[]): boolean {
  const slot = findSlot(mine, theirs);
  if (slot === undefined) return false;
  const [head, before, after] = [mine[0] ?? '', mine.slice(0, slot.from), mine.slice(slot.from + slot.mine.length)];
  if (slot.from === 0 || slot.mine.some((word) => slot.theirs.includes(word))) return false;
  if (isHan(head)) return isChineseState(before.join(''), after.join(''));
  if (MANY.has(head) || (head === 'work' && before[1] === 'on')) return false;
  if (head === 'is' || head === 'ar') return isStateOfBeing(before, after);
  const isPlaced = before.slice(1).some((word) => PREPOSITIONS.has(word)) && !FELT.has(before.at(-1) ?? '');
  return isPlaced || after.length > 0;
}

/**
 * Hashes of a statement, one for each possible slot. A slot is a run of a few words, and the hash is of the statement
 * without it. Two statements that differ only in one slot share a hash. Linear in the words. Pure.
 */
export function slotHashes(words: readonly string[]): readonly number[] {
  if (MANY.has(words[0] ?? '')) return [];
  const hashes = words.map(hashText);
  /** For each position, the hash of the words from there to the end. */
  const ends: number[] = [0];
  for (const hash of hashes.toReversed()) ends.push(mixHashes(hash, ends.at(-1) ?? 0));
  ends.reverse();
  const frames: number[] = [];
  let start = 0;
  for (const [from, hash] of hashes.entries()) {
    const last = from === 0 ? 0 : Math.min(words.length, from + LONGEST_SLOT);
    for (let to = from + 1; to <= last; to++) frames.push(mixHashes(start, ends[to] ?? 0));
    start = mixHashes(start, hash);
  }
  return frames;
}

function isHan(word: string): boolean {
  return !isAscii(word) && HAN.test(word);
}

/**
 * Finds the slot: the run of words in which two statements differ, if they differ nowhere else. Returns the words of the
 * slot in both statements, and the number of words before it. Undefined if the slot is too long, or empty in one of them.
 */
function findSlot(mine: readonly string[], theirs: readonly string[]) {
  const [from, after] = commonStartAndEndLengths(mine, theirs);
  const [a, b] = [mine.length - after, theirs.length - after];
  const isShort = a > from && b > from && a - from <= LONGEST_SLOT && b - from <= LONGEST_SLOT;
  return isShort ? { from, mine: mine.slice(from, a), theirs: theirs.slice(from, b) } : undefined;
}

/**
 * Whether the words around a slot describe a state. The words of `is owned by …` and `is on …` describe a state. The
 * words of `is happy with …` and `is …` do not.
 */
function isStateOfBeing(before: readonly string[], after: readonly string[]): boolean {
  const last = before.at(-1) ?? '';
  return before.length >= 2 && !FELT.has(last) && (PREPOSITIONS.has(last) || after.length > 0);
}

function isChineseState(before: string, after: string): boolean {
  return /^(?:喜欢|讨厌|爱)/u.test(before) ? false : CHINESE_STATE.test(before) && before.length + after.length >= 3;
}
