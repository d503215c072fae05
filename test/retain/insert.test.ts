import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOfPath } from '../../src/memory/pages.js';
import { readUnits } from '../../src/memory/units.js';
import { insertFacts } from '../../src/retain/insert.js';
import { cases } from '../support/cases.js';

const PATH = 'memory/2026-03-15.md';
const FACTS = ['- W @Peter: lives in Vienna', '- O(c=0.8) @Anna: likes tea'];

/** Returns the facts that a reader of the page finds, by line. */
function factLines(text: string): ReadonlyMap<number, string> {
  const page = pageOfPath(PATH);
  if (page === undefined) throw new Error(`${PATH} is a page`);
  const facts = readUnits(PATH, page, text).units.filter(({ fact }) => fact !== null);
  return new Map(facts.map(({ line, text: statement }) => [line, statement]));
}

function expectInserted(before: string): void {
  const { text, appended, firstLine } = insertFacts(before, '2026-03-15', FACTS);
  const read = factLines(text);
  expect(read.get(firstLine)).toBe('@Peter: lives in Vienna');
  expect(read.get(firstLine + 1)).toBe('@Anna: likes tea');
  if (appended !== null) expect(text).toBe(before + appended);
  // Without the new lines every old line is left, in order.
  const old = before.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const rest = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  let at = 0;
  for (const line of rest) if (line === old[at]) at++;
  expect(at).toBe(old.length);
  // Lines that were facts still are.
  const after = [...read.values()];
  for (const statement of factLines(before).values()) expect(after).toContain(statement);
}

test.each([
  ['an empty page', ''],
  ['a page without the heading', '# 2026-03-15\n\nWent for a walk.\n'],
  ['no final line end', '# 2026-03-15\n\n## Retain\n- W @X: a'],
  ['other sections behind', '# d\n\n## Retain\n\n- W @X: a\n\n## Evening\n\ntea\n'],
  ['two headings, as a merge leaves them', '## Retain\n- W @X: a\n\n## Retain\n- W @Y: b\n\n## Night\n'],
  ['an open fence at the end', '# d\n\n```sh\necho hi\n'],
  ['an open fence behind the heading', '## Retain\n\n- W @X: a\n\n```\ncode\n'],
  ['an open comment at the end', '# d\n\ntext\n\n<!-- forgotten\nstill inside\n'],
  ['CRLF', '# d\r\n\r\n## Retain\r\n- W @X: a\r\n\r\n## More\r\nx\r\n'],
  ['lone CR', '# d\r\r## Retain\r- W @X: a\r'],
  ['a BOM', '\uFEFF# d\n\n## Retain\n- W @X: a\n'],
  ['front matter', '---\ntitle: d\n---\n\ntext\n'],
  ['a nested list at the end', '## Retain\n- W @X: a\n  - deeper\n    - deeper still\n'],
  ['a paragraph at the end of the section', '## Retain\n- W @X: a\nlazy line\n'],
])('facts are inserted where they are read back: %s', (_, before) => {
  expectInserted(before);
});

test('line ends of the page are kept', () => {
  expect(insertFacts('# d\r\n\r\ntext\r\n', 'd', FACTS).text).not.toMatch(/[^\r]\n/);
  expect(insertFacts('# d\r\rtext\r', 'd', FACTS).text).not.toContain('\n');
});

test('in any page facts are read back at the reported lines, and every old line stays', () => {
  const line = fc.constantFrom(
    '',
    'text',
    '## Retain',
    '## Other',
    '- W @X: a',
    '- item',
    '  - nested',
    '```',
    '~~~~',
    '<!-- a',
    'b -->',
    '> quote',
    '    code',
    '1. one',
    '---',
    '<div>',
    '* * *',
    '[a]: b',
    '- ',
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 14 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      (lines, end, final) => {
        expectInserted(lines.join(end) + (final ? end : ''));
      },
    ),
    { numRuns: cases(1_500) },
  );
});
