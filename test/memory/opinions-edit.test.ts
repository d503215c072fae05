import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editOpinionsPage, type OpinionState } from '../../src/memory/opinions-edit.js';
import { type PageOpinion, readOpinionsPage } from '../../src/memory/opinions-page.js';
import { cases } from '../support/cases.js';
import { humanByOpinion, humanLines, humanOf, newOpinions, states } from '../support/opinion-pages.js';

const HEAD = '# Opinions\n\nBefore them, mark 900.\n\n';

/** A page written by reflect, with lines of a person inserted anywhere. */
const pages = fc
  .record({
    opinions: newOpinions(5),
    edits: fc.array(fc.tuple(fc.nat(60), humanLines), { maxLength: 12 }),
    eol: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ opinions, edits, eol, isEnded }) => {
    const lines = editOpinionsPage(HEAD, [], opinions).trimEnd().split('\n');
    for (const [i, [at, line]] of edits.entries())
      lines.splice(1 + (at % lines.length), 0, line.replace('N', String(i)));
    return lines.join(eol) + (isEnded ? eol : '');
  });

function change(text: string, wanted: readonly OpinionState[], keepPlaces: boolean): string {
  const changes = readOpinionsPage(text).flatMap((opinion, i) => {
    const state = wanted[i];
    return state === undefined
      ? []
      : [{ opinion, state: keepPlaces ? { ...state, isRetired: opinion.isRetired } : state }];
  });
  return editOpinionsPage(text, changes, []);
}

test('every line of a person stays once and in place, whatever happens to the notes', () => {
  fc.assert(
    fc.property(pages, fc.array(states, { maxLength: 6 }), newOpinions(2), (text, wanted, added) => {
      const after = change(text, wanted, true);
      expect(humanOf(after)).toEqual(humanOf(text));
      const more = added.map((opinion) => ({ ...opinion, id: opinion.id.replace('o-', 'o-z').slice(0, 15) }));
      expect(humanOf(editOpinionsPage(after, [], more))).toEqual(humanOf(text));
    }),
    { numRuns: cases(300) },
  );
});

test('an opinion that moves to Retired or back takes a person’s lines along; other lines stay in order', () => {
  fc.assert(
    fc.property(pages, fc.array(states, { minLength: 1, maxLength: 6 }), (text, wanted) => {
      const after = change(text, wanted, false);
      expect(humanOf(after).toSorted()).toEqual(humanOf(text).toSorted());
      const [before, now] = [humanByOpinion(text), humanByOpinion(after)];
      for (const [id, lines] of before) expect(now.get(id), id).toEqual(lines);
    }),
    { numRuns: cases(300) },
  );
});

test('the page shows the given states and keeps its line ends', () => {
  fc.assert(
    fc.property(pages, fc.array(states, { maxLength: 6 }), (text, wanted) => {
      const before = readOpinionsPage(text);
      const after = change(text, wanted, false);
      if (text.includes('\r\n')) expect(after).not.toMatch(/(?<!\r)\n/);
      const now = new Map(readOpinionsPage(after).map((opinion) => [opinion.id, opinion]));
      expect(now.size).toBe(new Set(before.map(({ id }) => id)).size);
      for (const [i, { id }] of before.entries()) {
        const state = wanted[i];
        if (state !== undefined) expect(said(now.get(id))).toEqual(said(stated(id, state)));
      }
    }),
    { numRuns: cases(300) },
  );
});

interface Said {
  readonly confidence: string | undefined;
  readonly prior: unknown;
  readonly isRetired: boolean | undefined;
  readonly evidence: readonly string[] | undefined;
}

function stated(_id: string, { confidence, prior, evidence, isRetired }: OpinionState) {
  return { confidence, prior, evidence, isRetired };
}

function said(
  opinion: (Pick<PageOpinion, 'confidence' | 'prior' | 'isRetired'> & Pick<OpinionState, 'evidence'>) | undefined,
): Said {
  return {
    confidence: opinion?.confidence.toFixed(2),
    prior: opinion?.prior,
    isRetired: opinion?.isRetired,
    // A line without a link belongs to a person.
    evidence: opinion?.evidence
      .filter(({ source }) => source !== '')
      .map(({ fact, source, supports, weight }) => `${supports} ${fact} ${source} ${weight}`)
      .toSorted(),
  };
}

test('writing the same states again changes no byte', () => {
  fc.assert(
    fc.property(pages, fc.array(states, { maxLength: 6 }), (text, wanted) => {
      const once = change(text, wanted, true);
      expect(change(once, wanted, true)).toBe(once);
    }),
    { numRuns: cases(200) },
  );
});
