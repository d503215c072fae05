import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkspace } from '../../src/app/workspace.js';
import { deadlinesOf } from '../../src/model/deadlines.js';
import { ollamaEmbedServer } from '../../src/model/ollama-embed.js';
import { DEFAULT_SETTINGS } from '../../src/workspace/settings.js';

const ITEMS = 100_000;
/** Of the bare loop, before and after: whatever else the machine does falls on both. */
const BARE_ITEMS = 10_000;
const FILE_LINES = 200;
const BATCH = 32;

/** `index --embed` over seeded lines against a bare loop over the same batches, and what memory it takes meanwhile. */
export async function pipeline(items = ITEMS): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pipeline-bench-'));
  // A process of its own: it must not take turns with what is measured.
  const server = spawn(process.execPath, [fileURLToPath(new URL('floors/embed-server.mjs', import.meta.url))]);
  try {
    const [port] = await once(server.stdout, 'data');
    const host = `127.0.0.1:${String(port).trim()}`;
    write(folder, items);
    const workspace = await openWorkspace({ workspace: folder, env: { ...process.env, OLLAMA_HOST: host } });
    await workspace.index();
    const bareBefore = await bareLoop(host, BARE_ITEMS);
    const memory: number[] = [];
    const start = performance.now();
    const report = await workspace.embed({
      onProgress: () => void memory.push(process.memoryUsage().rss / 1e6),
    });
    const ours = report.embedded / (performance.now() - start);
    const bare = (bareBefore + (await bareLoop(host, BARE_ITEMS))) / 2;
    const tenth = Math.floor(memory.length / 10);
    const early = Math.max(...memory.slice(0, tenth));
    const late = Math.max(...memory.slice(-tenth));
    return [
      `index --embed: ${Math.round(ours * 1000)} texts a second, a bare loop ${Math.round(bare * 1000)}: ` +
        `${(ours / bare).toFixed(2)} of it (goal 0.8), over ${report.embedded} texts`,
      `memory: ${early.toFixed(0)} MB in the first tenth, ${late.toFixed(0)} MB in the last`,
    ];
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const line = (i: number): string => `line ${i} of somebody's notes about subject ${i * 7919}`;

function write(folder: string, items: number): void {
  mkdirSync(join(folder, 'memory/topics'), { recursive: true });
  for (let at = 0; at < items; at += FILE_LINES) {
    const lines = Array.from({ length: Math.min(FILE_LINES, items - at) }, (_, i) => line(at + i));
    writeFileSync(join(folder, `memory/topics/${at}.md`), lines.join('\n'));
  }
}

/** @returns texts a millisecond */
async function bareLoop(host: string, items: number): Promise<number> {
  const server = ollamaEmbedServer(new URL(`http://${host}`), deadlinesOf(DEFAULT_SETTINGS));
  const start = performance.now();
  for (let at = 0; at < items; at += BATCH) {
    const inputs = Array.from({ length: Math.min(BATCH, items - at) }, (_, i) => line(at + i));
    const result = await server.embed('embeddinggemma', inputs);
    if (!result.ok) throw new Error(result.error.message);
  }
  return items / (performance.now() - start);
}
