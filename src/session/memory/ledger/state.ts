import { isRecord } from '../../../base/json.js';
import { isRefusal } from '../../log/harness.js';
import { type CallWithResult, commandOfCall, hasCallFailed, keepStartAndEnd } from './calls.js';
import { informativeLines } from './error-lines.js';
import { shortenCommand } from './errors.js';
import { findProgramRuns } from './runs.js';
import { shortenItem } from './statements.js';

/**
 * Lines about the state of the work at the end of the messages: the agent's to-do list, the last command, the commits. Pure.
 */
export function workStateLines(calls: readonly CallWithResult[]): readonly string[] {
  return [...todoLine(calls), ...commandLine(calls), ...commitLines(calls)];
}

function todoLine(calls: readonly CallWithResult[]): readonly string[] {
  for (const { call } of calls.toReversed()) {
    if (!/todo|plan|task/i.test(call.name)) continue;
    const todos = todosIn(call.input);
    if (todos.length === 0) continue;
    const done = todos.filter(({ isDone }) => isDone).length;
    const open = [...todos.filter(({ isNow }) => isNow), ...todos.filter(({ isDone, isNow }) => !isDone && !isNow)];
    const rest = open.map(({ text, isNow }) => (isNow ? `${text} (in progress)` : text)).join('; ');
    return [shortenItem(`Todo, ${done} of ${todos.length} done${rest === '' ? '' : `; open: ${rest}`}`, 480)];
  }
  return [];
}

function todosIn(input: unknown) {
  if (!isRecord(input)) return [];
  const list =
    [input.todos, input.plan, input.items, input.tasks, input.steps, input.newTodos].find(Array.isArray) ?? [];
  return list.filter(isRecord).flatMap((item) => {
    const text = [item.content, item.step, item.text, item.title, item.description, item.task].find(
      (each) => typeof each === 'string',
    );
    if (typeof text !== 'string') return [];
    const status = String(item.status ?? item.state ?? '');
    return [
      { text, isDone: /complete|done|finish/i.test(status), isNow: /progress|active|doing|current/i.test(status) },
    ];
  });
}

/** Matches a line of an output that reports how a run ended: `3 tests passed`, `BUILD SUCCESS`. */
const ENDING =
  /\b\d+\s+(?:tests?|specs?|examples?|files?|suites?|checks?|errors?|warnings?|problems?|failures?|passed|failed|passing|failing|skipped)\b|\b(?:passed|failed|success|succeeded|failure|built|compiled|error)\b|BUILD \w+|通过|失败|成功/iu;

/** The line about the last command that ran. A command that the host refused does not count. */
function commandLine(calls: readonly CallWithResult[]): readonly string[] {
  const last = calls.findLast(({ call, result }) => commandOfCall(call) !== '' && !isRefusal(result?.output ?? ''));
  if (last === undefined) return [];
  return [`Last command: \`${shortenCommand(commandOfCall(last.call), findProgramRuns(last))}\` – ${endOf(last)}`];
}

function endOf(call: CallWithResult): string {
  if (call.result === undefined) return 'no result yet';
  const lines = informativeLines(keepStartAndEnd(call.result.output));
  const said = lines.findLast((line) => ENDING.test(line)) ?? lines.at(-1) ?? '';
  const how = hasCallFailed(call) ? 'failed' : 'done';
  return said === '' ? how : `${how}: ${shortenItem(said, 160)}`;
}

const COMMITTED = /^\[([\w./-]+)(?: \([\w-]+\))? ([0-9a-f]{7,40})\] (.+)$/gmu;
const MOST_COMMITS = 4;

function commitLines(calls: readonly CallWithResult[]): readonly string[] {
  const commits = calls
    .filter(({ call, result }) => result !== undefined && /\bgit\b[^\n]*\bcommit\b/u.test(commandOfCall(call)))
    .flatMap(({ result }) => [...keepStartAndEnd(result?.output ?? '').matchAll(COMMITTED)])
    .map(([, , hash = '', subject = '']) => `${hash} ${shortenItem(subject, 80)}`);
  return commits.length === 0 ? [] : [`Commits: ${commits.slice(-MOST_COMMITS).join('; ')}`];
}
