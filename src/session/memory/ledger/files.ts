import {
  argumentText,
  type CallWithResult,
  commandOfCall,
  hasCallFailed,
  parseShellCommand,
  type ShellCommand,
} from './calls.js';
import type { LedgerEntry } from './ledger.js';

/** Matches the names of tool arguments that contain the path of a file. */
const PATH =
  /^(?:(?!new|old)[a-z]+_)*(?:(?:file)?path|file|uri)$|^file_?[nN]ame$|^(?!new|old)[A-Za-z]*[a-z](?:Path|File)$/u;
/**
 * Words in tool names that show that a tool changes or reads a file, each with the verb for the file: `read`, `renamed`.
 */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/delete|remove|unlink|trash/, 'deleted'],
  [/rename|move/, 'renamed'],
  [/create|new_?file|add_?file/, 'created'],
  [/write|save|overwrite/, 'written'],
  [/edit|replace|patch|insert|update|modif|append|change|apply|undo/, 'edited'],
  [/read|view|open|cat|show/, 'read'],
];
/** A file is worth a line if it was read at least this number of times. */
const OFTEN = 3;
const PATCHED = /^\*\*\* (Update|Add|Delete) File: (.+)$/gmu;
const PATCH_VERBS: Readonly<Record<string, string>> = { Add: 'created', Delete: 'deleted' };
const MOVED = /^\*\*\* Move to: (.+)$/gmu;
const LONGEST_PATH = 200;

interface Touch {
  readonly path: string;
  readonly verb: string;
}

/**
 * Updates the list of known files: adds the files that some calls read or changed, and the paths that a person named. Pure.
 */
export function updateTouchedFiles(
  before: readonly LedgerEntry[],
  calls: readonly CallWithResult[],
  named: readonly PersonNamedPath[] = [],
): readonly LedgerEntry[] {
  const files = new Map(before.flatMap((entry) => (entry.file === undefined ? [] : [[entry.file.path, entry]])));
  for (const each of calls) {
    if (hasCallFailed(each)) continue;
    for (const { path, verb } of fileAccesses(each)) touch(files, knownAs(path, files), verb, each);
  }
  for (const { path: given, at } of named) {
    const path = knownAs(given, files);
    const old = files.get(path);
    const file = { ...(old?.file ?? { path, edits: 0, reads: 0, last: 'read' }), isNamed: true as const };
    files.set(path, {
      section: 'Files & Context',
      text: lineOf(file),
      at: old?.at ?? at,
      file,
    });
  }
  return [...files.values()];
}

function touch(files: Map<string, LedgerEntry>, path: string, verb: string, { at }: CallWithResult): void {
  const old = files.get(path);
  const known = old?.file ?? { path, edits: 0, reads: 0, last: verb };
  const isRead = verb === 'read';
  const file = isRead ? { ...known, reads: known.reads + 1 } : { ...known, edits: known.edits + 1, last: verb };
  // If a changed file is now only read, its line keeps its place, which shows when the file was last changed.
  const since = isRead && old !== undefined && known.edits > 0 ? old.at : at;
  files.set(path, { section: 'Files & Context', text: lineOf(file), at: since, file });
}

/** A path that a person named. */
export interface PersonNamedPath {
  readonly path: string;
  readonly at: number;
}

/** Returns the known file whose path ends with a relative path. If there is none, returns the path itself. */
function knownAs(path: string, files: ReadonlyMap<string, LedgerEntry>): string {
  const end = normalisePath(path).replace(/^(?:\.\/|@)/u, '');
  if (files.has(path) || /^(?:\/|\w:|~)/u.test(end)) return path;
  const isSame = (known: string): boolean => normalisePath(known) === end || normalisePath(known).endsWith(`/${end}`);
  return [...files.keys()].find(isSame) ?? path.replace(/^@/u, '');
}

/**
 * Files that are worth a line in the Working Memory. If a file was changed: the changed files, and files that a person
 * named and a tool read. If no file was changed: files that were read often, and, if a tool read any file, files that a
 * person named. Pure.
 */
export function pickNotableFiles(files: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const isChanged = files.some(({ file }) => file !== undefined && file.edits > 0);
  // If no tool read any file, a path that a person named is only a topic of the conversation.
  const isRead = files.some(({ file }) => file !== undefined && file.reads > 0);
  return files.filter(({ file }) => {
    if (file === undefined || file.edits > 0) return true;
    const isNamed = file.isNamed === true;
    return isChanged ? isNamed && file.reads > 0 : (isNamed && isRead) || file.reads >= OFTEN;
  });
}

function lineOf({ path, edits, reads, last }: NonNullable<LedgerEntry['file']>): string {
  const name = `\`${path}\``;
  if (edits === 0) return reads === 0 ? `${name} spoken of` : `${name} read ${reads}×`;
  return edits === 1 ? `${name} ${last}` : `${name} changed ${edits}×, last ${last}`;
}

/** File accesses of a call, by its name and arguments. Pure. */
export function fileAccesses({
  call,
  shell,
}: Pick<CallWithResult, 'call'> & Partial<Pick<CallWithResult, 'shell'>>): readonly Touch[] {
  const { name, input } = call;
  const patch = typeof input === 'string' ? input : argumentText(input, /^(?:patch|input|patchText|diff|command)$/u);
  if (/^\s*(?:apply_patch|\*\*\* Begin Patch)/mu.test(patch)) return patched(patch);
  const action = argumentText(input, /^(?:command|action|operation)$/u);
  const isShell = commandOfCall(call) !== '' && argumentText(input, PATH) === '';
  if (isShell) return shellTouches(shell ?? parseShellCommand(commandOfCall(call)));
  const word = `${name} ${/^[a-z_]+$/.test(action) ? action : ''}`.toLowerCase();
  const verb = VERBS.find(([pattern]) =>
    pattern.test(word.replace(/str_replace_(?:based_)?edit(?:or)?_tool/, action)),
  )?.[1];
  if (verb === undefined) return [];
  const path = argumentText(input, PATH);
  return isPath(path) ? [{ path, verb }] : [];
}

function patched(patch: string): readonly Touch[] {
  const touched = [...patch.matchAll(PATCHED)].map(([, did = '', path = '']) => {
    return { path: path.trim(), verb: PATCH_VERBS[did] ?? 'edited' };
  });
  const moved = [...patch.matchAll(MOVED)].map(([, path = '']) => ({ path: path.trim(), verb: 'renamed to' }));
  return [...touched, ...moved].filter(({ path }) => isPath(path));
}

/** Programs that change the files in their arguments, each with the verb for this change. `git rm` counts as `rm`. */
const WRITERS: ReadonlyMap<string, string> = new Map([
  ['rm', 'deleted'],
  ['unlink', 'deleted'],
  ['mv', 'renamed'],
  ['sed', 'edited'],
  ['tee', 'written'],
]);

function shellTouches(commands: readonly ShellCommand[]): readonly Touch[] {
  let folder = '';
  const touched: Touch[] = [];
  for (const { words, writes } of commands) {
    const [program = '', ...given] = words[0] === 'git' ? words.slice(1) : words;
    if (program === 'cd') folder = resolveInFolder(folder, given[0] ?? '');
    const place = folder;
    const written = writes.map((path) => ({ path, verb: 'written' }));
    for (const { path, verb } of [...changedBy(program, given), ...written])
      if (isWritten(path)) touched.push({ path: place === '' ? path : resolveInFolder(place, path), verb });
  }
  return touched;
}

/** The files that a program changes. `sed` takes a script before them, and on BSD the suffix of a backup. */
function changedBy(program: string, given: readonly string[]): readonly Touch[] {
  const verb = WRITERS.get(program);
  const isInPlace = given.some((word) => /^-[a-zA-Z]*i|^--in-place/u.test(word));
  if (verb === undefined || (program === 'sed' && !isInPlace)) return [];
  const paths = given.filter((word) => word !== '' && !word.startsWith('-'));
  const hasScript = program === 'sed' && !given.some((word) => /^-[a-zA-Z]*f$|^--file/u.test(word));
  return paths.slice(hasScript ? 1 : 0).map((path) => ({ path, verb }));
}

/** True if a path names a real file: it is no pattern, variable, device or temporary file. */
function isWritten(path: string): boolean {
  return (
    isPath(path) &&
    /[./]/u.test(path) &&
    !/[*?$`{}()=;]|^&|^-$|[./]$/u.test(path) &&
    !/(?:^|\/)\.git\//u.test(path) &&
    !/^(?:\/dev|\/proc|\/tmp|\/private\/tmp|\/var\/(?:tmp|folders))\//u.test(path)
  );
}

function isPath(path: string): boolean {
  return path !== '' && path.length <= LONGEST_PATH && !/[\n`]/u.test(path) && !/^[a-z]+:\/\//iu.test(path);
}

/** Normalises the spelling of a path, whatever system or shell it was written on. Pure. */
export function normalisePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^\/([a-zA-Z])(?=\/|$)|^([a-zA-Z]):(?=\/|$)/u, (_, mounted?: string, drive?: string) => {
      return `${(mounted ?? drive ?? '').toLowerCase()}:`;
    })
    .replace(/\/{2,}/gu, '/')
    .replace(/(?<=.)\/$/u, '');
}

/** The full path of a path that is relative to a folder. Pure. */
export function resolveInFolder(folder: string, path: string): string {
  const to = normalisePath(path);
  if (/^(?:\/|~|\w:|\$)/u.test(to)) return to;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of to.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
