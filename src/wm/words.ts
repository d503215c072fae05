import { bigrams } from '../language/scripts.js';
import { isCommon } from '../language/words/common.js';
import { ENGLISH_STOP_WORDS } from '../language/words/stop.js';
import { wordSet } from '../language/words/word-set.js';

/** Words that stand in every title or note whatever it is about: beside the stop words of English, no subject. */
const NOTE_WORDS: ReadonlySet<string> = wordSet(
  'etc further go goes key needs new now old session thus decisions facts memory note notes plan plans title working',
);

/** The stop words of the title guard: those of Working Memory v2. */
export const TITLE_STOP_WORDS: ReadonlySet<string> = wordSet(
  'a an and at by for from in memory note notes of on or plan plans session the title to with working',
);

/** Chinese words of the same emptiness as the title's stop words. */
const STOP_BIGRAMS: ReadonlySet<string> = wordSet(
  '会话 計劃 计划 方案 笔记 筆記 记忆 記憶 标题 標題 工作 关于 關於 以及 进行 相关 我们 這個 这个 那个 一个 可以 需要',
);

/** Characters that only hold a Chinese or Japanese sentence together; no bigram with one of them is a word. */
const FUNCTION_CHARACTERS = /[的了和与在是及之等为对把被将从到也都就而或于上下中里个这那呢吗吧啊の・ー]/u;

/** True for a word that says nothing about a note. `word` is lower-case. */
export function isEmpty(word: string): boolean {
  return NOTE_WORDS.has(word) || (ENGLISH_STOP_WORDS.has(word) && !isCommon(word));
}

/** The meaningful bigrams of a run of an unspaced script; a single character stands for itself. */
export function meaningfulBigrams(run: string): readonly string[] {
  return run.split(FUNCTION_CHARACTERS).flatMap((part) => bigrams(part).filter(isMeaningful));
}

function isMeaningful(pair: string): boolean {
  return !STOP_BIGRAMS.has(pair);
}
