import { detectLanguageGroup } from '../../language/language-group.js';
import { tokenize } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import type { ListItem } from '../../markdown/block.js';
import { KIND_LETTERS } from '../../markdown/bullet.js';

/** A kind letter at the start of an item without a colon, an entity or a confidence after it. */
const BARE = new RegExp(`^([${KIND_LETTERS}])\\s+(?![@＠])`);
const LETTERED = /^([A-Z])[:：]\s/;
/**
 * Minimum share of English stop words in an English text. In English nearly every second word is a stop word. In other
 * languages with Latin letters, only about every tenth word looks like one.
 */
const ENGLISH_SHARE = 0.2;

/**
 * Detects items that begin with a letter that only looks like a kind. "O campo foi alterado" is a Portuguese sentence, "W
 * piątek jedziemy" is a Polish sentence, and "B: …" after "A: …" is an enumeration. A letter counts as a word if the page
 * also uses it in lower case and is not English. So no list of languages is needed.
 */
export class FalseKindDetector {
  private readonly words = new Map<string, boolean>();
  private readonly before = new Map<ListItem['level'], string>();
  private isEnglish: boolean | undefined;

  /** @param lines all lines of the page */
  constructor(private readonly lines: readonly string[]) {}

  /**
   * Whether the letter at the start of an item only looks like a kind. Must be called for all items of the page, in order.
   */
  isNoKind({ level }: ListItem, written: string): boolean {
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
