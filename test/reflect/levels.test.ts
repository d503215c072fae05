import { describe, expect, test } from 'vitest';
import { openParts } from '../../src/app/open.js';
import { readReflectTemplates, reflectContext } from '../../src/app/reflection.js';
import { err, ok } from '../../src/base/failure.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import type { ChatModel } from '../../src/model/model.js';
import { ModelTimeLimit } from '../../src/model/time-limit.js';
import { ModelJudge } from '../../src/reflect/model-judge.js';
import { reflect as runReflect } from '../../src/reflect/reflect.js';
import { askedPairs, relating } from '../support/asked-pairs.js';
import type { FakeOllama } from '../support/ollama/server.js';
import { testOllama } from '../support/ollama/start.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW, type TemporaryWorkspace } from '../support/workspace.js';

const LOGS = {
  'memory/2026-03-01.md':
    '## Retain\n- O(c=0.8) @Mara: prefers concise replies on WhatsApp\n- W @Mara: lives in Graz\n- W @Mara: plays the tuba, the organ and the harp\n- W @Mara: is out of work\n',
  'memory/2026-03-02.md':
    '## Retain\n- W @Mara: asked for short replies on WhatsApp\n- W @Mara: bought a canoe\n- W @Mara: counted the concise replies on WhatsApp\n',
  'memory/2026-03-03.md': '## Retain\n- W @Mara: lives in Linz\n- W @Mara: started at Harrow Logistics\n',
};
const BY = 'model:qwen3:4b-instruct';

/** A workspace whose settings give the model this level. */
function at(level: string, logs: Readonly<Record<string, string>> = LOGS): TemporaryWorkspace {
  const settings = `{ chatModel: "qwen3:4b-instruct", chatLevel: "${level}" }`;
  const workspace = testWorkspace({ ...logs, 'memory.config.json5': settings });
  workspace.chatLevel = undefined;
  return workspace;
}

interface Says {
  readonly verdict: (fact: string) => string;
  readonly relation: (earlier: string, later: string) => string;
}

/** A model that may only choose, and that gives these answers. */
async function choosing({ verdict, relation }: Says): Promise<FakeOllama> {
  return (await testOllama()).answer((prompt) => {
    const pairs = askedPairs(prompt).map(({ pair, earlier, later }) => [pair, relation(earlier.text, later.text)]);
    const beliefs = [...prompt.matchAll(/^pair (\d+)\nopinion.*\nfact of [^:]*: (.*)$/gm)].map(
      ([, pair, fact = '']) => [pair, verdict(fact)],
    );
    return Object.fromEntries([...pairs, ...beliefs].map(([pair, said]) => [`pair ${pair}`, said]));
  });
}

interface Report {
  readonly facts: number;
  readonly awaited: number;
  readonly proposed: number;
  readonly written: readonly string[];
  readonly warnings: readonly string[];
  readonly settled: readonly { readonly text: string; readonly relation: string; readonly by: string }[];
}

async function reflect(workspace: TemporaryWorkspace, { url }: FakeOllama, ...more: string[]): Promise<Report> {
  const { code, stdout, stderr } = await workspace.run(['reflect', '--json', ...more], { env: { OLLAMA_HOST: url } });
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return JSON.parse(stdout);
}

const lines = (workspace: TemporaryWorkspace): readonly Record<string, unknown>[] =>
  workspace
    .read('bank/evidence.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Calls except those that only load the model. */
const calls = (double: FakeOllama) =>
  double.bodies('/api/chat').filter(({ messages }) => Array.isArray(messages) && messages.length > 0);

const confidence = (workspace: TemporaryWorkspace) =>
  readOpinionsPage(workspace.read('bank/opinions.md')).find(({ bullet }) => bullet.text.includes('concise'))
    ?.confidence;

async function endedOf(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const shown = await workspace.json<{ holds: { before: readonly { text: string }[] } }>([
    'entity',
    'show',
    'Mara',
    '--all',
  ]);
  return shown.holds.before.map(({ text }) => text);
}

describe('a model that may only choose', () => {
  test('gets four pairs a call, and every answer of its grammar is complete', async () => {
    const double = await choosing({ verdict: () => 'none', relation: () => 'both' });
    const workspace = at('extractive');
    const { warnings } = await reflect(workspace, double);
    expect(warnings).toEqual([]);
    const formats = calls(double).map(({ format }) => Object(format));
    expect(formats.length).toBeGreaterThan(2);
    for (const { type, properties, required, additionalProperties } of formats) {
      expect({ type, additionalProperties }).toEqual({ type: 'object', additionalProperties: false });
      expect(Object.keys(properties)).toEqual(required);
      expect(required.length).toBeLessThanOrEqual(4);
      for (const field of Object.values(properties)) expect(Object.keys(Object(field))).toEqual(['enum']);
    }
    const asked = calls(double).length;
    expect(await reflect(workspace, double)).toMatchObject({ facts: 0, written: [] });
    expect(calls(double)).toHaveLength(asked);
  });

  test('takes back nothing that the rules found, except with --rejudge', async () => {
    const [ruled, chosen] = [testWorkspace(LOGS), at('extractive')];
    await ruled.json(['reflect', '--max-calls', '0']);
    const double = await choosing({ verdict: () => 'none', relation: () => 'both' });
    await reflect(chosen, double);
    expect(confidence(chosen)).toBe(0.82);
    expect(chosen.read('bank/opinions.md')).toBe(ruled.read('bank/opinions.md'));
    expect(chosen.read('bank/entities/Mara.md')).toBe(ruled.read('bank/entities/Mara.md'));
    await reflect(chosen, double, '--rejudge');
    expect(confidence(chosen)).toBe(0.8);
  });

  test('only proposes what has no common topic or attribute; a person settles it', async () => {
    const double = await choosing({
      verdict: (fact) => (fact.includes('canoe') || fact.includes('counted') ? 'contradicts' : 'none'),
      relation: (earlier, later) =>
        (earlier === 'lives in Graz' && later === 'lives in Linz') || later.includes('Harrow') ? 'replaces' : 'both',
    });
    const workspace = at('extractive');
    const { settled, proposed } = await reflect(workspace, double);
    expect(settled).toMatchObject([{ text: 'lives in Graz', relation: 'replaces', by: BY }]);
    expect(await endedOf(workspace)).toEqual(['lives in Graz']);
    const counting = lines(workspace).filter(({ direction }) => direction === 'contradicts');
    expect(counting).toMatchObject([{ by: BY, digest: expect.stringMatching(/^[0-9a-f]{12}$/) }]);
    const { proposals } = await workspace.json<{ proposals: readonly Record<string, Record<string, string>>[] }>([
      'settle',
      'proposed',
    ]);
    expect(proposals).toHaveLength(proposed);
    const of = (words: string) => proposals.find(({ older }) => older?.text?.endsWith(words)) ?? {};
    const job = of('is out of work');
    expect(job).toMatchObject({ newer: { text: 'started at Harrow Logistics' }, relation: 'replaces', by: BY });
    const canoe = of('prefers concise replies on WhatsApp');
    expect(canoe).toMatchObject({ newer: { text: 'bought a canoe' }, relation: 'contradicts' });
    const steady = confidence(workspace);
    for (const { older, newer, relation } of [job, canoe])
      await workspace.json(['settle', older?.id ?? '', newer?.id ?? '', String(relation)]);
    expect(await endedOf(workspace)).toEqual(expect.arrayContaining(['lives in Graz', 'is out of work']));
    await reflect(workspace, double);
    expect(confidence(workspace)).toBeLessThan(steady ?? 0);
    const left = await workspace.json<{ proposals: readonly unknown[] }>(['settle', 'proposed']);
    expect(left.proposals).toHaveLength(proposed - 2);
    expect((await workspace.run(['lint'])).stdout).toMatch(/no problems/);
  });

  test('may answer with a list, as a server without grammars lets it', async () => {
    const double = await choosing({ verdict: () => 'none', relation: () => 'both' });
    const listing = (await testOllama()).answer((prompt) => {
      const verdicts = [...prompt.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({ pair, verdict: 'none' }));
      return relating(prompt, 'both') ?? { verdicts };
    });
    const [keyed, listed] = [at('extractive'), at('extractive')];
    await reflect(keyed, double);
    expect(await reflect(listed, listing)).toMatchObject({ warnings: [] });
    expect(calls(listing)).toHaveLength(calls(double).length);
    expect(listed.read('bank/evidence.jsonl')).toBe(keyed.read('bank/evidence.jsonl'));
  });

  test('names a part that is over by choosing it', async () => {
    const double = await choosing({
      verdict: () => 'none',
      relation: (earlier) => (earlier.includes('tuba') ? 'part 2 is over' : 'both'),
    });
    const workspace = at('extractive', {
      'memory/2026-03-01.md': '## Retain\n- W @Mara: plays the tuba and plays the organ\n',
      'memory/2026-03-02.md': '## Retain\n- W @Mara: plays the organ no more than the harp\n',
    });
    await reflect(workspace, double);
    expect(lines(workspace)).toContainEqual(expect.objectContaining({ over: 'plays the organ', by: BY }));
  });
});

test('a model that is not used for a language is not asked in it; the rules judge, and nothing warns', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-01.md':
      '## Retain\n- O(c=0.8) @Mara: prefers concise replies on WhatsApp\n- O(c=0.8) @Otto: mag kurze Besprechungen\n- W @Mara: lives in Graz\n- W @Otto: wohnt in Graz\n',
    'memory/2026-03-02.md':
      '## Retain\n- W @Mara: bought a canoe\n- O(c=0.8) @Otto: mag kurze Besprechungen\n- W @Otto: hat ein Kanu gekauft\n',
  });
  const asked: string[] = [];
  const model: ChatModel = {
    name: 'm',
    digest: '',
    window: 8_192,
    levelFor: (_, text) => (/\b(?:mag|wohnt|hat)\b/.test(text) ? 'unused' : 'free'),
    ask: async ({ prompt, schema }) => {
      asked.push(prompt.user);
      const pairs = [...prompt.user.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({
        pair: Number(pair),
        verdict: 'none',
      }));
      const judged = pairs.length > 0 ? { verdicts: pairs } : { sentences: [] };
      const read = schema.safeParse(relating(prompt.user, 'both') ?? judged);
      return read.success ? ok(read.data) : err({ type: 'invalid_answer', message: 'nothing to say' });
    },
  };
  const { root, env } = workspace;
  const parts = await openParts({ workspace: root, env, now: NOW, timezone: 'UTC' });
  const time = new ModelTimeLimit();
  const templates = readReflectTemplates();
  const judge = new ModelJudge(model, { templates, stateFolder: workspace.path('.memory'), time });
  const { awaited } = await runReflect(reflectContext(parts), {}, judge);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.join('\n')).toContain('canoe');
  expect(asked.join('\n')).not.toMatch(/Otto/);
  expect(judge.warnings).toEqual([]);
  // They wait for a model that knows the language.
  expect(awaited).toBeGreaterThan(0);
  const opinions = readOpinionsPage(workspace.read('bank/opinions.md'));
  expect(opinions.find(({ bullet }) => bullet.text.includes('Besprechungen'))?.confidence).toBeGreaterThan(0.8);
});
