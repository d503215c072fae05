import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listArchives, readArchivedMessages } from '../../src/session/archive/archives.js';
import { sessionPaths } from '../../src/session/log/paths.js';
import { messageText } from '../../src/session/message.js';
import { Session } from '../../src/session/session.js';
import { Killer } from './killed.js';
import { filesOf } from './session-kill-rounds.js';
import type { TemporaryWorkspace } from './workspace.js';

/** The result of several killed imports. `broken` must be empty. */
interface ImportKillReport {
  readonly rounds: number;
  readonly killed: number;
  /** Killed runs that had changed the session's files. */
  readonly within: number;
  readonly acknowledged: number;
  readonly broken: readonly string[];
}

const SESSION = 'talk';
/** On a busy machine the background process of the previous hook may still run; there is no model. */
const NO_LOSS =
  /warning: (?:memories are being saved already by another process|memories were not saved: Ollama is not running at [\d.:]+|memories will not be saved before the next compaction)\n/g;

/**
 * Kills `session import` and the host's hook in turns while a transcript grows: every acknowledged message is there, and no
 * message is ever repeated, out of order, or without its predecessors.
 */
export async function importKillRounds(
  workspace: TemporaryWorkspace,
  rounds: number,
  random: () => number,
): Promise<ImportKillReport> {
  const transcript = join(workspace.base, 'talk.jsonl');
  const broken: string[] = [];
  let [killed, within, acknowledged] = [0, 0, 0];
  const killer = new Killer(workspace, random);
  for (let round = 0; round <= rounds; round++) {
    const texts = textsUpTo(round);
    writeFileSync(transcript, texts.map(recordOf).join(''));
    const event = {
      hook_event_name: round % 4 < 2 ? 'Stop' : 'PreCompact',
      session_id: SESSION,
      transcript_path: transcript,
    };
    const [args, input] =
      round % 2 === 0 && round < rounds
        ? [['hook', 'claude-code'], JSON.stringify(event)]
        : [['session', 'import', transcript, '--session', SESSION], ''];
    const before = filesOf(workspace);
    const run = await killer.run(args, { input, isSpared: round === rounds });
    if (run.killed) {
      killed++;
      within += Number(filesOf(workspace) !== before);
    } else acknowledged++;
    const said = run.stderr.replace(NO_LOSS, '');
    if (!run.killed && (run.code !== 0 || said.includes('warning'))) broken.push(`${round}: ${run.code} ${run.stderr}`);
    const found = messagesOf(workspace);
    const expected = texts.slice(0, run.killed ? found.length : undefined);
    if (found.join('\n') !== expected.join('\n'))
      broken.push(`${round}: ${found.length} of ${texts.length}: ${found.slice(-4)}`);
  }
  killer.dispose();
  // Resume finishes archives that a hook left to a background process.
  await workspace.run(['session', 'resume', SESSION]);
  const open = listArchives(sessionPaths(workspace.root, SESSION)).filter(({ state }) => state !== 'completed');
  return {
    rounds,
    killed,
    within,
    acknowledged,
    broken: [...broken, ...open.map(({ id }) => `${id} is not finished`)],
  };
}

function messagesOf({ root }: TemporaryWorkspace): readonly string[] {
  const { archives, live } = new Session(root, SESSION);
  return [...archives.flatMap(readArchivedMessages), ...live].map(messageText);
}

function textsUpTo(round: number): readonly string[] {
  return Array.from({ length: 2 * (round + 1) }, (_, i) => `number ${i} is said, of so many words`);
}

function recordOf(text: string, at: number): string {
  const role = at % 2 === 0 ? 'user' : 'assistant';
  const timestamp = new Date(Date.UTC(2026, 2, 1) + at * 1_000).toISOString();
  const record = { type: role, sessionId: SESSION, uuid: `u${at}`, timestamp, message: { role, content: text } };
  return `${JSON.stringify(record)}\n`;
}
