import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/readme.js';
import { reflectAt } from '../support/reflecting.js';
import { testWorkspace } from '../support/test-workspace.js';

const SHOWN = join(ROOT, 'fixtures/reflected');
const PAGES = ['bank/opinions.md', 'bank/world.md', 'bank/experience.md'];

/**
 * `npx vitest run --config test/vitest.config.ts test/reflect/fixture-pages.test.ts -u` writes them again; then read them.
 */
test('the pages of the fixture workspace are those that were read and found right', async () => {
  const workspace = testWorkspace();
  cpSync(join(ROOT, 'fixtures/workspace'), workspace.root, { recursive: true });
  await reflectAt(workspace.root, '2026-01-15T12:00:00Z');
  const entities = readdirSync(join(workspace.root, 'bank/entities')).map((name) => `bank/entities/${name}`);
  for (const path of [...PAGES, ...entities.sort()]) {
    await expect(workspace.read(path), path).toMatchFileSnapshot(join(SHOWN, path.replace(/^bank\//, '')));
  }
  const kept = readdirSync(join(SHOWN, 'entities')).map((name) => `bank/entities/${name}`);
  expect(kept.sort()).toEqual(entities.sort());
});

test('no page lists under Now what has ended, and every citation leads to an existing line', () => {
  for (const name of readdirSync(join(SHOWN, 'entities'))) {
    const page = readFileSync(join(SHOWN, 'entities', name), 'utf8');
    const [, now = ''] = /\*\*Now\*\*\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
    const top = now.replace(/^ {2}- .*$/gm, '');
    expect(top, name).not.toMatch(/Currently in Marrakech|Considering|about to fail/);
    for (const [, path = '', line] of page.matchAll(/\]\(\.\.\/\.\.\/(memory\/[^)#]+)#L(\d+)\)/g)) {
      const lines = readFileSync(join(ROOT, 'fixtures/workspace', path), 'utf8').split(/\r\n|\r|\n/);
      expect(lines[Number(line) - 1], `${name} ${path}#L${line}`).toMatch(/^- [WBOS]/);
    }
  }
});
