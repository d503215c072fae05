import { firstNotBelow } from '../../base/order.js';
import { estimateTokens } from '../../text/tokens.js';
import { isWorkingMemory, parseDocument } from '../../wm/document.js';
import { contentItems } from '../../wm/items.js';
import { SECTION_NAMES, type SectionName } from '../../wm/sections.js';
import type { Part, SessionMessage } from '../message.js';

/** Most characters of what a tool was given or gave, and of what was said. */
export interface Cap {
  readonly output: number;
  readonly text: number;
}

const NO_CAP: Cap = { output: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY };
/** What is cut first: long outputs, step by step; then long texts. The last one is the least that a message is. */
export const CAPS: readonly Cap[] = [
  NO_CAP,
  ...[32_000, 8_000, 3_000, 1_200, 500, 240].map((output) => ({ output, text: NO_CAP.text })),
  ...[12_000, 4_000, 1_500, 500].map((text) => ({ output: 240, text })),
];
export const LEAST: Cap = CAPS.at(-1) ?? NO_CAP;

/** A text of about `most` characters: two thirds from its beginning, the rest from its end, and what is left out said. */
export function cutText(text: string, most: number): string {
  // Leaving out less than the note costs would make it longer.
  if (text.length <= most + 60) return text;
  const head = Math.floor((most * 2) / 3);
  const tail = text.slice(text.length - (most - head)).replace(/^[\uDC00-\uDFFF]/, '');
  const left = text.length - most;
  return `${text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}\n[… ${left} characters left out for lack of room …]\n${tail}`;
}

/** The longest {@link cutText} of at most so many tokens; '' when not even the note fits. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text.length > 4 * tokens ? text.slice(0, 4 * tokens + 4) : text) <= tokens) return text;
  const fits = (length: number): boolean => estimateTokens(cutText(text, length)) <= tokens;
  const most = firstNotBelow(Math.min(text.length, 4 * tokens), (shorter) => fits(shorter + 1));
  return most < 8 ? '' : cutText(text, most);
}

/** A message with its long parts cut. */
export function cutMessage<T extends Pick<SessionMessage, 'parts'>>(message: T, cap: Cap): T {
  if (cap === NO_CAP) return message;
  const parts = message.parts.map((part) => cutPart(part, cap));
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

function cutPart(part: Part, cap: Cap): Part {
  switch (part.type) {
    case 'text':
      return part.text.length <= cap.text ? part : { ...part, text: cutText(part.text, cap.text) };
    case 'tool_result':
      return part.output.length <= cap.output ? part : { ...part, output: cutText(part.output, cap.output) };
    case 'tool_call': {
      const input = cutValue(part.input, cap.output, 0);
      return input === part.input ? part : { ...part, input };
    }
    case 'context':
      return part.abstract.length <= cap.text ? part : { ...part, abstract: cutText(part.abstract, cap.text) };
    case 'other':
      return part;
  }
}

const DEEPEST = 12;

/** The texts in what a tool was given, cut. What is nested too deeply, or is too many, is said to be left out. */
function cutValue(value: unknown, most: number, depth: number): unknown {
  if (typeof value === 'string') return value.length <= most ? value : cutText(value, most);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  const whole = JSON.stringify(value);
  if (whole.length <= most) return value;
  if (depth >= 2 || Array.isArray(value)) return cutText(whole, most);
  const cut = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutValue(item, most, depth + 1)]));
  return JSON.stringify(cut).length <= 4 * most ? cut : cutText(whole, most);
}

/** What is going on now is of most use; the title says in a line what it is about. */
const FIRST: readonly SectionName[] = ['Session Title', 'Current State', 'Open Issues'];

/**
 * A Working Memory within a budget, whole items only: Current State and Open Issues first, then the other sections in
 * their order. One line says what was left out. Pure.
 * @param budget in tokens
 */
export function fitSummary(overview: string, budget: number): string {
  if (estimateTokens(overview) <= budget) return overview.trimEnd();
  const shorten = isWorkingMemory(overview) ? fitSections : fitLines;
  // The note at the end says how much is missing, and so its own size is known last.
  for (let room = budget - 40; room > 0; room -= 20) {
    const fitted = shorten(overview, room);
    if (estimateTokens(fitted) <= budget) return fitted;
  }
  return cutToTokens(overview, budget);
}

function fitSections(overview: string, budget: number): string {
  const { bodies } = parseDocument(overview);
  const order = [...FIRST, ...SECTION_NAMES.filter((name) => !FIRST.includes(name))];
  const kept = new Map<SectionName, readonly string[]>();
  const left: string[] = [];
  let room = budget;
  for (const name of order) {
    const items = contentItems(bodies[name]);
    const taken = takeItems(items, room - estimateTokens(`## ${name}\n`));
    if (taken.length > 0) {
      kept.set(name, taken);
      room -= estimateTokens(`## ${name}\n${taken.join('\n')}\n\n`);
    }
    if (taken.length < items.length) left.push(`${items.length - taken.length} of ${name}`);
  }
  const sections = SECTION_NAMES.flatMap((name) => {
    const items = kept.get(name);
    if (items === undefined) return [];
    const bullet = name === 'Session Title' ? '' : '- ';
    return [`## ${name}\n${items.map((item) => `${bullet}${item}`).join('\n')}`];
  });
  const note = `(items left out for lack of room: ${left.join(', ')}; session search finds them)`;
  return ['# Working Memory', ...sections, note].join('\n\n');
}

function takeItems(items: readonly string[], room: number): readonly string[] {
  const taken: string[] = [];
  let used = 0;
  for (const item of items) {
    used += estimateTokens(`- ${item}\n`);
    if (used > room) break;
    taken.push(item);
  }
  return taken;
}

function fitLines(text: string, budget: number): string {
  const lines = text.trimEnd().split('\n');
  const taken = takeItems(lines, budget);
  return `${taken.join('\n')}\n\n(${lines.length - taken.length} lines left out for lack of room; session search finds them)`;
}
