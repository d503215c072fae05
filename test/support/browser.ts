import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The place in Debian, and other common places. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const;

/** A browser of this machine, if there is one. */
export const BROWSER: string | undefined = [process.env.CHROMIUM ?? '', ...PLACES].find(
  (path) => path !== '' && existsSync(path),
);

export function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ ...(BROWSER === undefined ? {} : { executablePath: BROWSER }), args });
}

/** A tab with its troubles: errors, console messages, and requests for anything except the page. */
export interface Tab {
  readonly page: Page;
  readonly troubles: readonly string[];
  /** Opens a part of the page, such as `#today`. */
  readonly go: (part: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openTab(browser: Browser, file: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const troubles: string[] = [];
  page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) troubles.push(`request: ${request.url()}`);
  });
  const go = async (part: string): Promise<void> => {
    await page.goto(`${address}${part}`);
    await page.waitForSelector('main h1');
  };
  await go('');
  return { page, troubles, go, close: () => context.close() };
}
