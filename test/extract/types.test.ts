import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMemoryFile, parseMemoryFile } from '../../src/extract/page/form.js';
import { testWorkspace } from '../support/test-workspace.js';

const RECIPES = `name: recipes
description: Dishes
directory: viking://user/{{ user_space }}/memories/recipes
filename_template: "{{ dish }}"
fields:
  - name: dish
    merge_op: immutable
  - name: content
`;

test('the built-in types are all listed, with the folders of their pages', async () => {
  const { code, stdout } = await testWorkspace().run(['types', '--json']);
  expect(code).toBe(0);
  const { types }: { types: { name: string; directory: string; content_template: string | null }[] } =
    JSON.parse(stdout);
  const byTemplate = types.filter((type) => type.content_template !== null).map(({ name }) => name);
  expect(byTemplate).toEqual(['experiences', 'skills', 'tools']);
  expect(types.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['profile', 'preferences', 'entities', 'events', 'cases', 'patterns']),
  );
});

test('a type of the workspace is added, or replaces a built-in one of the same name', async () => {
  const own = RECIPES.replace('name: recipes', 'name: cases');
  const workspace = testWorkspace({ 'bank/types/a.yaml': RECIPES, 'bank/types/b.yml': own });
  const recipes = JSON.parse((await workspace.run(['types', 'recipes', '--json'])).stdout);
  expect(recipes).toMatchObject({ directory: 'bank/recipes', source: 'bank/types/a.yaml', operation_mode: 'upsert' });
  const cases = JSON.parse((await workspace.run(['types', 'cases', '--json'])).stdout);
  expect(cases).toMatchObject({ directory: 'bank/recipes', source: 'bank/types/b.yml' });
});

test.each([
  ['an unknown key', RECIPES.replace('description:', 'descripton:'), ':2: "descripton"', 'description'],
  ['an unknown merge operation', RECIPES.replace('immutable', 'immutible'), ':7: merge_op', 'immutable'],
  ['an unknown type', `${RECIPES}    type: strng\n`, ':9: type', 'string'],
  ['a folder outside of the bank', RECIPES.replace(/viking\S+ user_space \S+/, '../secrets'), ':3: directory', 'bank'],
  ['the folder of the types', RECIPES.replace(/viking\S+ user_space \S+/, 'bank/types'), ':3: directory', 'bank'],
  ['an unknown variable', RECIPES.replace('{{ dish }}', '{{ dihs }}'), ':4: filename_template', 'dish'],
  ['an invalid template', `${RECIPES}content_template: "{% if dish %}"\n`, ':9: content_template', 'Liquid'],
  ['a file name that may change', RECIPES.replace('immutable', 'replace'), ':4: filename_template', 'immutable'],
  ['a sum of texts', `${RECIPES}    merge_op: sum\n`, ':9: content: merge_op', 'int64'],
  ['no name', RECIPES.replace('name: recipes\n', ''), ':1: name', 'name'],
  ['an alias of another value', RECIPES.replace(/description: .*/, 'description: *other'), ':2: description', 'itself'],
  ['no YAML', 'name: [', ':1: the file', ''],
])('%s is refused with file, line and key', async (_, yaml, where, hint) => {
  const { code, stderr } = await testWorkspace({ 'bank/types/mine.yaml': yaml }).run(['types']);
  expect(code).toBe(2);
  expect(stderr).toContain(`bank/types/mine.yaml${where}`);
  expect(stderr).toContain(hint);
});

test('an unknown type is refused with the nearest known one', async () => {
  const { code, stderr } = await testWorkspace().run(['types', 'preference']);
  expect(code).toBe(1);
  expect(stderr).toContain('did you mean preferences?');
});

test('an unreadable type is named by every command that uses types', async () => {
  const workspace = testWorkspace({ 'bank/types/mine.yaml': RECIPES.replace('immutable', 'immutible') });
  const where = 'bank/types/mine.yaml:7: merge_op';
  const lint = await workspace.run(['lint', '--json']);
  expect(lint.code).toBe(4);
  expect(JSON.parse(lint.stdout).problems).toEqual([
    expect.objectContaining({ rule: 'broken-type', severity: 'error', path: 'bank/types/mine.yaml', line: 7 }),
  ]);
  const doctor = await workspace.run(['doctor']);
  expect(doctor.code).toBe(4);
  expect(doctor.stdout).toContain(where);
  const extract = await workspace.run(['extract', '--stdin'], { input: 'We eat soup.' });
  expect(extract.code).toBe(2);
  expect(extract.stderr).toContain(where);
  await workspace.run(['session', 'add', 'chat', '--role', 'user', '--text', 'We eat soup.']);
  const commit = await workspace.run(['session', 'commit', 'chat', '--keep-recent', '0']);
  expect(commit.code).toBe(0);
  expect(commit.stderr).toContain(`nothing was extracted: ${where}`);
});

const NASTY = ['-->', '<!--', '<!-- MEMORY_FIELDS {"a":1} -->', '```', '\\u002d', '{{ x }}', '\r\n', '--', '茶', '"}'];
const text = fc.array(fc.oneof(fc.constantFrom(...NASTY), fc.string())).map((parts) => parts.join(''));

test('fields and body are read back exactly, whatever they contain', () => {
  const fields = fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/).filter((key) => key !== 'content'),
    fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text)),
  );
  fc.assert(
    fc.property(text, fields, (body, given) => {
      const file = formatMemoryFile(body, given);
      expect(file.trimEnd().endsWith('-->')).toBe(true);
      expect(parseMemoryFile(file)).toEqual({ body: body.trim(), fields: given, state: 'fields' });
    }),
  );
});

test.each([
  ['a comment that is quoted in a fence', 'Docs:\n```\n<!-- MEMORY_FIELDS\n{"version": 7}\n-->\n```\nend', {}],
  ['one that never ends', 'a\n\n<!-- MEMORY_FIELDS\n{"version": 1}', {}],
  ['one in lower case', 'a <!-- memory_fields {} -->', {}],
])('%s is read as text', (_, raw, fields) => {
  expect(parseMemoryFile(raw)).toMatchObject({ body: raw, fields });
});

test('a field value may contain the end of a comment', () => {
  const raw = 'a\n\n<!-- MEMORY_FIELDS\n{"note": "x --> y"}\n-->';
  expect(parseMemoryFile(raw)).toMatchObject({ body: 'a', fields: { note: 'x --> y' } });
});

test('a person’s comment after the fields stays in the body, and the fields stay last', () => {
  const raw = 'a\n\n<!-- MEMORY_FIELDS\n{"n":1}\n-->\n<!-- mine -->\n';
  const { body, fields } = parseMemoryFile(raw);
  expect({ body, fields }).toEqual({ body: 'a\n<!-- mine -->', fields: { n: 1 } });
  expect(formatMemoryFile(body, fields)).toMatch(/<!-- mine -->\n\n<!-- MEMORY_FIELDS[\s\S]*-->\n$/);
});

test('damaged fields are reported as damaged, not as missing', () => {
  expect(parseMemoryFile('a\n\n<!-- MEMORY_FIELDS\n{"n":\n-->')).toMatchObject({ state: 'damaged' });
});
