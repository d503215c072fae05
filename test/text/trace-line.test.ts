import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasBlockId, LineTracer } from '../../src/text/trace-line.js';

const MARK = '^f-a1b2c3d4e5f6g';

/** Returns the hunks between the versions of a page, newest first, as git prints them without context. */
function hunks(versions: readonly string[]): readonly string[] {
  return versions.slice(1).map((older, i) => {
    const patch = createTwoFilesPatch('a', 'b', older, versions[i] ?? '', '', '', { context: 0 });
    return patch.slice(patch.indexOf('\n@@ ') + 1);
  });
}

test('a line is traced through its wordings back to its first version', () => {
  const tracer = new LineTracer('- W @P: lives in Vienna now', MARK);
  const steps = hunks([
    'x\n- W @P: lives in Vienna now\n',
    'x\n- W @P: lives in Vienna\n',
    'x\n- W @P: lives in Graz\n- other\n',
    'x\n- W @P: lives in Graz\n',
    'x\n',
  ]).map((step) => tracer.step(step));
  expect(steps).toEqual([
    { old: '- W @P: lives in Vienna', new: '- W @P: lives in Vienna now' },
    { old: '- W @P: lives in Graz', new: '- W @P: lives in Vienna' },
    undefined,
    { old: null, new: '- W @P: lives in Graz' },
  ]);
});

test('a mark is traced through rewording, removal and return; a move of the line is not a change', () => {
  const tracer = new LineTracer(null, MARK);
  const steps = hunks([
    'x\n',
    `y\nx\nall new words ${MARK}\n`,
    `all new words ${MARK}\ny\nx\n`,
    `- W @P: lives in Graz ${MARK}\ny\nx\n`,
    '- W @P: lives in Graz\ny\nx\n',
  ]).map((step) => tracer.step(step));
  expect(steps).toEqual([
    { old: `all new words ${MARK}`, new: null },
    undefined,
    { old: `- W @P: lives in Graz ${MARK}`, new: `all new words ${MARK}` },
    { old: '- W @P: lives in Graz', new: `- W @P: lives in Graz ${MARK}` },
  ]);
});

test('two lines with nothing in common are not taken for one', () => {
  const [step = ''] = hunks(['- Peter lives in Vienna\n', '- the backup failed\n']);
  expect(new LineTracer('- Peter lives in Vienna', MARK).step(step)).toEqual({
    old: null,
    new: '- Peter lives in Vienna',
  });
});

test('Chinese wordings are compared by characters', () => {
  const [step = ''] = hunks(['- O @张三: 喜欢喝红茶\r\n', '- O @张三: 喜欢喝绿茶\r\n']);
  expect(new LineTracer('- O @张三: 喜欢喝红茶\r', MARK).step(step)?.old).toBe('- O @张三: 喜欢喝绿茶');
});

test.each([
  [`text ${MARK}`, true],
  [`text ${MARK} <!-- x -->`, true],
  [`text ${MARK}x`, false],
  ['text', false],
])('"%s" has the mark: %s', (line, expected) => {
  expect(hasBlockId(line, MARK)).toBe(expected);
});

test('the changes of a marked line lead from nothing to its current text, in any sequence of versions', () => {
  const version = fc.record({
    before: fc.array(fc.constantFrom('a', 'b', '', '--- x', '+++ y', '@@ z', '\\ no'), { maxLength: 3 }),
    word: fc.constantFrom('tea', 'coffee', 'milk'),
  });
  fc.assert(
    fc.property(fc.array(version, { minLength: 1, maxLength: 6 }), (versions) => {
      const texts = versions.map(({ before, word }) => [...before, `${word} ${MARK}`, 'end', ''].join('\n'));
      const lines = versions.map(({ word }) => `${word} ${MARK}`);
      const tracer = new LineTracer(lines[0] ?? null, MARK);
      const changes = hunks([...texts, 'end\n']).flatMap((step) => tracer.step(step) ?? []);
      const wanted = [...lines, null].flatMap((line, i, all) =>
        i > 0 && line !== all[i - 1] ? [{ old: line, new: all[i - 1] ?? null }] : [],
      );
      expect(changes).toEqual(wanted);
    }),
  );
});
