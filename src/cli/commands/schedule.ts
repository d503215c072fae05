import { ExitCode, fail } from '../../base/failure.js';
import { wallTime } from '../../workspace/clock.js';
import { programWords } from '../background.js';
import type { CommandContext, DefineCommand } from '../command.js';
import { openFor } from '../open.js';
import { count } from '../text/count.js';

interface Options {
  readonly at?: string;
  readonly check?: boolean;
}

export const define: DefineCommand = (command, run) => {
  command
    .argument('[kind]', 'only for this one: cron, systemd, launchd or openclaw')
    .option('--at <time>', 'time of day in your zone (default 03:40)')
    .option('--check', 'say when reflect last ran here, and with what result')
    .addHelpText(
      'after',
      '\nPrints; it installs nothing. --check ends with exit code 4 when the last run\nfailed or is more than 48 hours ago.\n\nExample:\n  openclaw memory schedule systemd --at 04:20',
    )
    .action((kind: string | undefined, options: Options) =>
      run((context) => (options.check === true ? check(context) : print(context, kind, options.at))),
    );
};

async function print(context: CommandContext, kind: string | undefined, wanted: string | undefined): Promise<ExitCode> {
  const workspace = await openFor(context);
  const { DEFAULT_TIME, recipes, SCHEDULERS, timeWarning } = await import('../../upkeep/schedule.js');
  if (kind !== undefined && !SCHEDULERS.some((name) => name === kind))
    fail('usage', `there is no recipe for "${kind}"`, `there are some for ${SCHEDULERS.join(', ')}`);
  const at = wanted ?? DEFAULT_TIME;
  const { root, clock } = workspace;
  const { tz, profile } = context.global;
  const options = ['--workspace', root, ...(tz ? ['--tz', tz] : []), ...(profile ? ['--profile', profile] : [])];
  const job = { program: programWords(), options, root, at, zone: clock.zone };
  const shown = recipes(job).filter(({ scheduler }) => kind === undefined || scheduler === kind);
  const warning = timeWarning(at);
  if (warning !== undefined) context.out.warn(warning);
  const text = kind === undefined ? shown.map(section).join('\n') : (shown[0]?.text ?? '');
  context.out.answer(text, { at, zone: clock.zone, recipes: shown });
  return ExitCode.done;
}

function section({ scheduler, text }: { readonly scheduler: string; readonly text: string }): string {
  return `== ${scheduler} ==\n${text}`;
}

async function check(context: CommandContext): Promise<ExitCode> {
  const workspace = await openFor(context);
  const report = await workspace.checkSchedule();
  const { last, problem, ageHours } = report;
  context.out.answer(
    last === null
      ? 'Reflect has never run here.'
      : [
          `Last run: ${wallTime(new Date(last.endedAt), workspace.clock.zone)}, ${ago(ageHours)}${problem === 'overdue' ? ': overdue' : ''}`,
          `Result:   ${last.result}, ${count(last.facts, 'fact')} looked at, ${count(last.written, 'file')} written`,
          ...(last.message === undefined ? [] : [`          ${last.message}`]),
        ].join('\n'),
    report,
  );
  return report.ok ? ExitCode.done : ExitCode.problemsFound;
}

function ago(hours: number | null): string {
  return hours === null || hours === 0 ? 'less than an hour ago' : `${count(hours, 'hour')} ago`;
}
