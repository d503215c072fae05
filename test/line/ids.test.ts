import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { groupBy } from '../../src/base/order.js';
import { logLineId } from '../../src/memory/fact.js';
import { pageOfPath } from '../../src/memory/pages.js';
import { readUnits } from '../../src/memory/units.js';

const FOLDER = new URL('../../fixtures/workspace', import.meta.url).pathname;

/** The ids of all units of a page, with their lines and texts. */
function idsOf(path: string): readonly string[] {
  const page = pageOfPath(path);
  if (page === undefined) return [];
  const before = new Map<string, number>();
  return readUnits(path, page, readFileSync(join(FOLDER, path), 'utf8')).units.map(({ fact, text, line, endLine }) => {
    const occurrence = before.get(text) ?? 0;
    if (fact === null) before.set(text, occurrence + 1);
    return `${fact ?? logLineId(path, text, occurrence)} ${line}-${endLine} ${text}`;
  });
}

// Citations, evidence, tombstones and verdicts name these ids. Only a changed fixture may change a digest.
test('the ids, lines and texts of the units of the fixtures stay as they are', () => {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  const digests = [...groupBy(paths.sort(), dirname)].map(([folder, of]) => {
    const ids = of.flatMap(idsOf);
    return `${folder}: ${ids.length} ${hash('sha256', ids.join('\n'), 'hex').slice(0, 16)}`;
  });
  expect(digests).toEqual([
    '.: 27 d9455ff3b2749380',
    'bank/entities: 66 41a8e498e1e75728',
    'bank: 72 2cc8f9ecde992b04',
    'bank/experiences: 36 492132f56f219594',
    'bank/preferences/alice: 5 1e4a164b03eb4106',
    'bank/preferences/peter: 6 08c766af6207610c',
    'journals: 7 c7a5b3a9e65187b6',
    'memory: 855 0e3d56d014846874',
    'memory/topics: 53 89e57edfdb1d1fd5',
    'resources: 10 77437f6d5ab86797',
  ]);
});
