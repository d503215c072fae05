import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { asRecord, isRecord, parseJson, type UnknownFields } from '../base/json.js';
import type { Direction } from '../memory/evidence.js';
import { RELATIONS } from '../memory/threads/verdicts.js';
import { checkAnswerLeniently, findJsonCandidates } from '../model/answer.js';
import { boundedList, boundedText, inGrammar } from '../model/format.js';
import type { Question } from '../model/model.js';
import { renderPrompt } from '../model/model.js';
import type { ReflectFact } from './facts.js';
import type { BeliefPair, StatementJudgement, StatementPair } from './judges.js';

/** The texts of the prompts in `templates/prompts/`. */
export interface ReflectTemplates {
  /** `reflect-judge.md` */
  readonly judge: string;
  /** `reflect-settle.md` */
  readonly settle: string;
  /** `choose-verdicts.md`, for a model that may only choose. */
  readonly chooseVerdicts: string;
  /** `choose-relations.md`, for a model that may only choose. */
  readonly chooseRelations: string;
  /** `reflect-summary.md` */
  readonly summary: string;
}

/** Maximum number of characters of a statement in a prompt. */
const MOST_SHOWN = 500;

const VERDICT = z.enum(['supports', 'contradicts', 'none']);
const NUMBERED = z.strictObject({ pair: z.int(), verdict: VERDICT });
/** Schema of a list of verdicts. An empty list is invalid, because each pair needs a verdict, even if it is "none". */
function listOf<S extends z.ZodType>(verdict: S, pairs: number) {
  return z.strictObject({ verdicts: inGrammar(z.array(verdict).min(1), { maxItems: pairs }) });
}
const NAMED = z.strictObject({ fact: z.string(), opinion: z.string(), verdict: VERDICT });
const RELATION = z.strictObject({
  pair: z.int(),
  relation: z.enum(RELATIONS),
  over: boundedText(MOST_SHOWN).optional(),
});
const BY_NAME = z.strictObject({ verdicts: z.array(NAMED) });
const OF_AGENT = z.strictObject({
  part: z.int().min(1).optional(),
  verdicts: z.array(z.unknown()),
});
const SENTENCES = z.strictObject({
  sentences: boundedList(z.strictObject({ facts: boundedList(z.int(), 6), text: boundedText(400) }), 6),
});

/** The texts of a fact and a belief. */
export interface BeliefTexts {
  readonly fact: Pick<BeliefPair['fact'], 'day' | 'text'>;
  readonly belief: Pick<BeliefPair['belief'], 'text' | 'entities'>;
}

/** The texts of two statements. */
export interface StatementTexts extends Pick<StatementPair, 'subject'> {
  readonly earlier: Pick<ReflectFact, 'day' | 'lead' | 'text'>;
  readonly later: Pick<ReflectFact, 'day' | 'lead' | 'text'>;
}

/** Verdicts of a model by index of the pair. Pairs that the model left out are missing. */
type VerdictsByPairIndex = ReadonlyMap<number, Direction>;

/**
 * Builds the question about pairs of a fact and a belief. The pairs have numbers, because small models make fewer
 * errors when they copy short numbers.
 */
export function buildBeliefQuestion(pairs: readonly BeliefTexts[], template: string): Question<VerdictsByPairIndex> {
  const text = pairs.map((pair, index) => `pair ${index + 1}\n${formatBeliefPair(pair)}`).join('\n\n');
  return {
    name: 'verdicts',
    prompt: renderPrompt(template, { data: { pairs: text } }),
    schema: listOf(NUMBERED, pairs.length).transform(({ verdicts }) => byIndex(verdicts)),
    recover: recoverVerdicts(NUMBERED, byIndex),
    maxTokens: 60 + pairs.length * 24,
  };
}

/** Verdict of a model about two statements. */
export type SaidRelation = Pick<StatementJudgement, 'relation' | 'over'>;

/** Builds the question how later statements affect earlier ones. The answers refer to the pairs by number. */
export function buildStatementQuestion(
  pairs: readonly (readonly [number: number, pair: StatementTexts])[],
  template: string,
): Question<ReadonlyMap<number, SaidRelation>> {
  const lines = pairs.map(([number, pair]) => formatStatementPair(number, pair));
  return {
    name: 'relations',
    prompt: renderPrompt(template, { data: { statements: lines.join('\n') } }),
    schema: listOf(RELATION, pairs.length).transform(({ verdicts }) => byNumber(verdicts)),
    recover: recoverVerdicts(RELATION, byNumber),
    maxTokens: 60 + pairs.length * 48,
  };
}

function byIndex(verdicts: readonly z.infer<typeof NUMBERED>[]): VerdictsByPairIndex {
  return collectVerdicts(verdicts.map(({ pair, verdict }) => [pair - 1, verdict])).agreed;
}

function byNumber(verdicts: readonly z.infer<typeof RELATION>[]): ReadonlyMap<number, SaidRelation> {
  return collectVerdicts(verdicts.map(({ pair, ...said }) => [pair, said])).agreed;
}

/** Collects verdicts by pair. If an answer has two different verdicts about a pair, neither counts. Pure. */
export function collectVerdicts<K, V>(verdicts: readonly (readonly [pair: K, verdict: V])[]) {
  const agreed = new Map<K, V>();
  const disputed = new Set<K>();
  for (const [pair, verdict] of verdicts) {
    const known = agreed.get(pair);
    if (known !== undefined && !isDeepStrictEqual(known, verdict)) disputed.add(pair);
    agreed.set(pair, verdict);
  }
  for (const pair of disputed) agreed.delete(pair);
  return { agreed, disputed };
}

/** The verdicts of an answer, unchecked: a list, or one key for each pair, such as `pair 1`. */
export function listVerdicts({ verdicts, ...others }: UnknownFields): readonly unknown[] {
  if (Array.isArray(verdicts)) return verdicts;
  return Object.entries(others).flatMap(([key, said]) => {
    const number = /^pair (\d+)$/.exec(key)?.[1];
    return number === undefined ? [] : [{ pair: Number(number), verdict: said, relation: said }];
  });
}

/** Returns a function that reads the usable verdicts of an answer, so that a bad verdict costs only itself. */
function recoverVerdicts<V, T>(schema: z.ZodType<V>, of: (verdicts: readonly V[]) => T) {
  return (text: string): T | undefined => {
    for (const candidate of findJsonCandidates(text)) {
      const verdicts = listVerdicts(asRecord(parseJson(candidate)));
      const read = verdicts.map((one) => checkAnswerLeniently(schema, one, 'drop'));
      const usable = read.flatMap((one) => (one.success ? [one.data] : []));
      if (usable.length > 0) return of(usable);
    }
    return undefined;
  };
}

/**
 * Formats a pair of statements for a model, as one line of JSON.
 * @param parts parts of the earlier statement that the model may choose
 */
export function formatStatementPair(
  number: number,
  { subject, earlier, later }: StatementTexts,
  parts: readonly string[] = [],
): string {
  const shown = ({ day, lead, text }: StatementTexts['later']) => ({
    day,
    text: (lead === '' ? text : `${lead} ${text}`).slice(0, MOST_SHOWN),
  });
  const divided = parts.length > 0 ? { ...shown(earlier), parts } : shown(earlier);
  return JSON.stringify({ pair: number, subject, earlier: divided, later: shown(later) });
}

/** Builds the question about pairs of a fact and a belief, with their ids. Ids stay valid if the answer comes much later. */
export function buildBeliefQuestionWithIds(
  pairs: readonly BeliefPair[],
  template: string,
): Pick<Question<unknown>, AskedAlone> {
  const text = pairs.map(formatPairWithIds).join('\n\n');
  return {
    name: 'verdicts_by_id',
    prompt: renderPrompt(template, { data: { pairs: text === '' ? '(there are none)' : text } }),
    schema: BY_NAME,
  };
}

/** Joins two questions into one prompt. The model answers both in one list. */
export function joinQuestions(
  { prompt, name }: Pick<Question<unknown>, AskedAlone>,
  other: Pick<Question<unknown>, AskedAlone>,
): Pick<Question<unknown>, AskedAlone> {
  const both = 'There are two tasks. One list "verdicts" holds the answers to both.';
  return {
    name,
    prompt: {
      system: `${both}\n\n${prompt.system}\n\n${other.prompt.system}`,
      user: `${prompt.user}\n\n${other.prompt.user}`,
    },
    schema: z.strictObject({ verdicts: z.array(z.union([NAMED, RELATION])) }),
  };
}

type AskedAlone = 'name' | 'prompt' | 'schema';

/** Answer of the calling agent's model: verdicts about facts and beliefs, and about pairs of statements. */
export type AgentAnswer = z.infer<typeof AGENT_ANSWER_SCHEMA>;

export const AGENT_ANSWER_SCHEMA = OF_AGENT.transform(({ part, verdicts: given }) => {
  const directions: (readonly [string, Direction])[] = [];
  const related: (readonly [number, SaidRelation])[] = [];
  const unreadable: string[] = [];
  for (const [index, one] of given.entries()) {
    const schema: z.ZodType<z.infer<typeof NAMED> | z.infer<typeof RELATION>> =
      isRecord(one) && 'fact' in one ? NAMED : RELATION;
    const read = checkAnswerLeniently(schema, one, 'drop');
    if (!read.success) {
      const [issue] = read.error.issues;
      unreadable.push(`verdict ${index + 1} is left out: ${issue?.path.join('.')}: ${issue?.message}`);
    } else if ('fact' in read.data) directions.push([`${read.data.fact} ${read.data.opinion}`, read.data.verdict]);
    else related.push([read.data.pair, { relation: read.data.relation, over: read.data.over }]);
  }
  const { agreed: verdicts, disputed } = collectVerdicts(directions);
  const relations = collectVerdicts(related);
  for (const pair of [...disputed, ...relations.disputed])
    unreadable.push(`two different verdicts about the pair ${pair}: neither counts`);
  return {
    /** Number of the part that the answer is for. */
    part,
    /** Verdicts by the ids of the fact and the opinion, separated by a space. */
    verdicts,
    /** Verdicts about two statements, by the number of the pair. */
    relations: relations.agreed,
    /** A message for each verdict that can't be read. */
    unreadable,
  };
});

/** Formats a pair with its ids, for {@link buildBeliefQuestionWithIds}. */
export function formatPairWithIds(pair: BeliefPair): string {
  return `fact ${pair.fact.id}, opinion ${pair.belief.id}\n${formatBeliefPair(pair)}`;
}

/** Key of a pair: the ids of the fact and the opinion, separated by a space. */
export function buildBeliefPairKey({ fact, belief }: BeliefPair): string {
  return `${fact.id} ${belief.id}`;
}

/**
 * Builds the question for a summary of an entity. The sentences of the answer cite facts by number. A number that
 * matches no fact is ignored.
 */
export function buildSummaryQuestion(
  subject: string,
  facts: readonly ReflectFact[],
  template: string,
): Question<readonly { readonly text: string; readonly facts: readonly ReflectFact[] }[]> {
  const list = facts.map(({ day, text }, index) => `${index + 1}. ${day ?? 'undated'}: ${text}`).join('\n');
  return {
    name: 'summary',
    prompt: renderPrompt(template, { data: { facts: list, subject } }),
    schema: SENTENCES.transform(({ sentences }) =>
      sentences.map(({ text, facts: numbers }) => ({
        text,
        facts: numbers.flatMap((number) => facts[number - 1] ?? []),
      })),
    ),
    maxTokens: 700,
  };
}

/** Formats a fact and a belief for a model. */
export function formatBeliefPair({ fact, belief }: BeliefTexts): string {
  const about = belief.entities.length === 0 ? '' : ` (about ${belief.entities.join(', ')})`;
  return `opinion${about}: ${belief.text}\nfact of ${fact.day}: ${fact.text}`;
}
