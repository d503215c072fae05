import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { RecallAnswer } from '../../src/query/request.js';
import type { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { copyOf } from './writing-state.js';

/** Damages to a file: flipped bytes, a cut end, or the content of another file. */
const DAMAGES = {
  'one byte flipped': (path, random) => flip(path, 1, random),
  '16 bytes flipped': (path, random) => flip(path, 16, random),
  '256 bytes flipped': (path, random) => flip(path, 256, random),
  truncated: (path, random) => truncateSync(path, Math.floor(random.next() * statSync(path).size)),
  'zeros in the middle': (path, random) => {
    const bytes = readFileSync(path);
    const at = Math.floor(random.next() * bytes.length);
    writeFileSync(path, bytes.fill(0, at, Math.min(bytes.length, at + 4_096)));
  },
  "a page's text": (path) => writeFileSync(path, '- W @Peter: likes heliotrope\n'.repeat(400)),
  'another database': (path, random, others) =>
    writeFileSync(path, readFileSync(others[Math.floor(random.next() * others.length)] ?? path)),
} as const satisfies Readonly<Record<string, (path: string, random: Random, others: readonly string[]) => void>>;

const FILES = ['index.sqlite', 'index.sqlite-wal', 'vectors.sqlite', 'lock.sqlite', 'vectors-lock.sqlite'] as const;

function flip(path: string, count: number, random: Random): void {
  const bytes = readFileSync(path);
  for (let i = 0; i < count; i++) {
    const at = Math.floor(random.next() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random.next() * 8));
  }
  writeFileSync(path, bytes);
}

const WORDS = ['heliotrope', 'lanterns harbour', 'Anna'];
const COMMANDS: readonly (readonly string[])[] = [
  ['recall', 'heliotrope'],
  ['retain', 'W @Clara: was here'],
  ['index'],
  ['index', '--force'],
  ['index', '--verify'],
  ['status'],
  ['doctor'],
  ['reflect'],
  ['lint'],
  ['entity', 'show', 'Peter'],
  ['entity', 'list'],
  ['opinion', 'list'],
];

interface DamageReport {
  readonly rounds: number;
  /** Answers with missing results and no warning whose cause `index --verify` found. */
  readonly found: number;
  readonly broken: readonly string[];
}

/** Returns a workspace whose index fills several pages of every table. */
export function damageable(): TemporaryWorkspace {
  const files: Record<string, string> = {
    'bank/entities/Peter.md': '---\nname: Peter\naliases: [Pete]\n---\n\n# Peter\n\nKeeps the harbour.\n',
    'bank/opinions.md': '# Opinions\n\n- O(c=0.70) @Peter: prefers short letters ^o-aaaaaaaaaaaaa\n',
  };
  for (let day = 1; day <= 28; day++) {
    const date = `2026-02-${String(day).padStart(2, '0')}`;
    files[`memory/${date}.md`] = [
      `# ${date}`,
      '## Retain',
      `- W @Peter: planted ${['heliotrope', 'zinnia', 'marigold', 'lobelia'][day % 4]} in bed ${day}`,
      `- B @Anna: counted ${day} lanterns along the harbour for the festival of the ${day}th`,
      `- O(c=0.6) @Peter: prefers letter number ${day} to a call`,
      ...Array.from({ length: 12 }, (_, i) => `Walked past house ${day * 31 + i} and noted shutter ${i * 7 + day}.`),
      '',
    ].join('\n\n');
  }
  return new TemporaryWorkspace(files);
}

/**
 * Damages one of SQLite's files, then runs one command after the other, beginning with another one each time: each ends as
 * without damage, each printed line is in its file, and `--verify` finds the cause of each incomplete answer.
 * @param start a reflected and indexed workspace
 */
export async function damageRounds(start: TemporaryWorkspace, rounds: number, random: Random): Promise<DamageReport> {
  const whole = copyOf(start);
  const codes = new Map<string, number | null>();
  for (const command of COMMANDS) codes.set(command.join(' '), (await whole.run(command)).code);
  whole.dispose();
  const expected = await answersOf(start);
  const report = { rounds, found: 0, broken: [] as string[] };
  for (let round = 0; round < rounds; round++) {
    const workspace = copyOf(start);
    const where = damage(workspace, round, random);
    const first = Math.floor(random.next() * COMMANDS.length);
    for (const step of [0, 5, 10]) {
      const command = COMMANDS[(first + step) % COMMANDS.length] ?? [];
      const { code, stderr } = await workspace.run(command);
      if (code !== codes.get(command.join(' ')) && !(code === 4 && isCheck(command)))
        report.broken.push(`${where}: ${command.join(' ')} ended with ${code}: ${stderr}`);
      if (step > 0 || command[0] === 'retain') continue;
      const { wrong, lacking } = await differences(workspace, expected);
      report.broken.push(...wrong.map((what) => `${where}: ${what}`));
      if (lacking.length === 0) continue;
      report.found++;
      report.broken.push(...(await notFound(workspace, expected)).map((what) => `${where}: ${lacking}, and ${what}`));
    }
    workspace.dispose();
  }
  return report;
}

/** @returns the damage and the file */
function damage(workspace: TemporaryWorkspace, round: number, random: Random): string {
  const state = workspace.path('.memory');
  const kinds = Object.keys(DAMAGES) as (keyof typeof DAMAGES)[];
  const kind = kinds[round % kinds.length] ?? 'truncated';
  const name = FILES[round % 3 === 0 ? 1 + (Math.floor(round / 3) % (FILES.length - 1)) : 0] ?? 'index.sqlite';
  const others = FILES.map((other) => `${state}/${other}`).filter((path) => existsSync(path) && !path.endsWith(name));
  if ((statSync(`${state}/${name}`, { throwIfNoEntry: false })?.size ?? 0) === 0)
    writeFileSync(`${state}/${name}`, readFileSync(`${state}/index.sqlite`));
  DAMAGES[kind](`${state}/${name}`, random, others);
  return `round ${round}, ${name}, ${kind}`;
}

/** Checks that `--verify` finds the damage, or sets the index aside with a message, and that `--force` repairs it. */
async function notFound(
  workspace: TemporaryWorkspace,
  expected: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const broken: string[] = [];
  const verify = await workspace.run(['index', '--verify']);
  const isHealed = /index was (?:corrupt|damaged)/.test(verify.stderr);
  if (verify.code !== 4 && !isHealed) broken.push(`--verify ended with ${verify.code}`);
  await workspace.run(['index', '--force']);
  const { wrong, lacking } = await differences(workspace, expected);
  return [...broken, ...[...wrong, ...lacking].map((what) => `after index --force ${what}`)];
}

function isCheck([command, option]: readonly string[]): boolean {
  return command === 'doctor' || option === '--verify';
}

async function answersOf(workspace: TemporaryWorkspace): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const word of WORDS) {
    const { results } = await workspace.recall(word);
    answers.set(word, results.map(({ source }) => source).join(' '));
  }
  return answers;
}

/** Returns answers that are not from the files, and answers that miss results. */
async function differences(workspace: TemporaryWorkspace, expected: ReadonlyMap<string, string>) {
  const wrong: string[] = [];
  const lacking: string[] = [];
  for (const [word, sources] of expected) {
    const { code, stdout, stderr } = await workspace.run(['recall', word, '--json']);
    if (code !== 0) {
      wrong.push(`recall ${word} ended with ${code}: ${stderr}`);
      continue;
    }
    const { results } = JSON.parse(stdout) as RecallAnswer;
    for (const { path, startLine, endLine, content } of results) {
      const lines = workspace
        .read(path)
        .split('\n')
        .slice(startLine - 1, endLine)
        .join('\n');
      if (!lines.replaceAll('"', '').includes(content)) wrong.push(`recall shows ${content} at ${path}#L${startLine}`);
    }
    const now = results.map(({ source }) => source).join(' ');
    if (now !== sources) lacking.push(`${word}: ${now} instead of ${sources}`);
  }
  return { wrong, lacking };
}
