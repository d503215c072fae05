import type { Day } from '../base/clock.js';
import { compareText, groupBy } from '../base/order.js';
import type { FoundUnit, IndexedFile, IndexSearch } from '../index/search.js';
import { namesRule } from '../language/statements/durable.js';
import { readStatementTerms } from '../language/words/terms.js';
import { textAfterNames } from '../line/said.js';
import type { WeightedField } from '../query/relevance.js';
import type { RecallResult } from '../query/request.js';
import { contextLabel, selfContainedText } from '../query/result-text.js';
import { DEFAULT_SETTINGS, type Settings } from '../workspace/settings.js';
import { safeLine } from './envelope.js';

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
 * Picks the memories that are worth injecting: rules, decisions and lessons first, then the others, each in the order of
 * the results. Leaves out outdated statements, experiences and summaries. Picks each topic once. A page of a memory type is
 * one topic, and lines that share most of their words are one topic. If an outdated statement is relevant, the newer
 * statement of its thread is picked instead, even if the newer one has a low score.
 */
export function pickMemories(
  results: readonly RecallResult[],
  scoreOf: QueryScoreFunction,
  threshold: number,
  today: Day,
): readonly BlockMemory[] {
  const pages = new Set<string>();
  const known: ReadonlySet<string>[] = [];
  const picked: BlockMemory[] = [];
  const rules = new Set<string>();
  const scores = scoresOf(results, scoreOf);
  for (const result of results) {
    const { id, kind, path, source, superseded, newer, beside, timestamp: day } = result;
    if (isExperiencePath(path) || kind === 'summary' || superseded !== undefined || beside !== undefined) continue;
    const said = saidBy(result, today);
    const content = said === '' ? '' : [...ownerOf(result, said), said].join(' › ');
    const score = scores.get(id) ?? 0;
    const words = wordsOf(result, said);
    const isKnown = pages.has(path) || known.some((others) => isSameMatter(words, others));
    if (content === '' || score < threshold || isKnown) continue;
    if (result.pageType !== undefined) pages.add(path);
    known.push(words);
    const place = { category: safeLine(result.pageType ?? kind), content, source: safeLine(source) };
    picked.push({ id, ...place, score, day, ...(newer === undefined ? {} : { newer }) });
    if (isRule(result)) rules.add(id);
  }
  const least = RULE_SHARE * Math.max(0, ...picked.map(({ score }) => score));
  const first = picked.filter(({ id, score }) => rules.has(id) && score >= least).slice(0, MOST_RULES);
  return [...first, ...picked.filter((memory) => !first.includes(memory))];
}

/** A rule comes first if its score is at least this share of the best score. Otherwise its topic may be another one. */
const RULE_SHARE = 0.5;
/** Maximum number of rules that come first, so that there is room for what answers the message. */
const MOST_RULES = 3;
/** Maximum length of a rule, in characters. A longer line tells a story with a rule in it. */
const LONGEST_RULE = 300;
/** Matches a label before a statement: `**Decision:**`. */
const LABEL = /^[*_]{0,2}(\p{L}[^:：]{0,30})[:：]/u;

/** Whether the heading, the title or the label of a line names rules, decisions or lessons. False for a question. */
export function isRule({ content, heading = [], title = '' }: RecallResult): boolean {
  const text = textAfterNames(content);
  if (text.length > LONGEST_RULE || /[?？]\s*$/.test(text)) return false;
  const named = [...heading, title, LABEL.exec(text)?.[1] ?? ''];
  return named.some(namesRule);
}

/** The text of a result with its list, and with what is over: its words that no longer apply, or the day of its end. */
function saidBy(result: RecallResult, today: Day): string {
  const { over, validFrom, validTo, below } = result;
  const told = [selfContainedText(result), below?.join('; ') ?? []].flat().join(' ');
  const isOver = validTo !== null && validTo < today && validTo !== validFrom && !told.includes(validTo);
  const ends = [over === undefined ? [] : `no longer: ${over}`, isOver ? `ended ${validTo}` : []].flat();
  return safeLine([told, ...ends.map((end) => `(${end})`)].join(' '));
}

/** What names the owner of a line, if the line does not: its heading or its table, and who says it. */
function ownerOf(result: RecallResult, said: string): readonly string[] {
  const owner = contextLabel(result) ?? '';
  const { speaker = '' } = result;
  const isNamed = speaker === '' || owner.includes(speaker) || said.includes(speaker);
  return [owner, isNamed ? '' : speaker].map(safeLine).filter((name) => name !== '');
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

function renderMemory({ category, content, source, day }: BlockMemory): string {
  const isDated = day === null || source.includes(day) || content.includes(day) || STAMP.test(content);
  return `- [${category}] ${isDated ? '' : `${day}, `}${content} (${source})`;
}

/** Matches a day at the beginning of a message: `14.02.26`. */
const STAMP = /^\[?\d{1,4}[-./]\d{1,2}[-./]\d/;

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

/** The parts of an experience: when it applies (`situation`), what to do (`approach`), what to avoid (`reflect`). */
type Part = 'situation' | 'approach' | 'reflect';

/** Lessons that an agent learned from tasks of one kind. */
interface Experience extends Readonly<Record<Part, readonly string[]>> {
  /** The name of the page's file, without `.md`. */
  readonly name: string;
  readonly path: string;
}

const SECTIONS: readonly (readonly [part: Part, heading: RegExp])[] = [
  ['situation', /^(?:situation|when|trigger|context|scope)\b|^(?:情境|场景|情况|适用)/iu],
  ['reflect', /^(?:reflect(?:ion)?s?|avoid|pitfalls?|lessons?|don'?ts?)\b|^(?:反思|避免|教训|注意|坑)/iu],
  ['approach', /^(?:approach|do|steps?|how|solution)\b|^(?:做法|方法|步骤|方案)/iu],
];

/** Whether a page holds experience of the agent. */
function isExperiencePath(path: string): boolean {
  return path.startsWith('bank/experiences/');
}

/** The experiences of a workspace, as the index has them: without forgotten or commented-out text. */
function readExperiences(search: IndexSearch): readonly Experience[] {
  const pages = search.files().filter(({ path }: IndexedFile) => isExperiencePath(path));
  return pages.flatMap(({ path }) => {
    const file = search.file(path);
    if (file === undefined || file.lastUnit < file.firstUnit) return [];
    return [experienceOf(path, search.range(file.firstUnit, file.lastUnit))];
  });
}

function experienceOf(path: string, units: readonly FoundUnit[]): Experience {
  const name = (path.split('/').at(-1) ?? '').replace(/\.md$/u, '');
  const found: Record<Part, string[]> = { situation: [], approach: [], reflect: [] };
  // A unit is a heading if its field `section` has its own key. This maps the key of each heading to its text.
  const headings = new Map(units.flatMap(({ key, section, text }) => (section === key ? [[key, text] as const] : [])));
  for (const unit of units) {
    if (headings.has(unit.key)) continue;
    // Brackets before a line name the kind of a memory. An experience must not claim a kind, so use parentheses.
    const text = safeLine(unit.text).replace(/^\[([^\]]*)\]/u, '($1)');
    const heading = unit.section === null ? '' : (headings.get(unit.section) ?? '');
    // Text under no known heading counts as approach, because the whole page is experience.
    const part = SECTIONS.find(([, pattern]) => pattern.test(heading.trim()))?.[0] ?? 'approach';
    if (text !== '' && !found[part].includes(text)) found[part].push(text);
  }
  return { name: safeLine(name), path, ...found };
}

/**
 * The texts of an experience with their weights. A text weighs more if it says more about the tasks that the experience is
 * for. Pure.
 */
function experienceFields({ name, situation, approach, reflect }: Experience): readonly WeightedField[] {
  return [
    { text: [name.replaceAll('-', ' '), ...situation].join('\n'), weight: 1 },
    { text: approach.join('\n'), weight: 0.7 },
    { text: reflect.join('\n'), weight: 0.5 },
  ];
}

const TO_CHECK =
  /\b(?:check|verify|confirm|make sure|ensure|test|compare|measure|monitor|watch|rerun|replay)\b|确认|检查|验证|核对|确保|复测|回归|重放|重跑|观察|监控/iu;
const FORBIDS = /\b(?:avoid|never|don't|do not|not|without|no)\b|避免|不要|不得|不能|不可|切勿|禁止|别/iu;

/**
 * Whether a lesson says what to check afterwards. A lesson that forbids something is not a check, even if it mentions tests.
 */
function isCheck(lesson: string): boolean {
  const at = lesson.search(TO_CHECK);
  const forbids = lesson.search(FORBIDS);
  return at >= 0 && (forbids < 0 || at < forbids);
}

/** The text of an experience for a block. It repeats no sentence and has no label without content. Pure. */
function renderExperience(experience: Experience, score: number): string {
  const { name, path, situation, approach, reflect } = experience;
  const said = new Set<string>();
  const lines = [`### Experience: ${name}`, `Source: ${safeLine(path)}`, `Score: ${score.toFixed(3)}`];
  const part = (label: string, items: readonly string[]): void => {
    const fresh = items.filter((item) => !said.has(item));
    if (fresh.length === 0) return;
    for (const item of fresh) said.add(item);
    lines.push('', `${label}:`, ...fresh.map((item) => `- ${item}`));
  };
  part('Trigger', situation.slice(0, 1));
  part('Do', approach);
  const [checks, avoid] = [reflect.filter(isCheck), reflect.filter((item) => !isCheck(item))];
  part('Avoid', avoid);
  part('Scope', situation.slice(1));
  part('Check', checks);
  return lines.join('\n');
}
