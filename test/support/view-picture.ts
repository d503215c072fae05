/** Makes the picture of the README: a day of the invented notes on the page of `view`. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openTab } from './browser.js';
import { ROOT } from './readme.js';
import { TemporaryWorkspace } from './workspace.js';

const workspace = new TemporaryWorkspace();
const browser = await openBrowser();
try {
  cpSync(join(ROOT, 'fixtures', 'workspace'), workspace.root, { recursive: true });
  const file = (await workspace.run(['--now', '2026-01-15T12:00:00Z', 'view'])).stdout.trim();
  const size = { colorScheme: 'light', viewport: { width: 1120, height: 700 }, deviceScaleFactor: 1.25 } as const;
  const { page, go } = await openTab(browser, file, size);
  await go('#timeline=2026-01-02');
  await page.screenshot({ path: join(ROOT, 'fixtures', 'view.png') });
} finally {
  await browser.close();
  workspace.dispose();
}
