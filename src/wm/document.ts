import { addToGroup } from '../base/order.js';
import { estimateTokens } from '../text/tokens.js';
import { contentItems } from './items.js';
import { bySectionName, findSection, isDocumentTitle, SECTION_NAMES, type SectionName } from './sections.js';
import { closeBlocks, type HeadingLine, readHeadings, trimBody } from './structure.js';

export type SectionBodies = Readonly<Record<SectionName, string>>;

/** A parsed Working Memory. Every line of the text is in one of its parts. */
export type ParsedDocument = ReturnType<typeof parseDocument>;

/** The section for text without a section heading. Its guard rejects updates that lose facts. */
const HOME: SectionName = 'Key Facts & Decisions';

/**
 * Reads a Working Memory, or any older free-form summary, and keeps every line. A heading that is nearly the name of a
 * section, or a duplicate of it, counts as that section. A heading in a fence is text. Sections with other names,
 * and text before the first section, are kept.
 */
export function parseDocument(text: string | null) {
  const source = (text ?? '').replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const lines = source.split('\n');
  const dividers = readHeadings(source).filter((heading) => heading.root && heading.depth < 3);
  const headingLines = new Set<number>();
  const own = new Map<SectionName, string[]>();
  const placed = new Map<SectionName, string[]>();
  let current: SectionName | undefined;
  addToGroup(placed, HOME, bodyOf(lines, 0, dividers[0]?.startLine ?? lines.length));
  dividers.forEach((heading, index) => {
    const body = bodyOf(lines, heading.endLine + 1, dividers[index + 1]?.startLine ?? lines.length);
    const name = findSection(heading.text);
    if (name !== undefined || isDocumentTitle(heading.text)) {
      for (let line = heading.startLine; line <= heading.endLine; line++) headingLines.add(line);
    }
    if (name !== undefined) {
      current = name;
      addToGroup(own, name, body);
      addToGroup(placed, name, body);
    } else if (isDocumentTitle(heading.text)) addToGroup(placed, HOME, body);
    else addToGroup(placed, homeOf(current, dividers, index), foreignSection(heading, body));
  });
  return {
    /** The text of each section that exists. Sections of the same name are joined in order. */
    sections: new Map([...own].map(([name, parts]) => [name, join(parts)])),
    /**
     * The whole text, divided among the seven sections. A section with another name becomes a `###` part of the section
     * before or after it. Other text is under Key Facts.
     */
    bodies: bySectionName((name) => closeBlocks(join(placed.get(name) ?? []))),
    /** Line numbers of our own headings, which are not content. 0-based. */
    headingLines,
    /** The text with LF ends and without a byte order mark, line by line. */
    lines,
  };
}

/** Whether a text is a Working Memory: it has the heading of at least one of the seven sections. */
export function isWorkingMemory(text: string | null): boolean {
  return parseDocument(text).sections.size > 0;
}

/** Renders the whole document: the seven sections in order, each with its heading even when it is empty. */
export function renderDocument(bodies: SectionBodies): string {
  return `${renderSections(bodies, SECTION_NAMES)}\n`;
}

/** Renders the named sections for a prompt. */
export function renderSections(bodies: SectionBodies, names: readonly SectionName[]): string {
  const parts = names.map((name) => (bodies[name] === '' ? `## ${name}` : `## ${name}\n${bodies[name]}`));
  return `# Working Memory\n\n${parts.join('\n\n')}`;
}

// Returns the section to which a section with another name is added. This is usually the section before it. But Session
// Title has only one line, so after Session Title it is the next section. If neither exists, it is Key Facts.
function homeOf(current: SectionName | undefined, dividers: readonly HeadingLine[], index: number): SectionName {
  if (current !== undefined && current !== 'Session Title') return current;
  if (current === undefined) return HOME;
  const next = dividers.slice(index + 1, index + 50).map((heading) => findSection(heading.text));
  return next.find((name) => name !== undefined && name !== 'Session Title') ?? HOME;
}

function foreignSection(heading: HeadingLine, body: string): string {
  const title = heading.text.split('\n').map((line) => `### ${line}`.trimEnd());
  return [...title, body].filter((part) => part !== '').join('\n');
}

function bodyOf(lines: readonly string[], from: number, to: number): string {
  return trimBody(lines.slice(from, to).join('\n'));
}

function join(parts: readonly string[]): string {
  const joined = parts
    .filter((part) => part !== '')
    .map((part, index) => (index < parts.length - 1 ? closeBlocks(part) : part))
    .join('\n\n');
  return parts.length > 1 ? withoutNewHeadings(joined) : joined;
}

// Joining texts can create a heading that none of them had. Example: if `2) a` follows indented code, the Markdown
// parser (`remark`) takes it for a paragraph. A line of dashes below this paragraph makes it a heading. This function indents such a line of
// dashes, so that there is no new heading.
function withoutNewHeadings(joined: string): string {
  const lines = joined.split('\n');
  for (const { root, depth, endLine } of readHeadings(joined)) {
    if (root && depth < 3) lines[endLine] = `    ${lines[endLine] ?? ''}`;
  }
  return lines.join('\n');
}

/** If a section has this number of bullets or tokens, the model is asked to merge and shorten its items. */
const CONSOLIDATE_BULLETS = 25;
const CONSOLIDATE_TOKENS = 1_500;
/** Budgets in tokens. Nothing enforces them: a section or document over budget is reported, never cut. */
export const SECTION_TOKEN_BUDGET = 2_000;
const DOCUMENT_BUDGET = 12_000;

/**
 * One line for each section that should be consolidated or is over its budget, and one if the whole document is over
 * its budget. Errors & Corrections is append-only, so its line never asks to consolidate it.
 */
export function sizeReminders(bodies: SectionBodies): readonly string[] {
  const reminders: string[] = [];
  let total = 0;
  for (const name of SECTION_NAMES) {
    const bullets = contentItems(bodies[name]).length;
    const tokens = estimateTokens(bodies[name]);
    total += tokens;
    const reminder = sectionReminder(name, bullets, tokens);
    if (reminder !== undefined) reminders.push(reminder);
  }
  if (total > DOCUMENT_BUDGET) {
    reminders.push(`The document has about ${total} tokens, over its budget of ${DOCUMENT_BUDGET}.`);
  }
  return reminders;
}

function sectionReminder(name: SectionName, bullets: number, tokens: number): string | undefined {
  const size = `"${name}" has ${bullets} bullets and about ${tokens} tokens`;
  const over = tokens > SECTION_TOKEN_BUDGET ? `, over its budget of ${SECTION_TOKEN_BUDGET} tokens` : '';
  if (name === 'Errors & Corrections') {
    return over === '' ? undefined : `${size}${over}. It is append-only: keep new entries short.`;
  }
  if (bullets < CONSOLIDATE_BULLETS && tokens < CONSOLIDATE_TOKENS) return undefined;
  return (
    `${size}${over}. It must be consolidated with UPDATE: group by topic, keep every name, date, path and exact value, ` +
    `aim for at most ${CONSOLIDATE_BULLETS} bullets and ${CONSOLIDATE_TOKENS} tokens.`
  );
}
