import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fail, MemoryError, valueOrThrow } from '../../../base/failure.js';
import { COUNT_FIELD_TYPE, type RequestFields, type RequestOf } from '../../../base/request.js';
import { deadlinesOf } from '../../../model/call.js';
import { type DownloadTask, downloadFile, readAddress } from '../../../model/file/download.js';
import { enginePackageName, findEngine } from '../../../model/file/engine.js';
import { MODEL_SOURCES } from '../../../model/file/sources.js';
import { removeFile } from '../../../workspace/files.js';
import { userFolders } from '../../../workspace/openclaw-config.js';
import { formatSize } from '../../progress.js';
import { askToChoose, type CommandContext, canAsk, defineVerb, WRITE_OPTIONS } from '../../verb.js';
import { finishWrite, openAnyWorkspace } from '../../workspace.js';
import { findOrInstallEngine } from './engine.js';
import { formatModelTrial, formatRow } from './trial.js';

/** Maximum size of a file, in MB. Larger embedding models are too slow on a processor. */
const MOST_MB = 4_000;
/** Folder of downloaded model files, below the data folder. */
const FOLDER = 'models';

const TAKES = {
  name: {
    type: 'text',
    place: 'argument',
    doc: `a known model (default: ${MODEL_SOURCES[0]?.name}), or a name for --from`,
  },
  from: { type: 'text', value: 'file|url', doc: 'get it from this file or https address instead' },
  sha256: { type: 'text', value: 'hex', doc: 'with --from: the SHA-256 that the file must have' },
  maxMb: { ...COUNT_FIELD_TYPE, doc: `refuse a larger file (default: ${MOST_MB})` },
  yes: { type: 'boolean', doc: 'do not ask' },
  commit: WRITE_OPTIONS.commit,
} as const satisfies RequestFields;

const KNOWN = MODEL_SOURCES.map(({ name, bytes, licence }) => `  ${name}: ${formatSize(bytes)}, ${licence}`);

export const get = defineVerb({
  summary: 'download an embedding model (GGUF) and its engine, test it, and use it',
  takes: TAKES,
  more: `Says what it downloads, and asks. It goes on where a stopped download ended. A
file with another digest is removed. Known models:
${KNOWN.map((line) => line.replace(/ \(.*/, '')).join('\n')}`,
  examples: ['models get', 'models get qwen3-embedding-0.6b --yes', 'models get --from model.gguf --sha256 HEX'],
  run: async (context, request) => {
    const plan = makePlan(context, request);
    valueOrThrow(enginePackageName());
    // A workspace that can't be opened should be noticed before anything is downloaded.
    const workspace = await openAnyWorkspace(context);
    const isEmbedding = await askForConsent(context, plan, request.yes === true);
    const engine = await findOrInstallEngine(context, plan.data);
    const isNew = await downloadFile(plan.task);
    const { path } = plan.task;
    const { embedModel, changes, warnings } = await useOrRemove(context, path, isNew);
    const how = { dryRun: undefined, commit: request.commit };
    const written = await finishWrite(context, workspace, how, changes, `embed with ${embedModel}`, warnings);
    // The settings have changed, so the workspace is opened again.
    const opened = await openAnyWorkspace(context);
    const trial = await (await opened.embeddingModels(context.signal)).test();
    const vectors = isEmbedding ? await opened.embed({ signal: context.signal, onProgress: context.onProgress }) : null;
    const next =
      vectors === null ? 'Make the vectors: openclaw memory index --embed' : `Made ${vectors.embedded} vectors.`;
    const text = [`The embedding model is ${embedModel}. ${next}`, ...formatModelTrial(trial)].join('\n');
    context.out.answer(text, { embedModel, file: path, isNew, engine, warnings, ...written, trial, vectors });
  },
});

interface DownloadPlan {
  readonly task: DownloadTask;
  readonly licence: string;
  /** The user's data folder, which contains the engine. */
  readonly data: string;
}

/** @throws MemoryError `usage` if the request names no file whose digest is known; `not_found` */
function makePlan(
  { io, global, signal, onProgress }: CommandContext,
  { name, from: given, sha256, maxMb = MOST_MB }: RequestOf<typeof TAKES>,
): DownloadPlan {
  const known = MODEL_SOURCES.find((one) => one.name === (name ?? (given === undefined ? MODEL_SOURCES[0]?.name : '')));
  const names = MODEL_SOURCES.map((one) => one.name).join(', ');
  const hint = `use one of: ${names}; or: models get --from FILE|URL --sha256 HEX`;
  if (given === undefined && sha256 !== undefined) fail('usage', '--sha256 needs --from', hint);
  if (given === undefined && known === undefined) fail('usage', `"${name}" is no known model`, hint);
  const digest = (sha256 ?? known?.sha256 ?? '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digest))
    fail('usage', '--from needs --sha256 with 64 hexadecimal digits', 'its publisher says it; or: sha256sum FILE');
  const text = given ?? known?.address ?? '';
  const from = /^[a-z][\w+.-]+:\/\//i.test(text) ? readAddress(text) : resolve(io.cwd, text);
  const { data } = userFolders({ env: io.env, profile: global.profile });
  const bytes = known?.sha256 === digest ? known.bytes : typeof from === 'string' ? statSync(from).size : undefined;
  const task: DownloadTask = {
    from,
    path: join(data, FOLDER, fileName(given !== undefined && name !== undefined ? name : from)),
    sha256: digest,
    bytes,
    atMost: maxMb * 1e6,
    idleMs: deadlinesOf({ waitMs: Number(io.env.OPENCLAW_MODEL_WAIT_MS) || undefined }).idleMs,
    signal,
    ...(onProgress && { onProgress: (done, all) => onProgress(Math.round(done / 1e6), Math.round(all / 1e6), 'MB') }),
  };
  return { task, licence: known?.sha256 === digest ? known.licence : 'unknown: ask its publisher', data };
}

/** The name for a file that comes from a path or an address. It ends in `.gguf`, and never leads to another folder. */
function fileName(from: URL | string): string {
  const name = basename(typeof from === 'string' ? from : from.pathname).replace(/[^\w.-]+|^\.+/g, '-');
  return name.toLowerCase().endsWith('.gguf') ? name : `${name}.gguf`;
}

/**
 * Says what will happen, and asks. Returns whether the vectors shall be made, too.
 * @throws MemoryError `usage` if there is no terminal and no `--yes`, `refused` if the user does not agree
 */
async function askForConsent(context: CommandContext, plan: DownloadPlan, isAgreed: boolean): Promise<boolean> {
  const { from, path, sha256, bytes, atMost } = plan.task;
  const size = bytes === undefined ? `at most ${formatSize(atMost)}` : formatSize(bytes);
  const lines = [
    formatRow('from', String(from)),
    formatRow('to', `${path}${existsSync(path) ? ', which exists' : ''}`),
    formatRow('size', size),
    formatRow('licence', plan.licence),
    formatRow('SHA-256', sha256),
    ...(findEngine(plan.data).ok ? [] : [formatRow('engine', 'node-llama-cpp, downloaded with npm (30 MB)')]),
  ];
  for (const line of lines) context.out.note(line);
  if (isAgreed) return false;
  if (!canAsk(context)) fail('usage', 'nothing was downloaded, because nobody can be asked', 'to agree to it: --yes');
  const get = `get ${basename(path)} (${size})`;
  const chosen = await askToChoose(context, [`${get}, and make the vectors of all lines`, get]);
  if (chosen === undefined) fail('refused', 'nothing was downloaded', 'to agree: answer with a number, or use --yes');
  return chosen === 0;
}

/** Chooses the model, and allows its file. A new file that is no embedding model is removed, because nothing could use it. */
async function useOrRemove(context: CommandContext, path: string, isNew: boolean) {
  const workspace = await openAnyWorkspace(context);
  try {
    return await (await workspace.embeddingModels(context.signal)).use({ model: `file:${path}` });
  } catch (error) {
    if (isNew && error instanceof MemoryError && error.failure.type === 'refused') removeFile(path);
    throw error;
  }
}
