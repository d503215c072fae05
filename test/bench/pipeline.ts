import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkspace } from '../../src/app/workspace.js';
import { deadlinesOf } from '../../src/model/call.js';
import { OllamaServer } from '../../src/model/ollama.js';
import type { BenchRun, Figure } from './figure.js';

const ITEMS = 100_000;
const FEW_ITEMS = 10_000;
/** Items of the bare loop, run before and after, so that other load hits both. */
const BARE_ITEMS = 10_000;
const FILE_LINES = 200;
const BATCH = 16;

/** `index --embed` over seeded lines against a bare loop over the same batches, and its memory meanwhile. */
export async function* pipeline({ sizes, note }: BenchRun): AsyncIterable<Figure> {
  const items = Math.max(...sizes) < 10_000 ? FEW_ITEMS : ITEMS;
  note(`index --embed of ${items.toLocaleString('en')} texts`);
  const { ours, bare, early, late } = await measure(items);
  const name = `index --embed of ${items.toLocaleString('en')} texts, a thousand`;
  // 0.8 of the texts in the same time.
  const goal = { text: '≤ 1.25 × floor', most: bare * 1.25 };
  yield { name, measured: ours, floor: bare, unit: 'ms', goal };
  const flat = { text: '≤ 1.1 × of its first tenth', most: early * 1.1 };
  yield { name: 'memory in the last tenth of it', measured: late, floor: early, unit: 'MB', goal: flat };
}

/** Times in ms for a thousand texts, memory in MB. */
async function measure(items: number) {
  const folder = mkdtempSync(join(tmpdir(), 'pipeline-bench-'));
  // A separate process: it must not take turns with the measured one.
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
    const { embedded } = await workspace.embed({
      onProgress: () => void memory.push(process.memoryUsage().rss / 1e6),
    });
    const ours = ((performance.now() - start) / embedded) * 1_000;
    const bare = (bareBefore + (await bareLoop(host, BARE_ITEMS))) / 2;
    const tenth = Math.floor(memory.length / 10);
    return { ours, bare, early: Math.max(...memory.slice(0, tenth)), late: Math.max(...memory.slice(-tenth)) };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Spells a number in letters, since texts that differ only in digits share a vector. */
const spelled = (i: number): string => i.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));

const line = (i: number): string => `line ${spelled(i)} of somebody's notes about subject ${spelled(i * 7919)}`;

function write(folder: string, items: number): void {
  mkdirSync(join(folder, 'memory/topics'), { recursive: true });
  for (let at = 0; at < items; at += FILE_LINES) {
    const lines = Array.from({ length: Math.min(FILE_LINES, items - at) }, (_, i) => line(at + i));
    writeFileSync(join(folder, `memory/topics/${at}.md`), lines.join('\n'));
  }
}

/** @returns ms for a thousand texts */
async function bareLoop(host: string, items: number): Promise<number> {
  const server = new OllamaServer(new URL(`http://${host}`), deadlinesOf());
  const start = performance.now();
  for (let at = 0; at < items; at += BATCH) {
    const inputs = Array.from({ length: Math.min(BATCH, items - at) }, (_, i) => line(at + i));
    const result = await server.embed('embeddinggemma', inputs);
    if (!result.ok) throw new Error(result.error.message);
  }
  return ((performance.now() - start) / items) * 1_000;
}
