import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../base/failure.js';
import { editFile, makeFolder, mayAccessPath, readVersion, replaceFile } from './files.js';
import { IGNORE_ALL_FILES_TEXT } from './locate.js';
import { SETTINGS_FILE } from './settings.js';

/** A file that `init` creates if it is missing. */
type Starter = { readonly path: string; readonly text: string };

const CORE: Starter = { path: 'MEMORY.md', text: '# Memory\n' };
const STARTERS: readonly Starter[] = [
  { path: 'bank/world.md', text: '# World\n\nCurated facts about the world, one typed bullet each.\n' },
  {
    path: 'bank/experience.md',
    text: '# Experience\n\nWhat the agent did, in the first person, one typed bullet each.\n',
  },
  { path: 'bank/opinions.md', text: '# Opinions\n\nBeliefs with their confidence and the evidence for and against.\n' },
];

/**
 * Whether a line of a page is one that `init` wrote.
 * @param text without heading signs
 */
export function isStarterLine(path: string, text: string): boolean {
  const starter = [CORE, ...STARTERS].find((one) => one.path === path);
  return starter?.text.split('\n').some((line) => line.replace(/^#+ /, '') === text) ?? false;
}

const FOLDERS = ['memory/topics', 'bank/entities', 'bank/experiences'] as const;

/**
 * The state folder contains a `.gitignore` for itself, because its files are derived and only for this machine. So git
 * ignores it wherever the workspace is copied.
 */
const STATE: Starter = { path: '.memory/.gitignore', text: IGNORE_ALL_FILES_TEXT };

/** Lines for `.gitignore`: derived files, and private sessions. */
const IGNORED = ['.memory/'] as const;
const IGNORED_SESSIONS = 'sessions/';
/** Generated from the pages beside them. Only a new `.gitignore` gets these lines, so that tracked files stay tracked. */
const IGNORED_SUMMARIES = ['bank/**/.abstract.md', 'bank/**/.overview.md'] as const;

/** Lines for `.gitattributes`: if two clones append to one of these files, git keeps the appended lines of both. */
const UNION_MERGED = [
  'memory/*.md merge=union',
  'bank/evidence.jsonl merge=union',
  'bank/.applied.jsonl merge=union',
  'bank/proposals/*.md merge=union',
  'bank/forgotten.md merge=union',
  'bank/.salt merge=union',
] as const;

const GIT_LINES = Object.entries({ '.gitignore': IGNORED, '.gitattributes': UNION_MERGED });

export type ScaffoldReport = ReturnType<typeof make>;

/** `vault`: the settings are written so that the notes beside the memory are read, too. */
type ScaffoldOptions = { readonly vault?: boolean; readonly trackSessions: boolean; readonly dryRun: boolean };

/**
 * Creates the folders and first files of a workspace. Can be repeated: existing files are never overwritten, and
 * `.gitignore`, `.gitattributes` and the settings only get lines that are missing. If one part can't be created,
 * nothing is created.
 * @throws MemoryError `workspace` if a file or folder is in the way, `permission`, `settings` for a settings file that
 * can't be extended
 */
export function scaffold(root: string, options: ScaffoldOptions) {
  const planned = make(root, { ...options, dryRun: true });
  for (const path of [...planned.created, ...planned.kept]) checkKind(join(root, path), path.endsWith('/'));
  for (const path of planned.created) checkRoom(dirname(join(root, path)));
  return options.dryRun ? planned : make(root, options);
}

/** Throws if the path is a file and should be a folder, or is a folder and should be a file. */
function checkKind(path: string, isFolder: boolean): void {
  if (existsSync(path) && statSync(path).isDirectory() !== isFolder)
    fail('workspace', `${path} is ${isFolder ? 'not ' : ''}a folder`, 'move it away, or use another folder');
}

/** Throws if no files can be created in a folder. If it does not exist, its nearest existing parent is checked. */
function checkRoom(path: string): void {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  checkKind(folder, true);
  if (!mayAccessPath(folder)) fail('permission', `${folder} can't be changed: not permitted`, 'check its permissions');
}

function make(root: string, options: ScaffoldOptions) {
  const created: string[] = [];
  const kept: string[] = [];
  const note = (path: string, isNew: boolean): void => void (isNew ? created : kept).push(path);
  for (const folder of FOLDERS) {
    const full = join(root, folder);
    note(`${folder}/`, !existsSync(full));
    if (!options.dryRun) makeFolder(full);
  }
  const core = ['MEMORY.md', 'memory.md'].find((name) => existsSync(join(root, name)));
  const starters = [...(core === undefined ? [CORE] : []), ...STARTERS, STATE];
  if (core !== undefined) kept.push(core);
  for (const { path, text } of starters) {
    const full = join(root, path);
    const isNew = !existsSync(full);
    note(path, isNew);
    if (!isNew || options.dryRun) continue;
    makeFolder(dirname(full));
    replaceFile(full, undefined, text);
  }
  if (options.vault) note(SETTINGS_FILE, readNotes(join(root, SETTINGS_FILE), options.dryRun));
  note('.gitignore', ignoreLines(join(root, '.gitignore'), options));
  note('.gitattributes', addLines(join(root, '.gitattributes'), UNION_MERGED, options.dryRun));
  return { root, created, kept };
}

/** Changes the settings so that the notes beside the memory are read. Returns whether the setting was missing. */
function readNotes(path: string, dryRun: boolean): boolean {
  const text = textAt(path);
  if (/\bextraFolders["']?\s*:\s*\[[^\]]*(["'])\.\1/.test(text)) return false;
  const made =
    text.trim() === ''
      ? "{\n  // The notes of this folder are read, too, and never written.\n  extraFolders: ['.'],\n}\n"
      : text.replace(/^(?![\s\S]*extraFolders)\s*\{/, "$&\n  extraFolders: ['.'],");
  if (made === text)
    fail(
      'settings',
      `${path} could not be changed`,
      "write extraFolders: ['.'] into it yourself, then run the same command again",
    );
  if (!dryRun) editFile(path, () => made);
  return true;
}

/**
 * Adds our lines to `.gitignore`. The lines that ignore the sessions and summaries are added only if another of our lines is
 * missing, too. So if a person removes only these lines later, they are not added again. With `trackSessions`, that line is removed.
 * Returns whether the file was changed.
 */
function ignoreLines(path: string, { trackSessions, dryRun }: { trackSessions: boolean; dryRun: boolean }): boolean {
  const text = textAt(path);
  const isNew = missingLines(text, IGNORED).length > 0;
  const lines = isNew ? [...IGNORED, ...IGNORED_SUMMARIES] : IGNORED;
  if (!trackSessions) return addLines(path, isNew ? [...lines, IGNORED_SESSIONS] : lines, dryRun);
  const isIgnored = missingLines(text, [IGNORED_SESSIONS]).length === 0;
  if (isIgnored && !dryRun)
    editFile(path, (current) => {
      const lines = (current?.toString('utf8') ?? '').split(/(?<=\n)/);
      return lines.filter((line) => line.trim() !== IGNORED_SESSIONS).join('');
    });
  return addLines(path, lines, dryRun) || isIgnored;
}

/** The lines that are missing in `.gitignore` and `.gitattributes`. */
export function missingGitLines(root: string): readonly string[] {
  return GIT_LINES.flatMap(([name, lines]) => missingLines(textAt(join(root, name)), lines));
}

/** Adds the lines that {@link missingGitLines} returns. */
export function addGitLines(root: string): void {
  for (const [name, lines] of GIT_LINES) addLines(join(root, name), lines, false);
}

function textAt(path: string): string {
  return readVersion(path)?.bytes.toString('utf8') ?? '';
}

function missingLines(text: string, lines: readonly string[]): readonly string[] {
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  return lines.filter((line) => !present.has(line));
}

/** Adds the lines that a file lacks. @returns whether any line was missing */
function addLines(path: string, lines: readonly string[], dryRun: boolean): boolean {
  if (missingLines(textAt(path), lines).length === 0) return false;
  if (dryRun) return true;
  makeFolder(dirname(path));
  return editFile(path, (current) => {
    const text = current?.toString('utf8') ?? '';
    const added = missingLines(text, lines);
    if (added.length === 0) return undefined;
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${added.join('\n')}\n`;
  });
}
