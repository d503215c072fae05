import { resolve } from 'node:path';
import { USE_MODEL } from '../../../app/requests.js';
import { openToBegin } from '../../open.js';
import { listLines, trialLines } from '../../text/models-text.js';
import { group, verb, WRITES } from '../../verb.js';
import { finishWrite } from '../../writing.js';
import { engine } from './engine.js';

/** A path, not a name of Ollama's. */
const LOOKS_LIKE_FILE = /^(?:[.~]{0,2}[/\\]|[a-z]:[/\\])|\.gguf$/i;

const list = verb({
  summary: 'the models that are there, and what they know; loads none',
  takes: {},
  examples: ['models list'],
  run: async (context) => {
    const models = await (await (await openToBegin(context)).embeddingModels(context.signal)).list();
    context.out.answer(listLines(models).join('\n'), models);
  },
});

const use = verb({
  summary: 'set the embedding model, and allow its file to be opened',
  takes: { ...USE_MODEL, ...WRITES },
  more: 'A file is allowed for this user and as it is now: another in its place is not\nopened before you say this again.',
  examples: ['models use embeddinggemma', 'models use ~/models/embeddinggemma-300m-q8_0.gguf'],
  run: async (context, { model, dryRun, commit }) => {
    const workspace = await openToBegin(context);
    const request = { model: named(model, context.io.cwd), dryRun };
    const models = await workspace.embeddingModels(context.signal);
    const { embedModel, changes, warnings } = await models.use(request);
    for (const warning of warnings) context.out.warn(warning);
    const subject = `memory: embed with ${embedModel}`;
    const written = await finishWrite(context, workspace, { dryRun, commit }, { changes, subject, warnings });
    const text = `The embedding model is ${embedModel}. Make its vectors: openclaw memory index --embed`;
    context.out.answer(written.diff ?? text, { embedModel, warnings, ...written });
  },
});

const test = verb({
  summary: 'what the embedding model that is set knows, and costs on this machine',
  takes: {},
  examples: ['models test'],
  run: async (context) => {
    const trial = await (await (await openToBegin(context)).embeddingModels(context.signal)).test();
    context.out.answer(trialLines(trial).join('\n'), trial);
  },
});

/** As the settings have it: a path from the root, or from home. */
function named(model: string, cwd: string): string {
  const path = model.replace(/^file:/i, '');
  if (path === model && !LOOKS_LIKE_FILE.test(model)) return model;
  return `file:${/^~[/\\]/.test(path) ? path : resolve(cwd, path)}`;
}

export const define = group(['models list', 'models test'], { list, use, test, engine });
