import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CliResult } from './cli.js';
import { TemporaryWorkspace } from './workspace.js';
import type { WritingCommand } from './writing-commands.js';

/** Page and session files with their text. What is derived, locks and leftovers are left out. */
export type Pages = ReadonlyMap<string, string>;

/** What is wrong with how a command ended that something came in the way of; `whole` is the code of one that nothing did. */
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

/** The workspace in which a command has something to write. */
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
  rmSync(copy.root, { recursive: true });
  cpSync(start.root, copy.root, { recursive: true, preserveTimestamps: true });
  return copy;
}

export function pagesOf({ root }: TemporaryWorkspace): Pages {
  const pages = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isFile() || /^\.memory\//.test(path) || isLeftover(path) || isCount(path)) continue;
    pages.set(path, withoutChance(readFileSync(join(root, path), 'utf8')));
  }
  return pages;
}

/** Ids that are drawn by lot differ from run to run. */
function withoutChance(text: string): string {
  return text
    .replace(/\bm-[0-9a-z]{9}-[0-9a-f]{16}\b/g, 'm-…')
    .replace(/\bn-[0-9a-f]{8}\b/g, 'n-…')
    .replace(/\bh-[0-9a-f]{32}\b/g, 'h-…')
    .replace(/^[0-9a-f]{64}$/gm, '…');
}

/** What a session counts is put right by the next one that needs it. */
function isCount(path: string): boolean {
  return /^sessions\/[^/]+\/\.meta\.json$/.test(path);
}

function isLeftover(path: string): boolean {
  return /(^|\/)\.[^/]*\.tmp(\/|$)/.test(path);
}

/** Temporary files of writers, without the one that is a test's. */
export function leftovers({ root }: TemporaryWorkspace): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(isLeftover)
    .filter((path) => !path.includes('.99999999.'));
}

export function samePages(a: Pages, b: Pages): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

export function differing(a: Pages, b: Pages): string {
  const paths = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  return paths.map((path) => `${path}: ${JSON.stringify(a.get(path))} for ${JSON.stringify(b.get(path))}`).join('; ');
}

export async function verifyFailure(workspace: TemporaryWorkspace): Promise<readonly string[]> {
  const { code, stdout, stderr } = await workspace.run(['index', '--verify']);
  return code === 0 ? [] : [`the index does not verify: ${stdout}${stderr}`];
}
