import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatVerdict, type Verdict, VerdictStore } from '../../src/memory/evidence.js';
import { editOpinionsPage, type NewOpinion, type OpinionState } from '../../src/memory/opinions-edit.js';
import { repairMergedOpinions } from '../../src/memory/opinions-merge.js';
import { type PageOpinion, readOpinionsPage } from '../../src/memory/opinions-page.js';
import { type OpinionEditInput, readHumanEdits } from '../../src/reflect/human-edits.js';
import { humanOf, newOpinions, states } from '../support/opinion-pages.js';

const HEAD = '# Opinions\n\nBefore them, mark 900.\n\n';
const CONFLICT = /^(?:<{7} |\|{7} |={7}$|>{7} )/m;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openclaw-memory-merge-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the result of a git merge of two versions of a file. */
function mergedByGit(base: string, ours: string, theirs: string): string {
  const paths = [ours, base, theirs].map((text, i) => {
    const path = join(folder, String(i));
    writeFileSync(path, text);
    return path;
  });
  return spawnSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8' }).stdout;
}

/** What one machine does to a page: notes change, evidence and opinions are added, a person writes a note. */
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
    // Evidence is only added: a verdict stays.
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

/** Gives each opinion a confidence that differs from all others in the sixth digit. */
function inOwnWay<T extends OpinionState>(state: T, machine: number, index: number): T {
  return { ...state, confidence: state.confidence + machine * 1e-4 + index * 1e-5 };
}

function fresh({ evidence }: PageOpinion, state: OpinionState): OpinionState['evidence'] {
  const known = new Set(evidence.map(({ fact }) => fact));
  return state.evidence.filter(({ fact }) => !known.has(fact));
}

interface Listed {
  readonly id: string;
  readonly fact: string;
  readonly supports: boolean;
}

function linesOf(text: string): readonly Listed[] {
  return readOpinionsPage(text).flatMap(({ id, evidence }) =>
    evidence.flatMap(({ fact, supports }) => (fact === null ? [] : [{ id, fact, supports }])),
  );
}

function evidenceLine({ fact, supports }: Listed): string {
  return `${supports ? 'for' : 'against'} ${fact}`;
}

function without(some: readonly Listed[], others: readonly Listed[]): readonly Listed[] {
  const place = (line: Listed): string => `${line.id} ${evidenceLine(line)}`;
  const known = new Set(others.map(place));
  return some.filter((line) => !known.has(place(line)));
}

/** The verdict that a run recorded for such a line. */
function judged({ id, fact, supports }: Listed): Verdict {
  const direction = supports ? 'supports' : 'contradicts';
  return { fact, opinion: id, direction, by: 'rules', day: DAY, weight: 1, at: `${DAY}T00:00:00Z` };
}

const DAY = '2026-02-01';
const READING: OpinionEditInput = {
  today: DAY,
  now: `${DAY}T00:00:00Z`,
  dayOf: () => DAY,
  taken: () => undefined,
  hasForeign: true,
};

test('any merge result of two machines ends without markers, with each opinion once and all evidence and notes', () => {
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
      const { text, merged, isUnsettled } = repairMergedOpinions(left);
      expect(isUnsettled).toBe(false);
      expect(text).not.toMatch(CONFLICT);
      expect(humanOf(text).toSorted()).toEqual([...new Set([...humanOf(ours), ...humanOf(theirs)])].toSorted());
      const ids = readOpinionsPage(text).map(({ id }) => id);
      expect(ids.toSorted()).toEqual(
        [...new Set([ours, theirs].flatMap((side) => readOpinionsPage(side).map(({ id }) => id)))].toSorted(),
      );
      const all = [ours, theirs].flatMap(linesOf);
      expect(new Set(linesOf(text).map(evidenceLine))).toEqual(new Set(all.map(evidenceLine)));
      // Git may move a line to another opinion when lines are alike: that is neither a verdict nor a deletion.
      const book = new VerdictStore(all.map((line) => formatVerdict(judged(line))).join(''));
      const edits = readHumanEdits(readOpinionsPage(text), book, merged, READING);
      expect(edits.verdicts).toEqual([]);
      const moved = [...without(linesOf(text), all), ...without(all, linesOf(text))];
      expect(moved.filter(({ fact }) => !edits.strays.has(fact))).toEqual([]);
      expect(repairMergedOpinions(text)).toEqual({ text, merged: new Set(), isUnsettled: false });
    }),
    { numRuns: 60 },
  );
  expect(conflicts).toBeGreaterThan(20);
});

test('an unmerged page stays byte for byte', () => {
  fc.assert(
    fc.property(newOpinions(4), machines, fc.constantFrom('\n', '\r\n', '\r'), (opinions, machine, eol) => {
      const text = lived(editOpinionsPage(HEAD, [], opinions), machine, 1).replaceAll('\n', eol);
      expect(repairMergedOpinions(text)).toEqual({ text, merged: new Set(), isUnsettled: false });
    }),
    { numRuns: 100 },
  );
});

test('a conflict in the prose of people leaves the page unchanged', () => {
  const text =
    '# Opinions\n\n<<<<<<< HEAD\nMy words.\n=======\nYour words.\n>>>>>>> other\n\n- O(c=0.7) @Peter: likes tea\n';
  expect(repairMergedOpinions(text)).toEqual({ text, merged: new Set(), isUnsettled: true });
});
