import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeBothChanges } from '../../src/text/changes.js';
import { cases } from '../support/cases.js';
import { childEnv } from '../support/cli.js';

const line = fc.constantFrom('a', 'b', 'c', '', '__proto__', '张三');
const end = fc.constantFrom('\n', '\n', '\r\n', '\r');
const text = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, end), { maxLength: 8 }), fc.option(line, { nil: '' }))
  .map(([bom, lines, last]) => (bom ? '\uFEFF' : '') + lines.map(([body, tail]) => body + tail).join('') + last);

test('if one side is unchanged, or both are equal, the other side is the result, byte for byte', () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(mergeBothChanges(base, base, other)).toEqual({ ok: true, value: other });
      expect(mergeBothChanges(base, other, base)).toEqual({ ok: true, value: other });
      expect(mergeBothChanges(base, other, other)).toEqual({ ok: true, value: other });
    }),
  );
});

test('separate edits of both sides are merged, with every line end as it was', () => {
  const parts = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), end), { minLength: 1, maxLength: 4 });
  const unique = (name: string, lines: readonly (readonly [string, string])[]) =>
    lines.map(([body, tail], i) => `${name}${i} ${body.replace(/[\r\n]/g, '')}${tail}`).join('');
  fc.assert(
    fc.property(parts, parts, parts, parts, parts, (start, left, middle, right, last) => {
      const [s, m, l] = [unique('start', start), unique('middle', middle), unique('last', last)];
      const [a, b] = [unique('left', left), unique('right', right)];
      expect(mergeBothChanges(s + m + l, s + a + m + l, s + m + b + l)).toEqual({ ok: true, value: s + a + m + b + l });
      expect(mergeBothChanges(s + a + m + b + l, s + m + b + l, s + a + m + l)).toEqual({ ok: true, value: s + m + l });
    }),
  );
});

test('the merge is symmetric and invents nothing', () => {
  const linesOf = (value: string) => value.replace('\uFEFF', '').split(/\r\n|\r|\n/);
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const [one, other] = [mergeBothChanges(base, ours, theirs), mergeBothChanges(base, theirs, ours)];
      expect(one.ok).toBe(other.ok);
      if (!one.ok || !other.ok) return;
      expect(one.value).toBe(other.value);
      // Both sides may have deleted everything.
      if (one.value.replace('\uFEFF', '') === '') return;
      const known = new Set([...linesOf(ours), ...linesOf(theirs)]);
      expect(linesOf(one.value).filter((found) => !known.has(found))).toEqual([]);
    }),
    {
      numRuns: cases(500),
      examples: [['a\r\n__proto__', '\n__proto__', '\n__proto__\na\r\na\r']],
    },
  );
});

test('a merge without a conflict in git gives the same result here', () => {
  const folder = mkdtempSync(join(tmpdir(), 'merge3-'));
  const edits = fc.array(fc.tuple(fc.nat(9), fc.constantFrom('delete', 'change', 'insert')), { maxLength: 2 });
  const base = Array.from({ length: 10 }, (_, i) => `line ${i}\n`);
  const edited = (side: string, made: readonly (readonly [number, string])[]) => {
    const lines = [...base];
    for (const [at, edit] of made) {
      if (edit === 'delete') lines[at] = '';
      else lines[at] = edit === 'change' ? `${side} ${at}\n` : `${base[at]}${side} ${at}\n`;
    }
    return lines.join('');
  };
  let compared = 0;
  try {
    fc.assert(
      fc.property(edits, edits, (left, right) => {
        const [ours, theirs] = [edited('ours', left), edited('theirs', right)];
        const merged = mergeBothChanges(base.join(''), ours, theirs);
        const byGit = gitMerge(folder, [ours, base.join(''), theirs]);
        if (byGit === undefined) return;
        expect(merged).toEqual({ ok: true, value: byGit });
        compared++;
      }),
      { numRuns: 60, seed: 7 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(compared).toBeGreaterThan(10);
});

/** Returns undefined for a conflict in git. */
function gitMerge(folder: string, texts: readonly string[]): string | undefined {
  const paths = texts.map((content, i) => {
    const path = join(folder, String(i));
    writeFileSync(path, content);
    return path;
  });
  try {
    return execFileSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8', env: childEnv(), stdio: 'pipe' });
  } catch {
    return undefined;
  }
}

test('a conflict reports its line in our version', () => {
  expect(mergeBothChanges('a\nb\nc\n', 'x\na\nB\nc\n', 'a\nbb\nc\n')).toEqual({
    ok: false,
    error: { line: 3 },
  });
});

test('changes of adjacent lines are independent; two insertions at one place are a conflict', () => {
  expect(mergeBothChanges('a\nb\n', 'A\nb\n', 'a\nB\n')).toEqual({ ok: true, value: 'A\nB\n' });
  expect(mergeBothChanges('a\nb\n', 'a\nb\nnew\n', 'a\nB\n')).toEqual({ ok: true, value: 'a\nB\nnew\n' });
  expect(mergeBothChanges('a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n')).toEqual({ ok: false, error: { line: 2 } });
  expect(mergeBothChanges('a\nb\nc\n', 'x\na\nb\nc\nnew\n', 'a\nB\nC\n')).toEqual({
    ok: true,
    value: 'x\na\nB\nC\nnew\n',
  });
});

test.each([
  ['an added final line end', 'a\nb', 'a\nb\n', 'A\nb', 'A\nb\n'],
  ['an added byte order mark', 'a\nb\n', '\uFEFFa\nb\n', 'A\nb\n', '\uFEFFA\nb\n'],
  ['a line behind one without an end', 'a\nm\nb', 'a\nm\nb\nc', 'A\nm\nb', 'A\nm\nb\nc'],
  ['a text emptied on neither side', '', 'a', '', 'a'],
])('%s does not conflict with a change elsewhere', (_, base, ours, theirs, merged) => {
  expect(mergeBothChanges(base, ours, theirs)).toEqual({ ok: true, value: merged });
});

test('in long texts separate changes merge, and too many changes are a conflict', () => {
  const long = 'same\n'.repeat(200_000);
  expect(mergeBothChanges(`${long}m\n`, `first\n${long}m\n`, `${long}m\nlast\n`)).toEqual({
    ok: true,
    value: `first\n${long}m\nlast\n`,
  });
  expect(mergeBothChanges(long, `a\n${long}a\n`, `b\n${long}b\n`)).toEqual({ ok: false, error: { line: 1 } });
});
