import { expect, test } from 'vitest';
import { findManagedBlocks, renderManagedBlock } from '../../src/markdown/blocks.js';
import { withoutGeneratedLines } from '../../src/retain/erase.js';

const ONE = 'f-aaaaaaaaaaaaa';
const TWO = 'f-bbbbbbbbbbbbb';
const CONTENT = `**Now**\n\n- here ([x](x) ${ONE})\n\n**Recent**\n\n- there ([x](x) ${TWO})\n- both (${ONE}) (${TWO})`;
const PAGE = `# Peter\n\nmine, ${ONE}\n\n${renderManagedBlock('summary', CONTENT)}\n\nbelow\n`;

test('lines that cite a forgotten id are removed with headings left empty; the block stays generated', () => {
  const { text, lines } = withoutGeneratedLines(PAGE, new Set([ONE]));
  expect(text).toBe(
    `# Peter\n\nmine, ${ONE}\n\n${renderManagedBlock('summary', `**Recent**\n\n- there ([x](x) ${TWO})`)}\n\nbelow\n`,
  );
  expect(findManagedBlocks(text).map(({ state }) => state)).toEqual(['intact']);
  expect([...lines].map((line) => PAGE.split('\n')[line - 1])).toEqual([
    `- here ([x](x) ${ONE})`,
    `- both (${ONE}) (${TWO})`,
  ]);
});

test('a block that a person has edited, and a page without the id, stay as they are', () => {
  const edited = PAGE.replace('- here', '- HERE');
  expect(withoutGeneratedLines(edited, new Set([ONE])).text).toBe(edited);
  expect(withoutGeneratedLines(PAGE, new Set(['f-ccccccccccccc']))).toEqual({ text: PAGE, lines: new Set() });
});
