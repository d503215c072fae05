/**
 * Tests our plugin in the real host. It takes minutes and leaves nothing behind: home, workspace and settings are in a
 * temporary folder. Our program runs under this Node, the host under its own.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTree } from '../support/remove-tree.js';
import { ChatServer, said } from './chat-server.js';

const BIN = fileURLToPath(new URL('../../bin/openclaw-memory.js', import.meta.url));
const FACTS = [
  'W @Peter: lives in Vienna, in the house called The-Castle',
  'W @Anna: keeps the spare keys in the blue drawer',
  'W @Harbor: listens on port 6380 since the move to the new rack',
  'O(c=0.9) @Peter: prefers short replies on WhatsApp',
  'W @Seagull: leaves pier 4 at 09:15',
  'B @Harbor: the outage of March came from a full disk',
  'W @Lena: is allergic to hazelnuts',
  'W @Peter: drives a green bicycle to the office',
];
const QUESTIONS = [
  'Where does Peter live?',
  'Which port does Harbor use?',
  'Where are the spare keys?',
  'How does Peter like replies?',
  'When does the ferry Seagull leave?',
  'Why was there an outage in March?',
  'What must Lena not eat?',
  'How does Peter get to the office?',
  'blue drawer',
  'pier 4',
];

const base = mkdtempSync(join(tmpdir(), 'openclaw-memory-host-'));
const workspace = join(base, 'workspace');
const bins = join(base, 'bin');
mkdirSync(bins);
const env = { ...process.env, HOME: base, PATH: `${bins}:/usr/bin:/bin` };
const server = new ChatServer();
let failures = 0;

function run(program: string, args: readonly string[], input = ''): Promise<{ code: number; text: string }> {
  return new Promise((done) => {
    const child = execFile(
      program,
      [...args],
      { env, cwd: base, maxBuffer: 1e8, timeout: 240_000 },
      (error, out, err) => done({ code: error ? Number(error.code ?? 1) : 0, text: `${out}\n${err}` }),
    );
    child.stdin?.end(input);
  });
}

const openclaw = (...args: readonly string[]) => run(join(bins, 'openclaw'), args);
const ours = (...args: readonly string[]) => run(process.execPath, [BIN, '-w', workspace, ...args]);

function check(what: string, holds: boolean, more = ''): void {
  if (!holds) failures++;
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${what}${holds ? '' : `\n${more.slice(-2_000)}`}\n`);
}

const OWN = 'agent:main:main';

/** Runs a turn of the person, and returns the requests to the model. */
async function turn(message: string, { key = OWN, where = ['--local'] } = {}) {
  const from = server.asked.length;
  const ended = await openclaw('agent', ...where, '--session-key', key, '--message', message);
  return { ...ended, asked: server.asked.slice(from) };
}

interface SessionStatus {
  readonly live_messages: number;
  readonly archives: { readonly completed: number };
  readonly archived_messages: number;
}

/** Returns the number of archives in all sessions, and of messages, live and archived. */
async function counted(): Promise<{ readonly archives: number; readonly messages: number }> {
  const { text } = await ours('session', 'list', '--json');
  const sessions: readonly SessionStatus[] = JSON.parse(text.trim().split('\n')[0] ?? '{}').sessions ?? [];
  const sum = (of: (session: SessionStatus) => number): number =>
    sessions.reduce((total, session) => total + of(session), 0);
  return {
    archives: sum(({ archives }) => archives.completed),
    messages: sum(({ live_messages: live, archived_messages: archived }) => live + archived),
  };
}

/** Polls for the work of a background process. */
async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 60; round++) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return false;
}

async function settings(patch: object): Promise<void> {
  const { code, text } = await run(join(bins, 'openclaw'), ['config', 'patch', '--stdin'], JSON.stringify(patch));
  if (code !== 0) throw new Error(text);
}

/** Checks what only the Gateway does: ends of sessions and compactions. */
async function throughGateway(): Promise<void> {
  const port = await freePort();
  Object.assign(env, { OPENCLAW_GATEWAY_PORT: String(port), OPENCLAW_GATEWAY_TOKEN: 'a-token-of-this-test' });
  const gateway = spawn(
    join(bins, 'openclaw'),
    ['gateway', 'run', '--port', String(port), '--bind', 'loopback', '--allow-unconfigured'],
    { env, cwd: base },
  );
  let said = '';
  for (const stream of [gateway.stdout, gateway.stderr]) stream.on('data', (text: Buffer) => (said += text));
  try {
    check('the Gateway runs', await until(async () => (await openclaw('gateway', 'health')).code === 0), said);
    const first = await turn('My bicycle lock opens with 8123.', { where: [] });
    check('a turn through the Gateway ends', first.code === 0, first.text + said);
    const before = await counted();
    const compact = await openclaw('sessions', 'compact', OWN);
    const compacted = await until(async () => (await counted()).archives > before.archives);
    const after = await counted();
    check(
      'a compaction of the host archives what was said, each message once',
      compacted && after.messages === before.messages,
      compact.text + JSON.stringify([before, after]),
    );
    const from = server.asked.length;
    const next = await turn('The ferry to Hvar leaves at 07:40.', { where: [] });
    // The host may answer before its run has ended, and another process adds the turn.
    const isCaptured = await until(async () => (await counted()).messages >= after.messages + 2);
    const now = await counted();
    check(
      'after a compaction a turn is captured, once',
      isCaptured && now.messages === after.messages + 2,
      said + JSON.stringify([after, now]),
    );
    const prompt = JSON.stringify(server.asked.slice(from));
    check(
      'after a compaction the prompt holds the Working Memory',
      prompt.includes('Where this session stands') && prompt.includes('lock opens with 8123'),
      next.text + prompt,
    );
    await openclaw('gateway', 'call', 'sessions.reset', '--params', JSON.stringify({ key: OWN, reason: 'new' }));
    const ended = await until(async () => (await counted()).archives > after.archives);
    check('what was said is archived when the session ends', ended, JSON.stringify(await counted()) + said);
  } finally {
    const stopped = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    await stopped;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function main(): Promise<void> {
  const baseUrl = await server.listen();
  await run(process.execPath, [BIN, 'init', workspace]);
  await ours('retain', ...FACTS);
  const model = { id: 'one', name: 'one', contextWindow: 128_000, maxTokens: 4_096, input: ['text'] };
  const fake = { baseUrl, apiKey: 'x', api: 'openai-completions', models: [model] };
  await settings({
    agents: { defaults: { workspace, model: { primary: 'fake/one' } } },
    models: { mode: 'merge', providers: { fake } },
  });

  const written = await ours('hooks', 'openclaw', '--write');
  check('it is installed', written.code === 0, written.text);
  const shown = await openclaw('plugins', 'inspect', 'openclaw-memory', '--runtime');
  check(
    'it loads, with its hooks and tools',
    /Status: loaded[\s\S]*before_prompt_build[\s\S]*bank_recall/u.test(shown.text),
    shown.text,
  );
  check('it is listed without a warning', !/blocked|can't verify|must declare|ignored/u.test(shown.text), shown.text);

  const first = await turn('Where does Peter live? My locker is number 4711.');
  const request = JSON.stringify(first.asked[0] ?? '');
  check('a turn ends with an answer', first.code === 0 && first.text.includes('Noted.'), first.text);
  check('a turn injects', request.includes('<openviking-context>') && request.includes('lives in Vienna'), request);
  check(
    'the tools are in the request',
    (first.asked[0]?.tools ?? []).some((tool) => tool.function.name === 'bank_recall'),
    request,
  );
  const kept = await ours('session', 'list', '--json');
  const log = await ours('recall', 'locker 4711', '--json');
  const [session] = JSON.parse(kept.text.trim().split('\n')[0] ?? '{}').sessions ?? [];
  const found = await ours('session', 'search', String(session?.id ?? session?.session), 'locker 4711', '--json');
  check(
    'a turn is captured, once, without what was injected',
    /"found":\s*1/u.test(found.text),
    kept.text + found.text + log.text,
  );

  const called = await turn('Look it up. [[call bank_recall {"query":"which port does Harbor use?","k":1}]]');
  const answer = called.asked.flatMap(({ messages }) => messages).find(({ role }) => role === 'tool');
  check(
    'the model calls a tool and reads its answer',
    said(answer?.content).includes('6380'),
    JSON.stringify(called.asked),
  );

  const twice = await counted();
  check('what the host tells again is not captured again', twice.messages === 6, JSON.stringify(twice));
  const all = await turn(
    'Look everywhere. [[call tool_call {"id":"memory_search","args":{"query":"blue drawer","corpus":"all"}}]]',
  );
  const everything = all.asked.flatMap(({ messages }) => messages).filter(({ role }) => role === 'tool');
  check(
    'the host’s own search of everything has our lines',
    said(everything.at(-1)?.content).includes('spare keys'),
    JSON.stringify(everything),
  );
  check(
    'the system prompt says what the bank is for',
    JSON.stringify(all.asked[0]?.messages).includes('ask bank_recall'),
    JSON.stringify(all.asked[0]?.messages),
  );
  const before = await counted();
  const group = await turn('Where does Peter live? I have a cold.', { key: 'agent:main:telegram:group:7' });
  const told = JSON.stringify(group.asked);
  check(
    'a group chat gets nothing and gives nothing',
    group.code === 0 && !/openviking-context|bank_recall/u.test(told) && (await counted()).messages === before.messages,
    told.slice(0, 1_000),
  );

  await throughGateway();

  const killed = join(base, 'killed.js');
  writeFileSync(killed, 'process.kill(process.pid, "SIGKILL");\n');
  await settings({ plugins: { entries: { 'openclaw-memory': { config: { bin: killed } } } } });
  const dead = await turn('Where does Anna keep the keys?');
  check(
    'a command line that is killed changes nothing for the host',
    dead.code === 0 && dead.text.includes('Noted.'),
    dead.text,
  );

  await openclaw('memory', 'index');
  process.stdout.write('\nquestion | the host | ours\n');
  for (const question of QUESTIONS) {
    const theirs = await openclaw('memory', 'search', question, '--json');
    const answers = await ours('recall', question, '--k', '1', '--json');
    const mine = JSON.parse(answers.text.trim().split('\n')[0] ?? '{}').results?.[0];
    const list = /\{[\s\S]*\}/u.exec(theirs.text)?.[0];
    const hit = list === undefined ? undefined : JSON.parse(list).results?.[0];
    const place = hit === undefined ? 'nothing' : `${hit.path}:${hit.startLine}-${hit.endLine}`;
    process.stdout.write(`${question} | ${place} | ${mine?.source} ${mine?.content}\n`);
  }

  const removed = await ours('hooks', 'openclaw', '--remove');
  const after = await openclaw('plugins', 'list', '--json');
  check(
    'it is removed',
    removed.code === 0 && !after.text.includes('dist/plugin'),
    removed.text + after.text.slice(-500),
  );
}

/**
 * Tests the plugin in a host.
 * @param host its program
 * @param node the folder of the Node that runs it
 * @returns the number of failed checks
 */
export async function checkPlugin(host: string, node: string): Promise<number> {
  symlinkSync(resolve(host), join(bins, 'openclaw'));
  env.PATH = `${bins}:${node}:${dirname(process.execPath)}:/usr/bin:/bin`;
  try {
    await main();
  } finally {
    server.close();
    removeTree(base);
  }
  return failures;
}
