import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHere } from '../support/cli-here.js';
import { removeTree } from '../support/remove-tree.js';
import { testWorkspace } from '../support/test-workspace.js';

/** A folder that is a workspace. */
function begun(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usage-'));
  mkdirSync(join(folder, '.memory'));
  return folder;
}

const WRONG: readonly (readonly [args: readonly string[], error: string, hint: string])[] = [
  [['rcall', 'x'], 'unknown command "rcall"', 'did you mean recall? See openclaw memory --help'],
  [['rcall', 'index'], 'unknown command "rcall"', 'did you mean recall? See openclaw memory --help'],
  [['rcall', '--help'], 'unknown command "rcall"', 'did you mean recall? See openclaw memory --help'],
  [['help', 'rcall'], 'unknown command "rcall"', 'did you mean recall? See openclaw memory --help'],
  [['entity', 'shw'], 'unknown command "shw"', 'did you mean show? See openclaw memory entity --help'],
  [['entity', 'zzz'], 'unknown command "zzz"', 'use one of: list, show; see openclaw memory entity --help'],
  [['entity'], 'openclaw memory entity needs a command', 'use one of: list, show; see openclaw memory entity --help'],
  [['--quiet'], 'openclaw memory needs a command', 'see openclaw memory --help'],
  [['entity', 'show'], '<name> is missing', 'see openclaw memory entity show --help'],
  [['import'], '<files> is missing', 'for example: openclaw memory import "WhatsApp Chat with Anna.txt" --dry-run'],
  [['get'], '<paths> is missing', 'for example: openclaw memory get '],
  [['recent', 'x'], 'too many arguments for "recent": 1 instead of 0', 'openclaw memory recent --since "last week"'],
  [['recent', '--since', 'someday'], '--since: "someday" is not a date', 'use a day (2025-11-27)'],
  [['agenda', '--limit', '3'], 'unknown option "--limit"', 'did you mean --k?'],
  [['index', '--forc'], 'unknown option "--forc"', 'did you mean --force? See openclaw memory index --help'],
  [['entity', 'show', 'x', '--qiet'], 'unknown option "--qiet"', 'did you mean --quiet?'],
  [['recall', 'x', '-k', '3'], 'unknown option "-k"', 'did you mean --k?'],
  [
    ['recall', '--zzzzzzzz 0'],
    'unknown option "--zzzzzzzz 0"',
    'before a text that starts with a dash: openclaw memory recall -- "-…"',
  ],
  [['index', 'now'], 'too many arguments for "index": 1 instead of 0', 'see openclaw memory index --help'],
  [['recall', '--workspace'], '-w, --workspace <dir> needs a value', 'see openclaw memory recall --help'],
  [['recall', ''], 'the question is empty', 'openclaw memory recall "'],
  [['recall', 'x', '--k', '0'], '--k must be a whole number', 'for example --k 25'],
  [['recall', 'x', '--budget', 'lots'], '--budget must be a whole number', 'for example --budget 25'],
  [['opinion', 'why', ''], '<opinion> is empty', 'see openclaw memory opinion why --help'],
  [['get', ''], '<path> is empty', 'see openclaw memory get --help'],
  [['models', 'use', ''], '<model> is empty', 'see openclaw memory models use --help'],
  [['models', 'use', 'two words'], 'embedModel must not have spaces', 'see docs/settings.md'],
  [['forget', ''], 'forget needs either an id or --query', 'find the id with: openclaw memory recall --json'],
  [
    ['forget', '', '--undo'],
    '--undo needs the id of the forgotten statement',
    'the output of forget and its git commit have the id',
  ],
  [
    ['retain', '--date', '2026-03-01', 'W x'],
    '--date and --since need --infer',
    'name the log of that day with --file',
  ],
  [['-w', '', 'status'], 'the path of the workspace is empty', 'leave out --workspace'],
  [['view', '--since', 'someday'], '--since: "someday" is not a date', 'use a day (2025-11-27)'],
  [['retain', '--infer', '--since', 'someday'], '--since: "someday" is not a date', 'use a day (2025-11-27)'],
  [['flush'], 'openclaw memory flush needs a command', 'use one of: check, run, prompt, apply'],
  [['recall', 'x', '--kind', 'opinon'], 'unknown kind "opinon"', 'did you mean opinion?'],
  [['recall', 'x', '--mode', 'magic'], 'unknown mode "magic"', 'use auto, lexical, hybrid'],
  [['entity', 'show', 'x', '--k', 'all'], '--k must be a whole number', 'for example --k 50'],
  [['completion', 'tcsh'], '<shell>: unknown shell "tcsh"', 'use bash, zsh, fish'],
  [['completion', 'zhs'], '<shell>: unknown shell "zhs"', 'did you mean zsh?'],
  [['recall', 'x', '--kind', 'foo'], '--kind: unknown kind "foo"', 'use world, experience, '],
  [
    ['forget', '--query', ' '],
    'forget needs either an id or --query',
    'find the id with: openclaw memory recall --json',
  ],
  [['context', 'gate', '--trigger', 'x', 'y'], '--trigger: unknown trigger "x"', 'use task_start, '],
  [['wm', 'merge', '--answer', '-'], '--old <file> is missing', 'see openclaw memory wm merge --help'],
  [['session', 'comit', 'x'], 'unknown command "comit"', 'did you mean commit?'],
  [['entity', 'shw', '--help'], 'unknown command "shw"', 'did you mean show?'],
  [['help', 'entity', 'shw'], 'unknown command "shw"', 'did you mean show?'],
  [['retain'], 'there is no fact', 'write a fact, or use --stdin'],
  [['status', '--now', 'someday'], 'now: "someday" is not a date', 'use ISO 8601'],
  [['status', '--now', '2023-02-29'], 'now: "2023-02-29" is not a date', 'use ISO 8601'],
  [['status', '--now', '2023-02-29T10:00:00+02:00'], 'is not a date', 'use ISO 8601'],
  [['status', '--now', '2023-04-31T10:00'], 'is not a date', 'use ISO 8601'],
  [['status', '--now', '5'], 'now: "5" is not a date', 'use ISO 8601'],
  [['status', '--tz', 'Mars/Olympus'], 'unknown time zone "Mars/Olympus"', 'use an IANA name such as Europe/Vienna'],
];

describe('wrong usage exits with 2 and says what is wrong and what to do', () => {
  let workspace: string;
  beforeAll(() => {
    workspace = begun();
  });
  afterAll(() => removeTree(workspace));
  const inWorkspace = () => ({ env: { OPENCLAW_WORKSPACE: workspace } });

  test.each(WRONG)('%j', async (args, error, hint) => {
    const { code, stdout, stderr } = await cliHere(args, inWorkspace());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [first, second, ...rest] = stderr.split('\n');
    expect(first).toMatch(/^error: /);
    expect(first).toContain(error);
    expect(second).toMatch(/^hint: /);
    expect(second).toContain(hint);
    expect(rest).toEqual(['']);
  });

  test.each(WRONG)('%j with --json prints the same as one document', async (args, error, hint) => {
    const { code, stdout } = await cliHere(['--json', ...args], inWorkspace());
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: {
        type: expect.stringMatching(/^(?:usage|settings)$/),
        message: expect.stringContaining(error),
        hint: expect.stringContaining(hint),
      },
    });
  });

  test.each([
    ['{ recalLimit: 3 }', 'recalLimit', 'recallLimit'],
    ['{ autoRecall: { timeoutMS: 3 } }', 'autoRecall.timeoutMS', 'autoRecall.timeoutMs'],
  ])('an unknown setting is refused with the nearest known one: %s', async (settings, unknown, known) => {
    const own = testWorkspace({ 'memory.config.json5': settings });
    const { code, stderr } = await own.run(['status']);
    expect(code).toBe(2);
    expect(stderr).toBe(`error: memory.config.json5: unknown setting "${unknown}"\nhint: did you mean ${known}?\n`);
  });

  test.each([
    ['{ recallLimit: null }', 'recallLimit must be a whole number from 1 to 1000, not null'],
    ['{ autoRecall: { recallLimit: 1.5 } }', 'autoRecall.recallLimit must be a whole number from 1 to 100, not 1.5'],
    ['{ autoRecall: 3 }', 'autoRecall must be an object, not 3'],
    ['{ timezone: "Mars/Olympus" }', 'timezone must be an IANA time zone such as Europe/Vienna'],
    ['{ chatModel: "two words" }', 'chatModel must not have spaces'],
    ['{ ignore: [3] }', 'ignore must be a list of texts, not of 3'],
    ['{ extraFolders: [""] }', 'extraFolders must not have an empty text'],
    ['{ viewLinks: "vim" }', 'viewLinks must be one of plain, vscode, obsidian, not "vim"'],
  ])('an invalid setting is refused: %s', async (settings, wrong) => {
    const own = testWorkspace({ 'memory.config.json5': settings });
    const { code, stderr } = await own.run(['status']);
    expect(code).toBe(2);
    expect(stderr).toBe(`error: memory.config.json5: ${wrong}\nhint: see docs/settings.md\n`);
  });

  test.each([
    ['{ autoRecall: false, timezone: null }', ''],
    ['{ agentExperience: true, numCtx: 4096 }', ''],
    [
      '{ pageLines: { now: "all" }, modelTotalMs: 5, agentExperience: { typedPages: true } }',
      'warning: memory.config.json5: settings without effect: agentExperience.typedPages, pageLines, modelTotalMs\n',
    ],
  ])('valid settings are accepted: %s', async (settings, said) => {
    const own = testWorkspace({ 'memory.config.json5': settings });
    const { code, stderr } = await own.run(['status']);
    expect([code, stderr]).toEqual([0, said]);
  });
});

test('text after two dashes is text, even if it looks like a flag', async () => {
  const workspace = begun();
  try {
    const result = await cliHere(['-w', workspace, 'recall', '--', '--json']);
    expect(result).toMatchObject({ code: 0, stdout: 'Nothing found.\n', stderr: '' });
  } finally {
    removeTree(workspace);
  }
});

test('an error escapes control characters of the argument', async () => {
  const { code, stderr } = await cliHere(['\u001b[31mred\nerror: forged']);
  expect(code).toBe(2);
  expect(stderr).toContain('error: unknown command "\\u001b[31mred error: forged"');
  expect(stderr.split('\n')).toHaveLength(3);
});

test('recall about an unknown entity suggests a known one, with --json too', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-10.md': '- W @The-Castle: has a tower\n' });
  const asked = ['recall', 'tower', '--entity', 'the-castel'];
  const warning = 'nothing is known about "the-castel"; did you mean The-Castle?';
  expect(await workspace.run(asked)).toMatchObject({ code: 0, stderr: `warning: ${warning}\n` });
  expect(await workspace.json(asked)).toMatchObject({ results: [], warnings: [warning] });
});

test('text that begins with a dash and a space is text, even as the value of an option', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '- a\n' });
  expect(await workspace.run(['retain', '- W @Peter: likes tea'])).toMatchObject({ code: 0 });
  expect(await workspace.run(['core', 'insert', '- b', '--after', '- a'])).toMatchObject({ code: 0 });
  expect(workspace.read('MEMORY.md')).toBe('- a\n- b\n');
});

test('a file in place of a folder, an empty home and a missing git are reported in plain words', async () => {
  const own = testWorkspace({ 'a file': '' });
  expect((await own.run(['link', '--dir', own.path('a file')])).stderr).toBe(
    `error: ${own.path('a file')} exists already, and is not a folder\nhint: use another folder, or move the file away\n`,
  );
  const env = { HOME: '', OPENCLAW_CONFIG_PATH: own.path('none') };
  const { stderr } = await cliHere(['recall', 'x'], { cwd: own.base, env });
  expect(stderr).toContain(`there is no workspace at ${join(userInfo().homedir, '.openclaw', 'workspace')}\n`);
  const withoutGit = await own.start(['init', '--git'], { env: { PATH: own.path('.') } });
  expect(withoutGit).toMatchObject({ code: 1, stderr: expect.stringContaining('error: git is not installed\n') });
});
