import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { BROWSER, openBrowser } from '../support/browser.js';
import { BIN, childEnv } from '../support/cli.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const FILES = { 'MEMORY.md': '# Memory\n', 'memory/2026-03-14.md': 'Planted a pear tree.\n' };

/** Starts `view --serve` as a process. */
async function serving(workspace: TemporaryWorkspace) {
  const args = ['memory', '-w', workspace.root, '--now', '2026-03-15T12:00:00Z', 'view', '--serve'];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: childEnv(workspace.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return once(child, 'exit');
  };
  return { address: new URL(String(value)), stop };
}

/** Asks a server, also with headers that `fetch` does not allow. */
async function ask(address: URL, path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  const asked = httpRequest({ host: address.hostname, port: address.port, path, ...options }).end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

test('the page is served on this machine, at a random address, and to no other host, origin or path', async () => {
  const workspace = testWorkspace(FILES);
  const { address, stop } = await serving(workspace);
  expect(address.hostname).toBe('127.0.0.1');
  expect(address.pathname).toMatch(/^\/[\w-]{32}\/$/);
  const page = await ask(address, address.pathname);
  expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(page.text).toContain('Planted a pear tree.');
  expect(page.text).toContain(`default-src 'none'; connect-src 'self';`);
  const token = address.pathname.slice(1, -1);
  const refused = {
    '/': 404,
    '/changes': 404,
    [`/${token}`]: 404,
    [`/${token}/other`]: 404,
    [`/${'x'.repeat(token.length)}/`]: 404,
    [`/${'é'.repeat(token.length)}/`]: 400,
  };
  for (const [path, status] of Object.entries(refused))
    expect(await ask(address, path), path).toMatchObject({ status, text: '' });
  for (const headers of [{ host: 'memory.example' }, { host: `localhost:${address.port}` }, { origin: 'null' }])
    expect(await ask(address, address.pathname, { headers })).toMatchObject({ status: 403, text: '' });
  expect(await ask(address, address.pathname, { headers: { origin: 'http://memory.example' } })).toMatchObject({
    status: 403,
  });
  expect(await ask(address, address.pathname, { headers: { origin: address.origin } })).toMatchObject({ status: 200 });
  expect(await ask(address, address.pathname, { method: 'POST' })).toMatchObject({ status: 405 });
  expect((await serving(workspace)).address.pathname).not.toBe(address.pathname);
  expect(existsSync(workspace.path('.memory/view.html'))).toBe(false);
  expect(workspace.pages().map(({ path }) => path)).toEqual(Object.keys(FILES));
  expect(await stop('SIGTERM')).toEqual([0, null]);
  await expect(ask(address, address.pathname)).rejects.toThrow('ECONNREFUSED');
});

test.skipIf(BROWSER === undefined)('an open page shows a change by itself, and asks for nothing else', async () => {
  const workspace = testWorkspace(FILES);
  const { address, stop } = await serving(workspace);
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const troubles: string[] = [];
  const paths = new Set<string>();
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => paths.add(request.url()));
  const connected = page.waitForResponse((response) => response.url().endsWith('/changes'));
  await page.goto(`${address}#timeline=2026-03-14`);
  await page.waitForSelector('main :text("pear tree")');
  await connected;
  workspace.write('memory/2026-03-14.md', 'Planted a pear tree.\n\n| Tree | Price |\n| --- | --- |\n| plum | 30 |\n');
  await page.waitForSelector('main td:text("plum")');
  // Another program may read the change into the index first.
  workspace.write('memory/2026-03-14.md', 'Planted a quince.\n');
  await workspace.run(['index']);
  await page.waitForSelector('main :text("quince")');
  expect(page.url()).toBe(`${address}#timeline=2026-03-14`);
  await page.locator('main .source').click();
  await page.waitForSelector('.hit:text("quince")');
  expect([...paths].map((url) => url.replace(/#.*/, ''))).toSatisfy((urls: string[]) =>
    urls.every((url) => url === String(address) || url === `${address}changes`),
  );
  expect(troubles).toEqual([]);
  expect(await stop('SIGINT')).toEqual([0, null]);
});

test('--serve writes no file, so it takes no --out', async () => {
  const { code, stderr } = await testWorkspace(FILES).run(['view', '--serve', '--out', 'page.html']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`--serve and --out can't be used together`)]);
});
