import { expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.js';
import { cli } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';

/** The day that a new process reports at half past eight in the evening of UTC. */
async function dayWith(TZ: string) {
  const workspace = testWorkspace();
  const args = ['-w', workspace.root, 'status', '--json', '--now', '2026-03-15T20:30:00Z'];
  const { code, stdout, stderr } = await cli(args, { env: { ...workspace.env, TZ } });
  return { code, stderr, ...(code === 0 ? JSON.parse(stdout) : {}) };
}

test.each([
  [':', 'UTC', '2026-03-15'],
  [':Asia/Tokyo', 'Asia/Tokyo', '2026-03-16'],
  ['JST-9', 'Etc/GMT-9', '2026-03-16'],
  ['<+09>-9', 'Etc/GMT-9', '2026-03-16'],
  ['EST5', 'Etc/GMT+5', '2026-03-15'],
  ['UTC0', 'UTC', '2026-03-15'],
])('TZ=%s means %s', async (TZ, timezone, today) => {
  expect(await dayWith(TZ)).toMatchObject({ code: 0, timezone, today });
});

test.each(['CET-1CEST', 'IST-5:30', 'Nowhere/Else'])('TZ=%s is refused: its days would be those of UTC', async (TZ) => {
  const { code, stderr } = await dayWith(TZ);
  expect(code).toBe(2);
  expect(stderr).toContain(`TZ=${TZ} is not a known time zone`);
  expect(stderr).toContain('hint: set TZ to an IANA name');
});

test('an invalid instant is refused with its key', async () => {
  const { root } = testWorkspace();
  await expect(openWorkspace({ workspace: root, now: 'soon' })).rejects.toThrow('now: "soon" is not a date');
});
