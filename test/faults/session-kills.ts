import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listArchives, readArchivedMessages } from '../../src/session/archive/archives.js';
import { sessionPaths } from '../../src/session/log/meta.js';
import { ParsedFiles } from '../../src/session/log/read.js';
import { messageText, type SessionMessage } from '../../src/session/message.js';
import { Session } from '../../src/session/session.js';
import type { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { type KillReport, killing, repeated } from './killer.js';

const SESSION = 'chat';
/** A killed command is repeated, as a user would, but not forever. */
const MOST_TRIES = 4;

/**
 * Kills `session add` and `session commit`. Each batch is added under its own key until it is acknowledged: in the end every
 * message is exactly once in its place in archives and log, each tool result is in the file of its call, `resume` has
 * finished every archive, and the meta file agrees with log and archives.
 */
export function killSessions(rounds: number, random: Random): Promise<KillReport> {
  return killing(new TemporaryWorkspace(), random, async (killer, workspace) => {
    let within = 0;
    const refused: string[] = [];
    const run = async (args: readonly string[], isSpared: boolean, input = ''): Promise<boolean> => {
      const before = sessionFiles(workspace);
      const { killed, code, stderr } = await killer.run(['session', ...args], { input, isSpared });
      if (killed) within += Number(sessionFiles(workspace) !== before);
      else if (code !== 0) refused.push(`${args.join(' ')}: ${stderr}`);
      return killed;
    };
    await workspace.run(['session', 'add', SESSION, '--role', 'user', '--text', 'begin']);
    for (let round = 0; round < rounds; round++) {
      const args = ['add', SESSION, '--stdin', '--idempotency-key', `round-${round}`];
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if (!(await run(args, tries === MOST_TRIES - 1, batch(round)))) break;
      }
      if (round % 3 === 0) continue;
      const keep = String(random.between(0, 5));
      // Some succeed, so that there is something to continue.
      await run(['commit', SESSION, '--keep-recent', keep], round % 5 === 4);
    }
    await run(['resume', SESSION], true);
    const archives = listArchives(sessionPaths(workspace.root, SESSION)).length;
    const broken = [...refused, ...wrongIn(workspace, rounds)];
    return { rounds, killed: killer.killed, broken, counts: { within, archives } };
  });
}

/** Returns the content of the sessions' folder, file by file. */
function sessionFiles({ root }: TemporaryWorkspace): string {
  const folder = join(root, 'sessions');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted() : [];
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return files.map((path) => `${path}\n${readFileSync(path, 'utf8')}`).join('\n');
}

function wrongIn(workspace: TemporaryWorkspace, rounds: number): readonly string[] {
  const paths = sessionPaths(workspace.root, SESSION);
  const archives = listArchives(paths);
  const files = [...archives.map(readArchivedMessages), new ParsedFiles().messages(paths.log)];
  const expected = ['begin', ...Array.from({ length: rounds }, (_, round) => textsOfRound(round)).flat()];
  const found = files.flat().map(textOf);
  const meta = JSON.parse(workspace.read(`sessions/${SESSION}/.meta.json`));
  const metaFits =
    meta.live_count === files.at(-1)?.length &&
    meta.archived_count === found.length - meta.live_count &&
    meta.archives.completed === archives.length;
  return [
    ...difference(found, expected),
    ...repeated(files.flat().map(({ id }) => id)),
    ...files.flatMap(orphans).map((id) => `the result of ${id} is without its call`),
    ...unfinished(workspace, SESSION),
    ...(metaFits ? [] : [`the meta file says ${JSON.stringify(meta)}`]),
  ];
}

function unfinished(workspace: TemporaryWorkspace, session: string): readonly string[] {
  const archives = listArchives(sessionPaths(workspace.root, session));
  return archives.filter(({ state }) => state !== 'completed').map(({ id }) => `${id} is not finished`);
}

function difference(found: readonly string[], expected: readonly string[]): readonly string[] {
  const length = Math.max(found.length, expected.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => found[i] !== expected[i]);
  return at === undefined ? [] : [`message ${at} is "${found[at]}" instead of "${expected[at]}"`];
}

/** A request, a tool call, its result, an answer. */
function batch(round: number): string {
  const [request, , output, answer] = textsOfRound(round);
  const id = `t${round}`;
  return jsonLines([
    { role: 'user', content: request },
    { role: 'assistant', content: [{ type: 'tool_call', id, name: 'bash', input: { round } }] },
    { role: 'tool', content: [{ type: 'tool_result', id, name: 'bash', output }] },
    { role: 'assistant', content: answer },
  ]);
}

function textsOfRound(round: number): readonly string[] {
  return [`request ${round}: fix src/m${round}.ts`, `call ${round}`, `Error: ${round}`, `answer ${round}`];
}

function textOf(message: SessionMessage): string {
  const [part] = message.parts;
  if (part?.type === 'tool_result') return part.output;
  if (part?.type === 'tool_call') return `call ${part.id.slice(1)}`;
  return messageText(message);
}

/** Returns the ids of tool results whose call is not in the same file. */
function orphans(messages: readonly SessionMessage[]): readonly string[] {
  const parts = messages.flatMap((message) => message.parts);
  const called = new Set(parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])));
  return parts.flatMap((part) => (part.type === 'tool_result' && !called.has(part.id) ? [part.id] : []));
}

const TALK = 'talk';
/** On a busy machine the background process of the previous hook may still run; there is no model. */
const NO_LOSS =
  /warning: (?:memories are being saved already by another process|memories were not saved: Ollama is not running at [\d.:]+|memories will not be saved before the next compaction)\n/g;

/**
 * Kills `session import` and the host's hook in turns while a transcript grows: every acknowledged message is there, and no
 * message is ever repeated, out of order, or without its predecessors.
 */
export function killImports(rounds: number, random: Random): Promise<KillReport> {
  return killing(new TemporaryWorkspace(), random, async (killer, workspace) => {
    const transcript = join(workspace.base, 'talk.jsonl');
    const broken: string[] = [];
    let [within, acknowledged] = [0, 0];
    for (let round = 0; round <= rounds; round++) {
      const texts = Array.from({ length: 2 * (round + 1) }, (_, i) => `number ${i} is said, of so many words`);
      writeFileSync(transcript, jsonLines(texts.map(recordOf)));
      const hook_event_name = round % 4 < 2 ? 'Stop' : 'PreCompact';
      const event = { hook_event_name, session_id: TALK, transcript_path: transcript };
      const [args, input] =
        round % 2 === 0 && round < rounds
          ? [['hook', 'claude-code'], JSON.stringify(event)]
          : [['session', 'import', transcript, '--session', TALK], ''];
      const before = sessionFiles(workspace);
      const run = await killer.run(args, { input, isSpared: round === rounds });
      if (run.killed) within += Number(sessionFiles(workspace) !== before);
      else acknowledged++;
      const said = run.stderr.replace(NO_LOSS, '');
      if (!run.killed && (run.code !== 0 || said.includes('warning')))
        broken.push(`${round}: ${run.code} ${run.stderr}`);
      const { archives, live } = new Session(workspace.root, TALK);
      const found = [...archives.flatMap(readArchivedMessages), ...live].map(messageText);
      broken.push(...difference(found, texts.slice(0, run.killed ? found.length : undefined)));
    }
    // Resume finishes archives that a hook left to a background process.
    await workspace.run(['session', 'resume', TALK]);
    broken.push(...unfinished(workspace, TALK));
    return { rounds, killed: killer.killed, broken, counts: { within, acknowledged } };
  });
}

function recordOf(content: string, at: number): unknown {
  const role = at % 2 === 0 ? 'user' : 'assistant';
  const timestamp = new Date(Date.UTC(2026, 2, 1) + at * 1_000).toISOString();
  return { type: role, sessionId: TALK, uuid: `u${at}`, timestamp, message: { role, content } };
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
