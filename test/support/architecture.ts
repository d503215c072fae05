import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders of `src/`, lowest first: a file imports from its own folder or from lower ones. */
const LAYERS = [
  ['base'],
  ['language'],
  ['text'],
  ['markdown'],
  ['line'],
  ['memory'],
  ['db'],
  ['workspace'],
  ['model'],
  ['index'],
  ['query'],
  ['retain'],
  ['wm'],
  ['extract'],
  ['reflect'],
  ['session'],
  ['context'],
  ['upkeep'],
  ['view'],
  ['app'],
  ['cli', 'mcp', 'plugin'],
] as const;

const VERBS: ReadonlySet<string> = new Set([
  'query',
  'retain',
  'wm',
  'extract',
  'reflect',
  'session',
  'context',
  'upkeep',
  'view',
]);
const EDGES: ReadonlySet<string> = new Set(['cli', 'mcp', 'plugin']);
const PURE: ReadonlySet<string> = new Set(['base', 'language', 'text', 'markdown', 'line', 'memory', 'wm']);
/** Modules of Node without input and output. */
const PURE_MODULES: ReadonlySet<string> = new Set(['node:crypto', 'node:buffer']);

const MOST_LINES = 800;

/** Names of `node:fs` that change a file system. */
const FILE_WRITE =
  /\b(?:writeFile|appendFile|rename|rm|rmdir|mkdir|mkdtemp|unlink|truncate|ftruncate|copyFile|cp|symlink|link|chmod|chown|utimes|createWriteStream|writeSync|writev)(?:Sync)?\b/;
/** Names that may wait for input that never comes, or read input that never ends. */
const FILE_READ = /\b(?:readFileSync|openSync|createReadStream|openAsBlob)\b|['"](?:node:)?fs\/promises['"]/;
const SQL =
  /\b(?:SELECT\s[^;]*?\bFROM|INSERT\s(?:OR\s\w+\s)?INTO|UPDATE\s\w+\sSET|DELETE\sFROM|CREATE\s(?:VIRTUAL\s)?(?:TABLE|INDEX)|BEGIN\s(?:IMMEDIATE|EXCLUSIVE))\b/;

interface Rule {
  readonly says: string;
  readonly pattern: RegExp;
  readonly allowed: (path: string, folder: string) => boolean;
}

const RULES: readonly Rule[] = [
  {
    says: 'better-sqlite3 is opened in db/ only',
    pattern: /['"]better-sqlite3['"]/,
    allowed: (_, folder) => folder === 'db',
  },
  {
    says: 'SQL stands in index/, session/import, the lock and the store of runs only',
    pattern: SQL,
    allowed: (path, folder) =>
      ['index', 'db'].includes(folder) ||
      path.startsWith('session/import') ||
      ['workspace/lock.ts', 'workspace/state.ts'].includes(path),
  },
  {
    says: 'console and process.exit belong to the edges',
    pattern: /\bconsole\.\w|\bprocess\.exit\b/,
    allowed: (_, folder) => EDGES.has(folder),
  },
  {
    says: 'files are opened and read in workspace/files.ts only: what is no regular file, or too large, is refused there',
    pattern: FILE_READ,
    allowed: (path) => path === 'workspace/files.ts' || path === 'cli/io.ts',
  },
  {
    says: 'programs are started by git/run.ts, the engine of model files and the edges only',
    pattern: /['"](?:node:)?child_process['"]/,
    allowed: (path, folder) => ['workspace/git/run.ts', 'model/file/engine.ts'].includes(path) || EDGES.has(folder),
  },
  {
    says: 'the time comes from the clock',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\()/,
    allowed: (path) => path === 'workspace/clock.ts',
  },
];

/** Returns the violations of the architecture in a source file, one line each. `path` is relative to `src/`. Pure. */
export function violations(path: string, source: string): string[] {
  const code = withoutComments(source);
  const folder = path.split('/')[0] ?? '';
  const found = importsOf(code).flatMap((target) => importViolations(path, folder, target));
  for (const { says, pattern, allowed } of RULES) {
    if (pattern.test(code) && !allowed(path, folder)) found.push(says);
  }
  if (writesFiles(code) && folder !== 'workspace' && folder !== 'db')
    found.push('files are written in workspace/ only');
  if (PURE.has(folder) && /\bprocess\./.test(code)) found.push('a pure folder knows no process');
  if (/@ts-(?:ignore|expect-error|nocheck)|biome-ignore lint/.test(source)) found.push('no check is switched off');
  if (/design section|\bseed \d|\bcomplaints? #?\d/i.test(source)) found.push('a comment carries its reason itself');
  const lines = source.split('\n').length - 1;
  if (lines > MOST_LINES) found.push(`a file has at most ${MOST_LINES} lines, not ${lines}`);
  if (path.includes('/') && level(folder) < 0) found.push(`${folder}/ is no folder of the design`);
  return found;
}

interface SourceFile {
  /** Relative to `src/`. */
  readonly path: string;
  readonly source: string;
}

/** Files that import each other in a circle, types included, or lie between two circles. Pure. */
export function filesInCircles(files: readonly SourceFile[]): readonly string[] {
  let left = files.map(({ path, source }) => ({
    path,
    imports: importsOf(withoutComments(source)).map((target) => resolve(path, target).replace(/\.js$/, '.ts')),
  }));
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length;
    const paths = new Set(left.map(({ path }) => path));
    const imported = new Set(left.flatMap(({ imports }) => imports));
    left = left.filter(({ path, imports }) => imported.has(path) && imports.some((target) => paths.has(target)));
  }
  return left.map(({ path }) => path);
}

/** Every source file, with its path relative to `src/`. */
export function sourceFiles(): readonly SourceFile[] {
  const root = fileURLToPath(new URL('../../src', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
}

function importViolations(path: string, folder: string, target: string): string[] {
  if (!target.startsWith('.')) {
    const isImpure = PURE.has(folder) && target.startsWith('node:') && !PURE_MODULES.has(target);
    return isImpure ? [`a pure folder may not import ${target}`] : [];
  }
  const resolved = resolve(path, target);
  const [other = '', ...rest] = resolved.split('/');
  if (resolved === '../package.json' || other === folder) return [];
  if (level(other) > level(folder)) return [`${folder}/ may not import ${resolved}: it lies higher`];
  // Files at the top of a verb's folder are its interface; its sub-folders are internal. The library also names the types
  // behind that interface.
  if (path === 'app/index.ts') return [];
  return VERBS.has(other) && rest.length > 1 ? [`${resolved} is private to ${other}/`] : [];
}

function resolve(path: string, target: string): string {
  return posix.normalize(posix.join(posix.dirname(path), target));
}

function level(folder: string): number {
  return LAYERS.findIndex((names) => names.some((name) => name === folder));
}

function importsOf(code: string): string[] {
  const found = code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g);
  return [...found].map(([, target = '']) => target);
}

function writesFiles(code: string): boolean {
  for (const [, names = ''] of code.matchAll(/import\s+([^;]*?)\s+from\s+['"](?:node:)?fs(?:\/promises)?['"]/g)) {
    if (FILE_WRITE.test(names) || !names.includes('{')) return true;
  }
  return false;
}

// Removes only comments: strings may contain imports and SQL. A `//` inside a string has no white space before it.
function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
