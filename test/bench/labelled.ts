import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The kind of text of a set: a weight must not be chosen on one kind alone. */
type SetKind = 'conversations' | 'chats with an assistant' | 'group chats' | 'documents' | 'messages';

/** A set of questions with labelled lines, over one workspace or several. */
export interface LabelledSet {
  readonly name: string;
  readonly kind: SetKind;
  readonly rooms: readonly Room[];
}

/** A workspace with its questions. */
export interface Room {
  readonly root: string;
  /** The time at which the questions are asked. */
  readonly now: string;
  readonly questions: readonly LabelledQuestion[];
  /** Names of lines in the labels (`path#line`), if they do not use places. */
  readonly names: ReadonlyMap<string, readonly string[]> | undefined;
}

export interface LabelledQuestion {
  readonly question: string;
  readonly wanted: ReadonlySet<string>;
}

interface LabelledOptions {
  /** The folder that holds the labelled data. */
  readonly shared: string;
  /** Where the workspaces are copied to, so that no index lands in the data. */
  readonly folder: string;
  /** For sets with more questions, every n-th is asked, to keep below this number. */
  readonly most?: number | undefined;
  /** Only sets whose names begin like one of these; all if empty. */
  readonly only?: readonly string[] | undefined;
}

const SOURCES = [
  {
    folder: 'chats/data',
    kindOf: (name: string): SetKind => (name === 'vehicle' ? 'group chats' : 'chats with an assistant'),
  },
  { folder: 'bench2/data', kindOf: (name: string): SetKind => (name.startsWith('madial') ? 'messages' : 'documents') },
] as const;
const VARIANTS = { A: 'visible.jsonl', B: 'visible.jsonl', C: 'visible.merged.jsonl' } as const;
const ANSWERED_BY_NOTHING = 5;

const QUESTION = z.object({
  conv: z.string(),
  question: z.string(),
  category: z.number(),
  evidence: z.array(
    z.object({ dia_id: z.string().optional(), path: z.string().optional(), line: z.number().optional() }),
  ),
});
type Question = z.infer<typeof QUESTION>;
const PLACE = z.object({ path: z.string(), line: z.number(), dia_ids: z.array(z.string()) });

/**
 * Reads every set that the folder of labelled data holds, and copies its workspaces.
 * @throws Error when LoCoMo could not be converted
 */
export function readSets({ shared, folder, most, only }: LabelledOptions): readonly LabelledSet[] {
  const isAsked = (name: string): boolean => only === undefined || only.some((beginning) => name.startsWith(beginning));
  const sets = SOURCES.flatMap(({ folder: source, kindOf }) =>
    namesIn(join(shared, source))
      .filter(isAsked)
      .map((name) => ({ name, kind: kindOf(name), rooms: roomsOf(join(shared, source, name), join(folder, name)) })),
  );
  const locomo = existsSync(join(shared, 'locomo'))
    ? locomoSets(join(shared, 'locomo'), join(folder, 'locomo'), isAsked)
    : [];
  return [...locomo, ...sets].map((set) => thinned(set, most));
}

function namesIn(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.filter((name) => existsSync(join(folder, name, 'qa/visible.jsonl')));
}

function locomoSets(source: string, folder: string, isAsked: (name: string) => boolean): readonly LabelledSet[] {
  const variants = Object.entries(VARIANTS).filter(([variant]) => isAsked(`LoCoMo ${variant}`));
  if (variants.length === 0) return [];
  const made = spawnSync(process.execPath, [join(source, 'convert.mjs'), '--out', folder], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr.slice(0, 400));
  return variants.map(([variant, file]) => ({
    name: `LoCoMo ${variant}`,
    kind: 'conversations',
    rooms: byRoom(join(folder, 'qa', file)).map(([conv, questions]): Room => {
      const places = linesOf(join(folder, 'maps', variant, `${conv}.jsonl`)).map((line) => PLACE.parse(line));
      const names = new Map(places.map(({ path, line, dia_ids }) => [`${path}#${line}`, dia_ids]));
      return { ...roomOf(join(folder, variant, conv), questions, ({ dia_id = '' }) => dia_id), names };
    }),
  }));
}

function roomsOf(source: string, folder: string): readonly Room[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return byRoom(join(source, 'qa/visible.jsonl')).map(([conv, questions]) => {
    cpSync(join(source, 'A', conv), join(folder, conv), { recursive: true });
    return { ...roomOf(join(folder, conv), questions, ({ path, line }) => `${path}#${line}`), names: undefined };
  });
}

function linesOf(file: string): readonly unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line));
}

function byRoom(file: string): readonly (readonly [string, readonly Question[]])[] {
  const rooms = new Map<string, Question[]>();
  for (const line of linesOf(file)) {
    const question = QUESTION.parse(line);
    if (question.category === ANSWERED_BY_NOTHING || question.evidence.length === 0) continue;
    rooms.set(question.conv, [...(rooms.get(question.conv) ?? []), question]);
  }
  return [...rooms];
}

/** Questions are asked at noon of the day after the last log. */
function roomOf(
  root: string,
  asked: readonly Question[],
  nameOf: (evidence: Question['evidence'][number]) => string,
): Omit<Room, 'names'> {
  const logs = existsSync(join(root, 'memory')) ? readdirSync(join(root, 'memory')) : [];
  const last = logs
    .filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name))
    .sort()
    .at(-1)
    ?.slice(0, 10);
  const questions = asked.map(({ question, evidence }) => ({ question, wanted: new Set(evidence.map(nameOf)) }));
  return { root, now: new Date(Date.parse(last ?? '2026-01-14') + 1.5 * 86_400_000).toISOString(), questions };
}

function thinned(set: LabelledSet, most = Number.POSITIVE_INFINITY): LabelledSet {
  const count = set.rooms.reduce((sum, { questions }) => sum + questions.length, 0);
  const step = Math.ceil(count / most);
  if (step <= 1) return set;
  const rooms = set.rooms.map((room) => ({ ...room, questions: room.questions.filter((_, i) => i % step === 0) }));
  return { ...set, rooms };
}

/** The share of labelled lines that are found, and the reciprocal rank of the first one; 0..1. */
export interface Score {
  readonly 'R@1': number;
  readonly 'R@5': number;
  readonly 'R@10': number;
  readonly 'R@25': number;
  readonly MRR: number;
}

export const COLUMNS = ['R@1', 'R@5', 'R@10', 'R@25', 'MRR'] as const satisfies readonly (keyof Score)[];

/** Number of lines requested; the limit of MRR. */
export const DEPTH = 60;

/** Ranks lines (`path#line`, the best first) for every question of a workspace, in their order. */
export type Ranker = (room: Room) => Promise<readonly (readonly string[])[]>;

/** The mean of all questions, in percent. A rank is one line. */
export async function scoreOf(rooms: readonly Room[], ranker: Ranker): Promise<Score> {
  const scores: Score[] = [];
  for (const room of rooms) {
    const answers = await ranker(room);
    for (const [i, question] of room.questions.entries()) scores.push(scored(question, answers[i] ?? [], room.names));
  }
  const mean = (column: keyof Score): number =>
    (100 * scores.reduce((sum, score) => sum + score[column], 0)) / Math.max(1, scores.length);
  return { 'R@1': mean('R@1'), 'R@5': mean('R@5'), 'R@10': mean('R@10'), 'R@25': mean('R@25'), MRR: mean('MRR') };
}

export function scored({ wanted }: LabelledQuestion, lines: readonly string[], names: Room['names']): Score {
  const hits = lines.map((line) =>
    (names?.get(line) ?? (names === undefined ? [line] : [])).filter((name) => wanted.has(name)),
  );
  const upTo = (k: number): number => new Set(hits.slice(0, k).flat()).size / wanted.size;
  const first = hits.findIndex((names) => names.length > 0);
  return {
    'R@1': first === 0 ? 1 : 0,
    'R@5': upTo(5),
    'R@10': upTo(10),
    'R@25': upTo(25),
    MRR: first < 0 ? 0 : 1 / (first + 1),
  };
}
