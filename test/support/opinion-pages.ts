import fc from 'fast-check';
import { addDays } from '../../src/language/time/calendar.js';
import type { NewOpinion, OpinionState } from '../../src/memory/opinions-edit.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';

const ID = 'abcdefghjkmnp';

function factIdOf(number: number): string {
  return `f-${ID.slice(0, 11)}${DIGITS[Math.floor(number / 32) % 32]}${DIGITS[number % 32]}`;
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const days = fc.integer({ min: 1, max: 28 }).map((day) => addDays('2026-02-01', day - 1));
const confidences = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100);

/** Possible states of an opinion in its notes. */
export const states: fc.Arbitrary<OpinionState> = fc
  .record({
    confidence: confidences,
    prior: fc.record({ confidence: confidences, day: days }),
    updated: days,
    isRetired: fc.boolean(),
    more: fc.constantFrom(0, 0, 213),
    facts: fc.uniqueArray(fc.nat(40), { maxLength: 6 }),
    supports: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  })
  .map(({ facts, supports, ...state }) => ({
    ...state,
    evidence: facts.map((fact, i) => ({
      fact: factIdOf(fact),
      source: `memory/2026-02-${String(1 + (fact % 28)).padStart(2, '0')}.md#L${fact + 3}`,
      supports: supports[i] === true,
      weight: fact % 3 === 0 ? 0.8 : 1,
    })),
  }));

/** New beliefs, each with an id of its own. */
export function newOpinions(maxLength: number): fc.Arbitrary<readonly NewOpinion[]> {
  return fc.array(states, { maxLength }).map((all) => all.map((state, i) => ({ ...state, ...statement(i) })));
}

function statement(index: number): Pick<NewOpinion, 'id' | 'entities' | 'text'> {
  return { id: `o-${DIGITS[index]?.repeat(13)}`, entities: ['Peter'], text: `belief number ${index}` };
}

/** Lines that a person may insert; `N` makes each unique. */
export const humanLines: fc.Arbitrary<string> = fc.constantFrom(
  'Words of mine, mark N.',
  '- a point of mine, mark N',
  '  - a note of mine, mark N',
  '    deeper, mark N',
  '### A heading, mark N',
  '> quoted, mark N',
  '<!-- kept, mark N -->',
  '* stars, mark N',
  '1. first, mark N',
  '| a | mark N |',
  '  - for: no link at all, mark N',
  '- W @Peter: a fact of mine, mark N',
  'trailing blanks, mark N   ',
  '\tmark N after a tab',
);

const MARK = /mark \d+/;

/** Returns the unchanged lines of a person in a text. */
export function humanOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => MARK.test(line));
}

/** Returns the same lines by opinion; lines outside of opinions have the empty id. */
export function humanByOpinion(text: string): ReadonlyMap<string, readonly string[]> {
  const opinions = readOpinionsPage(text);
  const found = new Map<string, string[]>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (!MARK.test(line)) continue;
    const id = opinions.find(({ startLine, endLine }) => startLine <= index + 1 && index + 1 <= endLine)?.id ?? '';
    found.set(id, [...(found.get(id) ?? []), line]);
  }
  return found;
}
