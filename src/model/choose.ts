import * as z from 'zod';
import { boundedList, inGrammar } from './format.js';
import { type Question, renderPrompt } from './model.js';

/** What a model may choose from, and the lists that it puts its choices into. */
interface Choice<Key extends string> {
  /** The sentences, as the model reads them. */
  readonly sentences: readonly string[];
  /** The key of each list, with what belongs into it. */
  readonly keys: Readonly<Record<Key, string>>;
  /** Maximum number of sentences of each list. */
  readonly most: number;
  /** The text of `templates/prompts/choose.md`. */
  readonly template: string;
}

/** The indexes of the chosen sentences, by the key of their list. A sentence is in one list only. */
type ChosenSentences<Key extends string> = ReadonlyMap<Key, readonly number[]>;

/**
 * Builds a question whose answer can only name given sentences: lists of their numbers. Pure.
 * @param read makes the value of the answer
 */
export function buildChoiceQuestion<Key extends string, T>(
  { sentences, keys, most, template }: Choice<Key>,
  read: (chosen: ChosenSentences<Key>) => T,
): Question<T> {
  const names = keysOf(keys);
  const number = inGrammar(z.int(), { minimum: 1, maximum: sentences.length });
  const numbers = boundedList(number, most).optional();
  const schema = z.object(Object.fromEntries(names.map((name) => [name, numbers])));
  return {
    name: 'chosen_sentences',
    prompt: renderPrompt(template, {
      data: { sentences: sentences.map((said, index) => `${index + 1}. ${said}`).join('\n') },
      text: { keys: names.map((name) => `"${name}": ${keys[name]}`).join('\n') },
    }),
    schema: schema.transform((answer) => read(readChoice(names, answer, { count: sentences.length, most }))),
    maxTokens: 60 + names.length * (12 + most * 4),
  };
}

function readChoice<Key extends string>(
  names: readonly Key[],
  answer: Readonly<Record<string, readonly number[] | undefined>>,
  { count, most }: { readonly count: number; readonly most: number },
): ChosenSentences<Key> {
  const taken = new Set<number>();
  return new Map(
    names.map((name) => {
      const fresh = (answer[name] ?? []).filter((number) => number >= 1 && number <= count && !taken.has(number));
      for (const number of fresh) taken.add(number);
      return [name, [...new Set(fresh)].slice(0, most).map((number) => number - 1)];
    }),
  );
}

function keysOf<Key extends string>(record: Readonly<Record<Key, string>>): readonly Key[] {
  const isKey = (name: string): name is Key => Object.hasOwn(record, name);
  return Object.keys(record).filter(isKey);
}
