import { expect, test } from 'vitest';
import { daysBetween } from '../../src/language/time/calendar.js';
import { parseBullet } from '../../src/markdown/bullet.js';
import { halfYear, liveThrough, verdictOracle } from './half-year.js';
import { livePages, pagesYear } from './half-year-pages.js';
import { WORDS } from './half-year-words.js';

const year = halfYear(1);
const CRON = /\[cron:|^- S /;

interface Note {
  readonly at: number;
  readonly text: string;
}

/** Notes about an opinion, by day. */
function notes(text: string, verdict: 'supports' | 'contradicts'): readonly Note[] {
  return year.days.flatMap(({ lines }, at) =>
    lines
      .filter((line) => line.startsWith('- ') && !CRON.test(line) && verdictOracle(line, text) === verdict)
      .map((line) => ({ at, text: line })),
  );
}

function daysOf(found: readonly Note[]): readonly number[] {
  return [...new Set(found.map(({ at }) => at))];
}

test('the same seed gives the same half-year; another seed gives another', () => {
  expect(halfYear(1)).toEqual(year);
  expect(halfYear(2)).not.toEqual(year);
});

test('the half-year has at least 150 days in a row and 30 opinions, each on the page with its own id', () => {
  expect(year.days.length).toBeGreaterThanOrEqual(150);
  for (const [at, { day }] of year.days.entries()) expect(daysBetween(year.days[0]?.day ?? '0000-01-01', day)).toBe(at);
  const ids = year.initialOpinions.match(/\^o-[0-9a-z]{13}$/gm) ?? [];
  expect(new Set(ids).size).toBe(30);
  expect(year.truth.map(({ opinion }) => `^${opinion}`)).toEqual(ids);
});

test('no wording means two things', () => {
  const wordings = WORDS.topics.flatMap(([, , ...values]) => values.flat());
  expect(new Set(wordings).size).toBe(wordings.length);
});

test('every list item under Retain is a fact, and the half-year is in English and Chinese', () => {
  const items = year.days.flatMap(({ lines }) => lines.filter((line) => line.startsWith('- ')));
  for (const item of items) expect(parseBullet(item.slice(2)).type, item).toBe('fact');
  expect(items.length).toBeGreaterThan(600);
  const written = items.filter((item) => !CRON.test(item));
  const chinese = written.filter((item) => /\p{Script=Han}/u.test(item)).length;
  expect(chinese / written.length).toBeGreaterThan(0.15);
});

test('a third of the notes that contradict the page use varied wording', () => {
  const contradicting = year.truth.flatMap(({ text }) => notes(text, 'contradicts'));
  const plain = new Set(WORDS.topics.flatMap(([, , ...values]) => values.map(([word]) => word)));
  const isVaried = ({ text }: Note) => ![...plain].some((known) => text.includes(`: ${known}`));
  const share = contradicting.filter(isVaried).length / contradicting.length;
  expect(contradicting.length).toBeGreaterThan(200);
  expect(share).toBeGreaterThan(0.29);
  expect(share).toBeLessThan(0.38);
});

test('notes follow the truth: most notes of a value fall on days on which it holds', () => {
  for (const { text, holds, course } of year.truth) {
    const [pro, contra] = [daysOf(notes(text, 'supports')), daysOf(notes(text, 'contradicts'))];
    const right = pro.filter((at) => holds[at]).length + contra.filter((at) => !holds[at]).length;
    const least = course === 'drift' || course === 'noise' ? 0.6 : 0.85;
    expect(right / (pro.length + contra.length), text).toBeGreaterThan(least);
  }
});

test('after each flip many days note the new value, and the truth changes on the day of the flip', () => {
  expect(year.flips.length).toBeGreaterThanOrEqual(8);
  for (const { opinion, newValue, day } of year.flips) {
    const truth = year.truth.find((candidate) => candidate.opinion === opinion);
    const turn = year.days.findIndex((candidate) => candidate.day === day);
    expect(truth?.holds.indexOf(false)).toBe(turn);
    expect(truth?.competing[0]?.holds[turn]).toBe(true);
    expect(daysOf(notes(newValue, 'supports')).filter((at) => at >= turn).length).toBeGreaterThanOrEqual(8);
  }
});

test('every course occurs, and a job repeats an outdated value every day', () => {
  const courses = new Set(year.truth.map(({ course }) => course));
  expect([...courses].sort()).toEqual(['cron', 'drift', 'flip', 'noise', 'stable', 'wrong']);
  for (const { text } of year.truth.filter(({ course }) => course === 'cron')) {
    const repeated = year.days.filter(({ lines }) => lines.some((line) => CRON.test(line) && line.includes(text)));
    expect(repeated.length).toBeGreaterThan(150);
  }
});

test('the pairs join each belief that is right at the end with each wrong belief of the page', () => {
  const wrong = year.truth.filter(({ holds }) => holds.at(-1) === false);
  expect(year.pairs).toHaveLength(30 * wrong.length);
  for (const { higher, lower } of year.pairs) {
    expect(wrong.map(({ opinion }) => opinion)).toContain(lower.opinion);
    const truth = year.truth.find(({ text }) => verdictOracle(higher.text, text) !== 'unrelated');
    expect(truth?.holds.at(-1)).toBe(higher.opinion !== null);
  }
});

test.each([
  ['- O(c=0.9) @Peter: prefers spaces over tabs.', '@Peter: prefers tabs over spaces', 'contradicts'],
  ['gave up on tabs and indents with spaces now', 'prefers spaces over tabs ^o-0000000000000', 'supports'],
  ['@张三: 把咖啡机送人了。', '喜欢喝咖啡', 'contradicts'],
  ['reads its jobs from a Kafka topic', 'uses RabbitMQ for the queue', 'contradicts'],
  ['@Peter: drinks tea in the morning', '@Peter: prefers tabs over spaces', 'unrelated'],
  ['anything else', 'prefers tabs over spaces', 'unrelated'],
])('the oracle judges %s and %s: %s', (fact, opinion, verdict) => {
  expect(verdictOracle(fact, opinion)).toBe(verdict);
});

// Rules see only denials in a belief's own words; whether another value replaced it is for a judge to say.
test('after half a year by rules most true beliefs rank above false ones; the table is in BENCHMARKS.md', async () => {
  const run = await liveThrough(year, { every: 14 });
  expect(run.pairs).toBeGreaterThan(400);
  expect(run.right / run.pairs, run.wrong.join('\n')).toBeGreaterThanOrEqual(0.72);
});

test('on twenty days of half a year most lines under Now are true, and most true statements are listed there', async () => {
  const { shown, wrong, due, missing, lost, contradictions } = await livePages(
    pagesYear(2, WORDS.wordings.tuned ?? []),
  );
  expect(shown).toBeGreaterThan(800);
  // A change in words that do not name the old value needs a judge; until then both are listed.
  expect(wrong.length / shown, wrong.join('\n')).toBeLessThanOrEqual(0.22);
  expect(missing.length / due, missing.join('\n')).toBeLessThanOrEqual(0.1);
  expect([lost, contradictions]).toEqual([[], []]);
});
