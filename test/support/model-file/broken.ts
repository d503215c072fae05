import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.js';
import type { TemporaryWorkspace } from '../workspace.js';
import { EMBEDS, gguf, type HeadValue, uint32, uint64 } from './gguf.js';

/** A file in place of a model file. */
interface BrokenFile {
  readonly name: string;
  /** The expected message; undefined if the file may be sound. */
  readonly says?: RegExp;
  readonly put: (path: string) => void;
}

const DAMAGED = /not a model file|damaged/;
const NOT_REGULAR = /is not a regular file|does not exist|leads back to itself/;
const content = (name: string, bytes: string | Uint8Array, says?: RegExp): BrokenFile => ({
  name,
  ...(says && { says }),
  put: (path) => writeFileSync(path, bytes),
});
const head = (name: string, changed: Readonly<Record<string, HeadValue | undefined>>, says: RegExp): BrokenFile => {
  const all = { ...EMBEDS, ...changed };
  const values = Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return content(name, gguf(Object.fromEntries(values)), says);
};
const raw = (...parts: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from('GGUF'), uint32(3), ...parts]);
const key = (type: number, ...rest: readonly Buffer[]): Buffer =>
  raw(uint64(0), uint64(1), uint64(1), Buffer.from('k'), uint32(type), ...rest);

/** Foreign files, false headers, and things that are not files. */
const KINDS: readonly BrokenFile[] = [
  { name: 'a folder', says: NOT_REGULAR, put: (path) => mkdirSync(path) },
  { name: 'a pipe', says: NOT_REGULAR, put: (path) => void spawnSync('mkfifo', [path]) },
  { name: 'a device', says: NOT_REGULAR, put: (path) => symlinkSync('/dev/zero', path) },
  { name: 'nothing', says: NOT_REGULAR, put: () => {} },
  { name: 'a link to nothing', says: NOT_REGULAR, put: (path) => symlinkSync(`${path}.gone`, path) },
  { name: 'a link to itself', says: NOT_REGULAR, put: (path) => symlinkSync(path, path) },
  { name: 'a file of the kernel', says: DAMAGED, put: (path) => symlinkSync('/proc/self/maps', path) },
  head('a chat model', { 'bert.pooling_type': undefined }, /has no pooling type/),
  head('no pooling', { 'bert.pooling_type': 0 }, /has no pooling type/),
  head('a reranker', { 'bert.pooling_type': 4 }, /is a reranker/),
  head('a part', { 'split.count': 3 }, /one of several parts/),
  head('no family', { 'general.architecture': undefined }, /has no pooling type/),
  head('no window', { 'bert.context_length': undefined }, /has no context length/),
  content('tensors that are not sound', gguf(EMBEDS, ''), /can't be loaded|makes no vectors/),
  content('what the engine falls over', gguf(EMBEDS, 'DIES WHILE LOADED'), /ended|can't be loaded/),
  content('an empty file', '', DAMAGED),
  content('a text', 'a model, I say\n'.repeat(100), DAMAGED),
  content('another archive', Buffer.from('504b0304140000000800', 'hex'), DAMAGED),
  content('an old version', gguf(EMBEDS, '', 1), DAMAGED),
  content('a version of the future', gguf(EMBEDS, '', 4), DAMAGED),
  content('more keys than bytes', raw(uint64(0), uint64(2n ** 63n)), DAMAGED),
  content('a text without end', key(8, uint64(2n ** 60n)), DAMAGED),
  content('a list without end', key(9, uint32(4), uint64(2n ** 62n)), DAMAGED),
  content('a list of lists', key(9, uint32(9), uint64(1)), DAMAGED),
  content('texts without end', key(9, uint32(8), uint64(2n ** 62n)), DAMAGED),
  content('a type of the future', key(77), DAMAGED),
];

/** Returns this number of broken files: one of each kind, then files that are cut off or have changed bytes. */
export function brokenFiles(count: number, random: Random, sound: Buffer = gguf()): readonly BrokenFile[] {
  const at = (): number => Math.floor(random.next() * sound.length);
  const more = Array.from({ length: Math.max(0, count - KINDS.length) }, (_, i): BrokenFile => {
    const place = at();
    if (i % 2 === 0) return { name: `cut off at ${place}`, says: /./, put: (path) => cut(path, sound, place) };
    const bytes = Buffer.from(sound);
    for (let left = 1 + Math.floor(random.next() * 8); left > 0; left--)
      bytes[random.next() < 0.5 ? at() : Math.floor(random.next() * Math.min(2_000, sound.length))] = Math.floor(
        random.next() * 256,
      );
    return content(`bytes changed, ${i}`, bytes);
  });
  return [...KINDS, ...more].slice(0, count);
}

function cut(path: string, sound: Buffer, length: number): void {
  writeFileSync(path, sound);
  truncateSync(path, length);
}

/**
 * Returns the error in the handling of a broken file: '' if it is reported, nothing else changed, and questions are
 * answered.
 */
export async function meet(workspace: TemporaryWorkspace, { name, says, put }: BrokenFile): Promise<string> {
  const path = join(workspace.home, 'broken.gguf');
  rmSync(path, { recursive: true, force: true });
  put(path);
  const used = await workspace.run(['models', 'use', path, '--json']);
  const said = `${used.stdout}${used.stderr}`;
  const problems: string[] = [];
  const isNamed = used.code !== 0 && /"message":".+"hint":"/.test(said) && !said.includes('"type":"internal"');
  if (says !== undefined && !isNamed) problems.push(`was used with ${used.code}: ${said}`);
  if (says !== undefined && !says.test(said)) problems.push(`is called: ${said}`);
  if (used.code !== 0 && !isNamed) problems.push(`ended with ${used.code}: ${said}`);
  // As in a copied workspace whose model nobody has allowed.
  workspace.write('memory.config.json5', JSON.stringify({ embedModel: `file:${path}` }));
  const embedded = await workspace.run(['index', '--embed', '--json']);
  if (used.code !== 0 && embedded.code !== 3) problems.push(`is embedded with: ${embedded.stdout}${embedded.stderr}`);
  const asked = await workspace.run(['recall', 'where does Anna live?', '--json']);
  if (!asked.stdout.includes('resides near the river'))
    problems.push(`hides an answer: ${asked.stdout}${asked.stderr}`);
  const listed = await workspace.run(['models', 'list']);
  const checked = await workspace.run(['doctor']);
  if (listed.code !== 0 || checked.code === 1) problems.push(`ends list or doctor: ${listed.stderr}${checked.stderr}`);
  rmSync(path, { recursive: true, force: true });
  workspace.remove('memory.config.json5');
  return problems.map((problem) => `${name} ${problem}`).join('\n');
}

/** Links a real engine from some `node_modules` in place of the double. */
export function linkEngine(workspace: TemporaryWorkspace, modules: string): void {
  const own = join(workspace.home, '.local/share/openclaw-memory/engine/node_modules');
  mkdirSync(own, { recursive: true });
  symlinkSync(join(modules, '@node-llama-cpp'), join(own, '@node-llama-cpp'));
}
