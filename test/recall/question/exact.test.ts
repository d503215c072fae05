import { expect, test } from 'vitest';
import { read } from './support.js';

test.each([
  ['what is in ./src/foo.ts:12?', ['./src/foo.ts:12']],
  ['does recall take --budget or -k', ['--budget', '-k']],
  ['upgrade to v3.11.2.', ['v3.11.2']],
  ['python 3.11', ['3.11']],
  ['why ECONNREFUSED at 127.0.0.1:6379', ['ECONNREFUSED', '127.0.0.1:6379']],
  ['TS2345, SQLITE_BUSY and 0x80070005', ['TS2345', 'SQLITE_BUSY', '0x80070005']],
  ['commit e4aba9c of main', ['e4aba9c']],
  ['who calls readQuestion()?', ['readQuestion()']],
  ['set maxOldSpaceSize to 512 MB', ['maxOldSpaceSize', '512 MB']],
  ['it took 20ms (95%)', ['20ms', '95%']],
  ['C++ or C#?', ['C++', 'C#']],
  ['mail a.b@example.com', ['a.b@example.com']],
  ['issue #123', ['#123']],
  ['端口/tmp/foo.sock是什么', ['/tmp/foo.sock']],
  ['say “good morning” to "the team"', ['good morning', 'the team']],
  ['《红楼梦》和「目标」', ['红楼梦', '目标']],
  ['run `npm test -- --watch` now', ['npm test -- --watch']],
  ["the 'old way' of Peter's", ['old way']],
  ['deploy 🎉', ['🎉']],
  ['what changed on 2025-11-27', ['2025-11-27']],
  ['the well-known and/or rule of Peter & Will, 3rd time', []],
  ['what does Peter like?', []],
  ['see @peter', []],
])('%s', async (question, exact) => expect((await read(question)).exact).toEqual(exact));

test('a token of up to 256 characters is read; a longer one is skipped', async () => {
  const longest = `x1${'y'.repeat(254)}`;
  expect((await read(`find ${longest}`)).exact).toEqual([longest]);
  expect((await read(`find ${longest}z`)).exact).toEqual([]);
});
