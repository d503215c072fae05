import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { confidenceSteps, type EvidenceStep, finalConfidence, type Prior } from '../../src/memory/confidence.js';
import { formatVerdict, parseVerdicts, type Verdict, VerdictStore } from '../../src/memory/evidence.js';

const FIRST = '2026-01-01';
const PRIOR: Prior = { confidence: 0.7, day: FIRST };
const on = (offset: number, supports: boolean, weight?: number): EvidenceStep => ({
  day: addDays(FIRST, offset),
  supports,
  weight,
});

describe('each day changes a confidence by one net step', () => {
  test.each<[string, readonly EvidenceStep[], number]>([
    ['no evidence changes nothing', [], 0.7],
    ['support moves 0.08 of the way to 1', [on(1, true)], 0.7 + 0.08 * 0.3],
    ['contradiction takes 0.12 of it', [on(1, false)], 0.7 * 0.88],
    ['a day counts once', [on(1, true), on(1, true), on(1, true)], 0.7 + 0.08 * 0.3],
    ['a balanced day counts for nothing', [on(1, true), on(1, false)], 0.7],
    ['the stronger side of a day wins', [on(1, true, 0.9), on(1, false, 0.5)], 0.7 + 0.08 * 0.9 * 0.3],
    ['an unsure fact moves less', [on(1, false, 0.5)], 0.7 * (1 - 0.06)],
    ['evidence up to the day of the prior is included in it', [on(0, false), on(-5, false)], 0.7],
  ])('%s', (_, evidence, confidence) => {
    expect(finalConfidence(PRIOR, evidence)).toBeCloseTo(confidence, 12);
  });

  test('a prior without a day includes no evidence', () => {
    expect(finalConfidence({ confidence: 0.7, day: null }, [on(-5, false)])).toBeCloseTo(0.616, 12);
  });
});

describe('three agreeing days in a row show a change of mind', () => {
  const changes = (evidence: readonly EvidenceStep[]) => confidenceSteps(PRIOR, evidence).map(({ change }) => change);
  const against = [on(1, false), on(2, false), on(3, false)];
  test('the third against a belief counts double', () => {
    expect(changes(against)).toEqual(['step', 'step', 'doubled']);
    expect(finalConfidence(PRIOR, against)).toBeCloseTo(0.7 * 0.88 * 0.88 * 0.76, 12);
  });
  test('days do not count as three in a row if they lie apart, are too unsure, or one between disagrees', () => {
    expect(changes([on(1, false), on(2, false), on(40, false)])).toEqual(['step', 'step', 'step']);
    expect(changes([on(1, false, 0.4), on(2, false, 0.4), on(3, false, 0.4)])).toEqual(['step', 'step', 'step']);
    expect(changes([on(1, false), on(2, false), on(3, true), on(4, false)])).not.toContain('doubled');
  });
  test('the third supporting day of a refuted belief resets it to the confidence of its least sure statement', () => {
    const back = [on(11, true), on(12, true), on(13, true)];
    const refuted = Array.from({ length: 10 }, (_, day) => on(day + 1, false));
    expect(changes([...refuted, ...back]).slice(-3)).toEqual(['step', 'step', 'anew']);
    expect(finalConfidence(PRIOR, [...refuted, ...back])).toBe(0.7);
    expect(finalConfidence(PRIOR, [...refuted, ...back.slice(1)])).toBeLessThan(0.35);
    expect(changes(back)).toEqual(['step', 'step', 'step']);
  });
});

const arbitraryEvidence = fc.array(
  fc.record({
    day: fc.integer({ min: -5, max: 60 }).map((offset) => addDays(FIRST, offset)),
    supports: fc.boolean(),
    weight: fc.constantFrom(0.3, 0.5, 0.7, 0.8, 0.9, 1),
  }),
  { maxLength: 40 },
);

test('the result does not depend on the order of evidence, and stays between 0 and 1', () => {
  fc.assert(
    fc.property(arbitraryEvidence, fc.infiniteStream(fc.nat()), (evidence, random) => {
      const shuffled = evidence.map((step) => ({ step, at: random.next().value })).sort((a, b) => a.at - b.at);
      const confidence = finalConfidence(PRIOR, evidence);
      expect(
        finalConfidence(
          PRIOR,
          shuffled.map(({ step }) => step),
        ),
      ).toBe(confidence);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThan(1);
    }),
  );
});

test('steps are in order of days, one a day, and each begins where the last ended', () => {
  fc.assert(
    fc.property(arbitraryEvidence, (evidence) => {
      const steps = confidenceSteps(PRIOR, evidence);
      expect(steps.map(({ day }) => day)).toEqual([...new Set(steps.map(({ day }) => day))].sort());
      for (const [index, { before }] of steps.entries()) {
        expect(before).toBe(index === 0 ? PRIOR.confidence : steps[index - 1]?.after);
      }
    }),
  );
});

const times = ['2026-01-03T10:00:00.000Z', '2026-01-04T10:00:00.000Z'] as const;
const judges = fc.constantFrom<Verdict['by'][]>('human', 'agent', 'rules', 'model:qwen3:4b-instruct', 'model:m');

const verdicts = fc.record<Verdict, keyof Omit<Verdict, 'digest' | 'proposed'>>(
  {
    fact: fc.constantFrom('f-aaaaaaaaaaaaa', 'f-bbbbbbbbbbbbb'),
    opinion: fc.constantFrom('o-aaaaaaaaaaaaa', 'o-bbbbbbbbbbbbb'),
    direction: fc.constantFrom('supports', 'contradicts', 'none'),
    by: judges,
    day: fc.constantFrom('2026-01-01', '2026-01-02'),
    weight: fc.constantFrom(0.5, 1),
    at: fc.constantFrom(null, ...times),
    digest: fc.constant('0123456789ab'),
    proposed: fc.constantFrom('supports', 'none'),
  },
  { requiredKeys: ['fact', 'opinion', 'direction', 'by', 'day', 'weight', 'at'] },
);

/** Lines that revoke verdicts, about one or both opinions. */
const revocations = fc
  .record({
    fact: fc.constantFrom('f-aaaaaaaaaaaaa', 'f-bbbbbbbbbbbbb'),
    opinion: fc.constantFrom('o-aaaaaaaaaaaaa', 'o-aaaaaaaaaaaaa o-bbbbbbbbbbbbb'),
    direction: fc.constant('undone'),
    by: judges,
    day: fc.constant('2026-01-01'),
    at: fc.constantFrom(...times),
  })
  .map((line) => `${JSON.stringify(line)}\n`);

test('a verdict is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(verdicts), (given) => {
      expect(parseVerdicts(given.map(formatVerdict).join(''))).toEqual({ verdicts: given, revoked: [], unread: 0 });
    }),
  );
});

const lines = fc.oneof(verdicts.map(formatVerdict), revocations);

test('the order and repetition of lines, which a union merge may change, do not matter', () => {
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 12 }), fc.array(fc.nat(11)), (given, again) => {
      const mixed = [...given, ...again.flatMap((index) => given[index] ?? [])].reverse();
      const flat = (all: readonly string[]) =>
        [...new VerdictStore(all.join('')).winning().values()]
          .flatMap((ofOpinion) => [...ofOpinion.values()].map(formatVerdict))
          .sort();
      expect(flat(mixed)).toEqual(flat(given));
    }),
  );
});

describe('of several verdicts about a pair', () => {
  const base: Verdict = {
    fact: 'f-aaaaaaaaaaaaa',
    opinion: 'o-aaaaaaaaaaaaa',
    direction: 'supports',
    by: 'rules',
    day: '2026-01-01',
    weight: 1,
    at: null,
  };
  const [early, late] = times;
  const model: Verdict = { ...base, by: 'model:m', direction: 'none' };
  const human: Verdict = { ...base, by: 'human', direction: 'contradicts', at: early };
  const store = (...given: readonly Verdict[]) => new VerdictStore(given.map(formatVerdict).join(''));
  const winner = (...given: readonly Verdict[]) => store(...given).of(base.fact, base.opinion);

  test("a person's counts before a model's, a model's before that of the rules, and the later one of the same kind", () => {
    const later: Verdict = { ...human, direction: 'supports', at: late };
    expect(winner(model, base)).toEqual(model);
    expect(winner(human, model, base)).toEqual(human);
    expect(winner(later, human, model)).toEqual(later);
    expect(winner(human, { ...model, at: late })).toEqual(human);
  });

  test.each<[Verdict['direction'], Verdict['direction']]>([
    ['supports', 'contradicts'],
    ['contradicts', 'supports'],
  ])('of two models the later counts: first %s, then %s', (first, second) => {
    const older: Verdict = { ...model, by: 'model:z', direction: first, at: early };
    const newer: Verdict = { ...model, direction: second, at: late };
    expect(winner(older, newer)).toEqual(newer);
    expect(winner(newer, older)).toEqual(newer);
    // The clock of the other machine may be ahead.
    const book = store({ ...older, at: late });
    book.add({ ...newer, at: early });
    expect(book.of(base.fact, base.opinion)).toMatchObject({ by: 'model:m', direction: second });
  });

  test('a proposal of a model counts only if nobody has judged', () => {
    const proposal: Verdict = { ...model, proposed: 'contradicts', at: late };
    expect(winner(proposal, base)).toEqual(base);
    expect(winner(proposal, { ...model, at: early })).toMatchObject({ at: early });
    expect(winner(proposal)).toEqual(proposal);
  });

  test('a revoked one does not count, and the judge may judge again', () => {
    const book = store(base, { ...model, at: late });
    book.revoke('model:m', early);
    expect(book.of(base.fact, base.opinion)).toEqual(base);
    const again = new VerdictStore([base, { ...model, at: late }].map(formatVerdict).join('') + book.lines());
    expect(again.of(base.fact, base.opinion)).toEqual(base);
    again.add({ ...model, at: early });
    expect(again.of(base.fact, base.opinion)).toMatchObject({ by: 'model:m' });
  });
});

test.each(['{', 'null', '[]', '{"fact":"f-1"}', '<<<<<<< HEAD', '{"fact":1,"opinion":"o-1","direction":"supports"}'])(
  'a line %s is skipped and counted',
  (line) => expect(parseVerdicts(`${line}\n`)).toEqual({ verdicts: [], revoked: [], unread: 1 }),
);
