// Bundles `dist/`: the command line in parts that are loaded when they are needed (see bin/launch.js), and the library
// with its declarations in one file. The names of the command line stay, so that --verbose can say what called what; the
// lines of the library do, since Node prints the one that an uncaught error comes from.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { packed } from './bin/parts.js';

/**
 * What is asked for and not needed. Commander could start commands that are programs of their own; ours are not, and what
 * starts programs loads slowly. SQLite could search for its compiled half; src/db/open.ts says where it is. A server of
 * the Model Context Protocol could check what a person fills into a form; ours asks for none.
 */
const LEFT_OUT = {
  name: 'left-out',
  resolveId: (id, importer = '') =>
    /^(?:bindings|ajv|ajv-formats)$/.test(id) || (id === 'node:child_process' && importer.includes('commander'))
      ? '\0left-out'
      : undefined,
  load: (id) => (id === '\0left-out' ? 'module.exports = {};' : undefined),
};

/**
 * The reader of Markdown takes `&copy;` from a table of all names. A browser knows them: it decodes one in a text field,
 * where HTML is not interpreted.
 */
const DECODED_BY_BROWSER = {
  name: 'decoded-by-browser',
  resolveId: (id) => (id === 'entities' ? '\0entities' : undefined),
  load: (id) =>
    id === '\0entities'
      ? `export function decodeHTMLStrict(name) {
          const field = document.createElement('textarea');
          field.innerHTML = name;
          return field.value;
        }`
      : undefined,
};

const short = ({ names, lines }) => ({
  comments: false,
  minify: { compress: true, mangle: !names, codegen: { removeWhitespace: !lines } },
});

/** A program without the types of Node or of a browser has none of this name. */
const ABORT_SIGNAL = `type AbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known : { readonly aborted: boolean };`;

/**
 * Of the library, what is loaded at once is one file, and what several of the others need are two, by floors: files that
 * import each other in a circle would run before what they need.
 */
const FLOORS = /\/src\/(?:base|language|text|markdown|line|memory|db|workspace)\//;
const FEW_FILES = {
  groups: [
    { name: 'start', tags: ['$initial'], priority: 3 },
    { name: 'floors', test: FLOORS, minShareCount: 2, priority: 2 },
    { name: 'shared', minShareCount: 2, priority: 1 },
    // Commands that keep a workspace in order, and commands that few use: one file each.
    { name: 'upkeep', test: /\/src\/upkeep\//, priority: 0 },
    { name: 'extract', test: /\/src\/extract\//, priority: 0 },
  ],
};

/** `program` leaves out the types of the library, `types` makes only them; without one of these, all is made. */
const [part] = process.argv.slice(2);
if (part === 'types') {
  await declare('app/index.d.ts', 'dist/index.d.ts');
  process.exit();
}
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/cli', { recursive: true });
const program = await bundle({ run: 'src/cli/run.ts' }, { 'import.meta.url': '__url' });
const { output } = await program.generate({
  ...short({ names: true, lines: false }),
  format: 'cjs',
  // Compiled code that comes from the cache can't import: it requires.
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
});
writeFileSync('dist/cli/parts', packed(output.map(({ fileName, code }) => [fileName, wrapped(code)])));
const library = await bundle({ index: 'src/app/index.ts' });
const built = await library.write({
  ...short({ names: false, lines: true }),
  dir: 'dist',
  chunkFileNames: 'chunks/[hash].js',
  codeSplitting: FEW_FILES,
});
const plugin = await buildPlugin();
if (part !== 'program') await declare('app/index.d.ts', 'dist/index.d.ts');
const view = await page('src/view/browser');
writeFileSync('dist/NOTICES.txt', notices([...output, ...built.output, ...plugin.output, ...view.output]));

/** The licences of what is bundled: most of them ask to go along with the code. */
function notices(parts) {
  const inside = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/;
  const folders = new Map();
  for (const id of parts.flatMap(({ moduleIds }) => moduleIds ?? [])) {
    const [, folder, name] = inside.exec(id) ?? [];
    if (name !== undefined) folders.set(name, folder);
  }
  const sections = [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, folder]) => {
      const { version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      // The MPL wants to be told where the source is.
      const source = license.startsWith('MPL') ? `, source: ${repository.url.replace(/^git\+/, '')}` : '';
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version}${source}\n\n${text}\n`;
    });
  return `What is bundled into this package, with its licences.\n\n${sections.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

/** A folder as the host OpenClaw loads it: no dependencies, no build. */
async function buildPlugin() {
  const plugin = await bundle({ index: 'src/plugin/index.ts' });
  const made = await plugin.write({ ...short({ names: true, lines: true }), dir: 'dist/plugin' });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifest = JSON.parse(readFileSync('templates/plugin/openclaw.plugin.json', 'utf8'));
  writeFileSync('dist/plugin/openclaw.plugin.json', JSON.stringify({ ...manifest, version }));
  const extensions = { extensions: ['./index.js'] };
  const own = { name: manifest.id, version, private: true, type: 'module', openclaw: extensions };
  writeFileSync('dist/plugin/package.json', JSON.stringify(own));
  mkdirSync('dist/plugin/skills/openclaw-memory', { recursive: true });
  copyFileSync('templates/skill.md', 'dist/plugin/skills/openclaw-memory/SKILL.md');
  return made;
}

function bundle(input, define = {}) {
  return rolldown({
    input,
    platform: 'node',
    // It finds its compiled half beside itself.
    external: ['sqlite-vec'],
    plugins: [LEFT_OUT],
    // Its other form asks for its parts by a `require` that no bundler sees.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    transform: { target: 'node20', define },
    onLog,
  });
}

function onLog(_, { code, message }) {
  // Code that several files need goes into one part, whether or not one of them loads it later.
  if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(message);
}

/** What the page of `view` carries in itself: one script and one style sheet, with no character that a script can't hold. */
async function page(folder) {
  const input = { view: join(folder, 'main.ts') };
  const plugins = [DECODED_BY_BROWSER];
  const made = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' }, plugins, onLog });
  const written = await made.write({ ...short({ names: false, lines: false }), dir: 'dist/view', format: 'iife' });
  const style = readFileSync(join(folder, 'page.css'), 'utf8');
  writeFileSync('dist/view/view.css', style.replace(/\s+/g, ' ').replace(/ ?([{}:;,]) ?/g, '$1'));
  return written;
}

/**
 * As the launcher runs it. V8 reads text of one byte a character twice as fast. Beyond ASCII are only texts and patterns
 * left, where an escape is the same.
 */
function wrapped(code) {
  const ascii = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Buffer.from(`(function(exports,require,module,__url){${ascii}\n})`);
}

/** Writes what the compiler says of a file of `src/`, with all that it is made of. */
async function declare(entry, file) {
  const folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-types-'));
  try {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json', '--outDir', folder];
    execFileSync(process.execPath, tsc, { stdio: 'inherit' });
    for (const path of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.d.ts')))
      writeFileSync(join(folder, path), inTypes(readFileSync(join(folder, path), 'utf8')));
    const declared = await rollup({ input: join(folder, 'src', entry), plugins: [dts()] });
    const { code } = (await declared.generate({ intro: ABORT_SIGNAL })).output[0];
    writeFileSync(file, nameable(code));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What can be done with an instance of a class of ours, so that a double of one's own is one, too; errors stay classes. */
function inTypes(declarations) {
  return declarations
    .replace(/^(?:export )?declare (?:abstract )?class (?!\w+ extends Error)/gm, 'export interface ')
    .replace(/^ {4}(?:private|protected|constructor)\b[\s\S]*?;\n(?= {4}[^}\s]|\})/gm, '');
}

/** With every type exported that is declared: what a type leads to can be named. */
function nameable(code) {
  const [, list = ''] = /^export type \{ (.*) \};$/m.exec(code) ?? [];
  const given = new Set(list.split(', ').map((name) => name.split(' ')[0]));
  const declared = [...code.matchAll(/^(?:interface|type) ([\w$]+)/gm)].map(([, name]) => name);
  const names = declared.filter((name) => !given.has(name) && name !== 'AbortSignal');
  return code.replace(`export type { ${list} };`, () => `export type { ${[...names.sort(), list].join(', ')} };`);
}
