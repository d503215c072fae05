import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRoute } from '../../src/cli/host.js';
import { BIN, childEnv } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const VERBS = ['recall', 'status', 'index'];

describe('which program handles a command line', () => {
  test.each([
    ['memory recall x', 'us', 'recall x'],
    ['memory status', 'us', 'status'],
    ['memory', 'us', ''],
    ['memory --help', 'us', '--help'],
    ['memory -w /w --json recall x', 'us', '-w /w --json recall x'],
    ['--profile work memory recall x', 'us', '--profile work recall x'],
    ['--profile=work --no-color memory recall x', 'us', '--profile=work --no-color recall x'],
    ['--dev memory recall x', 'us', '--profile dev recall x'],
    ['memory --host status --json', 'host', 'memory status --json'],
    ['--profile work memory --host status', 'host', '--profile work memory status'],
    ['memory promote --apply', 'host', 'memory promote --apply'],
    ['--log-level debug memory recall x', 'host', '--log-level debug memory recall x'],
    ['gateway status', 'host', 'gateway status'],
    ['--profile memory gateway', 'host', '--profile memory gateway'],
    ['--version', 'host', '--version'],
    ['', 'host', ''],
  ])('openclaw %s: %s', (line, to, args) => {
    const words = (text: string) => text.split(' ').filter((word) => word !== '');
    expect(findRoute(words(line), VERBS)).toEqual({ to, args: words(args) });
  });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(program: string, args: readonly string[], path: string, workspace: TemporaryWorkspace) {
  const env = childEnv({
    ...workspace.env,
    PATH: [path, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  });
  const child = spawn(program, [...args], { env, cwd: workspace.base });
  const ended = new Promise<Ended>((resolve) => {
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

const run = (program: string, args: readonly string[], path: string, workspace: TemporaryWorkspace) =>
  start(program, args, path, workspace).ended;

/** Returns a folder with a script that acts as the host. */
function hostFolder(workspace: TemporaryWorkspace, script: string): string {
  const folder = join(workspace.base, 'host-bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'openclaw'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'openclaw'), 0o755);
  return folder;
}

describe('beside a host', () => {
  test('the launcher runs memory commands, and passes all others to the host with words, streams and exit code', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
    const host = hostFolder(workspace, 'echo "host:$*"; cat >&2; exit 7');
    const own = join(workspace.home, 'bin');
    mkdirSync(own, { recursive: true });
    const path = [own, host].join(delimiter);
    const linked = await run(process.execPath, [BIN, 'memory', 'link', '--json'], path, workspace);
    expect(JSON.parse(linked.stdout)).toEqual({
      path: join(own, 'openclaw'),
      written: true,
      host: join(host, 'openclaw'),
    });
    const openclaw = join(own, 'openclaw');
    const ours = await run(openclaw, ['memory', '-w', workspace.root, 'recall', 'Vienna'], path, workspace);
    expect(ours).toMatchObject({ code: 0, stdout: expect.stringContaining('lives in Vienna') });
    const { child, ended } = start(openclaw, ['gateway', 'a b', '--x'], path, workspace);
    child.stdin.end('typed');
    expect(await ended).toEqual({ code: 7, stdout: 'host:gateway a b --x\n', stderr: 'typed' });
    for (const [args, said] of [
      [['memory', '--host', 'status'], 'memory status'],
      [['memory', 'promote'], 'memory promote'],
      [['--version'], '--version'],
    ] as const) {
      const { child: one, ended: end } = start(openclaw, args, path, workspace);
      one.stdin.end();
      expect(await end).toMatchObject({ code: 7, stdout: `host:${said}\n` });
    }
    const again = await run(process.execPath, [BIN, 'memory', 'link', '--json'], path, workspace);
    expect(JSON.parse(again.stdout)).toMatchObject({ written: false });
    const plain = await run(join(own, 'openclaw-memory'), ['-w', workspace.root, 'recall', 'Vienna'], path, workspace);
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('lives in Vienna') });
  });

  test('after an uninstall the name calls the host again, and --remove deletes the launchers', async () => {
    const workspace = testWorkspace();
    const host = hostFolder(workspace, 'echo "host:$*"; exit 7');
    const own = join(workspace.home, 'my bin');
    const second = join(workspace.home, 'second');
    const path = [own, second, host, '/usr/bin', '/bin'].join(delimiter);
    for (const folder of [own, second])
      await run(process.execPath, [BIN, 'memory', 'link', '--dir', folder], path, workspace);
    for (const name of ['openclaw', 'openclaw-memory']) {
      const file = join(own, name);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(dirname(BIN), join(workspace.base, 'gone')));
      writeFileSync(join(second, name), readFileSync(file));
    }
    for (const args of [['--version'], ['memory', 'a b', '*']])
      expect(await run(join(own, 'openclaw'), args, path, workspace)).toEqual({
        code: 7,
        stdout: `host:${args.join(' ')}\n`,
        stderr: '',
      });
    expect(await run(join(own, 'openclaw-memory'), ['recall'], path, workspace)).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('openclaw-memory is gone'),
    });
    const removed = await run(process.execPath, [BIN, 'memory', 'link', '--remove', '--json'], path, workspace);
    expect(JSON.parse(removed.stdout).removed).toHaveLength(4);
    expect([existsSync(join(own, 'openclaw')), existsSync(join(host, 'openclaw'))]).toEqual([false, true]);
  });

  test('link accepts launchers that an installer has created', async () => {
    const workspace = testWorkspace();
    const own = join(workspace.home, 'bin');
    mkdirSync(own);
    for (const name of ['openclaw', 'openclaw-memory']) symlinkSync(join(dirname(BIN), `${name}.js`), join(own, name));
    const path = [own, hostFolder(workspace, 'echo host')].join(delimiter);
    const { code, stdout } = await run(process.execPath, [BIN, 'memory', 'link', '--json'], path, workspace);
    expect([code, JSON.parse(stdout).written]).toEqual([0, false]);
  });

  test('a signal reaches the host, and the exit code is that of the host', async () => {
    const workspace = testWorkspace();
    const host = hostFolder(workspace, 'trap "echo told; exit 9" TERM; echo ready; while :; do sleep 0.05; done');
    const { child, ended } = start(process.execPath, [BIN, 'gateway'], host, workspace);
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await ended).toMatchObject({ code: 9, stdout: 'ready\ntold\n' });
  });

  test('a host that only calls us back is an error, and a link to us is not taken for the host', async () => {
    const workspace = testWorkspace();
    const host = hostFolder(workspace, `exec '${process.execPath}' '${BIN}' "$@"`);
    expect(await run(process.execPath, [BIN, 'gateway'], host, workspace)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('call each other without end'),
    });
    const links = join(workspace.base, 'links');
    mkdirSync(links);
    symlinkSync(BIN, join(links, 'openclaw'));
    expect(await run(process.execPath, [BIN, 'gateway'], links, workspace)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has only the command "memory"'),
    });
    expect(await run(process.execPath, [BIN, 'memory', '--host', 'status'], links, workspace)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('OpenClaw is not on PATH'),
    });
  });
});

describe('link', () => {
  test('never overwrites a file that is not ours', async () => {
    const workspace = testWorkspace();
    const folder = hostFolder(workspace, 'echo host');
    const { code, stderr } = await run(process.execPath, [BIN, 'memory', 'link', '--dir', folder], '/bin', workspace);
    expect([code, stderr]).toEqual([1, expect.stringContaining('was not made by openclaw-memory')]);
    expect(readFileSync(join(folder, 'openclaw'), 'utf8')).toBe('#!/bin/sh\necho host\n');
  });

  test('without a folder of the person before the host in PATH, it uses the usual one and prints the line to add', async () => {
    const workspace = testWorkspace();
    const host = hostFolder(workspace, 'echo host');
    const path = [host, join(workspace.home, 'late')].join(delimiter);
    const { code, stderr } = await run(process.execPath, [BIN, 'memory', 'link'], path, workspace);
    const usual = join(workspace.home, '.local', 'bin');
    expect([code, stderr]).toEqual([0, expect.stringContaining(`export PATH="${usual}:$PATH"`)]);
    for (const name of ['openclaw', 'openclaw-memory']) expect(existsSync(join(usual, name)), name).toBe(true);
    expect(existsSync(join(workspace.home, 'late'))).toBe(false);
    // If the host is in that folder, it stays.
    writeFileSync(join(usual, 'openclaw'), '#!/bin/sh\necho host\n', { mode: 0o755 });
    const other = await run(process.execPath, [BIN, 'memory', 'link', '--json'], usual, workspace);
    expect(JSON.parse(other.stdout).path).toBe(join(workspace.home, '.openclaw-memory', 'bin', 'openclaw'));
    expect(readFileSync(join(usual, 'openclaw'), 'utf8')).toContain('echo host');
    const late = ['memory', 'link', '--dir', join(workspace.home, 'late')];
    expect(await run(process.execPath, [BIN, ...late], path, workspace)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/comes after .*host-bin\/openclaw on PATH/u),
    });
  });
});
