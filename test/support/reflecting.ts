import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace } from '../../src/app/workspace.js';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import type { ReflectReport } from '../../src/reflect/plan.js';
import type { Random } from './random.js';

/** A belief on the page, with statements of logs for and against it. */
interface Topic {
  readonly opinion: string;
  readonly supports: readonly [string, ...string[]];
  readonly contradicts: readonly [string, ...string[]];
}

const TOPICS: readonly [Topic, ...Topic[]] = [
  {
    opinion: 'O(c=0.70) @Peter: prefers concise replies on WhatsApp',
    supports: ['W @Peter: asked for short replies on WhatsApp', 'O(c=0.9) @Peter: wants concise replies on WhatsApp'],
    contradicts: ['W @Peter: asked for longer replies on WhatsApp', 'W @Peter: does not want concise WhatsApp replies'],
  },
  {
    opinion: 'O(c=0.80) @Peter: likes coffee',
    supports: ['W @Peter: drinks coffee every morning', 'B @Peter: likes coffee, so I bought him a grinder'],
    contradicts: ['W @Peter: stopped drinking coffee', 'W @Peter: does not like coffee any more'],
  },
  {
    opinion: 'O(c=0.60) @Anna: uses Redis for the queue',
    supports: ['W @Anna: uses Redis for the queue', 'B @Anna: showed me that she uses Redis for the queue'],
    contradicts: ['W @Anna: switched the queue from Redis to Kafka', 'O(c=0.8) @Anna: uses Kafka for the queue'],
  },
  {
    opinion: 'O(c=0.55) @relay: the nightly build is reliable',
    supports: ['B @relay: the nightly build is reliable again', 'W @relay: the nightly build was reliable'],
    contradicts: ['B @relay: the nightly build failed again', 'W @relay: the nightly build is not reliable'],
  },
  {
    opinion: 'O(c=0.65) @张三: 喜欢简短的回复',
    supports: ['W @张三: 喜欢简短回复', 'O(c=0.85) @张三: 喜欢简短的回复'],
    contradicts: ['W @张三: 要求详细的回复', 'W @张三: 不喜欢简短的回复'],
  },
];

const FILLERS = [
  'W @Peter: lives in Vienna',
  'W @Anna: works with @Peter on @relay',
  'W: the office is closed on Fridays',
];

/** A page of opinions stated by a person long ago, with the person's words between them. */
export const STATED = `# Opinions\n\nMy own words.\n\n${TOPICS.map(
  ({ opinion }, i) =>
    `- ${opinion} ^o-${String(i).repeat(13)}\n  - prior: ${/c=([\d.]+)/.exec(opinion)?.[1]} (2026-01-01)\n`,
).join('')}`;

/** Ids of the opinions of {@link STATED}. */
const STATED_IDS: readonly string[] = TOPICS.map((_, i) => `o-${String(i).repeat(13)}`);

/** Facts by day, as lines of the log. */
export type Days = ReadonlyMap<Day, readonly string[]>;

/**
 * Returns days from `first` on, each with some facts for or against the stated opinions. The same seed gives the same days.
 */
export function randomDays(random: Random, first: Day, count: number): Days {
  const days = new Map<Day, readonly string[]>();
  for (let i = 0; i < count; i++) {
    const facts = Array.from({ length: random.between(1, 4) }, () => {
      const topic = random.pick(TOPICS);
      if (random.next() < 0.2) return FILLERS[random.between(0, FILLERS.length - 1)] ?? '';
      return random.pick(random.next() < 0.6 ? topic.supports : topic.contradicts);
    });
    days.set(
      addDays(first, i),
      [...new Set(facts)].map((fact) => `- ${fact}`),
    );
  }
  return days;
}

/** The text of a day's log. */
export function logOf(facts: readonly string[]): string {
  return `## Retain\n\n${facts.join('\n')}\n`;
}

/** Reflects by rules, through the library. */
export async function reflectAt(root: string, now: string): Promise<ReflectReport> {
  return (await reflectionAt(root, now)).run({ maxCalls: 0 });
}

/** Returns the exact confidences of the stated opinions from `opinion why`. */
export async function statedConfidences(root: string, now: string): Promise<ReadonlyMap<string, number>> {
  const reflection = await reflectionAt(root, now);
  const found = new Map<string, number>();
  for (const id of STATED_IDS) for (const why of await reflection.why(id)) found.set(id, why.confidence);
  return found;
}

async function reflectionAt(root: string, now: string) {
  const env = { HOME: root, OLLAMA_HOST: '127.0.0.1:9' };
  return (await openWorkspace({ workspace: root, env, cwd: root, now, timezone: 'UTC' })).reflection();
}

/** Returns every file of the bank with its text, without leftovers of killed writers and files of editors. */
export function bankOf(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, 'bank'), { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !/(?:\.tmp|~)$/.test(file.name),
  );
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  return new Map(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]));
}

/** Returns opinions that a page lists more than once. */
export function copiesOn(page: string): readonly string[] {
  const ids = readOpinionsPage(page).map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}
