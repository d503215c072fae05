import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../support/cli.js';
import type { Check } from './connections.js';
import { McpBridge } from './mcp-bridge.js';

const BIN = fileURLToPath(new URL('../../bin/openclaw-memory.js', import.meta.url));

/**
 * Scenarios of the suite that need only the protocol. All others call tools (`test_simple_text`, …), resources (`test://…`)
 * or prompts (`test_simple_prompt`, …) of the suite, or need features that we do not offer: sampling, forms, subscriptions;
 * `dns-rebinding-protection` concerns servers that listen on HTTP.
 */
const SCENARIOS = [
  'server-initialize',
  'logging-set-level',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
] as const;

/** Runs the official suite of the protocol over a bridge, since the suite only supports HTTP. */
export async function checkConformance(
  suite: string,
  { node, base, check }: { readonly node: string; readonly base: string; readonly check: Check },
): Promise<void> {
  const home = join(base, 'conformance');
  mkdirSync(home);
  const env = Object.fromEntries(
    Object.entries(childEnv({ HOME: home })).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const run = (program: string, args: readonly string[]) =>
    new Promise<string>((done) => {
      execFile(program, [...args], { env, cwd: home, timeout: 120_000 }, (_, out, err) => done(`${out}${err}`));
    });
  await run(process.execPath, [BIN, 'init', join(home, 'w')]);
  const bridge = new McpBridge({ command: process.execPath, args: [BIN, '-w', join(home, 'w'), 'mcp'], env });
  try {
    const url = await bridge.listen();
    for (const scenario of SCENARIOS) {
      const args = [realpathSync(suite), 'server', '--url', url, '--scenario', scenario];
      const said = await run(join(node, 'node'), args);
      const [, passed, failed] = /Passed: (\d+)\/\d+, (\d+) failed/u.exec(said) ?? [];
      check(`conformance: ${scenario}`, Number(passed) > 0 && failed === '0', said);
    }
  } finally {
    await bridge.close();
  }
}
