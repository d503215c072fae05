import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RetainReport } from '../../src/retain/retain.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

// The day of a test workspace's clock.
const LOG = 'memory/2026-03-15.md';
const OTHER = 'memory/2026_03_15.md';
const CORE = 'MEMORY.md';
const MARKS = { utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;
type Encoding = keyof typeof MARKS;

function encoded(encoding: Encoding, text: string): Buffer {
  const units = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(MARKS[encoding]), encoding === 'utf16le' ? units : units.swap16()]);
}

function decoded(encoding: Encoding, bytes: Buffer): string {
  expect([...bytes.subarray(0, 2)]).toEqual(MARKS[encoding]);
  const units = Buffer.from(bytes.subarray(2));
  return (encoding === 'utf16le' ? units : units.swap16()).toString('utf16le');
}

const BIG = `# 2026-03-15\n\n${'all quiet in the tanks\n'.repeat(400_000)}`;
const WITHOUT_MARK = Buffer.from('# 2026-03-15\n\n- W @Mo: keeps zebrafish\n', 'utf16le');
const SAID = [...'session add chat --role user --text'.split(' '), 'Remember: the gouramis arrive on Friday.'];
const ignoring = (glob: string) => ({ 'memory.config.json5': `{ ignore: ['${glob}'] }` });

/** Workspaces with an unread log of the day, the expected message, and the remedy. */
const UNREAD: readonly (readonly [string, FileContents, says: string, mends: string])[] = [
  ['is larger than 8 MB', { [LOG]: BIG }, 'is larger than 8 MB', 'a new page'],
  ['is UTF-16 without its mark', { [LOG]: WITHOUT_MARK }, 'UTF-16LE without a byte order mark', 'iconv -f UTF-16LE'],
  [
    'is ignored by its path',
    { [LOG]: '# 2026-03-15\n', ...ignoring('memory/2026-*.md') },
    '"ignore" in memory.config.json5',
    'remove "memory/2026-*.md" from "ignore"',
  ],
];

async function contents(workspace: TemporaryWorkspace, question: string): Promise<readonly string[]> {
  const { results } = await workspace.recall(question);
  return results.map(({ content }) => content);
}

describe.each(['utf16le', 'utf16be'] as const)('%s with its byte order mark', (encoding) => {
  const page = '# 2026-03-15\r\n\r\n## Retain\r\n\r\n- W @Mo: keeps zebrafish – 张三 😀\r\n';

  test('is read, and is appended to in its own encoding', async () => {
    const workspace = testWorkspace({ [LOG]: encoded(encoding, page) });
    expect(await contents(workspace, 'zebrafish')).toEqual(['@Mo: keeps zebrafish – 张三 😀']);
    const { retained } = await workspace.json<RetainReport>(['retain', 'W @Mo: bought gouramis – 李四']);
    expect(retained[0]?.source).toBe(`${LOG}#L6`);
    expect(decoded(encoding, readFileSync(workspace.path(LOG)))).toBe(`${page}- W @Mo: bought gouramis – 李四\r\n`);
    expect(await contents(workspace, 'gouramis')).toContain('@Mo: bought gouramis – 李四');
    expect((await workspace.run(['get', `${LOG}#L6`])).stdout).toContain('bought gouramis – 李四');
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
    expect((await workspace.run(['lint'])).code).toBe(0);
  });

  test('keeps its encoding when a line is forgotten or the core is changed', async () => {
    const workspace = testWorkspace({ [LOG]: encoded(encoding, page), [CORE]: encoded(encoding, '# Core\r\n') });
    expect((await workspace.run(['forget', `${LOG}#L5`])).code).toBe(0);
    const left = decoded(encoding, readFileSync(workspace.path(LOG)));
    expect(left).not.toContain('zebrafish');
    expect(left.startsWith('# 2026-03-15\r\n\r\n## Retain\r\n\r\n<!--')).toBe(true);
    expect((await workspace.run(['core', 'append', '- Tanks are cleaned on Fridays'])).code).toBe(0);
    expect(decoded(encoding, readFileSync(workspace.path(CORE)))).toBe('# Core\r\n- Tanks are cleaned on Fridays\r\n');
  });
});

describe.each(UNREAD)('a log that %s', (_, files, says, mends) => {
  test('is not written to by retain, which gives the reason and a remedy', async () => {
    const workspace = testWorkspace(files);
    const before = readFileSync(workspace.path(LOG));
    for (const more of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await workspace.run(['retain', 'W @Mo: bought gouramis', ...more]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`error: nothing was written: ${LOG} `);
      expect(stderr).toContain(says);
      expect(stderr).toContain(mends);
    }
    expect(readFileSync(workspace.path(LOG)).equals(before)).toBe(true);
  });

  test('is reported by doctor', async () => {
    const { stdout } = await testWorkspace(files).run(['doctor']);
    expect(stdout).toMatch(/^warning +files /m);
    expect(stdout).toContain(LOG);
    expect(stdout).toContain(says);
    expect(stdout).not.toContain('all files can be read');
  });

  test('makes a flush save to another log of that day, which is named', async () => {
    const workspace = testWorkspace(files);
    await workspace.run(SAID);
    const { stdout, stderr } = await workspace.run(['flush', 'run', '--session', 'chat', '--json']);
    expect(stdout + stderr).toContain(`written to ${OTHER}`);
    expect(workspace.read(OTHER)).toContain('gouramis arrive on Friday');
    const { results } = await workspace.recall('gouramis');
    expect(results.map(({ path, timestamp }) => [path, timestamp])).toEqual([[OTHER, '2026-03-15']]);
  });
});

test('a log is never made too large to read', async () => {
  const workspace = testWorkspace({ [LOG]: `# 2026-03-15\n\n${'x'.repeat(8 * 1024 * 1024 - 60)}\n` });
  const { code, stderr } = await workspace.run(['retain', `W @Mo: bought gouramis and ${'much '.repeat(20)}`]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${LOG} would be larger than 8 MB`)]);
});

test('an ignored core file is not changed', async () => {
  const workspace = testWorkspace({ [CORE]: '# Core\n', ...ignoring('MEMORY.md') });
  const { code, stderr } = await workspace.run(['core', 'append', '- Tanks are cleaned on Fridays']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('"ignore" in memory.config.json5 has "MEMORY.md"')]);
  expect(workspace.read(CORE)).toBe('# Core\n');
});

test('a page in a linked folder is not written to', async () => {
  const workspace = testWorkspace({ 'notes/a.md': '# A\n', [LOG]: '# 2026-03-15\n' });
  symlinkSync(workspace.path('notes'), workspace.path('memory/topics'));
  const { code, stderr } = await workspace.run(['retain', 'W @Mo: bought gouramis', '--file', 'memory/topics/fish.md']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('memory/topics is a link to a folder')]);
});

test('a flush fails if every log of the day is ignored, and leaves the messages to the next one', async () => {
  const workspace = testWorkspace(ignoring('**/*.md'));
  await workspace.run(SAID);
  const flushed = await workspace.run(['flush', 'run', '--session', 'chat', '--json']);
  expect(flushed.stdout).toContain('"status":"failed"');
  expect(flushed.stdout).toContain('ignore');
});

test('reflect skips an unread page with a warning, and writes it once it is read', async () => {
  const facts = Array.from({ length: 8 }, (_, i) => `- W @Mo: keeps fish number ${i} in tank ${i}\n`).join('');
  const workspace = testWorkspace({ 'memory/2026-03-14.md': facts, ...ignoring('bank/entities/Mo.md') });
  const { stderr } = await workspace.run(['reflect']);
  expect(stderr).toContain('not written: bank/entities/Mo.md is not read');
  expect(existsSync(workspace.path('bank/entities/Mo.md'))).toBe(false);
  workspace.write('memory.config.json5', '{}');
  await workspace.run(['reflect']);
  expect(workspace.read('bank/entities/Mo.md')).toContain('fish number 7');
});

test('extraction writes to the next page that is read, with a warning', async () => {
  const workspace = testWorkspace(ignoring('bank/preferences/tea.md'));
  const document = '{"preferences": [{"topic": "tea", "content": "- Likes green tea"}]}';
  const { stdout, stderr } = await workspace.run(['extract', 'apply', '--answer', '-', '--json'], { input: document });
  expect(stdout + stderr).toContain('written to bank/preferences/tea-2.md');
  expect(workspace.read('bank/preferences/tea-2.md')).toContain('Likes green tea');
  expect(existsSync(workspace.path('bank/preferences/tea.md'))).toBe(false);
});

test('doctor lists ignored files', async () => {
  const { stdout } = await testWorkspace(ignoring('drafts/**')).run(['doctor']);
  expect(stdout).toContain('all files can be read, except files that "ignore" excludes ("drafts/**")');
});

test('a page that would become too large to read stops reflect with an error that names it', async () => {
  const facts = Array.from({ length: 8 }, (_, i) => `- W @Mo: keeps fish number ${i} in tank ${i}\n`).join('');
  const page = `# Mo\n\n${'prose of a person\n'.repeat(466_000)}`;
  const workspace = testWorkspace({ 'memory/2026-03-14.md': facts, 'bank/entities/Mo.md': page });
  const { code, stderr } = await workspace.run(['reflect']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('bank/entities/Mo.md would be larger than 8 MB')]);
  expect(workspace.read('bank/entities/Mo.md')).toBe(page);
});
