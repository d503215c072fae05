import { err, type Failure, fail, ok, type Result } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { checkRequest, type RequestField, type RequestFields, type RequestOf } from '../base/request.js';
import { findManagedBlocks } from '../markdown/blocks.js';
import { splitLines } from '../markdown/lines.js';
import { scanMarkdown } from '../markdown/scan.js';
import { dominantLineEnd } from '../text/bytes.js';

const TEXT = { type: 'text', required: true, place: 'words?' } as const;

/** Fields of each edit of the core file. Texts must match exactly. */
export const CORE_EDIT_FIELDS = {
  append: {
    text: { ...TEXT, doc: 'the lines to add' },
    section: {
      type: 'text',
      isNeverEmpty: true,
      value: 'heading',
      doc: 'add the lines at the end of this section',
    },
  },
  replace: {
    old: { type: 'text', required: true, doc: 'the old text; it must occur exactly once' },
    new: { type: 'text', required: true, doc: 'the new text; empty removes the old one' },
  },
  insert: {
    text: { ...TEXT, doc: 'the lines to insert' },
    after: { type: 'text', isNeverEmpty: true, doc: 'insert after the line with this text' },
    before: { type: 'text', isNeverEmpty: true, doc: 'insert before the line with this text' },
    line: { type: 'number', whole: true, example: 3, doc: 'insert before this line number' },
  },
} as const satisfies Readonly<Record<string, RequestFields>>;

/** Place of an insertion. Text is inserted as whole lines. */
type Place = Omit<RequestOf<(typeof CORE_EDIT_FIELDS)['insert']>, 'text'>;

export type CoreEdit = {
  [K in keyof typeof CORE_EDIT_FIELDS]: { readonly type: K } & RequestOf<(typeof CORE_EDIT_FIELDS)[K]>;
}[keyof typeof CORE_EDIT_FIELDS];

/** @throws MemoryError `usage` for an invalid edit */
export function checkCoreEdit(edit: unknown): asserts edit is CoreEdit {
  const type: RequestField = {
    type: 'choice',
    noun: 'edit',
    choices: Object.keys(CORE_EDIT_FIELDS),
    required: true,
    doc: 'what is done',
  };
  const given: Readonly<Record<string, unknown>> = isRecord(edit) ? edit : {};
  checkRequest('changeCore', { type }, { type: given.type });
  const [, keys = {}] = Object.entries(CORE_EDIT_FIELDS).find(([name]) => name === given.type) ?? [];
  checkRequest('changeCore', { type, ...keys }, given);
  const places = [given.after, given.before, given.line].filter((place) => place !== undefined);
  if (given.type === 'insert' && places.length !== 1)
    fail('usage', 'insert needs one of after, before and line', 'for example "line": 3, or --line 3');
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const DREAMING = /<!--\s*openclaw:dreaming:[^>]*?start[^>]*-->[\s\S]*?<!--\s*openclaw:dreaming:[^>]*?end[^>]*-->/g;

/**
 * Applies an edit to the core file's text. Keeps every other byte. The text to replace, or to insert beside, must occur
 * exactly once and outside of blocks that a program writes. Pure.
 */
export function applyCoreEdit(current: string, edit: CoreEdit): Result<string> {
  const end = dominantLineEnd(current);
  const text = (edit.type === 'replace' ? edit.new : edit.text).replace(/\r\n|\r|\n/g, end);
  switch (edit.type) {
    case 'append':
      return edit.section === undefined
        ? ok(appendTo(current, text, end))
        : appendToSection(current, text, edit.section, end);
    case 'replace': {
      const found = findOnce(current, edit.old.replace(/\r\n|\r|\n/g, end));
      if (!found.ok) return found;
      return ok(current.slice(0, found.value.start) + text + current.slice(found.value.end));
    }
    case 'insert':
      // Indented text inserted in the middle is meant to continue the item above.
      return insertLines(current, text, edit, end, /^[ \t]/.test(text));
  }
}

/** Whether the lines to insert already stand directly before or after the place. If so, they are not inserted again. */
function standsAt(text: string, at: number, lines: string): boolean {
  const own = `\n${lines.trim().replaceAll('\r', '')}\n`;
  const around = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()].map(
    (part) => `\n${part.replaceAll('\r', '')}\n`,
  );
  return around[0]?.endsWith(own) === true || around[1]?.startsWith(own) === true;
}

function appendTo(current: string, text: string, end: string): string {
  const own = current.slice(0, endOfOwnText(current));
  if (standsAt(current, own.length, text)) return current;
  if (own.length < current.length) {
    const above = own.trim() === '' ? '' : own.trimEnd() + end;
    const rest = above === '' ? end + current : current.slice(own.trimEnd().length);
    return above + behind(above, text, end).trimEnd() + (above === '' ? end : '') + rest;
  }
  const ended = current === '' || /[\r\n]$/.test(current) ? current : current + end;
  return ended + behind(ended, text, end);
}

const HOST_HEADING = /^Promoted From Short-Term Memory\b/i;

/** Offset at which the sections begin that OpenClaw writes at the end of the core file. The end of the text if there are none. */
function endOfOwnText(core: string): number {
  let first: number | undefined;
  let depth = 0;
  const { blocks, starts } = { ...scanMarkdown(core), starts: splitLines(core).starts };
  for (const block of blocks) {
    if (block.type !== 'heading') continue;
    if (HOST_HEADING.test(block.text.trim())) {
      depth = first === undefined ? block.depth : Math.min(depth, block.depth);
      first ??= starts[block.startLine - 1];
    } else if (block.depth <= depth) first = undefined;
  }
  return first ?? core.length;
}

/**
 * The lines to append after `above`, changed only as far as needed so that they do not become part of the list item above.
 */
function behind(above: string, lines: string, end: string): string {
  const text = `${lines.replace(/[\r\n]+$/, '')}${end}`;
  const last = splitLines(above).lines.length;
  const goesOn = (added: string): boolean =>
    scanMarkdown(above + added).blocks.some(
      ({ type, startLine, endLine }) => type === 'item' && startLine <= last && endLine > last,
    );
  const indent = /^[ \t]*(?=\S)/m.exec(text)?.[0].length ?? 0;
  const outdented = indent === 0 ? text : text.replace(new RegExp(`^[ \\t]{1,${indent}}`, 'gm'), '');
  const ways = [text, outdented, end + text];
  return ways.find((way) => !goesOn(way)) ?? end + outdented;
}

function appendToSection(current: string, text: string, section: string, end: string): Result<string> {
  const { blocks, lines } = scanMarkdown(current);
  const wanted = section
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase();
  const headings = blocks.filter((block) => block.type === 'heading');
  const found = headings.filter((heading) => heading.text.trim().toLowerCase() === wanted);
  const [heading, other] = found;
  if (heading === undefined || other !== undefined) {
    const known = headings.map((candidate) => candidate.text).join(', ') || 'none';
    const message =
      heading === undefined ? `there is no heading "${section}"` : `${found.length} headings are "${section}"`;
    return refuse(message, `headings: ${known}`);
  }
  const next = headings.find(
    (candidate) => candidate.startLine > heading.startLine && candidate.depth <= heading.depth,
  );
  let last = (next?.startLine ?? lines.length + 1) - 1;
  while (last > heading.endLine && (lines[last - 1] ?? '').trim() === '') last--;
  return insertLines(current, text, { line: last + 1 }, end);
}

function insertLines(current: string, text: string, place: Place, end: string, mayGoOn = false): Result<string> {
  const at = lineStart(current, place);
  if (!at.ok) return at;
  if (isProtected(current, { start: at.value, end: at.value })) return refuseProtected();
  if (standsAt(current, at.value, text)) return ok(current);
  const before = current.slice(0, at.value);
  const above = before === '' || /[\r\n]$/.test(before) ? before : before + end;
  const put = mayGoOn ? `${text.replace(/[\r\n]+$/, '')}${end}` : behind(above, text, end);
  return ok(above + put + current.slice(at.value));
}

/** Offset at which the new lines begin. */
function lineStart(current: string, { line, after, before = '' }: Place): Result<number> {
  const { lines, starts } = splitLines(current);
  const startOf = (number: number): number => starts[number - 1] ?? current.length;
  if (line !== undefined) {
    const inRange = Number.isInteger(line) && line >= 1 && line <= lines.length + 1;
    return inRange ? ok(startOf(line)) : refuse(`there is no line ${line}`, `the last line is ${lines.length}`);
  }
  const found = findOnce(current, after ?? before);
  if (!found.ok) return found;
  const at = lineAt(starts, after === undefined ? found.value.start : Math.max(found.value.start, found.value.end - 1));
  return ok(startOf(after === undefined ? at : at + 1));
}

function findOnce(current: string, needle: string): Result<Span> {
  if (needle === '') return refuse('the text to look for is empty', 'give some text of the file');
  const places: number[] = [];
  for (let at = current.indexOf(needle); at >= 0; at = current.indexOf(needle, at + 1)) places.push(at);
  const [start] = places;
  if (start === undefined)
    return refuse('the text is not in the core file', 'it must match exactly; see openclaw memory core show');
  if (places.length > 1) {
    const { starts } = splitLines(current);
    const lines = places.map((at) => lineAt(starts, at)).join(', ');
    return refuse(`the text is there ${places.length} times, in lines ${lines}`, 'give more of what is around it');
  }
  const span = { start, end: start + needle.length };
  return isProtected(current, span) ? refuseProtected() : ok(span);
}

function lineAt(starts: readonly number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset);
  return next < 0 ? starts.length : next;
}

/** Whether a span lies in a block that a program writes: an edit there would be lost or would break the block. */
function isProtected(text: string, { start, end }: Span): boolean {
  const dreamt = [...text.matchAll(DREAMING)].map(({ index, 0: all }) => ({ start: index, end: index + all.length }));
  const blocks: readonly Span[] = [...findManagedBlocks(text), ...dreamt];
  return blocks.some((block) => start < block.end && end > block.start);
}

function refuseProtected(): Result<never, Failure> {
  return refuse('that place is in a block that a program writes', 'choose a place outside of it');
}

function refuse(message: string, hint: string): Result<never, Failure> {
  return err({ type: 'refused', message, hint });
}
