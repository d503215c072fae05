import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { joinSignals, timeoutSignal } from '../../src/model/call.js';

test('a time limit that is joined with another signal outlives the garbage collector', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const joined = joinSignals(timeoutSignal(100), new AbortController().signal);
  // Nobody listens: a call of a model asks the signal only now and then.
  for (const end = performance.now() + 3_000; !joined.aborted && performance.now() < end; await delay(20))
    if (typeof collect === 'function') collect();
  expect(joined.aborted).toBe(true);
}, 5_000);
