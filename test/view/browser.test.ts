import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, openBrowser, openTab } from '../support/browser.js';
import { ROOT } from '../support/readme.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
const PARTS = [
  '#today',
  '#timeline',
  '#timeline=2026-01-14',
  '#entities',
  '#entity=Peter',
  '#beliefs',
  '#belief=o-7k3m2q6x4a4bc',
  '#sessions',
];
/** An expression for the browser: its globals are unknown here. */
const FOCUSED = 'document.activeElement?.textContent';
const COLOURS = `['body', '.lead', '.card h3 a', '.source', 'nav a:not([aria-current])'].map((where) =>
  [getComputedStyle(document.querySelector(where)).color, getComputedStyle(document.body).backgroundColor])`;
/** The visible text of an element. */
const seen = async (page: Page, selector: string) => (await page.locator(selector).allInnerTexts()).join('\n');
const named = BROWSER === undefined ? 'skipped: there is no chromium here' : 'in a real browser';

describe.skipIf(BROWSER === undefined)(`the page of the fixture workspace, ${named}`, () => {
  let browser: Browser;
  let file: string;
  let workspace: TemporaryWorkspace;
  beforeAll(async () => {
    workspace = new TemporaryWorkspace();
    cpSync(join(ROOT, 'fixtures', 'workspace'), workspace.root, { recursive: true });
    workspace.write(
      'memory/2026-01-13.md',
      `# 2026-01-13\n\n## Retain\n\n- W @Mallory: is called ${HOSTILE} by friends.\n`,
    );
    const at = ['--now', '2026-01-15T12:00:00Z'];
    await workspace.run([...at, 'reflect']);
    await workspace.run([...at, 'session', 'add', 'chat', '--role', 'user', '--text', 'Use Postgres 17 from now on.']);
    await workspace.run([...at, 'session', 'commit', 'chat', '--keep-recent', '0']);
    file = (await workspace.run([...at, 'view'])).stdout.trim();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    workspace?.dispose();
  });

  test('every part is drawn with content, without console messages and requests', async () => {
    const { page, troubles, go, close } = await openTab(browser, file);
    for (const part of [
      ...PARTS,
      '#session=chat',
      '#search=redis',
      '#entity=nobody',
      '#no-such-part',
      '#search=%E0%A4%A',
    ]) {
      await go(part);
      expect((await seen(page, 'main')).length, part).toBeGreaterThan(20);
    }
    await go('#entities');
    expect(await page.locator('.names .snippet').count()).toBeGreaterThan(5);
    await go('#timeline');
    expect(await page.locator('.cell.l4').count()).toBeGreaterThan(1);
    await go('#beliefs');
    await page.locator('.belief').first().waitFor();
    await go('#belief=o-7k3m2q6x4a4bc');
    expect(await page.locator('.steps .tag').allTextContents()).toEqual(['− ', '+ ', '+ ', '+ ']);
    expect(troubles).toEqual([]);
    await close();
  });

  test('HTML in a memory is shown as written', async () => {
    const { page, troubles, go, close } = await openTab(browser, file);
    for (const part of ['#timeline=2026-01-13', '#entity=Mallory', '#search=onerror', '#today']) {
      await go(part);
      if (part !== '#today') expect(await seen(page, 'main'), part).toContain(HOSTILE);
      expect(await page.locator('main img, main script').count(), part).toBe(0);
    }
    expect(troubles).toEqual([]);
    await close();
  });

  test('a keyboard suffices to search, move, open and go back', async () => {
    const { page, troubles, close } = await openTab(browser, file);
    await page.keyboard.press('/');
    await page.keyboard.type('espresso');
    // The result for the whole word: after a slow start the page shows results for its beginning first.
    await expect.poll(() => page.title()).toMatch(/^espresso /);
    await page.waitForSelector('h1:has-text("result")');
    await page.keyboard.press('ArrowDown');
    const first = await page.evaluate(FOCUSED);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(FOCUSED)).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(FOCUSED)).toBe(first);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toContain('#search');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).toMatch(/#search=espresso$/);
    await page.goBack();
    await page.waitForSelector('h1:has-text("15 January 2026")');
    await page.goForward();
    await page.waitForSelector('h1:has-text("result")');
    expect(troubles).toEqual([]);
    await close();
  });

  test('an address inside the page works with any name of its target, and arrows change the day', async () => {
    const { page, troubles, go, close } = await openTab(browser, file);
    await go(`#entity=${encodeURIComponent('彼得')}`);
    expect(await seen(page, 'h1')).toBe('Peter');
    expect(await seen(page, 'section:has(h2:text("Together with"))')).toContain('Alice');
    await page.locator('nav a', { hasText: 'timeline' }).click();
    await page.waitForSelector('h1:has-text("14 January 2026")');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('h1:has-text("13 January 2026")');
    expect(troubles).toEqual([]);
    await close();
  });

  test('a thread is one line that expands to earlier ones', async () => {
    const { page, troubles, go, close } = await openTab(browser, file);
    await go('#entity=Boathouse');
    const row = page.locator('li', { hasText: 'the lifejackets hang in the cellar' }).first();
    const button = row.locator('summary', { hasText: '1 earlier' });
    const earlier = row.getByText('the lifejackets hang in the loft');
    expect(await earlier.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await earlier.isVisible()).toBe(true);
    expect(await row.locator('.sides .source').textContent()).toMatch(/^memory\/.*#L\d+$/);
    expect(troubles).toEqual([]);
    await close();
  });

  test('dark and light mode are readable', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await openTab(browser, file, { colorScheme });
      const colours: string[][] = await page.evaluate(COLOURS);
      for (const [ink = '', ground = ''] of colours)
        expect(contrast(ink, ground), `${colorScheme} ${ink}`).toBeGreaterThan(4.5);
      const [ground] = luminances(colours[0]?.[1] ?? '');
      expect(ground, colorScheme).toSatisfy((light: number) => (colorScheme === 'dark' ? light < 0.05 : light > 0.8));
      await close();
    }
  });

  test('axe finds no problem, in light and dark mode, on a screen and a phone', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const { page, go, close } = await openTab(browser, file, options);
      for (const part of [...PARTS, '#session=chat', '#search=redis', '#search=nothingatall']) {
        await go(part);
        await page.evaluate(axe);
        const found = await page.evaluate<string[]>(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect(found, `${options.colorScheme} ${part}`).toEqual([]);
      }
      await close();
    }
  });

  test('search tolerates a typing error, knows inflections, and ranks rare words first', async () => {
    const { page, go, close } = await openTab(browser, file);
    const lines = async (wanted: string) => {
      await go(`#search=${encodeURIComponent(wanted)}`);
      return page.locator('main .lines .text').allInnerTexts();
    };
    const exact = await lines('espresso');
    expect(exact.length).toBeGreaterThan(0);
    expect(await lines('expresso')).toEqual(exact);
    expect((await lines('espressos of Peter'))[0]).toMatch(/espresso/i);
    expect((await lines('where does peter live'))[0]).toMatch(/Peter/);
    expect(await page.locator('[role=status]').textContent()).toMatch(/result/);
    await close();
  });

  test('a phone shows all of it without scrolling sideways', async () => {
    const { page, go, close } = await openTab(browser, file, { viewport: { width: 360, height: 740 } });
    for (const part of [...PARTS, '#session=chat', '#search=redis']) {
      await go(part);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(beyond, part).toBeLessThanOrEqual(0);
    }
    await close();
  });

  test('an empty workspace shows how to begin; parts without content are left out', async () => {
    const empty = new TemporaryWorkspace({ 'MEMORY.md': '' });
    const made = (await empty.run(['view'])).stdout.trim();
    const { page, troubles, go, close } = await openTab(browser, made);
    expect(await seen(page, 'main')).toContain('openclaw memory retain');
    await go('#sessions');
    expect(await page.locator('nav a[aria-current]').allTextContents()).toEqual(['today']);
    empty.write('memory/2026-03-01.md', '# 2026-03-01\n\nA line of log.\n');
    await empty.run(['view']);
    await go('#today');
    await page.reload();
    await page.waitForSelector('h1');
    // Nothing has a heading without content.
    expect(await page.locator('main h2').allTextContents()).toEqual(['Last written']);
    expect(await page.locator('nav a').allTextContents()).toEqual(['today', 'timeline', 'pages']);
    expect(troubles).toEqual([]);
    await close();
    empty.dispose();
  });
});

function contrast(a: string, b: string): number {
  const [one = 0, other = 0] = [...luminances(a), ...luminances(b)].sort((x, y) => y - x);
  return (one + 0.05) / (other + 0.05);
}

/** The relative luminance of a colour such as `rgb(1, 2, 3)`, as WCAG defines it. */
function luminances(colour: string): readonly number[] {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return [0.2126 * red + 0.7152 * green + 0.0722 * blue];
}
