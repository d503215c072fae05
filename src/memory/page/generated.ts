import { findManagedBlocks } from '../../markdown/blocks.js';
import type { Page } from '../pages.js';
import type { Unit } from '../unit.js';

/** Marks the units of a page that stand in an unedited managed block. Pure. */
export function markGeneratedUnits(units: readonly Unit[], { role }: Page, text: string): readonly Unit[] {
  if (role !== 'bank' && role !== 'entity') return units;
  const blocks = findManagedBlocks(text).filter(({ state }) => state === 'intact');
  if (blocks.length === 0) return units;
  return units.map((unit) =>
    blocks.some(({ startLine, endLine }) => startLine < unit.line && unit.line < endLine)
      ? { ...unit, detail: { ...unit.detail, generated: true } }
      : unit,
  );
}
