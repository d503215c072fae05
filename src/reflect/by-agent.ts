import { fail } from '../base/failure.js';
import { addAll, compareText } from '../base/order.js';
import { number, type ReportFields, type ReportOf } from '../base/report.js';
import { addPartName, PROMPT_FORM, toPromptForm } from '../model/answer.js';
import { estimateTokens, splitByTokens } from '../text/tokens.js';
import { judgePairsByRules } from './judge-facts.js';
import { buildStatementPairKey as nameOfStatements } from './judge-statements.js';
import type { BeliefPair, JudgeBeliefPairs, JudgeStatementPairs, StatementPair } from './judges.js';
import { REFLECT_REPORT } from './plan.js';
import { ANSWERED_PARTS_KEY, pageHash, readProgress } from './progress.js';
import * as questions from './questions.js';
import { type ReflectContext, type ReflectScope, RULE_JUDGES, reflect } from './reflect.js';

/** Default maximum number of tokens of a prompt. */
const MAX_TOKENS = 16_000;
/** Minimum number of tokens for the pairs of a prompt. With less room the prompt is refused. */
const LEAST_ROOM = 400;

/** Output of `reflect prompt --json`. */
export const REFLECT_PROMPT = {
  ...PROMPT_FORM,
  /** Number of pairs in the prompt. If it is 0, there is nothing to answer. */
  pairs: number(),
  /** Which part of the open pairs this prompt has, counted from 1. `parts` is the number of all parts. */
  part: number(),
  parts: number(),
} satisfies ReportFields;

export type ReflectPrompt = ReportOf<typeof REFLECT_PROMPT>;

/** Output of `reflect apply --json`. */
export const APPLIED_REPORT = {
  ...REFLECT_REPORT,
  /** Number of parts that still need an answer. */
  partsLeft: number(),
} satisfies ReportFields;

type AppliedReport = ReportOf<typeof APPLIED_REPORT>;

/** Options of a prompt about the open pairs. */
interface Asking {
  readonly scope: ReflectScope;
  readonly templates: Pick<questions.ReflectTemplates, 'judge' | 'settle'>;
  /** Maximum number of tokens of a prompt. */
  readonly maxTokens?: number | undefined;
  /** Maximum number of pairs of a prompt. */
  readonly maxPairs?: number | undefined;
}

/**
 * Returns the open pairs (a fact and a belief, or two statements), the newest first, as a prompt for the calling agent's
 * own model. A pair is open until it has a verdict; that the rules found nothing is none. If the pairs do not fit into one
 * prompt, returns one part of them.
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
 * Pairs of the other parts stay open, too. A verdict that can't be read is named in a warning.
 * @throws MemoryError `invalid_answer` without a verdict about a pair of the part, `usage` for an answer without its part
 * number, `conflict` if another part must be answered first
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
  const names = new Set(mine.beliefs.map(questions.buildBeliefPairKey));
  const isEmpty =
    [...related.values()].every((one) => one === undefined) && ![...names].some((key) => verdicts.has(key));
  if (waiting.length > 0 && isEmpty)
    fail(
      'invalid_answer',
      ['the answer has no verdict about an open pair', ...given.unreadable].join('; '),
      'add one verdict for each pair, at least "none" or "both"; give the options that you gave to reflect prompt',
    );
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
  const report = await reflect(context, { ...scope, withOpenPairs: true }, { ...RULE_JUDGES, judge, settle });
  return { ...report, partsLeft: others.length, warnings: [...report.warnings, ...given.unreadable] };
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
async function openParts(context: ReflectContext, asking: Asking) {
  const { scope, maxPairs = Number.POSITIVE_INFINITY } = asking;
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
  await reflect(context, { ...scope, dryRun: true, withOpenPairs: true }, { ...RULE_JUDGES, judge, settle });
  const answered = Number(readProgress(context.stateFolder).get(ANSWERED_PARTS_KEY) ?? 0);
  const newest = [...statements, ...open.values()].toSorted((a, b) => compareText(dayOf(b), dayOf(a)));
  const waiting: OpenPart[] = [];
  for (let from = 0; from < newest.length; from += maxPairs) {
    const some = newest.slice(from, from + maxPairs);
    const part = {
      beliefs: some.filter(isOfBelief),
      statements: some.filter((pair): pair is StatementPair => !isOfBelief(pair)),
    };
    addAll(waiting, splitToFit(part, asking));
  }
  return { answered, waiting };
}

function isOfBelief(pair: BeliefPair | StatementPair): pair is BeliefPair {
  return 'belief' in pair;
}

function dayOf(pair: BeliefPair | StatementPair): string {
  return (isOfBelief(pair) ? pair.fact : pair.later).day ?? '';
}

function splitToFit(whole: OpenPart, { templates, maxTokens }: Asking): readonly OpenPart[] {
  if (sizeOf(questionOf(whole, { templates })) <= (maxTokens ?? MAX_TOKENS)) return [whole];
  const room = (part: OpenPart) => roomBeside(questionOf(part, { templates }), maxTokens);
  const ofBeliefs = splitByTokens(
    whole.beliefs,
    (pair) => estimateTokens(`${questions.formatPairWithIds(pair)}\n\n`),
    room(NO_PAIRS),
  );
  const [first] = whole.statements;
  const ofStatements = splitByTokens(
    whole.statements,
    (pair) => estimateTokens(`${questions.formatStatementPair(MOST_NUMBERS, pair)}\n`),
    first === undefined ? 0 : room({ ...NO_PAIRS, statements: [first] }),
  );
  return [
    ...ofBeliefs.map((beliefs) => ({ ...NO_PAIRS, beliefs })),
    ...ofStatements.map((statements) => ({ ...NO_PAIRS, statements })),
  ];
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
