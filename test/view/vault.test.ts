import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageData } from '../../src/view/page-data.js';
import { BROWSER, openBrowser, openTab, type Tab } from '../support/browser.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const SCRIPT = '<script>alert("notes")</script>';
const QUOTED = `It's "quoted" & <b>bold<`;
/** Hostile pages of a vault. */
const FILES = {
  'memory.config.json5': "{ extraFolders: ['.'] }",
  'memory/2026-01-10.md':
    '# 2026-01-10\n\nRead [[Heat Pump]] again, see [[Sauna|the other one]].\n\n## Retain\n\n- W @Ida: goes to the sauna.\n',
  'Heat Pump.md': [
    '---',
    'aliases: [Wärmepumpe]',
    'tags: [project/heat]',
    'status: chosen',
    '---',
    '# Heat Pump',
    '',
    'Stands on the **north** wall, see [[Sauna#How hot|its rules]], [[House/Sauna]], [[No such page]], [[2026-01-10]].',
    '',
    '## How loud',
    '',
    '- [x] measured #noise, see [[#Far below]]',
    '- [ ] again with `#no-tag` and [the plan](House/Plan.md)',
    '',
    '| Room | dB |',
    '| --- | --- |',
    '| [[Sauna\\|cellar]] | 31 |',
    '',
    '```sh',
    'cat [[Sauna]] #neither',
    '```',
    '',
    '> [!warning] Careful',
    '> Hot water.',
    '',
    '![a picture](https://example.com/a.png) https://example.com/b and [bad](javascript:alert(1))',
    '',
    '<!-- a comment of mine -->',
    '%% and another one %%',
    '',
    '#### Far below',
    '',
    'collapsed:: true',
    '',
  ].join('\n'),
  'Sauna.md': `# Sauna\n\n## How hot\n\nNinety degrees. Back to [[wärmepumpe]] and to [[Sauna]].\n\nWith @Ida.\n`,
  'House/Sauna.md': '# Sauna\n\nThe one in the house, unlike [[Sauna]]; [up](../Sauna.md).\n',
  'House/Plan.md':
    'title:: Plan\n\n- [[House/Sauna]]\n\t- [[plot/shed]]\n\t\t- deep ((6543b1f2-0c1b-4f3e-9d3c-0123456789ab))\n',
  'pages/plot___shed.md': 'tags:: tools\n\n- a shed #tools\n',
  'Broken.md': '---\ntitle: [Broken\nno key here\n\nText after a head that never ends.\n',
  'Empty.md': '',
  [`${QUOTED}.md`]: `Said in quotes. ${SCRIPT}<img src=x onerror=alert(1)>\n\n${SCRIPT}\n`,
  '🌱 Sow.md': `Next to [[${QUOTED}]].\n`,
  'עברית.md': '# עברית\n\nטקסט מימין לשמאל עם [[Sauna]].\n',
  'Deep.md': `${'>'.repeat(3_000)} deep\n\n${'- '.repeat(3_000)}item\n\n${'*a_'.repeat(3_000)}\n\n${'[['.repeat(3_000)}\n`,
  'Long.md': `# Long\n\n${'A line that says the same again and again.\n\n'.repeat(110_000)}## The end\n`,
};
const PARTS = ['#today', '#pages', page('Heat Pump.md'), '#search=degrees'];

function page(path: string, heading = ''): string {
  return `#page=${encodeURIComponent(path)}${heading}`;
}

describe.skipIf(BROWSER === undefined)('a hostile vault in a real browser', () => {
  let browser: Browser;
  let workspace: TemporaryWorkspace;
  let file: string;
  let tab: Tab;
  const text = (where: string): Promise<readonly string[]> => tab.page.locator(`main ${where}`).allTextContents();
  beforeAll(async () => {
    workspace = new TemporaryWorkspace(FILES);
    file = (await workspace.run(['view'])).stdout.trim();
    browser = await openBrowser();
    tab = await openTab(browser, file);
  });
  afterAll(async () => {
    expect(tab.troubles).toEqual([]);
    await browser?.close();
    workspace?.dispose();
  });

  test('is read as Markdown, and fetches and runs nothing', async () => {
    await tab.go(page('Heat Pump.md'));
    expect(await text('h1')).toEqual(['Heat Pump']);
    expect(await text('h2')).toEqual(['How loud', 'Linked from']);
    expect(await text('h3')).toEqual(['Far below']);
    expect(await text('.markdown strong')).toEqual(['north']);
    expect(await text('.markdown .task')).toEqual([
      '☑ measured #noise, see Far below',
      '☐ again with #no-tag and the plan',
    ]);
    expect(await text('.markdown td')).toEqual(['cellar', '31']);
    expect(await text('.markdown pre')).toEqual(['cat [[Sauna]] #neither']);
    expect(await text('.markdown blockquote')).toEqual(['CarefulHot water.']);
    expect(await text('.fields li')).toEqual(['status: chosen']);
    expect(await text('.chips .tagged')).toEqual(['#noise', '#project', '#project/heat']);
    const said = (await text('.markdown')).join();
    for (const gone of ['comment', 'another', 'collapsed']) expect(said).not.toContain(gone);
    expect(await tab.page.locator('main img, main script').count()).toBe(0);
    const hrefs = await tab.page
      .locator('.markdown a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs.filter((href) => href?.startsWith('http'))).toEqual([
      'https://example.com/a.png',
      'https://example.com/b',
    ]);
    expect(hrefs.every((href) => /^(?:#|https:)/.test(href ?? ''))).toBe(true);
  });

  test('has links to pages, headings and days, and marks links to unknown names', async () => {
    const follow = async (from: string, label: string): Promise<string> => {
      await tab.go(page(from));
      await tab.page.locator('.markdown a', { hasText: label }).first().click();
      await tab.page.waitForSelector('main h1');
      return decodeURIComponent(new URL(tab.page.url()).hash);
    };
    expect(await follow('Heat Pump.md', 'its rules')).toBe('#page=Sauna.md#how-hot');
    await tab.page.waitForSelector('[data-begin]');
    expect(await text('[data-begin]')).toEqual(['How hot']);
    expect(await follow('Heat Pump.md', 'House/Sauna')).toBe('#page=House/Sauna.md');
    expect(await follow('Heat Pump.md', 'the plan')).toBe('#page=House/Plan.md');
    expect(await follow('Heat Pump.md', '2026-01-10')).toBe('#timeline=2026-01-10');
    expect(await follow('House/Plan.md', 'plot/shed')).toBe('#page=pages/plot___shed.md');
    expect(await follow('Sauna.md', 'wärmepumpe')).toBe('#page=Heat Pump.md');
    expect(await follow('🌱 Sow.md', 'quoted')).toBe(`#page=${QUOTED}.md`);
    // The page in the same folder wins over another of that name.
    expect(await follow('House/Sauna.md', 'Sauna')).toBe('#page=House/Sauna.md');
    expect(await follow('עברית.md', 'Sauna')).toBe('#page=Sauna.md');
    await tab.go(page('Heat Pump.md'));
    expect(await text('.absent')).toEqual(['No such page', 'bad']);
    await tab.go(page('no such.md'));
    expect(await text('.note')).toEqual(['There is no page with this name here.']);
  });

  test('lists the links to a page with their lines, and those from days', async () => {
    await tab.go(page('Heat Pump.md'));
    const linked = tab.page.locator('section', { has: tab.page.getByRole('heading', { name: 'Linked from' }) });
    expect(await linked.textContent()).toMatch(
      /Sauna.*Ninety degrees.*2026-01-10.*Read Heat Pump again, see the other one/s,
    );
    await tab.go('#entity=Ida');
    const naming = tab.page.locator('section', {
      has: tab.page.getByRole('heading', { name: 'Other lines with the name' }),
    });
    expect(await naming.locator('.text').allTextContents()).toEqual(['With @Ida.']);
    await tab.go('#timeline=2026-01-10');
    await tab.page.locator('main .markdown a', { hasText: 'the other one' }).click();
    await tab.page.waitForSelector('h1:has-text("Sauna")');
  });

  test('shows HTML, quotes and right-to-left text as written, and cuts deep and long text', async () => {
    await tab.go(page(`${QUOTED}.md`));
    expect(await text('h1')).toEqual([QUOTED]);
    expect((await text('.markdown')).join()).toContain(SCRIPT);
    await tab.go(page('עברית.md'));
    expect(await tab.page.evaluate("getComputedStyle(document.querySelector('.markdown p')).direction")).toBe('rtl');
    await tab.go(page('Broken.md'));
    expect((await text('.markdown')).join()).toContain('Text after a head that never ends.');
    await tab.go(page('Deep.md'));
    expect((await text('.markdown')).join()).toContain('deep');
    await tab.go(page('Empty.md'));
    expect(await text('.note')).toEqual(['This page is empty.']);
    await tab.go(page('Long.md'));
    const first = await tab.page.locator('.markdown p').count();
    await tab.page.getByRole('button', { name: 'more of this page' }).click();
    expect(await tab.page.locator('.markdown p').count()).toBeGreaterThan(first);
    expect((await text('.note')).join()).toMatch(/no room for 4,\d{3},\d{3} more characters/);
  });

  test('finds pages by name, alias and text, with line and heading', async () => {
    const first = async (wanted: string): Promise<string | undefined> => {
      await tab.go(`#search=${encodeURIComponent(wanted)}`);
      return (await text('.lines li'))[0];
    };
    expect(await first('sauna')).toContain('Sauna');
    expect(await first('warmepumpe')).toContain('Heat Pump');
    expect(await first('ninety degress')).toBe('SaunaHow hotNinety degrees. Back to wärmepumpe and to Sauna.');
    await tab.go('#pages');
    await tab.page.getByRole('searchbox', { name: 'Filter pages' }).fill('house');
    expect(await text('.names .name')).toEqual(['Plan', 'Sauna']);
    await tab.go('#tag=tools');
    expect(await text('.names .name')).toEqual(['plot/shed']);
  });

  test('has no problem in axe, and fits a phone', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const { page: shown, troubles, go, close } = await openTab(browser, file, options);
      for (const part of PARTS) {
        await go(part);
        await shown.evaluate(axe);
        const found = await shown.evaluate<string[]>(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect(found, `${options.colorScheme} ${part}`).toEqual([]);
        expect(
          await shown.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
          part,
        ).toBeLessThanOrEqual(0);
      }
      expect(troubles).toEqual([]);
      await close();
    }
  });

  test('shows forgotten text on no page of notes', async () => {
    const own = new TemporaryWorkspace({
      'memory/topics/tea.md': '# Tea\n\n- W @Ida: drinks sencha at noon.\n- Kept.\n',
    });
    await own.run(['forget', '--query', 'sencha at noon']);
    own.write('memory/topics/tea.md', '# Tea\n\n- W @Ida: drinks sencha at noon.\n- Kept.\n');
    const { stdout } = await own.run(['view', '--out', '-']);
    expect(stdout).toContain('Kept.');
    expect(stdout).not.toContain('sencha');
    own.dispose();
  });

  test('counts pages and cut text in its report', async () => {
    const report = await workspace.json<{ counts: { pages: number }; left_out: { shortened_pages: number } }>([
      'view',
      '--json',
    ]);
    expect(report.counts.pages).toBe(Object.keys(FILES).length - 2);
    expect(report.left_out.shortened_pages).toBe(1);
    const { notes }: PageData = JSON.parse(/id="data">(.*?)<\/script>/s.exec(readFileSync(file, 'utf8'))?.[1] ?? '{}');
    expect(notes.map(({ title }) => title)).toContain('plot/shed');
  });
});
