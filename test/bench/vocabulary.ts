import type { Random } from '../support/random.js';

const STOP_WORDS =
  'the of and to in a is that for it was on with as we at by this be from are not or have an they which had were but so there all can if has will more when no out up what about into than them only some could these two may then do any my now such like our over me even most after also did many before must through back where much your way well should because each just those people how too little good very make still own see work long get here between both being under never same another know while last might us great go come since against right take used himself few during without again place around however home small found thought went say part once high general upon every does got number course until always away something fact less though put think almost done look set'.split(
    ' ',
  );

const ONSETS = 'b c d f g h j k l m n p r s t v w z br cl dr gr pl sh st th tr'.split(' ');
const VOWELS = 'a e i o u a e i o u ai ea ou'.split(' ');
const CODAS = ['', '', '', '', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'st'];

/** Words with frequencies by Zipf's law: first stop words, then invented words. */
export class Vocabulary {
  readonly words: readonly string[];
  private readonly cumulative: Float64Array;

  /** @param size number of words */
  constructor(size = 100_000) {
    const words = new Set(STOP_WORDS);
    for (let i = 0; words.size < size; i++) words.add(inventedWord(i));
    this.words = [...words];
    this.cumulative = new Float64Array(size);
    let sum = 0;
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + 2.7);
      this.cumulative[rank] = sum;
    }
  }

  draw(random: Random): string {
    const at = random.next() * (this.cumulative.at(-1) ?? 0);
    let low = 0;
    let high = this.words.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cumulative[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? '';
  }

  isStopWord(word: string): boolean {
    return STOP.has(word);
  }
}

const STOP = new Set(STOP_WORDS);

// Syllables numbered in a scrambled order, so that neighbours in rank look nothing alike.
function inventedWord(i: number): string {
  let rest = Math.imul(i + 1, 2_654_435_761) >>> 0;
  let word = '';
  const syllables = i < 20_000 ? 2 : 3;
  for (let s = 0; s < syllables; s++) {
    for (const parts of [ONSETS, VOWELS, CODAS]) {
      word += parts[rest % parts.length] ?? '';
      rest = Math.floor(rest / parts.length);
    }
    if (rest === 0) rest = i + s + 7;
  }
  return word;
}
