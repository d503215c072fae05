import { addAll } from '../base/order.js';
import { splitLines } from '../markdown/lines.js';
import { scanMarkdown } from '../markdown/scan.js';
import { RETAIN_HEADING } from '../memory/pages.js';
import { dominantLineEnd } from '../text/bytes.js';

/** The text of a page after facts were inserted, and where they are in it. */
type Insertion = ReturnType<typeof insertAt>;

/**
 * Inserts fact lines at the end of the section `## Retain` of a page. If a merge left two such sections, uses the last
 * one. If there is no such section, adds it at the end of the page. If a code fence or comment is still open at the end
 * of the page, inserts the lines before it. Otherwise they would become a part of the fence or comment. All other text
 * of the page stays as it is, with its line ends. Pure.
 * @param current the page; undefined if it does not exist yet
 * @param title heading of a new page
 * @param keepsLines do not move other list items, as far as possible: then a section that is not the last one is not used
 */
export function insertFacts(
  current: string | undefined,
  title: string,
  facts: readonly string[],
  keepsLines = false,
): Insertion {
  if (current === undefined || current === '') {
    const head = `# ${title}\n\n## ${RETAIN_HEADING}\n\n`;
    const text = `${head}${facts.join('\n')}\n`;
    return { text, appended: text, firstLine: 5 };
  }
  for (const point of insertionPoints(current, keepsLines)) {
    const insertion = insertAt(current, point, facts);
    if (holdsItems(insertion, facts.length)) return insertion;
  }
  // At all other places, Markdown would not read the facts as list items. The start of the page is safe, because no
  // code fence or comment is open there.
  return insertAt(current, { line: 0, heading: true }, facts);
}

interface InsertionPoint {
  /** The facts are inserted after this line; 0 is the start of the page. */
  readonly line: number;
  /** Whether to add a heading before the facts. */
  readonly heading: boolean;
}

function insertionPoints(text: string, keepsLines: boolean): readonly InsertionPoint[] {
  const { lines, blocks } = scanMarkdown(text);
  const headings = blocks.filter((block) => block.type === 'heading');
  const retain = headings.findLast((heading) => heading.depth === 2 && heading.text.trim() === RETAIN_HEADING);
  const found: InsertionPoint[] = [];
  if (retain !== undefined) {
    const next = headings.find((heading) => heading.startLine > retain.startLine && heading.depth <= 2);
    let end = next === undefined ? lines.length : next.startLine - 1;
    if (next !== undefined) while (end > retain.endLine && lines[end - 1]?.trim() === '') end--;
    if (!keepsLines || next === undefined) found.push({ line: end, heading: false });
    if (!keepsLines) found.push({ line: retain.endLine, heading: false });
  }
  found.push({ line: lines.length, heading: true });
  // A block that runs to the end of the page may be unclosed. Then the facts must be inserted before it.
  const open = blocks.find(
    (block) => block.type !== 'item' && block.type !== 'heading' && block.endLine >= lines.length,
  );
  if (open !== undefined) found.push({ line: open.startLine - 1, heading: true });
  return found;
}

function insertAt(current: string, point: InsertionPoint, facts: readonly string[]) {
  const end = dominantLineEnd(current);
  const { lines, starts } = splitLines(current);
  const at = starts[point.line] ?? current.length;
  const before = current.slice(0, at);
  const after = current.slice(at);
  const added: string[] = [];
  let firstLine = point.line + 1;
  if (point.heading) {
    const gap = point.line > 0 && lines[point.line - 1]?.trim() !== '' ? [''] : [];
    added.push(...gap, `## ${RETAIN_HEADING}`, '');
    firstLine += added.length;
  } else if (/^ {0,3}#{1,6}(?:\s|$)/.test(lines[point.line - 1] ?? '')) {
    added.push('');
    firstLine++;
  }
  addAll(added, facts);
  if (after !== '' && lines[point.line]?.trim() !== '') added.push('');
  const start = before === '' || /[\r\n]$/.test(before) ? '' : end;
  const inserted = start + added.map((line) => line + end).join('');
  // `appended` is the text to append if the edit only grows the page at its end. `firstLine` is the number of the line
  // (from 1) with the first fact. The other facts are on the next lines.
  return { text: before + inserted + after, appended: after === '' ? inserted : null, firstLine };
}

/** Whether the inserted lines parse as separate list items in the new page. */
function holdsItems({ text, firstLine }: Insertion, count: number): boolean {
  const starts = new Set<number>();
  for (const block of scanMarkdown(text).blocks)
    if (block.type === 'item' && block.level === 0) starts.add(block.startLine);
  for (let line = firstLine; line < firstLine + count; line++) if (!starts.has(line)) return false;
  return true;
}
