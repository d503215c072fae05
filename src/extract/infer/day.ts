import type { Day } from '../../base/clock.js';
import { findTurns } from '../../language/speakers.js';
import { namesRule } from '../../language/statements/durable.js';
import { isWeekday } from '../../language/words/time-words.js';
import { hasForm } from '../../line/form.js';
import { tableCells } from '../../line/table.js';
import type { Unit } from '../../line/unit.js';
import { changeOutsideCode } from '../../markdown/inline.js';
import { scanMarkdown } from '../../markdown/scan.js';
import { lineNumbersInFences } from '../../markdown/visible.js';
import { pageOfPath } from '../../memory/pages.js';
import { readUnits } from '../../memory/units.js';
import { isMachineHeading, isMachineLine } from '../../text/machine-text.js';
import { stripInjected } from '../../text/strip.js';

/** A passage of plain text in a daily log: a line, a short list item, or the lines of one sentence. */
export interface LogPassage {
  /** First and last line in the log. The first line of a log is 1. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Whether an agent or a tool wrote the passage. Such a passage does not state an opinion of a person. */
  readonly isByAgent: boolean;
  /** Name of the speaker as written. Not set for agents and for the person who keeps the log. */
  readonly speaker?: string;
  /** Topics of the passage: its headings that name a topic, and the label of its list. The nearest one comes last. */
  readonly topics: readonly string[];
  /** Name of the speaker or label that the line itself begins with, if the text leaves it out. */
  readonly label?: string;
  /** Whether the passage is an item of a list or a row of a table. Its sentences belong together. */
  readonly isItem: boolean;
  /** Whether the heading, the label or the column of the passage says that it is a rule, a decision or a lesson. */
  readonly isRuling: boolean;
}

/** A daily log, prepared so that facts can be found in it. */
export interface LogOfDay {
  /** Text that people and agents wrote, in the order of the log, without facts, quotes and machine-written lines. */
  readonly passages: readonly LogPassage[];
  /** Texts of the facts in the log. */
  readonly stated: readonly string[];
  /** Number of facts in the log that were inferred by an earlier run. */
  readonly inferred: number;
}

/** Matches lines that are not statements of the people who write the log: headings, quotes and HTML. */
const NOT_SAID = /^\s*(?:#|>|<)/u;
/** Forms of lines that state nothing. */
const NO_STATEMENT = ['quoted', 'query', 'cancelled', 'struck', 'links', 'empty'] as const;
const AGENTS =
  /^(?:assistant|assistent(?:in)?|agent|ai|bot|model|system|tool|werkzeug|function|output|stdout|stderr|claude|gpt|chatgpt|gemini|copilot|助手|助理|智能体|机器人|工具|系统|アシスタント|エージェント|ツール|システム)(?:[\s_-]*(?:output|results?|response|calls?|log|message|answer|ausgabe|antwort|输出|结果|出力))?$/iu;
/** Matches a label that names the author of a line: `Tool output: …`, `[assistant] …`. */
const LABEL = /^[\s>*_[(]*([^\]:：*_)]{1,40})[\])*_]*(?:[:：]|(?<=\])\s)/u;
/**
 * If a line has at least this many characters and does not end with a full stop, its sentence may continue on the next
 * line.
 */
const WRAPPED = 60;
const LINE_END = /\r\n|\r|\n/u;

/** Reads a daily log. Pure. @param path path of the page, which is a daily log */
export function readLogOfDay(path: string, text: string): LogOfDay {
  const page = pageOfPath(path);
  if (page === undefined) return { passages: [], stated: [], inferred: 0 };
  const { units } = readUnits(path, page, text);
  const lines = text.split(LINE_END);
  const kept = new Set(stripInjected(text).split(LINE_END));
  const inCode = lineNumbersInFences(scanMarkdown(text));
  const turns = findTurns(lines);
  const passages: LogPassage[] = [];
  const ofMachines = new Set<number>();
  for (const [index, unit] of units.entries()) {
    const line = lines[unit.line - 1] ?? '';
    if (/^\s*#/u.test(line) && isMachineHeading(unit.text)) ofMachines.add(index);
    const isSaid =
      kept.has(line) &&
      !NOT_SAID.test(line) &&
      !NO_STATEMENT.some((name) => hasForm(unit, name)) &&
      !isMachineLine(line) &&
      // A remark on what is struck: "~~Redis~~ — not needed".
      !/^(?:\[[ xX]\]\s+)?~~[^~]+~~\s*[-–—(（]/u.test(unit.text) &&
      !inCode.has(unit.line);
    if (unit.fact !== null || unit.detail?.page === true || unit.detail?.field === true) continue;
    if (!isSaid || ofMachines.has(unit.section) || unit.text.trim() === '') continue;
    const passage = passageOf(units, { ...unit, text: withoutDay(unit.text, page.day) }, turns, line);
    if (passage === undefined) continue;
    const last = passages.at(-1);
    if (last !== undefined && last.to === unit.line - 1 && goesOn(last, passage, line)) {
      passages[passages.length - 1] = { ...last, to: unit.endLine, text: `${last.text} ${passage.text}` };
    } else passages.push(passage);
  }
  const facts = units.filter(({ fact }) => fact !== null);
  const inferred = facts.filter(({ detail }) => detail?.from !== undefined).length;
  return { passages, stated: facts.map((unit) => unit.text), inferred };
}

/** A sentence without the label before it: "Fix: changed the port" without "Fix:". */
export function withoutLabel(said: string): string {
  return said.replace(/^[^:：]{1,40}[:：]\s*/u, '');
}

/** A text without the marks of Markdown, and without what is struck through. Code stays as it is. */
export function withoutMarks(text: string): string {
  const unstruck = text.replace(/^\[[ xX]\]\s+/u, '').replace(/~~[^~]+~~/gu, '');
  return changeOutsideCode(unstruck, (part) =>
    part
      .replace(/!?\[([^[\]]+)\]\([^()\s]*\)/gu, '$1')
      .replace(/(?<!\d)\*\*|\*\*(?!\d)/gu, '')
      .replace(/(?<![\p{L}\p{N}_])__(?=\S)|(?<=\S)__(?![\p{L}\p{N}_])/gu, '')
      .replace(/(?<![\p{L}\p{N}*])\*([^\s*][^*]*)\*(?![\p{L}\p{N}*])/gu, '$1'),
  ).trim();
}

/** Builds the passage for a unit. Returns `undefined` if the unit only names a speaker, or is a row that states nothing. */
function passageOf(units: readonly Unit[], unit: Unit, turns: Turns, line: string): LogPassage | undefined {
  const turn = turns[unit.line - 1];
  const isRow = line.trimStart().startsWith('|');
  const text = isRow ? rowText(units, unit) : unit.text;
  if (turn?.said === '' || text === undefined) return undefined;
  const label = turn?.name ?? LABEL.exec(text)?.[1]?.trim() ?? '';
  const isByAgent = AGENTS.test(label);
  const isLabelled = turn !== undefined && text.endsWith(turn.said) && text !== turn.said;
  return {
    from: unit.line,
    to: unit.endLine,
    text: withoutClock(isLabelled ? turn.said : text),
    isByAgent,
    ...(turn !== undefined && !isByAgent && { speaker: turn.name }),
    topics: topicsOf(units, unit, turns),
    ...(isLabelled && !isByAgent && { label: turn.name }),
    isItem: isRow || /^\s*(?:[-*+•]|\d{1,3}[.)])\s/u.test(line),
    isRuling: (!isRow && isRuleName(label)) || isBelowRule(units, unit),
  };
}

/** A row of a table as a statement: its first cell with words, then the other cells with the names of their columns. */
function rowText(units: readonly Unit[], { text, detail }: Unit): string | undefined {
  const header = units[detail?.under ?? -1];
  if (header?.detail?.cells !== true) return undefined;
  const [names, cells] = [tableCells(header.text), tableCells(text)];
  const first = cells.findIndex((cell) => /\p{L}/u.test(cell));
  const told = cells.flatMap((cell, at) => (at <= first || BLANK_VALUE.test(cell) ? [] : `${names[at] ?? ''} ${cell}`));
  const name = cells[first] ?? '';
  return told.length === 0 || BLANK_VALUE.test(name) ? undefined : `${name}: ${told.join('; ')}`;
}

/** Matches a value that is still to be filled in: `<name>`, `TBD`, `…`. */
export const BLANK_VALUE = /^[*_`]*(?:<[^>]*>|\[[^\]]*\]|\{[^}]*\}|tbd|[^\p{L}\p{N}]*)[*_`]*$/iu;

/** Whether the heading of a line, the line that introduces its list, or a column of its table names rules. */
function isBelowRule(units: readonly Unit[], { detail, section }: Unit): boolean {
  const parent = detail?.under === undefined || detail.under === section ? undefined : units[detail.under];
  // A line below an item of the list only tells more about the item.
  if (parent !== undefined && parent.detail?.cells !== true && !LIST_LABEL.test(parent.text)) return false;
  const above = [parent, units[section]].filter((unit) => unit !== undefined && unit.detail?.page !== true);
  // A heading such as "Lesson: stories are posted by hand" names the rule before its colon, and "Task: rules" names none.
  return above.some((unit) => isRuleName(unit?.text.replace(/[:：]\s*\S.*$/u, '') ?? ''));
}

/** Whether a name is that of rules. It is not if another noun is behind the word: "Key Decision Point". */
function isRuleName(name: string): boolean {
  const words = name.split(/\s+/u);
  const next = words[words.findIndex(namesRule) + 1] ?? '';
  return namesRule(name) && !/^\p{Lu}\p{L}*(?<!ed|Made)$/u.test(next);
}

/** Matches headings that name no topic, such as "Notes", "Morning" or a date. */
const NO_TOPIC =
  /^(?:retain|log|notes?|facts?|misc|summary|chat|session|conversation|journal|diary|today|decisions?|actions?|todos?|tasks?|agenda|minutes|meeting|standup|morning|noon|afternoon|evening|notizen|entscheidungen?|beschlüsse|aufgaben|besprechung|vormittag|mittag|nachmittag|abend|morgen|notas|decisiones|tareas|reunión|mañana|tarde|noche|décisions?|réunion|matin|soir|笔记|日志|决定|任务|会议|上午|中午|下午|晚上)$|^\P{L}*$|\d{4}-\d\d-\d\d|^\d{1,2}[:.h]\d\d|@/iu;

/** The turns of speakers by line, counted from 0. */
type Turns = ReturnType<typeof findTurns>;

/**
 * The topics of a line: the nearest heading that names one, and the label that introduces its list. The nearest topic comes
 * last. If both are short, the topic above the nearest one is added.
 */
function topicsOf(units: readonly Unit[], { detail, section }: Unit, turns: Turns): readonly string[] {
  const parent = detail?.under === undefined || detail.under === section ? undefined : units[detail.under];
  const label = parent !== undefined && LIST_LABEL.test(parent.text) ? topicName(parent.text) : undefined;
  const topics = [label].filter((name) => name !== undefined);
  for (let at = section; at >= 0 && topics.length < 2; ) {
    const unit = units[at];
    if (unit === undefined || unit.detail?.page === true) break;
    const topic = turns[unit.line - 1] === undefined ? topicName(unit.text) : undefined;
    if (topic !== undefined) topics.push(topic);
    const above = unit.detail?.under ?? unit.section;
    if (above >= at) break;
    at = above;
  }
  return topics.join('').length > LONGEST_TOPIC ? topics.slice(0, 1) : topics.toReversed();
}

/** Matches a line that introduces a list: "Migration of the archive:", or a bold line. */
const LIST_LABEL = /^(?:\[[ xX]\]\s+)?(?:[^:：.。]+[:：]\**|\*\*[^*]+\*\*)$/u;
/** Maximum length of the topics of a line, in characters. A longer heading is a sentence. */
const LONGEST_TOPIC = 60;
/** Matches a clock time or a period at the beginning of a heading, with the word for the part of the day before it. */
const CLOCK_BEFORE =
  /^(?:\p{L}{1,4}\s)?\d{1,2}:\d\d(?:\s?[-–]\s?\d{1,2}:\d\d)?(?:\s?[AP]M)?(?:\s[A-Z]{2,4}(?=\s[-–—]))?[\s:–—-]+(?=\p{L})/iu;
const CLOCK_AFTER = /\s[-–—]\s\d{1,2}:\d\d(?:\s?[AP]M)?(?:\s[A-Z]{2,4})?$/iu;
const IN_BRACKETS = /\s*[(（][^()（）]*[)）]\s*$/u;

/**
 * The topic that a heading names: without clock time, signs and remarks. "[14:02] Search — blocked (see below)" is about
 * "Search". Undefined if the heading only says when something was written.
 */
function topicName(heading: string): string | undefined {
  const bare = withoutMarks(heading)
    .replace(/[[\]*`#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .replace(/^[^\p{L}\p{N}@]+/u, '')
    .replace(/[:：\s]+$/u, '')
    .replace(CLOCK_BEFORE, '')
    .replace(IN_BRACKETS, '')
    .trim();
  if (CLOCK_AFTER.test(bare)) return undefined;
  const name = (/^.+?(?=\s[-–—]\s|$)/u.exec(bare)?.[0] ?? '')
    .replace(IN_BRACKETS, '')
    .replace(/[^\p{L}\p{N}\p{M}+#!%)"'”」]+$/u, '');
  // A year behind two names belongs to them: "Italy North 2026".
  const isOfYear = /^(?:\p{Lu}[^\s\d]*\s+){2,}(?:19|20)\d\d(?=\s|$)/u.test(bare);
  const isDated = (!isOfYear && /(?<![\p{L}\d])(?:19|20)\d\d(?!\d)/u.test(bare)) || isWeekday(name);
  return isDated || name.length > LONGEST_TOPIC || NO_TOPIC.test(name) ? undefined : name;
}

function withoutClock(text: string): string {
  return text.replace(/^\s*\[?\d{1,2}[:.]\d\d\]?(?:\s*(?:Uhr|h))?(?:\s*[-–—:])?\s+/u, '').trim();
}

/** A text without the day of the log before it, and without the zone of the time there. */
function withoutDay(text: string, day: Day | null): string {
  return day !== null && text.startsWith(day) ? text.slice(day.length).replace(ZONE, '$1') : text;
}

/** A clock time, and a time zone with a colon behind it. */
const ZONE = /^(\s*(?:\d{1,2}:\d\d)?)\s+(?:[A-Z]{2,4}|\p{Lu}\p{L}+\/[\p{L}_]+)?(?:\s*[:—–-])?(?=\s)/u;

/** Whether a line continues the passage before it. */
function goesOn(last: LogPassage, next: LogPassage, line: string): boolean {
  return (last.speaker === next.speaker || last.isByAgent) && isWrapped(last.text, line);
}

function isWrapped(before: string, line: string): boolean {
  return before.length >= WRAPPED && !/[.!?:;。！？；：]["')\]]*$/u.test(before) && /^\p{Ll}/u.test(line);
}
