import { readQuestion } from '../../../src/query/parse/read.js';
import type { EntityNameLookup, QuestionReading } from '../../../src/query/parse/reading.js';

/** A Wednesday. */
export const NOW = new Date('2025-12-03T12:00:00Z');

const KNOWN: Readonly<Record<string, string>> = {
  peter: 'peter',
  pete: 'peter',
  'peter smith': 'peter',
  will: 'will',
  may: 'may',
  'the castle': 'the-castle',
  'the-castle': 'the-castle',
  'node.js': 'node.js',
  redis: 'redis',
  张三: '张三',
  老张: '张三',
  王小明: '王小明',
  小不点: '小不点',
};

export const entities: EntityNameLookup = {
  lookup: (name) => (Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined),
};

export function read(question: string, now: Date = NOW, zone = 'UTC'): Promise<QuestionReading> {
  return readQuestion(question, { now, zone, entities });
}

/** The first window as `since..until`, with open ends empty; null when no time was read. */
export async function windowOf(question: string, now: Date = NOW, zone = 'UTC'): Promise<string | null> {
  return (await windowsOf(question, now, zone))[0] ?? null;
}

/** The windows, each as `since..until`, with open ends empty. */
export async function windowsOf(question: string, now: Date = NOW, zone = 'UTC'): Promise<readonly string[]> {
  const { window } = await read(question, now, zone);
  return (window?.spans ?? []).map(({ since, until }) => `${since ?? ''}..${until ?? ''}`);
}
