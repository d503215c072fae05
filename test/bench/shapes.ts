import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { BenchRun, Figure } from './figure.js';
import { median, memoryArguments, timedMemory } from './measure.js';

type Files = Readonly<Record<string, string>>;

interface Shape {
  readonly name: string;
  /** How many facts or notes the larger of two workspaces has. */
  readonly count: number;
  /** Returns a workspace of this size. */
  readonly make: (count: number) => Files;
}

const LAST_DAY: Day = '2025-12-31';
const FACTS_A_DAY = 8;

/** Workspaces with very much of one thing: the work for each item must not grow with all. */
export const SHAPES = {
  entity: {
    name: 'one entity in all facts',
    count: 20_000,
    make: (count) => logsOf(count, (random, i) => aboutOne(random, i)),
  },
  entities: {
    name: 'an entity for each fact',
    count: 20_000,
    make: (count) => logsOf(count, (random, i) => `W @Entity-${i} owns the ${thing(random)} of room ${i}`),
  },
  opinions: {
    name: 'opinions of one person in the same words',
    count: 12_000,
    make: (count) =>
      logsOf(count, (random) => {
        const confidence = (random.between(30, 99) / 100).toFixed(2);
        return `O(c=${confidence}) @Peter prefers the ${thing(random)} over the ${thing(random)}`;
      }),
  },
  names: {
    name: 'ten names in each fact',
    count: 12_000,
    make: (count) =>
      logsOf(count, (random) => {
        const names = Array.from({ length: 10 }, () => `@Person-${random.between(1, Math.max(20, count / 5))}`);
        return `${random.pick(['W', 'O(c=0.7)'])} ${names.join(' ')}: want the ${thing(random)} by the ${thing(random)}`;
      }),
  },
  notes: {
    name: 'linked notes',
    count: 30_000,
    make: (count) => notesOf(count),
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** How much more time a fact takes in a workspace four times as large. */
export function* shapes(run: BenchRun): Iterable<Figure> {
  const isWhole = run.sizes.includes(10_000);
  for (const { name, count, make } of Object.values<Shape>(SHAPES)) {
    const large = isWhole ? count : count / 10;
    const samples = [large / 4, large].map((size) => {
      run.note(`reflect: ${size.toLocaleString('en')} facts, ${name}`);
      return median(Array.from({ length: 3 }, () => reflectOn(make(size)))) / size;
    });
    const [small = Number.NaN, full = Number.NaN] = samples;
    yield { name: `reflect, ${name}: a fact`, measured: full, unit: 'ms' };
    const goal = isWhole ? { text: '1.3', most: 1.3 } : undefined;
    yield { name: `reflect, ${name}: a fact, of four times as many`, measured: full / small, unit: '×', goal };
  }
}

/** Returns the time in ms of the first run in a new, indexed workspace. */
function reflectOn(files: Files): number {
  const workspace = new TemporaryWorkspace();
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace.root, path)), { recursive: true });
      writeFileSync(join(workspace.root, path), text);
    }
    const now = ['--now', `${addDays(LAST_DAY, 1)}T03:40:00Z`, '--tz', 'UTC'];
    timedMemory([...memoryArguments(workspace.root, 'index'), ...now]);
    return timedMemory([...memoryArguments(workspace.root, 'reflect', '--max-calls', '0'), ...now]).ms;
  } finally {
    workspace.dispose();
  }
}

function logsOf(count: number, fact: (random: Random, i: number) => string): Files {
  const random = new Random(52);
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i += FACTS_A_DAY) {
    const day = addDays(LAST_DAY, -i / FACTS_A_DAY);
    const facts = Array.from({ length: Math.min(FACTS_A_DAY, count - i) }, (_, at) => `- ${fact(random, i + at)}\n`);
    files[`memory/${day}.md`] = `# ${day}\n\n## Retain\n\n${facts.join('')}`;
  }
  return files;
}

function aboutOne(random: Random, i: number): string {
  if (i % 20 === 0) return `O(c=0.8) @Peter: likes the ${thing(random)}`;
  return random.pick([
    () => `W @Peter: lives in ${random.pick(PLACES)}`,
    () => `W @Peter: the ${thing(random)} is ${random.pick(QUALITIES)}`,
    () => `W @Peter moved the ${thing(random)} from ${random.pick(PLACES)} to ${random.pick(PLACES)}`,
    () => `W @Peter: the port of the ${thing(random)} is ${random.between(1_000, 9_999)}`,
    () => `B @Peter: shipped the ${thing(random)}`,
    () => `S @Peter: ${thing(random)}, next ${thing(random)}`,
  ])();
}

function notesOf(count: number): Files {
  const random = new Random(52);
  const name = (): string => `note-${random.between(0, count - 1)}`;
  const files = Array.from({ length: count }, (_, i) => [
    `memory/topics/note-${i}.md`,
    `# Note ${i}\n\nSee [[${name()}]] and [[${name()}]].\n\n- W @Room-${random.between(1, Math.max(20, count / 10))}: has a ${thing(random)}\n`,
  ]);
  return Object.fromEntries(files);
}

function thing(random: Random): string {
  return `${random.pick(QUALITIES)} ${random.pick(THINGS)}`;
}

const PLACES = ['Vienna', 'Graz', 'Linz', 'Berlin', 'Porto', 'Oslo', 'Ghent', 'Leeds', 'Quito', 'Osaka'] as const;
const QUALITIES = words(
  'slow quiet stable cheap fragile robust public private nightly weekly partial stale fresh hidden remote local seasonal optional',
);
const THINGS = words(
  'queue migration invoice meeting outage budget schedule draft contract backup review incident cache index router tunnel ticket sensor battery garden recipe visa flight hotel dentist school printer monitor bicycle piano survey calendar ferry charger',
);

function words(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text.split(' ');
  return [first, ...others];
}
