import { HAN } from '../../language/scripts.js';
import {
  ATTRIBUTE_CHINESE,
  ATTRIBUTE_NOUNS,
  DESCRIBED_NOUNS,
  MANY_BEGINNINGS,
  PAST_WORDS,
  STATE_VERBS,
} from '../../language/words/attributes.js';

/** A word of a statement. What tables tell of it is looked up once: a statement is held against thousands. */
export class StatementWord {
  private attribute: boolean | undefined;
  private described: boolean | undefined;
  private many: boolean | undefined;
  private unique: boolean | undefined;
  private past: boolean | undefined;
  private han: boolean | undefined;

  /**
   * @param text in the form in which words are compared
   * @param isName written with a capital, though it does not begin the statement
   * @param isOwner with a possessive ending: whose something is
   */
  constructor(
    readonly text: string,
    readonly isName: boolean,
    readonly isOwner: boolean,
  ) {}

  /** It names what has one value at a time. */
  get isAttribute(): boolean {
    this.attribute ??= isAttribute(this.text);
    return this.attribute;
  }

  /** It names a person or a room: `the boss is strict` says nothing of who that is. */
  get isDescribed(): boolean {
    // German joins its words.
    this.described ??= endsIn(DESCRIBED_NOUNS, this.text, 4);
    return this.described;
  }

  /** It names what one may have several of. `Hundetrainer` is no dog. */
  get isOneOfMany(): boolean {
    this.many ??= !this.isOwner && beginsMany(this.text) && !this.isDescribed;
    return this.many;
  }

  /** Of what one has several of, one is this. */
  get isUnique(): boolean {
    this.unique ??= UNIQUE.test(this.text);
    return this.unique;
  }

  /** A form of a verb that tells of what was. */
  get isPast(): boolean {
    this.past ??= PAST_WORDS.has(this.text) || (PAST_ENDING.test(this.text) && !STATE_VERBS.has(this.text));
    return this.past;
  }

  get isHan(): boolean {
    this.han ??= HAS_HAN.test(this.text);
    return this.han;
  }
}

/** Whether a word names what has one value at a time: `Schuhgröße`, `Passwort-Hinweis`. */
export function isAttribute(text: string): boolean {
  return ATTRIBUTE_CHINESE.test(text) || endsIn(ATTRIBUTE_NOUNS, text, 5);
}

/** @param least letters of the ending that is looked up */
function endsIn(nouns: ReadonlySet<string>, text: string, least: number): boolean {
  if (nouns.has(text)) return true;
  for (let length = text.length - 3; length >= least; length--) if (nouns.has(text.slice(-length))) return true;
  return false;
}

/** Looked up by its beginnings of five letters and more: a pattern of all of them costs a millisecond to build. */
function beginsMany(word: string): boolean {
  for (let length = word.length; length >= 5; length--) if (MANY_BEGUN.has(word.slice(0, length))) return true;
  return MANY_BEGUN.has(word) || MANY_WHOLE.has(word);
}

const MANY_BEGUN: ReadonlySet<string> = new Set(MANY_BEGINNINGS);
const MANY_WHOLE: ReadonlySet<string> = new Set(
  'member members mitglied mitglieder kinder kindern membre membres'.split(' '),
);
const UNIQUE = /^(?:favou?rite|main|primary|oldest|youngest|eldest|only|liebling|haupt|préférée?|principale?)|最/;
const PAST_ENDING = /..(?<!e|hundr)ed$/;
const HAS_HAN = new RegExp(`[${HAN}]`);
