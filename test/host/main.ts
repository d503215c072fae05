/**
 * Tests the agent hosts installed here: `npm run host`. Programs on PATH are tested (claude, codex, gemini, opencode,
 * openclaw, and conformance, the suite of the Model Context Protocol); missing ones are named. `OPENCLAW_HOST` has one or
 * more programs of OpenClaw, separated by colons; `HOST_NODE` is the folder of a Node for hosts that need another version.
 * It takes minutes, and writes only into a temporary folder, which it removes. `npm run host -- NAME…` tests some.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { findPrograms } from '../../src/cli/host.js';
import { removeTree } from '../support/remove-tree.js';
import { checkClaudeHooks } from './claude-hooks.js';
import { checkConformance } from './conformance.js';
import { checkClaudePlugin, checkListed, checkOpenClaw, LISTED } from './connections.js';

let failures = 0;

function check(what: string, holds: boolean, more = ''): void {
  if (!holds) failures++;
  process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${what}${holds ? '' : `\n${more.slice(-3_000)}`}\n`);
}

const base = mkdtempSync(join(tmpdir(), 'real-hosts-'));
const node = process.env.HOST_NODE ?? dirname(process.execPath);
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

/** Returns the program of a host; reports a missing one. */
function found(name: string): string | undefined {
  const program = findPrograms(name, process.env.PATH)[0];
  if (program === undefined) process.stdout.write(`--   ${name} is not on PATH: not tried\n`);
  return program;
}

async function main(): Promise<void> {
  for (const listed of LISTED.filter(({ program }) => isWanted(program))) {
    const program = found(listed.program);
    if (program !== undefined) await checkListed(listed, base, program, check);
    if (program === undefined || listed.program !== 'claude') continue;
    await checkClaudePlugin(base, program, check);
    await checkClaudeHooks(base, program, check);
  }
  const suite = isWanted('conformance') ? found('conformance') : undefined;
  if (suite !== undefined) await checkConformance(suite, { node, base, check });
  if (!isWanted('openclaw')) return;
  const named = process.env.OPENCLAW_HOST?.split(delimiter).map((path) => resolve(path));
  const hosts = named ?? [found('openclaw')].filter((path) => path !== undefined);
  for (const [at, host] of hosts.entries()) await checkOpenClaw(host, { base, name: `openclaw-${at}`, node, check });
  const [first] = hosts;
  if (first === undefined || !isWanted('plugin')) return;
  const { checkPlugin } = await import('./openclaw-plugin.js');
  failures += await checkPlugin(first, node);
}

try {
  await main();
} finally {
  removeTree(base);
}
process.exitCode = failures === 0 ? 0 : 1;
