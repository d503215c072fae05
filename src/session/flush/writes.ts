import type { Day } from '../../base/clock.js';
import { formatOriginNote, RULES } from '../../line/generated.js';
import { parseBullet } from '../../markdown/bullet.js';
import { CORE_FILE_NAMES } from '../../memory/pages.js';
import { lowerCaseWords } from '../../text/sentences.js';
import { stripInjected } from '../../text/strip.js';
import { callsWithResults } from '../memory/ledger/calls.js';
import { settleFacts, statesRule } from '../memory/ledger/statements.js';
import { isCodingSession, readTurns } from '../memory/ledger/turns.js';
import type { SessionMessage } from '../message.js';

/** One call of the tool `memory_write` by a model. */
export interface MemoryWrite {
  readonly target?: string | undefined;
  readonly content: string;
}

/** The writes of a flush, sorted by target. */
export interface GroupedWrites {
  /** Facts for the log of the day. */
  readonly facts: readonly string[];
  /** Lines for the core: proposed, not written. */
  readonly proposals: readonly string[];
  /** Targets that a flush may not write to. Their lines go to the log of the day. */
  readonly refused: readonly string[];
  /** Number of lines that were dropped, because one flush writes at most {@link MOST_LINES} lines. */
  readonly tooMany: number;
  /** True if each line of the writes says nothing. */
  readonly isEmpty: boolean;
}

/** Maximum number of lines of one flush; a model that writes more has copied text instead of choosing facts. */
const MOST_LINES = 200;
/** Maximum length of a line, in characters. */
const MOST_CHARS = 2_000;

/**
 * Sorts the writes of a model by target. Bullets stay, and prose becomes an observation; headings, fences and comments are
 * dropped. Only the log of the day will be written. Pure.
 */
export function sortWritesByTarget(
  writes: readonly MemoryWrite[],
  day: Day,
  isPlaceholder: (line: string) => boolean = () => false,
): GroupedWrites {
  const given = writes.map(({ target = '', content }) => {
    return { target, place: placeOf(target, day), lines: factLines(content) };
  });
  const sorted = given.map((write) => ({ ...write, lines: write.lines.filter((line) => !isPlaceholder(line)) }));
  const isEmpty = given.some(({ lines }) => lines.length > 0) && sorted.every(({ lines }) => lines.length === 0);
  const facts = sorted.flatMap(({ place, lines }) => (place === 'core' ? [] : lines));
  const proposals = sorted.flatMap(({ place, lines }) => (place === 'core' ? lines : []));
  const refused = sorted.flatMap(({ place, target }) => (place === 'other' ? [target] : []));
  const kept = facts.slice(0, MOST_LINES);
  const proposed = proposals.slice(0, MOST_LINES);
  const tooMany = facts.length - kept.length + proposals.length - proposed.length;
  return { facts: kept, proposals: proposed, refused, tooMany, isEmpty };
}

function placeOf(target: string, day: Day): 'log' | 'core' | 'other' {
  const wanted = target.trim();
  if (wanted === '' || wanted === `memory/${day}.md`) return 'log';
  return CORE_FILE_NAMES.some((name) => name === wanted) ? 'core' : 'other';
}

function factLines(content: string): readonly string[] {
  return stripInjected(content)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '' && !/^(?:#{1,6}(?:\s|$)|```|~~~|<!--|-->|(?:[-*_]\s*){3,}$)/.test(line))
    .map((line) => line.replace(/^[-*+]\s+/, '').slice(0, MOST_CHARS))
    .filter((line) => line !== '');
}

/** The bullets in a plain-text answer of a model that did not call the tool. Pure. */
export function bulletsOf(text: string): readonly string[] {
  const lines = stripInjected(text)
    .split('\n')
    .filter((line) => /^\s*(?:[-*+•]|\d{1,2}[.)])\s+\S/u.test(line));
  return factLines(lines.map((line) => line.replace(/^\s*(?:•|\d{1,2}[.)])\s+/u, '- ')).join('\n'));
}

/** True if an answer says that there is nothing to save: an empty text, or only a word such as `[SILENT]`. Pure. */
export function hasNothingToSave(text: string): boolean {
  const plain = text
    .trim()
    .replace(/^["'\s]+/, '')
    .replace(/["'\s.]+$/, '');
  return plain === '' || /^(?:NO_REPLY|\[SILENT\]|SILENT)$/i.test(plain);
}

/** A fact as a bullet without `- `, and the message that it comes from. */
export interface FactWithMessage {
  readonly fact: string;
  readonly message: SessionMessage;
}

/**
 * The facts that the rules save without a model: bullets with a kind, such as `W @Peter: lives in Graz`, and rules or
 * decisions of a user. The rules never save tool output, pasted text or a request. If the kind of a text is not clear, the
 * rules save nothing from it. Each line ends with its source, which is not part of the fact. Pure.
 */
export function factsByRules(session: string, messages: readonly SessionMessage[]): readonly FactWithMessage[] {
  const said = messages.filter(({ role }) => role !== 'tool').map((message, index) => ({ message, at: index + 1 }));
  const { facts } = settleFacts([], readTurns(said, [], isCodingSession(messages, callsWithResults(said))).facts);
  const found = facts.flatMap(({ text, at }): readonly FactWithMessage[] => {
    const message = said[at - 1]?.message;
    if (message === undefined) return [];
    if (parseBullet(text).type === 'fact') return [{ fact: `${text} ${formatOriginNote(session, RULES)}`, message }];
    const isPair = text.includes('? – ') || text.includes(' – to: ');
    const isWorth = !isPair && statesRule(text);
    return isWorth ? [{ fact: `S ${text} ${formatOriginNote(session, RULES)}`, message }] : [];
  });
  return [...new Map(found.map((each) => [each.fact, each])).values()];
}

/**
 * Returns a function that tells whether a model's fact says something that the facts of the rules do not say in the same
 * words. Kind, marks and case do not count. Pure.
 */
export function makeNewFactTest(known: readonly FactWithMessage[]): (fact: string) => boolean {
  const said = known.map(({ fact }) => ` ${wordsOf(fact)} `);
  return (fact) => !said.some((words) => words.includes(` ${wordsOf(fact)} `));
}

function wordsOf(fact: string): string {
  const parsed = parseBullet(fact);
  const statement = parsed.type === 'fact' ? parsed.bullet.statement : fact;
  return lowerCaseWords(statement).join(' ');
}
