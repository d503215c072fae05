import { describe, expect, test } from 'vitest';
import type { PageData } from '../../src/view/page-data.js';
import { BROWSER, openBrowser, openTab } from '../support/browser.js';
import { testWorkspace } from '../support/test-workspace.js';

const FUTURE = 'memory/2062-01-09.md';
const FILES = {
  'memory/2026-03-12.md': '- W @Mo: lives in Linz\n- O(c=0.8) @Mo: prefers tea\n',
  [FUTURE]: '- W @Mo: lives in Rome\n- W @Mo: met the archbishop\n- O(c=0.9) @Mo: prefers rum\n- W @Ida: sails\n',
};

async function found(workspace: ReturnType<typeof testWorkspace>, ...args: readonly string[]) {
  const { results } = await workspace.recall(...args);
  return results.map(({ content, future = false }) => [content, future]);
}

describe('a log of a future day', () => {
  test.each(['where does Mo live?', 'where does Mo live now?', 'Mo lives in'])(
    'does not answer %j',
    async (question) => {
      const workspace = testWorkspace(FILES);
      expect((await found(workspace, question))[0]).toEqual(['@Mo: lives in Linz', false]);
      expect(JSON.stringify(await found(workspace, question))).not.toContain('Rome');
    },
  );

  test.each([
    [['where does Mo live on 2062-01-09?'], '@Mo: lives in Rome'],
    [['where does Mo live?', '--as-of', '2062-02-01'], '@Mo: lives in Rome'],
    [['where does Mo live?', '--since', '2062-01-01', '--until', '2062-12-31'], '@Mo: lives in Rome'],
    [['who met the archbishop?'], '@Mo: met the archbishop'],
    [['Ida'], '@Ida: sails'],
  ])('answers %j with a mark', async (args, content) => {
    const workspace = testWorkspace(FILES);
    expect(await found(workspace, ...args)).toContainEqual([content, true]);
    const { stdout, stderr } = await workspace.run(['recall', ...args]);
    expect(stdout).toContain('in the future');
    expect(stderr).toContain(`${FUTURE} is in the future`);
  });

  test('is in no block, is not current, and creates no belief', async () => {
    const workspace = testWorkspace(FILES);
    for (const question of ['where does Mo live?', 'who met the archbishop, and what does Ida do?']) {
      const { code, stdout } = await workspace.run(['context', 'build', '--message', question, '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).block).not.toMatch(/Rome|archbishop|sails/);
    }
    const mo = await workspace.run(['entity', 'show', 'Mo', '--json']);
    expect(mo.stdout).toContain('Linz');
    expect(mo.stdout).not.toMatch(/Rome|rum/);
    const beliefs = await workspace.run(['opinion', 'list', '--json']);
    expect(beliefs.stdout).toContain('tea');
    expect(beliefs.stdout).not.toContain('rum');
  });

  test('is not current on the page of view', async () => {
    const { stdout } = await testWorkspace(FILES).run(['view', '--out', '-']);
    const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(stdout) ?? [];
    const { entities, beliefs, items }: PageData = JSON.parse(json);
    const held = JSON.stringify(entities.map(({ holds }) => holds));
    expect(held).toContain('Linz');
    expect(held).not.toMatch(/Rome|archbishop|sails/);
    expect(JSON.stringify(beliefs)).not.toContain('rum');
    expect(items.some(({ text }) => text.includes('Rome'))).toBe(true);
  });

  test.skipIf(BROWSER === undefined)('is last and marked in lists of view, and no start of its timeline', async () => {
    const file = (await testWorkspace(FILES).run(['view'])).stdout.trim();
    const browser = await openBrowser();
    try {
      const { page, go } = await openTab(browser, file);
      await go('#entity=Mo');
      const lines = await page.locator('main section').filter({ hasText: 'Every line' }).locator('li').allInnerTexts();
      expect(lines.map((line) => line.includes('in the future'))).toEqual([false, false, true, true, true]);
      await go('#timeline');
      expect(await page.locator('main h1').textContent()).toContain('12 March 2026');
      await go('#timeline=2062-01-09');
      expect(await page.locator('main').textContent()).toContain('This day has not come yet.');
    } finally {
      await browser.close();
    }
  });

  test('is shown by get', async () => {
    const { stdout } = await testWorkspace(FILES).run(['get', `${FUTURE}#L2`]);
    expect(stdout).toContain('met the archbishop');
  });
});

test('lint names a log from two days ahead', async () => {
  const files = { 'memory/2026-03-16.md': '- W @Mo: sails\n', 'memory/2026-03-17.md': '- W @Mo: rows\n' };
  const { stdout } = await testWorkspace(files).run(['lint']);
  expect(stdout).toContain('memory/2026-03-17.md: warning: 2026-03-17 is in the future');
  expect(stdout).not.toContain('2026-03-16 is in the future');
});
