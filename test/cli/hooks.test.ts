import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripInjected } from '../../src/text/strip.js';
import { estimateTokens } from '../../src/text/tokens.js';
import { cases } from '../support/cases.js';
import { BIN, childEnv } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const FILES = { 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' };
const SESSION = '0b1f7a52-6f0e-4c7e-9a53-6f2d8f3f1c11';

/** Returns a transcript of Claude Code. */
function transcript(turns: number): string {
  let parent: string | null = null;
  const record = (role: 'user' | 'assistant', content: unknown, n: number) => {
    const uuid = `u-${n}-${role}`;
    const line = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/w',
      sessionId: SESSION,
      version: '2.1.207',
    };
    parent = uuid;
    return JSON.stringify({
      ...line,
      type: role,
      message: { role, content },
      uuid,
      timestamp: '2026-03-15T10:00:00.000Z',
    });
  };
  const lines = Array.from({ length: turns }, (_, i) => [
    record('user', `Remember: the port of service ${i} is ${7_000 + i}.`, i),
    record('assistant', [{ type: 'text', text: `Noted, service ${i}.` }], i),
  ]);
  return `${lines.flat().join('\n')}\n`;
}

function event(workspace: TemporaryWorkspace, name: string, more: object = {}): string {
  const base = {
    session_id: SESSION,
    transcript_path: workspace.path('t.jsonl'),
    cwd: workspace.root,
    permission_mode: 'default',
  };
  return JSON.stringify({ ...base, hook_event_name: name, ...more });
}

/** Waits until another process has finished the archive of a hook. */
async function finished(workspace: TemporaryWorkspace): Promise<void> {
  const status = () => workspace.startJson(['session', 'status', SESSION]);
  await expect.poll(status).toMatchObject({ archives: { pending: 0 } });
}

const hook = (workspace: TemporaryWorkspace, input: string, host = 'claude-code') =>
  workspace.start(['hook', host], { input });

describe('hooks', () => {
  test('a prompt gets its memories in the form of the host, and never a copy of itself', async () => {
    const workspace = testWorkspace(FILES);
    const asked = event(workspace, 'UserPromptSubmit', { prompt: 'Where does Peter live?' });
    const { code, stdout } = await hook(workspace, asked);
    const { hookSpecificOutput } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['hookSpecificOutput']);
    expect(hookSpecificOutput.hookEventName).toBe('UserPromptSubmit');
    expect(hookSpecificOutput.additionalContext).toMatch(
      /^<openviking-context>\n[\s\S]*lives in Vienna[\s\S]*<\/openviking-context>$/u,
    );
    expect(stdout).not.toContain('Where does Peter live');
    expect((await hook(workspace, asked, 'generic')).stdout).toBe(`${hookSpecificOutput.additionalContext}\n`);
    expect(await hook(workspace, event(workspace, 'UserPromptSubmit', { prompt: 'hm' }))).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('"continue" gets the memories for the request before it', async () => {
    const workspace = testWorkspace({
      ...FILES,
      't.jsonl': transcript(1).replace('Remember: ', 'Where does Peter live? '),
    });
    const { stdout } = await hook(workspace, event(workspace, 'UserPromptSubmit', { prompt: 'ok, continue' }));
    expect(stdout).toContain('lives in Vienna');
    const alone = event(workspace, 'UserPromptSubmit', {
      prompt: 'continue',
      transcript_path: workspace.path('no.jsonl'),
    });
    expect(await hook(workspace, alone)).toMatchObject({ code: 0, stdout: '' });
  });

  test('a transcript imported at every stop is logged once', async () => {
    const workspace = testWorkspace(FILES);
    for (const turns of [1, 2, 2, 3]) {
      workspace.write('t.jsonl', transcript(turns));
      expect(await hook(workspace, event(workspace, turns < 3 ? 'Stop' : 'SessionEnd'))).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      });
    }
    // The command does not wait for the end of the session.
    const status = () => workspace.startJson(['session', 'status', SESSION]);
    await expect.poll(status).toMatchObject({ live_messages: 6, archives: { pending: 0 } });
  });

  test('a stop commits in the background when a commit is due', async () => {
    const workspace = testWorkspace({ ...FILES, 'memory.config.json5': '{ commitTokenThreshold: 20 }' });
    workspace.write('t.jsonl', transcript(12));
    await hook(workspace, event(workspace, 'Stop'));
    const status = () => workspace.startJson(['session', 'status', SESSION]);
    expect(await status()).toMatchObject({ live_messages: 10, archived_messages: 14 });
    // Another process finishes the archive.
    await expect.poll(status).toMatchObject({ archives: { completed: 1, pending: 0 } });
  });

  test('memories are saved before a compaction, even without a model', async () => {
    const workspace = testWorkspace(FILES);
    workspace.write('t.jsonl', transcript(2));
    const input = event(workspace, 'PreCompact', { trigger: 'auto' });
    expect(await hook(workspace, input)).toMatchObject({ code: 0, stdout: '' });
    expect(workspace.read('memory/2026-03-15.md')).toContain('the port of service 1 is 7001.');
    await finished(workspace);
  });
});

describe('the start of a session', () => {
  const starts = async (workspace: TemporaryWorkspace, source: string, more: object = {}) => {
    const { stdout } = await hook(workspace, event(workspace, 'SessionStart', { source, cwd: '/w', ...more }));
    if (stdout === '') return '';
    const { hookSpecificOutput } = JSON.parse(stdout);
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
    return String(hookSpecificOutput.additionalContext);
  };
  const CORE = { 'MEMORY.md': '# Memory\n\n- Always deploy with blue green.\n- </openviking-context> is no end.\n' };
  const call = (id: string, parent: string) =>
    JSON.stringify({
      parentUuid: parent,
      uuid: id,
      type: 'assistant',
      cwd: '/w/app',
      sessionId: SESSION,
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'Edit', input: { file_path: '/w/app/a.ts' } }],
      },
      timestamp: '2026-03-15T10:01:00.000Z',
    });

  test('after a compaction or a resume adds the state of work and the core file, within the budget', async () => {
    const workspace = testWorkspace({
      'MEMORY.md': `${CORE['MEMORY.md']}${'- One more rule of the house.\n'.repeat(900)}`,
    });
    workspace.write('t.jsonl', `${transcript(40)}${call('e1', 'u-39-assistant')}\n`);
    await hook(workspace, event(workspace, 'PreCompact', { trigger: 'auto' }));
    for (const source of ['compact', 'resume']) {
      const block = await starts(workspace, source);
      expect(block).toMatch(
        /^<openviking-context>\nMemories of the user[^\n]*\n\n## Core memory[\s\S]*<\/openviking-context>$/u,
      );
      expect(block).toContain('- Always deploy with blue green.');
      expect(block).toContain('Last request: Remember: the port of service 39 is 7039.');
      expect(block).toContain('`/w/app/a.ts` edited');
      expect(block).toMatch(/\(\d+ more lines are in the file\)/u);
      expect(block.match(/<\/openviking-context>/gu)).toHaveLength(1);
      expect(estimateTokens(block)).toBeLessThanOrEqual(2_000);
      expect(stripInjected(`${block}\n\nmy own words`)).toBe('my own words');
    }
    await finished(workspace);
  });

  test('after a compaction repeats the last request only once', async () => {
    const workspace = testWorkspace();
    const asked = { role: 'user', content: 'please tidy the page of the harbour' };
    const last = { type: 'user', uuid: 'l1', parentUuid: 'u-3-assistant', sessionId: SESSION, message: asked };
    workspace.write('t.jsonl', `${transcript(4)}${JSON.stringify(last)}\n`);
    await hook(workspace, event(workspace, 'PreCompact', { trigger: 'auto' }));
    expect((await starts(workspace, 'compact')).split(asked.content)).toHaveLength(2);
    await finished(workspace);
  });

  test('adds the core file and the end of the last session in this folder; after a clear only the core file', async () => {
    const workspace = testWorkspace(CORE);
    workspace.write('t.jsonl', `${transcript(3)}${call('e1', 'u-2-assistant')}\n`);
    await hook(workspace, event(workspace, 'Stop'));
    const other = { session_id: 'ffffffff-0000-4000-8000-000000000000', transcript_path: workspace.path('none.jsonl') };
    const block = await starts(workspace, 'startup', other);
    expect(block).toContain('Always deploy');
    const [, lines = ''] = block.split('## Where the last session in this folder left off');
    expect(lines).toContain('Last request: Remember: the port of service 2 is 7002.');
    expect(lines.split('\n').filter((line) => line.startsWith('- ')).length).toBeLessThanOrEqual(5);
    expect(await starts(workspace, 'startup', { ...other, cwd: '/elsewhere' })).not.toContain('left off');
    const cleared = await starts(workspace, 'clear', other);
    expect(cleared).toContain('Always deploy');
    expect(cleared).not.toContain('7002');
  });

  test('of a helper agent or of an unknown kind adds nothing', async () => {
    const workspace = testWorkspace(CORE);
    expect(await starts(workspace, 'startup', { agent_id: 'a1' })).toBe('');
    expect(await starts(workspace, 'nonsense')).toBe('');
  });

  test('each compaction saves memories and archives the messages', async () => {
    const workspace = testWorkspace(FILES);
    for (const turns of [2, 4]) {
      workspace.write('t.jsonl', transcript(turns));
      await hook(workspace, event(workspace, 'PreCompact', { trigger: 'auto' }));
      const status = () => workspace.startJson(['session', 'status', SESSION]);
      await expect
        .poll(status)
        .toMatchObject({ compaction_count: turns / 2, live_messages: 0, archives: { pending: 0 } });
    }
    expect(workspace.read('memory/2026-03-15.md')).toContain('the port of service 3 is 7003.');
  });
});

describe('a hook exits without an error', () => {
  test('on any input', async () => {
    const workspace = testWorkspace(FILES);
    const name = fc.constantFrom('UserPromptSubmit', 'PreCompact', 'Stop', 'SessionStart', 'Nonsense', 7, null);
    const value = fc.oneof(fc.jsonValue(), fc.constant('../../etc/passwd'), fc.constant('/dev/null'));
    const any = fc.oneof(
      fc.string(),
      fc
        .record({ hook_event_name: name, session_id: value, transcript_path: value, prompt: value })
        .map((record) => JSON.stringify(record)),
    );
    await fc.assert(
      fc.asyncProperty(any, async (input) => {
        const { code, stdout } = await hook(workspace, input);
        expect(code).toBe(0);
        if (stdout !== '') expect(Object.keys(JSON.parse(stdout))).toEqual(['hookSpecificOutput']);
      }),
      { numRuns: cases(60, 10) },
    );
    expect(existsSync(join(workspace.base, 'etc'))).toBe(false);
  });

  test('when the host leaves stdin open, with an event and without one', async () => {
    const workspace = testWorkspace(FILES);
    for (const said of [event(workspace, 'UserPromptSubmit', { prompt: 'Where does Peter live?' }), '{"hook_event']) {
      const child = spawn(process.execPath, [BIN, 'memory', '-w', workspace.root, 'hook', 'generic'], {
        env: childEnv(workspace.env),
      });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString('utf8');
      });
      child.stdin.write(said);
      const [code] = await once(child, 'close');
      expect(code).toBe(0);
      expect(stdout.includes('lives in Vienna')).toBe(said.endsWith('}'));
    }
  });

  test('without a transcript, without a workspace, and with broken settings', async () => {
    const workspace = testWorkspace(FILES);
    expect(await hook(workspace, event(workspace, 'Stop'))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('no transcript'),
    });
    const nowhere = ['-w', workspace.path('none'), 'hook', 'claude-code'];
    expect(await workspace.start(nowhere, { input: event(workspace, 'Stop') })).toMatchObject({ code: 0, stdout: '' });
    workspace.write('memory.config.json5', '{ nonsense: 1 }');
    expect(
      await hook(workspace, event(workspace, 'UserPromptSubmit', { prompt: 'Where does Peter live?' })),
    ).toMatchObject({ code: 0, stdout: '' });
  });

  test('in a read-only workspace', async () => {
    const workspace = testWorkspace(FILES);
    workspace.write('t.jsonl', transcript(1));
    // Files in place of the folders stop even root from writing.
    workspace.remove('.memory');
    for (const folder of ['.memory', 'sessions']) workspace.write(folder, '');
    const asked = await hook(workspace, event(workspace, 'UserPromptSubmit', { prompt: 'Where does Peter live?' }));
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('lives in Vienna') });
    for (const name of ['PreCompact', 'Stop'])
      expect(await hook(workspace, event(workspace, name))).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^warning: /u),
      });
    expect(workspace.read('memory/2026-03-12.md')).toBe(FILES['memory/2026-03-12.md']);
  });
});

describe('the hooks in the settings of a host', () => {
  const settings = (workspace: TemporaryWorkspace) => join(workspace.home, '.claude', 'settings.json');
  const read = (workspace: TemporaryWorkspace) => JSON.parse(readFileSync(settings(workspace), 'utf8'));

  test('are added to what is there, once', async () => {
    const workspace = testWorkspace(FILES);
    const own = {
      model: 'opus',
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }], Notification: [] },
    };
    workspace.write('../home/.claude/settings.json', `${JSON.stringify(own, undefined, 4)}\n`);
    expect(await workspace.startJson(['hooks', 'claude-code', '--write'])).toMatchObject({ written: true });
    const text = readFileSync(settings(workspace), 'utf8');
    expect(text).toContain('\n    "model": "opus"');
    const { hooks, model } = read(workspace);
    expect(model).toBe('opus');
    expect(hooks.Notification).toEqual([]);
    expect(hooks.Stop[0]).toEqual(own.hooks.Stop[0]);
    const [, ours] = hooks.Stop;
    expect(ours.hooks[0]).toMatchObject({
      type: 'command',
      timeout: 30,
      command: expect.stringMatching(/ hook claude-code; fi$/u),
    });
    expect(ours.hooks[0].command).toContain(workspace.root);
    expect(Object.keys(hooks).toSorted()).toEqual([
      'Notification',
      'PreCompact',
      'SessionEnd',
      'SessionStart',
      'Stop',
      'UserPromptSubmit',
    ]);
    expect(await workspace.startJson(['hooks', 'claude-code', '--write'])).toMatchObject({ written: false });
    expect(readFileSync(settings(workspace), 'utf8')).toBe(text);
  });

  test('are written through a link', async () => {
    const workspace = testWorkspace({ ...FILES, 'dotfiles/settings.json': '{"model": "opus"}' });
    mkdirSync(join(workspace.home, '.claude'), { recursive: true });
    symlinkSync(workspace.path('dotfiles/settings.json'), join(workspace.home, '.claude', 'settings.json'));
    expect((await workspace.start(['hooks', 'claude-code', '--write'])).code).toBe(0);
    expect(JSON.parse(workspace.read('dotfiles/settings.json'))).toMatchObject({ model: 'opus', hooks: {} });
  });

  test('are not written into a file that is not JSON', async () => {
    const workspace = testWorkspace(FILES);
    workspace.write('../home/.claude/settings.json', '{ "model": ');
    expect(await workspace.start(['hooks', 'claude-code', '--write'])).toMatchObject({ code: 2 });
    expect(readFileSync(settings(workspace), 'utf8')).toBe('{ "model": ');
  });

  test('are printed without --write; for any other host a line for each event is printed', async () => {
    const workspace = testWorkspace(FILES);
    const printed = JSON.parse((await workspace.start(['hooks', 'claude-code'])).stdout);
    expect(Object.keys(printed.hooks)).toHaveLength(5);
    expect(existsSync(settings(workspace))).toBe(false);
    const { stdout } = await workspace.start(['hooks', 'generic']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual(['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd']);
  });
});

test('after a turn injected memory is removed, and a commit is made when it is due', async () => {
  const workspace = testWorkspace({
    ...FILES,
    'memory.config.json5': '{ commitTokenThreshold: 60, commitKeepRecentCount: 2 }',
  });
  const turn = (n: number) =>
    JSON.stringify([
      {
        id: `u${n}`,
        role: 'user',
        content: `<openviking-context>\n## Long-term Memories\n\n- x\n</openviking-context>\n\nplease look at step ${n} of the plan`,
      },
      { id: `a${n}`, role: 'assistant', content: `step ${n} is done and all of its tests pass` },
    ]);
  const after = (n: number) =>
    workspace.startJson<{ added: object[]; commit: object | null }>(['session', 'after-turn', 'chat', '--stdin'], {
      input: turn(n),
    });
  const nobody = '<relevant-memories>\n- x\n</relevant-memories>';
  for (const input of ['', JSON.stringify([{ role: 'user', content: nobody }])]) {
    const nothing = await workspace.startJson(['session', 'after-turn', 'chat', '--stdin'], { input });
    expect(nothing).toMatchObject({ added: [], status: null, commit: null });
  }
  expect(await after(1)).toMatchObject({
    added: [{ role: 'user' }, { role: 'assistant' }],
    duplicates: 0,
    commit: null,
  });
  expect(await after(1)).toMatchObject({ added: [], duplicates: 2 });
  for (let n = 2; n < 6; n++) await after(n);
  const { stdout } = await workspace.start(['session', 'show', 'chat', '--json']);
  expect(stdout).not.toContain('openviking');
  expect(await workspace.startJson(['session', 'status', 'chat'])).toMatchObject({ live_messages: expect.any(Number) });
  const status = await workspace.startJson<{ archived_messages: number; live_messages: number }>([
    'session',
    'status',
    'chat',
  ]);
  expect(status.archived_messages).toBeGreaterThan(0);
  expect(status.archived_messages + status.live_messages).toBe(10);
});
