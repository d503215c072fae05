import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Proposal } from '../../src/memory/proposals.js';
import { addProposals } from '../../src/retain/proposals.js';
import { openClock } from '../../src/workspace/clock.js';
import { filesOf, git, identity } from '../support/git.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW, type TemporaryWorkspace } from '../support/workspace.js';

const PAGE = 'bank/proposals/2026-03-15.md';
const OLD_PAGE = 'bank/proposals/2026-01-02.md';
const MOVED = 'memory/topics/moved-from-core.md';

/** Adds proposals as flush and reflect do. */
function add(workspace: TemporaryWorkspace, ...proposals: readonly Proposal[]) {
  mkdirSync(workspace.path('.memory'), { recursive: true });
  const place = { root: workspace.root, stateFolder: workspace.path('.memory'), clock: openClock('UTC', NOW) };
  return addProposals(place, proposals);
}

function adding(text: string, reason = 'said often', citations: readonly string[] = []): Proposal {
  return { action: 'add', text, reason, citations };
}

interface Listed {
  readonly proposals: readonly { readonly number: number; readonly id: string; readonly text: string }[];
  readonly warnings: readonly string[];
}

async function listed(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  return (await workspace.json<Listed>(['core', 'proposals'])).proposals.map(({ text }) => text);
}

test('proposals are added to the page of the day, each once', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': '- Tea is green.\n' });
  await add(
    workspace,
    adding('Peter lives in Vienna', 'seen on 3 days', ['memory/2026-03-14.md#L3']),
    adding('tea is green'),
  );
  const change = await add(workspace, adding('peter lives in Vienna.'), {
    action: 'move-out',
    text: 'Tea is green.',
    reason: 'old',
    citations: [],
  });
  expect(change).toMatchObject({ path: PAGE, after: workspace.read(PAGE) });
  expect(workspace.read(PAGE).split('\n').slice(-3)).toEqual([
    '- [ ] add to the core: Peter lives in Vienna (seen on 3 days; cites memory/2026-03-14.md#L3)',
    '- [ ] move out of the core: "Tea is green." (old)',
    '',
  ]);
  const again = await add(workspace, adding('Peter lives in Vienna'));
  expect(again.after).toBe(again.before);
});

test.each(['x', '-', ' '])('a proposal with a [%s] on any page is not proposed again', async (mark) => {
  const workspace = testWorkspace({ [OLD_PAGE]: `- [${mark}] add to the core: Tea (was it)\n` });
  const change = await add(workspace, adding('tea'));
  expect(change).toEqual({ path: PAGE, before: null, after: null });
});

test('a page keeps what a person wrote and its line ends; a secret is redacted', async () => {
  const workspace = testWorkspace({ [PAGE]: 'mine\r\n- [ ] buy tea\r\n- [x] add to the core: a' });
  await add(workspace, adding(`the key is ghp_${'a1B2'.repeat(9)}`, 'heard'));
  const [before, line] = workspace.read(PAGE).split('core: a\r\n');
  expect(before).toBe('mine\r\n- [ ] buy tea\r\n- [x] add to the ');
  expect(line).toMatch(/^- \[ \] add to the core: the key is \[.*\] \(heard\)\r\n$/);
});

test('core proposals lists all pages, the oldest first, with number, reason and citations', async () => {
  const workspace = testWorkspace({
    [PAGE]: '- [ ] add to the core: new (why; cites a.md#L1, b.md#L2)\n',
    [OLD_PAGE]:
      '# Head\n- [-] add to the core: no\n- [ ] shorten in the core: "long one" -> "long"\n- [ ] add to the core: "x\n',
  });
  const { proposals, warnings } = await workspace.json<Listed>(['core', 'proposals']);
  expect(proposals).toMatchObject([
    { number: 1, action: 'shorten', old: 'long one', text: 'long', state: 'open', source: `${OLD_PAGE}#L3` },
    { number: 2, action: 'add', text: 'new', reason: 'why', citations: ['a.md#L1', 'b.md#L2'] },
  ]);
  expect(warnings).toEqual([expect.stringContaining(`${OLD_PAGE}#L4`)]);
  const { stdout } = await workspace.run(['core', 'proposals']);
  expect(stdout).toContain('2. add: new\n   why; a.md#L1, b.md#L2\n');
  expect(await testWorkspace().run(['core', 'proposals'])).toMatchObject({ code: 0, stdout: 'No proposals.\n' });
});

test('a proposal that a merge left both open and settled is not listed', async () => {
  const workspace = testWorkspace({
    [PAGE]: '- [ ] add to the core: tea\n- [-] add to the core: tea\n- [ ] add to the core: one\n',
    [OLD_PAGE]: '- [ ] add to the core: one\n',
  });
  expect(await listed(workspace)).toEqual(['one']);
});

test('accept changes the core and ticks the box, in one commit of both files', async () => {
  const workspace = testWorkspace({ 'memory.md': '# Core\r\n', [PAGE]: '- [ ] add to the core: Tea (why)\n' });
  await git(workspace.root, 'init', '-q');
  const dry = await workspace.run(['core', 'accept', '1', '--dry-run']);
  expect(dry.stdout).toContain('+- Tea');
  expect(dry.stdout).toContain('+- [x] add to the core: Tea (why; accepted 2026-03-15)');
  expect(workspace.read('memory.md')).toBe('# Core\r\n');
  const { commit } = await workspace.json<{ commit: string }>(['core', 'accept', '1', '--commit'], {
    env: identity(workspace),
  });
  expect(workspace.read('memory.md')).toBe('# Core\r\n- Tea\r\n');
  expect(workspace.read(PAGE)).toBe('- [x] add to the core: Tea (why; accepted 2026-03-15)\n');
  expect(await filesOf(workspace.root, commit)).toEqual([PAGE, 'memory.md']);
  expect(await listed(workspace)).toEqual([]);
});

test('reject marks a proposal wherever it is listed, and leaves the core alone', async () => {
  const page = '- [ ] add to the core: Tea (why)\n';
  const workspace = testWorkspace({ 'MEMORY.md': 'a\n', [PAGE]: page, [OLD_PAGE]: page });
  const [{ id } = { id: '' }] = (await workspace.json<Listed>(['core', 'proposals'])).proposals;
  expect(await workspace.run(['core', 'reject', id])).toMatchObject({ code: 0, stdout: 'Rejected: add: Tea\n' });
  for (const path of [PAGE, OLD_PAGE]) expect(workspace.read(path)).toBe(page.replace('[ ]', '[-]'));
  expect(workspace.read('MEMORY.md')).toBe('a\n');
});

test('shorten replaces exactly, and a text that is not unique is refused with nothing written', async () => {
  const page =
    '- [ ] shorten in the core: "Peter (a friend) lives in Vienna" -> "Peter: Vienna" (long)\n- [ ] shorten in the core: "tea" -> "t"\n';
  const workspace = testWorkspace({
    'MEMORY.md': '- Peter (a friend) lives in Vienna\n- tea\n- teapot\n',
    [PAGE]: page,
  });
  expect(await workspace.run(['core', 'accept', '2'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('2 times'),
  });
  expect(workspace.read(PAGE)).toBe(page);
  expect(await workspace.run(['core', 'accept', '1'])).toMatchObject({ code: 0 });
  expect(workspace.read('MEMORY.md')).toBe('- Peter: Vienna\n- tea\n- teapot\n');
});

test('a line moved out of the core is removed there and kept where recall finds it', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': '- a\n- Peter lived in Graz <!-- importance: 3 -->\n- b\n',
    [PAGE]: '- [ ] move out of the core: "Peter lived in Graz" (superseded)\n',
  });
  await workspace.run(['core', 'accept', '1']);
  expect(workspace.read('MEMORY.md')).toBe('- a\n- b\n');
  expect(workspace.read(MOVED)).toBe('# Moved from the core\n\n- Peter lived in Graz <!-- importance: 3 -->\n');
  const { results } = await workspace.json<{ results: { path: string }[] }>(['recall', 'Graz']);
  expect(results.map(({ path }) => path)).toContain(MOVED);
});

test('after a crash between the two writes, accepting again only ticks the box', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': '- Tea\n- short\n',
    [MOVED]: '# Moved from the core\n\n- gone\n',
    [PAGE]:
      '- [ ] add to the core: tea.\n- [ ] shorten in the core: "short and long" -> "short"\n- [ ] move out of the core: "gone"\n',
  });
  for (let left = 3; left > 0; left--) expect(await workspace.run(['core', 'accept', '1'])).toMatchObject({ code: 0 });
  expect(workspace.read('MEMORY.md')).toBe('- Tea\n- short\n');
  expect(workspace.read(MOVED)).toBe('# Moved from the core\n\n- gone\n');
  expect(workspace.read(PAGE).match(/^- \[x\]/gm)).toHaveLength(3);
});

test('a box stays open when the core cannot be written', async () => {
  const page = '- [ ] add to the core: Tea\n';
  const workspace = testWorkspace({
    'MEMORY.md': 'x'.repeat(1_500),
    'memory.config.json5': '{coreBudgetChars: 1500}',
    [PAGE]: page,
  });
  expect(await workspace.run(['core', 'accept', '1'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('budget'),
  });
  expect(workspace.read(PAGE)).toBe(page);
});

test('a proposal ticked by hand waits until it is applied, unless its text is already in the core', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': '- there\n',
    [PAGE]: '- [x] add to the core: Tea\n- [x] add to the core: there\n',
  });
  expect(await listed(workspace)).toEqual(['Tea']);
  expect((await workspace.run(['core', 'proposals'])).stdout).toContain('[ticked, but not yet made]');
  await workspace.run(['core', 'accept', '1']);
  expect(workspace.read('MEMORY.md')).toBe('- there\n- Tea\n');
  expect(await listed(workspace)).toEqual([]);
});

test.each(['2', '0', 'p-0123456789', 'tea'])('core accept %s reports that there is no such proposal', async (which) => {
  const workspace = testWorkspace({ [PAGE]: '- [ ] add to the core: Tea\n' });
  expect(await workspace.run(['core', 'accept', which])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('core proposals'),
  });
});

test('two clones with proposals merge without a conflict and keep both proposals', async () => {
  const workspace = testWorkspace();
  await workspace.run(['init', '--git'], { env: identity(workspace) });
  await git(workspace.root, 'checkout', '-q', '-b', 'other');
  await add(workspace, adding('from other'), adding('from both'));
  await git(workspace.root, 'add', '.');
  await git(workspace.root, 'commit', '-qm', 'other');
  await git(workspace.root, 'checkout', '-q', '-');
  await add(workspace, adding('from both'), adding('from here'));
  await git(workspace.root, 'add', '.');
  await git(workspace.root, 'commit', '-qm', 'here');
  await git(workspace.root, 'merge', '-q', '-m', 'merge', 'other');
  expect(workspace.read(PAGE)).not.toMatch(/^[<>=]{7}/m);
  expect([...(await listed(workspace))].sort()).toEqual(['from both', 'from here', 'from other']);
});
