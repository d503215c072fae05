import { chmodSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { cases } from '../support/cases.js';
import { embedRounds } from '../support/embed-rounds.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { canFail } from '../support/failing-disk/failing-disk.js';
import { seeded } from '../support/kill-rounds.js';
import { WITHOUT_RIGHTS } from '../support/mishap-rounds.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';

const ROUNDS = cases(8, 6);

test.runIf(canFail())(
  'index --embed, killed repeatedly, embeds no stored text twice and completes (complaint: batches that never end)',
  async () => {
    const report = await embedRounds(ROUNDS, seeded(5));
    expect(report.killed).toBeGreaterThanOrEqual(ROUNDS / 2);
    // About two of seven rounds stop in the middle of a file; in few rounds none may.
    if (ROUNDS > 8) expect(report.partial).toBeGreaterThan(0);
    expect(report.again).toEqual([]);
    expect(report.repeated).toBeLessThanOrEqual(32 * report.killed);
    expect(report.stored).toBe(report.texts);
  },
);

test.runIf(process.platform === 'linux').each(['memory/topics/long.md', 'memory/topics'])(
  'vectors of %s are kept while it is unreadable, and deleted with the page',
  async (path) => {
    const server = await new EmbeddingServer().start();
    onTestFinished(() => server.stop());
    // More vectors of removed texts than are kept.
    const lines = Array.from({ length: 1_100 }, (_, i) => `- line ${inLetters(i)} about subject ${inLetters(i * 7)}\n`);
    const workspace = testWorkspace({ 'memory/topics/long.md': lines.join(''), 'memory/2026-03-14.md': '- a line\n' });
    const options = { env: { OLLAMA_HOST: server.host } };
    const embedded = async () => {
      const { vectors } = await workspace.json<{ vectors: { embedded: number } }>(['index', '--embed'], options);
      return vectors.embedded;
    };
    expect(await embedded()).toBe(1_101);
    chmodSync(workspace.path(path), 0);
    const without = await workspace.start(['index', '--embed'], { ...options, launcher: WITHOUT_RIGHTS });
    expect(without.code).toBe(0);
    expect(without.stderr).toContain(`${path} can't be read (EACCES)`);
    chmodSync(workspace.path(path), 0o755);
    expect(await embedded()).toBe(0);
    workspace.remove('memory/topics/long.md');
    expect(await embedded()).toBe(0);
    workspace.write('memory/topics/long.md', lines.join(''));
    expect(await embedded()).toBe(1_100);
  },
);
