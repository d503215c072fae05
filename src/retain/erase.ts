import { readForgotten } from '../index/forgotten-page.js';
import type { IndexSearch } from '../index/search.js';
import type { Unit } from '../line/unit.js';
import { findManagedBlocks, replaceManagedBlock } from '../markdown/blocks.js';
import { kindLetter, textAfterLeadingEntities } from '../markdown/bullet.js';
import { splitLines } from '../markdown/lines.js';
import { scanMarkdown } from '../markdown/scan.js';
import { logLineId } from '../memory/fact.js';
import type { Forgettable, ForgottenStatements } from '../memory/forgotten.js';
import { mayWritePage, type Page, pageOfPath } from '../memory/pages.js';
import { lastLineOfFact, readUnits } from '../memory/units.js';
import { readPageText } from '../workspace/changes.js';

/**
 * Plans how to erase statements from a page. A comment replaces each statement for which `isMeant` returns true.
 * Generated lines that cite one of the facts `ids` are removed. Everything else stays byte for byte. Pure.
 */
export function planErasure(
  path: string,
  before: string,
  ids: ReadonlySet<string>,
  isMeant: (statement: Forgettable) => boolean,
  comment: string,
) {
  const page = mayWritePage(path) ? pageOfPath(path) : undefined;
  // 1-based numbers of the generated lines that are removed.
  const { text: written, lines: generated } = withoutGeneratedLines(before, ids);
  const spans = page === undefined ? [] : spansOf(path, page, written, isMeant);
  const removed = spans.map(({ start, end }) => ({ path, text: written.slice(start, end) }));
  const after = spans.reduceRight((text, { start, end }) => text.slice(0, start) + comment + text.slice(end), written);
  return { after, removed, generated };
}

/**
 * Offsets at which each matching statement starts and ends. A statement starts with its list marker, without the
 * indentation.
 */
function spansOf(path: string, page: Page, text: string, isMeant: (statement: Forgettable) => boolean) {
  const { units } = readUnits(path, page, text);
  const { lines, starts, ends } = splitLines(text);
  const items = new Map(
    scanMarkdown(text).blocks.flatMap((block) => (block.type === 'item' ? [[block.startLine, block] as const] : [])),
  );
  const perLine = new Map<number, number>();
  for (const { line } of units) perLine.set(line, (perLine.get(line) ?? 0) + 1);
  const spans: { readonly start: number; readonly end: number }[] = [];
  for (const unit of units) {
    if (!isMeant(readForgettableStatement(unit))) continue;
    const item = unit.fact === null ? undefined : items.get(unit.line);
    const last = item === undefined ? unit.endLine : lastLineOfFact(page, item);
    const indent = /^\s*/.exec(lines[unit.line - 1] ?? '')?.[0].length ?? 0;
    const start = (starts[unit.line - 1] ?? 0) + indent;
    const end = ends[last - 1] ?? text.length;
    // If a very long line was cut into several units, remove only this piece.
    const piece = (perLine.get(unit.line) ?? 0) > 1 ? text.slice(start, end).indexOf(unit.text) : -1;
    spans.push(piece < 0 ? { start, end } : { start: start + piece, end: start + piece + unit.text.length });
  }
  return spans.filter(({ start }, i) => start >= (spans[i - 1]?.end ?? 0));
}

/** The part of a unit that a tombstone covers: its kind, entities and text. */
export function readForgettableStatement(unit: Pick<Unit, 'kind' | 'fact' | 'detail' | 'text'>): Forgettable {
  const { kind, fact, detail, text } = unit;
  if (fact === null) return { kind: '-', entities: [], text };
  return { kind: kindLetter(kind), entities: detail?.entities ?? [], text: textAfterLeadingEntities(text) };
}

const CITED = /(?<![\w-])[fo]-[0-9a-z]{13}(?![\w-])/g;
/** The heading of a section of a generated summary. */
const HEADING = /^\*\*[^*]+\*\*$/;

/**
 * Removes the lines of managed blocks that cite one of the facts or opinions `ids`. The blocks still count as unedited
 * afterwards. Blocks that a person has edited are not changed. Pure.
 */
export function withoutGeneratedLines(text: string, ids: ReadonlySet<string>) {
  /** 1-based numbers of the removed lines. */
  const lines = new Set<number>();
  let rest = text;
  for (const { name, state, startLine, content } of findManagedBlocks(text)) {
    if (state !== 'intact') continue;
    const all = content.split('\n');
    const kept = all.filter((line, i) => {
      const isCiting = (line.match(CITED) ?? []).some((id) => ids.has(id));
      if (isCiting) lines.add(startLine + 1 + i);
      return !isCiting;
    });
    if (kept.length < all.length) rest = replaceManagedBlock(rest, name, withoutEmptySections(kept)).text;
  }
  return { text: rest, lines };
}

function withoutEmptySections(lines: readonly string[]): string {
  const said = lines.filter((line) => line.trim() !== '');
  const empty = new Set(
    said.filter((line, i) => HEADING.test(line) && (said[i + 1] === undefined || HEADING.test(said[i + 1] ?? ''))),
  );
  return lines
    .filter((line) => !empty.has(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '');
}

/** A forgotten statement whose text still stands in a page. Answers never show it. */
export interface LeftoverStatement {
  readonly id: string;
  readonly content: string;
  readonly path: string;
  readonly line: number;
  /** Nonce of the tombstone that covers the statement. */
  readonly nonce: string;
  readonly statement: Forgettable;
}

/** All forgotten statements that still stand in a page. Reads all pages. */
export function findLeftovers(root: string, search: IndexSearch): readonly LeftoverStatement[] {
  const forgotten = readForgotten(root);
  if (forgotten.size === 0) return [];
  return search.files().flatMap(({ path }) => {
    const page = mayWritePage(path) ? pageOfPath(path) : undefined;
    const text = readPageText(root, path);
    return page === undefined || text === null ? [] : leftoversIn(path, readUnits(path, page, text).units, forgotten);
  });
}

/**
 * The forgotten statements among the units of a page. The caller must pass all units, also those of forgotten statements.
 */
export function leftoversIn(
  path: string,
  units: readonly Unit[],
  forgotten: ForgottenStatements,
): readonly LeftoverStatement[] {
  const seen = new Map<string, number>();
  return units.flatMap((unit) => {
    const before = seen.get(unit.text) ?? 0;
    seen.set(unit.text, before + 1);
    const statement = readForgettableStatement(unit);
    const nonce = forgotten.nonceOf(statement);
    if (nonce === undefined) return [];
    const id = unit.fact ?? logLineId(path, unit.text, before);
    return [{ id, content: unit.text, path, line: unit.line, nonce, statement }];
  });
}
