import fc from 'fast-check';
import type { Heading } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { parseDocument } from '../../src/wm/document.js';
import { ruleOn } from '../../src/wm/guards/index.js';
import { lineItem } from '../../src/wm/items.js';
import { readOperation } from '../../src/wm/operations.js';
import { isDocumentTitle, SECTION_NAMES, sectionOf } from '../../src/wm/sections.js';
import { oldDocument, operations } from './arbitraries.js';
import { KEEP_ALL, merge } from './support.js';

test('random and hostile operations on random documents: nothing is lost, nothing breaks out', () => {
  fc.assert(
    fc.property(oldDocument, operations, (old, asked) => {
      const merged = merge(old, asked);
      expect(merged.lost).toEqual([]);
      expectEveryOldItem(old, merged);
      expectSevenSections(merged.document);
      expect(merge(merged.document, KEEP_ALL).document).toBe(merged.document);
      expectIdempotentGuards(old, asked);
    }),
    { numRuns: 10_000 },
  );
});

// Which old lines are headings of ours is asked of mdast, not of the parser under test.
function expectEveryOldItem(old: string, { document, sections }: ReturnType<typeof merge>): void {
  const lines = linesOf(old);
  const ours = new Set(headingsOf(lines.join('\n')).filter(isOurs).flatMap(linesOfHeading));
  const there = new Set(linesOf(document).map(lineItem));
  for (const { restored, removed } of Object.values(sections)) {
    for (const item of restored) there.add(item);
    for (const { item, reason } of removed) {
      expect(reason).not.toBe('');
      there.add(item);
    }
  }
  const missing = lines.filter(
    (line, index) => !ours.has(index) && lineItem(line) !== '' && !there.has(lineItem(line)),
  );
  expect(missing).toEqual([]);
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/u, '').split(/\r\n?|\n/u);
}

interface DividingHeading {
  readonly depth: number;
  readonly source: string;
  readonly startLine: number;
}

// Only blocks matter, and without its inline constructs micromark is three times as fast.
const INLINE = ['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'htmlText', 'labelEnd'];
const BLOCKS_ONLY = { disable: { null: INLINE } };

function headingsOf(text: string): readonly DividingHeading[] {
  const root = fromMarkdown(text, { extensions: [BLOCKS_ONLY] });
  return root.children
    .filter((node): node is Heading => node.type === 'heading' && node.depth < 3)
    .map(({ depth, position }) => ({
      depth,
      source: text.slice(position?.start.offset, position?.end.offset),
      startLine: (position?.start.line ?? 1) - 1,
    }));
}

function isOurs({ source }: DividingHeading): boolean {
  const title = source.includes('\n') ? source.replace(/\n[^\n]*$/u, '') : lineItem(source);
  return sectionOf(title) !== undefined || isDocumentTitle(title);
}

function linesOfHeading({ source, startLine }: DividingHeading): readonly number[] {
  return source.split('\n').map((_, index) => startLine + index);
}

function expectSevenSections(document: string): void {
  const headings = headingsOf(document);
  expect(headings.map(({ source }) => source)).toEqual([
    '# Working Memory',
    ...SECTION_NAMES.map((name) => `## ${name}`),
  ]);
}

function expectIdempotentGuards(old: string, asked: Readonly<Record<string, unknown>>): void {
  const { bodies } = parseDocument(old);
  for (const name of SECTION_NAMES) {
    const { operation } = ruleOn(name, bodies[name], readOperation(asked[name]));
    expect(ruleOn(name, bodies[name], { name: operation.op, operation }).operation).toEqual(operation);
  }
}
