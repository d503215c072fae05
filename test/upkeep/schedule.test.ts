import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LastRun, writeLastRun } from '../../src/reflect/progress.js';
import { shellLine } from '../../src/text/slug.js';
import {
  buildScheduleTexts,
  formatCronLine,
  formatSystemdLine,
  formatXmlText,
  SCHEDULERS,
} from '../../src/upkeep/schedule.js';
import { BIN } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

interface Printed {
  readonly at: string;
  readonly zone: string;
  readonly recipes: readonly { readonly scheduler: string; readonly text: string }[];
}

/** Returns the words that `sh` reads in a command line. */
function bySh(line: string): readonly string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

const WORDS = ["it's", 'a b', '%d', '$HOME', '"q"', '\\', '`id`', '张三', 'plain', '', '*', '~', '#x', '-'];

describe('words of a command arrive unchanged', () => {
  test('through sh', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string()), { minLength: 1 }), (words) => {
        const safe = words.map((word) => word.replaceAll('\0', ''));
        expect(bySh(shellLine(safe))).toEqual(safe);
      }),
      { numRuns: 30 },
    );
  });

  test('through cron, which ends a command at a bare % and reads \\% as %', () => {
    const line = formatCronLine(WORDS);
    expect(line).not.toMatch(/(?<!\\)%/);
    expect(bySh(line.replaceAll('\\%', '%'))).toEqual(WORDS);
  });

  test('through systemd and XML', () => {
    expect(formatSystemdLine(['/usr/bin/node', 'a b', '100%', '$HOME', 'say "x"', 'a\\b'])).toBe(
      '/usr/bin/node "a b" 100%% "$$HOME" "say \\"x\\"" "a\\\\b"',
    );
    expect(formatXmlText('a <b> & c')).toBe('a &lt;b&gt; &amp; c');
  });
});

test('every scheduler gets the time, and the time zone if it supports one; none gets 03:00 by default', async () => {
  const workspace = testWorkspace();
  const { at, zone, recipes: shown } = await workspace.json<Printed>(['schedule', '--tz', 'Europe/Vienna']);
  expect([at, zone]).toEqual(['03:40', 'Europe/Vienna']);
  const text = Object.fromEntries(shown.map((recipe) => [recipe.scheduler, recipe.text]));
  expect(Object.keys(text)).toEqual([...SCHEDULERS]);
  expect(text.cron).toMatch(/^CRON_TZ=Europe\/Vienna\n40 3 \* \* \* /m);
  expect(text.systemd).toMatch(/^OnCalendar=\*-\*-\* 03:40:00 Europe\/Vienna$/m);
  expect(text.launchd).toMatch(
    /<key>Hour<\/key>\s*<integer>3<\/integer>\s*<key>Minute<\/key>\s*<integer>40<\/integer>/,
  );
  expect(text.launchd).toContain('launchd knows no zones');
  expect(text.openclaw).toContain(
    '--declaration-key openclaw-memory-reflect --cron "40 3 * * *" --tz Europe/Vienna --exact --command-argv ',
  );
});

test('the program is named by absolute paths, with its workspace', async () => {
  const workspace = testWorkspace();
  const { recipes: shown } = await workspace.json<Printed>(['schedule']);
  const command = `${process.execPath} ${BIN} memory reflect --commit --quiet --workspace ${workspace.root} --tz UTC`;
  for (const { scheduler, text } of shown) {
    if (scheduler === 'openclaw') expect(text).toContain(` --command-argv '${JSON.stringify(command.split(' '))}' `);
    else if (scheduler !== 'launchd') expect(text, scheduler).toContain(`${command} --max-minutes 60`);
    else
      for (const word of [...command.split(' '), '--max-minutes', '60'])
        expect(text).toContain(`<string>${word}</string>`);
  }
});

test('schedule prints one scheduler alone, at the requested time', async () => {
  const workspace = testWorkspace();
  const { stdout } = await workspace.run(['schedule', 'cron', '--at', '22:05']);
  expect(stdout).toMatch(/^# /);
  expect(stdout).toMatch(/\n5 22 \* \* \* /);
  expect(await workspace.run(['schedule', 'cron', '--at', '3:00'])).toMatchObject({ code: 2 });
  expect(await workspace.run(['schedule', 'cron', '--at', '24:00'])).toMatchObject({ code: 2 });
  expect(await workspace.run(['schedule', 'anacron'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('systemd'),
  });
  expect(await workspace.run(['schedule', 'cron', '--at', '03:00'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('sweep also runs at 03:00'),
  });
});

test('two workspaces get different names', () => {
  const job = { program: ['/n', '/b'], options: [], at: '03:40', zone: 'UTC' };
  const named = (root: string) => /^# .*\/(.*)\.timer$/m.exec(buildScheduleTexts({ ...job, root })[1]?.text ?? '')?.[1];
  expect(named('/home/a/.openclaw/workspace')).toBe('openclaw-memory-reflect');
  expect(named('/home/a/.openclaw/workspace-Work')).toBe('openclaw-memory-reflect-workspace-work');
});

describe('schedule --check', () => {
  const ran = (endedAt: string, result: LastRun['result'], message?: string): LastRun => ({
    run: 'r1',
    startedAt: endedAt,
    endedAt,
    result,
    ...(message === undefined ? {} : { message }),
    facts: 12,
    written: 3,
  });

  test.each([
    ['has never run', undefined, 4, 'never'],
    ['ran last night', ran('2026-03-15T03:40:00Z', 'done'), 0, null],
    ['was interrupted', ran('2026-03-15T03:40:00Z', 'interrupted'), 0, null],
    ['failed', ran('2026-03-15T03:40:00Z', 'failed', 'the disk is full'), 4, 'failed'],
    ['ran exactly 48 hours ago', ran('2026-03-13T12:00:00Z', 'done'), 0, null],
    ['ran more than 48 hours ago', ran('2026-03-13T11:59:00Z', 'done'), 4, 'overdue'],
  ])('checks a reflect that %s', async (_, last, code, problem) => {
    const workspace = testWorkspace();
    if (last !== undefined) writeLastRun(workspace.path('.memory'), last);
    const result = await workspace.run(['schedule', '--check', '--json']);
    expect(result.code).toBe(code);
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: code === 0, problem, last: last ?? null });
  });

  test('shows the time in the user’s time zone, and the result', async () => {
    const workspace = testWorkspace();
    writeLastRun(workspace.path('.memory'), ran('2026-03-15T03:40:00Z', 'failed', 'the disk is full'));
    const { stdout } = await workspace.run(['schedule', '--check', '--tz', 'Europe/Vienna']);
    expect(stdout).toBe(
      'Last run: 2026-03-15 04:40, 8 hours ago\nResult:   failed, 12 facts read, 3 files written\n          the disk is full\n',
    );
  });
});
