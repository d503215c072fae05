import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { git, identity } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { FileContents, TemporaryWorkspace } from '../support/workspace.js';

const LOGS: FileContents = {
  'memory/2026-03-01.md':
    '## Retain\n- O(c=0.8) @Peter: prefers concise replies on WhatsApp\n- W @Peter: lives in Vienna\n- B @warelay: shipped the relay with @Peter\n',
  'memory/2026-03-02.md': '## Retain\n- W @Peter: asked for short replies on WhatsApp\n- W @Peter: lives in Vienna\n',
};

interface Report {
  readonly run: string;
  readonly facts: number;
  readonly opinions: readonly {
    id: string;
    before: number | null;
    after: number;
    reason: string;
    evidence: unknown[];
  }[];
  readonly promoted: readonly { statement: string; reason: string }[];
  readonly proposals: readonly string[];
  readonly conflicts: readonly { path: string; reason: string }[];
  readonly written: readonly string[];
  readonly warnings: readonly string[];
}

const reflect = (workspace: TemporaryWorkspace, ...more: readonly string[]) =>
  workspace.json<Report>(['reflect', ...more]);

const opinions = (workspace: TemporaryWorkspace) => readOpinionsPage(workspace.read('bank/opinions.md'));

/** Returns every page of the bank and the evidence, to detect any changed byte. */
function bank(workspace: TemporaryWorkspace): readonly string[] {
  const pages = workspace.pages().filter(({ path }) => path.startsWith('bank/'));
  return [...pages.map(({ path, text }) => `${path}\n${text}`), workspace.read('bank/evidence.jsonl')].sort();
}

describe('reflect', () => {
  test('makes beliefs, entity pages, durable facts and evidence, each citing what it rests on', async () => {
    const workspace = testWorkspace(LOGS);
    const report = await reflect(workspace);
    expect(report).toMatchObject({ facts: 5, conflicts: [], warnings: [] });
    expect(report.opinions).toMatchObject([{ before: null, reason: 'new', after: expect.closeTo(0.816, 6) }]);
    expect(report.promoted).toMatchObject([{ statement: 'lives in Vienna', reason: 'repeated' }]);
    const [opinion] = opinions(workspace);
    expect(opinion).toMatchObject({
      prior: { confidence: 0.8, day: '2026-03-01' },
      evidence: [{}, { supports: true }],
    });
    expect(workspace.read('bank/world.md')).toMatch(/^- W @Peter: lives in Vienna \^f-[0-9a-z]{13}$/m);
    const page = workspace.read('bank/entities/Peter.md');
    expect(page).toContain('[memory/2026-03-02.md#L3](../../memory/2026-03-02.md#L3) f-');
    expect(page).toContain('[warelay](warelay.md)');
    // Every citation leads to an existing line.
    for (const [, path = '', line] of page.matchAll(/\]\(\.\.\/\.\.\/(memory\/[\d-]+\.md)#L(\d+)\)/g)) {
      expect(workspace.read(path).split('\n')[Number(line) - 1]).toMatch(/^- [WBO]/);
    }
    expect((await workspace.run(['index', '--verify'])).code).toBe(0);
    expect((await workspace.run(['lint'])).code).toBe(0);
  });

  test('without new facts it changes no byte, even after its record of seen facts is lost', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    const before = bank(workspace);
    expect(await reflect(workspace)).toMatchObject({ facts: 0, written: [] });
    workspace.remove('.memory');
    expect(await reflect(workspace)).toMatchObject({ facts: 5, written: [] });
    expect(bank(workspace)).toEqual(before);
    expect((await workspace.run(['reflect'])).stdout).toBe('Nothing new.\n');
  });

  test('--since postpones what it leaves out to the next run without it', async () => {
    const workspace = testWorkspace(LOGS);
    expect(await reflect(workspace, '--since', '2026-03-02')).toMatchObject({ facts: 2 });
    expect(await reflect(workspace)).toMatchObject({ facts: 3 });
    expect(opinions(workspace)[0]?.confidence).toBe(0.82);
  });

  test('--dry-run shows the diff and writes nothing', async () => {
    const workspace = testWorkspace(LOGS);
    const { stdout } = await workspace.run(['reflect', '--dry-run']);
    expect(stdout).toContain('+++ b/bank/opinions.md');
    expect(workspace.pages().filter(({ path }) => path.startsWith('bank/'))).toEqual([]);
    expect(await reflect(workspace)).toMatchObject({ facts: 5 });
  });

  test('--undo reverts the run, and the next run works again', async () => {
    const workspace = testWorkspace(LOGS);
    const { written } = await reflect(workspace);
    const before = bank(workspace);
    await workspace.run(['reflect', '--undo']);
    expect(workspace.pages().filter(({ path }) => written.includes(path))).toEqual([]);
    expect(await workspace.run(['reflect', '--undo'])).toMatchObject({ code: 1 });
    await reflect(workspace);
    expect(bank(workspace)).toEqual(before);
  });

  test('--undo reports that the last run changed nothing, and names the run and day that it reverts', async () => {
    const workspace = testWorkspace(LOGS);
    const { run: first } = await reflect(workspace, '--now', '2026-03-14T08:00:00Z');
    await reflect(workspace, '--now', '2026-03-15T08:00:00Z');
    const { code, stdout, stderr } = await workspace.run(['reflect', '--undo', '--rejudge']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Undone: ${first} of 2026-03-14`);
    expect(stderr).toContain('the last run (r-20260315T080000Z of 2026-03-15) changed nothing');
  });

  test('--commit names cited logs that are not in git', async () => {
    const workspace = testWorkspace(LOGS);
    await git(workspace.root, 'init', '-q');
    const env = identity(workspace);
    const { code, stderr } = await workspace.run(['reflect', '--commit'], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/cites logs that are not in git: .*memory\/2026-03-0\d\.md/);
    await git(workspace.root, 'add', 'memory');
    await git(workspace.root, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qm', 'logs');
    workspace.write('memory/2026-03-01.md', `${workspace.read('memory/2026-03-01.md')}- W @Peter: plays chess\n`);
    expect((await workspace.run(['reflect', '--commit'], { env })).stderr).not.toContain('not in git');
  });

  test('--commit commits exactly what it wrote', async () => {
    const workspace = testWorkspace(LOGS);
    await git(workspace.root, 'init', '-q');
    const env = identity(workspace);
    const { stdout } = await workspace.run(['reflect', '--commit', '--json'], { env });
    const { commit, written } = JSON.parse(stdout);
    const files = await git(workspace.root, 'show', '--name-only', '--format=', commit);
    expect(files.trim().split('\n').sort()).toEqual([...written].sort());
    const second = JSON.parse((await workspace.run(['reflect', '--commit', '--json'], { env })).stdout);
    expect(second).toMatchObject({ commit: null, written: [] });
  });

  test('a contradiction with a new value begins a new opinion; observations and cron jobs count as no evidence', async () => {
    const workspace = testWorkspace({
      ...LOGS,
      'memory/2026-03-03.md':
        '## Retain\n- O(c=0.9) @Peter: wants long replies on WhatsApp\n- S @Peter: wants long replies on WhatsApp\n## Cron\n- W @Peter: asked for short replies on WhatsApp\n- W @Peter: [cron:7 digest] asked for short replies on WhatsApp\n',
    });
    await reflect(workspace);
    const [old, fresh] = opinions(workspace);
    expect(old?.mark?.confidence).toBeCloseTo(0.816 * (1 - 0.12 * 0.9), 5);
    expect(fresh).toMatchObject({ confidence: 0.9, bullet: { text: 'wants long replies on WhatsApp' } });
  });

  test('an opinion below 0.35 for thirty days is retired with its history, and returns with new evidence', async () => {
    const workspace = testWorkspace({
      'bank/opinions.md':
        '# Opinions\n\n- O(c=0.38) @Peter: likes tea ^o-aaaaaaaaaaaaa\n  - prior: 0.38 (2026-01-01)\n',
      'memory/2026-01-10.md': '## Retain\n- W @Peter: does not like tea\n',
    });
    expect(await reflect(workspace)).toMatchObject({ opinions: [{ reason: 'retired' }] });
    expect(workspace.read('bank/opinions.md')).toMatch(
      /## Retired\n\n- O\(c=0\.33\) .*\n {2}- prior(?:.|\n)*against: /,
    );
    workspace.write('memory/2026-03-14.md', '## Retain\n- W @Peter: likes tea\n');
    expect(await reflect(workspace)).toMatchObject({ opinions: [{ reason: 'revived' }] });
    expect(workspace.read('bank/opinions.md').indexOf('likes tea')).toBeLessThan(
      workspace.read('bank/opinions.md').indexOf('## Retired'),
    );
  });

  test('a forgotten fact no longer counts as evidence, and no page shows it', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    const [opinion] = opinions(workspace);
    await workspace.run(['forget', opinion?.evidence[1]?.fact ?? '']);
    await reflect(workspace);
    expect(opinions(workspace)[0]).toMatchObject({ confidence: 0.8, evidence: [{}] });
  });

  test('the second of two runs at once reports that the other is running', async () => {
    const workspace = testWorkspace(LOGS);
    const results = await Promise.all([
      workspace.run(['reflect']),
      workspace.run(['reflect']),
      workspace.run(['reflect']),
    ]);
    for (const { code, stderr } of results) if (code !== 0) expect(stderr).toContain('another reflect is running');
    expect(results.some(({ code }) => code === 0)).toBe(true);
    expect(await reflect(workspace)).toMatchObject({ facts: 0, written: [] });
  });
});

test('a nearly full core file: reflect proposes once to move out its longest lines', async () => {
  const long = `- ${'a remark that nobody needs every day '.repeat(4)}`.trimEnd();
  const workspace = testWorkspace({
    ...LOGS,
    'memory.config.json5': '{ coreBudgetChars: 1000 }',
    'MEMORY.md': `# Core\n\n- short\n${long}\n${'- words\n'.repeat(95)}`,
  });
  const { proposals } = await reflect(workspace);
  expect(proposals).toContain(long);
  expect(workspace.read('bank/proposals/2026-03-15.md')).toMatch(/move out of the core: .*MEMORY\.md#L4/);
  expect(await reflect(workspace)).toMatchObject({ proposals: [], written: [] });
  const [proposal] = (await workspace.json<{ proposals: { id: string }[] }>(['core', 'proposals'])).proposals;
  await workspace.run(['core', 'accept', proposal?.id ?? '']);
  expect(workspace.read('MEMORY.md')).not.toContain(long);
});

describe('edits by people stay', () => {
  const edit = (workspace: TemporaryWorkspace, path: string, from: string | RegExp, to: string) => {
    const text = workspace.read(path);
    expect(text).toMatch(from);
    workspace.write(path, text.replace(from, to));
  };
  const news = (workspace: TemporaryWorkspace) =>
    workspace.write('memory/2026-03-14.md', '## Retain\n- W @Peter: asked for short replies on WhatsApp again\n');

  test('a confidence set by hand is the prior from that day on', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    edit(workspace, 'bank/opinions.md', 'O(c=0.82)', 'O(c=0.40)');
    expect(await reflect(workspace)).toMatchObject({ opinions: [{ before: 0.816, after: 0.4, reason: 'edited' }] });
    expect(opinions(workspace)[0]).toMatchObject({ confidence: 0.4, prior: { confidence: 0.4, day: '2026-03-15' } });
    news(workspace);
    await reflect(workspace);
    expect(opinions(workspace)[0]).toMatchObject({ confidence: 0.4 });
  });

  test('a deleted evidence line is the verdict "none" for good', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    edit(workspace, 'bank/opinions.md', /.*for: \[memory\/2026-03-02.*\n/, '');
    await reflect(workspace);
    expect(opinions(workspace)[0]).toMatchObject({ confidence: 0.8, evidence: [{}] });
    expect(workspace.read('bank/evidence.jsonl')).toContain('"direction":"none","by":"human"');
    workspace.remove('.memory');
    await reflect(workspace);
    expect(opinions(workspace)[0]).toMatchObject({ confidence: 0.8, evidence: [{}] });
  });

  test('an evidence line moved to the other side is a verdict of a person', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    edit(workspace, 'bank/opinions.md', 'for: [memory/2026-03-02', 'against: [memory/2026-03-02');
    await reflect(workspace);
    expect(opinions(workspace)[0]?.mark?.confidence).toBeCloseTo(0.8 * 0.88, 5);
    expect(await reflect(workspace)).toMatchObject({ written: [] });
  });

  describe('an evidence line that moved to another opinion', () => {
    const moved = async () => {
      const workspace = testWorkspace({
        ...LOGS,
        'memory/2026-02-28.md': '## Retain\n- O(c=0.7) @Peter: likes green tea\n',
      });
      await reflect(workspace);
      const line = /.*for: \[memory\/2026-03-02.*\n/.exec(workspace.read('bank/opinions.md'))?.[0] ?? '';
      edit(workspace, 'bank/opinions.md', line, '');
      edit(workspace, 'bank/opinions.md', /(?<=likes green tea.*\n)/, line);
      return workspace;
    };
    const listed = (workspace: TemporaryWorkspace) =>
      opinions(workspace).map(({ bullet, evidence }) => [bullet.text.slice(0, 5), evidence.length]);

    test('was moved by a person, and counts as two verdicts', async () => {
      const workspace = await moved();
      await reflect(workspace);
      expect(workspace.read('bank/evidence.jsonl').match(/"by":"human"/g)).toHaveLength(2);
      expect(listed(workspace)).toEqual(
        expect.arrayContaining([
          ['prefe', 1],
          ['likes', 2],
        ]),
      );
    });

    test('was moved by a merge that also brought verdicts of another machine: it moves back', async () => {
      const workspace = await moved();
      const foreign = { fact: 'f-0000000000000', opinion: 'o-0000000000000', direction: 'supports', by: 'rules' };
      const verdicts = workspace.read('bank/evidence.jsonl');
      workspace.write('bank/evidence.jsonl', `${verdicts}${JSON.stringify({ ...foreign, day: '2026-03-01' })}\n`);
      await reflect(workspace);
      expect(workspace.read('bank/evidence.jsonl')).not.toContain('"by":"human"');
      expect(listed(workspace)).toEqual(
        expect.arrayContaining([
          ['prefe', 2],
          ['likes', 1],
        ]),
      );
    });
  });

  test('an edited block is left alone, and its new content goes to bank/proposals', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    edit(workspace, 'bank/entities/Peter.md', '- lives in Vienna', '- lives in Vienna, I think');
    news(workspace);
    const report = await reflect(workspace);
    expect(report.conflicts).toMatchObject([{ path: 'bank/entities/Peter.md', reason: 'a person has edited it' }]);
    expect(workspace.read('bank/entities/Peter.md')).toContain('lives in Vienna, I think');
    expect(workspace.read('bank/proposals/block-entities-Peter.md')).toContain('asked for short replies');
  });

  test('the fact behind a deleted opinion does not bring it back', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    workspace.write('bank/opinions.md', '# Opinions\n\nNone any more.\n');
    workspace.remove('.memory');
    await reflect(workspace);
    expect(workspace.read('bank/opinions.md')).toBe('# Opinions\n\nNone any more.\n');
  });

  test('prose, comments, CRLF and a byte order mark of a page are kept byte for byte', async () => {
    const page = '\ufeff---\r\nname: Peter\r\n---\r\n\r\n# Peter\r\n\r\nMy words.  \r\n<!-- mine -->\r\n';
    const workspace = testWorkspace({ ...LOGS, 'bank/entities/Peter.md': page });
    await reflect(workspace);
    expect(workspace.read('bank/entities/Peter.md').startsWith(page)).toBe(true);
  });
});

describe('opinion why', () => {
  test('shows each step with fact, direction, judge and citation', async () => {
    const workspace = testWorkspace(LOGS);
    await reflect(workspace);
    const why = await workspace.json(['opinion', 'why', 'concise replies']);
    expect(why).toMatchObject({
      statement: 'prefers concise replies on WhatsApp',
      prior: { confidence: 0.8, day: '2026-03-01' },
      confidence: expect.closeTo(0.816, 9),
      curve: [{ day: '2026-03-02' }],
      steps: [
        { counts: false },
        { counts: true, direction: 'supports', by: 'rules', source: 'memory/2026-03-02.md#L2' },
      ],
    });
    const { stdout } = await workspace.run(['opinion', 'why', 'concise replies']);
    expect(stdout).toMatch(/^2026-03-02 \+ 0\.82 {2}\S.*\n +memory\/2026-03-02\.md#L2 {2}\(rules\)$/m);
    expect(await workspace.run(['opinion', 'why', 'nothing such'])).toMatchObject({ code: 1 });
  });
});

describe("the agent's own model", () => {
  test('reflect prompt names the pairs, and reflect apply stores the verdicts, which overrule the rules', async () => {
    const workspace = testWorkspace(LOGS);
    const form = await workspace.json<{ user: string; schemaName: string }>(['reflect', 'prompt']);
    const [, fact, opinion] = /fact (f-\S+), opinion (o-\S+)/.exec(form.user) ?? [];
    const answer = JSON.stringify({ verdicts: [{ fact, opinion, verdict: 'contradicts' }] });
    await workspace.run(['reflect', 'apply', '--answer', '-'], { input: `Sure:\n${answer}` });
    expect(opinions(workspace)[0]?.mark?.confidence).toBeCloseTo(0.8 * 0.88, 5);
    expect(workspace.read('bank/evidence.jsonl')).toContain('"by":"agent"');
    expect(await workspace.run(['reflect', 'apply', '--answer', '-'], { input: 'no' })).toMatchObject({ code: 1 });
  });
});

test('reflect never changes a log', async () => {
  const workspace = testWorkspace(LOGS);
  await reflect(workspace);
  for (const [path, text] of Object.entries(LOGS)) expect(readFileSync(workspace.path(path), 'utf8')).toBe(text);
});
