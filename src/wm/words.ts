import { bigrams, HIRAGANA } from '../language/scripts.js';
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

/**
 * Frequent lower-case English words of working notes. They tell what a statement says but name nothing; any other
 * lower-case word is presumed to be a name (`redis`, `pnpm`, `frankfurt`).
 */
const COMMON_WORDS: ReadonlySet<string> = wordSet(`
able above access accept accepted across actual actually add added adding against agree ahead allow allowed allows
almost alone along already although always among another answer anything apart apply applied around ask asked asks
available away back bad based basic become below best better big bit block blocked break bring broken bug build
building built call called calls came cannot care case cases cause caused causes change changed changes changing check
checked checking choice choose clean clear close closed code come comes common complete completed config confirm
confirmed consider contain contains content context continue copy correct cost create created current currently cut
data date day days deal default define defined delete deleted depend depends describe design detail details develop
different directly discuss discussed document doing drop dropped due early easy edit enable enabled end enough ensure
entry error errors even event example except exist existing exists expect expected explain fail failed fails fast
feature field file files fill final finally find fine finish finished first fix fixed fixes fixing follow following
follows form format found free full function future general give given gives going good great group grow half hand
handle happen happens hard help high hold hope however idea implement implemented important improve include included
includes including inside instead internal issue issues item items join joined keep keeps kept kind know known large
last late later latest launch least leave left less level like limit line list little live load local long longer look
lose lost low made main make makes making manage many mark matter mean means mention missing mode move moved moving
name named near nearly never next nobody none nothing number okay ones open option order original others otherwise
owner owns part parts pass passed past path people perhaps person place point possible prefer preferred prefers
present previous problem process produce project put question quick quite raise ran rather reach read ready real
really reason receive recent record reduce relevant remain remains remember remove removed replace replaced report
request require required requires rest result results return review right round row rule run running runs said save
saw say says second section see seem seen send sent set sets setting setup several short show shows shown side sign
signed similar simple since single size small solution solve something soon sort source special specific start started
starts state stay step steps stop stopped store stored suggest support sure switch system take taken takes taking talk
task team tell test tested testing tests text thank thing things think third though time times today together told
tomorrow took top total track tried tries true try trying turn turned two type understand unless update updated
updates usage use used useful user users uses using usually value values version want wanted wants watch way ways week
weeks well went whatever wide within without word work worked works worse worst write writes writing written wrong
year years yesterday
`);

/** Chinese words of the same emptiness as the title's stop words. */
const STOP_BIGRAMS: ReadonlySet<string> = wordSet(
  '会话 計劃 计划 方案 笔记 筆記 记忆 記憶 标题 標題 工作 关于 關於 以及 进行 相关 我们 這個 这个 那个 一个 可以 需要',
);

/** Characters that only hold a Chinese or Japanese sentence together; no bigram with one of them is a word. */
const FUNCTION_CHARACTERS = /[的了和与在是及之等为对把被将从到也都就而或于上下中里个这那呢吗吧啊の・ー]/u;
const HIRAGANA_ONLY = new RegExp(`^[${HIRAGANA}]{2}$`);

/** True for a word that tells what a statement says but names nothing. `word` is lower-case. */
export function isCommon(word: string): boolean {
  return COMMON_WORDS.has(word);
}

/** True for a word that says nothing about a note. `word` is lower-case. */
export function isEmpty(word: string): boolean {
  return NOTE_WORDS.has(word) || (ENGLISH_STOP_WORDS.has(word) && !isCommon(word));
}

/** The meaningful bigrams of a run of an unspaced script; a single character stands for itself. */
export function meaningfulBigrams(run: string): readonly string[] {
  return run.split(FUNCTION_CHARACTERS).flatMap((part) => bigrams(part).filter(isMeaningful));
}

function isMeaningful(pair: string): boolean {
  return !STOP_BIGRAMS.has(pair) && !HIRAGANA_ONLY.test(pair);
}
