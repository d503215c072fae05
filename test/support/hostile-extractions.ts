import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frontMatterValues, parseMemoryFile, parseSimplePage } from '../../src/extract/page/form.js';
import { MemoryTypes } from '../../src/extract/types.js';
import { parseProposals } from '../../src/memory/proposals.js';
import type { CliResult } from './cli.js';
import { FakeOllama } from './ollama/server.js';
import { Random } from './random.js';
import { TemporaryWorkspace } from './workspace.js';

/** The result of several hostile answers. `broken` must be empty. */
interface HostileReport {
  readonly rounds: number;
  readonly written: number;
  readonly rejected: number;
  readonly broken: readonly string[];
}

type Some<T> = readonly [T, ...T[]];

/** Pages of memory types written by a person: generated lines may be added, the person's lines stay byte for byte. */
const PERSONS = {
  'bank/preferences/tea.md': '# Tea\n\n- Likes green tea\n',
  'bank/preferences/茶与咖啡.md': '\ufeff# 茶与咖啡\n\n- 每天早上喝龙井\n- 不加糖',
  'bank/tools/grep.md': '# grep\n\nA person wrote this.\n',
  'bank/profile.md': '# Profile\r\n\r\n- Keeps bees  \r\n- Hates   coriander\r\n',
  'bank/entities/Anna.md': '---\nname: Anna\n---\n\n# Anna\n\nOur neighbour.\n\n\n## Kinder\n\n* Jörg\n* قهوة\n',
  'bank/notes/tea.md': '# Minutes\n\n```\nnever closed by anybody\n',
} as const;
/** Files that no extraction may change. */
const OTHERS = {
  'MEMORY.md': '# Core\n',
  'memory/2026-03-01.md': '- W @Anna: keeps bees\n',
  'bank/opinions.md': '# Opinions\n',
  'bank/world.md': '# World\n',
  'bank/types/notes.yaml':
    'name: notes\ndirectory: bank/notes\nfilename_template: "{{ topic }}"\nfields:\n  - name: topic\n  - name: content\n  - name: rank\n    type: int64\n    merge_op: sum\n',
  'memory.config.json5': '{ extractRounds: 0 }',
} as const;
const ROUNDS_A_WORKSPACE = 40;
const TYPES = ['preferences', 'entities', 'tools', 'notes', 'profile'] as const;

/** The result of a command for one answer. */
interface Said extends Pick<CliResult, 'code' | 'stderr'> {
  readonly written: number;
  /** Refused operations, as named in reports: `preferences[0]`. */
  readonly refused: readonly string[];
  /** Whether the whole answer was read as a document. */
  readonly isRead: boolean;
}

/** The ways for an answer: from a model, at the end of a session, and from the calling agent. */
const DOORS: Some<(answer: string, stage: Stage) => Promise<Said>> = [
  async (answer, { workspace, server, round }) => {
    const env = answering(server, answer);
    const file = save(
      workspace,
      'talk.json',
      JSON.stringify([{ role: 'user', content: `I like tea number ${round}.` }]),
    );
    const types = TYPES.flatMap((type) => ['--type', type]);
    const run = await workspace.run(['extract', '--file', file, ...types, '--json'], { env });
    const { runs, failures }: { runs: readonly Applied[]; failures: readonly unknown[] } = JSON.parse(run.stdout);
    const refused = runs.flatMap(({ rejected }) => rejected.map(({ operation }) => operation));
    return { ...run, written: runs.flatMap(({ pages }) => pages).length, refused, isRead: failures.length === 0 };
  },
  async (answer, { workspace, server, round }) => {
    const env = answering(server, answer);
    await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', `I like tea number ${round}.`]);
    const run = await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0', '--json'], { env });
    const refused = [...run.stdout.matchAll(/not done: ([^ :"]+)/gu)].map(([, operation = '']) => operation);
    return { ...run, written: 0, refused, isRead: run.code === 0 && !run.stdout.includes('ends too early') };
  },
  byAgent,
  byAgent,
];

async function byAgent(answer: string, { workspace }: Stage): Promise<Said> {
  const file = save(workspace, 'answer.json', answer);
  const run = await workspace.run(['extract', 'apply', '--answer', file, '--json']);
  // A text that is not a document is wrong usage.
  if (run.code === 2) return { ...run, code: 1, written: 0, refused: [], isRead: false };
  const { pages, rejected }: Applied = JSON.parse(run.stdout);
  const refused = rejected.map(({ operation }) => operation);
  return { ...run, written: pages.length, refused, isRead: true };
}

interface Applied {
  readonly pages: readonly unknown[];
  readonly rejected: readonly { readonly operation: string }[];
}

interface Stage {
  readonly workspace: TemporaryWorkspace;
  readonly server: FakeOllama;
  readonly round: number;
}

function answering(server: FakeOllama, content: string): NodeJS.ProcessEnv {
  server.replies.splice(0, Number.POSITIVE_INFINITY, ...Array.from({ length: 12 }, () => ({ content })));
  return { OLLAMA_HOST: server.url };
}

function save(workspace: TemporaryWorkspace, name: string, text: string): string {
  const file = join(workspace.base, name);
  writeFileSync(file, text);
  return file;
}

/** Gives many answers of a bad model, or of a bad person behind it. */
export async function hostileRounds(rounds: number, seed: number): Promise<HostileReport> {
  const server = await new FakeOllama({ chunkBytes: 100_000 }).start();
  const random = new Random(seed);
  const broken: string[] = [];
  let [written, rejected] = [0, 0];
  let workspace = new TemporaryWorkspace({ ...PERSONS, ...OTHERS });
  const types = MemoryTypes.load(workspace.root);
  const before = outside(workspace.root);
  try {
    for (let round = 0; round < rounds; round++) {
      if (round % ROUNDS_A_WORKSPACE === ROUNDS_A_WORKSPACE - 1) {
        workspace.dispose();
        workspace = new TemporaryWorkspace({ ...PERSONS, ...OTHERS });
      }
      const { text, bad } = answerOf(random, workspace.root);
      const door = DOORS[round % DOORS.length] ?? byAgent;
      const said = await door(text, { workspace, server, round });
      written += said.written;
      rejected += said.refused.length;
      const wrong = [...wrongWith(said, workspace.root, types), ...changedLines(workspace.root)];
      if (outside(workspace.root) !== before) wrong.push('wrote outside of the bank');
      const lost = bad.filter((where) => !said.refused.some((name) => name === where || name.startsWith(`${where}.`)));
      const isRead = said.isRead && !said.refused.includes('the answer') && !said.refused.includes('document');
      if (isRead && lost.length > 0) wrong.push(`${lost.join()} is not named`);
      broken.push(...wrong.map((what) => `${round}: ${what} after ${text.slice(0, 900)}`));
    }
  } finally {
    workspace.dispose();
    await server.stop();
  }
  return { rounds, written, rejected, broken };
}

function wrongWith({ code, stderr }: Said, root: string, types: MemoryTypes): readonly string[] {
  const broken = pagesThatDoNotParse(root, types).map((path) => `${path} does not parse`);
  if (code !== 0 && code !== 1) broken.push(`ended with ${code}: ${stderr.slice(0, 300)}`);
  if (/\n\s+at \S+ \(|TypeError|RangeError|SyntaxError/u.test(stderr)) broken.push(`threw ${stderr}`);
  return broken;
}

/** Returns pages of the bank that lost a line of a person: every line must stay byte for byte, in its order. */
function changedLines(root: string): readonly string[] {
  return Object.entries(PERSONS).flatMap(([path, text]) => {
    const kept = existsSync(join(root, path)) ? linesOf(readFileSync(join(root, path), 'utf8')) : [];
    let at = 0;
    const lost = linesOf(text).filter((line) => {
      // A last line without a line end gets one when others are added.
      const found = kept.findIndex(
        (other, i) => i >= at && (other === line || (/[^\n]$/u.test(line) && other === `${line}\n`)),
      );
      if (found >= 0) at = found + 1;
      return found < 0;
    });
    return lost.map((line) => `${path} has lost ${JSON.stringify(line)}`);
  });
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/u);
}

interface Answer {
  readonly text: string;
  /** Operations that must be refused, as named in reports. */
  readonly bad: readonly string[];
}

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

function answerOf(random: Random, root: string): Answer {
  const kind = random.next();
  if (kind < 0.1) return { text: random.pick(PROSE), bad: [] };
  const { document, bad } = documentOf(random, root, kind > 0.95 ? 100 : random.between(1, 6));
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

function documentOf(random: Random, root: string, count: number) {
  const pages = Object.keys(PERSONS).map((path, at) => ({ page_id: at + 1, path, hash: hashOf(root, path) }));
  const document: Record<string, unknown[]> = { pages };
  const bad: string[] = [];
  const add = (key: string, value: unknown, isBad = false): void => {
    const list = document[key] ?? [];
    if (isBad) bad.push(`${key}[${list.length}]`);
    document[key] = [...list, value];
  };
  for (let index = 0; index < count; index++) {
    const type = random.pick(TYPES);
    const name = random.pick(NAMES);
    const page = random.pick(Object.keys(PERSONS) as [keyof typeof PERSONS]);
    const line = random.pick(PERSONS[page].split(/\r?\n/u).filter((one) => one.trim() !== '') as [string]);
    const text = random.pick([...TEXTS, line, `${line}\n${random.pick(TEXTS)}`]);
    const named = { topic: name, name, tool_name: name };
    // A patch may change a copy of a person's line that the same answer has created.
    const isTheirs = !JSON.stringify(document).includes(JSON.stringify(line).slice(1, -1));
    random.pick([
      () => add(type, { ...named, content: text, purpose: text, call_count: random.pick(VALUES) }),
      () => add(type, { ...named, content: random.pick(VALUES), common_failures: random.pick(VALUES) }),
      () => add(type, { ...named, content: { blocks: [{ search: text, replace: random.pick(TEXTS) }] } }),
      () => add(type, { uri: random.pick(PATHS), content: text, purpose: text }, true),
      () => add(type, { page_id: random.between(60, 99), content: text }, true),
      () => add(type, random.pick<unknown>([1, 'text', null, [1]]), true),
      () => add('deletes', { page_id: random.pick(PATHS) }, true),
      () => add('deletes', random.pick<unknown>([{}, 'x y', null, { page_id: 77 }]), true),
      // Attacks on lines of a person: rewording, duplicating, emptying, deleting, changing links.
      () =>
        add(
          typeOf(page),
          { uri: page, content: { blocks: [{ search: line, replace: random.pick(TEXTS) }] } },
          isTheirs,
        ),
      () => add(typeOf(page), { uri: page, content: { blocks: [{ delete: line }] } }, isTheirs),
      () => add(typeOf(page), { page_id: random.between(1, 6), content: text, purpose: text }),
      () => add(typeOf(page), { uri: page, content: { blocks: [{ search: '', replace: text }] } }, true),
      () => add(typeOf(page), { uri: page, content: { blocks: [{ search: line, replace: `${line}\n${line}` }] } }),
      () => add('deletes', random.pick<unknown>([{ uri: page }, { uri: page, replacement: 1 }, page]), true),
      () => add('deletes', { page_id: random.between(1, 6), replacement: random.between(1, 6) }),
      () => add('links', { from: page, to: random.between(1, 6), link_type: text }),
      () => add('links', { from: random.pick(PATHS), to: random.pick(PATHS) }, true),
      () => add('links', random.pick<unknown>([{}, 3, 'a']), true),
    ])();
  }
  return { document, bad };
}

function typeOf(page: string): (typeof TYPES)[number] {
  return TYPES.find((type) => page.startsWith(`bank/${type}`)) ?? 'profile';
}

function hashOf(root: string, path: string): string {
  return existsSync(join(root, path)) ? hash('sha256', readFileSync(join(root, path)), 'hex') : '';
}

/** Returns all files except pages of the bank that extraction may write, and derived files. */
function outside(root: string): string {
  const others = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/^(?:\.memory|sessions)\//u.test(path))
    .filter((path) => !path.startsWith('bank/') || path in OTHERS || path.startsWith('bank/types/'));
  return others
    .sort()
    .map((path) => `${path}\n${readFileSync(join(root, path), 'utf8')}`)
    .join('\n\0');
}

function pagesThatDoNotParse(root: string, types: MemoryTypes): readonly string[] {
  const bank = join(root, 'bank');
  if (!existsSync(bank)) return [];
  return readdirSync(bank, { recursive: true, encoding: 'utf8' })
    .map((path) => `bank/${path}`)
    .filter(
      (path) =>
        path.endsWith('.md') && !(path in OTHERS || path in PERSONS) && !path.split('/').at(-1)?.startsWith('.'),
    )
    .filter((path) => {
      const type = types.at(path);
      const text = readFileSync(join(root, path), 'utf8');
      if (path.startsWith('bank/proposals/')) {
        const { items, unreadable } = parseProposals(text);
        return items.length === 0 || unreadable.length > 0;
      }
      if (type === undefined || Buffer.byteLength(path.split('/').at(-1) ?? '') > 255) return true;
      return type.content_template === null
        ? frontMatterValues(parseSimplePage(text, true)) === null
        : parseMemoryFile(text).state !== 'fields';
    });
}
