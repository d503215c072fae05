import { detectLanguageGroup } from '../../language/language-group.js';
import { tokenize } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import type { Item } from '../../markdown/block.js';

/** The letter of a kind as the first word of an item, where nothing marks it: no colon, no entity, no confidence. */
const BARE = /^([WBOS])\s+(?![@＠])/;
const LETTERED = /^([A-Z])[:：]\s/;
/** Of an English text nearly every second word is one of its small ones, of others with Latin letters one in ten. */
const ENGLISH_SHARE = 0.2;

/**
 * Items that begin with the letter of a kind and are none: "O campo foi alterado" is a sentence in Portuguese, as is
 * "W piątek jedziemy" in Polish, and after "A: …" comes "B: …". No list of languages says so: such a letter is a word
 * where the page has it in small letters, too, and is not English.
 */
export class BareLetters {
  private readonly words = new Map<string, boolean>();
  private readonly before = new Map<Item['level'], string>();
  private isEnglish: boolean | undefined;

  /** @param lines of the page */
  constructor(private readonly lines: readonly string[]) {}

  /** To be asked of all items in their order. */
  isNoKind({ level }: Item, written: string): boolean {
    const letter = LETTERED.exec(written)?.[1] ?? '';
    const before = this.before.get(level) ?? '';
    this.before.set(level, letter);
    if (letter !== '') return before.charCodeAt(0) + 1 === letter.charCodeAt(0);
    const bare = BARE.exec(written)?.[1];
    if (bare === undefined || !this.isWord(bare.toLowerCase())) return false;
    return detectLanguageGroup(written) !== 'english' || !this.areEnglish();
  }

  private isWord(letter: string): boolean {
    const pattern = new RegExp(`\\p{L},? ${letter} \\p{L}`, 'u');
    const known = this.words.get(letter) ?? this.lines.some((line) => pattern.test(line));
    this.words.set(letter, known);
    return known;
  }

  private areEnglish(): boolean {
    if (this.isEnglish === undefined) {
      const words = tokenize(this.lines.join('\n')).filter(({ kind }) => kind === 'word');
      const small = words.filter(({ lower }) => ENGLISH_STOP_WORDS.has(lower));
      this.isEnglish = small.length > ENGLISH_SHARE * words.length;
    }
    return this.isEnglish;
  }
}
