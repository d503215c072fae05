import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { joinSignals, timeoutSignal } from '../../src/model/call.js';

test('a time limit that is joined with another signal outlives the garbage collector', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const joined = joinSignals(timeoutSignal(200), new AbortController().signal);
  const aborted = new Promise((resolve) => joined.addEventListener('abort', () => resolve('aborted')));
  if (typeof collect === 'function') for (let i = 0; i < 5; i++) collect();
  expect(await aborted).toBe('aborted');
}, 5_000);
