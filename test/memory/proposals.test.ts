import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProposal, markProposal, type Proposal, parseProposals, proposalId } from '../../src/memory/proposals.js';
import { cases } from '../support/cases.js';

/** Texts with many characters of the grammar. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.array(
      fc.constantFrom(
        '"',
        '\\',
        ' (',
        ')',
        ' -> ',
        '; cites ',
        'accepted 2026-01-02',
        '\n',
        '\u2028',
        ' ',
        'tea',
        '张',
      ),
      {
        maxLength: 8,
      },
    ),
  )
  .map((parts) => (typeof parts === 'string' ? parts : parts.join('')));
const someText = text.filter((value) => value !== '');
const day = '2026-03-15';

const proposal: fc.Arbitrary<Proposal> = fc
  .record({
    change: fc.oneof(
      someText.map((value) => ({ action: 'add', text: value }) as const),
      someText.map((value) => ({ action: 'move-out', text: value }) as const),
      fc.tuple(someText, someText).map(([old, value]) => ({ action: 'shorten', old, text: value }) as const),
    ),
    reason: text,
    citations: fc.array(
      fc.oneof(fc.constantFrom('memory/2026-01-02.md#L3', 'a, (b).md#L1', '100%28.md'), someText.filter(isName)),
      { maxLength: 3 },
    ),
  })
  .map(({ change, ...grounds }) => ({ ...change, ...grounds }));

function isName(value: string): boolean {
  return !/\p{Cs}/u.test(value) && value.trim() === value;
}

describe('proposals are read back as written', () => {
  test('with action, texts and citations unchanged, and the reason on one line without parentheses', () => {
    fc.assert(
      fc.property(proposal, (written) => {
        const line = formatProposal(written);
        expect(line).not.toMatch(/[\r\n]/);
        const { items, unreadable } = parseProposals(`# Page\n\n${line}\n`);
        expect(unreadable).toEqual([]);
        expect(items).toHaveLength(1);
        const [item] = items;
        expect(item).toMatchObject({ id: proposalId(written), state: 'open', line: 3 });
        const { reason, ...rest } = item?.proposal ?? written;
        const { reason: _, ...wanted } = written;
        expect(rest).toEqual(wanted);
        expect(formatProposal({ ...written, reason })).toBe(line);
      }),
      { numRuns: cases(2000) },
    );
  });

  test('a mark changes only the state, and another mark replaces it', () => {
    fc.assert(
      fc.property(proposal, proposal, fc.constantFrom('\n', '\r\n'), (first, second, end) => {
        const page = `a${end}${formatProposal(first)}${end}${formatProposal(second)}`;
        const [, before] = parseProposals(page).items;
        const accepted = markProposal(page, 3, { accepted: day });
        const rejected = markProposal(page, 2, 'rejected');
        expect(parseProposals(accepted).items.map(({ state }) => state)).toEqual(['open', 'accepted']);
        expect(parseProposals(accepted).items[1]?.proposal).toEqual(before?.proposal);
        expect(accepted.startsWith(`a${end}${formatProposal(first)}${end}`)).toBe(true);
        expect(rejected).toBe(page.replace('- [ ]', '- [-]'));
        expect(markProposal(accepted, 3, 'rejected')).toBe(markProposal(page, 3, 'rejected'));
      }),
      { numRuns: cases(300) },
    );
  });

  test('any page is read without an error, and a mark on a line without a proposal changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, proposal.map(formatProposal))), (lines) => {
        const page = lines.join('\n');
        const { items } = parseProposals(page);
        for (let line = 0; line <= lines.length; line++) {
          if (items.some((item) => item.line === line)) continue;
          expect(markProposal(page, line, 'rejected')).toBe(page);
        }
      }),
      { numRuns: cases(300) },
    );
  });
});

const ADD = { action: 'add', text: 'Peter lives in Vienna', reason: '', citations: [] } as const;

test('a proposal is a line that a person could write', () => {
  const grounds = { reason: 'said on 3 days', citations: ['memory/2026-01-02.md#L3', 'bank/world.md#L7'] };
  expect(formatProposal({ ...ADD, ...grounds })).toBe(
    '- [ ] add to the core: Peter lives in Vienna (said on 3 days; cites memory/2026-01-02.md#L3, bank/world.md#L7)',
  );
  expect(formatProposal({ action: 'shorten', old: 'a "b"', text: 'a', reason: '', citations: [] })).toBe(
    '- [ ] shorten in the core: "a \\"b\\"" -> "a"',
  );
  expect(formatProposal({ action: 'move-out', text: 'tea', reason: 'x', citations: [] })).toBe(
    '- [ ] move out of the core: "tea" (x)',
  );
});

test.each([
  ['- [ ] add to the core: tea (green) (flush of s1)', { text: 'tea (green)', reason: 'flush of s1', citations: [] }],
  ['* [X] add to the core: tea', { text: 'tea', reason: '' }],
  ['- [x] add to the core: tea (said; accepted 2026-01-02)  ', { text: 'tea', reason: 'said' }],
  ['- [-] add to the core: "a\\nb" (cites a.md#L1)', { text: 'a\nb', reason: '', citations: ['a.md#L1'] }],
])('%s is read', (line, proposal) => {
  expect(parseProposals(line).items).toMatchObject([{ proposal }]);
});

test.each([
  [' ', 'open'],
  ['/', 'open'],
  ['x', 'ticked'],
  ['X', 'ticked'],
  ['-', 'rejected'],
])('a box with "%s" means %s', (mark, state) => {
  expect(parseProposals(`- [${mark}] add to the core: tea`).items).toMatchObject([{ state }]);
});

test.each([
  '- [ ] add to the core: ',
  '- [ ] add to the core: "tea',
  '- [ ] add to the core: "tea" and more',
  '- [ ] shorten in the core: tea -> te',
  '- [ ] shorten in the core: "tea"',
  '- [ ] move out of the core: tea',
  '- [ ] move out of the core: ""',
])('%s is not a proposal, and is reported as malformed', (line) => {
  expect(parseProposals(line)).toMatchObject({ items: [], unreadable: [{ line: 1 }] });
});

test("a person's own list items and prose are left alone", () => {
  const page = '- [ ] buy tea\n- add to the core: tea\nadd to the core: tea\n<!-- - [ ] add to the core: tea -->\n';
  expect(parseProposals(page)).toEqual({ items: [], unreadable: [] });
});

test('a change has one id for any case, space, marker and final period; another action has another id', () => {
  const id = proposalId(ADD);
  expect(id).toMatch(/^p-[0-9a-f]{10}$/);
  for (const same of ['- Peter lives in Vienna.', '  peter  LIVES in vienna'])
    expect(proposalId({ action: 'add', text: same })).toBe(id);
  expect(proposalId({ action: 'move-out', text: ADD.text })).not.toBe(id);
  expect(proposalId({ action: 'add', text: 'Peter lives in Graz' })).not.toBe(id);
});
