import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { brokenFiles, linkEngine, meet } from '../support/model-file/broken.js';
import { EngineDouble } from '../support/model-file/engine-double.js';
import { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';

/**
 * `npm run model-files -- [--engine node_modules --model FILE] [--count 200] [--seed N]`: tests broken files in place of a
 * model, with the engine itself and variants of a real model, or with its double. Exits with 1 when a file is not handled
 * correctly.
 */
async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const {
    engine,
    model,
    count = '200',
    seed = '1',
  } = parseArgs({
    options: { engine: text, model: text, count: text, seed: text },
  }).values;
  const files = brokenFiles(
    Number(count),
    new Random(Number(seed)),
    model === undefined ? undefined : readFileSync(model),
  );
  let failed = 0;
  for (const broken of files) {
    const workspace = new TemporaryWorkspace({
      'memory/2026-03-12.md': '## Retain\n- W @Anna: resides near the river\n',
    });
    try {
      if (engine === undefined) new EngineDouble(workspace);
      else linkEngine(workspace, engine);
      const problem = await meet(workspace, broken);
      if (problem === '') continue;
      failed++;
      process.stdout.write(`${problem}\n`);
    } finally {
      workspace.dispose();
    }
  }
  process.stdout.write(
    `${files.length} files by ${engine ?? 'the double'}, seed ${seed}: ${failed} not met as they should\n`,
  );
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
