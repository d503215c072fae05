import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatLevels } from '../../src/app/chat.js';
import { parseRecord } from '../../src/base/json.js';
import { CHAT_TASKS } from '../../src/model/levels.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { CONVERSATION, FILES, GOLD_RELATIONS, GOLD_VERDICTS } from './fixture.js';
import { carries, findFalsehood, plainLine } from './truth.js';

/** The commands that may ask a chat model. */
export const TASKS = ['reflect', 'commit', 'flush', 'infer', 'extract'] as const;
export type Task = (typeof TASKS)[number];

const COMMANDS: Readonly<Record<Task, readonly string[]>> = {
  reflect: ['reflect'],
  commit: ['session', 'commit', 'chat', '--keep-recent', '0'],
  flush: ['flush', 'run', '--session', 'chat'],
  infer: ['retain', '--infer', '--since', '2026-02-20'],
  extract: ['extract', '--session', 'chat'],
};
const OF_SESSION: ReadonlySet<Task> = new Set(['commit', 'flush', 'extract']);

/** A chat model that is checked. */
export interface CheckedModel {
  readonly name: string;
  /** Address of its server. */
  readonly server: string;
  /** Undefined: what its test allows. */
  readonly level?: 'extractive' | 'free' | undefined;
  /** How long a command waits for it, in ms. */
  readonly waitMs?: number | undefined;
  /** Number and characters of the questions that it got so far. */
  readonly asked: () => Asked;
}

export interface Asked {
  readonly calls: number;
  readonly characters: number;
}

/** What a command left in the workspace. */
interface Left {
  /** Lines of pages and of the Working Memory, as statements. */
  readonly lines: ReadonlySet<string>;
  readonly verdicts: readonly Verdict[];
  /** Whatever the command reported: its output, and the reports of the session. */
  readonly report: string;
}

interface Verdict {
  readonly text: string;
  readonly isFalse: boolean;
}

/** What a model did for one task. */
export interface Measured extends Asked {
  readonly task: Task;
  /** Lines that are there only with the model. */
  readonly lines: readonly { readonly text: string; readonly falsehood: string | undefined }[];
  /** Verdicts of the model. */
  readonly verdicts: readonly Verdict[];
  /** Whether a line stands in the result, or another one says the same. */
  readonly stands: (line: string) => boolean;
  /** Lines of the rules that neither stand, nor are carried by another line, nor are named in a report. */
  readonly missing: readonly string[];
  readonly seconds: number;
}

/** What the commands do by the rules alone. Made once for all models. */
export type ByRules = Readonly<Record<Task, Left>>;

export async function runByRules(): Promise<ByRules> {
  const left = async (task: Task) => (await runTask(task, {}, {})).left;
  return {
    reflect: await left('reflect'),
    commit: await left('commit'),
    flush: await left('flush'),
    infer: await left('infer'),
    extract: await left('extract'),
  };
}

/**
 * Tests a model, unless its level is forced, and then runs every task with it.
 * @param onDone gets what the model did for each task
 * @param onTested gets the report of the test
 */
export async function runWithModel(
  model: CheckedModel,
  rules: ByRules,
  onDone: (measured: Measured) => void,
  onTested: (said: string) => void = () => {},
): Promise<void> {
  const cache = new TemporaryWorkspace();
  const env = {
    OLLAMA_HOST: model.server,
    XDG_CACHE_HOME: cache.home,
    ...(model.level === undefined ? {} : { OPENCLAW_CHAT_LEVEL: model.level }),
    ...(model.waitMs === undefined ? {} : { OPENCLAW_MODEL_WAIT_MS: String(model.waitMs) }),
  };
  try {
    if (model.level === undefined) onTested(await testModel(model, env));
    for (const task of TASKS) onDone(await measure(task, model, env, rules));
  } finally {
    cache.dispose();
  }
}

/** Maximum number of tests. Each takes two minutes at most, and goes on where the last one ended. */
const MOST_TESTS = 30;

/** Tests a model, at least in the language of the fixture. @returns its level for each task and language */
async function testModel({ name }: CheckedModel, env: NodeJS.ProcessEnv): Promise<string> {
  const workspace = workspaceFor(name);
  try {
    for (let round = 0; round < MOST_TESTS; round++) {
      const { code, stdout, stderr } = await workspace.run(['models', 'test', '--json'], { env });
      if (code !== 0) return stderr;
      const { chat }: { readonly chat: Pick<ChatLevels, 'results'> } = JSON.parse(stdout);
      const isTested = CHAT_TASKS.every((task) => chat.results.english?.[task] !== undefined);
      if (isTested) return formatResults(chat.results);
    }
    return 'the test did not end';
  } finally {
    workspace.dispose();
  }
}

function formatResults(results: ChatLevels['results']): string {
  return Object.entries(results)
    .flatMap(([language, tasks]) =>
      Object.entries(tasks).map(([task, { level, figures }]) => `${language} ${task}: ${level} (${figures})`),
    )
    .join('\n');
}

async function measure(task: Task, model: CheckedModel, env: NodeJS.ProcessEnv, rules: ByRules): Promise<Measured> {
  const before = model.asked();
  const started = performance.now();
  const { left, seconds } = await runTask(task, env, { name: model.name });
  const after = model.asked();
  const own = rules[task];
  const given = new Set(Object.values(FILES).flatMap((text) => String(text).split('\n').map(plainLine)));
  const added = [...left.lines].filter((line) => !own.lines.has(line) && !given.has(line));
  return {
    task,
    lines: added.map((text) => ({ text, falsehood: findFalsehood(text) })),
    verdicts: left.verdicts,
    stands: (line) => stands(line, left.lines),
    missing: [...own.lines].filter((line) => !stands(line, left.lines) && !isNamed(line, left.report)),
    seconds: seconds ?? (performance.now() - started) / 1_000,
    calls: after.calls - before.calls,
    characters: after.characters - before.characters,
  };
}

function workspaceFor(model: string | undefined): TemporaryWorkspace {
  const settings = { extractOnCommit: false, ...(model === undefined ? {} : { chatModel: model }) };
  const workspace = new TemporaryWorkspace({ ...FILES, 'memory.config.json5': JSON.stringify(settings) });
  workspace.chatLevel = undefined;
  return workspace;
}

async function runTask(task: Task, env: NodeJS.ProcessEnv, { name }: { readonly name?: string }) {
  const workspace = workspaceFor(name);
  try {
    if (OF_SESSION.has(task)) {
      const input = JSON.stringify(CONVERSATION);
      await workspace.run(['session', 'add', 'chat', '--stdin'], { input });
    }
    const started = performance.now();
    const { stdout, stderr } = await workspace.run([...COMMANDS[task], '--json', '--verbose'], { env });
    const seconds = (performance.now() - started) / 1_000;
    return { left: await readLeft(workspace, task, `${stdout}\n${stderr}`), seconds };
  } finally {
    workspace.dispose();
  }
}

const EVIDENCE = /^\s*- (?:prior|updated|for|against): /u;
/** Sessions, proposals (they wait for a person), and overviews that only repeat what pages say. */
const NOT_READ = /^(?:sessions|bank\/proposals)\/|\/\.[^/]*$/u;
/** Lines of pages that are no statements: headings, comments, evidence of a belief, front matter. */
const NO_STATEMENT =
  /^\s*(?:#|<!--|---|\*\*\w+\*\*$|[\w-]+: |- (?:prior|updated|for|against): |To accept one:|- Open: \d|- Last (?:request|answer): )|^\s*$/u;

async function readLeft(workspace: TemporaryWorkspace, task: Task, output: string): Promise<Left> {
  const pages = workspace.pages().filter(({ path }) => !NOT_READ.test(path));
  const memory =
    task === 'commit' ? (await workspace.run(['wm', 'show', 'chat'])).stdout.split('\n').filter(isBullet) : [];
  const lines = [...pages.flatMap(({ text }) => text.replace(/<!--.*?-->/gsu, '').split('\n')), ...memory]
    .filter((line) => !NO_STATEMENT.test(line))
    .map(plainLine)
    .filter((line) => line !== '');
  return { lines: new Set(lines), verdicts: verdictsOf(workspace), report: output + reportsOf(workspace) };
}

function isBullet(line: string): boolean {
  return line.startsWith('- ');
}

function reportsOf(workspace: TemporaryWorkspace): string {
  const folder = workspace.path('sessions');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('guard.json'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

/** The verdicts of a model in `bank/evidence.jsonl`. */
function verdictsOf(workspace: TemporaryWorkspace): readonly Verdict[] {
  const path = workspace.path('bank/evidence.jsonl');
  if (!existsSync(path)) return [];
  const texts = textsById(workspace);
  const found: Verdict[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const { fact, opinion, of, direction, relation, by } = parseRecord(line) ?? {};
    if (!String(by).startsWith('model:')) continue;
    const [later = '', other = ''] = [texts.get(String(fact)), texts.get(String(opinion ?? of))];
    const said = String(direction ?? relation);
    const right =
      opinion === undefined
        ? (GOLD_RELATIONS.find((one) => other.includes(one.earlier) && later.includes(one.later))?.relations ?? [
            'both',
          ])
        : [GOLD_VERDICTS.find((one) => later.includes(one.fact) && other.includes(one.belief))?.verdict ?? 'none'];
    found.push({ text: `${said}: ${later} | ${other}`, isFalse: !right.includes(said) });
  }
  return found;
}

/** Statements by their ids, as pages cite them: bullets, or else sentences. */
function textsById(workspace: TemporaryWorkspace): ReadonlyMap<string, string> {
  const lines = workspace.pages().flatMap(({ text }) => text.split('\n'));
  const cited = lines.flatMap((line) => {
    const ids = EVIDENCE.test(line) ? [] : (line.match(/\b[fo]-[a-z0-9]{13}\b/gu) ?? []);
    return ids.map((id) => ({ id, text: plainLine(line), isBullet: /^\s*- /u.test(line) }));
  });
  return new Map(cited.toSorted((a, b) => Number(a.isBullet) - Number(b.isBullet)).map(({ id, text }) => [id, text]));
}

function stands(line: string, lines: ReadonlySet<string>): boolean {
  return lines.has(plainLine(line)) || [...lines].some((other) => carries(other, line));
}

function isNamed(line: string, report: string): boolean {
  return report.includes(JSON.stringify(line).slice(1, -1));
}
