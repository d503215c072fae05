import { type Command, Option } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { Description } from '../../../base/request.js';
import {
  DEFAULT_MIN_QUERY_CHARS,
  GATE_TRIGGERS,
  type GateDecision,
  type GateTrigger,
  gateExperience,
} from '../../../context/gate.js';
import { decodeBytes, encodeBytes } from '../../../text/bytes.js';
import { prepareQuery } from '../../../text/query.js';
import { stripInjected } from '../../../text/strip.js';
import type { CommandContext, DefineCommand, Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { readBytes } from '../../io.js';
import { defineBuild } from './build.js';

export const define: DefineCommand = (command, run) => {
  defineBuild(command, run);
  defineStrip(command, run);
  defineGate(command, run);
  command.addHelpText(
    'after',
    '\nExample:\n  openclaw memory context build --message "where does Peter live?"\n  openclaw memory context strip < message.txt\n  openclaw memory context gate "fix the login bug"',
  );
};

function defineStrip(command: Command, run: Run): void {
  command
    .command('strip')
    .description('remove injected context blocks from stdin; every other byte stays')
    .option('--query', 'also remove metadata, timestamps and extra white space, and cut to 4,000 characters')
    .addHelpText('after', '\nExample:\n  openclaw memory context strip --query < message.txt')
    .action((options: { query?: boolean }) => run((context) => strip(context, options.query === true)));
}

async function strip({ io, out }: CommandContext, asQuery: boolean): Promise<ExitCode> {
  const text = decodeBytes(await readBytes(io.stdin));
  if (asQuery) {
    const prepared = prepareQuery(text);
    if (out.json) out.answer('', prepared);
    else if (prepared.query !== '') out.raw(encodeBytes(`${prepared.query}\n`));
    return ExitCode.done;
  }
  const stripped = stripInjected(text);
  if (out.json) out.answer('', { text: stripped });
  else out.raw(encodeBytes(stripped));
  return ExitCode.done;
}

interface GateOptions {
  readonly sessionKey?: string;
  readonly cron?: boolean;
  readonly trigger?: GateTrigger;
  readonly bypass?: boolean;
  readonly minQueryChars?: string;
}

interface GateLimits {
  readonly minQueryChars?: number | undefined;
}

const LIMITS: Description<GateLimits> = {
  minQueryChars: { type: 'number', whole: true, least: 1, most: 500, example: 12, doc: 'shortest message, in columns' },
};

function defineGate(command: Command, run: Run): void {
  command
    .command('gate')
    .description('is experience worth recalling for this message? Says why')
    .argument('[text]', 'the message of the user; read from stdin when missing or "-"')
    .option('--session-key <key>', 'a key with ":cron:" in it makes this a cron session')
    .option('--cron', 'this is a cron session')
    .addOption(new Option('--trigger <trigger>', 'what asks; all but task_start force a recall').choices(GATE_TRIGGERS))
    .option('--bypass', 'the session is excluded from recall')
    .option(
      '--min-query-chars <n>',
      `shortest message that is looked at, in columns, a CJK character counting 2 (default ${DEFAULT_MIN_QUERY_CHARS}; shorter plain orders pass)`,
    )
    .addHelpText('after', '\nExample:\n  openclaw memory context gate "fix the flaky test in ci.yml" --json')
    .action((text: string | undefined, options: GateOptions) => run((context) => gate(context, text, options)));
}

async function gate({ io, out }: CommandContext, text: string | undefined, options: GateOptions): Promise<ExitCode> {
  const { minQueryChars } = readFlags<GateLimits>('context gate', LIMITS, options);
  const message = text === undefined || text === '-' ? decodeBytes(await readBytes(io.stdin)) : text;
  const decision = gateExperience({
    text: message,
    sessionKey: options.sessionKey,
    isCron: options.cron,
    trigger: options.trigger,
    isBypassed: options.bypass,
    minQueryChars,
  });
  out.answer(explain(decision), decision);
  return ExitCode.done;
}

function explain({ decision, score, reason, groups }: GateDecision): string {
  const lines = groups.map(
    ({ group, points, words }) => `  ${points > 0 ? '+' : ''}${points} ${group}: ${words.join(', ')}`,
  );
  return [`${decision} (${reason}, score ${score})`, ...lines].join('\n');
}
