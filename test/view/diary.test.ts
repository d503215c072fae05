import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, openBrowser, openTab, type Tab } from '../support/browser.js';
import { TemporaryWorkspace } from '../support/workspace.js';

/** A week as a person writes it: prose, with no more typed facts than two. */
const FILES = {
  'MEMORY.md': '# Memory\n\n| Who | Phone |\n| --- | --- |\n| Dr. Aydin | 040 5550177 |\n',
  'memory/2026-11-23.md': [
    '# 2026-11-23',
    '',
    'Walked along the Alster with **Jonas**.',
    '',
    '## Work',
    '',
    '```python',
    'load(row)  # | not | a table |',
    '```',
    '',
    '- [ ] write the note for Priya',
    '- [x] renew the certificate',
    '- [-] book the ferry',
    '',
    '## Evening',
    '',
    'Quiet, with fish &amp; chips &copy; &nosuch; &lt;b&gt;. ^ev-1',
  ].join('\n'),
  'memory/2026-11-24.md': [
    '# Dienstag',
    '',
    '> [!warning] Nicht vergessen',
    '> Der Zahnarzt ist am 3. Dezember.',
    '',
    '| Posten | Preis |',
    '| --- | ---: |',
    '| Bahn nach Kiel | 84,00 € |',
    '| Geschenke | 120,00 € |',
    '',
    '<!-- openclaw:dreaming:light:start -->',
    'Dreamt of rain.',
    '<!-- openclaw:dreaming:light:end -->',
    '',
    '## Retain',
    '',
    '- O(c=0.8) @Jonas: prefers `night trains`. ^o-7k3m2q6x4a4bc',
  ].join('\n'),
  'memory/2026-11-24-call.md': '# Call\n\nThe landlord called.\n',
  'memory/topics/Plan 3f2a9c0b1d4e5f60718293a4b5c6d7e8.md': '- pack the sledge\n- see [[2026-11-24]]\n',
  'memory/topics/Sledge.md': '# Sledge\n\nBought in Kiel.\n',
  'memory/2026-09-12.md': 'For winter: the [[Sledge]] is in the cellar, with the sledgehammer.\n',
  'bank/entities/Jonas.md': '# Jonas\n\nMet in 2014.\n\n| Size | Value |\n| --- | --- |\n| shoe | 44 |\n',
};

describe.skipIf(BROWSER === undefined)('the page of a diary', () => {
  let browser: Browser;
  let workspace: TemporaryWorkspace;
  let file: string;
  let tab: Tab;
  const text = (where: string): Promise<readonly string[]> => tab.page.locator(`main ${where}`).allTextContents();
  beforeAll(async () => {
    workspace = new TemporaryWorkspace(FILES);
    const at = ['--now', '2026-11-29T12:00:00Z'];
    await workspace.run([...at, 'reflect']);
    browser = await openBrowser();
    file = (await workspace.run([...at, 'view'])).stdout.trim();
    tab = await openTab(browser, file);
  });
  afterAll(async () => {
    expect(tab.troubles).toEqual([]);
    await browser?.close();
    workspace?.dispose();
  });

  test('begins with what is ahead, open and new, each with a link to its line', async () => {
    await tab.go('#today');
    expect(await text('.lead')).toEqual([
      '1 date lies in the next seven days, and 1 task is open. There are new notes from 2 days.',
    ]);
    const rows = (title: string) =>
      tab.page.locator('section', { has: tab.page.getByRole('heading', { name: title, exact: true }) }).locator('.row');
    expect(await rows('The week ahead').allTextContents()).toEqual(['Thu 3 DecDer Zahnarzt ist am 3. Dezember.→']);
    expect(await rows('Open tasks').allTextContents()).toEqual(['☐write the note for Priya→']);
    expect((await rows('Since last week').allTextContents())[0]).toMatch(/^Tue 24 Nov/);
    expect(await rows('People and things lately').allTextContents()).toEqual([
      expect.stringMatching(/^Jonas.*prefers night trains/),
    ]);
    await rows('Open tasks').locator('.go').click();
    await tab.page.waitForSelector('.hit:text("write the note for Priya")');
  });

  test('shows a day as Markdown, as it was written', async () => {
    await tab.go('#timeline=2026-11-23');
    expect(await text('.markdown h2')).toEqual(['Work', 'Evening']);
    expect(await text('.markdown strong')).toEqual(['Jonas']);
    expect(await text('.markdown pre')).toEqual(['load(row)  # | not | a table |']);
    expect(await text('.markdown .task')).toEqual([
      '☐ write the note for Priya',
      '☑ renew the certificate',
      '☒ book the ferry',
    ]);
    expect((await text('.markdown')).join()).not.toMatch(/```|\^ev-1/);
    expect((await text('.markdown p')).at(-1)).toBe('Quiet, with fish & chips © &nosuch; <b>.');
    await tab.go('#timeline=2026-11-24');
    expect(await text('.callout')).toEqual(['Nicht vergessen']);
    expect(await text('.markdown td')).toEqual(['Bahn nach Kiel', '84,00 €', 'Geschenke', '120,00 €']);
    expect(await text('.markdown .fact')).toEqual(['@Jonas: prefers night trains.']);
    expect(await text('.markdown .fact code')).toEqual(['night trains']);
    expect((await text('.markdown')).join()).toContain('The landlord called.');
    expect((await text('.markdown')).join()).not.toMatch(/\| ---|Dreamt/);
  });

  test('shows the page of an entity as Markdown, without its generated block', async () => {
    await tab.go('#entity=Jonas');
    expect(await text('.markdown td')).toEqual(['shoe', '44']);
    expect((await text('.markdown')).join()).not.toContain('night trains');
    expect((await text('section')).join()).toContain('night trains');
  });

  test('the calendar has the months from the first to the last with something, by weekday', async () => {
    await tab.go('#timeline');
    expect(await text('.months caption')).toEqual(['November 2026', 'October 2026', 'September 2026']);
    const rows = await tab.page.locator('.months table').first().locator('tr').allInnerTexts();
    expect(rows[0]?.split(/\s+/)).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
    expect(rows[1]?.trim()).toBe('1');
    await tab.page.locator('.cell a[title^="Saturday 12 September"]').click();
    await tab.page.waitForSelector('h1:has-text("Saturday 12 September 2026")');
    expect(await text('.between a')).toEqual(['Mon 23 Nov →']);
  });

  test('lines that name a page or a person without a link stand beside those with one', async () => {
    const mentioned = tab.page.locator('section', {
      has: tab.page.getByRole('heading', { name: /^Mentioned without|^Other lines/ }),
    });
    const lines = () => mentioned.locator('.text').allTextContents();
    await tab.go('#entity=Jonas');
    expect(await lines()).toEqual(['Walked along the Alster with Jonas.']);
    await tab.go(`#page=${encodeURIComponent('memory/topics/Sledge.md')}`);
    expect(await text('.sides li')).toEqual(['For winter: the Sledge is in the cellar, with the sledgehammer.']);
    expect(await lines()).toEqual(['pack the sledge']);
  });

  test('a page exported from Notion has a title without its id', async () => {
    await tab.go('#pages');
    expect(await text('.names .name')).toEqual(['Memory', 'Plan', 'Sledge']);
  });

  test('search marks its words, names the columns of a row, and Enter goes to the line', async () => {
    const first = async (wanted: string, selector: string): Promise<string> => {
      await tab.go('#today');
      await tab.page.keyboard.press('/');
      await tab.page.keyboard.type(wanted);
      await expect.poll(() => tab.page.title()).toMatch(new RegExp(`^${wanted} `));
      await expect.poll(() => text('mark')).toContain(wanted);
      const shown = (await text(selector))[0] ?? '';
      await tab.page.keyboard.press('Enter');
      await tab.page.waitForSelector('.hit');
      return shown;
    };
    expect(await first('Kiel', '.lines .text')).toBe('Posten: Bahn nach Kiel · Preis: 84,00 €');
    expect(await text('.hit')).toEqual(['Bahn nach Kiel84,00 €']);
    expect(await text('h1')).toEqual(['Tuesday 24 November 2026']);
    expect(await first('landlord', '.lines .text')).toBe('The landlord called.');
    expect(await text('.hit')).toEqual(['The landlord called.']);
    expect(await first('Aydin', '.snippet')).toBe('Who: Dr. Aydin · Phone: 040 5550177');
    expect(await text('.hit')).toEqual(['Dr. Aydin040 5550177']);
    expect(await first('pack', '.snippet')).toBe('pack the sledge');
    expect(await first('shoe', '.snippet')).toBe('Size: shoe · Value: 44');
    expect(await text('h1')).toEqual(['Jonas']);
  });

  test('has no problem in axe, and fits a phone', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    ] as const) {
      const { page, troubles, go, close } = await openTab(browser, file, options);
      const line = `#page=${encodeURIComponent('memory/2026-11-24.md')}#L9`;
      for (const part of ['#today', '#timeline=2026-11-23', line, '#entity=Jonas', '#search=Kiel']) {
        await go(part);
        await page.evaluate(axe);
        const found = await page.evaluate<string[]>(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect(found, `${options.colorScheme} ${part}`).toEqual([]);
        const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(beyond, part).toBeLessThanOrEqual(0);
      }
      expect(troubles).toEqual([]);
      await close();
    }
  });
});
