// Runs an embedding model out of a file: the process that `src/model/file/engine.ts` starts, speaks with and may
// kill at any time. The compiled half of node-llama-cpp is called directly: its other half takes a second to start and
// twice the memory, and could build and fetch things; of one exact version the few calls below are known.
'use strict';

const { dirname } = require('node:path');

/** @type {{ addon: string, file: string, tokens: number, threads: number, idleMs: number }} */
const { addon: addonPath, file, tokens: mostTokens, threads, idleMs } = JSON.parse(process.argv[2]);

/** As the engine numbers kinds of vocabularies. */
const WORD_PIECE = 3;
const WITHOUT_ENDS = [0, 5];
const ONLY_ERRORS = 2;

// The process that started us handles Ctrl-C. When it ends, no more questions come, and this process ends too.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

let idle;
const rest = () => {
  clearTimeout(idle);
  idle = setTimeout(() => process.exit(), idleMs);
};

const ready = load();
ready.then(
  ({ model }) => process.send({ ready: { dimension: model.getEmbeddingVectorSize() } }),
  (error) => process.send({ failed: messageOf(error) }, () => process.exit(1)),
);

let turn = ready.catch(() => {});
process.on('message', ({ id, texts }) => {
  turn = turn.then(async () => {
    clearTimeout(idle);
    try {
      process.send({ id, vectors: await embedAll(await ready, texts) });
    } catch (error) {
      process.send({ id, refused: messageOf(error) });
    }
    rest();
  });
});
rest();

async function load() {
  const addon = engine();
  addon.setLogger(() => {});
  addon.setLoggerLogLevel(ONLY_ERRORS);
  // Without a folder it would look for its parts in the current one.
  addon.loadBackends(dirname(addonPath));
  await addon.init();
  const model = new addon.AddonModel(file, { addonExports: addon, gpuLayers: 0, useMmap: true, checkTensors: true });
  if (!(await model.init())) throw new Error('it is damaged, or of a kind that the engine does not know');
  const contextSize = Math.min(mostTokens, model.getTrainContextSize() || mostTokens);
  const sizes = { contextSize, batchSize: contextSize, sequences: 1 };
  const context = new addon.AddonContext(model, { ...sizes, embeddings: true, threads });
  if (!(await context.init())) throw new Error('there is not enough memory');
  return { model, context, contextSize };
}

function engine() {
  try {
    return require(addonPath);
  } catch (error) {
    throw new Error(`the engine does not run here: ${messageOf(error)}`);
  }
}

async function embedAll(loaded, texts) {
  // One question is answered as fast by one core, and leaves the others alone.
  loaded.context.setThreads(texts.length === 1 ? 1 : threads);
  const vectors = [];
  for (const text of texts) vectors.push(await embed(loaded, text));
  return vectors;
}

async function embed({ model, context, contextSize }, text) {
  const tokens = withEnds(model, model.tokenize(text, false));
  if (tokens.length > contextSize) throw new Error('the input length exceeds the context length');
  context.disposeSequence(0);
  context.initBatch(tokens.length);
  context.addToBatch(0, 0, tokens, Uint32Array.of(tokens.length - 1));
  await context.decodeBatch();
  return Float32Array.from(context.getEmbedding(tokens.length));
}

/** The tokens with those that the model wants around a text. */
function withEnds(model, tokens) {
  const kind = model.getVocabularyType();
  if (WITHOUT_ENDS.includes(kind)) return tokens;
  if (kind === WORD_PIECE) return Uint32Array.of(model.tokenBos(), ...tokens, model.sepToken());
  const first = model.shouldPrependBosToken() ? [model.tokenBos()] : [];
  const last = model.shouldAppendEosToken() ? [model.tokenEos()] : [];
  return Uint32Array.of(...first, ...tokens, ...last);
}

function messageOf(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0];
}
