import { fencedLines } from '../../markdown/note-comments.js';
import { scanMarkdown } from '../../markdown/scan.js';
import { pageAt } from '../../memory/pages.js';
import { readUnits } from '../../memory/units.js';
import { isMachineHeading, isMachineLine } from '../../text/machine-text.js';
import { stripInjected } from '../../text/strip.js';

/** Something that the narrative of a day says: a line, a short list item, or the lines of one sentence. */
export interface Passage {
  /** Lines of the log, 1-based, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Whether an agent or a tool says it: no opinion of anybody's. */
  readonly isByAgent: boolean;
}

/** A day's log as inference reads it. */
export interface LogOfDay {
  /** Oldest first: what people and agents wrote, without what was stated as facts, quoted, or written by machines. */
  readonly passages: readonly Passage[];
  /** Texts of the facts that are stated there. */
  readonly stated: readonly string[];
  /** How many of them were inferred. */
  readonly inferred: number;
}

/** Quotes and tables are somebody else's words. */
const NOT_SAID = /^\s*(?:#|>|\||<)/u;
const AGENTS =
  /^(?:assistant|assistent(?:in)?|agent|ai|bot|model|system|tool|werkzeug|function|output|stdout|stderr|claude|gpt|chatgpt|gemini|copilot|助手|助理|智能体|机器人|工具|系统|アシスタント|エージェント|ツール|システム)(?:[\s_-]*(?:output|results?|response|calls?|log|message|answer|ausgabe|antwort|输出|结果|出力))?$/iu;
/** Who a line says that it is from: `Tool output: …`, `[assistant] …` */
const LABEL = /^[\s>*_[(]*([^\]:：*_)]{1,40})[\])*_]*(?:[:：]|(?<=\])\s)/u;
/** A line that is so long and ends in the middle of a sentence goes on in the next one. */
const WRAPPED = 60;
const LINE_END = /\r\n|\r|\n/u;

/** Reads what a day's log says. Pure. @param path of a page that is a daily log */
export function readLogOfDay(path: string, text: string): LogOfDay {
  const page = pageAt(path);
  if (page === undefined) return { passages: [], stated: [], inferred: 0 };
  const { units } = readUnits(path, page, text);
  const lines = text.split(LINE_END);
  const kept = new Set(stripInjected(text).split(LINE_END));
  const inCode = fencedLines(scanMarkdown(text));
  const passages: Passage[] = [];
  const ofMachines = new Set<number>();
  for (const [index, unit] of units.entries()) {
    const line = lines[unit.line - 1] ?? '';
    if (/^\s*#/u.test(line) && isMachineHeading(unit.text)) ofMachines.add(index);
    const isSaid = kept.has(line) && !NOT_SAID.test(line) && !isMachineLine(line) && !inCode.has(unit.line);
    if (unit.fact !== null || unit.detail?.page === true || unit.detail?.field === true) continue;
    if (!isSaid || ofMachines.has(unit.section) || unit.text.trim() === '') continue;
    const said = withoutClock(unit.text);
    const last = passages.at(-1);
    if (last !== undefined && last.to === unit.line - 1 && isWrapped(last.text, line)) {
      passages[passages.length - 1] = { ...last, to: unit.endLine, text: `${last.text} ${said}` };
    } else {
      const isByAgent = AGENTS.test(LABEL.exec(unit.text)?.[1]?.trim() ?? '');
      passages.push({ from: unit.line, to: unit.endLine, text: said, isByAgent });
    }
  }
  const facts = units.filter(({ fact }) => fact !== null);
  const inferred = facts.filter(({ detail }) => /^from L\d/u.test(detail?.origin ?? '')).length;
  return { passages, stated: facts.map((unit) => unit.text), inferred };
}

function withoutClock(text: string): string {
  return text.replace(/^\[?\d{1,2}[:.]\d\d\]?(?:\s*(?:Uhr|h))?(?:\s*[-–:])?\s+/u, '').trim();
}

function isWrapped(before: string, line: string): boolean {
  return before.length >= WRAPPED && !/[.!?:;。！？；：]["')\]]*$/u.test(before) && /^\p{Ll}/u.test(line);
}
