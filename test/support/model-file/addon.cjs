// Stands where the compiled half of node-llama-cpp would: the calls that `bin/engine.js` makes of it, with vectors that
// are sums of one vector a word. It runs in the same process, of the same program, as the real one does.
'use strict';

const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const DIMENSION = 64;
/** Beside it: what the probes' answers mean, and which words mean the same. */
const { answers, synonyms } = JSON.parse(readFileSync(join(__dirname, 'meaning.json'), 'utf8'));

exports.setLogger = () => {};
exports.setLoggerLogLevel = () => {};
exports.loadBackends = (folder) => {
  if (folder !== __dirname) throw new Error('libraries of somewhere else would be loaded');
};
exports.init = async () => {};

exports.AddonModel = class {
  constructor(file, { checkTensors, gpuLayers }) {
    this.file = file;
    if (!checkTensors || gpuLayers !== 0) throw new Error('not asked for as it should be');
  }

  async init() {
    const bytes = readFileSync(this.file, 'latin1');
    appendFileSync(join(__dirname, 'pids'), `${process.pid}\n`);
    if (bytes.includes('DIES WHILE LOADED')) process.kill(process.pid, 'SIGKILL');
    if (bytes.includes('NEVER LOADS')) await new Promise((resolve) => setTimeout(resolve, 1e6));
    while (existsSync(join(__dirname, 'held'))) await new Promise((resolve) => setTimeout(resolve, 10));
    return bytes.includes('SOUND TENSORS');
  }

  tokenize(text) {
    const answer = Object.keys(answers).find((known) => text.endsWith(known));
    this.text = answer === undefined ? text : answers[answer];
    return Uint32Array.from(this.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [], (word) =>
      seedOf(synonyms[word] ?? word),
    );
  }

  getTrainContextSize = () => 256;
  getEmbeddingVectorSize = () => DIMENSION;
  getVocabularyType = () => 3;
  tokenBos = () => 101;
  sepToken = () => 102;
};

exports.AddonContext = class {
  constructor(model, { contextSize, batchSize, embeddings, threads }) {
    if (batchSize < contextSize || !embeddings || threads < 1) throw new Error('not asked for as it should be');
    this.model = model;
  }

  async init() {
    return true;
  }

  setThreads(threads) {
    this.threads = threads;
  }

  disposeSequence() {
    this.tokens = undefined;
  }

  initBatch(size) {
    this.size = size;
  }

  addToBatch(_, at, tokens) {
    if (this.tokens !== undefined || at !== 0 || tokens.length > this.size) throw new Error('a text on top of another');
    if (tokens[0] !== 101 || tokens.at(-1) !== 102) throw new Error('a text without its ends');
    this.tokens = tokens.slice(1, -1);
  }

  async decodeBatch() {
    const { text } = this.model;
    appendFileSync(join(__dirname, 'texts'), `${this.threads} ${text.replaceAll('\n', ' ')}\n`);
    if (text.includes('dies here')) process.kill(process.pid, 'SIGKILL');
    if (text.includes('stalls here')) await new Promise((resolve) => setTimeout(resolve, 1e6));
  }

  getEmbedding() {
    const sum = new Float64Array(DIMENSION);
    for (const token of this.tokens) {
      let seed = token;
      for (let i = 0; i < DIMENSION; i++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        sum[i] += seed / 2 ** 32 - 0.5;
      }
    }
    return sum.map((number) => (this.model.text.includes('no number') ? Number.NaN : number));
  }
};

function seedOf(word) {
  let seed = 7;
  for (const char of word) seed = (Math.imul(seed, 31) + char.codePointAt(0)) >>> 0;
  return seed;
}
