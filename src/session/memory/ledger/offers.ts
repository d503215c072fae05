import { isQuestion, sentencesOf } from '../../../text/sentences.js';
import { shorten } from './statements.js';

/** What somebody may agree to, or choose from, at the end of an agent's message. */
export interface Offer {
  /** Its last sentence, or what stands before its last list, with the list. */
  readonly text: string;
  /** Whether that asks. */
  readonly isAsked: boolean;
  /** What is listed behind a number or a letter, by that in lower case. */
  readonly choices: ReadonlyMap<string, string>;
}

export const NO_OFFER: Offer = { text: '', isAsked: false, choices: new Map() };

/** 1. x   (b) x   - Option A: x   **2)** x */
const LABELLED =
  /^\s*(?:[-*+•]\s+)?\*{0,2}(?:\p{L}{3,12}\s)?\(?(\d{1,2}|[A-Za-z])(?:[.):]|\ufe0f?\u20e3)\*{0,2}\s+(\S.*)$/u;
const BULLET = /^\s*[-*+•]\s+(\S.*)$/u;
/** (a) x, or (b) y */
const WITHIN = /\(([a-h]|\d)\)\s*([^()?]{8,200}?)(?=[,;.]?\s(?:\p{L}+\s)?\([b-h2-9]\)|[.?;]|$)/gu;
/** Lines between a list and the end of a message: a question on it. */
const MOST_BELOW = 2;
/** In characters: of a message, and of what it offers. */
const LOOKED_AT = 6_000;
const LONGEST = 400;

/** What an agent's message offers at its end. Pure. */
export function offerIn(message: string): Offer {
  const lines = message
    .slice(-LOOKED_AT)
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const last = sentencesOf(lines.at(-1) ?? '').at(-1) ?? '';
  const end = lines.findLastIndex(isItem) + 1;
  if (end === 0 || lines.length - end > MOST_BELOW) {
    const choices = new Map([...last.matchAll(WITHIN)].map(([, label = '', what = '']) => [label, what]));
    return { text: shorten(last, LONGEST), isAsked: isQuestion(last), choices };
  }
  const lead = lines.slice(0, end).findLastIndex((line) => !isItem(line) && /^\S/u.test(line));
  const items = lines.slice(lead + 1, end).filter(isItem);
  const choices = new Map(
    items.flatMap((item) => {
      const [, label = '', what = ''] = LABELLED.exec(item) ?? [];
      return what === '' ? [] : [[label.toLowerCase(), shorten(bare(what), LONGEST)] as const];
    }),
  );
  if (end < lines.length) return { text: shorten(last, LONGEST), isAsked: isQuestion(last), choices };
  const before = sentencesOf(lines[lead] ?? '').at(-1) ?? '';
  const listed = items.map((item) => bare((LABELLED.exec(item)?.[2] ?? BULLET.exec(item)?.[1]) || '')).join('; ');
  return { text: shorten(`${before} ${listed}`, LONGEST), isAsked: isQuestion(before) || isQuestion(last), choices };
}

function isItem(line: string): boolean {
  return LABELLED.test(line) || BULLET.test(line);
}

function bare(text: string): string {
  return text.replace(/\*\*/gu, '').trim();
}

const LABEL = /(?<![\p{L}\p{N}])(?:\d{1,2}|[A-Za-z])(?![\p{L}\p{N}])/gu;
/** In words, beside the labels: "option b", "let us do 2 and 3". */
const MOST_BESIDE = { letters: 1, numbers: 4 };

/** What somebody chose who answers by numbers or letters of a list; undefined where they say something else. Pure. */
export function pickedFrom({ choices }: Offer, answer: string): string | undefined {
  if (choices.size < 2 || answer.length > 60 || isQuestion(answer)) return undefined;
  const labels = answer.match(LABEL) ?? [];
  const beside = answer.replace(LABEL, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const most = labels.every((label) => /\d/u.test(label)) ? MOST_BESIDE.numbers : MOST_BESIDE.letters;
  const picked = labels.map((label) => choices.get(label.toLowerCase()));
  return picked.length === 0 || beside > most || picked.includes(undefined) ? undefined : picked.join('; ');
}
