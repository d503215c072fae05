import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { contentHash } from '../../src/workspace/files.js';
import { DEFAULT_SETTINGS } from '../../src/workspace/settings.js';
import { testWorkspace } from '../support/test-workspace.js';

const CACHE = '.memory/cache/settings.json';

/** What a release would have left in the cache for these settings. */
function keyOf(version: string, defaults: object, text: string): string {
  return contentHash(`${version} ${JSON.stringify(defaults)} ${contentHash(text)}`);
}

test.each([
  ['of this release are taken', manifest.version, DEFAULT_SETTINGS, 1],
  ['of another release are checked anew', '0.0.9', DEFAULT_SETTINGS, 2],
  ['with other defaults are checked anew', manifest.version, { ...DEFAULT_SETTINGS, recallLimit: 1 }, 2],
])('cached settings %s', async (_, version, defaults, results) => {
  const text = '{ "nearDuplicateDays": 3 }';
  const workspace = testWorkspace({
    'memory/2026-03-14.md': '- W @Peter: likes short replies\n- W @Peter: lives in Vienna\n',
    'memory.config.json5': text,
  });
  // As a release left it whose default was one result.
  const settings = { ...DEFAULT_SETTINGS, nearDuplicateDays: 3, recallLimit: 1 };
  workspace.write(CACHE, JSON.stringify({ key: keyOf(version, defaults, text), settings }));
  const answer = await workspace.json<{ results: readonly unknown[] }>(['recall', 'Peter']);
  expect(answer.results).toHaveLength(results);
});
