import type { Day } from '../base/clock.js';
import { parseDay } from '../language/time/calendar.js';

/** A task of a list, as its line marks it. */
export interface Task {
  /** How it was closed. Undefined: it is open. */
  readonly closed?: 'done' | 'cancelled';
  /** Text of the task without owner and days. Undefined: the text of the line without its box. */
  readonly text?: string;
  readonly due?: Day;
  readonly scheduled?: Day;
  /** The name of who does it, as written. */
  readonly owner?: string;
}

const BOX = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[(.)\]\s/u;
const BOX_STATES: Readonly<Record<string, 'open' | 'done' | 'cancelled'>> = {
  ' ': 'open',
  '/': 'open',
  '!': 'open',
  '<': 'open',
  x: 'done',
  X: 'done',
  '-': 'cancelled',
  // A bullet journal moves such a task to another page.
  '>': 'cancelled',
};
/** The words of outliners for the state of a task, in capitals at the start of its line. */
const KEYWORD = /^(?:(TODO|DOING|NOW|LATER|WAITING)|(DONE)|(CANCELL?ED))(?:\s*:\s*|\s+)(?=\S)/u;
const STRUCK = /^~~.+~~$/su;

/** A day with the mark or the field that says what it is for: `📅 2026-12-06`, `[due:: 2026-12-06]`, `SCHEDULED: <…>`. */
const MARKED_DAY =
  /[[(]?(?:(?<due>📅|📆|🗓️?|\bdue\b|\bdeadline\b)|(?<scheduled>⏳|⌛|\bscheduled\b)|➕|🛫|✅|❌|\b(?:created|start|completion|cancelled)(?=::))(?:::?|\()?\s*[<[]*(?<day>\d{4}-\d\d-\d\d)[^\s>\])]*(?:\s[^\s>]{2,4}(?:\s[\d:+.-]+[hdwmy]?)*>)?[>\])]*/giu;
const OWNER = /\b(?:owner|assignee|assigned)::\s*(?:\[\[|@)?([\p{L}\p{N}][^\])\n,;]{0,60}?)(?=\]|\)|,|;|\s{2}|$)/iu;
const FIELD = /[[(][\p{L}_-]+::[^\])]*[\])]+|\b(?:owner|assignee|assigned)::\s*\S+/giu;
/** Matches the owner of a task: before it (`@Bo: call`) or behind it (`call (@Bo)`). A name inside the text belongs to its topic. */
const NAMED = /^[@＠]([\p{L}\p{N}][\p{L}\p{N}_.-]*)[:,]?\s|[\s(][@＠]([\p{L}\p{N}][\p{L}\p{N}_.-]*)\)?\.?$/u;

/**
 * Reads a task: an item with a box, or a line that begins with a word such as `TODO`. Undefined for all other lines. Pure.
 * @param text the text of the item, without marks of lists and quotes
 * @param written its first line as it stands in the file
 */
export function readTask(text: string, written: string): Task | undefined {
  const box = BOX.exec(written)?.[1];
  const keyword = KEYWORD.exec(text);
  const state =
    box === undefined ? keyword && (keyword[1] ? 'open' : keyword[2] ? 'done' : 'cancelled') : BOX_STATES[box];
  if (!state) return undefined;
  const said = text.slice(box === undefined ? keyword?.[0].length : text.indexOf(']') + 1).trim();
  const marks = /\d-\d\d-/.test(said) ? [...said.matchAll(MARKED_DAY)] : [];
  const unmarked = marks.length === 0 ? said : said.replace(MARKED_DAY, ' ');
  const rest = unmarked.replace(FIELD, ' ').replace(/\s+/g, ' ').trim();
  const named = /[@＠]/.test(rest) ? NAMED.exec(rest) : null;
  const owner = OWNER.exec(said)?.[1]?.trim() ?? named?.[1] ?? named?.[2];
  const dayOf = (use: 'due' | 'scheduled') =>
    parseDay(marks.find(({ groups }) => groups?.[use] !== undefined)?.groups?.day);
  const [due, scheduled] = [dayOf('due'), dayOf('scheduled')];
  return {
    ...closedOf(state, rest),
    ...(rest === '' || rest === withoutBox(text) ? {} : { text: rest }),
    ...(due === null ? {} : { due }),
    ...(scheduled === null ? {} : { scheduled }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function closedOf(state: (typeof BOX_STATES)[string], text: string): Pick<Task, 'closed'> {
  if (state !== 'open') return { closed: state };
  return STRUCK.test(text) ? { closed: 'cancelled' } : {};
}

/** Returns the text of a task. @param text the text of the line of the task */
export function taskText(task: Task | undefined, text: string): string {
  return task?.text ?? withoutBox(text);
}

function withoutBox(text: string): string {
  return text.replace(/^\[.\]\s+/u, '');
}
