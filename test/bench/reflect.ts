import { Random } from '../support/random.js';
import type { BenchRun, Figure } from './figure.js';
import { median } from './measure.js';
import { JOBS, oneOf, Past, PLACES, REFLECT, retainSection } from './past.js';

const NEW_DAYS = 7;
const FACTS_A_DAY = 5;
/** Number of facts for one entity. */
const FACTS_AN_ENTITY = 25;

/** The cost of a nightly run by rules: seven new days after a past that has been reflected on. */
export function* reflect(run: BenchRun): Iterable<Figure> {
  const measured: { readonly files: number; readonly ms: number }[] = [];
  for (const files of run.sizes) {
    run.note(`reflect over ${files.toLocaleString('en')} files`);
    const past = pastOf(files);
    try {
      const first = past.timed(...REFLECT).ms;
      const whole = files === 10_000 ? { text: '20 s', most: 20 } : undefined;
      yield { name: 'reflect for the first time, all days', files, measured: first / 1_000, unit: 's', goal: whole };
      const samples: number[] = [];
      const floors: number[] = [];
      for (let round = 0; round < Math.min(5, run.rounds); round++) {
        past.addDays(NEW_DAYS);
        samples.push(past.timed(...REFLECT).ms);
        floors.push(past.timed(...REFLECT).ms);
      }
      const ms = median(samples);
      measured.push({ files, ms });
      const goal = files === 10_000 ? { text: '1.5 s', most: 1_500 } : undefined;
      const name = `reflect on ${NEW_DAYS} new days by rules`;
      yield { name, files, measured: ms, floor: median(floors), unit: 'ms', goal };
      if (files !== 10_000) continue;
      past.addDays(NEW_DAYS);
      const memory = { text: '250 MB', most: 250 };
      yield { name: 'memory of that', files, measured: past.reflected().mb, unit: 'MB', goal: memory };
    } finally {
      past.dispose();
    }
  }
  for (const [index, { files, ms }] of measured.entries()) {
    const before = measured[index - 1];
    if (before === undefined) continue;
    const name = `reflect on ${NEW_DAYS} new days, of ${before.files.toLocaleString('en')}`;
    yield { name, files, measured: ms / before.ms, unit: '×' };
  }
}

/** Daily logs with typed facts about many entities: home, tools, likes and actions. */
function pastOf(files: number): Past {
  const random = new Random(11);
  const entities = Math.max(20, Math.round((files * FACTS_A_DAY) / FACTS_AN_ENTITY));
  return new Past(files, () =>
    retainSection(FACTS_A_DAY, () => {
      // Few entities are named often, most seldom.
      const about = `@Entity-${Math.floor(random.next() ** 3 * entities)}`;
      // One in ten is an opinion.
      if (random.next() < 0.1)
        return `O(c=0.8) ${about}: ${random.pick(['likes', 'does not like'])} ${random.pick(TOOLS)}`;
      return oneOf(
        random,
        () => `W ${about}: lives in ${random.pick(PLACES)}`,
        () => `W ${about}: uses ${random.pick(TOOLS)} for ${random.pick(JOBS)}`,
        () =>
          `B ${about}: shipped version ${random.between(1, 9)}.${random.between(0, 20)} of the ${random.pick(JOBS)}`,
        () => `W ${about}: the ${random.pick(JOBS)} broke with error ${random.between(1, 9_999)}`,
      );
    }),
  );
}

const TOOLS = ['Redis', 'Kafka', 'Postgres', 'SQLite', 'Vim', 'tabs', 'TypeScript', 'tea'] as const;
