import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deadlinesOf } from '../../src/model/call.js';
import { openEmbedder } from '../../src/model/embed.js';
import { fileEmbedServer } from '../../src/model/file/embed.js';
import { userFolders } from '../../src/workspace/openclaw-config.js';
import { linkEngine } from '../support/model-file/broken.js';
import { ROOT } from '../support/readme.js';
import { testWorkspace } from '../support/test-workspace.js';

/** The first numbers from a server that ran the file with all of node-llama-cpp. */
const FROM_ELSEWHERE = [
  [-0.057671, 0.06634, 0.12804, 0.112112, 0.045328],
  [-0.011205, 0.128376, 0.087427, 0.012972, -0.03964],
];

/** A `node_modules` folder with the engine, and a small model. */
const ENGINE = process.env.OPENCLAW_TEST_ENGINE ?? join(ROOT, 'node_modules');
const MODEL = process.env.OPENCLAW_TEST_MODEL ?? join(ROOT, '../shared/models/all-minilm-l6-v2-q8_0.gguf');
const missing = [join(ENGINE, '@node-llama-cpp'), MODEL].filter((path) => !existsSync(path));
const here =
  missing.length === 0 ? `in ${ENGINE}` : 'not here: set OPENCLAW_TEST_ENGINE to the node_modules that has it';

describe.skipIf(missing.length > 0)(`the engine itself (${here})`, () => {
  test('computes the same vectors as another program from the same file, to four digits', async () => {
    const workspace = testWorkspace({ 'memory/2026-03-12.md': '## Retain\n- W @Anna: resides near the river\n' });
    linkEngine(workspace, ENGINE);
    await workspace.json(['models', 'use', MODEL]);
    const folders = userFolders({ env: workspace.env });
    const embedder = openEmbedder(fileEmbedServer(MODEL, folders, deadlinesOf()), 'all-minilm');
    const vectors = await embedder.embedQueries(['a note about the weather', 'Wo wohnt sie?']);
    const [first, second] = vectors.ok ? vectors.value.map((vector) => [...vector.slice(0, 5)]) : [];
    const rounded = (numbers: readonly number[] | undefined) => numbers?.map((number) => number.toFixed(4));
    expect([first, second].map(rounded)).toEqual(FROM_ELSEWHERE.map(rounded));
  });

  test('finds an answer that shares no word with the question', async () => {
    const workspace = testWorkspace({
      'memory/2026-03-12.md': '- Anna resides near the river\n- the relay crashed at noon\n- Tomasz paints and sails\n',
      'memory.config.json5': '{ recallEmbedBudgetMs: 60000 }',
    });
    linkEngine(workspace, ENGINE);
    await workspace.json(['models', 'use', MODEL]);
    await workspace.json(['index', '--embed']);
    const answer = await workspace.recall('which hobbies?', '--mode', 'hybrid');
    expect([answer.mode, answer.warnings]).toEqual(['hybrid', []]);
  });
});
