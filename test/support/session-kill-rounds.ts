import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listArchives, readArchivedMessages } from '../../src/session/archive/archives.js';
import { sessionPaths } from '../../src/session/log/paths.js';
import { readMessages } from '../../src/session/log/read.js';
import { messageText, type SessionMessage } from '../../src/session/message.js';
import { Killer } from './killed.js';
import type { TemporaryWorkspace } from './workspace.js';

const SESSION = 'chat';
/** Messages of one round: a request, a tool call, its result, an answer. */
const PER_ROUND = 4;
/** A killed command is repeated, as a user would, but not forever. */
const MOST_TRIES = 4;

/** The result of several killed commands. */
interface SessionKillReport {
  readonly rounds: number;
  readonly killed: number;
  /** Killed runs that had changed the session's files. */
  readonly within: number;
  readonly archives: number;
  /** Error messages of commands that were not killed. Must be empty. */
  readonly refused: readonly string[];
  /** Messages that are not exactly once in their place in archives and log. Must be empty. */
  readonly wrong: readonly string[];
  /** Tool results in another file than their call. Must be 0. */
  readonly cutPairs: number;
  /** Archives that `resume` left unfinished. Must be empty. */
  readonly unfinished: readonly string[];
  /** Whether the meta file agrees with log and archives. */
  readonly metaFits: boolean;
}

/**
 * Kills `session add` and `session commit` at their writing calls. Each batch is added under its own key until it is
 * acknowledged, so in the end all must be there once, complete and in order.
 */
export async function sessionKillRounds(
  workspace: TemporaryWorkspace,
  rounds: number,
  random: () => number,
): Promise<SessionKillReport> {
  let [killed, within] = [0, 0];
  const refused: string[] = [];
  const killer = new Killer(workspace, random);
  const run = async (args: readonly string[], isSpared: boolean, input = ''): Promise<boolean> => {
    const before = filesOf(workspace);
    const result = await killer.run(args, { input, isSpared });
    if (result.killed) {
      killed++;
      within += Number(filesOf(workspace) !== before);
    } else if (result.code !== 0) refused.push(`${args.join(' ')}: ${result.stderr}`);
    return result.killed;
  };
  await workspace.run(['session', 'add', SESSION, '--role', 'user', '--text', 'begin']);
  for (let round = 0; round < rounds; round++) {
    const args = ['session', 'add', SESSION, '--stdin', '--idempotency-key', `round-${round}`];
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if (!(await run(args, tries === MOST_TRIES - 1, batch(round)))) break;
    }
    if (round % 3 === 0) continue;
    const keep = String(Math.floor(random() * 6));
    // Some succeed, so that there is something to continue.
    await run(['session', 'commit', SESSION, '--keep-recent', keep], round % 5 === 4);
  }
  await run(['session', 'resume', SESSION], true);
  killer.dispose();
  return { rounds, killed, within, refused, ...look(workspace, rounds) };
}

/** Returns the content of the session's folder, file by file. */
export function filesOf({ root }: TemporaryWorkspace): string {
  const folder = join(root, 'sessions');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() : [];
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return files.map((path) => `${path}\n${readFileSync(path, 'utf8')}`).join('\n');
}

function look(workspace: TemporaryWorkspace, rounds: number) {
  const paths = sessionPaths(workspace.root, SESSION);
  const archives = listArchives(paths);
  const files = [...archives.map(readArchivedMessages), readMessages(paths.log)];
  const expected = ['begin', ...Array.from({ length: rounds }, (_, round) => textsOfRound(round)).flat()];
  const found = files.flat().map(textOf);
  const meta = JSON.parse(workspace.read(`sessions/${SESSION}/.meta.json`));
  return {
    archives: archives.length,
    wrong: [...differences(found, expected), ...repeated(files.flat().map(({ id }) => id))],
    cutPairs: files.reduce((sum, file) => sum + orphans(file), 0),
    unfinished: archives.filter(({ state }) => state !== 'completed').map(({ id }) => id),
    metaFits:
      meta.live_count === files.at(-1)?.length &&
      meta.archived_count === found.length - meta.live_count &&
      meta.archives.completed === archives.length,
  };
}

function differences(found: readonly string[], expected: readonly string[]): readonly string[] {
  const length = Math.max(found.length, expected.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => found[i] !== expected[i]);
  return at === undefined ? [] : [`message ${at} is "${found[at]}" instead of "${expected[at]}"`];
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

function batch(round: number): string {
  const [request, , output, answer] = textsOfRound(round);
  const id = `t${round}`;
  const messages = [
    { role: 'user', content: request },
    { role: 'assistant', content: [{ type: 'tool_call', id, name: 'bash', input: { round } }] },
    { role: 'tool', content: [{ type: 'tool_result', id, name: 'bash', output }] },
    { role: 'assistant', content: answer },
  ];
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

function textsOfRound(round: number): readonly string[] {
  const texts = [`request ${round}: fix src/m${round}.ts`, `call ${round}`, `Error: ${round}`, `answer ${round}`];
  return texts.slice(0, PER_ROUND);
}

function textOf(message: SessionMessage): string {
  const [part] = message.parts;
  if (part?.type === 'tool_result') return part.output;
  if (part?.type === 'tool_call') return `call ${part.id.slice(1)}`;
  return messageText(message);
}

function orphans(messages: readonly SessionMessage[]): number {
  const called = new Set(messages.flatMap(({ parts }) => parts.flatMap((p) => (p.type === 'tool_call' ? [p.id] : []))));
  return messages.flatMap(({ parts }) => parts).filter((p) => p.type === 'tool_result' && !called.has(p.id)).length;
}
