import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { contentHash } from '../../src/workspace/files.js';
import { DEFAULT_SETTINGS } from '../../src/workspace/settings.js';
import { testWorkspace } from '../support/test-workspace.js';

const CACHE = '.memory/cache/settings.json';

/** The key under which a release stores these settings in the cache. */
function keyOf(version: string, defaults: object, text: string): string {
  return contentHash(`${version} ${JSON.stringify(defaults)} ${contentHash(text)}`);
}

test.each([
  ['of this release are used', manifest.version, DEFAULT_SETTINGS, 1],
  ['of another release are checked again', '0.0.9', DEFAULT_SETTINGS, 2],
  ['with other defaults are checked again', manifest.version, { ...DEFAULT_SETTINGS, recallLimit: 1 }, 2],
])('cached settings %s', async (_, version, defaults, results) => {
  const text = '{ "coreBudgetChars": 3000 }';
  const workspace = testWorkspace({
    'memory/2026-03-14.md': '- W @Peter: likes short replies\n- W @Peter: lives in Vienna\n',
    'memory.config.json5': text,
  });
  // As stored by a release with a default of one result.
  const settings = { ...DEFAULT_SETTINGS, coreBudgetChars: 3_000, recallLimit: 1 };
  workspace.write(CACHE, JSON.stringify({ key: keyOf(version, defaults, text), settings, former: [] }));
  const answer = await workspace.json<{ results: readonly unknown[] }>(['recall', 'Peter']);
  expect(answer.results).toHaveLength(results);
});
