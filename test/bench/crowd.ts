import { join } from 'node:path';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { Random } from '../support/random.js';
import type { BenchRun, Figure } from './figure.js';
import { Vocabulary } from './generate.js';
import { median, memoryArguments, timedMemory } from './measure.js';
import { JOBS, oneOf, Past, PLACES, REFLECT, retainSection } from './past.js';
import { answerTimes, measureRecall } from './recall.js';
import { type BenchWorkspace, sampleLines } from './workspaces.js';

const FACTS_A_DAY = 8;
const LINES_A_DAY = 25;
const PEOPLE = 30;

/**
 * Long logs in which a few people have thousands of facts each: the work for a subject must not grow with the square of its
 * facts.
 */
export async function* crowd(run: BenchRun): AsyncIterable<Figure> {
  const files = Math.max(...run.sizes);
  run.note(`${files.toLocaleString('en')} logs with ${FACTS_A_DAY * files} facts of ${PEOPLE} people`);
  const past = crowdPast(files);
  const isWhole = files === 10_000;
  const of = (name: string, measured: number, unit: Figure['unit'], most: number): Figure => {
    const goal = isWhole ? { text: `${most} ${unit}`, most } : undefined;
    return { name, files, measured, unit, goal };
  };
  try {
    past.timed('index');
    yield* asked(run, past, of);
    const first = past.reflected();
    yield of('reflect for the first time on few people', first.ms / 1_000, 's', 25);
    yield of('memory of that', first.mb, 'MB', 400);
    const days = Array.from({ length: Math.min(3, run.rounds) }, () => {
      past.addDays(1);
      past.timed('index');
      return past.timed(...REFLECT).ms;
    });
    yield of('reflect on a day more of few people', median(days), 'ms', 1_000);
    const show = Array.from({ length: Math.min(5, run.rounds) }, () => past.timed('entity', 'show', 'Person-0').ms);
    yield of('entity show of one of few people', median(show), 'ms', 300);
    const made = past.timed('view', '--out', join(past.base, 'page.html')).ms / 1_000;
    yield of('view of few people', made, 's', 5);
  } finally {
    past.dispose();
  }
}

type Measured = (name: string, measured: number, unit: Figure['unit'], most: number) => Figure;

/** The cost of an answer where a few people have most facts, beside the floors. */
async function* asked(run: BenchRun, workspace: BenchWorkspace, of: Measured): AsyncIterable<Figure> {
  const count = run.rounds + 1;
  const rare = sampleLines(workspace, count).map(longestWord);
  const questions = Array.from(
    { length: count },
    (_, i) => QUESTIONS[i % QUESTIONS.length]?.(`Person-${i % PEOPLE}`) ?? '',
  );
  for (const [name, asking, more] of [
    ['a rare word of long logs', rare, 30],
    ['a question about few people', questions, 40],
  ] as const) {
    const { recall, floor } = measureRecall(run, workspace, asking);
    yield { ...of(`recall, ${name}`, recall, 'ms', Math.round(floor + more)), floor };
  }
  const build = (message: string) =>
    timedMemory(memoryArguments(workspace.root, 'context', 'build', '--message', message));
  yield of('context build about few people', median(questions.slice(1).map((message) => build(message).ms)), 'ms', 200);
  const times = await answerTimes(workspace, questions);
  yield of('recall --batch, a question about few people', median(times), 'ms', 15);
}

const QUESTIONS = [
  (name: string) => `Where does ${name} live?`,
  (name: string) => `what did ${name} say of general work at home?`,
  (name: string) => name,
  (name: string) => `when did ${name} ship a version of the queue?`,
] as const;

function longestWord(line: string): string {
  const words = line.match(/[a-z]+/g) ?? [];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** Daily logs of 4.4 KB. Half of the facts are repeated often, half of them stated once. */
export function crowdPast(files: number): Past {
  const random = new Random(36);
  const vocabulary = new Vocabulary();
  const words = (least: number, most: number): string =>
    Array.from({ length: random.between(least, most) }, () => vocabulary.draw(random)).join(' ');
  const fact = (day: Day): string => {
    const about = `@Person-${Math.floor(random.next() * PEOPLE)}`;
    const dice = random.next();
    if (dice < 0.05) return `O(c=0.8) ${about}: ${random.pick(['likes', 'does not like'])} ${words(1, 2)}`;
    if (dice < 0.5) return `${random.pick(['W', 'W', 'B', 'S'])} ${about}: ${words(7, 16)}.`;
    return oneOf(
      random,
      () => `W ${about}: lives in ${random.pick(PLACES)}`,
      () => `W ${about}: moved from ${random.pick(PLACES)} to ${random.pick(PLACES)}`,
      () => `W ${about}: meets @Person-${random.between(0, PEOPLE - 1)} on Tuesdays at ${random.between(8, 19)}:00`,
      () => `B ${about}: shipped version ${random.between(1, 9)}.${random.between(0, 20)} of the ${random.pick(JOBS)}`,
      () => `W ${about}: the port of the ${random.pick(JOBS)} is ${random.between(1_000, 9_999)}`,
      () => `W ${about}: is away until ${addDays(day, random.between(1, 20))}, ${words(3, 6)}`,
    );
  };
  return new Past(files, (day) => {
    const lines = Array.from({ length: LINES_A_DAY }, () => `${words(14, 24)}.\n`).join('');
    return `${lines}\n${retainSection(FACTS_A_DAY, () => fact(day))}`;
  });
}
