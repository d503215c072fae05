import type { Failure } from '../base/failure.js';
import { KIND_LETTERS } from '../markdown/bullet.js';
import { lowerCaseWords } from '../text/sentences.js';
import type { Prompt } from './model.js';

/** Number of answers that are looked back at, and of unusable ones among them that are too many. */
const LOOKED_AT = 20;
const TOO_MANY = LOOKED_AT / 5;
/** Number of unusable answers in a row that are too many. */
const IN_A_ROW = 2;

/** Ends the use of a model for a task in one run, after two unusable answers in a row or a fifth of the last twenty. */
export class UnusableAnswerLimit {
  private readonly answers: boolean[] = [];
  private isOver = false;

  /** True if the model must not be asked again in this run. */
  get isReached(): boolean {
    return this.isOver;
  }

  /** The failure that stands for an answer once the limit is reached. */
  get failure(): Failure {
    return { type: 'model_unavailable', message: 'the model gave too many unusable answers, and is not asked again' };
  }

  note(isUsable: boolean): void {
    this.answers.push(isUsable);
    const last = this.answers.slice(-IN_A_ROW);
    const unusable = this.answers.slice(-LOOKED_AT).filter((each) => !each).length;
    this.isOver ||= unusable >= TOO_MANY || (last.length === IN_A_ROW && !last.includes(true));
  }
}

/** Minimum number of words that a line must share in a row with the prompt to count as copied from it. */
const COPIED_WORDS = 3;

/** Matches the beginning of a line before its text: list marker, kind and entity. */
const BEFORE_TEXT = new RegExp(`^\\s*(?:[-*+]\\s+)?(?:[${KIND_LETTERS}](?:\\(c=[^)]*\\))?\\s+)?(?:@\\S+\\s*:?)?`, 'u');

/** Matches a whole line that stands for a text: `<name>`, or a word of a prompt that is no content by itself. */
const STANDS_FOR_TEXT =
  /^(?:<[^<>]*>|\[[a-z _-]*\]|keep|update|append|none|n\/?a|null|text|todo|tbd|not carried|unknown)$/iu;

/**
 * Returns a function that tells whether a line of a model says nothing: dots, `<name>`, `KEEP`, or words of the prompt
 * itself. Only our own part of the prompt counts, not the data in it. Pure.
 */
export function makePlaceholderTest({ system }: Pick<Prompt, 'system'>): (line: string) => boolean {
  const asked = ` ${lowerCaseWords(system).join(' ')} `;
  return (line) => {
    const text = line.replace(BEFORE_TEXT, '').trim();
    const words = lowerCaseWords(text);
    const isCopied = words.length >= COPIED_WORDS && asked.includes(` ${words.join(' ')} `);
    return words.length === 0 || isCopied || STANDS_FOR_TEXT.test(text.replace(/^["'`*_]+|["'`*_.…]+$/gu, ''));
  };
}

/** Number of characters at the end of a text that are searched for a repetition. */
const TAIL_CHARACTERS = 8_000;
/** Minimum number of times that a span must stand in a row, and of characters that all its copies have together. */
const LEAST_TIMES = 8;
const LEAST_CHARACTERS = 300;

/**
 * Whether a text ends in the same span again and again, such as a line that a small model writes until its window is full.
 * The copies must be equal to the character, so rows of a table and similar items of a list are no repetition. Pure.
 */
export function endsInRepetition(text: string): boolean {
  const tail = text.slice(-TAIL_CHARACTERS);
  const backwards = Array.from({ length: tail.length }, (_, index) => tail.charCodeAt(tail.length - 1 - index));
  return prefixLengths(backwards).some(
    (length, period) => length + period >= Math.max(LEAST_CHARACTERS, LEAST_TIMES * period),
  );
}

/**
 * The Z-function: for each index, how many items from there on equal the items at the start. 0 for index 0. Takes linear
 * time.
 */
function prefixLengths(items: readonly number[]): readonly number[] {
  const lengths = new Array<number>(items.length).fill(0);
  let [start, end] = [0, 0];
  for (let at = 1; at < items.length; at++) {
    let length = at < end ? Math.min(end - at, lengths[at - start] ?? 0) : 0;
    while (at + length < items.length && items[length] === items[at + length]) length++;
    lengths[at] = length;
    if (at + length > end) [start, end] = [at, at + length];
  }
  return lengths;
}
