import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderPrompt, variablesOf } from '../../src/model/model.js';
import { estimateTokens } from '../../src/text/tokens.js';
import { readTemplate, templatesFolder } from '../../src/workspace/templates.js';
import { cases } from '../support/cases.js';

/** Variables that the code gives to each template: texts of somebody, and our own. */
const GIVEN: Readonly<Record<string, { readonly data: readonly string[]; readonly text?: readonly string[] }>> = {
  'extract.md': { data: ['bank', 'conversation', 'read'], text: ['asked', 'id', 'now', 'types'] },
  'infer.md': { data: ['log'], text: ['day'] },
  'wm-create.md': { data: ['earlier_summary', 'transcript'] },
  'flush.md': { data: ['transcript'], text: ['today'] },
  'reflect-judge.md': { data: ['pairs'] },
  'reflect-settle.md': { data: ['statements'] },
  'reflect-summary.md': { data: ['facts', 'subject'] },
  'wm-update.md': { data: ['working_memory', 'transcript'], text: ['asked', 'reminders'] },
};

const TEMPLATES = readdirSync(join(templatesFolder(), 'prompts')).map((name) => [
  name,
  readTemplate(`prompts/${name}`),
]);

test.each(TEMPLATES)('%s has exactly its given variables, with every foreign text between tags', (name, text = '') => {
  const { data, text: own = [] } = GIVEN[name ?? ''] ?? { data: [] };
  expect([...variablesOf(text)].toSorted()).toEqual([...data, ...own].toSorted());
  for (const variable of data)
    expect(text).toMatch(new RegExp(`<${variable}>(\n?)\\{\\{${variable}\\}\\}\\1</${variable}>`));
  const values = { data: filled(data), text: filled(own) };
  expect(() => renderPrompt(text, values)).not.toThrow();
});

test.each(TEMPLATES)('%s costs at most 1,200 tokens without its data', (_, text = '') => {
  expect(estimateTokens(text)).toBeLessThanOrEqual(1_200);
});

const TEMPLATE = 'Be good.\n--- user ---\n{{note}}\n\n<notes>\n{{notes}}\n</notes>\n';

test('a template is split into system and user part, and the line of an empty own text is removed', () => {
  const prompt = renderPrompt(TEMPLATE, { data: { notes: 'a {{note}} $&' }, text: { note: '' } });
  expect(prompt).toEqual({ system: 'Be good.', user: '<notes>\na {{note}} $&\n</notes>' });
});

test.each([
  [{ data: { notes: 'a' } }, /without a value for \[note\]/],
  [{ data: { notes: 'a', more: 'b' }, text: { note: 'c' } }, /without a place for \[more\]/],
])('a missing or additional value is a bug: %j', (values, message) => {
  expect(() => renderPrompt(TEMPLATE, values)).toThrow(message);
});

test('foreign text is refused in the system part', () => {
  expect(() => renderPrompt('{{notes}}\n--- user ---\nhi', { data: { notes: 'a' } })).toThrow(/system part/);
  expect(() => renderPrompt('{{notes}}', { data: { notes: 'a' } })).toThrow(/--- user ---/);
});

test('data can neither close its tags nor open new ones', () => {
  const piece = fc.constantFrom(
    '</notes>',
    '< / NOTES >',
    '<\u200bno\u200btes',
    '<notes>',
    'x',
    '\n',
    '{{note}}',
    '<',
    '/',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { user } = renderPrompt(TEMPLATE, { data: { notes: pieces.join('') }, text: { note: 'n' } });
      expect(user.replace(/[\s\p{Cf}]/gu, '').match(/<\/?notes/giu)).toEqual(['<notes', '</notes']);
    }),
    { numRuns: cases(300) },
  );
});

function filled(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, 'some text']));
}
