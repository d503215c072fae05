import { ExitCode } from '../../base/failure.js';
import { buildScheduleTexts, DEFAULT_REFLECT_TIME, findTimeWarning, SCHEDULERS } from '../../upkeep/schedule.js';
import { formatLocalTime } from '../../workspace/clock.js';
import { buildOwnProgramCommand } from '../background.js';
import { formatNumberOf } from '../text.js';
import { type CommandContext, defineVerb } from '../verb.js';
import { openAnyWorkspace } from '../workspace.js';

const schedule = defineVerb({
  takes: {
    kind: {
      type: 'choice',
      noun: 'scheduler',
      choices: SCHEDULERS,
      place: 'argument',
      doc: 'print only this scheduler',
    },
    at: { type: 'text', value: 'time', doc: `time of day in your time zone (default ${DEFAULT_REFLECT_TIME})` },
    check: { type: 'boolean', doc: 'show when reflect last ran on this machine, and its result' },
  },
  more: 'This only prints; it installs nothing. --check ends with exit code 4 if the last\nrun failed, was more than 48 hours ago, or has a date in the future.',
  examples: ['schedule systemd --at 04:20'],
  run: (context, { kind, at, check: isCheck }) => (isCheck ? check(context) : print(context, kind, at)),
});

export const commands = { schedule };

async function print(context: CommandContext, kind: string | undefined, at = DEFAULT_REFLECT_TIME): Promise<void> {
  const { root, clock } = await openAnyWorkspace(context);
  const { tz, profile } = context.global;
  const options = ['--workspace', root, ...(tz ? ['--tz', tz] : []), ...(profile ? ['--profile', profile] : [])];
  const job = { program: buildOwnProgramCommand(), options, root, at, zone: clock.zone };
  const shown = buildScheduleTexts(job).filter(({ scheduler }) => kind === undefined || scheduler === kind);
  const warning = findTimeWarning(at);
  if (warning !== undefined) context.out.warn(warning);
  const sections = shown.map(({ scheduler, text }) => `== ${scheduler} ==\n${text}`);
  const text = kind === undefined ? sections.join('\n') : (shown[0]?.text ?? '');
  context.out.answer(text, { at, zone: clock.zone, recipes: shown });
}

async function check(context: CommandContext): Promise<ExitCode> {
  const workspace = await openAnyWorkspace(context);
  const report = await workspace.checkSchedule();
  const { last, problem, ageHours } = report;
  if (last === null) context.out.answer('Reflect has never run on this machine.', report);
  else {
    const since = ageHours ? `${formatNumberOf(ageHours, 'hour')} ago` : 'less than an hour ago';
    const ago =
      problem === 'ahead' ? "after the time of this machine's clock; the next run writes its pages again" : since;
    const ended = formatLocalTime(new Date(last.endedAt), workspace.clock.zone);
    const run = `Last run: ${ended}, ${ago}${problem === 'overdue' ? ': overdue' : ''}`;
    const result = `Result:   ${last.result}, ${formatNumberOf(last.facts, 'fact')} read, ${formatNumberOf(last.written, 'file')} written`;
    const message = last.message === undefined ? [] : [`          ${last.message}`];
    context.out.answer([run, result, ...message].join('\n'), report);
  }
  return report.ok ? ExitCode.done : ExitCode.problemsFound;
}
