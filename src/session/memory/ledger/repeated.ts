import { statementTerms } from '../../../language/words/terms.js';

interface Said {
  readonly sentence: string;
  readonly terms: ReadonlySet<string>;
}

/** Fewer words are a habit of speech. */
const FEWEST = 4;
/** Of all words of both; the others are another spelling. */
const ALIKE = 0.6;
/** In other words each time: the very same is pasted, or was sent once more. */
const OFTEN = 3;
/** So many sentences are compared. */
const MOST = 300;

/** What somebody types again and again holds beyond each time: told by its words, in any language. */
export class Repeated {
  #said: readonly Said[] = [];
  /** What was told already, so that it stands once. */
  #told: readonly ReadonlySet<string>[] = [];

  /** Takes a sentence in. @returns whether it is now often enough said to be a rule, which is so once */
  add(sentence: string): boolean {
    const terms = new Set(statementTerms(sentence));
    if (terms.size < FEWEST) return false;
    this.#said = [...this.#said, { sentence, terms }].slice(-MOST);
    const wordings = new Set(this.#said.filter((each) => areAlike(each.terms, terms)).map((each) => each.sentence));
    if (wordings.size < OFTEN || this.#told.some((told) => areAlike(told, terms))) return false;
    this.#told = [...this.#told, terms];
    return true;
  }
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared >= ALIKE * (a.size + b.size - shared);
}
