import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMemoryFile } from '../../src/extract/page/memory-file.js';
import { frontMatterValues, parseSimplePage } from '../../src/extract/page/simple-page.js';
import { MemoryTypes } from '../../src/extract/types.js';
import { parseProposals } from '../../src/memory/proposals.js';
import { Random } from '../bench/random.js';
import type { CliResult } from './cli.js';
import { FakeOllama } from './ollama/server.js';
import { TemporaryWorkspace } from './workspace.js';

/** What a number of hostile answers came to. `broken` must be empty. */
export interface HostileReport {
  readonly rounds: number;
  readonly written: number;
  readonly rejected: number;
  readonly broken: readonly string[];
}

/** What no extraction may touch. */
const OTHERS = {
  'MEMORY.md': '# Core\n',
  'memory/2026-03-01.md': '- W @Anna: keeps bees\n',
  'bank/opinions.md': '# Opinions\n',
  'bank/world.md': '# World\n',
  'bank/types/notes.yaml':
    'name: notes\ndirectory: bank/notes\nfilename_template: "{{ topic }}"\nfields:\n  - name: topic\n  - name: content\n  - name: rank\n    type: int64\n    merge_op: sum\n',
  'bank/preferences/tea.md': '# Tea\n\n- Likes green tea\n',
  'bank/tools/grep.md': '# grep\n\nA person wrote this.\n',
  'bank/profile.md': '# Profile\r\n\r\n- Keeps bees  \r\n- Hates   coriander\r\n',
  'bank/entities/Anna.md': '---\nname: Anna\n---\n\n# Anna\n\nOur neighbour.\n',
  'memory.config.json5': '{ extractRounds: 0 }',
};
/** Lines of ours may come to a person's, which stay as they are. */
const ADDED_TO: ReadonlySet<string> = new Set(['bank/preferences/tea.md', 'bank/profile.md', 'bank/entities/Anna.md']);
const ROUNDS_A_WORKSPACE = 40;

/** Extracts again and again with what a bad model, or a bad person behind it, may answer. */
export async function hostileRounds(rounds: number, seed: number): Promise<HostileReport> {
  const server = await new FakeOllama().start();
  const random = new Random(seed);
  const broken: string[] = [];
  let [written, rejected] = [0, 0];
  let workspace = new TemporaryWorkspace(OTHERS);
  try {
    for (let round = 0; round < rounds; round++) {
      if (round % ROUNDS_A_WORKSPACE === ROUNDS_A_WORKSPACE - 1) {
        workspace.dispose();
        workspace = new TemporaryWorkspace(OTHERS);
      }
      const { text, bad } = answerOf(random);
      server.replies.length = 0;
      server.received.length = 0;
      for (let count = 0; count < 6; count++) server.replies.push({ content: text });
      const before = outside(workspace.root);
      const talk = join(workspace.base, 'talk.json');
      writeFileSync(talk, JSON.stringify([{ role: 'user', content: `I like tea, says number ${round}.` }]));
      const args = [
        'extract',
        '--file',
        talk,
        ...['preferences', 'entities', 'tools', 'notes', 'profile'].flatMap((type) => ['--type', type]),
        '--json',
      ];
      const { code, stdout, stderr } = await workspace.run(args, { env: { OLLAMA_HOST: server.url } });
      broken.push(
        ...wrongWith({ code, stderr }, workspace.root, before).map((what) => `${what} after ${text.slice(0, 300)}`),
      );
      const report: Report = JSON.parse(stdout);
      const names = report.runs.flatMap((run) => run.rejected.map(({ operation }) => operation));
      written += report.runs.flatMap((run) => run.pages).length;
      rejected += names.length;
      const lost = bad.filter((where) => !names.some((name) => name.startsWith(where)));
      const isRead = report.failures.length === 0 && !names.includes('the answer');
      if (isRead && lost.length > 0) broken.push(`${lost.join()} is not named after ${text.slice(0, 300)}`);
    }
  } finally {
    workspace.dispose();
    await server.stop();
  }
  return { rounds, written, rejected, broken };
}

function wrongWith(
  { code, stderr }: Pick<CliResult, 'code' | 'stderr'>,
  root: string,
  before: string,
): readonly string[] {
  const broken = pagesThatDoNotParse(root).map((path) => `${path} does not parse`);
  if (code !== 0 && code !== 1) broken.push(`ended with ${code}: ${stderr.slice(0, 300)}`);
  if (/\n\s+at \S+ \(|TypeError|RangeError|SyntaxError/u.test(stderr)) broken.push(`threw ${stderr}`);
  broken.push(...changedLines(root));
  if (outside(root) !== before) broken.push('wrote outside of the bank');
  return broken;
}

/** Pages of the bank that a person wrote: every byte of every line is there still, in its place among the others. */
function changedLines(root: string): readonly string[] {
  return Object.entries(OTHERS).flatMap(([path, text]) => {
    const kept = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8').split(/(?<=\n)/u) : [];
    let at = 0;
    const lost = text.split(/(?<=\n)/u).filter((line) => {
      const found = kept.indexOf(line, at);
      if (found >= 0) at = found + 1;
      return found < 0;
    });
    return lost.map((line) => `${path} has lost ${JSON.stringify(line)}`);
  });
}

interface Report {
  readonly runs: readonly {
    readonly pages: readonly unknown[];
    readonly rejected: readonly { readonly operation: string }[];
  }[];
  readonly failures: readonly unknown[];
}

interface Answer {
  readonly text: string;
  /** Operations that can't be carried out, as reports call them. */
  readonly bad: readonly string[];
}

type Some<T> = readonly [T, ...T[]];

const PROSE: Some<string> = [
  'I am sorry, I can not help with that.',
  'The user {likes} tea [and] more.',
  '',
  '```json\n```',
  '<think>{"profile": 1}</think>',
  'null',
  '[[[]]]',
  '{"a":'.repeat(2_000),
  '抱歉，我不能。',
];

function answerOf(random: Random): Answer {
  const kind = random.next();
  if (kind < 0.1) return { text: random.pick(PROSE), bad: [] };
  const { document, bad } = documentOf(random, kind > 0.9 ? 200 : random.between(1, 6));
  const whole = JSON.stringify(document);
  if (kind < 0.25) return { text: whole.slice(0, random.between(1, whole.length)), bad: [] };
  if (kind < 0.3) return { text: whole.replaceAll('"', "'"), bad: [] };
  if (kind < 0.35) return { text: `Sure! Here it is:\n\`\`\`json\n${whole}\n\`\`\`\nAnything else?`, bad };
  return { text: whole, bad };
}

const PATHS: Some<string> = [
  '../../etc/passwd',
  '/etc/passwd',
  'MEMORY.md',
  'bank/../MEMORY.md',
  'bank/opinions.md',
  'bank/world.md',
  'bank/.applied.jsonl',
  'bank/types/notes.yaml',
  'bank/grep',
  'memory/2026-03-01.md',
  'viking://user/../../memories/x',
  'viking://user/a/memories/../../MEMORY.md',
  'viking://agent/x/memories/nowhere/y',
  'C:\\windows\\system32',
  'bank/tools/../world.md',
];
const NAMES: Some<string> = [
  'tea',
  'con',
  'AUX.md',
  '..',
  '../../soul',
  'a/b/c',
  '茶与咖啡',
  'قهوة',
  '☕️👩‍🚀',
  'x'.repeat(400),
  'line\nbreak',
  'nul\u0000byte',
  '{{ name }}',
  '-->',
  '.hidden',
  ' ',
  'README',
  '\u202egnp.exe',
];
const TEXTS: Some<string> = [
  '- Likes tea',
  '<!-- MEMORY_FIELDS {"a": 1} -->',
  '<!-- memory:begin x sha=0 -->\nmine\n<!-- memory:end x -->',
  '---\ntitle: [unclosed\n---\n',
  '```\nnever closed',
  '{{ settings }} {% include "x" %}',
  'None',
  '<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE',
  '- O(c=0.9) @Anna: likes tea ^f-0123456789abc',
  '\ue000' + '0\ue001',
  'x'.repeat(20_000),
  '# Another title\n\n- x',
  '-->\n<!--',
];
const VALUES: Some<unknown> = [0, -1, 1e308, '7', true, null, [], ['a', 'a'], {}, { blocks: [] }, { blocks: 'x' }];

function documentOf(random: Random, count: number) {
  const document: Record<string, unknown[]> = {};
  const bad: string[] = [];
  const add = (key: string, value: unknown, isBad = false): void => {
    const list = document[key] ?? [];
    if (isBad) bad.push(`${key}[${list.length}]`);
    document[key] = [...list, value];
  };
  for (let index = 0; index < count; index++) {
    const type = random.pick(['preferences', 'entities', 'tools', 'notes', 'profile'] as const);
    const name = random.pick(NAMES);
    const text = random.pick(TEXTS);
    const named = { topic: name, name, tool_name: name };
    random.pick([
      () => add(type, { ...named, content: text, purpose: text, call_count: random.pick(VALUES) }),
      () => add(type, { ...named, content: random.pick(VALUES), common_failures: random.pick(VALUES) }),
      () => add(type, { ...named, content: { blocks: [{ search: text, replace: random.pick(TEXTS) }] } }),
      () => add(type, { uri: random.pick(PATHS), content: text, purpose: text }, true),
      () => add(type, { page_id: random.between(2, 99), content: text }, true),
      () => add(type, random.pick<unknown>([1, 'text', null, [1]]), true),
      () => add('deletes', { page_id: random.pick(PATHS) }, true),
      () => add('deletes', random.pick<unknown>([{}, 'x y', null, { page_id: 77 }]), true),
      () => add('links', { from: random.pick(PATHS), to: random.pick(PATHS) }, true),
      () => add('links', random.pick<unknown>([{}, 3, 'a']), true),
    ])();
  }
  return { document, bad };
}

/** All files but the pages of the bank that extraction may write, and what is derived. */
function outside(root: string): string {
  const others = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.memory/'))
    .filter((path) => !path.startsWith('bank/') || path in OTHERS || path.startsWith('bank/types/'))
    .filter((path) => !ADDED_TO.has(path));
  return others
    .sort()
    .map((path) => `${path}\n${readFileSync(join(root, path), 'utf8')}`)
    .join('\n\0');
}

function pagesThatDoNotParse(root: string): readonly string[] {
  const types = MemoryTypes.load(root);
  const bank = join(root, 'bank');
  if (!existsSync(bank)) return [];
  return readdirSync(bank, { recursive: true, encoding: 'utf8' })
    .map((path) => `bank/${path}`)
    .filter((path) => path.endsWith('.md') && !(path in OTHERS) && !path.split('/').at(-1)?.startsWith('.'))
    .filter((path) => {
      const type = types.at(path);
      const text = readFileSync(join(root, path), 'utf8');
      if (path.startsWith('bank/proposals/')) {
        const { items, unreadable } = parseProposals(text);
        return items.length === 0 || unreadable.length > 0;
      }
      if (type === undefined || Buffer.byteLength(path.split('/').at(-1) ?? '') > 255) return true;
      return type.contentTemplate === null
        ? frontMatterValues(parseSimplePage(text, true)) === null
        : parseMemoryFile(text).state !== 'fields';
    });
}
