import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

interface Story {
  readonly id: string;
  readonly days: Readonly<Record<string, readonly string[]>>;
  readonly questions: readonly {
    readonly q: string;
    readonly answer: string;
    /** A phrase of the outdated line. */
    readonly wrong: string | null;
  }[];
}

const FOLDER = new URL('stories/', import.meta.url);
const STORIES = readdirSync(FOLDER).map((name): Story => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));

/** Weeks of notes in small worlds, written before the ranking within a topic and not used to choose it. */
describe('current statements come before outdated ones', () => {
  test('in four worlds and four languages', async () => {
    const places: { readonly right: number; readonly stale: number }[] = [];
    for (const story of STORIES) {
      for (const { answer, wrong, contents } of await asked(story)) {
        const placeOf = (phrase: string): number => {
          const at = contents.findIndex((content) => content.includes(phrase));
          return at < 0 ? Number.POSITIVE_INFINITY : at;
        };
        places.push({ right: placeOf(answer), stale: wrong === null ? Number.POSITIVE_INFINITY : placeOf(wrong) });
      }
    }
    expect(places).toHaveLength(64);
    expect(places.filter(({ right }) => right === 0).length).toBeGreaterThanOrEqual(45);
    expect(places.filter(({ right }) => right < 3).length).toBeGreaterThanOrEqual(58);
    expect(places.filter(({ right, stale }) => stale < right).length).toBeLessThanOrEqual(9);
  });
});

async function asked({ days, questions }: Story) {
  const files = Object.entries(days).map(([day, lines]) => [
    `memory/${day}.md`,
    `# ${day}\n\n${lines.map((line) => `- ${line}\n`).join('')}`,
  ]);
  const workspace = testWorkspace(Object.fromEntries(files));
  const at = ['--now', `${Object.keys(days).sort().at(-1)}T20:00:00Z`, '--tz', 'UTC'];
  await workspace.json(['reflect', ...at]);
  const input = questions.map(({ q }, id) => `${JSON.stringify({ id, query: q, k: 5 })}\n`).join('');
  const { stdout } = await workspace.run(['recall', '--batch', '--json', ...at], { input });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line): RecallAnswer => JSON.parse(line));
  return questions.map((question, at) => ({
    ...question,
    contents: (answers[at]?.results ?? []).map(({ content }) => content),
  }));
}
