import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editOpinionsPage, type NewOpinion, type OpinionState } from '../../src/memory/opinions-edit.js';
import { settleOpinions } from '../../src/memory/opinions-merge.js';
import { type PageOpinion, readOpinionsPage } from '../../src/memory/opinions-page.js';
import { humanOf, newOpinions, states } from '../support/opinion-pages.js';

const HEAD = '# Opinions\n\nBefore them, mark 900.\n\n';
const CONFLICT = /^(?:<{7} |\|{7} |={7}$|>{7} )/m;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-merge-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git leaves of two versions of a file. */
function mergedByGit(base: string, ours: string, theirs: string): string {
  const paths = [ours, base, theirs].map((text, i) => {
    const path = join(folder, String(i));
    writeFileSync(path, text);
    return path;
  });
  return spawnSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8' }).stdout;
}

/** What happens to a page on one machine: notes change, evidence comes in opinions are added, somebody writes a note. */
interface Machine {
  readonly wanted: readonly (OpinionState | undefined)[];
  readonly added: readonly NewOpinion[];
  readonly notes: readonly number[];
}

const machines: fc.Arbitrary<Machine> = fc.record({
  wanted: fc.array(fc.option(states, { nil: undefined }), { maxLength: 4 }),
  added: newOpinions(2),
  notes: fc.array(fc.nat(3), { maxLength: 2 }),
});

function lived(base: string, { wanted, added, notes }: Machine, number: number): string {
  const changes = readOpinionsPage(base).flatMap((opinion, i) => {
    const state = wanted[i];
    // Evidence is only added: what was judged stays judged.
    return state === undefined
      ? []
      : [
          {
            opinion,
            state: {
              ...inOwnWay(state, number, i),
              isRetired: opinion.isRetired,
              evidence: [...opinion.evidence, ...fresh(opinion, state)],
            },
          },
        ];
  });
  const own = added.map((opinion, i) => ({
    ...inOwnWay(opinion, number, 5 + i),
    id: `o-${'xyz'[number]}${opinion.id.slice(3)}`,
  }));
  const lines = editOpinionsPage(base, changes, own).split('\n');
  for (const [i, at] of notes.entries()) {
    const opinion = readOpinionsPage(lines.join('\n'))[at];
    if (opinion !== undefined) lines.splice(opinion.textEndLine, 0, `  - my words, mark ${number * 10 + i}`);
  }
  return lines.join('\n');
}

/** No two opinions are believed to the same sixth digit. */
function inOwnWay<T extends OpinionState>(state: T, machine: number, index: number): T {
  return { ...state, confidence: state.confidence + machine * 1e-4 + index * 1e-5 };
}

function fresh({ evidence }: PageOpinion, state: OpinionState): OpinionState['evidence'] {
  const known = new Set(evidence.map(({ fact }) => fact));
  return state.evidence.filter(({ fact }) => !known.has(fact));
}

function evidenceOf(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    readOpinionsPage(text).map(({ id, evidence }) => [
      id,
      new Set(evidence.map(({ fact, supports }) => `${supports} ${fact}`)),
    ]),
  );
}

test('whatever git leaves of two machines: no marker, every opinion once, with the evidence and the notes of both', () => {
  let conflicts = 0;
  fc.assert(
    fc.property(newOpinions(4), machines, machines, (opinions, one, other) => {
      const base = editOpinionsPage(
        HEAD,
        [],
        opinions.map((opinion, i) => inOwnWay(opinion, 0, i)),
      );
      const [ours, theirs] = [lived(base, one, 1), lived(base, other, 2)];
      const left = mergedByGit(base, ours, theirs);
      if (CONFLICT.test(left)) conflicts++;
      const { text, merged, isUnsettled } = settleOpinions(left);
      expect(isUnsettled).toBe(false);
      expect(text).not.toMatch(CONFLICT);
      expect(humanOf(text).toSorted()).toEqual([...new Set([...humanOf(ours), ...humanOf(theirs)])].toSorted());
      const ids = readOpinionsPage(text).map(({ id }) => id);
      expect(ids.toSorted()).toEqual(
        [...new Set([ours, theirs].flatMap((side) => [...evidenceOf(side).keys()]))].toSorted(),
      );
      for (const [id, listed] of evidenceOf(text)) {
        const both = new Set([ours, theirs].flatMap((side) => [...(evidenceOf(side).get(id) ?? [])]));
        expect([id, [...listed].toSorted()]).toEqual([id, [...both].toSorted()]);
      }
      for (const { id, mark, evidence } of readOpinionsPage(text)) {
        // Nobody has edited what is not called merged: its mark fits its list, so that nothing seems deleted by hand.
        if (!merged.has(id) && mark !== null) expect(mark.listed.size, id).toBe(evidence.length);
      }
      expect(settleOpinions(text)).toEqual({ text, merged: new Set(), isUnsettled: false });
    }),
    { numRuns: 60 },
  );
  expect(conflicts).toBeGreaterThan(20);
});

test('a page that no merge has touched stays byte for byte', () => {
  fc.assert(
    fc.property(newOpinions(4), machines, fc.constantFrom('\n', '\r\n', '\r'), (opinions, machine, eol) => {
      const text = lived(editOpinionsPage(HEAD, [], opinions), machine, 1).replaceAll('\n', eol);
      expect(settleOpinions(text)).toEqual({ text, merged: new Set(), isUnsettled: false });
    }),
    { numRuns: 100 },
  );
});

test('a conflict about the prose of people is theirs to settle: the page is left as it is', () => {
  const text =
    '# Opinions\n\n<<<<<<< HEAD\nMy words.\n=======\nYour words.\n>>>>>>> other\n\n- O(c=0.7) @Peter: likes tea\n';
  expect(settleOpinions(text)).toEqual({ text, merged: new Set(), isUnsettled: true });
});
