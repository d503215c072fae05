import { hash } from 'node:crypto';
import { openVectors } from '../../src/index/vectors/open.js';
import { EmbeddingServer } from './embedding-server.js';
import { writeLogs } from './kill-rounds.js';
import { Killer } from './killed.js';
import { inLetters, PROBE_ANSWERS } from './understood.js';
import { TemporaryWorkspace } from './workspace.js';

/** The result of several killed `index --embed`. */
interface EmbedReport {
  readonly rounds: number;
  readonly killed: number;
  /** Killed runs that had stored some of their vectors, but not all. */
  readonly partial: number;
  /** Texts that need a vector, and those that have one in the end. Must be equal. */
  readonly texts: number;
  readonly stored: number;
  /** Texts sent to the model although their vectors were stored. Must be empty. */
  readonly again: readonly string[];
  /** Texts sent again because they were in flight during a kill. At most 32 for each kill. */
  readonly repeated: number;
}

/**
 * Kills `index --embed` at its writing calls while logs are added, then lets it finish: a stored text is never embedded
 * again, and in the end every text has its vector.
 */
export async function embedRounds(rounds: number, random: () => number): Promise<EmbedReport> {
  const server = await new EmbeddingServer().start();
  const workspace = new TemporaryWorkspace();
  const killer = new Killer(workspace, random);
  const env = { OLLAMA_HOST: server.host };
  try {
    const again = new Set<string>();
    let [killed, partial, files] = [0, 0, 0];
    let stored = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      writeLogs(workspace, files, FILES_A_ROUND, inLetters);
      files += FILES_A_ROUND;
      await workspace.run(['index']);
      const sent = server.inputs.length;
      const result = await killer.run(['index', '--embed'], { env });
      for (const input of server.inputs.slice(sent)) if (stored.has(hashOf(input))) again.add(input);
      const before = stored.size;
      stored = storedHashes(workspace);
      if (!result.killed) continue;
      killed++;
      partial += Number(stored.size > before && stored.size < TEXTS_A_FILE * files);
    }
    await workspace.run(['index', '--embed'], { env });
    const sent = server.inputs.filter(
      (input) => input.startsWith(PREFIX) && !PROBE_ANSWERS.has(input.slice(PREFIX.length)),
    );
    const repeated = sent.length - new Set(sent).size;
    const texts = TEXTS_A_FILE * files;
    return { rounds, killed, partial, texts, stored: storedHashes(workspace).size, again: [...again], repeated };
  } finally {
    killer.dispose();
    workspace.dispose();
    await server.stop();
  }
}

const FILES_A_ROUND = 60;
/** Each log has a line of prose and a fact. */
const TEXTS_A_FILE = 2;
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
