import { isUtf8 } from 'node:buffer';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fail, MemoryError, throwWithName, tryWithFallback } from '../base/failure.js';
import { asText, parseRecord } from '../base/json.js';
import * as disk from '../workspace/files.js';
import type { HostEnvironment } from '../workspace/openclaw-config.js';
import { applySplice, type Splice, undoSplices } from './connect/formats.js';
import {
  buildPluginInstallLines,
  type ConnectionPart,
  findHostByName,
  findInstalledPluginVersion,
  HOST_NAMES,
  type HostFolders,
  type HostName,
  listTargetFiles,
  PLUGIN_REMOVAL_COMMANDS,
  PLUGIN_UPDATE_COMMAND,
  type TargetFile,
} from './connect/hosts.js';
import {
  type CallFromHost,
  editConnections,
  type HostConnection,
  readConnections,
  type WrittenFile,
} from './connect/record.js';

/** The settings of a host to work on: those of one project, or, if `project` is undefined, those of this user. */
interface HostLocation {
  readonly host: HostName;
  readonly project: string | undefined;
  /**
   * The parts of the connection to write or remove. If undefined, connecting writes the usual parts, and disconnecting
   * removes all parts.
   */
  readonly parts?: readonly ConnectionPart[] | undefined;
}

/** The planned change of one settings file, and what to record about it. */
export interface FileEditPlan extends HostLocation {
  readonly part: ConnectionPart;
  readonly path: string;
  readonly version: disk.FileVersion | undefined;
  readonly before: string | null;
  readonly after: string | null;
  readonly top: string | undefined;
  /** The new entry for the file in our record of connections; null if the record has no entry for it after the change. */
  readonly written: Omit<WrittenFile, 'folder'> | null;
  readonly calling: CallFromHost;
}

/** Where hosts keep their settings, and the environment, which tells where our record of connections is. */
export interface HostSettingsContext {
  readonly places: HostFolders;
  readonly env: HostEnvironment;
}

/** Parts that are written by default. The plugin is an alternative to them and must be requested. */
const USUAL: readonly ConnectionPart[] = ['server', 'hooks', 'skill', 'ignore'];

/**
 * Plans the changes of files that connect a host. If a file needs no change, the plan leaves its text as it is.
 * @throws MemoryError `settings` for a file that can't be read, `conflict` for a page that a person has edited
 */
export function planConnect(
  where: HostLocation,
  calling: CallFromHost,
  ground: HostSettingsContext,
): readonly FileEditPlan[] {
  const recorded = known(where, ground)?.files ?? [];
  const { parts = USUAL } = where;
  return targets({ ...where, parts }, calling, ground).map((target) => {
    const file = open(target);
    return named(file.path, () => {
      const record = recorded.find(({ path }) => path === file.path);
      const step = { ...where, top: target.top, part: target.part, ...file, calling };
      if (isCurrent(file.before ?? '', target))
        return { ...step, after: file.before, written: record ?? { path: file.path, splices: [], isNew: false } };
      const base = without(file.before, target, record);
      const splices: Splice[] = [];
      let text = base ?? '';
      for (const piece of target.pieces) {
        const splice = target.format.add(text, piece);
        splices.push(splice);
        text = applySplice(text, splice);
      }
      return { ...step, after: text, written: { path: file.path, splices, isNew: base === null } };
    });
  });
}

/**
 * Plans the removal of a connection, whether this program or a person made it. If a file can't be read, the plan has an
 * error in place of the file's change.
 * @param calling used if the record has no such connection
 */
export function planDisconnect(
  where: HostLocation,
  calling: CallFromHost,
  ground: HostSettingsContext,
): readonly (FileEditPlan | MemoryError)[] {
  const connection = known(where, ground);
  // Without a record, we do not know which command our entries in the settings have. The entries are found without the
  // command. `isUsual` says that the command names no workspace. Otherwise a workspace outside of the project would be
  // an error.
  const made = connection?.calling ?? { ...calling, isUsual: true };
  return targets(where, made, ground).flatMap((target): readonly (FileEditPlan | MemoryError)[] => {
    const file = open(target);
    const record = connection?.files.find(({ path }) => path === file.path);
    try {
      const after = named(file.path, () => without(file.before, target, record));
      if (after === file.before && record === undefined) return [];
      return [{ ...where, top: target.top, part: target.part, ...file, calling: made, after, written: null }];
    } catch (error) {
      if (error instanceof MemoryError) return [error];
      throw error;
    }
  });
}

/**
 * The text of a new settings file that calls us, for a person who writes the settings: our hooks for Claude Code, our
 * MCP server for another host.
 */
export function formatNewSettings(host: HostName, calling: CallFromHost, ground: HostSettingsContext): string {
  const parts: readonly ConnectionPart[] = [host === 'claude-code' ? 'hooks' : 'server'];
  const [target] = targets({ host, project: undefined, parts }, calling, ground);
  const { pieces = [], format } = target ?? {};
  return pieces.reduce((text, piece) => (format === undefined ? text : applySplice(text, format.add(text, piece))), '');
}

/** The projects in which a host was connected. */
export function listConnectedProjects(host: string, { env }: HostSettingsContext): readonly string[] {
  return readConnections(env).flatMap((each) => (each.host === host && each.project ? [each.project] : []));
}

/** The parts that the user's settings of a host have from us, whether this program or a person wrote them. */
export function listConnectedParts(host: HostName, ground: HostSettingsContext): readonly ConnectionPart[] {
  const usual = { program: [], workspace: '', options: [], isUsual: true, skill: [] };
  return targets({ host, project: undefined }, usual, ground).flatMap((target) =>
    ['old', 'current'].includes(lookAt(target).state) ? [target.part] : [],
  );
}

/** The workspace that a host is connected with. */
export function findConnectedWorkspace(where: HostLocation, ground: HostSettingsContext): string | undefined {
  return known(where, ground)?.calling.workspace;
}

/**
 * Makes a planned change and updates the record. An addition is recorded before the file is written, so that it can be
 * undone to the byte. A removal is recorded afterwards.
 * @throws MemoryError `conflict` when the file has changed since it was planned
 */
export function writeFileEdit(
  { path, version, before, after, written, top, ...where }: FileEditPlan,
  { env }: HostSettingsContext,
): void {
  const record = readConnections(env).find((each) => isSame(each, where));
  const old = record?.files.find((file) => file.path === path);
  const folder = old?.folder ?? missingFolder(path);
  const entry = written && { ...written, ...(folder === undefined ? {} : { folder }) };
  const isKnown = isDeepStrictEqual(entry, old) && isDeepStrictEqual(record?.calling, where.calling);
  if (entry !== null && !isKnown) writeDown(env, path, where, entry);
  try {
    if (after === null && before !== null) {
      if (disk.readVersion(path)?.hash !== version?.hash) changed(path);
      disk.removeFile(path);
    } else if (after !== null && after !== before && !disk.replaceFile(path, version, after)) changed(path);
  } catch (error) {
    // Writing the file failed, so restore the old entry of the record. If there was none, the new entry stays, because it
    // names the folders that were created for the file.
    if (record !== undefined && old !== undefined && !isKnown) writeDown(env, path, record, old);
    throw error;
  }
  // Remove the folders that are empty now, up to `top` or `folder`, whichever is higher in the tree.
  const [highest] = [top, folder].filter((each) => each !== undefined).toSorted((a, b) => a.length - b.length);
  if (after === null && highest !== undefined) disk.removeEmptyFolders(dirname(path), highest);
  if (entry === null && !isKnown) writeDown(env, path, where, null);
}

/**
 * Writes into our record of connections how a file was changed.
 * @param entry the new entry for the file in the record; null for none
 */
function writeDown(
  env: HostEnvironment,
  path: string,
  { host, project, calling }: Pick<HostConnection, 'host' | 'calling'> & { readonly project?: string | undefined },
  entry: WrittenFile | null,
): void {
  editConnections(env, (all) => {
    const mine = all.find((each) => isSame(each, { host, project }));
    const files = [...(mine?.files ?? []).filter((file) => file.path !== path), ...(entry === null ? [] : [entry])];
    const next = { host, ...(project === undefined ? {} : { project }), calling, files };
    return [...all.filter((each) => each !== mine), ...(files.length === 0 ? [] : [next])];
  });
}

function changed(path: string): never {
  return fail('conflict', `another program changed ${path} during this command`, 'run the command again');
}

/** The state of a connection. */
interface ConnectionState {
  readonly host: HostName;
  readonly project: string | undefined;
  readonly state: 'works' | 'old' | 'broken';
  readonly message: string;
  /** The arguments of `connect` that write this connection again. */
  readonly words: string;
}

/** Checks every recorded connection, and files that earlier versions wrote without a record. */
export function listConnectionStates(usual: CallFromHost, ground: HostSettingsContext): readonly ConnectionState[] {
  return HOST_NAMES.flatMap((host) =>
    [undefined, ...listConnectedProjects(host, ground)].flatMap((project) => {
      const where = { host, project };
      const { calling: made, files = [] } = known(where, ground) ?? {};
      const looked = targets(where, made ?? usual, ground).map((target) => lookAt(target));
      const found = looked.filter(({ path, state }) => state !== 'none' || files.some((file) => file.path === path));
      if (made === undefined && found.length === 0) return [];
      const judged = judge(made, found);
      const isPlugin = files.length > 0 && files.every(({ path }) => path.startsWith(ground.places.plugin));
      const words = `${host}${project === undefined ? '' : ' --project'}${isPlugin ? ' --plugin' : ''}`;
      return [{ ...where, words, ...(judged.state === 'works' ? (oldCopy(where, ground) ?? judged) : judged) }];
    }),
  );
}

interface Look {
  readonly path: string;
  readonly state: 'none' | 'old' | 'current' | 'unreadable';
}

function lookAt(target: TargetFile): Look {
  const { path, before } = open(target);
  const state = tryWithFallback(() => {
    const isThere = target.pieces.some((piece) => target.format.find(before ?? '', piece).length > 0);
    return !isThere ? 'none' : isCurrent(before ?? '', target) ? 'current' : 'old';
  }, 'unreadable');
  return { path, state };
}

function judge(made: CallFromHost | undefined, found: readonly Look[]): Pick<ConnectionState, 'state' | 'message'> {
  const gone = made && [...made.program.slice(0, 2), made.workspace].find((path) => !existsSync(path));
  if (gone !== undefined) return { state: 'broken', message: `calls ${gone}, which does not exist` };
  const bad = found.find(({ state }) => state === 'unreadable');
  if (bad !== undefined) return { state: 'broken', message: `${bad.path} can't be read` };
  if (found.length === 0) return { state: 'old', message: 'all its entries were removed' };
  const old = found.find(({ state }) => state !== 'current');
  if (old?.state === 'none') return { state: 'old', message: `its entry in ${old.path} was removed` };
  if (old !== undefined || made === undefined)
    return { state: 'old', message: `the entry in ${old?.path ?? found[0]?.path ?? 'its settings'} is out of date` };
  return { state: 'works', message: `calls ${made.workspace}` };
}

/**
 * Describes the host's copy of our plugin if it is outdated; undefined otherwise. The host makes the copy when the
 * plugin is installed.
 */
function oldCopy(
  { host, project }: HostLocation,
  { places }: HostSettingsContext,
): Pick<ConnectionState, 'state' | 'message'> | undefined {
  if (host !== 'claude-code' || project !== undefined) return undefined;
  const installed = findInstalledPluginVersion(findHostByName(host).folder(places));
  const manifest = disk.readTextIfThere(join(places.plugin, '.claude-plugin', 'plugin.json')) ?? '';
  const current = asText(parseRecord(manifest)?.version);
  if (installed === undefined || current === undefined || installed === current) return undefined;
  return {
    state: 'old',
    message: `has version ${installed} of the plugin instead of ${current}; update it: ${PLUGIN_UPDATE_COMMAND}`,
  };
}

/** Whether Claude Code has our plugin, the shell lines that install or update it, and the commands that remove it. */
export function findClaudePlugin({ places }: HostSettingsContext) {
  const isInstalled = findInstalledPluginVersion(findHostByName('claude-code').folder(places)) !== undefined;
  const lines = isInstalled ? [PLUGIN_UPDATE_COMMAND] : buildPluginInstallLines(places.plugin);
  return { isInstalled, lines, removal: PLUGIN_REMOVAL_COMMANDS };
}

function targets({ host, project, parts }: HostLocation, calling: CallFromHost, { places }: HostSettingsContext) {
  return listTargetFiles(host, places, calling, project).filter(
    ({ part }) => parts === undefined || parts.includes(part),
  );
}

function known(where: HostLocation, { env }: HostSettingsContext): HostConnection | undefined {
  return readConnections(env).find((each) => isSame(each, where));
}

function isSame(one: Pick<HostConnection, 'host' | 'project'>, other: Pick<HostConnection, 'host' | 'project'>) {
  return one.host === other.host && one.project === other.project;
}

/** Reads a settings file. Resolves symlinks: many users keep their settings elsewhere and link to them. */
function open({ files }: TargetFile): Pick<FileEditPlan, 'path' | 'version' | 'before'> {
  const named = files.find((file) => existsSync(file)) ?? files[0] ?? '';
  const path = existsSync(named) ? realpathSync(named) : named;
  const version = disk.readVersion(path);
  if (version !== undefined && !isUtf8(version.bytes)) fail('settings', `${path} is not valid UTF-8`, 'convert it');
  return { path, version, before: version?.bytes.toString('utf8') ?? null };
}

function isCurrent(text: string, { pieces, format }: TargetFile): boolean {
  return pieces.every((piece) => {
    const found = format.find(text, piece);
    return found.length === 1 && isDeepStrictEqual(found[0], piece.value);
  });
}

/**
 * The content of a file after our entry was removed. If the recorded change can be undone, this is the original content
 * to the byte. Otherwise only our values are removed. Null if the file should be deleted.
 */
function without(text: string | null, { part, pieces, format }: TargetFile, record?: WrittenFile): string | null {
  if (text === null) return null;
  const back = part !== 'skill' && record && record.splices.length > 0 ? undoSplices(text, record.splices) : undefined;
  if (back !== undefined) return back === '' && record?.isNew ? null : back;
  const rest = pieces.reduce((left, piece) => format.strip(left, piece), text);
  return rest !== text && /^\uFEFF?\s*(?:\{\s*\})?\s*$/u.test(rest) ? null : rest;
}

/** The topmost missing folder above a file. */
function missingFolder(path: string): string | undefined {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? undefined : (missingFolder(folder) ?? folder);
}

/** Calls a function, and adds the path of the file to an error that it throws. */
function named<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return throwWithName(path, error);
  }
}

/** The display name of a host. */
export function findHostTitle(host: HostName): string {
  return host === 'openclaw' ? 'OpenClaw' : findHostByName(host).title;
}

export { type ConnectionPart, findHostByName, findHostFolders, HOST_NAMES, type HostName } from './connect/hosts.js';
export type { CallFromHost } from './connect/record.js';
