import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const ROOT = fileURLToPath(new URL('../fixtures/', import.meta.url));
const WORKSPACE = `${ROOT}workspace/`;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const Source = z.string().regex(/^[^#]+\.md#L[1-9]\d*$/);
const Day = z.iso.date();
const Case = z.strictObject({
  id: z.string(),
  query: z.string().min(1),
  expect: z.array(Source),
  k: z.int().positive().optional(),
  all: z.literal(true).optional(),
  now: z.iso.datetime(),
  kind: z.enum([
    'entity',
    'temporal',
    'opinion',
    'exact',
    'cjk',
    'contradiction',
    'as-of',
    'nothing',
    'who',
    'now',
    'then',
    'whole',
    'name',
  ]),
  options: z
    .strictObject({
      since: Day.optional(),
      until: Day.optional(),
      asOf: Day.optional(),
      entities: z.array(z.string()).optional(),
      kinds: z.array(z.enum(['world', 'experience', 'opinion', 'observation'])).optional(),
    })
    .optional(),
  top: z.literal(true).optional(),
  absent: z.array(Source).optional(),
  empty: z.literal(true).optional(),
});

const cases = readFileSync(`${ROOT}cases.jsonl`, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Case.parse(JSON.parse(line)));

const files = new Map(
  readdirSync(WORKSPACE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(`${WORKSPACE}${path}`)]),
);

function textOf(path: string): string {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`no such fixture: ${path}`);
  return UTF8.decode(bytes);
}

function lineAt(source: string): string {
  const [path = '', line = ''] = source.split('#L');
  return textOf(path).split(/\r\n|\r|\n/)[Number(line) - 1] ?? '';
}

function bytesOf(path: string): string {
  return readFileSync(`${WORKSPACE}${path}`).toString('latin1');
}

describe('the fixture workspace', () => {
  const days = [...files.keys()].filter((path) => /^memory\/\d{4}-\d\d-\d\d\.md$/.test(path));

  it('holds at least 45 daily logs over six months', () => {
    expect(days.length).toBeGreaterThanOrEqual(45);
    const months = new Set(days.map((path) => path.slice(7, 14)));
    expect([...months]).toEqual(['2025-07', '2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01']);
  });

  it('is valid UTF-8 throughout', () => {
    for (const path of files.keys()) expect(() => textOf(path)).not.toThrow();
  });

  it('keeps the line ends and the byte order mark it was written with', () => {
    expect(bytesOf('memory/2025-08-19.md')).toMatch(/^(?:[^\r\n]*\r\n)+$/);
    expect(bytesOf('memory/2025-09-05.md')).toMatch(/^\xef\xbb\xbf# 2025-09-05 Friday\n/);
    expect(bytesOf('memory/2025-12-09.md')).toMatch(/^(?:[^\r\n]*\r)+$/);
    expect(bytesOf('memory/2025-08-07.md')).toMatch(/[^\r\n]$/);
  });

  it('has no other file with a carriage return or a byte order mark', () => {
    const odd = [...files].filter(([, bytes]) => bytes.includes(13) || bytes[0] === 0xef).map(([path]) => path);
    expect(odd).toEqual(['memory/2025-08-19.md', 'memory/2025-09-05.md', 'memory/2025-12-09.md']);
  });

  it('cites lines that exist', () => {
    const cited = [...files.keys()].flatMap((path) =>
      [...textOf(path).matchAll(/\[([\w./-]+\.md#L\d+)\]\((?:\.\.\/)+([\w./-]+\.md#L\d+)\)/g)].map((m) => [m[1], m[2]]),
    );
    expect(cited.length).toBeGreaterThan(30);
    for (const [label = '', target = ''] of cited) {
      expect(target).toBe(label);
      expect(lineAt(label)).toMatch(/^- [WBOS]/);
    }
  });

  it('cites the line with the fact id as evidence of an opinion', () => {
    const evidence = [
      ...textOf('bank/opinions.md').matchAll(/- (?:for|against): \[(\S+?)\]\(\S+\) (f-[a-z2-7]{13})$/gm),
    ];
    expect(evidence.length).toBe(14);
    for (const [, source = '', id = ''] of evidence) expect(lineAt(source)).toMatch(new RegExp(` \\^${id}$`));
  });
});

describe('the recall cases', () => {
  it('are of every kind, and enough of each', () => {
    const eight = ['entity', 'temporal', 'opinion', 'exact', 'cjk', 'who', 'then', 'whole'];
    const wanted = new Map([
      ...eight.map((kind) => [kind, 8] as const),
      ['contradiction', 5],
      ['as-of', 5],
      ['nothing', 5],
      ['now', 15],
      ['name', 20],
    ]);
    expect(cases.length).toBeGreaterThanOrEqual(70);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    for (const [kind, least] of wanted) {
      expect(cases.filter((one) => one.kind === kind).length, kind).toBeGreaterThanOrEqual(least);
    }
  });

  it('point at lines that exist and hold text', () => {
    for (const { id, expect: wanted, absent = [] } of cases) {
      for (const source of [...wanted, ...absent]) expect(lineAt(source).trim(), `${id} ${source}`).not.toBe('');
    }
  });

  it('never want and forbid the same line, and want at least one line unless no answer is right', () => {
    for (const { id, expect: wanted, absent = [], empty = false } of cases) {
      expect(
        wanted.filter((source) => absent.includes(source)),
        id,
      ).toEqual([]);
      expect(wanted.length === 0, id).toBe(empty);
    }
  });

  it('have no words on any indexed line when no answer is right', () => {
    const frame = new Set(['who', 'what', 'is', 's']);
    const indexed = [...files.keys()]
      .filter((path) => !/^(?:AGENTS|TOOLS)\.md$|^resources\//.test(path))
      .map((path) => textOf(path).replaceAll(/<!-- openclaw:dreaming.*?:end -->/gs, ''))
      .join('\n')
      .toLowerCase();
    for (const { query, options } of cases.filter(({ kind }) => kind === 'nothing')) {
      if (options?.until !== undefined) continue;
      const words = query.toLowerCase().match(/[a-z0-9]+|\p{Script=Han}{2}/gu) ?? [];
      for (const word of words.filter((one) => !frame.has(one))) expect(indexed).not.toContain(word);
    }
  });
});
