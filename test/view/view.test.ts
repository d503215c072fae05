import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Day } from '../../src/base/clock.js';
import { readForgotten } from '../../src/index/forgotten-page.js';
import { openIndex } from '../../src/index/open.js';
import { IndexSearch } from '../../src/index/search.js';
import { parseDay } from '../../src/language/time/calendar.js';
import { limitPageSize } from '../../src/view/budget.js';
import { chooseFiles } from '../../src/view/collect/files.js';
import { readFacts } from '../../src/view/collect/items.js';
import { collectNotes } from '../../src/view/collect/notes.js';
import { createLinkFormat, FileTable } from '../../src/view/collect/places.js';
import type { PageBelief, PageData, PageItem } from '../../src/view/page-data.js';
import { git } from '../support/git.js';
import { TemporaryWorkspace } from '../support/workspace.js';

/** Returns the data of a page as the browser reads it. */
function dataOf(html: string): PageData {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

const OPENING = '<script>alert("memory")</script><img src=x onerror=alert(1)>';
const FILES = {
  'MEMORY.md': '# Memory\n\n- Peter is the founder.\n',
  'memory/2026-03-01.md': [
    '# 2026-03-01',
    '',
    'Talked with Peter about the move.',
    '',
    '## Retain',
    '',
    '- W @Peter: lives in Vienna with @Anna.',
    '- W @Anna: works at the bakery.',
    `- W @Peter: keeps ${OPENING} in his notes.`,
    '- O(c=0.8) @Peter: prefers tea.',
    '',
  ].join('\n'),
  'memory/2026-03-10.md': [
    '# 2026-03-10',
    '',
    'A quiet day at the office.',
    '',
    '## Retain',
    '',
    '- W @Peter: moved from Vienna to Graz.',
    '- B @Anna: I ordered the flour for Anna.',
    '- W @张三: 住在上海。',
    '- W @Peter: should the garage be sold?',
    '',
  ].join('\n'),
};

describe('the page of a workspace', () => {
  let workspace: TemporaryWorkspace;
  const view = async (...args: readonly string[]) => workspace.run(['view', ...args]);
  const page = async (...args: readonly string[]) => dataOf((await view('--out', '-', ...args)).stdout);
  beforeAll(() => {
    workspace = new TemporaryWorkspace(FILES);
  });
  afterAll(() => workspace.dispose());

  test('is a file for its owner only; the answer is its path or a report', async () => {
    const file = workspace.path('.memory/view.html');
    expect((await view()).stdout).toBe(`${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const report = await workspace.json<Record<string, unknown>>(['view', '--json']);
    expect(report).toEqual({
      path: file,
      bytes: statSync(file).size,
      warnings: [],
      counts: { entities: 3, facts: 8, log_lines: 2, days: 2, pages: 1, beliefs: 1, sessions: 0 },
      left_out: { log_lines: 0, until: null, facts: 0, facts_until: null, shortened_pages: 0, beliefs: 0 },
    });
  });

  test('has the same bytes when made again, even from a rebuilt index', async () => {
    const first = await view('--out', '-');
    expect((await view('--out', '-')).stdout).toBe(first.stdout);
    await workspace.run(['index', '--force']);
    expect((await view('--out', '-')).stdout).toBe(first.stdout);
  });

  test('overwrites only its own pages', async () => {
    const mine = workspace.path('notes.html');
    writeFileSync(mine, '<!doctype html><p>mine');
    const refused = await view('--out', mine);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('was not made by view');
    expect(readFileSync(mine, 'utf8')).toBe('<!doctype html><p>mine');
    expect((await view('--out', workspace.root)).code).toBe(2);
    expect((await view('--out', '-', '--json')).code).toBe(2);
    const own = join(workspace.base, 'own.html');
    await view('--out', own);
    expect((await view('--out', own)).stdout).toBe(`${own}\n`);
  });

  test.each([[['no such', 'folder', 'own.html']], [['workspace', 'MEMORY.md', 'own.html']]])(
    'creates no folder for a named page, and refuses a file as folder: %j',
    async (path) => {
      const full = join(workspace.base, ...path);
      const { code, stderr } = await view('--out', full);
      expect([code, stderr]).toEqual([
        1,
        `error: there is no folder ${dirname(full)}\nhint: create the folder first, or use another file with --out\n`,
      ]);
      expect(existsSync(join(workspace.base, 'no such'))).toBe(false);
    },
  );

  test('loads nothing, and runs only its own script and style', async () => {
    const { stdout } = await view('--out', '-');
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(stdout) ?? [];
    expect(policy).toMatch(/^default-src 'none'; script-src '[^']+'; style-src '[^']+';/);
    for (const tag of ['script', 'style']) {
      const [, text = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(stdout) ?? [];
      expect(text.length).toBeGreaterThan(1_000);
      expect(policy).toContain(`sha256-${createHash('sha256').update(text).digest('base64')}`);
    }
    expect(stdout.match(/<script/g)).toHaveLength(2);
    // Addresses in the script are text for its link readers; the policy forbids requests, and `troubles` checks it in a
    // browser.
    expect(stdout.replace(/<script>.*?<\/script>/s, '')).not.toMatch(/https?:\/\//);
  });

  test('shows HTML in a memory as text', async () => {
    const { stdout } = await view('--out', '-');
    expect(stdout).not.toContain('<script>alert');
    expect(stdout).not.toContain('<img');
    expect(dataOf(stdout).items.map(({ text }) => text)).toContain(`@Peter: keeps ${OPENING} in his notes.`);
  });

  test('shows the current facts as entity show does, not the first ones', async () => {
    const { entities } = await page();
    const peter = entities.find(({ name }) => name === 'Peter');
    const shown = await workspace.json<{ holds: Record<string, { text: string }[]> }>([
      'entity',
      'show',
      'Peter',
      '--json',
    ]);
    for (const part of ['now', 'planned', 'lately', 'before'] as const) {
      const texts = (peter?.holds?.[part] ?? []).map(({ text }) => text);
      expect(texts).toEqual((shown.holds[part] ?? []).map(({ text }) => text));
    }
    expect(peter?.holds?.now.map(({ text }) => text)).toContain('moved from Vienna to Graz.');
    expect(peter?.holds?.before).toMatchObject([{ text: expect.stringContaining('Vienna'), ending: 'replaced' }]);
  });

  test('lists unanswered questions', async () => {
    const { waiting } = await page();
    expect(waiting.questions.map(({ text }) => text)).toEqual(['should the garage be sold?']);
  });

  test('names the file of every line, with links that open it as set', async () => {
    const plain = await page();
    const item = plain.items.find(({ text }) => text.includes('flour'));
    expect(plain.files[item?.at[0] ?? -1]).toMatchObject({ path: 'memory/2026-03-10.md', day: '2026-03-10' });
    expect(item?.at[1]).toBe(8);
    await view();
    const kept = dataOf(readFileSync(workspace.path('.memory/view.html'), 'utf8'));
    expect(kept.files.map(({ href }) => href)).toContain('../memory/2026-03-10.md');
    expect(kept.lineMark).toBe('#L');
    for (const [form, start, mark] of [
      ['vscode', 'vscode://file/', ':'],
      ['obsidian', 'obsidian://open?path=', ''],
    ] as const) {
      workspace.write('memory.config.json5', `{ viewLinks: "${form}" }`);
      const { files, lineMark } = await page();
      expect(lineMark).toBe(mark);
      for (const { href } of files) expect(href.startsWith(start), href).toBe(true);
    }
    workspace.remove('memory.config.json5');
  });

  test('can be limited to a time, to an entity, and to text outside of sessions', async () => {
    const recent = await page('--since', '2026-03-05');
    expect(new Set(recent.files.map(({ day }) => day))).not.toContain('2026-03-02');
    expect(recent.items.some(({ text }) => text.includes('bakery'))).toBe(false);
    const anna = await page('--entity', 'anna', '--no-sessions');
    expect(anna.entity).toBe('Anna');
    expect((await page('--entity', 'anna')).sessions).toBeNull();
    expect(JSON.stringify(anna)).not.toContain('prefers tea');
    expect(anna.sessions).toBeNull();
    expect(anna.entities.filter(({ holds }) => holds !== null).map(({ name }) => name)).toEqual(['Anna']);
    expect(anna.items.map(({ text }) => text)).toEqual([
      '@Peter: lives in Vienna with @Anna.',
      '@Anna: works at the bakery.',
      '@Anna: I ordered the flour for Anna.',
    ]);
    const unknown = await view('--entity', 'Ana');
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('did you mean Anna?');
  });

  test('is not opened by --open without a display, which prints its place', async () => {
    const { code, stdout, stderr } = await workspace.run(['view', '--open'], {
      env: { DISPLAY: '', WAYLAND_DISPLAY: '' },
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${workspace.path('.memory/view.html')}\n`,
      stderr: '',
    });
  });
});

test('history comes from git, evidence from reflect', async () => {
  const workspace = new TemporaryWorkspace(FILES);
  try {
    const later = ['--now', '2026-03-16T12:00:00Z'];
    const page = async () => dataOf((await workspace.run([...later, 'view', '--out', '-'])).stdout);
    const bare = await page();
    expect(bare.commits).toEqual([]);
    await git(workspace.root, 'init', '-q');
    await git(workspace.root, 'add', '.');
    await git(workspace.root, 'commit', '-qm', 'First notes');
    await workspace.run(['reflect']);
    workspace.write(
      'memory/2026-03-12.md',
      '# 2026-03-12\n\n## Retain\n\n- W @Peter: moved from Graz to Linz.\n- O(c=0.9) @Peter: prefers tea.\n',
    );
    await workspace.run([...later, 'reflect']);
    const { commits, beliefs, files } = await page();
    expect(commits).toMatchObject([{ subject: 'First notes' }]);
    const [tea] = beliefs;
    const why = await workspace.json<{ confidence: number; curve: { confidence: number }[] }>([
      'opinion',
      'why',
      'tea',
      '--json',
    ]);
    expect(tea).toMatchObject({ confidence: why.confidence, place: 'bank' });
    // The first step is the one that the belief starts from.
    expect(tea?.steps.map(({ reached }) => reached)).toEqual([undefined, ...why.curve.map((one) => one.confidence)]);
    expect(files[tea?.at[0] ?? -1]?.path).toBe('bank/opinions.md');
  } finally {
    workspace.dispose();
  }
});

test('forgotten text is on no part of the page', async () => {
  const workspace = new TemporaryWorkspace(FILES);
  try {
    await workspace.run(['reflect']);
    expect((await workspace.run(['view', '--out', '-'])).stdout).toContain('flour');
    expect((await workspace.run(['forget', '--query', 'ordered the flour'])).code).toBe(0);
    expect((await workspace.run(['view', '--out', '-'])).stdout).not.toContain('flour');
  } finally {
    workspace.dispose();
  }
});

test('a session is shown with its Working Memory, its archives and dropped items', async () => {
  const workspace = new TemporaryWorkspace(FILES);
  try {
    for (const text of ['The port is 6380 from now on.', 'Is the backup of Friday still missing?', 'Use Postgres 17.'])
      await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', text]);
    await workspace.run(['session', 'commit', 'chat', '--keep-recent', '1']);
    const { sessions } = dataOf((await workspace.run(['view', '--out', '-'])).stdout);
    const [chat] = sessions ?? [];
    expect(chat).toMatchObject({ id: 'chat', live: 1, archived: 2 });
    expect(chat?.archives).toMatchObject([{ id: 'archive_001', state: 'completed', messages: 2 }]);
    const { document } = await workspace.json<{ document: string }>(['wm', 'show', 'chat', '--json']);
    const lines = (chat?.memory ?? []).flatMap((section) => section.lines);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(document).toContain(line);
  } finally {
    workspace.dispose();
  }
});

test('the newest facts and days are read first, if there is too little room', async () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
  const log = (day: string) => `# ${day}\n\nSaid on ${day}.\n\n## Retain\n\n- W @Ida: swims on ${day}.\n`;
  const workspace = new TemporaryWorkspace(Object.fromEntries(days.map((day) => [`memory/${day}.md`, log(day)])));
  try {
    await workspace.run(['index']);
    const opened = openIndex(workspace.path('.memory'));
    if (opened.state !== 'ready') throw new Error(opened.state);
    const search = new IndexSearch([{ db: opened.db, masked: new Set() }]);
    const { root } = workspace;
    const scope = { root, search, since: undefined, withResources: true, kept: undefined, ownPage: null };
    const more = { forgotten: readForgotten(root), addressOf: () => undefined, lines: [] };
    const read = (room: number, today: Day = '2026-03-15') => {
      const { shown, leftOut } = chooseFiles({ ...scope, today }, room);
      const places = new FileTable(search, createLinkFormat('plain', root, null));
      const { notes } = collectNotes({ ...scope, ...more, today }, shown, places);
      return {
        facts: readFacts(search, shown, root).map(({ text }) => text.slice(-3, -1)),
        days: notes.map(({ file }) => places.files[file]?.day?.slice(-2)),
        leftOut,
      };
    };
    const all = { facts: ['01', '02', '03'], days: ['01', '02', '03'] };
    expect(read(10_000)).toMatchObject({ ...all, leftOut: { facts: 0, facts_until: null, log_lines: 0, until: null } });
    expect(read(50)).toMatchObject({
      facts: ['03'],
      days: ['03'],
      leftOut: { facts: 2, facts_until: '2026-03-02', log_lines: 2, until: '2026-03-02' },
    });
    // A day that has not come yet gives way to all others.
    expect(read(50, '2026-03-02')).toMatchObject({ facts: ['02'], days: ['02'] });
    opened.db.close();
  } finally {
    workspace.dispose();
  }
});

test('an empty workspace gives a page', async () => {
  const workspace = new TemporaryWorkspace();
  try {
    await workspace.run(['init', workspace.root]);
    const { code, stdout } = await workspace.run(['view', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { entities: 0, facts: 0, beliefs: 0 } });
  } finally {
    workspace.dispose();
  }
});

test('a page above its budget shortens long pages and leaves out the texts of the oldest days', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', null];
  const fact = { kind: 'world', text: 'stays', at: [0, 99] } as const;
  const note = { file: 0, title: 'N', names: [], tags: [], fields: [], line: 1, to: [], cut: 0 };
  const day = (file: number) => ({ ...note, file, kind: 'day' as const, text: `${'x'.repeat(90_000)}<`, lines: 100 });
  const data: PageData = {
    ...largePage(),
    files: days.map((one, at) => ({ path: `${at}.md`, day: one, href: `${at}.md` })) as PageData['files'],
    items: [fact, fact],
    beliefs: [],
    notes: [0, 1, 2].map(day),
  };
  const plain: PageData = { ...data, entities: [] };
  expect(limitPageSize(plain, 100_000)).toBe(plain);
  const notes = [1, 10, 4_000].map((lines) => ({ ...note, kind: 'page' as const, text: 'nine more\n'.repeat(lines) }));
  const shorter = limitPageSize({ ...plain, notes }, 100_000, 120_000);
  expect(shorter.left_out.shortened_pages).toBe(1);
  expect(shorter.notes.slice(0, 2)).toEqual(notes.slice(0, 2));
  const [, , long] = shorter.notes;
  expect(long?.text).toMatch(/^(?:nine more\n)+$/);
  expect((long?.text.length ?? 0) + (long?.cut ?? 0)).toBe(40_000);
  const most = 200_000;
  const small = limitPageSize(plain, 100_000, most);
  expect(Buffer.byteLength(JSON.stringify(small).replaceAll('<', '\\u003c'))).toBeLessThan(most);
  expect(small.left_out).toMatchObject({ log_lines: 200, until: '2026-03-02' });
  expect(small.items).toHaveLength(2);
  expect(small.notes.map(({ text, cut }) => [text.length, cut])).toEqual([
    [0, 90_001],
    [0, 90_001],
    [90_001, 0],
  ]);
});

const LIMIT = 400_000;
const TODAY = parseDay('2026-12-31') ?? expect.fail();

function dayAt(index: number) {
  return parseDay(new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10));
}

/** A page in which everything is very much: 300 days, each with one fact that supports every belief. */
function largePage(): PageData {
  const days = Array.from({ length: 300 }, (_, index) => index);
  const items = days.map((day): PageItem => ({ kind: 'world', text: `fact of ${day}`, at: [day, 1] }));
  const statement = (day: number) => ({ text: `statement of ${day}`, at: [day, 2] as const, from: dayAt(day) });
  const newestFirst = days.toReversed().map(statement);
  const belief: PageBelief = {
    id: 'o-1',
    text: '@A: likes tea',
    about: [0],
    confidence: 0.9,
    place: 'bank',
    at: [0, 3],
    prior: [0.5, dayAt(0)],
    steps: days.map((day) => {
      const text = `fact of ${day} `;
      return { day: dayAt(day), direction: 'supports', text, at: [day, 1], by: 'rules', reached: 0.5 + day / 1000 };
    }),
  };
  const entity = { name: 'A', slug: 'a', type: null, aliases: [], mentions: 1, page: null, note: null };
  const holds = {
    now: newestFirst.map((one) => ({ ...one, earlier: newestFirst.slice(0, 50) })),
    planned: [],
    lately: newestFirst,
    before: newestFirst,
  };
  return {
    workspace: 'w',
    today: TODAY,
    zone: 'UTC',
    since: null,
    entity: null,
    lineMark: '#L',
    files: days.map((day) => ({ path: `${day}.md`, day: dayAt(day), href: `${day}.md` })),
    items,
    entities: [{ ...entity, holds, hasMore: false }],
    notes: [],
    links: [],
    beliefs: Array.from({ length: 400 }, (_, index) => ({ ...belief, id: `o-${index}` })),
    week: null,
    waiting: { questions: [], contradictions: [], proposals: [] },
    sessions: [],
    commits: [],
    left_out: { log_lines: 0, until: null, facts: 0, facts_until: null, shortened_pages: 0, beliefs: 0 },
  };
}

test('a page of very many beliefs and statements keeps the newest of each, counts the rest, and fits', () => {
  const whole = largePage();
  const page = limitPageSize(whole, 1_000, LIMIT);
  expect(JSON.stringify(page).length + 1_000).toBeLessThanOrEqual(LIMIT);
  expect(page.beliefs.length).toBeGreaterThan(100);
  expect(page.beliefs.length + page.left_out.beliefs).toBe(400);
  for (const { steps, more = 0 } of page.beliefs) {
    expect(steps.length + more).toBe(300);
    expect(steps.at(-1)?.at).toEqual([299, 1]);
  }
  const [entity] = page.entities;
  expect(entity?.hasMore).toBe(true);
  expect(entity?.holds?.now[0]?.text).toBe('statement of 299');
  expect(entity?.holds?.now[0]?.earlier?.[0]?.text).toBe('statement of 299');
});

test('facts without room go oldest first; evidence keeps what it names', () => {
  const { beliefs, ...whole } = largePage();
  const long = 'long '.repeat(300);
  const entities = whole.entities.map((entity) => ({ ...entity, holds: null }));
  const items = whole.items.map((item) => ({ ...item, text: `${item.text} ${long}` }));
  const cited = beliefs.slice(0, 1).map((belief) => ({ ...belief, steps: belief.steps.slice(0, 50) }));
  const page = limitPageSize({ ...whole, items, entities, beliefs: cited }, 1_000, LIMIT);
  expect(JSON.stringify(page).length + 1_000).toBeLessThanOrEqual(LIMIT);
  expect(page.left_out.facts).toBeGreaterThan(50);
  expect(page.items.length + page.left_out.facts).toBe(300);
  expect(page.items[0]?.at[0]).toBe(page.left_out.facts);
  expect(page.left_out.facts_until).toBe(dayAt(page.left_out.facts - 1));
  const shown = new Set(page.items.map(({ at }) => at[0]));
  const dropped = (page.beliefs[0]?.steps ?? []).filter(({ at }) => at !== null && !shown.has(at[0]));
  expect(dropped).toHaveLength(50);
  for (const { at, text } of dropped) expect(text).toContain(`fact of ${at?.[0]} `);
});

test('a page that fits stays as it is', () => {
  const whole = largePage();
  expect(limitPageSize(whole, 1_000, 100_000_000)).toBe(whole);
});
