import { findTurns, readTurnHeader, type SpeakerTurn } from '../../language/speakers.js';
import type { Unit } from '../../line/unit.js';
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
  /** Nearest heading above that names a topic. */
  readonly heading?: string;
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

/** Matches lines that are not statements of the people who write the log: headings, quotes, tables and HTML. */
const NOT_SAID = /^\s*(?:#|>|\||<)/u;
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
    const isSaid = kept.has(line) && !NOT_SAID.test(line) && !isMachineLine(line) && !inCode.has(unit.line);
    if (unit.fact !== null || unit.detail?.page === true || unit.detail?.field === true) continue;
    if (!isSaid || ofMachines.has(unit.section) || unit.text.trim() === '') continue;
    const passage = passageOf(unit, turns[unit.line - 1], topicOf(units, unit.section));
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

/** Builds the passage for a unit. Returns `undefined` if the unit only names a speaker. */
function passageOf(unit: Unit, turn: SpeakerTurn | undefined, heading: string | undefined): LogPassage | undefined {
  if (turn?.said === '') return undefined;
  const label = turn?.name ?? LABEL.exec(unit.text)?.[1]?.trim() ?? '';
  const isByAgent = AGENTS.test(label);
  return {
    from: unit.line,
    to: unit.endLine,
    text: withoutClock(turn !== undefined && unit.text.endsWith(turn.said) ? turn.said : unit.text),
    isByAgent,
    ...(turn !== undefined && !isByAgent && { speaker: turn.name }),
    ...(heading !== undefined && { heading }),
  };
}

/** Matches headings that name no topic, such as "Notes", "Morning" or a date. */
const NO_TOPIC =
  /^(?:retain|log|notes?|facts?|misc|summary|chat|session|conversation|journal|diary|today|decisions?|actions?|todos?|tasks?|agenda|minutes|meeting|standup|morning|noon|afternoon|evening|notizen|entscheidungen?|beschlüsse|aufgaben|besprechung|vormittag|mittag|nachmittag|abend|morgen|notas|decisiones|tareas|reunión|mañana|tarde|noche|décisions?|réunion|matin|soir|笔记|日志|决定|任务|会议|上午|中午|下午|晚上)$|^\P{L}*$|\d{4}-\d\d-\d\d|^\d{1,2}[:.h]\d\d|@/iu;

/** The nearest heading above that names a topic. */
function topicOf(units: readonly Unit[], section: number): string | undefined {
  for (let at = section; at >= 0; ) {
    const unit = units[at];
    if (unit === undefined || unit.detail?.page === true) return undefined;
    const text = unit.text.replace(/[[\]*_`#]/gu, '').trim();
    if (!NO_TOPIC.test(text) && readTurnHeader(text) === undefined) return text;
    if (unit.section >= at) return undefined;
    at = unit.section;
  }
  return undefined;
}

function withoutClock(text: string): string {
  return text.replace(/^\[?\d{1,2}[:.]\d\d\]?(?:\s*(?:Uhr|h))?(?:\s*[-–:])?\s+/u, '').trim();
}

/** Whether a line continues the passage before it. */
function goesOn(last: LogPassage, next: LogPassage, line: string): boolean {
  return (last.speaker === next.speaker || last.isByAgent) && isWrapped(last.text, line);
}

function isWrapped(before: string, line: string): boolean {
  return before.length >= WRAPPED && !/[.!?:;。！？；：]["')\]]*$/u.test(before) && /^\p{Ll}/u.test(line);
}
