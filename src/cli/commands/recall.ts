import type { Clock } from '../../base/clock.js';
import { ExitCode, fail } from '../../base/failure.js';
import { nearest } from '../../base/nearest.js';
import { UNIT_KINDS, type UnitKind } from '../../memory/unit.js';
import type { RecallAnswer, RecallRequest } from '../../recall/request.js';
import type { CommandContext, DefineCommand } from '../command.js';
import { checkMode } from '../mode.js';
import { openFor } from '../open.js';
import type { RawRecall } from '../recall-batch.js';
import { recallText } from '../text/recall-text.js';

interface Options {
  readonly k?: string;
  readonly since?: string;
  readonly until?: string;
  readonly around?: string;
  readonly asOf?: string;
  readonly entity?: readonly string[];
  readonly kind?: readonly string[];
  readonly budget?: string;
  readonly mode?: string;
  readonly explain?: boolean;
  readonly batch?: boolean;
}

export const define: DefineCommand = (command, run) => {
  const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
  command
    .argument('[question...]', 'what to find, in your own words')
    .option('--k <n>', 'most results (default 10)')
    .option('--since <date>', 'from this day on: a date, 30d, 2w, or words such as "last week"')
    .option('--until <date>', 'up to this day')
    .option('--around <date>', 'three days before to three days after')
    .option('--as-of <date>', 'what held on that day')
    .option('--entity <name>', 'only about this entity (again for more)', collect)
    .option('--kind <kind>', `only this kind: ${UNIT_KINDS.join(', ')}`, collect)
    .option('--budget <tokens>', 'at most so many tokens of content')
    .option('--mode <mode>', 'lexical (by words), hybrid (by meaning too), or auto: hybrid when it can be', 'auto')
    .option('--explain', 'say how the question was read and why each result is there')
    .option('--batch', 'read questions as JSON lines, answer as JSON lines')
    .addHelpText('after', '\nExample:\n  openclaw memory recall "what does Peter prefer for WhatsApp replies?"')
    .action((words: string[], options: Options) =>
      run(async (context) => {
        const mode = checkMode(options.mode);
        if (options.batch && words.length > 0) {
          fail('usage', 'questions come from the argument or from --batch, not from both', 'leave one out');
        }
        const workspace = await openFor(context);
        const read = (raw: RawRecall) => toRequest(workspace.clock, raw);
        const request = { ...(await read({ ...options, query: words.join(' ') })), mode };
        if (options.batch) {
          const { recallBatch } = await import('../recall-batch.js');
          return recallBatch(context, workspace, read, request);
        }
        const answer = await workspace.recall(request, context.signal);
        show(context, answer);
        return ExitCode.done;
      }),
    );
};

function show({ out }: CommandContext, answer: RecallAnswer): void {
  for (const warning of answer.warnings) out.warn(warning);
  out.answer(recallText(answer, out.colour), answer);
}

async function toRequest(clock: Clock, raw: RawRecall): Promise<RecallRequest> {
  const days = [raw.since, raw.until, raw.around, raw.asOf].some((value) => value !== undefined)
    ? await (await import('../../recall/day-options.js')).readDayOptions(raw, clock)
    : {};
  return {
    query: raw.query,
    k: positive('--k', raw.k),
    budget: positive('--budget', raw.budget),
    entities: raw.entity,
    kinds: raw.kind?.map(checkKind),
    explain: raw.explain,
    ...days,
  };
}

function positive(name: string, value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1) return number;
  return fail('usage', `${name} must be a whole number from 1 on, not "${value}"`, `for example ${name} 25`);
}

function checkKind(kind: string): UnitKind {
  const known = UNIT_KINDS.find((candidate) => candidate === kind.toLowerCase());
  if (known !== undefined) return known;
  const near = nearest(kind, UNIT_KINDS);
  return fail('usage', `unknown kind "${kind}"`, near ? `did you mean ${near}?` : `kinds: ${UNIT_KINDS.join(', ')}`);
}
