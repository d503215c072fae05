import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CliResult } from '../support/cli.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { WritingCommand } from './writing-commands.js';

/** Page and session files with their text, without derived files, locks and leftovers. */
export type Pages = ReadonlyMap<string, string>;

/** Returns what is wrong with the end of a disturbed command; `whole` is the exit code of an undisturbed one. */
export function wrongWords(
  { code, signal, stdout, stderr }: CliResult,
  command: WritingCommand,
  whole: number | null,
): readonly string[] {
  if (signal !== null) return [`died of ${signal}`];
  if (code === whole || code === 4) return [];
  const broken: string[] = [];
  if (code !== 1) broken.push(`ended with ${code}`);
  if (stdout !== '' && !command.inSteps) broken.push(`answered ${JSON.stringify(stdout)}, and failed`);
  if (!/^(?:(?!error: ).*\n)*error: .+\nhint: (?!.*--verbose).+\n$/.test(stderr)) broken.push(`said ${stderr}`);
  return broken;
}

/** Returns the workspace in which a command has something to write. */
export async function startOf({ files, before = [] }: WritingCommand): Promise<TemporaryWorkspace> {
  const workspace = new TemporaryWorkspace(files);
  for (const args of before) {
    const { code, stderr } = await workspace.run(args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  }
  return workspace;
}

export function copyOf(start: TemporaryWorkspace): TemporaryWorkspace {
  const copy = new TemporaryWorkspace();
  rmSync(copy.base, { recursive: true });
  cpSync(start.base, copy.base, { recursive: true, preserveTimestamps: true });
  // Files that contain the workspace's path get the new path.
  for (const [path, text] of filesOf(copy))
    if (text.includes(start.base)) writeFileSync(path, text.replaceAll(start.base, copy.base));
  return copy;
}

export function pagesOf(workspace: TemporaryWorkspace): Pages {
  const { root, base } = workspace;
  return new Map(
    filesOf(workspace).map(([full, text]) => {
      const path = relative(root, full);
      return [path.replace(/^\.\.\//, '~/'), withoutChance(text).replaceAll(base, '')];
    }),
  );
}

/** Files of the workspace and beside it. */
function filesOf({ root, base }: TemporaryWorkspace): readonly (readonly [path: string, text: string])[] {
  return readdirSync(base, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const full = join(entry.parentPath, entry.name);
    const path = relative(root, full);
    const isPage =
      entry.isFile() && !/^(?:\.memory|\.\.\/home\/cache)\//.test(path) && !isLeftover(path) && !isCount(path);
    return isPage ? [[full, readFileSync(full, 'utf8')] as const] : [];
  });
}

/** Removes random ids, which differ from run to run. */
function withoutChance(text: string): string {
  return (
    text
      .replace(/\bm-[0-9a-z]{9}-[0-9a-f]{16}\b/g, 'm-…')
      .replace(/\bn-[0-9a-f]{8}\b/g, 'n-…')
      .replace(/\bh-[0-9a-f]{32}\b/g, 'h-…')
      .replace(/^[0-9a-f]{64}$/gm, '…')
      // The checksum of a page that contains the workspace's path.
      .replace(/--write, [0-9a-f]{12} -->/g, '--write, … -->')
  );
}

/** Whether it is a counter of a session, which the next command that needs it corrects. */
function isCount(path: string): boolean {
  return /^sessions\/[^/]+\/\.meta\.json$/.test(path);
}

function isLeftover(path: string): boolean {
  return /(^|\/)\.[^/]*\.tmp(\/|$)/.test(path);
}

/** Returns temporary files of writers, except the one of a test. */
export function leftovers({ base }: TemporaryWorkspace): readonly string[] {
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter(isLeftover)
    .filter((path) => !path.includes('.99999999.'));
}

export function samePages(a: Pages, b: Pages): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

export function differing(a: Pages, b: Pages): string {
  const paths = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  return paths.map((path) => `${path}: ${fromWhereOn(a.get(path), b.get(path))}`).join('; ');
}

/** Returns two texts without their common beginning. */
function fromWhereOn(text: string | undefined, other: string | undefined): string {
  let at = 0;
  while (text !== undefined && at < text.length && text[at] === other?.[at]) at++;
  const [one, two] = [text, other].map((whole) => JSON.stringify(whole?.slice(Math.max(0, at - 20), at + 200)));
  return `${one} for ${two}`;
}

export async function verifyFailure(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const { code, stdout, stderr } = await workspace.run(['index', '--verify']);
  return code === 0 ? [] : [`the index does not verify: ${stdout}${stderr}`];
}
