import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseRecord } from '../src/base/json.js';

const ROOT = fileURLToPath(new URL('../fixtures/', import.meta.url));
const WORKSPACE = `${ROOT}workspace/`;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const files = new Map(
  readdirSync(WORKSPACE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(`${WORKSPACE}${path}`)]),
);

function lineAt(source: string): string {
  const [path = '', line = ''] = source.split('#L');
  return (
    UTF8.decode(files.get(path))
      .split(/\r\n|\r|\n/)
      [Number(line) - 1]?.trim() ?? ''
  );
}

function bytesOf(path: string): string {
  return files.get(path)?.toString('latin1') ?? '';
}

// Editors and git like to change these.
test('the fixtures keep the line ends and the byte order mark that they were written with', () => {
  expect(bytesOf('memory/2025-08-19.md')).toMatch(/^(?:[^\r\n]*\r\n)+$/);
  expect(bytesOf('memory/2025-09-05.md')).toMatch(/^\xef\xbb\xbf# 2025-09-05 Friday\n/);
  expect(bytesOf('memory/2025-12-09.md')).toMatch(/^(?:[^\r\n]*\r)+$/);
  expect(bytesOf('memory/2025-08-07.md')).toMatch(/[^\r\n]$/);
  const odd = [...files].filter(([, bytes]) => bytes.includes(13) || bytes[0] === 0xef).map(([path]) => path);
  expect(odd).toEqual(['memory/2025-08-19.md', 'memory/2025-09-05.md', 'memory/2025-12-09.md']);
});

test('every line that the recall cases want or forbid exists, and holds text', () => {
  const cases = readFileSync(`${ROOT}cases.jsonl`, 'utf8').trimEnd().split('\n').map(parseRecord);
  expect(cases.length).toBeGreaterThanOrEqual(70);
  const sources = cases.flatMap((each) => [each?.expect, each?.absent ?? []].flat()).map(String);
  for (const source of sources) expect(lineAt(source), source).not.toBe('');
});
