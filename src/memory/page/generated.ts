import { findManagedBlocks } from '../../markdown/blocks.js';
import type { Page } from '../pages.js';
import type { Unit } from '../unit.js';

/** The units of a page, those marked that stand in a block that a program made and nobody has edited. Pure. */
export function withGenerated(units: readonly Unit[], { role }: Page, text: string): readonly Unit[] {
  if (role !== 'bank' && role !== 'entity') return units;
  const blocks = findManagedBlocks(text).filter(({ state }) => state === 'intact');
  if (blocks.length === 0) return units;
  return units.map((unit) =>
    blocks.some(({ startLine, endLine }) => startLine < unit.line && unit.line < endLine)
      ? { ...unit, detail: { ...unit.detail, generated: true } }
      : unit,
  );
}
