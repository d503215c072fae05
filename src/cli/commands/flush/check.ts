import type { Command } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import {
  DEFAULT_RESERVE_TOKENS,
  DEFAULT_SOFT_TOKENS,
  decideFlush,
  type FlushDecision,
  type FlushQuestion,
} from '../../../session/flush-decision.js';
import type { CommandContext, Run } from '../../command.js';
import { openFor } from '../../open.js';

interface CheckOptions {
  readonly session?: string;
  readonly tokens?: string;
  readonly contextWindow?: string;
  readonly reserve?: string;
  readonly soft?: string;
  readonly compactionCount?: string;
  readonly lastFlush?: string;
  readonly transcriptBytes?: string;
  readonly forceBytes?: string;
}

export function defineCheck(flush: Command, run: Run): Command {
  return flush
    .command('check')
    .description('should memories be saved now, before the conversation is compacted?')
    .option('--session <id>', 'take counters, size and settings of this session where none is given')
    .option('--tokens <n>', 'tokens in the conversation now')
    .option('--context-window <n>', "tokens of the model's context window")
    .option('--reserve <n>', `tokens kept free for the compaction (default ${DEFAULT_RESERVE_TOKENS})`)
    .option('--soft <n>', `how many tokens before the compaction (default ${DEFAULT_SOFT_TOKENS})`)
    .option('--compaction-count <n>', 'compactions of this session so far (default 0)')
    .option('--last-flush <n>', 'the compaction count at the last flush (default: never flushed)')
    .option('--transcript-bytes <n>', 'size of the conversation, for when its tokens are not known')
    .option('--force-bytes <n>', 'flush from this size on; 0: never for its size (default 2 MiB)')
    .addHelpText('after', '\nExample:\n  openclaw memory flush check --tokens 178000 --context-window 200000 --json')
    .action((options: CheckOptions) =>
      run(async (context) => {
        const decision = await decide(context, options);
        if (decision.warning !== undefined) context.out.warn(decision.warning);
        context.out.answer(inWords(decision), decision);
        return ExitCode.done;
      }),
    );
}

async function decide(context: CommandContext, { session, ...options }: CheckOptions): Promise<FlushDecision> {
  const question: FlushQuestion = {
    tokens: count('--tokens', options.tokens),
    contextWindow: count('--context-window', options.contextWindow),
    reserve: count('--reserve', options.reserve),
    soft: count('--soft', options.soft),
    compactionCount: count('--compaction-count', options.compactionCount),
    lastFlush: count('--last-flush', options.lastFlush),
    transcriptBytes: count('--transcript-bytes', options.transcriptBytes),
    forceBytes: count('--force-bytes', options.forceBytes),
  };
  if (session === undefined) return decideFlush(question);
  return (await (await openFor(context)).sessions()).flushCheck(session, question);
}

// Hooks pass on what they have, also nothing or NaN: that is "unknown", which the decision deals with.
function count(option: string, value: string | undefined): number | undefined {
  if (value === undefined || /^\s*(?:nan|null|undefined)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  return Number.isNaN(number)
    ? fail('usage', `${option} is not a number: ${value}`, 'give a number of tokens, or leave it out')
    : number;
}

const REASONS: Readonly<Record<FlushDecision['reason'], string>> = {
  threshold_reached: 'flush now: the threshold is reached',
  transcript_size: 'flush now: the conversation is very long',
  below_threshold: 'not yet: below the threshold',
  already_flushed: 'no: flushed already in this compaction cycle',
  no_tokens: 'no: the number of tokens is unknown or zero',
  no_context_window: 'no: the context window is unknown; give --tokens and --context-window',
  switched_off: 'no: switched off in the settings',
};

function inWords({ reason, threshold }: FlushDecision): string {
  return `${REASONS[reason]}${threshold > 0 ? ` (threshold ${threshold} tokens)` : ''}`;
}
