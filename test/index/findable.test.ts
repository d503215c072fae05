import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openScratchIndex } from '../../src/index/open.js';
import { prepareFile } from '../../src/index/read/prepared.js';
import { IndexSearch } from '../../src/index/search.js';
import { IndexWriter } from '../../src/index/writer.js';
import { pageOfPath } from '../../src/memory/pages.js';
import { readUnits } from '../../src/memory/units.js';
import { BeliefLookup } from '../../src/query/beliefs.js';
import { recall } from '../../src/query/query.js';
import { buildSearchPhrase, searchText } from '../../src/text/search-text.js';
import { openClock } from '../../src/workspace/clock.js';
import { cases } from '../support/cases.js';
import { NOW } from '../support/workspace.js';

const PATH = 'memory/2026-03-14.md';
const MAX_TOKEN = 256;

/** An in-memory index of one page, and what `recall` finds in it. */
class IndexedPage {
  private readonly db = openScratchIndex();

  constructor(text: string) {
    const page = pageOfPath(PATH);
    if (page === undefined) throw new Error(`${PATH} is a page`);
    const file = {
      path: PATH,
      size: text.length,
      mtimeMs: 0,
      ctimeMs: 0,
      inode: 0,
      hash: '',
      racy: false,
      page,
      notice: null,
    };
    new IndexWriter(this.db).add(prepareFile(file, readUnits(PATH, page, text)));
  }

  /** Returns the lines that `recall` cites for a question. */
  async lines(query: string, k = 5_000): Promise<ReadonlySet<number>> {
    const search = new IndexSearch([{ db: this.db, masked: new Set() }]);
    const clock = openClock('UTC', NOW);
    const beliefs = new BeliefLookup(search, () => '');
    const source = { search, beliefs, clock, withResources: false, defaultLimit: 10, stale: false, warnings: [] };
    const { results } = await recall(source, { query, k });
    const lines = new Set<number>();
    for (const { startLine, endLine, standsFor = [] } of results) {
      for (let line = startLine; line <= endLine; line++) lines.add(line);
      // Equal lines are one result that cites them all.
      for (const [, from, to] of standsFor
        .map(({ source }) => source)
        .join('\n')
        .matchAll(/#L(\d+)(?:-L(\d+))?$/gm)) {
        for (let line = Number(from); line <= Number(to ?? from); line++) lines.add(line);
      }
    }
    return lines;
  }

  close(): void {
    this.db.close();
  }
}

/** Returns the tokens of a line by definition: runs of letters or digits, and strings between white space. */
function tokensOf(line: string): ReadonlySet<string> {
  const runs = line.match(/[\p{L}\p{N}]+/gu) ?? [];
  const strings = line.match(/\S+/gu) ?? [];
  return new Set([...runs, ...strings].filter((token) => token.length <= MAX_TOKEN));
}

/** Returns every token of a page that `recall` does not find. Lines are paragraphs of plain text. */
async function lost(lines: readonly string[]): Promise<string[]> {
  const page = new IndexedPage(lines.map((line) => `${line}\n`).join(''));
  try {
    const missing: string[] = [];
    for (const [at, line] of lines.entries()) {
      for (const token of tokensOf(line)) {
        if (!(await page.lines(token)).has(at + 1)) missing.push(`${JSON.stringify(token)} of line ${at + 1}`);
      }
    }
    return missing;
  } finally {
    page.close();
  }
}

const FAMOUS = [
  'ECONNREFUSED on --keep-recent with v2.3.1 of src/wm/merge.ts, code 0x80070057, in C++ and C# and F#',
  'commit e3b1288f, at 10.0.0.1:8080, see https://example.org/a?b=c#d and mail anna@example.org',
  '使用Redis缓存，张三觉得很好。한국어 テスト ｶﾅ ภาษาไทย ភាសាខ្មែរ မြန်မာ',
  'naïve café Straße ΣΊΣΥΦΟΣ İstanbul ﬁne Ｒｅｄｉｓ № ² ½ Ⅷ',
  'שלום עולם مرحبا بالعالم‎ नमस्ते दुनिया',
  '𝒜𝓁𝓅𝒽𝒶 𐐔𐐯𐑅𐐨𐑉𐐯𐐻 𠮷野家 𓀀 🎉 👩‍👩‍👧 🇦🇹 → ++ ~~ § % ^',
  'e\u0301 a\u0323\u0302 \u0e01\u0e34 Zalgo: h\u0337\u0335e\u0338',
  '| a | b | c-d |',
  "it's don't O'Brien rock'n'roll AT&T a_b_c __init__ @Peter @张三 #tag $HOME %PATH%",
  '" OR NEAR( * AND NOT ^col: {a b} -x +y "quoted phrase"',
  'the of and what is 的 了 吗',
  '2025-11-27 27.11.2025 10:30 3:05pm 1,234.56 10% 5° last week yesterday 上周',
] as const;

test('every token of hand-picked lines is found', async () => {
  expect(await lost(FAMOUS)).toEqual([]);
});

test('every token of list items, tables and code is found', async () => {
  // biome-ignore format: short texts, many a line
  const text = [
    '- W @Peter: uses `src/wm/merge.ts` and C++', '- O(c=0.9) @Anna: dislikes --force', '- plain item → with arrow',
    '', '| left | right++ |', '|------|---------|', '| naïve | 使用Redis |', '', '```ts',
    'const answer = foo?.bar ?? 0x2A;', '```', '', '    indented --code', '> quoted **bold** text!', '1. numbered 第一',
  ];
  const page = new IndexedPage(text.join('\n'));
  const missing: string[] = [];
  for (const [at, line] of text.entries()) {
    for (const token of tokensOf(line))
      if (!(await page.lines(token)).has(at + 1)) missing.push(`${token} of line ${at + 1}`);
  }
  page.close();
  expect(missing).toEqual([]);
});

test('a token of 256 characters is found, even alone in a line of 100,000', async () => {
  const token = `x${'ab1'.repeat(85)}`;
  expect(token).toHaveLength(MAX_TOKEN);
  for (const symbol of ['', '漢', '→', '-']) {
    const long = token.slice(0, MAX_TOKEN - symbol.length) + symbol;
    const line = `${'word '.repeat(10_000)}${long}${' other'.repeat(8_000)}`;
    const page = new IndexedPage(line);
    expect(await page.lines(long), symbol).toContain(1);
    page.close();
  }
});

test('a long line is never cut inside a token', async () => {
  const filler = fc.nat({ max: 40 });
  await fc.assert(
    fc.asyncProperty(filler, fc.constantFrom('\t', '\u3000', '\u00a0', ' '), async (shift, space) => {
      const word = (i: number): string => `word${i}`.padEnd(200, 'x');
      const words = Array.from({ length: 24 }, (_, i) => word(i));
      const page = new IndexedPage('a'.repeat(shift) + space + words.join(space));
      try {
        for (const each of words) expect(await page.lines(each)).toContain(1);
      } finally {
        page.close();
      }
    }),
    { numRuns: cases(12, 4) },
  );
});

/** Characters that tokenisers get wrong: marks, joiners, symbols, scripts without spaces, astral letters. */
const CHARACTER = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.constantFrom(...'abcXYZ019') },
  { weight: 2, arbitrary: fc.constantFrom(...'-_./\\:#@+*~^"\'`()[]{}<>=|&%$!?,;') },
  { weight: 1, arbitrary: fc.constantFrom(...'使用缓存张三日本語テストｶﾞ한국어ภาษาไทยשלוםمرحباनमस्तेñéüßſıİŁøæœ') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('🎉', '👩‍👩‍👧', '🇦🇹', '𝒜', '𠮷', 'ﬁ', 'Ａ', '①', '½', '\u0301', '\u200d', '\ufe0f'),
  },
);
const WORD = fc.array(CHARACTER, { minLength: 1, maxLength: 8 }).map((characters) => characters.join(''));
// Plain paragraphs: this test does not cover what Markdown hides or strips (comments, list markers, fences).
const LINE = fc
  .array(WORD, { minLength: 1, maxLength: 6 })
  .map((words) => `p ${words.join(' ')}`)
  .filter((line) => !/[\n\r<]/.test(line) && !/\p{Cs}/u.test(line) && !line.includes('\u0000'));

test('every token of generated lines is found', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(LINE, { minLength: 1, maxLength: 4 }), async (lines) => {
      expect(await lost(lines)).toEqual([]);
    }),
    { numRuns: Number(process.env.FINDABLE_RUNS ?? cases(60, 12)) },
  );
});

test('every assigned letter and digit is found as a token of its own', async () => {
  const characters: string[] = [];
  for (let point = 1; point <= 0x10ffff; point++) {
    const char = String.fromCodePoint(point);
    if (/[\p{L}\p{N}]/u.test(char)) characters.push(char);
  }
  expect(characters.length).toBeGreaterThan(130_000);
  // The full-text index is asked for all of them, `recall` for one of 400, or of 2,000.
  const db = openScratchIndex();
  const insert = db.prepare('INSERT INTO fts (rowid, text) VALUES (?, ?)');
  db.transaction(() => {
    for (const [i, char] of characters.entries()) insert.run(i, searchText(char));
  })();
  const find = db.prepare('SELECT 1 FROM fts WHERE fts MATCH ? AND rowid = ?');
  const missing = characters.filter((char, i) => {
    const phrase = buildSearchPhrase(char);
    return phrase === undefined || find.get(phrase, i) === undefined;
  });
  db.close();
  expect(missing.map((char) => char.codePointAt(0)?.toString(16))).toEqual([]);
  expect(await lost(characters.filter((_, i) => i % cases(400, 2_000) === 0))).toEqual([]);
});
