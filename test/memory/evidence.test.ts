import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseFinalVerdicts, formatVerdict, parseVerdicts, type Verdict } from '../../src/memory/evidence.js';

const verdicts = fc.record<Verdict>({
  fact: fc.constantFrom('f-aaaaaaaaaaaaa', 'f-bbbbbbbbbbbbb'),
  opinion: fc.constantFrom('o-aaaaaaaaaaaaa', 'o-bbbbbbbbbbbbb'),
  direction: fc.constantFrom('supports', 'contradicts', 'none'),
  by: fc.constantFrom<Verdict['by'][]>('human', 'agent', 'rules', 'model:qwen3:4b-instruct'),
  day: fc.constantFrom('2026-01-01', '2026-01-02'),
  weight: fc.constantFrom(0.5, 1),
  at: fc.constantFrom(null, '2026-01-03T10:00:00.000Z', '2026-01-04T10:00:00.000Z'),
});

test('a verdict is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(verdicts), (given) => {
      expect(parseVerdicts(given.map(formatVerdict).join(''))).toEqual({ verdicts: given, unread: 0 });
    }),
  );
});

test('the order and repetition of lines, which a union merge may change, do not matter', () => {
  fc.assert(
    fc.property(fc.array(verdicts, { maxLength: 12 }), fc.array(fc.nat(11)), (given, again) => {
      const mixed = [...given, ...again.flatMap((index) => given[index] ?? [])].reverse();
      const flat = (all: readonly Verdict[]) =>
        [...chooseFinalVerdicts(all).values()]
          .flatMap((ofOpinion) => [...ofOpinion.values()].map(formatVerdict))
          .sort();
      expect(flat(mixed)).toEqual(flat(given));
    }),
  );
});

test('a person overrules a model, a model overrules the rules, and a person’s later verdict overrules the earlier', () => {
  const base: Verdict = {
    fact: 'f-aaaaaaaaaaaaa',
    opinion: 'o-aaaaaaaaaaaaa',
    direction: 'supports',
    by: 'rules',
    day: '2026-01-01',
    weight: 1,
    at: null,
  };
  const model: Verdict = { ...base, by: 'model:m', direction: 'none' };
  const human: Verdict = { ...base, by: 'human', direction: 'contradicts', at: '2026-01-03T10:00:00.000Z' };
  const later: Verdict = { ...human, direction: 'supports', at: '2026-01-04T10:00:00.000Z' };
  const winner = (...given: readonly Verdict[]) => chooseFinalVerdicts(given).get(base.opinion)?.get(base.fact);
  expect(winner(model, base)).toEqual(model);
  expect(winner(human, model, base)).toEqual(human);
  expect(winner(later, human, model)).toEqual(later);
});

test.each(['{', 'null', '[]', '{"fact":"f-1"}', '<<<<<<< HEAD', '{"fact":1,"opinion":"o-1","direction":"supports"}'])(
  'a line %s is skipped and counted',
  (line) => expect(parseVerdicts(`${line}\n`)).toEqual({ verdicts: [], unread: 1 }),
);
