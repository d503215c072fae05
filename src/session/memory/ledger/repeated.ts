import { statementTerms } from '../../../language/words/terms.js';

interface Said {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

/** Fewer words are a habit of speech. */
const FEWEST = 4;
/** Of all words of both; the others are another spelling. */
const ALIKE = 0.6;
/** So many sentences are compared. */
const MOST = 300;

/** What somebody says in more than one message holds beyond each of them: told by its words, in any language. */
export class Repeated {
  #said: readonly Said[] = [];
  #last: readonly Said[] = [];

  /**
   * Takes the sentences of a message in. What the message before it said is only put in other words.
   * @returns those that an earlier message had nearly so, each with what that said
   */
  add(sentences: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const taken = sentences.map((text) => ({ text, terms: new Set(statementTerms(text)) }));
    const again = new Map<string, readonly string[]>();
    for (const { text, terms } of taken) {
      const alike = terms.size < FEWEST ? [] : this.#said.filter((each) => areAlike(each.terms, terms));
      if (alike.length > 0) again.set(text, alike.map((each) => each.text));
    }
    this.#said = [...this.#said, ...this.#last].slice(-MOST);
    this.#last = taken;
    return again.size === sentences.length ? new Map() : again;
  }
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared >= ALIKE * (a.size + b.size - shared);
}
