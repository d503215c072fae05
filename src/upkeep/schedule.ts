import { basename } from 'node:path';
import type { Clock } from '../base/clock.js';
import { fail } from '../base/failure.js';
import { type LastRun, readLastRun } from '../reflect/last-run.js';
import { cronLine, shellWord, systemdLine, xmlText } from './launcher.js';

export const SCHEDULERS = ['cron', 'systemd', 'launchd', 'openclaw'] as const;
type Scheduler = (typeof SCHEDULERS)[number];

/** Off the hour at which OpenClaw's own memory sweep runs. */
export const DEFAULT_TIME = '03:40';
const SWEEP_TIME = '03:00';

export interface Job {
  /** The program, with absolute paths, up to and without the command. */
  readonly program: readonly string[];
  /** Global options that every command of it needs: at least the workspace. */
  readonly options: readonly string[];
  /** Folder of the workspace. */
  readonly root: string;
  /** `HH:MM` in `zone`. */
  readonly at: string;
  readonly zone: string;
}

/** One way to run reflect every day. */
export interface Recipe {
  readonly scheduler: Scheduler;
  /** What to put where, and what to run, ready to be pasted; the rest are comments. */
  readonly text: string;
}

/**
 * Ready lines for each scheduler, in the user's zone where it knows zones. Pure.
 * @throws MemoryError `usage` when `at` is no time of day
 */
export function recipes(job: Job): readonly Recipe[] {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(job.at) ?? [];
  if (hour === undefined || minute === undefined)
    return fail('usage', `"${job.at}" is not a time of day`, `use HH:MM, for example ${DEFAULT_TIME}`);
  const time = { hour: Number(hour), minute: Number(minute) };
  return SCHEDULERS.map((scheduler) => ({ scheduler, text: RECIPES[scheduler](job, time) }));
}

/** What speaks against a time, if anything. */
export function timeWarning(at: string): string | undefined {
  return at === SWEEP_TIME
    ? `OpenClaw's own memory sweep runs at ${SWEEP_TIME}; another minute keeps them apart`
    : undefined;
}

interface Time {
  readonly hour: number;
  readonly minute: number;
}

const RECIPES: Readonly<Record<Scheduler, (job: Job, time: Time) => string>> = {
  cron: (job, { hour, minute }) =>
    lines(
      '# Add these lines with: crontab -e',
      '# cronie (Fedora, Arch and others) knows CRON_TZ. The cron of Debian and Ubuntu does not, and takes the zone of the',
      '# system: there, give the time in that zone.',
      `CRON_TZ=${job.zone}`,
      `${minute} ${hour} * * * ${cronLine(reflect(job))}`,
    ),
  systemd: (job) => {
    const name = unitName(job.root);
    return lines(
      `# ~/.config/systemd/user/${name}.service`,
      '[Unit]',
      `Description=Reflect on the memory in ${job.root.replaceAll('%', '%%')}`,
      '',
      '[Service]',
      'Type=oneshot',
      `ExecStart=${systemdLine(reflect(job))}`,
      '',
      `# ~/.config/systemd/user/${name}.timer`,
      '[Unit]',
      'Description=Reflect on the memory every day',
      '',
      '[Timer]',
      `OnCalendar=*-*-* ${job.at}:00 ${job.zone}`,
      '# A run that was missed is made up for.',
      'Persistent=true',
      '',
      '[Install]',
      'WantedBy=timers.target',
      '',
      '# Then, once:',
      '#   systemctl --user daemon-reload',
      `#   systemctl --user enable --now ${name}.timer`,
      '# To have it run while you are logged out: loginctl enable-linger',
    );
  },
  launchd: (job, { hour, minute }) => {
    const name = unitName(job.root);
    return lines(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      `<!-- ~/Library/LaunchAgents/${name}.plist`,
      `     Then, once: launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${name}.plist`,
      '     launchd knows no zones: the time is in that of the system. -->',
      '<plist version="1.0">',
      '<dict>',
      '  <key>Label</key>',
      `  <string>${xmlText(name)}</string>`,
      '  <key>ProgramArguments</key>',
      '  <array>',
      ...reflect(job).map((word) => `    <string>${xmlText(word)}</string>`),
      '  </array>',
      '  <key>StartCalendarInterval</key>',
      '  <dict>',
      '    <key>Hour</key>',
      `    <integer>${hour}</integer>`,
      '    <key>Minute</key>',
      `    <integer>${minute}</integer>`,
      '  </dict>',
      '</dict>',
      '</plist>',
    );
  },
  openclaw: (job, { hour, minute }) => {
    const name = unitName(job.root);
    const argv = shellWord(JSON.stringify(reflect(job)));
    return lines(
      '# Run this once; with the same key, a second time changes the job. It runs without a model, while the Gateway runs.',
      `openclaw cron add --name ${name} --declaration-key ${name} --cron "${minute} ${hour} * * *" --tz ${shellWord(job.zone)} --exact --command-argv ${argv} --no-deliver --timeout-seconds 900`,
    );
  },
};

function reflect(job: Job): readonly string[] {
  return words(job, 'reflect', '--commit', '--quiet');
}

function words({ program, options }: Job, ...command: readonly string[]): readonly string[] {
  return [...program, ...command, ...options];
}

/** One for each workspace, so that two do not overwrite each other's. */
function unitName(root: string): string {
  const folder = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return folder === 'workspace' || folder === '' ? 'openclaw-memory-reflect' : `openclaw-memory-reflect-${folder}`;
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** Whether reflect runs as it should. */
export interface ScheduleCheck {
  readonly ok: boolean;
  readonly last: LastRun | null;
  /** Since it ended, rounded down; null when it never ran. */
  readonly ageHours: number | null;
  readonly problem: 'never' | 'failed' | 'overdue' | null;
}

/** Two days: one run may fall out, because the machine was off. */
const OVERDUE_HOURS = 48;
const HOUR_MS = 3_600_000;

/** Reads when reflect last ran here, and with what result. */
export function checkSchedule(stateFolder: string, clock: Clock): ScheduleCheck {
  const last = readLastRun(stateFolder);
  if (last === undefined) return { ok: false, last: null, ageHours: null, problem: 'never' };
  const age = (clock.now().getTime() - Date.parse(last.endedAt)) / HOUR_MS;
  const problem = last.result === 'failed' ? 'failed' : age > OVERDUE_HOURS ? 'overdue' : null;
  return { ok: problem === null, last, ageHours: Math.max(0, Math.floor(age)), problem };
}
