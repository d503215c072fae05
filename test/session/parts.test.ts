import { describe, expect, test } from 'vitest';
import { ok, type Result } from '../../src/base/failure.js';
import type { ChatModel, Question } from '../../src/model/model.js';
import { EMPTY_LEDGER, type MemoryLedger } from '../../src/session/memory/ledger/ledger.js';
import { updateWorkingMemory } from '../../src/session/memory/update.js';
import type { SessionMessage } from '../../src/session/message.js';
import { estimateTokens } from '../../src/text/tokens.js';
import { parseDocument, SECTION_NAMES } from '../../src/wm/document.js';
import { cases } from '../support/cases.js';
import { testWorkspace } from '../support/test-workspace.js';
import { documentOf } from '../wm/support.js';
import { answers, calls, ScriptedModel, says, TEMPLATES } from './support.js';

const WINDOW = 8_192;
const STEPS = cases(120, 40);

const update = (
  model: ChatModel,
  messages: readonly SessionMessage[],
  old: string | null = null,
  ledger: MemoryLedger = EMPTY_LEDGER,
) => updateWorkingMemory({ old, messages, ledger, templates: TEMPLATES, model, dayOf: () => '2026-03-15' });

/** A model that appends to every requested section and never consolidates. */
class AppendingModel implements ChatModel {
  readonly name = 'appending';
  readonly digest = '';
  readonly levelFor = () => 'free' as const;
  readonly window = WINDOW;
  step = 0;
  most = 0;

  async ask<T>({ prompt, schema, maxTokens = 0 }: Question<T>): Promise<Result<T>> {
    this.most = Math.max(this.most, estimateTokens(prompt.system) + estimateTokens(prompt.user) + maxTokens);
    const fact = `step ${this.step}: service ${this.step} listens on ${4_000 + this.step}`;
    const asked = SECTION_NAMES.filter((name) => prompt.user.includes(`## ${name}`) || !prompt.user.includes('## '));
    const sections = Object.fromEntries(asked.map((name) => [name, { op: 'APPEND', items: [fact] }]));
    const answer = schema.safeParse({ sections });
    return answer.success ? ok(answer.data) : { ok: false, error: { type: 'invalid_answer', message: 'no' } };
  }
}

function log(step: number): readonly SessionMessage[] {
  return Array.from({ length: 6 }, (_, i) => ({
    ...says(
      i % 2 ? 'assistant' : 'user',
      `message ${i} of step ${step}: service ${step} listens on ${4_000 + step}, told by question 1, 2, 3, 4, 5, 6 or 7 ${'about the service '.repeat(20)}`,
    ),
    id: `m-${step}-${i}`,
  }));
}

test('every commit of an appending model fits a small window, and keeps its last words', async () => {
  const model = new AppendingModel();
  let old: string | null = null;
  let ledger: MemoryLedger = EMPTY_LEDGER;
  for (model.step = 0; model.step < STEPS; model.step++) {
    const step = await update(model, log(model.step), old, ledger);
    expect(step).toMatchObject({ madeBy: 'model', notes: [] });
    expect(step.merges.flatMap(({ lost }) => lost)).toEqual([]);
    ({ document: old, ledger } = step);
  }
  expect(model.most).toBeLessThanOrEqual(WINDOW);
  const facts = parseDocument(old).bodies['Key Facts & Decisions'];
  for (let step = STEPS - 20; step < STEPS; step++) expect(facts).toContain(`step ${step}:`);
});

test('an answer for all seven sections counts for the requested ones only', async () => {
  const facts = (name: string) =>
    Array.from({ length: 60 }, (_, i) => `- ${name} ${i}: ${'kept for later '.repeat(4)}`);
  const old = documentOf(Object.fromEntries(SECTION_NAMES.slice(2).map((name) => [name, facts(name).join('\n')])));
  const model = new ScriptedModel((_, turn) => {
    const all = SECTION_NAMES.map((name) => [name, { op: 'APPEND', items: [`told by question ${turn}`] }]);
    return JSON.stringify({ sections: Object.fromEntries(all) });
  }, WINDOW);
  const step = await update(model, log(1), old);
  expect(step.madeBy).toBe('model');
  expect(model.prompts.length).toBeGreaterThan(1);
  const { bodies } = parseDocument(step.document);
  for (const name of SECTION_NAMES) {
    const asked = model.prompts.flatMap((prompt, at) => (prompt.includes(`## ${name}\n`) ? [at + 1] : []));
    const told = [...bodies[name].matchAll(/^(?:- )?told by question (\d+)$/gmu)].map(([, turn]) => Number(turn));
    expect(told).toEqual(asked);
  }
});

test.each([
  [8_192, 35],
  [32_768, 15],
])(
  '450 messages with long outputs pass a window of %s in few calls, with every word of a user',
  async (window, most) => {
    const model = new ScriptedModel(
      () => '{"sections":{"Current State":{"op":"UPDATE","content":"please look at part"}}}',
      window,
    );
    const drafts = Array.from({ length: 150 }, (_, i) => [
      says('user', `request ${i}: please look at part ${i}.`),
      calls(`t-${i}`),
      answers(`t-${i}`, 'a line of output\n'.repeat(300)),
    ]).flat();
    const messages = drafts.map((draft, i) => ({ ...draft, id: `m-${i}` }));
    const step = await update(model, messages);
    expect(step.madeBy).toBe('model');
    expect(model.prompts.length).toBeLessThanOrEqual(most);
    const seen = model.prompts.join('\n');
    for (let i = 0; i < 150; i++) expect(seen).toContain(`request ${i}: please look at part ${i}.`);
  },
);

test('300 messages with long pasted logs and long answers pass a window in few calls', async () => {
  const model = new ScriptedModel(
    () => '{"sections":{"Current State":{"op":"UPDATE","content":"please mend part"}}}',
    8_192,
  );
  const drafts = Array.from({ length: 100 }, (_, i) => [
    says('user', `request ${i}: it fails again.\n${'a line of a log\n'.repeat(400)}please mend part ${i}`),
    says('assistant', `answer ${i}. ${'I changed one thing after the other. '.repeat(200)}`),
    says('user', 'ok'),
  ]).flat();
  const messages = drafts.map((draft, i) => ({ ...draft, id: `m-${i}` }));
  const step = await update(model, messages);
  expect(step.madeBy).toBe('model');
  expect(model.prompts.length).toBeLessThanOrEqual(35);
  const seen = model.prompts.join('\n');
  for (let i = 0; i < 100; i++) {
    expect(seen).toContain(`request ${i}: it fails again.`);
    expect(seen).toContain(`please mend part ${i}`);
  }
});

test('a first answer with one section is incomplete: the others come from the rules', async () => {
  const model = new ScriptedModel(
    () => '{"sections":{"Current State":{"op":"UPDATE","content":"looking at the port"}}}',
  );
  const messages = [{ ...says('user', 'Move the shop to port 6380, and never deploy on Fridays.'), id: 'm-1' }];
  const step = await update(model, messages);
  expect(step.madeBy).toBe('model');
  expect(step.document).toContain('looking at the port');
  expect(parseDocument(step.document).bodies['Key Facts & Decisions']).toContain('never deploy on Fridays');
});

describe('wm prompt in parts', () => {
  test('each part is within --max-tokens, an answer names its part, and the last one finishes', async () => {
    const workspace = testWorkspace();
    const lines = Array.from({ length: 60 }, (_, i) =>
      JSON.stringify({ role: 'user', content: `Request ${i}: ${'please look at the harbour '.repeat(40)}` }),
    );
    await workspace.json(['session', 'add', 'chat', '--stdin'], { input: lines.join('\n') });
    await workspace.json(['session', 'commit', 'chat', '--keep-recent', '0', '--defer']);
    const prompt = (...more: string[]) =>
      workspace.json<{ part: number; parts: number; system: string; user: string }>([
        ...['wm', 'prompt', 'chat', '--max-tokens', '6000', ...more],
      ]);
    const first = await prompt();
    expect(first).toMatchObject({ part: 1 });
    expect(first.parts).toBeGreaterThan(2);
    expect(await workspace.run(['wm', 'prompt', 'chat', '--part', '99'])).toMatchObject({ code: 2 });
    expect((await prompt('--part', '2')).user).not.toContain('Request 0:');
    const apply = (answer: object) =>
      workspace.run(['wm', 'apply', 'chat', '--answer', '-', '--max-tokens', '6000'], {
        input: JSON.stringify(answer),
      });
    const sections = { 'Current State': { op: 'UPDATE', content: 'in the harbour' } };
    expect(await apply({ sections })).toMatchObject({ code: 2, stderr: expect.stringContaining('part') });
    expect(await apply({ part: 2, sections })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the next part of archive_001 is 1'),
    });
    const seen: number[] = [];
    for (let part = 1; part <= first.parts; part++) {
      const asked = await prompt();
      expect(asked.part).toBe(part);
      expect(estimateTokens(asked.system) + estimateTokens(asked.user)).toBeLessThanOrEqual(6_000);
      seen.push(...[...asked.user.matchAll(/Request (\d+):/g)].map(([, number]) => Number(number)));
      const item = `part ${part} was read`;
      const answer = { part, sections: { ...sections, 'Key Facts & Decisions': { op: 'APPEND', items: [item] } } };
      expect(await apply(answer)).toMatchObject({ code: 0 });
    }
    expect(seen).toEqual(lines.map((_, i) => i));
    const { stdout } = await workspace.run(['wm', 'show', 'chat']);
    for (let part = 1; part <= first.parts; part++) expect(stdout).toContain(`part ${part} was read`);
    expect(await workspace.run(['wm', 'prompt', 'chat'])).toMatchObject({ code: 1 });
  });
});
