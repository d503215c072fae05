import { describe, expect, it } from 'vitest';
import { openTimeReader } from '../../src/language/time/times.js';
import { findManagedBlocks } from '../../src/markdown/blocks.js';
import { parseBullet } from '../../src/markdown/bullet.js';
import { findEntities } from '../../src/markdown/entities.js';
import { scanMarkdown } from '../../src/markdown/scan.js';
import { visibleLines } from '../../src/markdown/visible.js';
import { readValidity } from '../../src/memory/validity.js';
import { effort } from '../support/growth.js';

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
