import { afterEach, describe, expect, test } from 'vitest';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { relating } from '../support/asked-pairs.js';
import { FakeOllama } from '../support/ollama/server.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOGS = {
  'memory/2026-03-01.md': '## Retain\n- O(c=0.8) @Mara: prefers concise replies on WhatsApp\n',
  'memory/2026-03-02.md': '## Retain\n- W @Mara: asked for short replies on WhatsApp\n- W @Mara: bought a canoe\n',
};
const NAMED = { 'memory.config.json5': '{ chatModel: "qwen3:4b-instruct" }' };
/** Nothing listens on this port. */
const AWAY = 'http://127.0.0.1:9';

let server: FakeOllama | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A server whose model gives every pair this verdict. */
async function judging(verdict: string): Promise<FakeOllama> {
  server = await new FakeOllama().start();
  for (let call = 0; call < 50; call++)
    server.replies.push((messages) => {
      const user = messages.map(({ content }) => content).join('\n');
      const pairs = [...user.matchAll(/^pair (\d+)$/gm)].map(([, pair]) => ({ pair: Number(pair), verdict }));
      const said = relating(user, 'both') ?? (pairs.length > 0 ? { verdicts: pairs } : { sentences: [] });
      return { content: JSON.stringify(said) };
    });
  return server;
}

interface Report {
  readonly facts: number;
  readonly awaited: number;
  readonly written: readonly string[];
  readonly warnings: readonly string[];
}

async function reflect(workspace: TemporaryWorkspace, host: string, ...more: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await workspace.run(['reflect', '--json', ...more], { env: { OLLAMA_HOST: host } });
  expect(`${code} ${stderr}`).toMatch(/^0 /);
  return JSON.parse(stdout);
}

const judges = (workspace: TemporaryWorkspace) =>
  workspace
    .read('bank/evidence.jsonl')
    .trim()
    .split('\n')
    .map((line) => `${JSON.parse(line).direction} ${JSON.parse(line).by}`);

const confidence = (workspace: TemporaryWorkspace) =>
  readOpinionsPage(workspace.read('bank/opinions.md')).find(({ bullet }) => bullet.text.includes('concise'))
    ?.confidence;

describe('a model that was away', () => {
  test('later judges what the rules have judged, and overrules them', async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    const away = await reflect(workspace, AWAY);
    expect(away).toMatchObject({
      facts: 3,
      awaited: 2,
      warnings: [expect.stringContaining('a model can judge them later')],
    });
    expect(confidence(workspace)).toBe(0.82);
    const before = judges(workspace);
    expect(await reflect(workspace, AWAY)).toMatchObject({ facts: 0, awaited: 2, written: [] });
    expect(judges(workspace)).toEqual(before);

    const double = await judging('contradicts');
    expect(await reflect(workspace, double.url)).toMatchObject({ facts: 0, awaited: 0, warnings: [] });
    expect(judges(workspace).filter((judge) => judge === 'contradicts model:qwen3:4b-instruct')).toHaveLength(2);
    expect(confidence(workspace)).toBe(0.7);
    const asked = double.bodies('/api/chat').length;
    expect(await reflect(workspace, double.url)).toMatchObject({ awaited: 0, written: [] });
    expect(double.bodies('/api/chat')).toHaveLength(asked);
  });

  test("does not overrule a person's verdict", async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    await reflect(workspace, AWAY);
    const page = workspace.read('bank/opinions.md');
    workspace.write('bank/opinions.md', page.replace(/.*for: \[memory\/2026-03-02.*\n/, ''));
    await reflect(workspace, AWAY);
    const double = await judging('supports');
    await reflect(workspace, double.url);
    const [opinion] = readOpinionsPage(workspace.read('bank/opinions.md'));
    expect(opinion?.evidence.map(({ source }) => source)).not.toContain('memory/2026-03-02.md#L2');
  });

  test('is awaited if it has judged here before, even if no setting names it', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-01.md': LOGS['memory/2026-03-01.md'] });
    await reflect(workspace, AWAY);
    workspace.write('memory/2026-03-03.md', '## Retain\n- W @Mara: wants short replies on WhatsApp\n');
    await reflect(workspace, (await judging('supports')).url);
    workspace.write('memory/2026-03-04.md', '## Retain\n- W @Mara: asked again for short replies on WhatsApp\n');
    expect(await reflect(workspace, AWAY)).toMatchObject({ awaited: 1, warnings: [expect.any(String)] });
  });

  test('is not awaited if no setting names one', async () => {
    const workspace = testWorkspace(LOGS);
    expect(await reflect(workspace, AWAY)).toMatchObject({ awaited: 0, warnings: [] });
  });

  test('is not awaited with --max-calls 0', async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    expect(await reflect(workspace, AWAY, '--max-calls', '0')).toMatchObject({ awaited: 0, warnings: [] });
  });

  test('is still awaited after an empty list of verdicts', async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    await reflect(workspace, AWAY);
    server = await new FakeOllama().start();
    for (let call = 0; call < 4; call++) server.replies.push(() => ({ content: '{"verdicts":[]}' }));
    const { awaited, warnings } = await reflect(workspace, server.url);
    expect(awaited).toBeGreaterThan(0);
    expect(warnings.join()).toContain('not usable');
    await server.stop();
    const double = await judging('contradicts');
    expect(await reflect(workspace, double.url)).toMatchObject({ awaited: 0 });
    expect(judges(workspace)).toContain('contradicts model:qwen3:4b-instruct');
  });

  test('is awaited for the rest when it goes away during a run', async () => {
    const workspace = testWorkspace({ ...LOGS, ...NAMED });
    server = await new FakeOllama().start();
    server.faults.set('reset-before-headers');
    const { awaited, warnings } = await reflect(workspace, server.url);
    expect({ awaited, warned: warnings.length > 0 }).toEqual({ awaited: 2, warned: true });
  });
});

describe('--rejudge', () => {
  test('makes the model judge everything that only the rules have judged', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace, AWAY);
    const double = await judging('none');
    // Statements without a verdict are asked about in any case.
    expect(await reflect(workspace, double.url)).toMatchObject({ written: ['bank/evidence.jsonl'] });
    await reflect(workspace, double.url, '--rejudge');
    expect(confidence(workspace)).toBe(0.8);
    expect(judges(workspace)).toContain('none model:qwen3:4b-instruct');
  });

  test('leaves open what it has no time for', async () => {
    const logs = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `memory/2026-02-${String(index + 1).padStart(2, '0')}.md`,
        `## Retain\n- W @Mara: asked for short reply ${index} on WhatsApp\n`,
      ]),
    );
    const workspace = testWorkspace({ 'memory/2026-01-31.md': LOGS['memory/2026-03-01.md'], ...logs });
    await reflect(workspace, AWAY);
    const double = await judging('contradicts');
    const first = await reflect(workspace, double.url, '--rejudge', '--max-calls', '1');
    expect(first.awaited).toBeGreaterThan(0);
    expect(first.awaited).toBeLessThan(20);
    expect(await reflect(workspace, double.url)).toMatchObject({ awaited: 0 });
    expect(judges(workspace).filter((judge) => judge.startsWith('contradicts model:'))).toHaveLength(20);
  });

  test('says so without a model, and changes nothing', async () => {
    const workspace = testWorkspace(LOGS);
    const { code, stderr } = await workspace.run(['reflect', '--rejudge'], { env: { OLLAMA_HOST: AWAY } });
    expect(`${code} ${stderr}`).toMatch(/^[1-9] .*127\.0\.0\.1:9/s);
    expect(workspace.pages().some(({ path }) => path === 'bank/opinions.md')).toBe(false);
  });
});
