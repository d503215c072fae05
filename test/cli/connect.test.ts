import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { type ParseError, parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { shellWord } from '../../src/text/slug.js';
import { cases } from '../support/cases.js';
import { BIN, childEnv } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

/** The settings file of each host for servers, and the key in it. */
const SERVERS = {
  'claude-code': ['.claude.json', 'mcpServers'],
  codex: ['.codex/config.toml', 'mcp_servers'],
  'gemini-cli': ['.gemini/settings.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  opencode: ['.config/opencode/opencode.jsonc', 'mcp'],
  vscode: ['.config/Code/User/mcp.json', 'servers'],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', 'mcpServers'],
  windsurf: ['.codeium/windsurf/mcp_config.json', 'mcpServers'],
  zed: ['.config/zed/settings.json', 'context_servers'],
} as const;
const HOOKS = '.claude/settings.json';
const FILES = [...Object.values(SERVERS).map(([file]) => file), HOOKS];
const NAME = 'openclaw-memory';

/** Files whose hosts read no comments, or no trailing commas. They ignore a file that has them. */
const STRICT: readonly string[] = [
  ...(['claude-code', 'claude-desktop', 'windsurf'] as const).map((host) => SERVERS[host][0]),
  HOOKS,
];

/** A text of settings, or a simple one if the host of the file would not read it. */
function readable(file: string, text: string | null): string | null {
  const isComment = /\/[/*]/u.test(text ?? '');
  const isUnread = STRICT.includes(file)
    ? isComment
    : file === SERVERS['gemini-cli'][0] && /,[^"]*\}\s*$/u.test(text ?? '');
  return isUnread ? '{\n  "theme": "dark"\n}\n' : text;
}

const env = { PATH: '/usr/bin:/bin' };
const run = (workspace: TemporaryWorkspace, ...args: readonly string[]) => workspace.run(args, { env });
const put = (workspace: TemporaryWorkspace, file: string, text: string) => {
  mkdirSync(dirname(join(workspace.home, file)), { recursive: true });
  writeFileSync(join(workspace.home, file), text);
};
const read = (workspace: TemporaryWorkspace, file: string): string | null =>
  existsSync(join(workspace.home, file)) ? readFileSync(join(workspace.home, file), 'utf8') : null;

/** Returns a settings file as its host reads it. */
function parsed(file: string, text: string): Record<string, unknown> {
  if (file.endsWith('.toml')) return parseToml(text);
  const errors: ParseError[] = [];
  const value = parse(text.replace(/^\uFEFF/u, ''), errors, { allowTrailingComma: true });
  expect(errors, text).toEqual([]);
  return value;
}

/** Texts of a settings file with a key for servers. */
const JSON_TEXTS: Readonly<Record<string, (key: string) => string | null>> = {
  none: () => null,
  blank: () => '',
  'an empty object': () => '{}',
  'an empty object with a comment': () => '{\n  // nothing yet\n}\n',
  'unknown keys, no final newline': (key) =>
    `{\n    "theme": {"a": [1, 2]},\n    "${key}": {\n        "x": {"command": "y"}\n    }\n}`,
  'comments and commas at the end': (key) =>
    `// of mine\n{\n\t"theme": "dark", // easy on eyes\n\t"${key}": {\n\t\t"x": { "command": "y" }, /* mine */ // and more\n\t},\n\t// last words\n}\n`,
  'comments, no comma at the end': () => '{\n  "theme": "dark" // easy on eyes\n  /* the end */ }\n',
  'a comma on a line of its own': () => '{\n  "theme": "dark"\n  , // odd\n}\n',
  'Windows lines': (key) => `{\r\n  "theme": "dark",\r\n  "${key}": {}\r\n}\r\n`,
  'one line': (key) => `{"theme": "dark", "${key}": {"x": {"command": "y"}}}`,
  'a mark at the beginning': () => '\uFEFF{\n  "theme": "dark"\n}\n',
};
const TOML_TEXTS: Readonly<Record<string, string | null>> = {
  none: null,
  blank: '',
  'comments, no final newline': '# mine\nmodel = "o" # big\n\n[mcp_servers.x]\ncommand = "y"\n\n[tui]\ntheme = "dark"',
  'Windows lines': 'model = "o"\r\n\r\n[a.b]\r\nc = """\r\n[mcp_servers.openclaw-memory]\r\n"""\r\n',
};

/** Expects our server and everything that was there before. */
function expectAdded(file: string, key: string, old: string, text: string): void {
  const { [key]: servers, ...others } = parsed(file, text);
  const { [key]: oldServers, ...oldOthers } = old.trim() === '' ? {} : parsed(file, old);
  expect(others).toEqual(oldOthers);
  expect(servers).toHaveProperty([NAME]);
  expect({ ...Object(servers), [NAME]: undefined }).toEqual({ ...Object(oldServers), [NAME]: undefined });
  // Each old line is still there with its comment, at most with an added comma.
  for (const line of old.split(/\r?\n/u)) expect(text.replaceAll(',', '')).toContain(line.replaceAll(/,|\}+$/gu, ''));
}

describe('connect and disconnect together leave every file as it was', () => {
  const tomls = Object.values(TOML_TEXTS);
  test.each(Object.entries(JSON_TEXTS))('%s', async (what, textOf) => {
    const workspace = testWorkspace();
    const toml = tomls[Object.keys(JSON_TEXTS).indexOf(what) % tomls.length] ?? null;
    const before = new Map<string, string | null>(
      Object.values(SERVERS).map(([file, key]) => [file, readable(file, textOf(key))]),
    );
    before.set(SERVERS.codex[0], toml).set(HOOKS, readable(HOOKS, textOf('other')));
    for (const [file, text] of before) {
      mkdirSync(dirname(join(workspace.home, file)), { recursive: true });
      if (text !== null) put(workspace, file, text);
    }
    expect(await run(workspace, 'connect')).toMatchObject({ code: 0, stderr: '' });
    for (const [file, key] of Object.values(SERVERS))
      expectAdded(file, key, before.get(file) ?? '', read(workspace, file) ?? '');
    expect(Object.keys(Object(parsed(HOOKS, read(workspace, HOOKS) ?? '').hooks))).toHaveLength(5);
    const written = FILES.map((file) => read(workspace, file));
    expect((await run(workspace, 'connect')).stdout).not.toContain('written');
    expect(FILES.map((file) => read(workspace, file))).toEqual(written);
    expect(await run(workspace, 'disconnect')).toMatchObject({ code: 0, stderr: '' });
    for (const file of FILES) {
      expect(read(workspace, file), file).toBe(before.get(file) ?? null);
      expect(existsSync(dirname(join(workspace.home, file))), file).toBe(true);
    }
    expect(existsSync(join(workspace.home, '.local'))).toBe(false);
    expect(existsSync(join(workspace.home, '.claude', 'skills'))).toBe(false);
    expect((await run(workspace, 'disconnect')).stdout).toBe('No host is connected.\n');
  });

  const key = fc.constantFrom('hooks', 'Stop', 'mcpServers', 'a', 'é');
  const { object } = fc.letrec<{ object: object; any: unknown }>((tie) => ({
    object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    any: fc.oneof({ maxDepth: 3 }, fc.string(), tie('object'), fc.array(tie('any'), { maxLength: 3 })),
  }));
  const trivia = fc.array(fc.constantFrom(' ', '\n', '\r\n', '\t', '/* , } */', '// { "\n', '/*\n*/', ''), {
    maxLength: 3,
  });
  const trailing = fc.boolean();

  /** A value as JSON with comments between tokens and trailing commas. */
  const written = fc
    .tuple(object, fc.constantFrom(undefined, 2, '\t'), fc.infiniteStream(trivia), fc.infiniteStream(trailing))
    .map(([value, space, between, isTrailing]) => {
      const words = JSON.stringify(value, undefined, space).match(/"(?:[^"\\]|\\.)*"|[^\s"]|\s+/gu) ?? [];
      const text = words.map((word, i) => {
        const before = words.slice(0, i).findLast((each) => each.trim() !== '') ?? '{';
        const isEnd = ['}', ']'].includes(word) && !['{', '[', ','].includes(before);
        return `${between.next().value.join('')}${isEnd && isTrailing.next().value ? ',' : ''}${word}`;
      });
      return { value, text: text.join('') };
    });

  const cursor = SERVERS.cursor[0];
  test.each([
    ['cursor', cursor, 'mcpServers'],
    ['claude-code', HOOKS, 'hooks'],
  ])('any content in any notation that %s reads', async (host, file, key) => {
    const workspace = testWorkspace();
    await fc.assert(
      fc.asyncProperty(written, async ({ value, text: any }) => {
        const text = file === cursor ? any : JSON.stringify(value, undefined, any.includes('\t') ? '\t' : undefined);
        put(workspace, file, text);
        expect(parsed(file, text)).toEqual(value);
        const { code } = await run(workspace, 'connect', host);
        const changed = read(workspace, file) ?? '';
        if (code !== 0) expect(changed).toBe(text);
        else expect(parsed(file, changed)).toMatchObject(Object.hasOwn(value, key) ? {} : value);
        await run(workspace, 'disconnect');
        expect(read(workspace, file)).toBe(text);
        // Even without the record our entries are recognised, and every comment of others stays.
        await run(workspace, 'connect', host);
        rmSync(join(workspace.home, '.local'), { recursive: true, force: true });
        await run(workspace, 'disconnect');
        const rest = read(workspace, file);
        if (rest === null) expect(withoutEmpty(value, key)).toEqual({});
        else expect(withoutEmpty(parsed(file, rest), key)).toEqual(withoutEmpty(value, key));
      }),
      { numRuns: cases(400, 15) },
    );
  });

  /** A value without empty lists and objects at a key, which make no difference to the host. */
  function withoutEmpty(value: object, key: string): object {
    const { [key]: ours, ...others } = Object(value);
    const isMap = typeof ours === 'object' && !Array.isArray(ours);
    const kept = isMap ? Object.entries(ours).filter(([, list]) => !(Array.isArray(list) && list.length === 0)) : [];
    return isMap && kept.length === 0
      ? others
      : { ...others, ...(ours === undefined ? {} : { [key]: isMap ? Object.fromEntries(kept) : ours }) };
  }
});

describe('changes by others in the meantime', () => {
  test('an added line stays, and so does a file that the host writes anew', async () => {
    const workspace = testWorkspace();
    put(workspace, HOOKS, '{\n  "model": "opus"\n}\n');
    put(workspace, '.codex/config.toml', 'model = "o"\n');
    put(workspace, '.cursor/mcp.json', '{"mcpServers": {"x": {"command": "y"}}}');
    await run(workspace, 'connect');
    put(workspace, HOOKS, (read(workspace, HOOKS) ?? '').replace('"model"', '"theme": "dark", // mine\n  "model"'));
    const codex = (read(workspace, '.codex/config.toml') ?? '').replace('args', '# by hand\nenabled = true\nargs');
    put(workspace, '.codex/config.toml', `${codex}\n# of others\n[tui]\ntheme = "dark"\n`);
    put(
      workspace,
      '.cursor/mcp.json',
      JSON.stringify(JSON.parse(read(workspace, '.cursor/mcp.json') ?? ''), undefined, 4),
    );
    expect((await run(workspace, 'disconnect')).code).toBe(0);
    expect(read(workspace, HOOKS)).toBe('{\n  "theme": "dark", // mine\n  "model": "opus"\n}\n');
    expect(read(workspace, '.codex/config.toml')).toBe('model = "o"\n\n\n# of others\n[tui]\ntheme = "dark"\n');
    expect(JSON.parse(read(workspace, '.cursor/mcp.json') ?? '')).toEqual({ mcpServers: { x: { command: 'y' } } });
  });

  test('entries of earlier versions and of published recipes are removed', async () => {
    const workspace = testWorkspace();
    const command = "/usr/bin/node '/a b/bin/openclaw-memory.js' --workspace /w hook claude-code";
    const own = { model: 'opus', hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } };
    const ours = { hooks: [{ type: 'command', command, timeout: 30 }] };
    const mixed = { hooks: [{ type: 'command', command: 'mine' }, ...ours.hooks] };
    const hooks = { Stop: [...own.hooks.Stop, ours], SessionEnd: [ours], PreCompact: [mixed] };
    put(workspace, HOOKS, `${JSON.stringify({ ...own, hooks }, undefined, 2)}\n`);
    put(
      workspace,
      '.cursor/mcp.json',
      '{"mcpServers": {"memory": {"command": "openclaw-memory", "args": ["-w", "/w", "mcp"]}}}',
    );
    expect((await run(workspace, 'disconnect')).code).toBe(0);
    const rest = { ...own, hooks: { ...own.hooks, PreCompact: [{ hooks: [{ type: 'command', command: 'mine' }] }] } };
    expect(read(workspace, HOOKS)).toBe(`${JSON.stringify(rest, undefined, 2)}\n`);
    expect(read(workspace, '.cursor/mcp.json')).toBeNull();
  });

  test('a page that a person has changed stays and is named', async () => {
    const workspace = testWorkspace();
    const skill = '.claude/skills/openclaw-memory/SKILL.md';
    await run(workspace, 'connect', 'claude-code');
    const mine = `${read(workspace, skill)}my own line\n`;
    put(workspace, skill, mine);
    for (const verb of ['connect', 'disconnect'])
      expect(await run(workspace, verb, 'claude-code')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/SKILL\.md: it was changed by hand/u),
      });
    expect([read(workspace, skill), read(workspace, HOOKS)]).toEqual([mine, null]);
  });
});

test('an unreadable file is left alone and named; other hosts are connected', async () => {
  const workspace = testWorkspace();
  const bad = {
    [HOOKS]: '{ "hooks": ',
    '.codex/config.toml': 'mcp_servers = { x = { command = "y" } }\n',
    '.cursor/mcp.json': '{"mcpServers": []}',
    '.config/opencode/opencode.jsonc': 'no',
  };
  for (const [file, text] of Object.entries(bad)) put(workspace, file, text);
  put(workspace, '.gemini/settings.json', '{}');
  const { code, stdout, stderr } = await run(workspace, 'connect');
  expect(code).toBe(2);
  for (const [file, text] of Object.entries(bad)) {
    expect(stderr).toContain(join(workspace.home, file));
    expect(read(workspace, file)).toBe(text);
  }
  expect(read(workspace, '.claude.json')).toBeNull();
  expect(stdout).toContain(`written: ${join(workspace.home, '.gemini/settings.json')}`);
  const again = await run(workspace, 'disconnect');
  expect([again.code, read(workspace, '.gemini/settings.json')]).toEqual([2, '{}']);
});

test.each([
  [SERVERS['claude-desktop'][0], '{\n  "a": 1,\n}\n', 'a comma before a closing bracket near line 3'],
  [SERVERS.windsurf[0], '{\n  // mine\n  "a": 1\n}\n', 'a comment near line 2'],
  [HOOKS, '{\n  "hooks": {},\n}\n', 'a comma before'],
  [SERVERS['gemini-cli'][0], '{\n  "a": [1, /* two */],\n}\n', 'a comma before'],
])('%s is left alone and named if its host would not read it', async (file, text, why) => {
  const workspace = testWorkspace();
  put(workspace, file, text);
  const { code, stderr } = await run(workspace, 'connect');
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${join(workspace.home, file)}: the host can't read it`)]);
  expect(stderr).toContain(why);
  expect(read(workspace, file)).toBe(text);
});

test('without a host the command lists where it looked; a dry run writes nothing', async () => {
  const workspace = testWorkspace();
  const { code, stdout } = await run(workspace, 'connect');
  expect(code).toBe(0);
  for (const title of [
    'No host was found',
    'OpenClaw',
    'Claude Code',
    'Codex',
    'Gemini CLI',
    'Cursor',
    'opencode',
    'VS Code',
    'Claude Desktop',
    'Windsurf',
    'Zed',
  ])
    expect(stdout).toContain(title);
  const dry = await run(workspace, 'connect', 'cursor', '--dry-run');
  expect(dry.stdout).toContain(`+    "${NAME}": {`);
  expect(read(workspace, '.cursor/mcp.json')).toBeNull();
});

describe('several workspaces', () => {
  test('each project has its own connection beside that of the user, and one command removes all', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
    const project = join(workspace.base, 'project');
    mkdirSync(join(project, '.git'), { recursive: true });
    mkdirSync(join(project, 'src'));
    mkdirSync(join(project, 'notes', 'memory'), { recursive: true });
    writeFileSync(join(project, 'notes', 'memory', '2026-03-12.md'), '- W @Peter: lives in Graz\n');
    await run(workspace, 'connect', 'claude-code');
    expect(read(workspace, '.claude/skills/openclaw-memory/SKILL.md')).toContain(
      ` -w ${workspace.root} --tz UTC recall "`,
    );
    const here = (...args: readonly string[]) =>
      workspace.run(['-w', join(project, 'notes'), ...args], { env, cwd: join(project, 'src') });
    const other = await here('connect', 'claude-code', '--dry-run');
    expect(other.stdout).toContain(`it was connected with ${workspace.root}`);
    expect(await here('connect', 'claude-code', '--project')).toMatchObject({ code: 0 });
    const claude = () => JSON.parse(read(workspace, '.claude.json') ?? '');
    expect(claude().projects[project].mcpServers[NAME].args).toContain(join(project, 'notes'));
    expect(claude().mcpServers[NAME].args).toContain(workspace.root);
    const local = readFileSync(join(project, '.claude/settings.local.json'), 'utf8');
    expect(local).toContain(join(project, 'notes'));
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'Where does Peter live?' };
    const asked = async (at: string, words: readonly string[]) => {
      const around = { env: { ...env, CLAUDE_PROJECT_DIR: at }, input: JSON.stringify(prompt) };
      return (await workspace.run([...words, 'hook', 'claude-code'], around)).stdout;
    };
    expect(await asked(project, [])).toBe('');
    expect(await asked(project, ['-w', join(project, 'notes')])).toContain('lives in Graz');
    expect(await asked(workspace.base, [])).toContain('lives in Vienna');
    expect((await here('connect', 'windsurf', '--project')).stdout).toContain('it has no settings for a project');
    for (const host of ['cursor', 'vscode', 'codex', 'gemini-cli', 'opencode', 'zed'])
      expect(await here('connect', host, '--project')).toMatchObject({ code: 0 });
    for (const file of [
      '.cursor/mcp.json',
      '.vscode/mcp.json',
      '.codex/config.toml',
      '.gemini/settings.json',
      'opencode.json',
      '.zed/settings.json',
    ]) {
      const text = readFileSync(join(project, file), 'utf8');
      expect(text).toMatch(/"(?:\$\{workspaceFolder\}\/)?notes"/u);
      expect(text).not.toContain(workspace.base);
    }
    const outside = await workspace.run(['connect', 'cursor', '--project'], { env, cwd: project });
    expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining('is outside of the project') });
    const { stdout } = await run(workspace, 'doctor');
    expect(stdout).toMatch(/ok +connection +VS Code in .*: calls .*notes/u);
    expect((await run(workspace, 'disconnect')).code).toBe(0);
    expect(read(workspace, '.claude.json')).toBeNull();
    for (const folder of ['.claude', '.cursor', '.vscode', '.codex', '.gemini', 'opencode.json', '.zed'])
      expect(existsSync(join(project, folder)), folder).toBe(false);
  });
});

test('files of this machine are excluded from git, in this clone only', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
  const project = join(workspace.base, 'project');
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-C', project, ...args], { env: childEnv(workspace.env), encoding: 'utf8' }).stdout;
  mkdirSync(project);
  git('init', '-q');
  const exclude = join(project, '.git', 'info', 'exclude');
  mkdirSync(dirname(exclude), { recursive: true });
  writeFileSync(exclude, '# mine\n*.swp');
  const here = (verb: string, cwd = project) => workspace.run([verb, 'claude-code', '--project'], { env, cwd });
  expect((await here('connect')).stdout).toContain(`written: ${exclude} (ignore)`);
  expect(readFileSync(exclude, 'utf8')).toBe('# mine\n*.swp\n/.claude/settings.local.json\n');
  expect(git('status', '--short')).toBe('');
  expect((await here('connect')).stdout).toContain(`unchanged: ${exclude}`);
  await here('disconnect');
  expect(readFileSync(exclude, 'utf8')).toBe('# mine\n*.swp');
  expect(existsSync(join(project, '.claude'))).toBe(false);
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', '../tree');
  const tree = join(workspace.base, 'tree');
  expect((await here('connect', tree)).stdout).toContain(`written: ${exclude} (ignore)`);
  expect(spawnSync('git', ['-C', tree, 'status', '--short'], { encoding: 'utf8' }).stdout).toBe('');
});

describe('a plugin folder for Claude Code', () => {
  const FOLDER = '.local/share/openclaw-memory/claude-code';
  const manifest = (workspace: TemporaryWorkspace) =>
    JSON.parse(read(workspace, `${FOLDER}/.claude-plugin/plugin.json`) ?? '');
  const event = JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: 'Where does Peter live?' });

  test('is a marketplace of one plugin, with the hooks, the server and the skill; two lines install it', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
    const { stdout } = await run(workspace, 'connect', 'claude-code', '--plugin');
    const folder = join(workspace.home, FOLDER);
    expect(stdout).toContain(`then: claude plugin marketplace add ${folder}\n`);
    expect(stdout).toContain('then: claude plugin install openclaw-memory@openclaw-memory\n');
    expect([read(workspace, HOOKS), read(workspace, '.claude.json')]).toEqual([null, null]);
    const market = JSON.parse(read(workspace, `${FOLDER}/.claude-plugin/marketplace.json`) ?? '');
    expect(market).toMatchObject({ name: NAME, owner: { name: NAME }, plugins: [{ name: NAME, source: './' }] });
    const { name, version, hooks, mcpServers } = manifest(workspace);
    expect([name, market.plugins[0].version]).toEqual([NAME, version]);
    expect(Object.keys(hooks)).toEqual(['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd']);
    const { command, args } = mcpServers[NAME];
    expect([command, args[0], args.at(-1)]).toEqual([process.execPath, BIN, 'mcp']);
    expect(args).toContain(workspace.root);
    expect(read(workspace, `${FOLDER}/skills/${NAME}/SKILL.md`)).toMatch(/^---\nname: openclaw-memory\n/u);

    // The host has its own copy, which only the host can update.
    const installed = (of: string) =>
      put(
        workspace,
        '.claude/plugins/installed_plugins.json',
        `{"plugins": {"${NAME}@${NAME}": [{"version": "${of}"}]}}`,
      );
    const doctor = async () => (await run(workspace, 'doctor')).stdout;
    installed(version);
    expect(await doctor()).toMatch(/ok +connection +Claude Code: calls/u);
    await run(workspace, '--tz', 'Europe/Vienna', 'connect', 'claude-code', '--plugin');
    expect(manifest(workspace).version).not.toBe(version);
    expect(await doctor()).toMatch(/warning +connection +Claude Code: has version .* claude plugin update/u);

    // The host's commands remove the plugin from the host; the folder is deleted whether they exist or not.
    const gone = await run(workspace, 'disconnect');
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining(`claude plugin uninstall ${NAME}@${NAME}`) });
    expect(existsSync(join(workspace.home, '.local'))).toBe(false);
  });

  test('runs no hook twice when settings have the hooks too, and none after an uninstall', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
    await run(workspace, 'connect', 'claude-code', '--plugin');
    const line: string = manifest(workspace).hooks.UserPromptSubmit[0].hooks[0].command;
    const called = (command: string) =>
      spawnSync('sh', ['-c', command], { input: event, env: childEnv(workspace.env), encoding: 'utf8' });
    expect(called(line)).toMatchObject({ status: 0, stdout: expect.stringContaining('lives in Vienna') });
    const gone = shellWord(join(workspace.base, 'gone'));
    expect(called(line.replaceAll(BIN, gone))).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const words = ['-w', workspace.root, 'hook', 'claude-code', '--plugin'];
    const asked = (more: object = {}) => workspace.run(words, { env: { ...env, ...more }, input: event });
    expect((await asked()).stdout).toContain('lives in Vienna');
    const both = await run(workspace, 'connect', 'claude-code');
    expect(both.code).toBe(0);
    expect(await asked()).toMatchObject({ code: 0, stdout: '' });
    expect((await run(workspace, 'connect', 'claude-code', '--plugin')).stdout).toContain('its settings call us, too');
    await run(workspace, 'hooks', 'claude-code', '--remove');
    expect((await asked()).stdout).toContain('lives in Vienna');
    const project = join(workspace.base, 'project');
    mkdirSync(join(project, '.git'), { recursive: true });
    await workspace.run(['connect', 'claude-code', '--project'], { env, cwd: project });
    expect(await asked({ CLAUDE_PROJECT_DIR: project })).toMatchObject({ code: 0, stdout: '' });
    expect(await run(workspace, 'connect', 'codex', '--plugin')).toMatchObject({ code: 2 });
  });
});

test('doctor lists each connection, whether it works, and what is outdated', async () => {
  const workspace = testWorkspace();
  const checks = async () => {
    const { stdout } = await run(workspace, 'doctor', '--json');
    const found: { check: string; state: string; message: string }[] = JSON.parse(stdout).checks;
    return found.filter(({ check }) => check === 'connection').map(({ state, message }) => `${state} ${message}`);
  };
  expect(await checks()).toEqual([]);
  for (const host of ['claude-code', 'codex', 'cursor']) await run(workspace, 'connect', host);
  expect(await checks()).toEqual([
    `ok Claude Code: calls ${workspace.root}`,
    `ok Codex: calls ${workspace.root}`,
    `ok Cursor: calls ${workspace.root}`,
  ]);
  put(workspace, HOOKS, (read(workspace, HOOKS) ?? '').replace('"timeout": 60', '"timeout": 5'));
  rmSync(join(workspace.home, '.cursor/mcp.json'));
  expect(await checks()).toEqual([
    expect.stringMatching(/^warning Claude Code: the entry in .*settings\.json is out of date/u),
    `ok Codex: calls ${workspace.root}`,
    expect.stringMatching(/^warning Cursor: its entry in .*mcp\.json was removed/u),
  ]);
  rmSync(workspace.root, { recursive: true });
  expect(await checks()).toContainEqual(`problem Cursor: calls ${workspace.root}, which does not exist`);
});

test('after an uninstall a hook silently does nothing', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-12.md': '- W @Peter: lives in Vienna\n' });
  await run(workspace, 'connect', 'claude-code');
  const { hooks } = JSON.parse(read(workspace, HOOKS) ?? '');
  const line: string = hooks.UserPromptSubmit[0].hooks[0].command;
  const gone = join(workspace.base, 'a b', "it's gone");
  const event = JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: 'Where does Peter live?' });
  const called = (command: string) =>
    spawnSync('sh', ['-c', command], { input: event, env: childEnv(workspace.env), encoding: 'utf8' });
  expect(called(line)).toMatchObject({ status: 0, stdout: expect.stringContaining('lives in Vienna') });
  for (const path of [process.execPath, BIN])
    expect(called(line.replaceAll(path, shellWord(gone)))).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

describe('connect --print', () => {
  test.each(Object.entries(SERVERS))('prints for %s the settings that connect would write', async (host, [file]) => {
    const workspace = testWorkspace();
    const { stdout } = await run(workspace, 'connect', host, '--print');
    const target = host === 'claude-code' ? HOOKS : file;
    expect(read(workspace, target)).toBeNull();
    put(workspace, target, stdout);
    expect((await run(workspace, 'connect', host)).stdout).toContain(`unchanged: ${join(workspace.home, target)}`);
    expect(read(workspace, target)).toBe(stdout);
  });

  test.each(['claude-code', 'openclaw', 'generic'])('prints for %s what "hooks" prints', async (host) => {
    const workspace = testWorkspace();
    for (const more of [[], ['--json']]) {
      const printed = await run(workspace, 'connect', host, '--print', ...more);
      expect(printed).toMatchObject({ code: 0, stdout: expect.stringMatching(/openclaw/u) });
      expect(printed.stdout).toBe((await run(workspace, 'hooks', host, ...more)).stdout);
    }
  });

  test.each([
    [['connect', '--print'], '--print needs a host'],
    [['connect', 'cursor', '--print', '--project'], "--print and --project can't be used together"],
    [['connect', 'generic'], 'the generic host has no settings file'],
    [['disconnect', 'generic'], 'unknown host "generic"'],
  ])('%j is wrong usage', async (args, message) => {
    const refused = await run(testWorkspace(), ...args);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(refused.stderr).toContain('hint: ');
  });
});
