import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMemoryFile, runPatch } from './extract.js';
import { runFlush } from './flush.js';
import { runGate } from './gate.js';
import { runPending } from './pending.js';
import type { VectorReport } from './report.js';
import { runSanitize } from './sanitize.js';

/** `npm run vectors -- DIR`: runs the vector files of DIR; exits with 1 if a required row fails. */
async function main(directory: string | undefined): Promise<number> {
  if (directory === undefined || !existsSync(directory)) {
    print(`usage: npm run vectors -- DIR (${directory ?? 'no folder'} given)`);
    return 2;
  }
  const reports: VectorReport[] = [];
  for (const [file, run] of RUNNERS) {
    const path = join(directory, file);
    const found = existsSync(path) ? await run(readFileSync(path, 'utf8')) : [];
    if (found.length === 0) print(`${file}: not run`);
    reports.push(...found);
  }
  for (const report of reports) printReport(report);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

const RUNNERS: readonly (readonly [file: string, run: (json: string) => Promise<VectorReport[]>])[] = [
  ['wm.json', async (json) => [...(await runWorkingMemory(json)), runPending(JSON.parse(json))]],
  ['flush.json', async (json) => [runFlush(JSON.parse(json))]],
  ['gate.json', async (json) => [runGate(JSON.parse(json))]],
  ['sanitize.json', async (json) => [runSanitize(JSON.parse(json))]],
  ['patch.json', async (json) => [runPatch(JSON.parse(json))]],
  ['memory-file.json', async (json) => [runMemoryFile(JSON.parse(json))]],
];

async function runWorkingMemory(json: string): Promise<VectorReport[]> {
  const runner = new URL('./wm.ts', import.meta.url);
  if (!existsSync(runner)) {
    print('wm.json (document): not run');
    return [];
  }
  const { runWm }: { runWm: (rows: readonly unknown[]) => VectorReport } = await import(runner.href);
  return [runWm(JSON.parse(json))];
}

function printReport({ file, total, failures, notes }: VectorReport): void {
  print(`${file}: ${Math.max(0, total - failures.length)}/${total}`);
  for (const note of notes) print(`  ${note}`);
  for (const { id, expected, got } of failures) print(`  FAIL ${id}\n    expected ${expected}\n    got      ${got}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(process.argv[2]);
