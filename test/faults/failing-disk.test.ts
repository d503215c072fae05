import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../support/cases.js';
import { canFail, FailingDisk } from '../support/failing-disk/failing-disk.js';
import { Random } from '../support/random.js';
import { FAULTS, faultRounds } from './disk-faults.js';
import { underClock, withoutRights } from './mishaps.js';
import { WRITING_COMMANDS } from './writing-commands.js';

// `npm run torture` tests every fault at every call.
const random = new Random(20_260_317);
const POINTS = cases(2, 1);
let disk: FailingDisk;

beforeAll(() => {
  if (canFail()) disk = new FailingDisk();
});
afterAll(() => disk?.dispose());

test.runIf(canFail()).each(WRITING_COMMANDS.map((command, i) => [command.name, command, i] as const))(
  '%s on a failing disk works or reports plainly; pages stay whole, a retry works, the index verifies',
  async (_, command, i) => {
    const fault = FAULTS[i % FAULTS.length];
    const points = (calls: number) =>
      Array.from({ length: POINTS }, (_, part) => 1 + Math.floor(((part + random.next()) / POINTS) * calls));
    const report = await faultRounds(command, disk, points, fault === undefined ? [] : [fault]);
    expect(report.broken).toEqual([]);
    expect(report.calls).toBeGreaterThan(3);
  },
);

test.runIf(canFail()).each(WRITING_COMMANDS.filter(({ name }) => /^(?:reflect$|extract apply)/.test(name)))(
  '$name decides nothing when a log or page cannot be opened once',
  async (command) => {
    const isPage = (call: string) => /^open workspace\/(?:memory|bank)\b/.test(call) && !call.endsWith('.tmp');
    const places = () => disk.calls().flatMap((call, i) => (isPage(call) ? [i + 1] : []));
    const some = () => places().filter((_, i, all) => i % Math.ceil(all.length / cases(100, 12)) === 0);
    const { broken, faults } = await faultRounds(command, disk, some, [{ error: 'EMFILE', lasting: false }]);
    expect(broken).toEqual([]);
    expect(faults).toBeGreaterThan(5);
  },
);

const COMMANDS = WRITING_COMMANDS.filter(({ isAside, stopAt }) => !isAside && stopAt === undefined).map(
  (command, i) => [command.name, command, i] as const,
);

test.runIf(process.platform === 'linux').each(COMMANDS)(
  '%s without write permission changes no page and says so; with permission it does its work',
  async (_, command) => expect(await withoutRights(command)).toEqual([]),
);

test.each(COMMANDS)('%s under a clock that is years off loses nothing', async (_, command, i) => {
  expect(await underClock(command, i % 2 === 0 ? '2010-03-15T12:00:00Z' : '2069-03-15T12:00:00Z')).toEqual([]);
});
