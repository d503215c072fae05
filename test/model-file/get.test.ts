import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prefixScheme } from '../../src/model/embed.js';
import { readAddress } from '../../src/model/file/download.js';
import { MODEL_SOURCES } from '../../src/model/file/sources.js';
import { sourceFiles } from '../support/architecture.js';
import { BIN, childEnv } from '../support/cli.js';
import { EngineDouble, writeEngine } from '../support/model-file/engine-double.js';
import { EMBEDS, gguf } from '../support/model-file/gguf.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const LOG = 'memory/2026-03-12.md';
const SETTINGS = 'memory.config.json5';
const MODEL = Buffer.concat([gguf(), Buffer.alloc(3_000_000, 'numbers ')]);
const HALF = 1_500_000;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const SHA = digest(MODEL);

interface Served {
  content?: Buffer;
  etag?: string;
  /** Without it, the server sends the whole file always. */
  hasRanges?: boolean;
  hasLength?: boolean;
  /** The connection breaks, or sends nothing more, after this many bytes. */
  cutAt?: number | undefined;
  stopAt?: number | undefined;
}

/** A server of one file on this machine. `/to/ADDRESS` redirects to an address, `/hops/N` redirects N times. */
class FileServer {
  readonly asked: { readonly url: string; readonly range: string | undefined; readonly version: string | undefined }[] =
    [];
  private readonly server = createServer((request, response) => this.answer(request, response));
  private url = '';

  constructor(readonly served: Served = {}) {}

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.url = `http://127.0.0.1:${address.port}`;
    onTestFinished(() => {
      this.server.closeAllConnections();
      this.server.close();
    });
    return this;
  }

  at(path: string): string {
    return this.url + path;
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.asked.push({ url, range: headers.range, version: headers['if-range']?.toString() });
    const [, kind, rest = ''] = /^\/(to|hops)\/(.*)$/.exec(url) ?? [];
    const hops = Number(rest);
    const location = kind === 'to' ? rest : hops > 1 ? `/hops/${hops - 1}` : '/model.gguf';
    if (kind !== undefined) return void response.writeHead(302, { location }).end();
    if (url !== '/model.gguf') return void response.writeHead(404).end();
    this.send(headers, response);
  }

  private send({ range, 'if-range': version }: IncomingMessage['headers'], response: ServerResponse): void {
    const { content = MODEL, etag, hasRanges = true, hasLength = true, cutAt, stopAt } = this.served;
    const isPart = hasRanges && range !== undefined && (version === undefined || version === etag);
    const start = isPart ? Number(/\d+/.exec(range)?.[0]) : 0;
    const body = content.subarray(start);
    response.writeHead(isPart ? 206 : 200, {
      ...(etag !== undefined && { etag }),
      ...(isPart && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
      ...(hasLength && { 'content-length': body.length }),
    });
    if (cutAt !== undefined) response.write(body.subarray(0, cutAt), () => response.destroy());
    else if (stopAt !== undefined) response.write(body.subarray(0, stopAt));
    else response.end(body);
  }
}

async function stage(served: Served = {}) {
  const workspace = testWorkspace({ [LOG]: '## Retain\n- W @Peter: bought an automobile from a dealer in Graz\n' });
  const double = new EngineDouble(workspace, { automobile: 'car', vehicle: 'car', purchased: 'bought' });
  const server = await new FileServer(served).start();
  return { workspace, double, server, folder: join(workspace.home, '.local/share/openclaw-memory/models') };
}

const words = (from: string, sha256 = SHA) => ['models', 'get', '--from', from, '--sha256', sha256];
const get = (workspace: TemporaryWorkspace, from: string, sha256 = SHA, ...more: readonly string[]) =>
  workspace.run([...words(from, sha256), '--yes', ...more]);
const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('models get', () => {
  test('downloads a model, tests it, chooses it and allows it', async () => {
    const { workspace, server, folder } = await stage();
    const got = await workspace.json<object>([...words(server.at('/hops/3'), SHA.toUpperCase()), '--yes']);
    const file = join(folder, '3.gguf');
    expect(got).toMatchObject({ file, isNew: true, trial: { dimension: 64 }, vectors: null, warnings: [] });
    expect([filesIn(folder), modeOf(file), digest(readFileSync(file))]).toEqual([['3.gguf'], 0o600, SHA]);
    expect(workspace.read(SETTINGS)).toContain('embedModel: "file:~/.local/share/openclaw-memory/models/3.gguf"');
    await workspace.json(['index', '--embed']);
    expect(await workspace.recall('purchased vehicle', '--mode', 'hybrid')).toMatchObject({ mode: 'hybrid' });
    const again = await workspace.json<object>([...words(server.at('/3')), '--yes']);
    expect(again).toMatchObject({ file, isNew: false });
    expect(server.asked).toHaveLength(4);
  });

  test('at a terminal says size, licence and source, and asks', async () => {
    const { workspace, server, folder } = await stage();
    const from = server.at('/model.gguf');
    const no = await workspace.run(words(from), { typed: '\n' });
    expect([no.code, server.asked, filesIn(folder)]).toEqual([1, [], []]);
    for (const line of [`from       ${from}\n`, 'size       at most 4.00 GB\n', 'licence    unknown', SHA])
      expect(no.stderr).toContain(line);
    const yes = await workspace.run(words(from), { typed: '1\n' });
    expect([yes.code, yes.stdout]).toEqual([
      0,
      expect.stringMatching(/model\.gguf\. Made 1 vectors\.\nmodel +model\.gguf, 64/),
    ]);
    expect(await workspace.recall('purchased vehicle')).toMatchObject({ mode: 'hybrid' });
  });

  test.each([[[]], [['--json']]])('exits with 2 and asks no server where nobody can be asked %j', async (more) => {
    const { workspace, server, folder } = await stage();
    const { code, stderr } = await workspace.run([...words(server.at('/model.gguf')), ...more]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('hint: to agree to it: --yes\n')]);
    expect([server.asked, filesIn(folder)]).toEqual([[], []]);
  });

  test('removes what has another digest', async () => {
    const { workspace, server, folder } = await stage();
    const other = digest(Buffer.from('another file'));
    const { code, stderr } = await get(workspace, server.at('/model.gguf'), other);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`the SHA-256 of what came is ${SHA}, not ${other}`)]);
    expect([filesIn(folder), existsSync(workspace.path(SETTINGS))]).toEqual([[], false]);
  });

  test.each([true, false])('stops at a file that is too large (its length is told: %j)', async (hasLength) => {
    const { workspace, server, folder } = await stage({ hasLength });
    const { code, stderr } = await get(workspace, server.at('/model.gguf'), SHA, '--max-mb', '1');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: the file is larger than 1 MB\n')]);
    expect(filesIn(folder)).toEqual([]);
  });

  test('removes a new file that is no embedding model', async () => {
    const content = gguf({ ...EMBEDS, 'bert.pooling_type': 4 });
    const { workspace, server, folder } = await stage({ content });
    const { code, stderr } = await get(workspace, server.at('/model.gguf'), digest(content));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is a reranker')]);
    expect([filesIn(folder), existsSync(workspace.path(SETTINGS))]).toEqual([[], false]);
  });

  test('copies a file of this machine', async () => {
    const { workspace, folder } = await stage();
    const file = join(workspace.base, 'my model.gguf');
    writeFileSync(file, MODEL);
    expect(await get(workspace, 'my model.gguf')).toMatchObject({ code: 0 });
    expect(filesIn(folder)).toEqual(['my-model.gguf']);
    const named = await workspace.run(['models', 'get', 'bge-m3', '--from', file, '--sha256', SHA, '--yes']);
    expect([named.code, filesIn(folder)]).toEqual([0, ['bge-m3.gguf', 'my-model.gguf']]);
    const known = await workspace.run(['models', 'get', 'multilingual-e5-small', '--from', file, '--yes']);
    expect([known.code, known.stderr]).toEqual([1, expect.stringContaining('not 132439008')]);
    expect(await get(workspace, 'nowhere.gguf')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not exist'),
    });
  });
});

describe('a download that is stopped', () => {
  test('goes on where the connection broke', async () => {
    const { workspace, server, folder } = await stage({ etag: '"one"', cutAt: HALF });
    const { code, stderr } = await get(workspace, server.at('/model.gguf'));
    expect([code, stderr]).toEqual([3, expect.stringContaining('hint: run the same command again: it goes on')]);
    const part = join(folder, 'model.gguf.part');
    const came = statSync(part).size;
    expect([came > 0 && came <= HALF, modeOf(part), existsSync(join(folder, 'model.gguf'))]).toEqual([
      true,
      0o600,
      false,
    ]);
    server.served.cutAt = undefined;
    expect(await get(workspace, server.at('/model.gguf'))).toMatchObject({ code: 0 });
    expect(server.asked[1]).toEqual({ url: '/model.gguf', range: `bytes=${came}-`, version: '"one"' });
    expect(filesIn(folder)).toEqual(['model.gguf']);
  });

  test.each([{ etag: '"two"' }, { hasRanges: false }])('begins again where the server has %j', async (then) => {
    const { workspace, server } = await stage({ etag: '"one"', cutAt: HALF });
    await get(workspace, server.at('/model.gguf'));
    Object.assign(server.served, { cutAt: undefined, ...then });
    expect(await get(workspace, server.at('/model.gguf'))).toMatchObject({ code: 0 });
  });

  test('begins again for another file of the same name', async () => {
    const { workspace, server } = await stage({ cutAt: HALF });
    await get(workspace, server.at('/model.gguf'));
    const content = Buffer.concat([gguf(), Buffer.alloc(2_000_000, 'others ')]);
    Object.assign(server.served, { cutAt: undefined, content });
    expect(await get(workspace, server.at('/model.gguf'), digest(content))).toMatchObject({ code: 0 });
    expect(server.asked.at(-1)?.range).toBeUndefined();
  });

  test('goes on after its process was killed', async () => {
    const { workspace, server, folder } = await stage({ stopAt: HALF });
    const from = server.at('/model.gguf');
    const { args, options } = workspace.command([...words(from), '--yes']);
    const child = spawn(process.execPath, [BIN, 'memory', ...args], {
      env: childEnv(options.env ?? {}),
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const part = join(folder, 'model.gguf.part');
    await expect.poll(() => (existsSync(part) ? statSync(part).size : 0), { timeout: 20_000 }).toBe(HALF);
    child.kill('SIGKILL');
    await ended;
    server.served.stopAt = undefined;
    expect(await get(workspace, from)).toMatchObject({ code: 0 });
    expect(server.asked.at(-1)?.range).toBe(`bytes=${HALF}-`);
    expect(digest(readFileSync(join(folder, 'model.gguf')))).toBe(SHA);
  });

  test('ends when the server sends nothing more, and at Ctrl-C', async () => {
    const { workspace, server, folder } = await stage({ stopAt: HALF });
    workspace.modelWaitMs = 300;
    const { code, stderr } = await get(workspace, server.at('/model.gguf'));
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/broke off after 1500000 bytes: it sent nothing for 0\.3 s/),
    ]);
    workspace.modelWaitMs = undefined;
    const running = get(workspace, server.at('/model.gguf'));
    await expect.poll(() => server.asked.length).toBe(2);
    process.emit('SIGINT');
    expect(await running).toMatchObject({ code: 1, stderr: expect.stringContaining('the download was interrupted') });
    expect(statSync(join(folder, 'model.gguf.part')).size).toBeGreaterThanOrEqual(HALF);
  });
});

describe('an address', () => {
  test.each([
    ['/hops/4', 1, /redirects more than 3 times/],
    ['/to/http://192.0.2.1/model.gguf', 1, /redirects to http:\/\/192\.0\.2\.1, which is not allowed/],
    ['/to/file:///etc/passwd', 1, /which is not allowed/],
    ['/away', 3, /answered with status 404 and sent no file\nhint: .*--from FILE/],
  ])('%s is refused with %i', async (path, exit, message) => {
    const { workspace, server, folder } = await stage();
    const { code, stderr } = await get(workspace, server.at(path));
    expect([code, stderr]).toEqual([exit, expect.stringMatching(message)]);
    expect(filesIn(folder)).toEqual([]);
  });

  test.each(['http://192.0.2.1/model.gguf', 'ftp://127.0.0.1/model.gguf', 'https://'])(
    '%s is wrong usage',
    async (from) => {
      const { workspace } = await stage();
      expect(await get(workspace, from)).toMatchObject({ code: 2, stderr: expect.stringContaining('hint: use https') });
    },
  );

  test('of another machine may not lead to a server of this one', () => {
    const far = new URL('https://models.example/model.gguf');
    expect(readAddress('https://files.example/x', far).host).toBe('files.example');
    for (const to of ['http://127.0.0.1:11434/', 'https://localhost/x', 'http://[::1]/', 'http://files.example/x'])
      expect(() => readAddress(to, far), to).toThrow('which is not allowed');
  });
});

describe('the known models', () => {
  test('are named where another is asked for, and the first is proposed', async () => {
    const { workspace } = await stage();
    const unknown = await workspace.run(['models', 'get', 'word2vec', '--yes']);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/multilingual-e5-small, .*; or: .*--from FILE\|URL/),
    });
    const { code, stderr } = await workspace.run(['models', 'get']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^from +https:.*e5-small.*\n.*\nsize +132\.4 MB\nlicence +MIT\n/),
    ]);
    const noDigest = await workspace.run(['models', 'get', '--from', 'x.gguf', '--yes']);
    expect(noDigest).toMatchObject({ code: 2, stderr: expect.stringContaining('--from needs --sha256') });
  });

  test.each(MODEL_SOURCES)('$name names one version of a file, whose form is known', ({ address, sha256, bytes }) => {
    expect(readAddress(address).pathname).toMatch(/\/resolve\/[0-9a-f]{40}\/[\w.-]+\.gguf$/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(bytes).toBeGreaterThan(1e8);
    expect(prefixScheme(address).name).not.toBe('plain');
  });
});

test('the engine comes first: without it, nothing else is downloaded', async () => {
  const { server } = await stage();
  const workspace = testWorkspace({ [LOG]: '- W @Anna: resides near the river\n' });
  const bin = join(workspace.base, 'bin');
  mkdirSync(bin);
  const npm = (lines: string) => writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}` };
  npm('echo "npm error network: no way out" >&2; exit 1');
  const asked = [...words(server.at('/model.gguf')), '--yes'];
  const failed = await workspace.run(asked, { env });
  expect([failed.code, failed.stderr, server.asked]).toEqual([3, expect.stringContaining('no way out'), []]);
  expect(failed.stderr).toContain('engine     node-llama-cpp, downloaded with npm (30 MB)\n');
  writeEngine(join(workspace.base, 'fetched'));
  npm(`cp -r "${workspace.base}/fetched/node_modules" .`);
  expect(await workspace.run(asked, { env })).toMatchObject({ code: 0 });
});

test('no part of the program but this command downloads a file', () => {
  const users = sourceFiles().filter(({ source }) => /file\/download\.js'|\.\/download\.js'/.test(source));
  expect(users.map(({ path }) => path)).toEqual(['cli/commands/models/get.ts']);
});
