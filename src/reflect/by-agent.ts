import { fail } from '../base/failure.js';
import { namingPart, type PromptForm, promptForm } from '../model/answer.js';
import { estimateTokens } from '../text/tokens.js';
import { byRules, type JudgePairs, type Pair } from './judging.js';
import { answeredParts, readProgress } from './progress.js';
import { type NamedVerdicts, namedPair, openQuestion, pairName } from './questions.js';
import { type ReflectContext, type ReflectReport, type ReflectScope, RULES_ALONE, reflect } from './reflect.js';

/** Most tokens of a prompt, as long as nobody says otherwise. */
const MAX_TOKENS = 16_000;
/** The least that a part says of the pairs, in tokens. */
const LEAST_ROOM = 400;

/** `reflect prompt --json` */
export interface ReflectPrompt extends PromptForm {
  /** How many pairs it asks about; with 0 there is nothing to answer. */
  readonly pairs: number;
  /** Which part of the open pairs it is, from 1. */
  readonly part: number;
  readonly parts: number;
}

/** `reflect apply --json` */
export interface AppliedReport extends ReflectReport {
  /** Parts of the open pairs that wait for an answer. */
  readonly partsLeft: number;
}

/** How the open pairs are put before the calling agent's own model. */
interface Asking {
  readonly scope: ReflectScope;
  /** The text of `templates/prompts/reflect-judge.md`. */
  readonly template: string;
  /** Most tokens of a prompt. */
  readonly maxTokens?: number | undefined;
}

/**
 * The pairs of a fact and a belief that a run would judge, as a question for the calling agent's own model; where they
 * do not fit into one prompt, a part of them.
 * @param wanted another part than the next
 * @throws MemoryError `usage` for a part that there is not
 */
export async function promptPart(context: ReflectContext, asking: Asking, wanted?: number): Promise<ReflectPrompt> {
  const { answered, waiting } = await openParts(context, asking);
  const parts = Math.max(1, answered + waiting.length);
  const part = wanted ?? Math.min(answered + 1, parts);
  const pairs = waiting[part - answered - 1];
  if (pairs === undefined && (wanted !== undefined || waiting.length > 0)) {
    const left = waiting.length === 0 ? 'none is left' : `${answered + 1} to ${parts} are left`;
    return fail('usage', `there is no part ${part} that waits`, left);
  }
  const form = promptForm(openQuestion(pairs ?? [], asking.template));
  return {
    ...(parts === 1 ? form : namingPart(form, { part, parts, ...IN_PARTS })),
    pairs: pairs?.length ?? 0,
    part,
    parts,
  };
}

/**
 * Reflects with the verdicts of the calling agent's model about a part of the open pairs; the rules judge what it left
 * out, the other parts stay open.
 * @throws MemoryError `invalid_answer` without a verdict, `usage` for an answer that does not say its part, `conflict` for a part out of turn
 */
export async function applyPart(
  context: ReflectContext,
  { part, verdicts }: NamedVerdicts,
  asking: Asking,
): Promise<AppliedReport> {
  const { answered, waiting } = await openParts(context, asking);
  const next = answered + 1;
  if (part === undefined && answered + waiting.length > 1)
    fail('usage', 'the answer does not say which part it is for', `answer "part": ${next}`);
  if (part !== undefined && part !== next)
    fail('conflict', `part ${next} waits, not ${part}`, 'answer what openclaw memory reflect prompt prints');
  const [mine = [], ...others] = waiting;
  if (mine.length > 0 && verdicts.size === 0)
    fail('invalid_answer', 'the answer has no verdict', 'give one for each pair, if only "none"');
  const names = new Set(mine.map(nameOf));
  const judge: JudgePairs = async (pairs) => {
    const ruled = await byRules(pairs);
    return pairs.map((pair, index) => {
      const direction = verdicts.get(nameOf(pair));
      if (direction !== undefined) return { direction, by: 'agent' };
      return others.length === 0 || names.has(nameOf(pair)) ? ruled[index] : undefined;
    });
  };
  const scope = { ...asking.scope, answeredParts: others.length === 0 ? 0 : next };
  return { ...(await reflect(context, scope, { ...RULES_ALONE, judge })), partsLeft: others.length };
}

interface OpenParts {
  /** So many parts are answered. */
  readonly answered: number;
  readonly waiting: readonly (readonly Pair[])[];
}

async function openParts(context: ReflectContext, { scope, template, maxTokens }: Asking): Promise<OpenParts> {
  const open = new Map<string, Pair>();
  const judge: JudgePairs = async (pairs) => {
    for (const pair of pairs) open.set(nameOf(pair), pair);
    return byRules(pairs);
  };
  await reflect(context, { ...scope, dryRun: true }, { ...RULES_ALONE, judge });
  const answered = answeredParts(readProgress(context.stateFolder));
  return { answered, waiting: inParts([...open.values()], roomIn(template, maxTokens)) };
}

/** Pairs in parts of at most so many tokens each, at least one pair a part. */
function inParts(pairs: readonly Pair[], room: number): readonly (readonly Pair[])[] {
  const parts: Pair[][] = [];
  let used = room;
  for (const pair of pairs) {
    const tokens = estimateTokens(`${namedPair(pair)}\n\n`);
    if (used + tokens > room) parts.push([]);
    used = used + tokens > room ? tokens : used + tokens;
    parts.at(-1)?.push(pair);
  }
  return parts;
}

function roomIn(template: string, maxTokens = MAX_TOKENS): number {
  const { system, user, schema } = namingPart(promptForm(openQuestion([], template)), {
    part: 1,
    parts: 1,
    ...IN_PARTS,
  });
  const room = maxTokens - estimateTokens(`${system}\n${user}\n${JSON.stringify(schema)}`);
  if (room < LEAST_ROOM) {
    const needed = maxTokens - room + LEAST_ROOM;
    fail('usage', `${maxTokens} tokens do not hold the question`, `give --max-tokens ${needed} or more`);
  }
  return room;
}

const IN_PARTS = { subject: 'These pairs are', field: ['verdicts', '[…]'] } as const;

function nameOf({ fact, belief }: Pair): string {
  return pairName(fact.id, belief.id);
}
