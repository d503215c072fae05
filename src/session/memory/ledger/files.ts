import { argument, type Call, commandOf, hasFailed } from './calls.js';
import type { Entry } from './ledger.js';

const PATHS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'file',
  'filename',
  'fileName',
  'target_file',
  'targetFile',
  'TargetFile',
  'notebook_path',
  'absolute_path',
  'AbsolutePath',
  'relative_workspace_path',
  'relative_path',
  'uri',
];
const NEW_PATHS = ['new_path', 'newPath', 'destination', 'dest', 'to', 'new_file_path', 'target'];
const OLD_PATHS = ['old_path', 'oldPath', 'source', 'src', 'from', ...PATHS];
/** Tools that change a file and tools that read one, by the words of their names; what was done, in a word. */
const VERBS: readonly (readonly [RegExp, string])[] = [
  [/delete|remove|unlink|trash/, 'deleted'],
  [/rename|move/, 'renamed'],
  [/create|new_?file|add_?file/, 'created'],
  [/write|save|overwrite/, 'written'],
  [/edit|replace|patch|insert|update|modif|append|change|apply|undo/, 'edited'],
  [/read|view|open|cat|show/, 'read'],
];
/** Reads of a file that make it one that is worth naming. */
const OFTEN = 3;
const PATCHED = /^\*\*\* (Update|Add|Delete) File: (.+)$/gmu;
const MOVED = /^\*\*\* Move to: (.+)$/gmu;
const LONGEST_PATH = 200;

interface Touch {
  readonly path: string;
  readonly verb: string;
}

/** What was done to files by some calls, on top of what was known. Pure. */
export function touchedFiles(before: readonly Entry[], calls: readonly Call[]): readonly Entry[] {
  const files = new Map(before.flatMap((entry) => (entry.file === undefined ? [] : [[entry.file.path, entry]])));
  for (const each of calls) {
    if (hasFailed(each)) continue;
    for (const { path, verb } of touchesOf(each)) {
      const old = files.get(path);
      const known = old?.file ?? { path, edits: 0, reads: 0, last: verb };
      const isRead = verb === 'read';
      const file = {
        path,
        edits: known.edits + (isRead ? 0 : 1),
        reads: known.reads + (isRead ? 1 : 0),
        last: isRead ? known.last : verb,
      };
      // A look at a file that was changed does not make the change any newer.
      const at = isRead && old !== undefined && known.edits > 0 ? old.at : each.at;
      files.set(path, { section: 'Files & Context', text: lineOf(file), at, said: each.said, file });
    }
  }
  return [...files.values()];
}

/** Whether a file is worth a line: it was changed, or read often. */
export function isNamed({ file }: Entry): boolean {
  return file === undefined || file.edits > 0 || file.reads >= OFTEN;
}

function lineOf({ path, edits, reads, last }: NonNullable<Entry['file']>): string {
  const name = `\`${path}\``;
  if (edits === 0) return `${name} read ${reads}×`;
  return edits === 1 ? `${name} ${last}` : `${name} changed ${edits}×, last ${last}`;
}

function touchesOf({ call }: Call): readonly Touch[] {
  const { name, input } = call;
  const patch = typeof input === 'string' ? input : argument(input, ['patch', 'input', 'patchText', 'diff', 'command']);
  if (/^\s*(?:apply_patch|\*\*\* Begin Patch)/mu.test(patch)) return patched(patch);
  const action = argument(input, ['command', 'action', 'operation']);
  const isShell = commandOf(call) !== '' && argument(input, PATHS) === '';
  if (isShell) return shellTouches(commandOf(call));
  const word = `${name} ${/^[a-z_]+$/.test(action) ? action : ''}`.toLowerCase();
  const verb = VERBS.find(([pattern]) =>
    pattern.test(word.replace(/str_replace_(?:based_)?edit(?:or)?_tool/, action)),
  )?.[1];
  if (verb === undefined) return [];
  const path = argument(input, verb === 'renamed' ? OLD_PATHS : PATHS);
  const to = verb === 'renamed' ? argument(input, NEW_PATHS) : '';
  return [path, to].filter(isPath).map((each, index) => ({ path: each, verb: index === 1 ? 'renamed to' : verb }));
}

function patched(patch: string): readonly Touch[] {
  const verbs = { Update: 'edited', Add: 'created', Delete: 'deleted' } as const;
  const touched = [...patch.matchAll(PATCHED)].map(([, verb = 'Update', path = '']) => ({
    path: path.trim(),
    verb: verb === 'Add' ? verbs.Add : verb === 'Delete' ? verbs.Delete : verbs.Update,
  }));
  const moved = [...patch.matchAll(MOVED)].map(([, path = '']) => ({ path: path.trim(), verb: 'renamed to' }));
  return [...touched, ...moved].filter(({ path }) => isPath(path));
}

const WORD = '("[^"]+"|\'[^\']+\'|[^\\s;|&<>()]+)';
const SHELL: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?:^|[;&|\\n]\\s*)(?:git\\s+)?mv\\s+(?:-\\w+\\s+)*${WORD}\\s+${WORD}`, 'gu'), 'renamed'],
  [new RegExp(`(?:^|[;&|\\n]\\s*)(?:git\\s+)?rm\\s+(?:-\\w+\\s+)*${WORD}`, 'gu'), 'deleted'],
  [
    new RegExp(`(?:^|[;&|\\n]\\s*)sed\\s+(?:-\\w+\\s+)*-i\\S*\\s+(?:-e\\s+)?(?:'[^']*'|"[^"]*")\\s+${WORD}`, 'gu'),
    'edited',
  ],
  [new RegExp(`(?<![0-9&])>>?\\s*${WORD}`, 'gu'), 'written'],
  [new RegExp(`\\btee\\s+(?:-a\\s+)?${WORD}`, 'gu'), 'written'],
];

function shellTouches(command: string): readonly Touch[] {
  const text = command.slice(0, 4_000);
  return SHELL.flatMap(([pattern, verb]) =>
    [...text.matchAll(pattern)].flatMap((match) =>
      match.slice(1).map((path) => ({ path: (path ?? '').replace(/^["']|["']$/gu, ''), verb })),
    ),
  ).filter(({ path }) => isPath(path) && /[./]/u.test(path) && !/^\/dev\/|[*$`{}]/u.test(path));
}

function isPath(path: string): boolean {
  return path !== '' && path.length <= LONGEST_PATH && !/[\n`]/u.test(path) && !/^[a-z]+:\/\//iu.test(path);
}
