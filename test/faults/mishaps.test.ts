import { expect, test } from 'vitest';
import { underClock, withoutRights } from './mishaps.js';
import { WRITING_COMMANDS } from './writing-commands.js';

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
