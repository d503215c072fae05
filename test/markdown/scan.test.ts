import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTimeReader } from '../../src/language/time/read-time.js';
import { readValidity } from '../../src/line/validity.js';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { parseBullet } from '../../src/markdown/bullet.js';
import { findEntities } from '../../src/markdown/entities.js';
import { scanMarkdown } from '../../src/markdown/scan.js';
import { visibleLines } from '../../src/markdown/visible.js';
import { cases } from '../support/cases.js';
import { effort } from '../support/growth.js';
import { characterSoup, definitionLines, htmlLines, wildDocuments } from './documents.js';
import { remarkLineCount, remarkOutline, scanOutline } from './oracle.js';

/** remark does not read front matter, so it gets empty lines instead. */
function withoutFrontMatter(text: string): string {
  const first = scanMarkdown(text).blocks[0];
  if (first?.type !== 'frontMatter') return text;
  const ends = text.split(/(?<=\n)|(?<=\r)(?!\n)/);
  return ends.map((line, index) => (index < first.endLine ? line.replace(/[^\r\n]+/, '') : line)).join('');
}

function expectSameAsRemark(text: string): void {
  const markdown = withoutFrontMatter(text);
  const scan = scanMarkdown(markdown);
  expect(scan.lines.length).toBe(remarkLineCount(markdown));
  expect(scanOutline(scan)).toEqual(remarkOutline(markdown, scan.lines.length));
}

describe('the scanner and remark find the same headings, fences, code, HTML blocks and list items', () => {
  it.each([
    ['lines of container marks and block starts', wildDocuments, 3000],
    ['any sequence of structural characters', characterSoup, 3000],
    ['HTML of every kind', htmlLines, 1000],
    ['link reference definitions before setext underlines', definitionLines, 1000],
  ])('in %s', (_name, documents, numRuns) => {
    fc.assert(fc.property(documents, expectSameAsRemark), { numRuns: cases(numRuns) });
  });

  const folder = new URL('../../fixtures/workspace', import.meta.url).pathname;
  const fixtures = markdownFiles(folder);
  it(`in all ${fixtures.length} files of the fixture workspace`, () => {
    for (const path of fixtures) expectSameAsRemark(readFileSync(join(folder, path), 'utf8'));
  });

  it.each([
    ['an empty item that a second blank line ends', '-\n\n  foo\n'],
    ['a lazy line after a nested quote', '> > a\nb\n# c\n'],
    ['a list that interrupts a paragraph only from 1', 'a\n2. b\n1. c\n'],
    ['tabs that reach into the content of an item', '-\t\tcode\n\n-\ttext\n\n\tmore\n'],
    ['fences that close with their container', '> ```\n> # a\n# b\n'],
    ['a fence of fewer marks inside of a longer one', '````\n```\n# a\n````\n# b\n'],
    ['CR, LF and CRLF in one file', '# a\r- b\r\n- c\n\r\n# d'],
    ['a BOM before a heading', '\uFEFF# a\n'],
    ['code after an item that starts with a blank line', '-\n      code\n'],
    ['a thematic break between items', '- a\n* * *\n- b\n'],
  ])('in %s', (_name, text) => expectSameAsRemark(text));
});

function markdownFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  } catch {
    return [];
  }
}

describe('the text of blocks', () => {
  it('joins the lines of an item as one paragraph without markers and indents, lazy lines included', () => {
    const { blocks } = scanMarkdown('- W @Peter: in Vienna\n  since March\nand happy\n\n  another paragraph\n');
    expect(blocks).toEqual([
      {
        type: 'item',
        startLine: 1,
        endLine: 5,
        textEndLine: 3,
        level: 0,
        ordered: false,
        text: 'W @Peter: in Vienna\nsince March\nand happy',
      },
    ]);
  });

  it('is empty for an item that starts with something else than a paragraph', () => {
    const items = scanMarkdown('- # heading\n- ```\n  code\n  ```\n- <!-- gone -->\n-\n').blocks.filter(
      (block) => block.type === 'item',
    );
    expect(items.map(({ text, textEndLine, startLine }) => [text, textEndLine - startLine])).toEqual(
      Array(4).fill(['', 0]),
    );
  });

  it('lists an item before its content, with its nesting level', () => {
    const { blocks } = scanMarkdown('- a\n  1. b\n     - c\n> - d\n');
    expect(blocks.map((block) => block.type === 'item' && [block.text, block.level, block.ordered])).toEqual([
      ['a', 0, false],
      ['b', 1, true],
      ['c', 2, false],
      ['d', 0, false],
    ]);
  });
});

describe('front matter', () => {
  const first = (text: string) => scanMarkdown(text).blocks[0];

  it('is a block of keys between two `---` at the very top, also after a BOM', () => {
    expect(first('---\nname: Peter\naliases:\n  - Pete\n---\n# Peter\n')).toEqual({
      type: 'frontMatter',
      startLine: 1,
      endLine: 5,
    });
    expect(first('\uFEFF---\r\nname: Peter\r\n---\r\n')?.type).toBe('frontMatter');
  });

  it.each([
    ['does not end', '---\nname: Peter\n'],
    ['holds text that is no YAML', '---\nWe talked for an hour.\n---\n'],
    ['holds facts', '---\n- W @Peter: in Vienna\n---\n'],
    ['begins below the top', '\n---\nname: Peter\n---\n'],
  ])('is not recognised if it %s', (_why, text) => {
    expect(scanMarkdown(text).blocks.map(({ type }) => type)).not.toContain('frontMatter');
  });
});

/** Anything quadratic in these sizes takes minutes. */
function expectFast(read: () => unknown): void {
  expect(effort(read)).toBeLessThan(2_000);
}

const DEEP = 5000;
const MANY = 100_000;
const nested = Array.from({ length: DEEP }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
const backtickRuns = Array.from({ length: 2000 }, (_, length) => '`'.repeat(length + 1)).join(' ');

describe('reading takes time linear in the length of a hostile document', () => {
  it.each([
    ['5,000 nested lists', nested, DEEP],
    ['5,000 list markers on each of many lines', `${'- '.repeat(DEEP)}x\n`.repeat(100), DEEP * 100],
    ['blank lines in 5,000 open items', `> ${'- '.repeat(DEEP)}x\n${'>\n'.repeat(MANY)}`, DEEP],
    ['5,000 nested quotes, lazily continued', `${'>'.repeat(DEEP)} x\n${'y\n'.repeat(MANY)}`, 0],
    ['quotes and items in turn', `${'> - '.repeat(DEEP)}x\n${'>\n'.repeat(MANY)}`, DEEP],
    ['a 50 MB line', 'x'.repeat(50_000_000), 0],
    ['a 50 MB line of white space', ' \t'.repeat(25_000_000), 0],
    ['a 5 MB line of hashes', '# '.repeat(2_500_000), 1],
    ['a 5 MB thematic break that is none', `${'* '.repeat(10_000)}${' '.repeat(5_000_000)}x`, 10_001],
    ['a 5 MB tag', `<a${' x=1'.repeat(1_250_000)}`, 0],
    ['100,000 bullets', '- W @Peter: text\n'.repeat(MANY), MANY],
    ['100,000 fences', '```\n'.repeat(MANY), MANY / 2],
    ['100,000 fences that do not open', '``` `\n'.repeat(MANY), 0],
    ['100,000 brackets', `${'['.repeat(MANY)}\n===\n`, 1],
    ['100,000 definitions before underlines', `${'[a]: b\n'.repeat(MANY)}${'===\n'.repeat(MANY)}`, MANY / 2],
    ['100,000 open comments in one paragraph', 'a <!--\n'.repeat(MANY), 0],
    ['100,000 open comments in as many paragraphs', 'a <!--\n\n'.repeat(MANY), 0],
    ['100,000 open dreaming blocks', '<!-- openclaw:dreaming:light:start -->\n\n'.repeat(MANY), MANY],
    ['100,000 open scripts', `<script>\n${'</scrip\n'.repeat(MANY)}`, 1],
    ['backtick runs of every length beside a comment', `a <!-- x --> ${backtickRuns}`, 0],
  ])('%s', (_name, text, blocks) => {
    expectFast(() => {
      const scan = scanMarkdown(text);
      visibleLines(scan);
      expect(scan.blocks.length).toBe(blocks);
    });
  });

  it.each([
    ['@', '@'.repeat(1_000_000)],
    ['@ and separators', '@_._-'.repeat(500_000)],
    ['entities', '@a '.repeat(300_000)],
    ['colons and slashes', 'a://'.repeat(300_000)],
    ['backticks', backtickRuns],
    ['white space', ` ${' '.repeat(2_000_000)}x`],
    ['commas', ','.repeat(1_000_000)],
    ['open comments', '<!--'.repeat(300_000)],
    ['dates', 'Nov 27 - '.repeat(100_000)],
    ['Chinese dates', '11月27日至'.repeat(100_000)],
    ['digits', '2025-'.repeat(200_000)],
    ['months', 'since March until '.repeat(50_000)],
  ])('a fact of many %s', async (_name, text) => {
    const times = await openTimeReader(text);
    expectFast(() => findEntities(text));
    expectFast(() => parseBullet(`W @Peter: ${text}`));
    expectFast(() => parseBullet(`W ${text}`));
    expectFast(() => readValidity(text, '2025-11-27', times));
  });

  it('100,000 managed blocks without an end, also within git conflicts', () => {
    const begin = `<!-- memory:begin a sha=${'0'.repeat(12)} -->\n`;
    expectFast(() => findManagedBlocks(begin.repeat(MANY)));
    expectFast(() => findManagedBlocks(`<<<<<<< a\n${begin}=======\n${begin}`.repeat(MANY / 4)));
    expectFast(() => findManagedBlocks(`<<<<<<< a\n${begin}=======\n${begin}>>>>>>> b\n`.repeat(MANY / 4)));
  });
});
