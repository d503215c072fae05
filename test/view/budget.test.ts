import { expect, test } from 'vitest';
import { parseDay } from '../../src/language/time/calendar.js';
import { limitPageSize } from '../../src/view/budget.js';
import type { PageBelief, PageData, PageItem } from '../../src/view/page-data.js';

const LIMIT = 400_000;
const TODAY = parseDay('2026-12-31') ?? expect.fail();

function dayAt(index: number) {
  return parseDay(new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10));
}

/** A page in which everything is very much: 300 days, each with one fact that supports every belief. */
function largePage(): PageData {
  const days = Array.from({ length: 300 }, (_, index) => index);
  const items = days.map((day): PageItem => ({ kind: 'world', text: `fact of ${day}`, at: [day, 1] }));
  const statement = (day: number) => ({ text: `statement of ${day}`, at: [day, 2] as const, from: dayAt(day) });
  const newestFirst = days.toReversed().map(statement);
  const belief: PageBelief = {
    id: 'o-1',
    text: '@A: likes tea',
    about: [0],
    confidence: 0.9,
    place: 'bank',
    at: [0, 3],
    prior: [0.5, dayAt(0)],
    curve: days.flatMap((day) => [[dayAt(day) ?? TODAY, 0.5 + day / 1000] as const]),
    steps: days.map((day) => ({ direction: 'supports', at: [day, 1] })),
  };
  const entity = { name: 'A', slug: 'a', type: null, aliases: [], mentions: 1, page: null, prose: [299] };
  const holds = {
    now: newestFirst.map((one) => ({ ...one, earlier: newestFirst.slice(0, 50) })),
    planned: [],
    lately: newestFirst,
    before: newestFirst,
  };
  return {
    workspace: 'w',
    today: TODAY,
    zone: 'UTC',
    since: null,
    entity: null,
    lineMark: '#L',
    files: days.map((day) => ({ path: `${day}.md`, day: dayAt(day), href: `${day}.md` })),
    items,
    entities: [{ ...entity, holds, hasMore: false }],
    together: [],
    notes: [],
    links: [],
    beliefs: Array.from({ length: 400 }, (_, index) => ({ ...belief, id: `o-${index}` })),
    waiting: { questions: [], contradictions: [], proposals: [] },
    lastRun: {
      day: TODAY,
      result: 'done',
      message: null,
      facts: 300,
      written: 2,
      now: [],
      beliefs: Array.from({ length: 3000 }, (_, index) => ({ id: `o-${index}`, text: 't', before: null, after: 0.9 })),
    },
    sessions: [],
    commits: [],
    left_out: { log_lines: 0, until: null, facts: 0, facts_until: null, shortened_pages: 0 },
  };
}

test('a page of very many beliefs and statements keeps the newest of each, counts the rest, and fits', () => {
  const whole = largePage();
  const page = limitPageSize(whole, 1_000, LIMIT);
  expect(JSON.stringify(page).length + 1_000).toBeLessThanOrEqual(LIMIT);
  expect(page.beliefs).toHaveLength(400);
  for (const { steps, more = 0, curve } of page.beliefs) {
    expect(steps.length + more).toBe(300);
    expect(steps.at(-1)?.at).toEqual([299, 1]);
    // The chart begins at the confidence before the first step that is shown.
    expect(curve).toHaveLength(steps.length + 1);
  }
  const [entity] = page.entities;
  expect(entity?.hasMore).toBe(true);
  expect(entity?.holds?.now[0]?.text).toBe('statement of 299');
  expect(entity?.holds?.now[0]?.earlier?.[0]?.text).toBe('statement of 299');
  expect((page.lastRun?.beliefs.length ?? 0) + (page.lastRun?.more ?? 0)).toBe(3000);
});

test('facts without room go oldest first; evidence and indices keep what they name', () => {
  const { beliefs, ...whole } = largePage();
  const long = 'long '.repeat(300);
  const entities = whole.entities.map((entity) => ({ ...entity, holds: null }));
  const items = whole.items.map((item) => ({ ...item, text: `${item.text} ${long}` }));
  const cited = beliefs.slice(0, 1).map((belief) => ({ ...belief, steps: belief.steps.slice(0, 50) }));
  const page = limitPageSize({ ...whole, items, entities, beliefs: cited, lastRun: null }, 1_000, LIMIT);
  expect(JSON.stringify(page).length + 1_000).toBeLessThanOrEqual(LIMIT);
  expect(page.left_out.facts).toBeGreaterThan(100);
  expect(page.items.length + page.left_out.facts).toBe(300);
  expect(page.items[0]?.at[0]).toBe(page.left_out.facts);
  expect(page.left_out.facts_until).toBe(dayAt(page.left_out.facts - 1));
  const [prose = -1] = page.entities[0]?.prose ?? [];
  expect(page.items[prose]?.at).toEqual([299, 1]);
  const shown = new Set(page.items.map(({ at }) => at[0]));
  const dropped = (page.beliefs[0]?.steps ?? []).filter(({ at }) => at !== null && !shown.has(at[0]));
  expect(dropped).toHaveLength(50);
  for (const { at, text } of dropped) expect(text).toContain(`fact of ${at?.[0]} `);
});

test('a page that fits stays as it is', () => {
  const whole = largePage();
  expect(limitPageSize(whole, 1_000, 100_000_000)).toBe(whole);
});
