import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanMarkdown } from '../../src/markdown/scan.js';
import { cases } from '../support/cases.js';
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
