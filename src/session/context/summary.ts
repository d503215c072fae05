import { estimateTokens } from '../../text/tokens.js';
import { isWorkingMemory, parseDocument } from '../../wm/document.js';
import { contentItems } from '../../wm/items.js';
import { SECTION_NAMES, type SectionName } from '../../wm/sections.js';
import { cutToTokens } from './cut.js';

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
