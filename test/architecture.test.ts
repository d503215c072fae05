import { expect, test } from 'vitest';
import { filesInCircles, sourceFiles, violations } from './support/architecture.js';
import { casts } from './support/casts.js';

test('every source file keeps to the architecture', () => {
  const files = sourceFiles();
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap(({ path, source }) => violations(path, source).map((what) => `${path}: ${what}`));
  expect(found).toEqual([]);
});

test('no source silences the compiler with a cast, any or !', () => {
  const found = sourceFiles().flatMap(({ path, source }) => casts(source).map((what) => `${path} ${what}`));
  expect(found).toEqual([]);
  expect(casts('const a = ["x"] as const;\n// b as string\nconst c = a satisfies readonly string[];')).toEqual([]);
  expect(casts('a as string;\n<string>b;\nc!.d;\nconst e: any = f;')).toHaveLength(4);
});

test('no files import each other in a circle, not even for types', () => {
  expect(filesInCircles(sourceFiles())).toEqual([]);
  const circle = [
    { path: 'text/a.ts', source: "import type { B } from './sub/b.js';" },
    { path: 'text/sub/b.ts', source: "const c = await import('../c.js');" },
    { path: 'text/c.ts', source: "export { a } from './a.js';" },
    { path: 'text/d.ts', source: "import { a } from './a.js';" },
  ];
  expect(filesInCircles(circle)).toEqual(['text/a.ts', 'text/sub/b.ts', 'text/c.ts']);
  expect(filesInCircles(circle.slice(1))).toEqual([]);
});

test.each([
  ['text/a.ts', "import { x } from '../markdown/b.js';", 'may not import markdown/b.js: it lies higher'],
  ['index/a.ts', "import type { X } from '../query/b.js';", 'may not import query/b.js'],
  ['query/a.ts', "const b = await import('../app/b.js');", 'may not import app/b.js'],
  ['context/a.ts', "import { b } from '../query/retrieve/b.js';", 'is private to query/'],
  ['memory/a.ts', "import { readFileSync } from 'node:fs';", 'may not import node:fs'],
  ['text/a.ts', 'export const home = process.env.HOME;', 'knows no process'],
  ['index/a.ts', "import Database from 'better-sqlite3';", 'better-sqlite3'],
  ['query/a.ts', "db.prepare('SELECT a FROM b')", 'SQL stands in'],
  ['upkeep/a.ts', 'db.exec(`DELETE FROM unit`)', 'SQL stands in'],
  ['index/a.ts', "import { readFileSync, renameSync } from 'node:fs';", 'written in workspace/'],
  ['retain/a.ts', "import { writeFile } from 'node:fs/promises';", 'written in workspace/'],
  ['retain/a.ts', "import * as fs from 'node:fs';", 'written in workspace/'],
  ['index/a.ts', "import { readFileSync } from 'node:fs';", 'opened and read in workspace/files.ts only'],
  ['session/a.ts', "import { readFile } from 'node:fs/promises';", 'opened and read in workspace/files.ts only'],
  ['upkeep/a.ts', "import { execFile } from 'node:child_process';", 'programs are started'],
  ['app/a.ts', 'console.log(1);', 'belong to the edges'],
  ['index/a.ts', 'process.exit(1);', 'belong to the edges'],
  ['app/a.ts', 'const t = Date.now();', 'comes from the clock'],
  ['query/a.ts', 'const t = new Date();', 'comes from the clock'],
  ['text/a.ts', '// @ts-ignore\nf();', 'switched off'],
  ['text/a.ts', '// For good (see design section 3).', 'carries its reason itself'],
  ['utils/a.ts', '', 'no folder of the design'],
  ['text/a.ts', '\n'.repeat(801), 'at most 800 lines'],
])('%s with %j is a violation', (path, source, expected) => {
  expect(violations(path, source).join('\n')).toContain(expected);
});

test.each([
  ['cli/commands/a.ts', "import { b } from '../../query/request.js';\nprocess.exitCode = 1;"],
  ['memory/a.ts', "import { createHash } from 'node:crypto';\n// Date.now() is not for us\n/** console.log */"],
  ['index/a.ts', "import { statSync } from 'node:fs';\nconst sql = 'SELECT a FROM b';"],
  ['query/a.ts', 'const at = new Date(now); // any of these: any order'],
])('%s with %j is fine', (path, source) => {
  expect(violations(path, source)).toEqual([]);
});
