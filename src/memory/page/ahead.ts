import type { TimeReader } from '../../language/time/read-time.js';
import { aheadKeys, readAhead } from '../../line/ahead.js';
import { LINE_FORM } from '../../line/form.js';
import { readTask, type Task, taskText } from '../../line/task.js';
import type { Unit } from '../../line/unit.js';
import { withoutMarkup } from '../../markdown/wiki.js';
import type { Page } from '../pages.js';
import { stripMarkers } from './lines.js';

/** Forms of lines that announce nothing. */
const { asksOnly, header, quoted, query, struck, links, empty } = LINE_FORM;
const NOT_ANNOUNCED = asksOnly | header | quoted | query | struck | links | empty;

/** Adds to units what their lines announce, with the keys by which such lines are found. Pure. */
export function withAhead(
  units: readonly Unit[],
  page: Page,
  visible: readonly string[],
  code: ReadonlySet<number>,
  times: TimeReader,
): readonly Unit[] {
  return units.map((unit): Unit => {
    const { text, line, day, detail } = unit;
    if (detail?.page || detail?.generated || code.has(line)) return unit;
    if ((unit.form & NOT_ANNOUNCED) !== 0) return unit;
    const ahead = readAhead(text, taskOf(unit, visible), day ?? page.day, times);
    if (ahead === null) return unit;
    return { ...unit, detail: { ...detail, ahead }, slugs: [...unit.slugs, ...aheadKeys(ahead, text)] };
  });
}

function taskOf(unit: Unit, visible: readonly string[]): Task | undefined {
  const written = visible[unit.line - 1] ?? '';
  const task = readTask(unit.text, written);
  const text = task === undefined ? unit.text : itemText(unit, visible);
  if (text === unit.text) return task;
  const own = readTask(text, written);
  return own && { ...own, text: taskText(own, text) };
}

/** The text of an item without what follows it at the margin: a paragraph that a person begins right below a list. */
function itemText({ text, line, endLine }: Unit, visible: readonly string[]): string {
  if (endLine === line) return text;
  const next = visible.slice(line, endLine);
  const margin = next.findIndex((one) => /^\S/.test(one));
  const own = visible.slice(line - 1, margin < 0 ? endLine : line + margin);
  return own.map((one) => stripMarkers(withoutMarkup(one))).join(' ');
}
