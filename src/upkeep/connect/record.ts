import { dirname, join } from 'node:path';
import { tryWithFallback } from '../../base/failure.js';
import { parseJson } from '../../base/json.js';
import { type RequestFields, type RequestOf, readRequest } from '../../base/request.js';
import { editFile, readTextIfThere, removeEmptyFolders, removeFile } from '../../workspace/files.js';
import { type HostEnvironment, userFolders } from '../../workspace/openclaw-config.js';

const TEXT = { type: 'text', required: true } as const;
const LIST = { type: 'list', required: true } as const;
const WORDS = { ...LIST, of: { type: 'text' } } as const;

/** The command with which a host calls us, and the workspace that it is for. */
const CALLING = {
  program: { ...WORDS, doc: 'words that start this program; Node and our own file come first' },
  workspace: { ...TEXT, doc: 'its folder' },
  options: { ...WORDS, doc: 'what else is said at each call' },
  isUsual: { type: 'boolean', required: true, doc: 'whether the workspace is found without being named' },
  skill: { ...WORDS, doc: 'what the commands of the skill begin with' },
} as const satisfies RequestFields;
export type CallFromHost = RequestOf<typeof CALLING>;

const SPLICE = {
  at: { type: 'number', required: true, doc: 'place' },
  before: { ...TEXT, doc: 'what stood there' },
  after: { ...TEXT, doc: 'what stands there now' },
} as const satisfies RequestFields;

/** A file that we changed, with the changes, so that they can be undone to the byte. */
const WRITTEN_FILE = {
  path: { ...TEXT, doc: 'the file' },
  splices: { ...LIST, of: { type: 'object', keys: SPLICE }, doc: 'the changes, in their order' },
  isNew: { type: 'boolean', required: true, doc: 'whether the file was not there before' },
  folder: { type: 'text', doc: 'the first folder above it that was not there either' },
} as const satisfies RequestFields;
export type WrittenFile = RequestOf<typeof WRITTEN_FILE>;

const CONNECTION = {
  host: { ...TEXT, doc: 'its name' },
  project: { type: 'text', doc: 'the folder that it is for; of all, without' },
  calling: { type: 'object', keys: CALLING, required: true, doc: 'how we are called' },
  files: { ...LIST, of: { type: 'object', keys: WRITTEN_FILE }, doc: 'what was written' },
} as const satisfies RequestFields;
export type HostConnection = RequestOf<typeof CONNECTION>;

const RECORD = {
  connections: { ...LIST, of: { type: 'object', keys: CONNECTION }, doc: 'one a host and project' },
} as const satisfies RequestFields;

/** The file that records the connections of this user. */
function recordFile(host: HostEnvironment): string {
  return join(userFolders(host).data, 'connections.json');
}

/** The recorded connections; empty if the record can't be read, because our entries are recognised without it too. */
export function readConnections(host: HostEnvironment): readonly HostConnection[] {
  return parseRecord(readTextIfThere(recordFile(host)) ?? '');
}

function parseRecord(text: string): readonly HostConnection[] {
  const value = parseJson(text);
  if (value === undefined) return [];
  return tryWithFallback(() => readRequest('connections', RECORD, value).connections, []);
}

/** Changes the record; removes it when no connection is left. */
export function editConnections(
  host: HostEnvironment,
  edit: (connections: readonly HostConnection[]) => readonly HostConnection[],
): void {
  const path = recordFile(host);
  const known = readConnections(host);
  const next = edit(known);
  if (next.length === 0 && known.length === 0) return;
  if (next.length > 0) {
    editFile(path, (current) => JSON.stringify({ connections: edit(parseRecord(current?.toString('utf8') ?? '')) }));
    return;
  }
  removeFile(path);
  removeEmptyFolders(dirname(path), join(path, '..', '..', '..'));
}
