import { fail } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { addPartName, type PromptForm, toPromptForm } from '../model/answer.js';
import { estimateTokens, splitByTokens } from '../text/tokens.js';
import { judgePairsByRules } from './judge-facts.js';
import { buildStatementPairKey as nameOfStatements } from './judge-statements.js';
import type { BeliefPair, JudgeBeliefPairs, JudgeStatementPairs, StatementPair } from './judges.js';
import type { ReflectReport } from './plan.js';
import { ANSWERED_PARTS_KEY, pageHash, readProgress } from './progress.js';
import * as questions from './questions.js';
import { type ReflectContext, type ReflectScope, RULE_JUDGES, reflect } from './reflect.js';

/** Default maximum number of tokens of a prompt. */
const MAX_TOKENS = 16_000;
/** Minimum number of tokens for the pairs of a prompt. With less room the prompt is refused. */
const LEAST_ROOM = 400;

/** Output of `reflect prompt --json`. */
export interface ReflectPrompt extends PromptForm {
  /** Number of pairs in the prompt. If it is 0, there is nothing to answer. */
  readonly pairs: number;
  /** Which part of the open pairs this prompt has, counted from 1. `parts` is the number of all parts. */
  readonly part: number;
  readonly parts: number;
}

/** Output of `reflect apply --json`. */
export interface AppliedReport extends ReflectReport {
  /** Number of parts that still need an answer. */
  readonly partsLeft: number;
}

/** Options of a prompt about the open pairs. */
interface Asking {
  readonly scope: ReflectScope;
  readonly templates: Pick<questions.ReflectTemplates, 'judge' | 'settle'>;
  /** Maximum number of tokens of a prompt. */
  readonly maxTokens?: number | undefined;
}

/**
 * Returns the pairs that a run would judge (a fact and a belief, or two statements) as a prompt for the calling agent's
 * own model. If they do not fit into one prompt, returns one part of them.
 * @param wanted number of the part; default: the next one
 * @throws MemoryError `usage` for a part that does not exist
 */
export async function buildReflectPrompt(
  context: ReflectContext,
  asking: Asking,
  wanted?: number,
): Promise<ReflectPrompt> {
  const { answered, waiting } = await openParts(context, asking);
  const parts = Math.max(1, answered + waiting.length);
  const part = wanted ?? Math.min(answered + 1, parts);
  const mine = waiting[part - answered - 1];
  if (mine === undefined && (wanted !== undefined || waiting.length > 0)) {
    const left = waiting.length === 0 ? 'no part is left' : `parts ${answered + 1} to ${parts} are left`;
    return fail('usage', `part ${part} does not wait for an answer`, left);
  }
  const form = toPromptForm(questionOf(mine ?? NO_PAIRS, asking));
  const pairs = mine === undefined ? 0 : mine.beliefs.length + mine.statements.length;
  return { ...(parts === 1 ? form : addPartName(form, { part, parts, ...IN_PARTS })), pairs, part, parts };
}

/**
 * Runs reflect with the verdicts of the calling agent's model for one part of the open pairs. If the answer leaves out
 * a pair of a fact and a belief, the rules judge it. If the answer leaves out a pair of statements, it stays open.
 * Pairs of the other parts stay open, too.
 * @throws MemoryError `invalid_answer` without a verdict, `usage` for an answer without its part number, `conflict` if
 * another part must be answered first
 */
export async function applyReflectAnswer(
  context: ReflectContext,
  given: questions.AgentAnswer,
  asking: Asking,
): Promise<AppliedReport> {
  const { answered, waiting } = await openParts(context, asking);
  const { part, verdicts } = given;
  const next = answered + 1;
  if (part === undefined && answered + waiting.length > 1)
    fail('usage', 'the answer does not name its part', `add "part": ${next} to the answer`);
  if (part !== undefined && part !== next)
    fail('conflict', `the next part is ${next}, not ${part}`, 'answer this prompt: openclaw memory reflect prompt');
  const [mine = NO_PAIRS, ...others] = waiting;
  const related = new Map(
    numbered(mine.statements).map(([number, pair]) => [nameOfStatements(pair), given.relations.get(number)] as const),
  );
  const isUnrelated = [...related.values()].every((one) => one === undefined);
  const isEmpty = isUnrelated && (mine.beliefs.length === 0 || verdicts.size === 0);
  if (waiting.length > 0 && isEmpty)
    fail('invalid_answer', 'the answer has no verdict', 'add one verdict for each pair, at least "none" or "both"');
  const names = new Set(mine.beliefs.map(questions.buildBeliefPairKey));
  const judge: JudgeBeliefPairs = async (pairs) => {
    const ruled = await judgePairsByRules(pairs);
    return pairs.map((pair, index) => {
      const direction = verdicts.get(questions.buildBeliefPairKey(pair));
      if (direction !== undefined) return { direction, by: 'agent' };
      return others.length === 0 || names.has(questions.buildBeliefPairKey(pair)) ? ruled[index] : undefined;
    });
  };
  const settle: JudgeStatementPairs = async (pairs) =>
    pairs.map((pair) => {
      const said = related.get(nameOfStatements(pair));
      return said === undefined ? null : { ...said, by: 'agent' };
    });
  const scope = { ...asking.scope, answeredParts: others.length === 0 ? 0 : next };
  return { ...(await reflect(context, scope, { ...RULE_JUDGES, judge, settle })), partsLeft: others.length };
}

/**
 * The pairs of one prompt: all open pairs if they fit into it. Otherwise only pairs of a fact and a belief, or only
 * pairs of statements.
 */
interface OpenPart {
  readonly beliefs: readonly BeliefPair[];
  readonly statements: readonly StatementPair[];
}

const NO_PAIRS: OpenPart = { beliefs: [], statements: [] };

/** Returns the number of parts that are answered, and the parts that still need an answer. */
async function openParts(context: ReflectContext, { scope, templates, maxTokens }: Asking) {
  const open = new Map<string, BeliefPair>();
  const statements: StatementPair[] = [];
  const judge: JudgeBeliefPairs = async (pairs) => {
    for (const pair of pairs) open.set(questions.buildBeliefPairKey(pair), pair);
    return judgePairsByRules(pairs);
  };
  const settle: JudgeStatementPairs = async (pairs) => {
    addAll(statements, pairs);
    return pairs.map(() => null);
  };
  await reflect(context, { ...scope, dryRun: true }, { ...RULE_JUDGES, judge, settle });
  const answered = Number(readProgress(context.stateFolder).get(ANSWERED_PARTS_KEY) ?? 0);
  const whole: OpenPart = { beliefs: [...open.values()], statements };
  if (sizeOf(questionOf(whole, { templates })) <= (maxTokens ?? MAX_TOKENS))
    return { answered, waiting: whole.beliefs.length + statements.length === 0 ? [] : [whole] };
  const room = (part: OpenPart) => roomBeside(questionOf(part, { templates }), maxTokens);
  const ofBeliefs = splitByTokens(
    [...open.values()],
    (pair) => estimateTokens(`${questions.formatPairWithIds(pair)}\n\n`),
    room(NO_PAIRS),
  );
  const [first] = statements;
  const ofStatements = splitByTokens(
    statements,
    (pair) => estimateTokens(`${questions.formatStatementPair(MOST_NUMBERS, pair)}\n`),
    first === undefined ? 0 : room({ ...NO_PAIRS, statements: [first] }),
  );
  const waiting: readonly OpenPart[] = [
    ...ofBeliefs.map((beliefs) => ({ ...NO_PAIRS, beliefs })),
    ...ofStatements.map((pairs) => ({ ...NO_PAIRS, statements: pairs })),
  ];
  return { answered, waiting };
}

function questionOf({ beliefs, statements }: OpenPart, { templates }: Pick<Asking, 'templates'>) {
  const ofBeliefs = questions.buildBeliefQuestionWithIds(beliefs, templates.judge);
  const ofStatements = questions.buildStatementQuestion(numbered(statements), templates.settle);
  if (statements.length === 0) return ofBeliefs;
  return beliefs.length === 0 ? ofStatements : questions.joinQuestions(ofBeliefs, ofStatements);
}

const MOST_NUMBERS = 9_999_999;
const LEAST_NUMBER = 1_000_000;

/**
 * Gives each pair a number, to which the answer refers. The number is a hash of the ids, so that a late answer is never
 * applied to newer pairs. If two pairs get the same number, the second is left out and waits for a later prompt.
 */
function numbered(pairs: readonly StatementPair[]): readonly (readonly [number: number, pair: StatementPair])[] {
  const found = new Map<number, StatementPair>();
  for (const pair of pairs) {
    const hashed = Number.parseInt(pageHash(nameOfStatements(pair)).slice(0, 12), 16);
    const number = LEAST_NUMBER + (hashed % (MOST_NUMBERS - LEAST_NUMBER));
    if (!found.has(number)) found.set(number, pair);
  }
  return [...found];
}

/** Number of tokens that a prompt has left for pairs, after the question itself. */
function roomBeside(question: Parameters<typeof toPromptForm>[0], maxTokens = MAX_TOKENS): number {
  const room = maxTokens - sizeOf(question);
  if (room < LEAST_ROOM) {
    const needed = maxTokens - room + LEAST_ROOM;
    fail('usage', `${maxTokens} tokens are not enough for the prompt`, `use --max-tokens ${needed} or more`);
  }
  return room;
}

/** Number of tokens of a prompt with its part number and the schema of its answer. */
function sizeOf(question: Parameters<typeof toPromptForm>[0]): number {
  const { system, user, schema } = addPartName(toPromptForm(question), { part: 1, parts: 1, ...IN_PARTS });
  return estimateTokens(`${system}\n${user}\n${JSON.stringify(schema)}`);
}

const IN_PARTS = { subject: 'These pairs are', field: ['verdicts', '[…]'] } as const;
