/**
 * Our plugin inside the real host: `OPENCLAW_HOST=/path/to/openclaw npm run host`. It takes minutes, and leaves nothing
 * behind: home, workspace and settings are of a temporary folder. Node 24 runs the host, ours runs under this one.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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

const host = process.env.OPENCLAW_HOST;
if (host === undefined) {
  process.stderr.write('error: which host? set OPENCLAW_HOST to the path of its openclaw\n');
  process.exit(2);
}
const base = mkdtempSync(join(tmpdir(), 'openclaw-memory-host-'));
const workspace = join(base, 'workspace');
const bins = join(base, 'bin');
mkdirSync(bins);
symlinkSync(resolve(host), join(bins, 'openclaw'));
const env = { ...process.env, HOME: base, PATH: `${bins}:${dirname(process.execPath)}:/usr/bin:/bin` };
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

/** A turn of the person, and what the model was asked in it. */
async function turn(message: string) {
  const from = server.asked.length;
  const ended = await openclaw('agent', '--local', '--session-key', 'agent:main:main', '--message', message);
  return { ...ended, asked: server.asked.slice(from) };
}

async function settings(patch: object): Promise<void> {
  const { code, text } = await run(join(bins, 'openclaw'), ['config', 'patch', '--stdin'], JSON.stringify(patch));
  if (code !== 0) throw new Error(text);
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

try {
  await main();
} finally {
  server.close();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = failures === 0 ? 0 : 1;
