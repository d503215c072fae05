import { LINE_FORM } from '../../line/form.js';
import { isNoteBesideFacts, readLatestDay, readObservationMark, readShownId } from '../../line/generated.js';
import type { Unit } from '../../line/unit.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { splitLines } from '../../markdown/lines.js';
import { isBareNote } from '../opinions-page.js';
import type { Page } from '../pages.js';

/**
 * Marks units that a program has written: what they show, which stand in an unedited managed block, and observations. Pure.
 */
export function markGeneratedUnits(units: readonly Unit[], { role }: Page, text: string): readonly Unit[] {
  const shown = units.map(withShownId);
  if (role === 'daily') return text.includes('<!-- observed ') ? withObservations(shown, text) : shown;
  if (role !== 'bank' && role !== 'entity' && role !== 'opinions') return shown;
  const blocks = role === 'opinions' ? [] : findManagedBlocks(text).filter(({ state }) => state === 'intact');
  return shown.map((unit): Unit => {
    const isGenerated = blocks.some(({ startLine, endLine }) => startLine < unit.line && unit.line < endLine);
    const latest = role === 'bank' ? undefined : readLatestDay(unit.text);
    const marks = { ...(isGenerated ? { generated: true as const } : {}), ...(latest === undefined ? {} : { latest }) };
    const form = unit.form | (isNote(unit, role) ? LINE_FORM.note : 0);
    return Object.keys(marks).length === 0
      ? { ...unit, form }
      : { ...unit, form, detail: { ...unit.detail, ...marks } };
  });
}

function withObservations(units: readonly Unit[], text: string): readonly Unit[] {
  const { lines } = splitLines(text);
  const isIntact = ({ line }: Unit): boolean => readObservationMark(lines[line - 1] ?? '') === 'intact';
  return units.map((unit) => (isIntact(unit) ? { ...unit, form: unit.form | LINE_FORM.observed } : unit));
}

function withShownId(unit: Unit): Unit {
  const shows = unit.fact === null ? readShownId(unit.text) : undefined;
  return shows === undefined ? unit : { ...unit, detail: { ...unit.detail, shows } };
}

/** Whether a line was written beside statements, and says nothing itself. */
function isNote({ fact, text }: Unit, role: Page['role']): boolean {
  if (fact !== null) return false;
  return (role === 'entity' && isNoteBesideFacts(text)) || (role === 'opinions' && isBareNote(text));
}
