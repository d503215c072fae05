import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openVectors } from '../../src/index/vectors/open.js';
import { EmbeddingServer } from './embedding-server.js';
import { manyLogs, runUntilKilled, timed } from './kill-rounds.js';
import { inLetters, PROBE_ANSWERS } from './understood.js';
import type { TemporaryWorkspace } from './workspace.js';

/** What a number of killed `index --embed` came to. */
export interface EmbedReport {
  readonly rounds: number;
  readonly killed: number;
  /** Texts that are worth a vector, and those that have one in the end. Must be equal. */
  readonly texts: number;
  readonly stored: number;
  /** Texts that were sent to the model though their vectors had been stored. Must be empty. */
  readonly again: readonly string[];
  /** Texts that were in flight when a process was killed, and so were sent again. At most 32 a kill. */
  readonly repeated: number;
}

/**
 * Kills `index --embed` with SIGKILL at random moments until it has been killed often enough, then lets it end: what
 * was stored is never embedded again, and in the end every text has its vector.
 */
export async function embedRounds(rounds: number, random: () => number): Promise<EmbedReport> {
  const server = await new EmbeddingServer().start();
  server.state.beforeAnswer = () => delay(15);
  const files = rounds * 50;
  const workspace = manyLogs(files, inLetters);
  const env = { OLLAMA_HOST: server.host };
  try {
    await workspace.run(['index']);
    const whole = await timed(() => workspace.start(['status']));
    const again = new Set<string>();
    let killed = 0;
    let stored = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const sent = server.inputs.length;
      const result = await runUntilKilled(workspace, ['index', '--embed'], whole * (1 + 2 * random()), { env });
      if (result.killed) killed++;
      for (const input of server.inputs.slice(sent)) if (stored.has(hashOf(input))) again.add(input);
      stored = storedHashes(workspace);
    }
    await workspace.run(['index', '--embed'], { env });
    const sent = server.inputs.filter(
      (input) => input.startsWith(PREFIX) && !PROBE_ANSWERS.has(input.slice(PREFIX.length)),
    );
    const repeated = sent.length - new Set(sent).size;
    // Each log has a line of prose and a fact.
    const texts = 2 * files;
    return { rounds, killed, texts, stored: storedHashes(workspace).size, again: [...again], repeated };
  } finally {
    workspace.dispose();
    await server.stop();
  }
}

const PREFIX = 'title: none | text: ';

function hashOf(input: string): string {
  return hash('sha1', `\n${input.slice(PREFIX.length)}`.toLowerCase(), 'hex');
}

function storedHashes(workspace: TemporaryWorkspace): Set<string> {
  const opened = openVectors(workspace.path('.memory'));
  if (opened.state !== 'ready') return new Set();
  const hashes = opened.db.prepare<[], Buffer>('SELECT hash FROM vector').pluck().all();
  opened.db.close();
  return new Set(hashes.map((stored) => stored.toString('hex')));
}
