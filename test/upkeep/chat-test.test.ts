import { expect, test } from 'vitest';
import { err } from '../../src/base/failure.js';
import type { TaskResult } from '../../src/model/levels.js';
import type { ToolModel } from '../../src/model/model.js';
import { parseChatTestSamples, testChatModel } from '../../src/upkeep/chat-test.js';
import { readTemplate } from '../../src/workspace/templates.js';

/** Answers only when it is interrupted. */
function waitForAbort(signal?: AbortSignal) {
  return new Promise<ReturnType<typeof err<{ type: 'interrupted'; message: string }>>>((resolve) => {
    signal?.addEventListener('abort', () => resolve(err({ type: 'interrupted', message: 'stopped' })));
  });
}

const ENDLESS: ToolModel = {
  name: 'endless',
  digest: '',
  window: 8_192,
  levelFor: () => 'free',
  ask: (_, signal) => waitForAbort(signal),
  act: (_, signal) => waitForAbort(signal),
};

async function testedIn(signal: AbortSignal, isWholeTime: boolean) {
  const prompt = (name: string) => readTemplate(`prompts/${name}.md`);
  const found: TaskResult[] = [];
  await testChatModel({
    model: ENDLESS,
    templates: {
      reflect: {
        judge: prompt('reflect-judge'),
        settle: prompt('reflect-settle'),
        chooseVerdicts: prompt('choose-verdicts'),
        chooseRelations: prompt('choose-relations'),
      },
      flush: prompt('flush'),
      memory: { create: prompt('wm-create'), update: prompt('wm-update') },
      choose: prompt('choose'),
    },
    samplesOf: (language) => parseChatTestSamples(readTemplate(`chat-test/${language}.json`)),
    known: {},
    onResult: ({ result }) => found.push(result),
    signal,
    isWholeTime,
  });
  return found;
}

test('a part that takes all of the time is too slow', async () => {
  expect(await testedIn(AbortSignal.timeout(20), true)).toEqual([{ level: 'unused', figures: 'too slow' }]);
});

test('a part that had only some of the time, or was interrupted, has no result', async () => {
  expect(await testedIn(AbortSignal.timeout(20), false)).toEqual([]);
  const user = new AbortController();
  const tested = testedIn(user.signal, true);
  user.abort();
  expect(await tested).toEqual([]);
});
