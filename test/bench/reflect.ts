import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { BenchRun, Figure } from './figure.js';
import { median, memoryArguments, peakMemory, timedMemory } from './measure.js';

const LAST_DAY = '2025-12-31';
const NEW_DAYS = 7;
const FACTS_A_DAY = 5;
/** Number of facts for one entity. */
const FACTS_AN_ENTITY = 25;

/** The cost of a nightly run by rules: seven new days after a past that has been reflected on. */
export function* reflect(run: BenchRun): Iterable<Figure> {
  const measured: { readonly files: number; readonly ms: number }[] = [];
  for (const files of run.sizes) {
    run.note(`reflect over ${files.toLocaleString('en')} files`);
    const past = new Past(files);
    try {
      const first = past.reflect().ms;
      const whole = files === 10_000 ? { text: '20 s', most: 20 } : null;
      yield figure('reflect for the first time, all days', files, first / 1_000, null, 's', whole);
      const samples: number[] = [];
      const floors: number[] = [];
      for (let round = 0; round < Math.min(5, run.rounds); round++) {
        past.addDays(NEW_DAYS);
        samples.push(past.reflect().ms);
        floors.push(past.nothingNew().ms);
      }
      const ms = median(samples);
      measured.push({ files, ms });
      const goal = files === 10_000 ? { text: '1.5 s', most: 1_500 } : null;
      yield figure(`reflect on ${NEW_DAYS} new days by rules`, files, ms, median(floors), 'ms', goal);
      if (files !== 10_000) continue;
      past.addDays(NEW_DAYS);
      yield figure('memory of that', files, past.peak(), null, 'MB', { text: '250 MB', most: 250 });
    } finally {
      past.dispose();
    }
  }
  for (const [index, { files, ms }] of measured.entries()) {
    const before = measured[index - 1];
    if (before === undefined) continue;
    const name = `reflect on ${NEW_DAYS} new days, of ${before.files.toLocaleString('en')}`;
    yield figure(name, files, ms / before.ms, null, '×', null);
  }
}

function figure(
  name: string,
  files: number,
  measured: number,
  floor: number | null,
  unit: Figure['unit'],
  goal: Figure['goal'],
): Figure {
  return { name, files, measured, floor, unit, goal };
}

/** A workspace of daily logs with typed facts about many entities: home, tools, likes and actions. */
class Past {
  private readonly workspace = new TemporaryWorkspace();
  private readonly random = new Random(11);
  private readonly entities: number;
  private next: Day;

  constructor(files: number) {
    this.entities = Math.max(20, Math.round((files * FACTS_A_DAY) / FACTS_AN_ENTITY));
    mkdirSync(this.workspace.path('memory'));
    this.next = addDays(LAST_DAY, 1 - files);
    this.addDays(files);
  }

  addDays(count: number): void {
    for (let i = 0; i < count; i++) {
      const facts = Array.from({ length: FACTS_A_DAY }, () => `- ${this.fact()}\n`).join('');
      writeFileSync(join(this.workspace.root, 'memory', `${this.next}.md`), `# ${this.next}\n\n## Retain\n\n${facts}`);
      this.next = addDays(this.next, 1);
    }
  }

  reflect() {
    return timedMemory(this.arguments('reflect', '--max-calls', '0'));
  }

  /** The same process without work. */
  nothingNew() {
    return this.reflect();
  }

  peak(): number {
    return peakMemory(this.arguments('reflect', '--max-calls', '0'));
  }

  dispose(): void {
    this.workspace.dispose();
  }

  private arguments(command: string, ...args: readonly string[]): readonly string[] {
    const now = ['--now', `${this.next}T03:40:00Z`, '--tz', 'UTC'];
    return [...memoryArguments(this.workspace.root, command, ...args), ...now];
  }

  private fact(): string {
    const { random } = this;
    // Few entities are named often, most seldom.
    const about = `@Entity-${Math.floor(random.next() ** 3 * this.entities)}`;
    // One in ten is an opinion.
    if (random.next() < 0.1)
      return `O(c=0.8) ${about}: ${random.pick(['likes', 'does not like'])} ${random.pick(TOOLS)}`;
    const statement = random.pick([
      () => `W ${about}: lives in ${random.pick(PLACES)}`,
      () => `W ${about}: uses ${random.pick(TOOLS)} for ${random.pick(JOBS)}`,
      () => `B ${about}: shipped version ${random.between(1, 9)}.${random.between(0, 20)} of the ${random.pick(JOBS)}`,
      () => `W ${about}: the ${random.pick(JOBS)} broke with error ${random.between(1, 9_999)}`,
    ]);
    return statement();
  }
}

const PLACES = ['Vienna', 'Graz', 'Linz', 'Berlin', 'Porto', 'Oslo', '上海'] as const;
const TOOLS = ['Redis', 'Kafka', 'Postgres', 'SQLite', 'Vim', 'tabs', 'TypeScript', 'tea'] as const;
const JOBS = ['queue', 'cache', 'relay', 'billing', 'search', 'backup'] as const;
