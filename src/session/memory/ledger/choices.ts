import { BASIC_HAN_RANGES } from '../../../language/scripts.js';
import { readStatementTerms } from '../../../language/words/terms.js';
import { isQuestion, sentencesOf } from '../../../text/sentences.js';
import { shortenItem } from './statements.js';

/** An offer at the end of an agent's message, which a user may accept or choose from. */
interface AgentOffer {
  /** The last sentence of the message, or its last list and the sentence before it. */
  readonly text: string;
  /** True if the offer is a question. */
  readonly isAsked: boolean;
  /** List items by their number or letter, in lower case. */
  readonly choices: ReadonlyMap<string, string>;
}

export const NO_OFFER: AgentOffer = { text: '', isAsked: false, choices: new Map() };

/** Matches a list item with a number or letter: `1. x`, `(b) x`, `- Option A: x`, `**2)** x`, `**方案1：x**`. */
const LABELLED = new RegExp(
  `^\\s*(?:[-*+•#]+\\s+)?\\*{0,2}(?:\\p{L}{3,12}\\s|[${BASIC_HAN_RANGES}]{1,6}\\s?)?\\(?(\\d{1,2}|[A-Za-z])(?:[.):：、]|\\ufe0f?\\u20e3)\\*{0,2}\\s*(\\S.*)$`,
  'u',
);
const BULLET = /^\s*[-*+•]\s+(\S.*)$/u;
/** Matches the options that a sentence offers: `(a) x, or (b) y`. */
const WITHIN = /\(([a-h]|\d)\)\s*([^()?]{8,200}?)(?=[,;.]?\s(?:\p{L}+\s)?\([b-h2-9]\)|[.?;]|$)/gu;
/**
 * `LOOKED_AT`: number of characters that are read at the end of a message. `LONGEST`: maximum length of an offer, in
 * characters.
 */
const LOOKED_AT = 6_000;
const LONGEST = 400;

/** Finds the offer at the end of an agent's message. Pure. */
export function findOffer(message: string): AgentOffer {
  const lines = message
    .slice(-LOOKED_AT)
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const said = sentencesOf(lines.at(-1) ?? '');
  const last = said.findLast(isQuestion) ?? said.at(-1) ?? '';
  const listed = choicesIn(lines);
  const choices =
    listed.size > 1
      ? listed
      : new Map([...(lines.at(-1) ?? '').matchAll(WITHIN)].map(([, label = '', what = '']) => [label, what]));
  const lead = lines.findLastIndex((line) => !isItem(line) && /^\S/u.test(line));
  const items = lines.slice(lead + 1).filter(isItem);
  if (items.length === 0) return { text: shortenItem(last, LONGEST), isAsked: isQuestion(last), choices };
  const before = sentencesOf(lines[lead] ?? '').at(-1) ?? '';
  const text = [before, items.map(itemText).join('; ')].join(' ');
  return { text: shortenItem(text, LONGEST), isAsked: isQuestion(before) || isQuestion(last), choices };
}

/**
 * The items of the last list of a message, each under its number or letter. Empty if the items have no numbers or letters.
 */
function choicesIn(lines: readonly string[]): ReadonlyMap<string, string> {
  const choices = new Map<string, string>();
  for (const line of lines.toReversed()) {
    const label = LABELLED.exec(line)?.[1]?.toLowerCase();
    const isFirst = label === '1' || label === 'a';
    // The lines are read from the last to the first, so the search ends at the item `1` or `a`. But if no other item was
    // found before, this line may stand below the list and only mention that option. Then skip the line.
    if (label === undefined || choices.has(label) || (isFirst && choices.size === 0)) continue;
    choices.set(label, shortenItem(itemText(line), LONGEST));
    if (isFirst) break;
  }
  return choices;
}

function isItem(line: string): boolean {
  return LABELLED.test(line) || BULLET.test(line);
}

function itemText(line: string): string {
  const text = LABELLED.exec(line)?.[2] ?? BULLET.exec(line)?.[1] ?? '';
  return text.replace(/\*\*/gu, '').trim();
}

/**
 * True if a short answer accepts an offer. For that, the offer must be a question, or the answer must have a word of the
 * offer. Pure.
 */
export function acceptsOffer(answer: string, { text, isAsked }: AgentOffer): boolean {
  const terms = new Set(readStatementTerms(text));
  return terms.size > 1 && (isAsked || readStatementTerms(answer).some((term) => terms.has(term)));
}

const LABEL = /(?<![a-z\u00c0-\u024f\p{N}])(?:\d{1,2}|[a-z])(?![a-z\u00c0-\u024f\p{N}])/giu;
/**
 * Maximum number of words that an answer may have beside the labels of options. `letters`: for "option b". `numbers`: for
 * "let us do 2 and 3".
 */
const MOST_BESIDE = { letters: 1, numbers: 4 };

/** The options that an answer chooses by their numbers or letters; undefined if the answer says anything else. Pure. */
export function chosenOption({ choices }: AgentOffer, answer: string): string | undefined {
  if (choices.size < 2 || answer.length > 60 || isQuestion(answer)) return undefined;
  const labels = answer.match(LABEL) ?? [];
  const beside = answer.replace(LABEL, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const most = labels.every((label) => /\d/u.test(label)) ? MOST_BESIDE.numbers : MOST_BESIDE.letters;
  const picked = labels.map((label) => choices.get(label.toLowerCase()));
  return picked.length === 0 || beside > most || picked.includes(undefined) ? undefined : picked.join('; ');
}
