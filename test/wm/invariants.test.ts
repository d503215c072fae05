import fc from 'fast-check';
import type { Heading } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import {
  findSection,
  isDocumentTitle,
  itemOfLine,
  parseDocument,
  readHeadings,
  SECTION_NAMES,
} from '../../src/wm/document.js';
import { decideRuling } from '../../src/wm/guards.js';
import type { MergeResult } from '../../src/wm/merge.js';
import { readOperation } from '../../src/wm/operations.js';
import { cases } from '../support/cases.js';
import { oldDocument, operations } from './arbitraries.js';
import { KEEP_ALL, merge } from './support.js';

test('random and hostile operations keep every old item or account for it', () => {
  fc.assert(
    fc.property(oldDocument, operations, (old, asked) => {
      const merged = merge(old, asked);
      expect(merged.lost).toEqual([]);
      expectEveryOldItem(old, merged, scannedHeadings);
      expectSevenSections(merged.document, scannedHeadings);
      expect(merge(merged.document, KEEP_ALL).document).toBe(merged.document);
      expectIdempotentGuards(old, asked);
    }),
    { numRuns: cases(10_000, 500) },
  );
});

test('mdast finds the same sections, and nothing of them is lost', () => {
  fc.assert(
    fc.property(oldDocument, operations, (old, asked) => {
      const merged = merge(old, asked);
      expectEveryOldItem(old, merged, mdastHeadings);
      expectSevenSections(merged.document, mdastHeadings);
      const lines = linesOf(old).join('\n');
      expect(scannedHeadings(lines)).toEqual(mdastHeadings(lines));
    }),
    { numRuns: cases(500) },
  );
});

test('a single italic line stays an issue when others are restored below it', () => {
  expectIdempotentGuards('## Open Issues\n- Marta\n_italic_', { 'Open Issues': { op: 'UPDATE', content: '_italic_' } });
});

test('text that is a list on its own, and a heading after indented code, stay text when parts are joined', () => {
  const old = '## Key Facts & Decisions\n\tcode\n# Working Memory\n2) Marta\n===';
  const merged = merge(old, KEEP_ALL);
  expectEveryOldItem(old, merged, mdastHeadings);
  expectSevenSections(merged.document, mdastHeadings);
  expect(merge(merged.document, KEEP_ALL).document).toBe(merged.document);
});

function expectEveryOldItem(old: string, { document, sections }: MergeResult, headingsOf: HeadingsOf): void {
  const lines = linesOf(old);
  const ours = new Set(headingsOf(lines.join('\n')).filter(isOurs).flatMap(linesOfHeading));
  const there = new Set(linesOf(document).map(itemOfLine));
  for (const { restored, removed } of Object.values(sections)) {
    for (const item of restored) there.add(item);
    for (const { item, reason } of removed) {
      expect(reason).not.toBe('');
      there.add(item);
    }
  }
  const items = lines.filter((_, index) => !ours.has(index)).map(itemOfLine);
  expect(items.filter((item) => item !== '' && !there.has(item))).toEqual([]);
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/u, '').split(/\r\n?|\n/u);
}

/** A heading of depth 1 or 2 outside of lists and quotes. */
interface DividingHeading {
  readonly depth: number;
  readonly source: string;
  readonly startLine: number;
}

type HeadingsOf = (text: string) => readonly DividingHeading[];

const scannedHeadings: HeadingsOf = (text) =>
  readHeadings(text)
    .filter(({ root, depth }) => root && depth < 3)
    .map(({ depth, startLine, endLine }) => ({ depth, source: sourceOf(text, startLine, endLine), startLine }));

const mdastHeadings: HeadingsOf = (text) =>
  fromMarkdown(text)
    .children.filter((node): node is Heading => node.type === 'heading' && node.depth < 3)
    .map(({ depth, position }) => {
      const startLine = (position?.start.line ?? 1) - 1;
      return { depth, source: sourceOf(text, startLine, (position?.end.line ?? 1) - 1), startLine };
    });

function sourceOf(text: string, startLine: number, endLine: number): string {
  return text
    .split('\n')
    .slice(startLine, endLine + 1)
    .join('\n');
}

function isOurs({ source }: DividingHeading): boolean {
  const title = source.includes('\n') ? source.replace(/\n[^\n]*$/u, '') : itemOfLine(source);
  return findSection(title) !== undefined || isDocumentTitle(title);
}

function linesOfHeading({ source, startLine }: DividingHeading): readonly number[] {
  return source.split('\n').map((_, index) => startLine + index);
}

function expectSevenSections(document: string, headingsOf: HeadingsOf): void {
  const headings = headingsOf(document);
  expect(headings.map(({ source }) => source)).toEqual([
    '# Working Memory',
    ...SECTION_NAMES.map((name) => `## ${name}`),
  ]);
}

function expectIdempotentGuards(old: string, asked: Readonly<Record<string, unknown>>): void {
  const { bodies } = parseDocument(old);
  for (const name of SECTION_NAMES) {
    const { operation } = decideRuling(name, bodies[name], readOperation(asked[name]));
    expect(decideRuling(name, bodies[name], { name: operation.op, operation }).operation).toEqual(operation);
  }
}
