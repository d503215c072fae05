import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanMarkdown } from '../../src/markdown/scan.js';
import { applyCoreEdit } from '../../src/memory/core-edit.js';
import { testWorkspace } from '../support/test-workspace.js';

const CORE = '# Memory\r\n\r\n## People\r\n\r\n- Peter lives in Graz\r\n\r\n## Work\r\n\r\n- tea\r\n- tea\r\n';
const DREAM = '<!-- openclaw:dreaming:light:start -->\ndreamt\n<!-- openclaw:dreaming:light:end -->\n';

test('core show prints the file as it is', async () => {
  expect(await testWorkspace({ 'MEMORY.md': CORE }).run(['core', 'show'])).toMatchObject({ code: 0, stdout: CORE });
});

test('append adds at the end, or at the end of a section, with the line ends of the file', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': CORE });
  await workspace.run(['core', 'append', '- last']);
  expect(workspace.read('MEMORY.md')).toBe(`${CORE}- last\r\n`);
  await workspace.run(['core', 'append', '- Anna', '--section', 'people']);
  expect(workspace.read('MEMORY.md')).toBe(`${CORE.replace('Graz\r\n', 'Graz\r\n- Anna\r\n')}- last\r\n`);
  expect(await workspace.run(['core', 'append', 'x', '--section', 'nowhere'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('People'),
  });
});

test('replace needs a unique match and says where the others are', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': CORE });
  expect(await workspace.run(['core', 'replace', '--old', 'tea', '--new', 'coffee'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('2 times, in lines 9, 10'),
  });
  expect(await workspace.run(['core', 'replace', '--old', 'nothing', '--new', ''])).toMatchObject({ code: 1 });
  expect(workspace.read('MEMORY.md')).toBe(CORE);
  await workspace.run(['core', 'replace', '--old', 'Graz', '--new', 'Vienna']);
  expect(workspace.read('MEMORY.md')).toBe(CORE.replace('Graz', 'Vienna'));
});

test('insert puts whole lines after or before a line, or at a line', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': 'a\nb\nc' });
  await workspace.run(['core', 'insert', 'x', '--after', 'a']);
  await workspace.run(['core', 'insert', 'y', '--before', 'c']);
  await workspace.run(['core', 'insert', 'z', '--line', '1']);
  await workspace.run(['core', 'insert', 'end', '--after', 'c']);
  expect(workspace.read('MEMORY.md')).toBe('z\na\nx\nb\ny\nc\nend\n');
  expect(await workspace.run(['core', 'insert', 'x', '--line', '99'])).toMatchObject({ code: 1 });
  expect(await workspace.run(['core', 'insert', 'x'])).toMatchObject({ code: 2 });
});

test('a core that would exceed its budget is refused with figures; shortening is allowed (complaint: MEMORY.md grows)', async () => {
  const workspace = testWorkspace({
    'MEMORY.md': `${'x'.repeat(1_600)}END`,
    'memory.config.json5': '{coreBudgetChars: 1500}',
  });
  const before = workspace.read('MEMORY.md');
  expect(await workspace.run(['core', 'append', 'y'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('more than its budget of 1500'),
  });
  expect(workspace.read('MEMORY.md')).toBe(before);
  expect(await workspace.run(['core', 'replace', '--old', 'END', '--new', ''])).toMatchObject({ code: 0 });
});

test('a generated block cannot be edited, the text around it can', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': `a\n${DREAM}b\n` });
  expect(await workspace.run(['core', 'replace', '--old', 'dreamt', '--new', 'x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a program writes'),
  });
  expect(await workspace.run(['core', 'insert', 'x', '--after', 'openclaw:dreaming:light:start'])).toMatchObject({
    code: 1,
  });
  await workspace.run(['core', 'replace', '--old', 'b\n', '--new', 'c\n']);
  expect(workspace.read('MEMORY.md')).toBe(`a\n${DREAM}c\n`);
});

test('MEMORY.md is used if both core files exist, and the other is left alone', async () => {
  const workspace = testWorkspace({ 'MEMORY.md': 'a\n', 'memory.md': 'b\n' });
  expect(await workspace.run(['core', 'append', 'x'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('is ignored'),
  });
  expect([workspace.read('MEMORY.md'), workspace.read('memory.md')]).toEqual(['a\nx\n', 'b\n']);
});

test('secrets are redacted before writing; --dry-run writes nothing', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const workspace = testWorkspace({ 'memory.md': 'a\n' });
  const shown = await workspace.run(['core', 'append', `token ${token}`, '--dry-run']);
  expect(shown.stdout).toContain('+token [redacted:github-token]');
  expect(workspace.read('memory.md')).toBe('a\n');
});

test('an insertion keeps all old lines in order', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '# ', '- ', ' ') });
  let inserted = 0;
  fc.assert(
    fc.property(text, text, fc.nat(), (current, added, pick) => {
      const line = 1 + (pick % current.split('\n').length);
      const edited = applyCoreEdit(current, { type: 'insert', text: `X${added}`, line });
      if (!edited.ok) return;
      inserted++;
      const at = edited.value.indexOf('X');
      const before = edited.value.slice(0, at);
      expect(current.startsWith(before.trimEnd()) || before.trimEnd() === '').toBe(true);
      expect(edited.value.endsWith(current.slice(before.length)) || before.length > current.length).toBe(true);
    }),
  );
  expect(inserted).toBeGreaterThan(20);
});

const LINE = fc
  .tuple(
    fc.constantFrom('', ' ', '  ', '   ', '    ', '\t', '      '),
    fc.constantFrom('- ', '* ', '1. ', '> ', '# ', '```', '', ''),
  )
  .map(([indent, mark]) => `${indent}${mark}`);
const LINES = fc
  .array(
    fc.oneof(
      LINE.map((start) => `${start}word`),
      fc.constantFrom('', '- W @Ivo: rides'),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((lines) => lines.join('\n'));

test('appended text is a paragraph or item of its own and never continues the item above', () => {
  fc.assert(
    fc.property(LINES, fc.constantFrom('', '\n', '\n\n'), LINES, (current, gap, text) => {
      fc.pre(text.trim() !== '');
      const edited = applyCoreEdit(current + gap, { type: 'append', text });
      const after = edited.ok ? edited.value : '';
      expect(after.startsWith(current)).toBe(true);
      const first = current.split('\n').length;
      const items = scanMarkdown(current).blocks.filter(({ type }) => type === 'item');
      for (const item of scanMarkdown(after).blocks)
        if (
          item.type === 'item' &&
          item.startLine <= first &&
          items.some(({ startLine }) => startLine === item.startLine)
        )
          expect(after.split('\n').slice(first, item.endLine).join('').trim()).toBe('');
    }),
  );
});

test.each([
  ['- W @Ivo: rides', 'and more', '- W @Ivo: rides\n\nand more\n'],
  ['- W @Ivo: rides\n', '  - nested', '- W @Ivo: rides\n- nested\n'],
  ['- W @Ivo: rides\n\n', '  indented', '- W @Ivo: rides\n\nindented\n'],
  ['- W @Ivo: rides\n', '- another', '- W @Ivo: rides\n- another\n'],
  ['plain\n', 'more', 'plain\nmore\n'],
])('appending to %j the text %j gives %j', (current, text, after) => {
  expect(applyCoreEdit(current, { type: 'append', text })).toEqual({ ok: true, value: after });
});

test('a section that ends with a list item keeps it when text is appended to the section', () => {
  const edited = applyCoreEdit('# A\n- W @Ivo: rides\n\n# B\n', { type: 'append', text: 'more', section: 'A' });
  expect(edited).toEqual({ ok: true, value: '# A\n- W @Ivo: rides\n\nmore\n\n# B\n' });
});
