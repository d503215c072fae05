import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/base/clock.js';
import { type DatedFact, replacedBy, Told } from '../../src/memory/supersession/supersession.js';
import { HOUSEHOLD_KEPT, HOUSEHOLD_REPLACED } from './household-pairs.js';
import { KEPT, REPLACED } from './replaced-pairs.js';

function told(day: `${number}`, text: string, more: Partial<DatedFact> = {}, until: Day = '2026-02-01'): Told {
  const fact: DatedFact = {
    kind: 'world',
    day: `2026-01-${day}`,
    path: 'memory/log.md',
    line: 1,
    text,
    entities: ['Mira'],
    period: null,
    ...more,
  };
  return new Told(fact, (name) => name.toLowerCase(), until);
}

function replaces(earlier: string, later: string): boolean {
  return replacedBy(told('10', earlier), [told('20', later)]) !== undefined;
}

describe('a later value replaces an earlier one', () => {
  test.each([...REPLACED, ...HOUSEHOLD_REPLACED])('%s ← %s', (earlier, later) =>
    expect(replaces(earlier, later)).toBe(true),
  );
});

describe('what one may have several of, another matter, an event, a plan and a doubt replace nothing', () => {
  test.each([...KEPT, ...HOUSEHOLD_KEPT])('%s | %s', (earlier, later) => expect(replaces(earlier, later)).toBe(false));
});

describe('whatever two statements say', () => {
  const [earlier, later] = ['The port of the wiki is 8080', 'The port of the wiki is 9090'];

  test('of different subjects none replaces the other', () => {
    expect(replacedBy(told('10', earlier), [told('20', later, { entities: ['Noor'] })])).toBeUndefined();
  });

  test('what was done is never replaced, and replaces nothing', () => {
    const kind = 'experience';
    expect(replacedBy(told('10', earlier, { kind }), [told('20', later, { kind })])).toBeUndefined();
    expect(told('20', later, { kind }).counts).toBe(false);
  });

  test('a value that came back holds', () => {
    expect(replacedBy(told('10', earlier), [told('25', earlier), told('20', later)])).toBeUndefined();
    expect(replacedBy(told('20', later), [told('25', earlier)])?.fact.day).toBe('2026-01-25');
  });

  test('what begins later or is for a time only does not count', () => {
    expect(told('20', later, { period: { from: '2026-02-10', to: null } }, '2026-02-01').counts).toBe(false);
    expect(told('20', later, { period: { from: '2026-02-10', to: null } }, '2026-02-10').counts).toBe(true);
    const stay = told('20', later, { period: { from: '2026-01-20', to: '2026-01-24' } });
    expect(replacedBy(told('10', earlier), [stay])).toBeUndefined();
  });

  test('nothing is replaced by the same, and any text is read without an error', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.constantFrom(...REPLACED.flat()));
    fc.assert(
      fc.property(text, (said) => {
        expect(replaces(said, said)).toBe(false);
      }),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        replaces(one, other);
      }),
    );
  });
});

describe('of two opinions of one holder about one thing', () => {
  const opinion = (day: `${number}`, text: string, holder = 'Mira') =>
    told(day, text, { kind: 'opinion', entities: [holder] });
  test.each([
    ['Thinks Tailwind is fine', 'Dislikes Tailwind now'],
    ['Prefers tea over coffee', 'Prefers coffee over tea'],
    ['Trusts the new build server', 'No longer trusts the new build server'],
    ['Likes working from home', 'Hates working from home'],
    ['喜欢喝咖啡', '不喜欢喝咖啡'],
  ])('%s ← %s', (earlier, later) => {
    expect(replacedBy(opinion('10', earlier), [opinion('20', later)])).toBeDefined();
    expect(replacedBy(opinion('10', earlier), [opinion('20', later, 'Noor')])).toBeUndefined();
  });
  test.each([
    ['Thinks Tailwind is fine', 'Dislikes Bootstrap'],
    ['Likes jazz', 'Likes metal'],
    ['Prefers window seats', 'Prefers short replies'],
    ['喜欢喝茶', '喜欢爬山'],
  ])('%s | %s', (earlier, later) => {
    expect(replacedBy(opinion('10', earlier), [opinion('20', later)])).toBeUndefined();
  });
});
