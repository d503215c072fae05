import { findFirstNotBelow } from '../../base/order.js';
import { estimateTokens, firstItemsWithin } from '../../text/tokens.js';
import {
  bySectionName,
  contentItems,
  isWorkingMemory,
  parseDocument,
  SECTION_NAMES,
  type SectionName,
} from '../../wm/document.js';
import { isOpenError } from '../../wm/status.js';
import type { MessagePart, SessionMessage } from '../message.js';

/** Maximum number of characters of a tool input or output, and of a text. */
export type MessageCap = { readonly output: number; readonly text: number };

const NO_CAP: MessageCap = { output: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY };
/**
 * The caps in the order in which they are tried: first outputs become shorter, step by step, then texts. The last cap gives
 * the minimum size of a message.
 */
export const MESSAGE_CAPS: readonly MessageCap[] = [
  NO_CAP,
  ...[32_000, 8_000, 3_000, 1_200, 500, 240].map((output) => ({ output, text: NO_CAP.text })),
  ...[12_000, 4_000, 1_500, 500].map((text) => ({ output: 240, text })),
];
export const SMALLEST_CAP: MessageCap = MESSAGE_CAPS.at(-1) ?? NO_CAP;

/** Cuts a text to about `most` characters: two thirds from its beginning, the rest from its end, with a note between. */
export function cutText(text: string, most: number): string {
  // The note has about 60 characters. If a cut removed fewer characters than that, the text would become longer.
  if (text.length <= most + 60) return text;
  const head = Math.floor((most * 2) / 3);
  const tail = text.slice(text.length - (most - head)).replace(/^[\uDC00-\uDFFF]/, '');
  const left = text.length - most;
  return `${text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}\n[… ${left} characters left out for lack of room …]\n${tail}`;
}

/** The text, cut by {@link cutText} so that as much as possible fits into `tokens` tokens; '' if not even the note fits. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text.length > 4 * tokens ? text.slice(0, 4 * tokens + 4) : text) <= tokens) return text;
  const fits = (length: number): boolean => estimateTokens(cutText(text, length)) <= tokens;
  const most = findFirstNotBelow(Math.min(text.length, 4 * tokens), (shorter) => fits(shorter + 1));
  return most < 8 ? '' : cutText(text, most);
}

/** A message with its long parts cut. */
export function cutMessage<T extends Pick<SessionMessage, 'parts'>>(message: T, cap: MessageCap): T {
  if (cap === NO_CAP) return message;
  const parts = message.parts.map((part) => cutPart(part, cap));
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

function cutPart(part: MessagePart, cap: MessageCap): MessagePart {
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

/** Cuts the texts in a tool's input. A value that is nested too deeply or has too many fields is cut as JSON text. */
function cutValue(value: unknown, most: number, depth: number): unknown {
  if (typeof value === 'string') return value.length <= most ? value : cutText(value, most);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  const whole = JSON.stringify(value);
  if (whole.length <= most) return value;
  if (depth >= 2 || Array.isArray(value)) return cutText(whole, most);
  const cut = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutValue(item, most, depth + 1)]));
  return JSON.stringify(cut).length <= 4 * most ? cut : cutText(whole, most);
}

/**
 * One step of fitting a Working Memory into a budget: it takes items from one section. `name`: the section. `share`: maximum
 * share of the remaining room for these items. `takes`: whether to take an item; if missing, all items are taken.
 */
type Look = { readonly name: SectionName; readonly share: number; readonly takes?: (item: string) => boolean };

/**
 * The first steps, most important first: title, current state, open errors and recent files. {@link LOOKS} continues with
 * issues, decisions and the rest of each section.
 */
const VITAL: readonly Look[] = [
  { name: 'Session Title', share: 1 },
  { name: 'Current State', share: 1 },
  { name: 'Errors & Corrections', share: 1, takes: isOpenError },
  { name: 'Files & Context', share: 0.3 },
];
const LOOKS: readonly Look[] = [
  ...VITAL,
  { name: 'Open Issues', share: 0.5 },
  { name: 'Key Facts & Decisions', share: 0.6 },
  ...SECTION_NAMES.map((name) => ({ name, share: 1 })),
];
/** Number of newest lines about files that belong to the most important part of a Working Memory. */
const LAST_FILES = 12;

/** Number of tokens of the most important part of a Working Memory: its title, state, open errors and recent files. */
export function countEssentialTokens(overview: string): number {
  if (!isWorkingMemory(overview)) return 0;
  const { bodies } = parseDocument(overview);
  const items = VITAL.flatMap(({ name, takes }) => {
    const all = contentItems(bodies[name]);
    return name === 'Files & Context' ? all.slice(0, LAST_FILES) : all.filter(takes ?? (() => true));
  });
  return estimateTokens(items.join('\n')) + 4 * items.length + 80;
}

/**
 * Fits a Working Memory into a budget. Takes whole items only, by priority. Room that one section does not use goes to the
 * other sections. One line lists what was left out. Pure.
 * @param budget in tokens
 */
export function fitSummary(overview: string, budget: number): string {
  if (estimateTokens(overview) <= budget) return overview.trimEnd();
  // The note at the end lists what was left out, so its size is known only after fitting. Try less and less room, until the
  // result fits into the budget.
  for (let room = budget - 40; isWorkingMemory(overview) && room > 0; room -= 20) {
    const fitted = fitSections(overview, room);
    if (estimateTokens(fitted) <= budget) return fitted;
  }
  return cutToTokens(overview, budget);
}

/**
 * Chooses the items of a Working Memory that fit into a budget, most important first. Returns them by section, in their
 * order. Pure.
 */
export function chooseItems(all: ItemsBySection, budget: number): ItemsBySection {
  const kept = new Map<SectionName, Set<string>>();
  let room = budget;
  for (const { name, share, takes = () => true } of LOOKS) {
    const known = kept.get(name);
    const heading = known === undefined ? estimateTokens(`## ${name}\n\n\n`) : 0;
    const items = all[name].filter((item) => takes(item) && known?.has(item) !== true);
    const taken = firstItemsWithin(items, Math.floor(room * share) - heading, (item) => estimateTokens(`- ${item}\n`));
    if (taken.length === 0) continue;
    kept.set(name, new Set([...(known ?? []), ...taken]));
    room -= heading + estimateTokens(taken.map((item) => `- ${item}\n`).join(''));
  }
  return bySectionName((name) => all[name].filter((item) => kept.get(name)?.has(item)));
}

type ItemsBySection = Readonly<Record<SectionName, readonly string[]>>;

function fitSections(overview: string, budget: number): string {
  const { bodies } = parseDocument(overview);
  const all = bySectionName((name) => contentItems(bodies[name]));
  const chosen = chooseItems(all, budget);
  const left: string[] = [];
  const sections = SECTION_NAMES.flatMap((name) => {
    const items = chosen[name];
    if (items.length < all[name].length) left.push(`${all[name].length - items.length} of ${name}`);
    if (items.length === 0) return [];
    const bullet = name === 'Session Title' ? '' : '- ';
    return [`## ${name}\n${items.map((item) => `${bullet}${item}`).join('\n')}`];
  });
  const note = `(items left out for lack of room: ${left.join(', ')}; session search finds them)`;
  return ['# Working Memory', ...sections, note].join('\n\n');
}
