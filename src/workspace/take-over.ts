import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryWithFallback } from '../base/failure.js';
import { asRecord, isRecord, parseJson } from '../base/json.js';
import { finishChanges, joinChanges, type PendingChange } from './changes.js';
import { namesIn, readTextIfThere, removeFolder, replaceFolder } from './files.js';
import { type Entry, storeEntries } from './state.js';

/**
 * Earlier versions kept runs and notes in files of their own, in the state folder. They are stored in the database and
 * removed whenever they are found, because somebody may use an earlier version again.
 */
const OLD_PLACES = ['pending-changes.json', 'uncommitted.json', 'reflect', 'extract', 'runs', 'forgotten', 'imports'];
/**
 * Name of an old place that was read and stored. A place is renamed before it is removed: a run that a kill has half
 * removed would be read as a run without changes.
 */
const readPlace = (name: string): string => `${name}.taken-over`;

/** Whether an earlier version of the program has left runs or notes. */
export function hasOldState(stateFolder: string): boolean {
  const old = new Set(OLD_PLACES.flatMap((name) => [name, readPlace(name)]));
  return namesIn(stateFolder).some((name) => old.has(name));
}

/** Takes over what an earlier version has left, if it has left anything. Call it under the writer lock. */
export function takeOver(root: string, stateFolder: string): void {
  if (!hasOldState(stateFolder)) return;
  removeReadPlaces(stateFolder);
  const text = (path: string) => readTextIfThere(join(stateFolder, path)) ?? '';
  const record = (path: string) => asRecord(parseJson(text(path)));
  const names = (folder: string) => namesIn(join(stateFolder, folder)).filter((name) => !name.startsWith('.'));
  const runs = (folder: string) => {
    const numbered = names(folder).map((name) => [Number(text(`${folder}/${name}/number`)), name] as const);
    // Runs without a number are older than all others. Their names have the time.
    numbered.sort(([a, one], [b, other]) => a - b || one.localeCompare(other, 'en', { numeric: true }));
    return numbered.map(([, name]) => [name, `${folder}/${name}`] as const);
  };
  // First the changes of a killed run, because the stored runs describe the pages after these changes. An error is
  // ignored: a page that can't be written must not keep the rest.
  tryWithFallback(() => finishChanges(root, changesIn(parseJson(text('pending-changes.json')))), undefined);
  const entries: Entry[] = [];
  const add = (kind: string, name: string, value: unknown) => entries.push({ kind, name, value });
  for (const [name, folder] of runs('reflect/runs')) {
    // A line that a crash cut off is left out.
    const lines = text(`${folder}/changes.jsonl`)
      .split('\n')
      .map((line) => changesIn([parseJson(line)]));
    const isUndone = existsSync(join(stateFolder, folder, 'undone'));
    add('reflect', name, { changes: lines.reduce(joinChanges, []), isUndone });
  }
  for (const [name, folder] of runs('runs')) {
    const { document, at, source, pages, undone } = record(`${folder}/memory_diff.json`);
    add('extract', name, { note: { document, at, source }, changes: changesIn(pages), isUndone: undone === true });
  }
  for (const name of names('forgotten')) {
    const { nonce, ...note } = record(`forgotten/${name}`);
    if (typeof nonce === 'string') add('forget', nonce, { note, changes: [] });
  }
  for (const [file, kind] of [
    ['progress', 'reflect progress'],
    ['pages', 'reflect pages'],
  ] as const)
    for (const [name, value] of Object.entries(record(`reflect/${file}.json`))) add(kind, name, value);
  for (const name of names('extract/prompts')) {
    const { messages, transcript, ...prompt } = record(`extract/prompts/${name}`);
    if (isRecord(prompt.sources)) add('extract prompt', name.replace(/\.json$/, ''), prompt);
  }
  for (const name of names('extract/sessions')) add('extract session', name, text(`extract/sessions/${name}`).trim());
  for (const name of names('extract/days'))
    add('inferred day', name.replaceAll('+', '/'), text(`extract/days/${name}`).trim());
  for (const name of names('imports')) add('import', name.replace(/\.json$/, ''), record(`imports/${name}`));
  for (const [kind, path] of [
    ['reflect last run', 'reflect/last.json'],
    ['uncommitted', 'uncommitted.json'],
  ] as const) {
    // A missing file says nothing: an entry that is stored stays.
    const value = parseJson(text(path)) ?? undefined;
    if (value !== undefined) add(kind, '', value);
  }
  storeEntries(stateFolder, entries);
  for (const name of OLD_PLACES.filter((place) => existsSync(join(stateFolder, place))))
    replaceFolder(join(stateFolder, name), join(stateFolder, readPlace(name)));
  removeReadPlaces(stateFolder);
}

function removeReadPlaces(stateFolder: string): void {
  for (const name of OLD_PLACES) removeFolder(join(stateFolder, readPlace(name)));
}

function changesIn(value: unknown): readonly PendingChange[] {
  return Array.isArray(value) ? value.filter(isFileChange) : [];
}

function isFileChange(value: unknown): value is PendingChange {
  const isText = (text: unknown): boolean => text === null || typeof text === 'string';
  return isRecord(value) && typeof value.path === 'string' && isText(value.before) && isText(value.after);
}
