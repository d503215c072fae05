import { compareText, groupBy } from '../base/order.js';
import type { IndexSearch } from '../index/search.js';
import { readStatementTerms } from '../language/words/terms.js';
import type { WeightedField } from '../recall/relevance.js';
import type { RecallResult } from '../recall/request.js';
import { contextLabel, selfContainedText } from '../recall/result-text.js';
import { firstItemsWithin } from '../text/tokens.js';
import { DEFAULT_SETTINGS, type Settings } from '../workspace/settings.js';
import { safeLine } from './envelope.js';
import { experienceFields, isExperiencePath, readExperiences, renderExperience } from './experiences.js';

/** A memory that may be injected. */
export interface BlockMemory {
  readonly id: string;
  /** The category in brackets before the memory: `profile`, `world`, `entity`, … */
  readonly category: string;
  readonly content: string;
  /** Place of the memory: `path#Lline`. */
  readonly source: string;
  readonly score: number;
  /** Day of the memory, such as `2026-03-12`; null if not known. */
  readonly day: string | null;
  /**
   * Id of the newer memory of the same thread. This memory is shown below the newer one, because no judge has decided
   * whether the newer one replaces it.
   */
  readonly newer?: string;
}

/**
 * Returns how well a text answers the query, from 0 to 1. Compares the words of the text with the query, and also the
 * meaning of the page or of one line of it.
 */
export type QueryScoreFunction = (fields: readonly WeightedField[], path: string, line?: number) => number;

/**
 * Picks the memories that are worth injecting, in the order of the results. Leaves out outdated statements, experiences and
 * summaries. Picks each topic once. A page of a memory type is one topic, and lines that share most of their words are one
 * topic. If an outdated statement is relevant, the newer statement of its thread is picked instead, even if the newer one
 * has a low score.
 */
export function pickMemories(
  results: readonly RecallResult[],
  scoreOf: QueryScoreFunction,
  threshold: number,
): readonly BlockMemory[] {
  const pages = new Set<string>();
  const known: ReadonlySet<string>[] = [];
  const picked: BlockMemory[] = [];
  const scores = scoresOf(results, scoreOf);
  for (const result of results) {
    const { id, kind, path, source, superseded, newer, over, beside, timestamp: day } = result;
    if (isExperiencePath(path) || kind === 'summary' || superseded !== undefined || beside !== undefined) continue;
    const told = [selfContainedText(result), result.below?.join('; ') ?? []].flat().join(' ');
    const said = safeLine(over === undefined ? told : `${told} (no longer: ${over})`);
    const under = contextLabel(result);
    const content = said === '' || under === undefined ? said : `${safeLine(under)} › ${said}`;
    const score = scores.get(id) ?? 0;
    const words = wordsOf(result, said);
    const isKnown = pages.has(path) || known.some((others) => isSameMatter(words, others));
    if (content === '' || score < threshold || isKnown) continue;
    if (result.pageType !== undefined) pages.add(path);
    known.push(words);
    const place = { category: safeLine(result.pageType ?? kind), content, source: safeLine(source) };
    picked.push({ id, ...place, score, day, ...(newer === undefined ? {} : { newer }) });
  }
  return picked;
}

/**
 * The score of each result, by its id. If an older statement of the same thread has a higher score, the newer statement
 * gets that score.
 */
function scoresOf(results: readonly RecallResult[], scoreOf: QueryScoreFunction): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  // In the results, a newer statement comes before the older ones of its thread. Go backwards, so that the older ones are
  // scored first.
  for (const result of results.toReversed()) {
    const { id, path, startLine, superseded, newer = superseded } = result;
    const score = Math.max(scoreOf(fieldsOfMemory(result), path, startLine), scores.get(id) ?? 0);
    scores.set(id, score);
    if (newer !== undefined) scores.set(newer, Math.max(score, scores.get(newer) ?? 0));
  }
  return scores;
}

/**
 * A row of a table is compared as one text, not by its words. All rows of a table share its column names and many values,
 * so their words are nearly the same.
 */
function wordsOf({ row, content }: RecallResult, said: string): ReadonlySet<string> {
  return new Set(row === undefined ? readStatementTerms(said) : [content.toLowerCase()]);
}

/** Whether two texts are about the same topic: one has most of the words of the other. */
function isSameMatter(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared >= SAME_SHARE * Math.min(one.size, other.size);
}

const SAME_SHARE = 0.75;

function fieldsOfMemory({ content, entities, heading, title }: RecallResult): readonly WeightedField[] {
  return [
    { text: [content, ...entities].join('\n'), weight: 1 },
    { text: [...(heading ?? []), title ?? ''].join('\n'), weight: 0.5 },
  ];
}

function renderMemory({ category, content, source }: BlockMemory): string {
  return `- [${category}] ${content} (${source})`;
}

function renderEarlier({ content, source, day }: BlockMemory): string {
  return `  - earlier${day === null ? '' : `, ${day}`}: ${content} (${source})`;
}

export interface FoundExperience {
  readonly name: string;
  /** Path of the page. */
  readonly source: string;
  readonly score: number;
}

/** Maximum size of a block, in characters. Hosts cut injected text at 10,000 characters. */
const LONGEST_BLOCK = 9_500;
const LONGEST_CORE = 4_000;

/**
 * Maximum size of the items of a block, in characters. With the default settings no host cuts a block of this size. If the
 * settings allow more than the default, the size in the settings is used.
 */
export function maxBlockChars({ agentExperience, autoRecall }: Settings): number {
  const asked = agentExperience.maxInjectedChars + autoRecall.maxInjectedChars;
  const usual = DEFAULT_SETTINGS.agentExperience.maxInjectedChars + DEFAULT_SETTINGS.autoRecall.maxInjectedChars;
  return (asked > usual ? asked : LONGEST_BLOCK) - ENVELOPE_CHARS;
}

/** Upper estimate of the characters of tags, blank lines and headings around the items. */
const ENVELOPE_CHARS = 400;

/** A section of a block, and its items. */
interface BlockSection<T> {
  readonly text: string;
  readonly items: readonly T[];
}

export const EMPTY_BLOCK_SECTION: BlockSection<never> = { text: '', items: [] };

/** The section of the experiences above the threshold: whole experiences, as many as there is room for. */
export function experienceSection(
  search: IndexSearch,
  score: QueryScoreFunction,
  { recallLimit, scoreThreshold, maxInjectedChars }: Settings['agentExperience'],
): BlockSection<FoundExperience> {
  const found = readExperiences(search)
    .map((experience) => ({ experience, score: score(experienceFields(experience), experience.path) }))
    .filter((each) => each.score >= scoreThreshold)
    .sort((a, b) => b.score - a.score || (a.experience.path < b.experience.path ? -1 : 1))
    .slice(0, Math.max(4 * recallLimit, 12))
    .map(({ experience, score }) => {
      const { name, path: source } = experience;
      return { text: renderExperience(experience, score), item: { name, source, score } };
    });
  const kept = roomFor(found, recallLimit, maxInjectedChars, ({ text }) => text.length + 2);
  const says = 'These are prior execution lessons learned by this agent. Use them as task guidance, not as user facts.';
  const text = ['## Agent Experiences', says, ...kept.map((each) => each.text)].join('\n\n');
  return kept.length === 0 ? EMPTY_BLOCK_SECTION : { text, items: kept.map(({ item }) => item) };
}

/**
 * The items that fit into the room, in order, and at most `limit` of them. If an item is too long, it is skipped and the
 * next one is tried.
 */
function roomFor<T>(items: readonly T[], limit: number, room: number, sizeOf: (item: T) => number): readonly T[] {
  let left = room;
  const kept = items.filter((item) => {
    const fits = sizeOf(item) <= left;
    if (fits) left -= sizeOf(item);
    return fits;
  });
  return kept.slice(0, limit);
}

/**
 * The section of the memories, in order: whole lines, as many as there is room for. Older memories of a thread come directly
 * below the newer one, newest first.
 */
export function longTermSection(
  memories: readonly BlockMemory[],
  limit: number,
  room: number,
): BlockSection<BlockMemory> {
  const kept = roomFor(memories, limit, room, (memory) => {
    return Math.max(renderMemory(memory).length, renderEarlier(memory).length) + 1;
  });
  const byId = new Map(kept.map((memory) => [memory.id, memory]));
  const topOf = (memory: BlockMemory, steps = 0): BlockMemory => {
    const newer = steps > kept.length ? undefined : byId.get(memory.newer ?? '');
    return newer === undefined ? memory : topOf(newer, steps + 1);
  };
  const items: BlockMemory[] = [];
  const lines: string[] = [];
  for (const [top, thread] of groupBy(kept, (memory) => topOf(memory))) {
    const earlier = thread.filter((memory) => memory !== top);
    const sorted = [top, ...earlier.toSorted((a, b) => compareText(b.day ?? '', a.day ?? ''))];
    items.push(...sorted);
    lines.push(...sorted.map((memory) => (memory === top ? renderMemory(memory) : renderEarlier(memory))));
  }
  const head = 'Source: openviking-auto-recall\nThe following OpenViking memories may be relevant:';
  return items.length === 0
    ? EMPTY_BLOCK_SECTION
    : { text: `## Long-term Memories\n\n${head}\n${lines.join('\n')}`, items };
}

/** The section of the core file: one list item for each line, as many whole lines as there is room for. */
export function coreSection(core: string): string {
  const bare = core.replace(/<!--[\s\S]*?(?:-->|$)/gu, '');
  const lines = bare.split('\n').map(safeLine);
  const said = lines.filter((line) => line !== '').map((line) => `- ${line}\n`);
  const kept = firstItemsWithin(said, LONGEST_CORE, ({ length }) => length).join('');
  return kept === '' ? '' : `## Core Memory\n\n${kept.trimEnd()}`;
}
