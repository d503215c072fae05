import { basename } from 'node:path';
import { fail } from '../base/failure.js';
import { type LastRun, readLastRun } from '../reflect/progress.js';
import { shellLine, shellWord } from '../text/slug.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { fillTemplate } from '../workspace/templates.js';

/** Programs that can run reflect every day, in the order of `templates/schedule.txt`. */
export const SCHEDULERS = ['cron', 'systemd', 'launchd', 'openclaw'] as const;

/** Default time of day for reflect. It differs from the time of OpenClaw's own memory sweep. */
export const DEFAULT_REFLECT_TIME = '03:40';
const SWEEP_TIME = '03:00';

interface ReflectJob {
  /** Words that start the program, with absolute paths, without the command. */
  readonly program: readonly string[];
  /** Global options that every command needs: at least the workspace. */
  readonly options: readonly string[];
  /** Folder of the workspace. */
  readonly root: string;
  /** Time of day at which reflect runs: `HH:MM` in `zone`. */
  readonly at: string;
  readonly zone: string;
}

/** Minutes that a run at night may ask a model. */
const NIGHT_MINUTES = '60';

/**
 * Instructions to run reflect every day, one text per scheduler. Each text can be pasted as it is: it has files to
 * create and commands to run, and everything else in it is a comment. The texts use the user's zone if the scheduler
 * supports zones.
 * @throws MemoryError `usage` when `at` is not a time of day
 */
export function buildScheduleTexts({ program, options, root, at, zone }: ReflectJob) {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) ?? [];
  if (hour === undefined || minute === undefined)
    return fail('usage', `"${at}" is not a time of day`, `use HH:MM, for example ${DEFAULT_REFLECT_TIME}`);
  const run = [...program, 'reflect', '--commit', '--quiet'];
  const words = [...run, ...options, '--max-minutes', NIGHT_MINUTES];
  const filled = fillTemplate('schedule.txt', {
    name: unitName(root),
    unitRoot: root.replaceAll('%', '%%'),
    at,
    hour: String(Number(hour)),
    minute: String(Number(minute)),
    zone,
    zoneWord: shellWord(zone),
    cronLine: formatCronLine(words),
    systemdLine: formatSystemdLine(words),
    xmlWords: words.map((word) => `    <string>${formatXmlText(word)}</string>`).join('\n'),
    // OpenClaw ends a job after 15 minutes.
    argv: shellWord(JSON.stringify([...run, ...options])),
  });
  const [, ...parts] = filled.split(/^--- (?:cron|systemd|launchd|openclaw) ---\n/m);
  return SCHEDULERS.map((scheduler, at) => ({ scheduler, text: parts[at] ?? '' }));
}

/** A warning if `at` is the time of OpenClaw's own memory sweep. */
export function findTimeWarning(at: string): string | undefined {
  const warning = `OpenClaw's own memory sweep also runs at ${SWEEP_TIME}; choose another minute`;
  return at === SWEEP_TIME ? warning : undefined;
}

/**
 * Name of the schedule's files. Each workspace has its own, so that two workspaces do not overwrite each other's files.
 */
function unitName(root: string): string {
  const folder = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return folder === 'workspace' || folder === '' ? 'openclaw-memory-reflect' : `openclaw-memory-reflect-${folder}`;
}

/** Whether reflect runs regularly and without errors. */
export interface ScheduleCheck {
  readonly ok: boolean;
  readonly last: LastRun | null;
  /** Hours since the run ended, rounded down; null when it never ran. */
  readonly ageHours: number | null;
  /** `ahead`: the run ended in the future, by this machine's clock. */
  readonly problem: 'never' | 'failed' | 'overdue' | 'ahead' | null;
}

/** A run is overdue after two days: one run may be missed while the machine is off. */
const OVERDUE_HOURS = 48;
const HOUR_MS = 3_600_000;

/** Reads when reflect last ran here, and with what result. */
export async function checkSchedule(context: WorkspaceContext): Promise<ScheduleCheck> {
  await takeOverOldState(context);
  const { stateFolder, clock } = context;
  const last = readLastRun(stateFolder);
  if (last === undefined) return { ok: false, last: null, ageHours: null, problem: 'never' };
  const ended = Date.parse(last.endedAt);
  const age = (clock.now().getTime() - ended) / HOUR_MS;
  const isAhead = age < 0 && ended > clock.machineMs();
  const late = age > OVERDUE_HOURS ? 'overdue' : isAhead ? 'ahead' : null;
  const problem = last.result === 'failed' ? 'failed' : late;
  return { ok: problem === null, last, ageHours: Math.max(0, Math.floor(age)), problem };
}

/**
 * Formats words for a crontab, as {@link shellLine} does for a shell. In a crontab, the text after an unescaped `%` is
 * the standard input of the command.
 */
export function formatCronLine(words: readonly string[]): string {
  return shellLine(words).replaceAll('%', '\\%');
}

/** Formats words for `ExecStart=` of systemd, where `%` and `$` have special meanings. */
export function formatSystemdLine(words: readonly string[]): string {
  return words
    .map((word) => {
      const safe = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
      return /^[\w@+=:,./%-]+$/.test(safe) ? safe : `"${safe.replace(/[\\"]/g, '\\$&')}"`;
    })
    .join(' ');
}

export function formatXmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
