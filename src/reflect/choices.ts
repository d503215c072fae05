import * as z from 'zod';
import { asRecord, type UnknownFields } from '../base/json.js';
import { DIRECTIONS, type Direction } from '../memory/evidence.js';
import { isPartOfText } from '../memory/threads/threads.js';
import type { Relation } from '../memory/threads/verdicts.js';
import { inGrammar } from '../model/format.js';
import { type Question, renderPrompt } from '../model/model.js';
import type { ReflectFact } from './facts.js';
import {
  type BeliefTexts,
  collectVerdicts,
  formatBeliefPair,
  formatStatementPair,
  listVerdicts,
  type SaidRelation,
  type StatementTexts,
} from './questions.js';

/** Maximum number of pairs in a prompt for a model that may only choose. */
export const MOST_CHOSEN_PAIRS = 4;

/**
 * Builds the question about pairs of a fact and a belief for a model that may only choose: the answer has one key for each
 * pair, so that a grammar makes it complete. The answer is by index of the pair.
 */
export function buildBeliefChoice(
  pairs: readonly BeliefTexts[],
  template: string,
): Question<ReadonlyMap<number, Direction>> {
  const text = pairs.map((pair, index) => `${keyOf(index)}\n${formatBeliefPair(pair)}`).join('\n\n');
  const options = pairs.map(() => new Map(DIRECTIONS.map((direction) => [direction, direction] as const)));
  return {
    name: 'chosen_verdicts',
    prompt: renderPrompt(template, { data: { pairs: text } }),
    ...choiceOf(options, 0),
  };
}

/** Two statements, of which the earlier one is divided into clauses. */
interface DividedTexts extends StatementTexts {
  readonly earlier: StatementTexts['earlier'] & Pick<ReflectFact, 'statement'>;
}

/**
 * Builds the question how later statements affect earlier ones, as {@link buildBeliefChoice} does. The answer is by number of
 * the pair.
 */
export function buildStatementChoice(
  pairs: readonly DividedTexts[],
  template: string,
): Question<ReadonlyMap<number, SaidRelation>> {
  const parts = pairs.map(partsOfEarlier);
  const lines = pairs.map((pair, index) => formatStatementPair(index + 1, pair, parts[index]));
  return {
    name: 'chosen_relations',
    prompt: renderPrompt(template, { data: { statements: lines.join('\n') } }),
    ...choiceOf(parts.map(relationsWith), 1),
  };
}

const WHOLE: readonly Relation[] = ['replaces', 'ends', 'same', 'plan', 'both'];
/** Maximum number of parts of a statement to choose from. */
const MOST_PARTS = 4;

/** The clauses of the earlier statement; none if there is only one. */
function partsOfEarlier({ earlier: { text, statement } }: DividedTexts): readonly string[] {
  const parts = statement.map(({ from, to }) => text.slice(from, to).trim());
  return parts.filter((part) => isPartOfText(part, text)).slice(0, MOST_PARTS);
}

function relationsWith(parts: readonly string[]): ReadonlyMap<string, SaidRelation> {
  return new Map<string, SaidRelation>([
    ...WHOLE.map((relation) => [relation, { relation }] as const),
    ...parts.map((over, index) => [`part ${index + 1} is over`, { relation: 'partly', over }] as const),
  ]);
}

function keyOf(index: number): string {
  return `pair ${index + 1}`;
}

/**
 * The parts of a question in which each pair has its own options. The grammar forces one key for each pair. A list of
 * verdicts by number, as at the level `free`, is read, too.
 * @param first the number that the first pair has in the answer
 */
function choiceOf<T>(
  options: readonly ReadonlyMap<string, T>[],
  first: 0 | 1,
): Pick<Question<ReadonlyMap<number, T>>, 'schema' | 'maxTokens'> {
  const keys = options.map((_, index) => keyOf(index));
  const fields = options.map((of, index) => [keyOf(index), { enum: [...of.keys()] }] as const);
  const properties = Object.fromEntries(fields);
  const form = { type: 'object', properties, required: keys, additionalProperties: false };
  const read = (answer: UnknownFields): ReadonlyMap<number, T> => {
    const chosen = listVerdicts(answer).map(asRecord);
    const verdicts = chosen.flatMap(({ pair, verdict, relation }) => {
      const option = options[Number(pair) - 1]?.get(String(verdict ?? relation));
      return option === undefined ? [] : [[Number(pair) - 1 + first, option] as const];
    });
    return collectVerdicts(verdicts).agreed;
  };
  return {
    schema: inGrammar(z.record(z.string(), z.unknown()), form).transform((answer, context) => {
      const found = read(answer);
      const message = `each of ${keys.join(', ')} needs one of its verdicts`;
      if (found.size === 0) context.addIssue({ code: 'custom', message });
      return found;
    }),
    maxTokens: 20 + options.length * 24,
  };
}
