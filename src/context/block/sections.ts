import type { Search } from '../../index/search.js';
import { DEFAULT_SETTINGS, type Settings } from '../../workspace/settings.js';
import { fieldsOf, readExperiences, renderExperience } from './experiences.js';
import { type Memory, renderMemory, type Score } from './long-term.js';
import { safeLine } from './safe-text.js';

export interface FoundExperience {
  readonly name: string;
  /** The page. */
  readonly source: string;
  readonly score: number;
}

/** Hosts cut what is injected at 10,000 characters. */
const LONGEST_BLOCK = 9_500;
const LONGEST_CORE = 4_000;

/** Unless the settings ask for more, a host need not cut it. */
export function blockRoom({ agentExperience, autoRecall }: Settings): number {
  const asked = agentExperience.maxInjectedChars + autoRecall.maxInjectedChars;
  const usual = DEFAULT_SETTINGS.agentExperience.maxInjectedChars + DEFAULT_SETTINGS.autoRecall.maxInjectedChars;
  return (asked > usual ? asked : LONGEST_BLOCK) - ENVELOPE_CHARS;
}

/** The tags, blank lines and headings around the items, generously. */
const ENVELOPE_CHARS = 400;

/** A section of a block, and what stands in it. */
export interface Section<T> {
  readonly text: string;
  readonly items: readonly T[];
}

export const NO_SECTION: Section<never> = { text: '', items: [] };

/** The experiences above the threshold, whole ones, as far as there is room. */
export function experienceSection(
  search: Search,
  score: Score,
  { recallLimit, scoreThreshold, maxInjectedChars, typedPages }: Settings['agentExperience'],
): Section<FoundExperience> {
  const found = readExperiences(search, typedPages)
    .map((experience) => ({ experience, score: score(fieldsOf(experience), experience.path) }))
    .filter((each) => each.score >= scoreThreshold)
    .sort((a, b) => b.score - a.score || (a.experience.path < b.experience.path ? -1 : 1));
  const items: FoundExperience[] = [];
  const texts: string[] = [];
  let left = maxInjectedChars;
  for (const each of found.slice(0, Math.max(4 * recallLimit, 12))) {
    const text = renderExperience(each.experience, each.score);
    if (items.length >= recallLimit) break;
    if (text.length + 2 > left) continue;
    left -= text.length + 2;
    texts.push(text);
    items.push({ name: each.experience.name, source: each.experience.path, score: each.score });
  }
  const says = 'These are prior execution lessons learned by this agent. Use them as task guidance, not as user facts.';
  return items.length === 0 ? NO_SECTION : { text: ['## Agent Experiences', says, ...texts].join('\n\n'), items };
}

/** The memories in their order, whole lines, as far as there is room. */
export function longTermSection(memories: readonly Memory[], limit: number, room: number): Section<Memory> {
  const items: Memory[] = [];
  const lines: string[] = [];
  let left = room;
  for (const memory of memories) {
    const line = renderMemory(memory);
    if (items.length >= limit) break;
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    lines.push(line);
    items.push(memory);
  }
  const head = 'Source: openviking-auto-recall\nThe following OpenViking memories may be relevant:';
  return items.length === 0 ? NO_SECTION : { text: `## Long-term Memories\n\n${head}\n${lines.join('\n')}`, items };
}

/** The core file, a line each, as far as there is room for whole lines. */
export function coreSection(core: string): string {
  const lines: string[] = [];
  let left = LONGEST_CORE;
  for (const line of core.replace(/<!--[\s\S]*?(?:-->|$)/gu, '').split('\n')) {
    const text = safeLine(line);
    if (text === '') continue;
    left -= text.length + 3;
    if (left < 0) break;
    lines.push(`- ${text}`);
  }
  return lines.length === 0 ? '' : `## Core Memory\n\n${lines.join('\n')}`;
}
