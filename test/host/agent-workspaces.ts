/**
 * Compares the folders that OpenClaw gives the agents of some 200 generated configurations with `agent-workspaces.json`,
 * which the tests read: `npm run hosts-check`. It installs the host and a suitable Node into a temporary folder
 * (`HOST_MODULES` names a folder with both). `-- --write` writes the file.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTree } from '../support/remove-tree.js';
import { AGENT_CASES, type AgentCase, type Laid, layOut, type RecordedCase, TABLE } from './agent-cases.js';

const HOST = { openclaw: '2026.9.6', node: '24.16.0' } as const;

function run(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): string {
  const { status, stdout, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stderr.slice(-2_000)}`);
  return stdout;
}

/** Returns the folder with the host in `node_modules`, and the Node for it. */
function installHost(base: string): { readonly folder: string; readonly node: string } {
  const nodePackage = `node-${process.platform}-${process.arch}`;
  const folder = process.env.HOST_MODULES ?? join(base, 'host');
  if (process.env.HOST_MODULES === undefined) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const packages = [`openclaw@${HOST.openclaw}`, `${nodePackage}@${HOST.node}`];
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder });
  }
  return { folder, node: join(folder, 'node_modules', nodePackage, 'bin', 'node') };
}

/** Calls the host's function that resolves workspaces, for all cases in one process. */
function askFunction(host: { folder: string; node: string }, laid: readonly Laid[], base: string): RecordedCase[] {
  const [questions, answers] = [join(base, 'questions.json'), join(base, 'answers.json')];
  const script = join(host.folder, 'ask-openclaw.mjs');
  copyFileSync(fileURLToPath(new URL('./ask-openclaw.mjs', import.meta.url)), script);
  writeFileSync(questions, JSON.stringify(laid));
  run(host.node, [script, questions, answers], { cwd: base, env: { HOME: base, PATH: process.env.PATH } });
  const given: { folders: (string | null)[]; known: string[] | null }[] = JSON.parse(readFileSync(answers, 'utf8'));
  return laid.map(({ asked, home }, at) => {
    const { folders = [], known = null } = given[at] ?? {};
    return recorded(asked, home, folders, known);
  });
}

function recorded(
  asked: readonly string[],
  home: string,
  folders: readonly (string | null)[],
  known: readonly string[] | null,
): RecordedCase {
  const told = asked.map((id, at): [string, string | null] => [id, folders[at]?.replaceAll(home, '{home}') ?? null]);
  const unlisted = asked.filter((id) => known !== null && !known.includes(id.toLowerCase()));
  return { folders: Object.fromEntries(told), ...(unlisted.length > 0 && { unlisted }) };
}

/** Runs the host's command line, since `--profile` is one of its options. */
function askCommand(host: { folder: string; node: string }, profile: string, laid: Laid): RecordedCase {
  const { asked, home, env, cwd } = laid;
  const program = join(host.folder, 'node_modules', 'openclaw', 'openclaw.mjs');
  const list = run(host.node, [program, '--profile', profile, 'agents', 'list', '--json'], { cwd, env });
  const agents: { id: string; workspace: string }[] = JSON.parse(list.slice(list.indexOf('[\n')));
  const folders = asked.map((id) => agents.find((agent) => agent.id === id)?.workspace ?? null);
  return recorded(
    asked,
    home,
    folders,
    agents.map(({ id }) => id),
  );
}

function main(base: string): boolean {
  const host = installHost(base);
  const laid = AGENT_CASES.map((each, at) => layOut(each, join(base, `case-${at}`)));
  const byFunction = askFunction(host, laid, base);
  const answers = AGENT_CASES.map(({ profile }: AgentCase, at): RecordedCase | undefined => {
    const each = laid[at];
    return profile === undefined || each === undefined ? byFunction[at] : askCommand(host, profile, each);
  });
  const text = `${JSON.stringify(answers, null, 1)}\n`;
  if (process.argv.includes('--write')) writeFileSync(TABLE, text);
  const isSame =
    existsSync(TABLE) && JSON.stringify(JSON.parse(readFileSync(TABLE, 'utf8'))) === JSON.stringify(answers);
  const version = `OpenClaw ${HOST.openclaw}`;
  process.stdout.write(
    `${version}: ${AGENT_CASES.length} configurations, ${isSame ? 'as recorded' : 'NOT as recorded'}\n`,
  );
  if (!isSame) for (const [at, answer] of answers.entries()) process.stdout.write(`${at} ${JSON.stringify(answer)}\n`);
  return isSame;
}

const base = realpathSync(mkdtempSync(join(tmpdir(), 'host-agents-')));
try {
  process.exitCode = main(base) ? 0 : 1;
} finally {
  removeTree(base);
}
