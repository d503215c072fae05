import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';
import { writtenByUs } from '../support/written-pages.js';

interface Report {
  readonly run: string | null;
  readonly pages: readonly { readonly path: string; readonly operation: string }[];
  readonly already: readonly string[];
  readonly rejected: readonly { readonly operation: string; readonly page?: string; readonly reason: string }[];
}

async function apply(workspace: TemporaryWorkspace, operations: unknown, ...more: readonly string[]) {
  const file = join(workspace.base, 'ops.json');
  writeFileSync(file, typeof operations === 'string' ? operations : JSON.stringify(operations));
  const { code, stdout } = await workspace.run(['extract', 'apply', '--answer', file, '--json', ...more]);
  const report: Report = JSON.parse(stdout);
  return { code, ...report };
}

const page = (workspace: TemporaryWorkspace, path: string): string => readFileSync(join(workspace.root, path), 'utf8');
const shown = (workspace: TemporaryWorkspace, path: string, page_id = 1) => ({
  page_id,
  path,
  hash: createHash('sha256').update(page(workspace, path)).digest('hex'),
});

const TEA = '# Tea\n\n- Likes green tea\n- No milk\n';

describe('simple pages', () => {
  test('without a template, names make path and title, content is the text, and the rest is front matter', async () => {
    const workspace = testWorkspace();
    const { code } = await apply(workspace, {
      entities: [{ name: 'Anna Bauer', category: 'person', content: '- Keeps bees' }],
    });
    expect(code).toBe(0);
    expect(page(workspace, 'bank/entities/Anna-Bauer.md')).toBe(
      '---\nname: "Anna Bauer"\ntype: "person"\n---\n\n# Anna Bauer\n\n- Keeps bees\n',
    );
  });

  test('an entity with a page under another name gets no second page, and its generated block stays', async () => {
    const block = '<!-- memory:begin summary sha=0123456789ab -->\n- generated\n<!-- memory:end summary -->';
    const before = `---\nname: Peter\naliases: [Pete]\n---\n\n# Peter\n\nA neighbour.\n\n${block}\n`;
    const workspace = testWorkspace(writtenByUs({ 'bank/entities/Peter.md': before }));
    const replace = { search: 'A neighbour.', replace: 'A neighbour since 2024.' };
    const { pages } = await apply(workspace, { entities: [{ name: 'Pete', content: { blocks: [replace] } }] });
    expect(pages).toEqual([{ path: 'bank/entities/Peter.md', operation: 'update' }]);
    expect(page(workspace, 'bank/entities/Peter.md')).toBe(before.replace('neighbour.', 'neighbour since 2024.'));
  });

  test('a page is found by its URI', async () => {
    const workspace = testWorkspace(writtenByUs({ 'bank/preferences/tea.md': TEA }));
    const uri = 'viking://user/anna/memories/preferences/tea';
    const blocks = [{ search: '- No milk', replace: '- With milk' }];
    expect(await apply(workspace, { preferences: [{ uri, content: { blocks } }] })).toMatchObject({ code: 0 });
    expect(page(workspace, 'bank/preferences/tea.md')).toBe(TEA.replace('No milk', 'With milk'));
  });

  test('two things whose names make the same path get a page each', async () => {
    const type =
      'name: pairs\ndirectory: bank/pairs\nfilename_template: "{{ a }}-{{ b }}"\nfields:\n  - name: a\n  - name: b\n  - name: content\n';
    const workspace = testWorkspace({ 'bank/types/pairs.yaml': type });
    const pairs = [
      { a: 'x-y', b: 'z', content: '- first' },
      { a: 'x', b: 'y-z', content: '- second' },
    ];
    await apply(workspace, { pairs });
    expect(page(workspace, 'bank/pairs/x-y-z.md')).toContain('first');
    expect(page(workspace, 'bank/pairs/x-y-z-2.md')).toContain('second');
  });

  test.each([
    '../../etc/passwd',
    '..',
    'con',
    'a/b',
    '\u0000',
    '-rf',
    '.hidden',
    'draft.tmp',
    '張三',
    'x'.repeat(400),
    '{{ 7*7 }}',
  ])('a topic named %j gets a page in its own folder', async (topic) => {
    const workspace = testWorkspace();
    const { pages, rejected } = await apply(workspace, { preferences: [{ topic, content: '- Likes it' }] });
    for (const { path } of pages) expect(path).toMatch(/^bank\/preferences\/[^/]{1,130}\.md$/);
    expect(pages.length + rejected.length).toBe(1);
    if (pages[0] !== undefined) expect(page(workspace, pages[0].path)).toContain('Likes it');
  });
});

describe('a field holds a value of its type, or is refused', () => {
  test('a fields comment inside a text stays text; terminal escapes are removed from names', async () => {
    const workspace = testWorkspace();
    const content = '- Likes tea\n\n<!-- MEMORY_FIELDS\n{"topic":"coffee"}\n-->';
    await apply(workspace, { preferences: [{ topic: 'te\u001b[31ma', content }] });
    const [made] = workspace.pages().filter(({ path }) => /^bank\/preferences\/[^.]/.test(path));
    expect(made?.text).toContain('&lt;!-- MEMORY_FIELDS');
    expect(made?.text).not.toMatch(/<!--\s*MEMORY_FIELDS|\u001b/);
  });

  test('a boolean field keeps its value in front matter', async () => {
    const type =
      'name: chores\ndirectory: bank/chores\nfilename_template: "{{ topic }}"\nfields:\n  - name: topic\n  - name: done\n    type: bool\n    merge_op: replace\n  - name: content\n';
    const workspace = testWorkspace({ 'bank/types/chores.yaml': type });
    await apply(workspace, { id: 'a', chores: [{ topic: 'roof', done: true, content: '- Mend it' }] });
    await apply(workspace, {
      id: 'b',
      chores: [{ topic: 'roof', content: { blocks: [{ search: 'Mend', replace: 'Mended' }] } }],
    });
    expect(page(workspace, 'bank/chores/roof.md')).toMatch(/^---\ndone: true\n---/);
  });

  test('a page with an invalid day is refused', async () => {
    const workspace = testWorkspace();
    const event = { event_name: 'Boiler replaced', content: 'The boiler was replaced.' };
    const { pages, rejected } = await apply(workspace, {
      events: [
        { ...event, date: 'yesterday' },
        { ...event, date: '2026-02-31' },
        { ...event, date: '2026-02-28' },
      ],
    });
    expect(pages.map(({ path }) => path)).toEqual(['bank/events/2026-02-28-boiler-replaced.md']);
    expect(rejected.map(({ reason }) => reason)).toEqual(Array(2).fill('date: is not a date like YYYY-MM-DD'));
  });
});

describe('template pages', () => {
  const first = {
    id: 'd1',
    tools: [{ tool_name: 'grep', call_count: 3, success_count: 2, purpose: 'Finds --> lines' }],
  };
  const more = {
    id: 'd2',
    tools: [{ tool_name: 'grep', call_count: 1, success_count: 1, common_failures: ['No match'] }],
  };

  test('an update merges the fields and renders the body again; the fields comment stays last', async () => {
    const workspace = testWorkspace();
    await apply(workspace, first);
    await apply(workspace, more);
    const text = page(workspace, 'bank/tools/grep.md');
    expect(text).toContain('- Calls: 4, 75 % successful');
    expect(text).toContain('- No match');
    expect(text).toContain('Finds --> lines');
    expect(text).toMatch(/<!-- MEMORY_FIELDS\n[\s\S]*"version": 2\n\}\n-->\n$/);
  });

  test('a page with CRLF line ends keeps them and does not count as edited', async () => {
    const workspace = testWorkspace();
    await apply(workspace, { tools: [{ tool_name: 'awk', call_count: 1, when_to_use: 'For\ncolumns.' }] });
    workspace.write('bank/tools/awk.md', page(workspace, 'bank/tools/awk.md').replaceAll('\n', '\r\n'));
    expect(await apply(workspace, { id: '2', tools: [{ tool_name: 'awk', call_count: 1 }] })).toMatchObject({
      code: 0,
    });
    const text = page(workspace, 'bank/tools/awk.md');
    expect(text).toContain('- Calls: 2, 0 % successful\r\n\r\n## When to use\r\n\r\nFor\r\ncolumns.');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('an edit in a rendered body is read back into its field', async () => {
    const workspace = testWorkspace();
    await apply(workspace, first);
    workspace.write(
      'bank/tools/grep.md',
      page(workspace, 'bank/tools/grep.md').replace('Finds --> lines', 'Finds lines fast'),
    );
    expect(await apply(workspace, more)).toMatchObject({ code: 0 });
    const text = page(workspace, 'bank/tools/grep.md');
    expect(text).toContain('\n\nFinds lines fast\n\n- Calls: 4');
    expect(text).toContain('"purpose": "Finds lines fast"');
  });

  test('text outside of all fields stays in place; an edit on both sides is reported as a conflict', async () => {
    const workspace = testWorkspace();
    await apply(workspace, first);
    const before = page(workspace, 'bank/tools/grep.md');
    workspace.write('bank/tools/grep.md', before.replace('# grep\n', '# grep\n\nMy own note.\n'));
    expect(await apply(workspace, more)).toMatchObject({ code: 0 });
    expect(page(workspace, 'bank/tools/grep.md')).toContain('My own note.');
    workspace.write(
      'bank/tools/grep.md',
      page(workspace, 'bank/tools/grep.md').replace('- Calls: 4,', '- Calls: forty,'),
    );
    const { code, rejected } = await apply(workspace, { ...more, id: 'd3' });
    expect(code).toBe(1);
    expect(rejected[0]?.reason).toContain('a person has edited the place');
  });

  test('unreadable fields are not overwritten', async () => {
    const text = '# grep\n\n<!-- MEMORY_FIELDS\n{"tool_name": \n-->\n';
    const workspace = testWorkspace({ 'bank/tools/grep.md': text });
    expect(await apply(workspace, first)).toMatchObject({ code: 1 });
    expect(page(workspace, 'bank/tools/grep.md')).toBe(text);
  });
});

describe('documents are applied exactly once', () => {
  const counted = { id: 'd1', tools: [{ tool_name: 'grep', call_count: 10 }] };

  test('applying twice changes no byte, even after .memory/ was deleted', async () => {
    const workspace = testWorkspace();
    await apply(workspace, counted);
    const before = page(workspace, 'bank/tools/grep.md');
    expect(await apply(workspace, counted)).toMatchObject({ code: 0, run: null, already: ['bank/tools/grep.md'] });
    workspace.remove('.memory');
    expect(await apply(workspace, counted)).toMatchObject({ code: 0, run: null });
    expect(page(workspace, 'bank/tools/grep.md')).toBe(before);
  });

  test('a document without an id is identified by its content', async () => {
    const workspace = testWorkspace();
    const { tools } = counted;
    await apply(workspace, { tools });
    expect(await apply(workspace, `Sure! ${JSON.stringify({ tools })}`)).toMatchObject({ run: null });
    expect(page(workspace, 'bank/tools/grep.md')).toContain('"call_count": 10');
  });

  test('the same id with other content is refused', async () => {
    const workspace = testWorkspace();
    await apply(workspace, counted);
    const { code, rejected } = await apply(workspace, { ...counted, tools: [{ tool_name: 'sed', call_count: 1 }] });
    expect(code).toBe(1);
    expect(rejected[0]?.reason).toContain('its text was different');
    expect(existsSync(join(workspace.root, 'bank/tools/sed.md'))).toBe(false);
  });

  test('a page that changed after it was read takes a patch that still fits, but no whole text', async () => {
    const workspace = testWorkspace(
      writtenByUs({ 'bank/preferences/tea.md': TEA, 'bank/preferences/jam.md': '# Jam\n\n- Plum\n' }),
    );
    const pages = [shown(workspace, 'bank/preferences/tea.md'), shown(workspace, 'bank/preferences/jam.md', 2)];
    workspace.write('bank/preferences/tea.md', `${TEA}- Added by hand\n`);
    workspace.write('bank/preferences/jam.md', '# Jam\n\n- Plum\n- Added by hand\n');
    const blocks = [{ search: '- No milk', replace: '- Milk' }];
    const { code, rejected } = await apply(workspace, {
      pages,
      preferences: [
        { page_id: 1, content: { blocks } },
        { page_id: 2, content: '- Apricot' },
      ],
    });
    expect(code).toBe(1);
    expect(page(workspace, 'bank/preferences/tea.md')).toContain('- Milk\n- Added by hand');
    expect(page(workspace, 'bank/preferences/jam.md')).toContain('Plum');
    expect(rejected).toEqual([
      expect.objectContaining({ operation: 'preferences[1]', reason: expect.stringContaining('read the page again') }),
    ]);
  });

  test('a page that was read may be replaced, deleted and linked', async () => {
    const workspace = testWorkspace(
      writtenByUs({ 'bank/preferences/tea.md': TEA, 'bank/preferences/jam.md': '# Jam\n\n- Plum\n' }),
    );
    const pages = [shown(workspace, 'bank/preferences/tea.md'), shown(workspace, 'bank/preferences/jam.md', 2)];
    const { code } = await apply(workspace, {
      pages,
      preferences: [
        { page_id: 1, content: '- Likes black tea' },
        { page_id: 100, topic: 'Honey', content: '- Acacia' },
      ],
      deletes: [{ page_id: 2, replacement: 1 }],
      links: [{ from: 1, to: 100, link_type: 'goes_with' }],
    });
    expect(code).toBe(0);
    expect(page(workspace, 'bank/preferences/tea.md')).toBe(
      '# Tea\n\n- Likes black tea\n\n## See also\n\n- [Honey](honey.md) – goes with\n',
    );
    expect(existsSync(join(workspace.root, 'bank/preferences/jam.md'))).toBe(false);
  });
});

test.each<[string, unknown, string]>([
  ['a page of another type', { preferences: [{ uri: 'bank/tools/grep', content: '- x y' }] }, 'of the type tools'],
  [
    'a page outside of the bank',
    { preferences: [{ uri: 'memory/2026-03-01.md', content: '- x y' }] },
    'not a page of bank/',
  ],
  ['a number that was not shown', { preferences: [{ page_id: 7, content: '- x y' }] }, 'did not show a page 7'],
  ['an object for a text', { preferences: [{ topic: 'a', content: { text: 'x' } }] }, 'must be a text or a patch'],
  ['an unknown field', { preferences: [{ topic: 'a', content: '- x y', colour: 'red' }] }, 'not a field'],
  ['an item without its name', { preferences: [{ content: '- x y' }] }, 'topic is missing'],
  ['a delete of a page that was not read', { deletes: [{ uri: 'bank/tools/grep.md' }] }, 'not read'],
  [
    'only injected memory',
    { profile: [{ content: '<relevant-memories>- x</relevant-memories>' }] },
    'no text to remember',
  ],
  [
    'an example of the prompt',
    { profile: [{ content: '- Works as a nurse on night shifts since 2024' }] },
    'no text to remember',
  ],
  ['a heartbeat', { profile: [{ content: 'HEARTBEAT_OK' }] }, 'no text to remember'],
])('%s is refused with a message', async (_, operations, reason) => {
  const workspace = testWorkspace();
  await apply(workspace, { id: 'd0', tools: [{ tool_name: 'grep', call_count: 1 }] });
  const { code, rejected } = await apply(workspace, operations);
  expect(code).toBe(1);
  expect(rejected.map((one) => one.reason).join()).toContain(reason);
});

test('a horizontal rule at the top of a page does not become front matter', async () => {
  const workspace = testWorkspace();
  await apply(workspace, { profile: [{ content: '---\ntitle: [unclosed\n---\n- Keeps bees' }] });
  expect(page(workspace, 'bank/profile.md')).toBe('***\ntitle: [unclosed\n---\n- Keeps bees\n');
});

test('a secret is redacted, and a statement without a source message is not an opinion', async () => {
  const workspace = testWorkspace();
  const content = '- O(c=0.9) @Anna: likes the key AKIAABCDEFGHIJKLMNOP';
  await apply(workspace, { preferences: [{ topic: 'keys', content }] });
  expect(page(workspace, 'bank/preferences/keys.md')).toBe('# keys\n\n- likes the key [redacted:aws-access-key]\n');
});

test('a line that the page already has is not added again', async () => {
  const workspace = testWorkspace({ 'bank/preferences/tea.md': TEA });
  const blocks = [{ search: '- No milk', replace: '- No milk\n- likes Green Tea.' }];
  const { code } = await apply(workspace, { preferences: [{ topic: 'tea', content: { blocks } }] });
  expect(code).toBe(0);
  expect(page(workspace, 'bank/preferences/tea.md')).toBe(TEA);
});

test.each([
  ['- Likes green tea in the morning', '- Likes green tea', '- Likes green tea in the morning'],
  ['- Anna calls Peter on Mondays', '- Peter calls Anna on Mondays', null],
  ['- Drinks 2 cups of green tea', '- Drinks 3 cups of green tea', null],
  ['- Does not drink coffee at night', '- Drinks coffee at night', null],
  ['- 不喜欢在晚上喝咖啡', '- 喜欢在晚上喝咖啡', null],
])('a new line that adds nothing is skipped, any other is added: %s, then %s', async (there, said, kept) => {
  const before = `# Tea\n\n${there}\n- Last\n`;
  const workspace = testWorkspace({ 'bank/preferences/tea.md': before });
  const blocks = [{ search: '- Last', replace: `- Last\n${said}` }];
  await apply(workspace, { preferences: [{ topic: 'tea', content: { blocks } }] });
  expect(page(workspace, 'bank/preferences/tea.md')).toBe(kept === null ? `${before}${said}\n` : before);
});

test('the history of a page shows changes by extraction, with and without git', async () => {
  const workspace = testWorkspace();
  const { run } = await apply(workspace, { preferences: [{ topic: 'tea', content: '- Likes green tea' }] });
  const { stdout } = await workspace.run(['history', 'bank/preferences/tea.md', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ changes: [], runs: [{ run, operation: 'add' }] });
  const shown = await workspace.run(['history', 'bank/preferences/tea.md']);
  expect(shown.stdout).toContain('+- Likes green tea');
  expect(await workspace.run(['history', 'bank/preferences/jam.md'])).toMatchObject({ code: 1 });
});

test('the next prompt updates the summaries of folders after edits by people, and shows them', async () => {
  const recipes =
    'name: recipes\ndirectory: bank/recipes\nfilename_template: "{{ dish }}"\nfields:\n  - name: dish\n  - name: content\n' +
    'overview_template: "{% for item in items %}Dish {{ item.title }} = {{ item.file_content }}\\n{% endfor %}"\n';
  const workspace = testWorkspace({ 'bank/types/recipes.yaml': recipes });
  await apply(workspace, {
    preferences: [{ topic: 'tea', content: '- Likes green tea' }],
    recipes: [{ dish: 'soup', content: '- Needs leek' }],
  });
  workspace.write('bank/preferences/jam.md', '# Jam\n\n- Plum\n');
  workspace.write('bank/recipes/soup.md', '# soup\n\n- Needs kale\n');
  const prompt = async (): Promise<string> => {
    const said = ['extract', 'prompt', '--stdin', '--json'];
    return JSON.parse((await workspace.run(said, { input: 'Good morning.' })).stdout).user;
  };
  const first = await prompt();
  expect(first).toContain('bank/preferences/: preferences, 2 pages: Jam, tea.');
  expect(first).toContain('- [Jam](jam.md): Plum');
  expect(first).toContain('Dish soup = Needs kale');
  expect(page(workspace, 'bank/recipes/.overview.md')).toBe('Dish soup = Needs kale\n');
  workspace.remove('bank/preferences/tea.md');
  workspace.remove('bank/recipes/soup.md');
  expect(await prompt()).not.toMatch(/tea|Dish/u);
  expect(page(workspace, 'bank/preferences/.abstract.md')).toBe('preferences, 1 page: Jam.\n');
  expect(existsSync(workspace.path('bank/recipes/.overview.md'))).toBe(false);
});

test('a text without operations is wrong usage; an empty list does nothing', async () => {
  const workspace = testWorkspace();
  const { code } = await workspace.run(['extract', 'apply', '--answer', 'missing.json']);
  expect(code).toBe(1);
  writeFileSync(join(workspace.base, 'prose'), 'I would rather not.');
  expect(await workspace.run(['extract', 'apply', '--answer', 'prose'])).toMatchObject({ code: 2, stdout: '' });
  expect(await apply(workspace, '{}')).toMatchObject({ code: 0, run: null });
  expect(existsSync(join(workspace.root, 'bank/.applied.jsonl'))).toBe(false);
});

test('--undo reverts a whole run, keeps later edits, and the document can be applied again', async () => {
  const workspace = testWorkspace(writtenByUs({ 'bank/preferences/tea.md': TEA }));
  const operations = {
    id: 'd1',
    preferences: [
      { topic: 'tea', content: { blocks: [{ search: '- No milk', replace: '- Milk' }] } },
      { topic: 'jam', content: '- Plum' },
    ],
  };
  await apply(workspace, operations);
  workspace.write('bank/preferences/tea.md', `# Tea\n\n- Strong\n- Likes green tea\n- Milk\n`);
  expect(await workspace.run(['extract', '--undo'])).toMatchObject({ code: 0 });
  expect(page(workspace, 'bank/preferences/tea.md')).toBe('# Tea\n\n- Strong\n- Likes green tea\n- No milk\n');
  expect(existsSync(join(workspace.root, 'bank/preferences/jam.md'))).toBe(false);
  expect(await workspace.run(['extract', '--undo'])).toMatchObject({ code: 1 });
});

test('--undo reverts the last run, and keeps it, even if the clock was put back before it', async () => {
  const workspace = testWorkspace();
  await apply(workspace, { profile: [{ content: '- Keeps bees at the lake' }] });
  const later = await apply(
    workspace,
    { preferences: [{ topic: 'jam', content: '- Plum' }] },
    '--now',
    '2025-01-01T09:00:00Z',
  );
  const { run } = await workspace.json<{ run: string }>(['extract', '--undo']);
  expect(run).toBe(later.run);
  expect(existsSync(workspace.path('bank/preferences/jam.md'))).toBe(false);
  expect(page(workspace, 'bank/profile.md')).toContain('Keeps bees');
});

test('a forgotten text is not kept for --undo', async () => {
  const workspace = testWorkspace();
  const { run } = await apply(workspace, { profile: [{ content: '- Keeps bees at the lake' }] });
  const { stdout } = await workspace.run(['recall', 'bees', '--json']);
  await workspace.run(['forget', JSON.parse(stdout).results[0].id]);
  const { stderr } = await workspace.run(['extract', '--undo', String(run)]);
  expect(stderr).toContain(`the run ${run} is not stored on this machine`);
  expect(existsSync(workspace.path('bank/.overview.md'))).toBe(false);
});

test('a dry run writes nothing and shows the change', async () => {
  const workspace = testWorkspace();
  const report = await apply(workspace, { profile: [{ content: '- Keeps bees' }] }, '--dry-run');
  expect(report).toMatchObject({ run: null, diff: expect.stringContaining('+- Keeps bees') });
  expect(existsSync(join(workspace.root, 'bank/profile.md'))).toBe(false);
});

test('every folder of typed pages has a summary, which recall does not return', async () => {
  const workspace = testWorkspace();
  await apply(workspace, { preferences: [{ topic: 'tea', content: '- Likes green tea. Always.' }] });
  expect(page(workspace, 'bank/preferences/.abstract.md')).toBe('preferences, 1 page: tea.\n');
  expect(page(workspace, 'bank/preferences/.overview.md')).toContain('- [tea](tea.md): Likes green tea.');
  const { stdout } = await workspace.run(['recall', 'green tea', '--json']);
  const { results }: { results: readonly { path: string }[] } = JSON.parse(stdout);
  expect(results.map(({ path }) => path)).toEqual(['bank/preferences/tea.md']);
});

test('the next reflect drops a page that a person deleted from the summary of its folder, and reports the change', async () => {
  const workspace = testWorkspace();
  const topics = [
    { topic: 'tea', content: '- Likes green tea' },
    { topic: 'jam', content: '- Likes plum jam' },
  ];
  await apply(workspace, { preferences: topics });
  rmSync(workspace.path('bank/preferences/jam.md'));
  const { stdout } = await workspace.run(['reflect', '--max-calls', '0', '--json']);
  expect(JSON.parse(stdout).written).toEqual(expect.arrayContaining(['bank/preferences/.overview.md']));
  expect(page(workspace, 'bank/preferences/.abstract.md')).toBe('preferences, 1 page: tea.\n');
  expect(page(workspace, 'bank/preferences/.overview.md')).not.toContain('jam');
});

test('forget removes the summary that repeats the forgotten text', async () => {
  const workspace = testWorkspace({ 'bank/preferences/tea.md': TEA });
  await workspace.run(['extract', 'prompt', '--stdin'], { input: 'We drink tea.' });
  expect(page(workspace, 'bank/preferences/.overview.md')).toContain('Likes green tea');
  const { code } = await workspace.run(['forget', 'bank/preferences/tea.md#L3']);
  expect(code).toBe(0);
  expect(existsSync(workspace.path('bank/preferences/.overview.md'))).toBe(false);
});
