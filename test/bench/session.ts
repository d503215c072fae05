import { formatMessage } from '../../src/session/message.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { BenchRun, Figure } from './figure.js';
import { medians, memoryArguments, timedMemory } from './measure.js';

const SHORT = 100;
const LONG = 100_000;
const COMMITTED = 1_000;

/** The cost of sessions, process start to exit: adding and status on a long and a short log, and a commit. */
export function* session(run: BenchRun): Iterable<Figure> {
  run.note(`sessions of ${SHORT} and ${LONG.toLocaleString('en')} messages`);
  const workspace = new TemporaryWorkspace();
  try {
    yield* growth(workspace, run.rounds);
    yield context(workspace, run.rounds);
    yield commit(workspace, Math.min(run.rounds, 10));
  } finally {
    workspace.dispose();
  }
}

function* growth(workspace: TemporaryWorkspace, rounds: number): Iterable<Figure> {
  fill(workspace, 'short', SHORT);
  fill(workspace, 'long', LONG);
  const add = (id: string) => timedMemory(sessionArguments(workspace, 'add', id, '--role', 'user', '--text', 'hi')).ms;
  const status = (id: string) => timedMemory(sessionArguments(workspace, 'status', id)).ms;
  // The first addition to a log written by others counts it.
  for (const id of ['short', 'long']) add(id);
  const adding = medians(rounds, { short: () => add('short'), long: () => add('long') });
  const goal = { text: 'of a short log ≤ 1.5', most: 1.5 };
  yield ratio(`session add at ${LONG.toLocaleString('en')} messages ÷ at ${SHORT}`, adding, goal);
  const looking = medians(rounds, { short: () => status('short'), long: () => status('long') });
  yield ratio(`session status at ${LONG.toLocaleString('en')} messages ÷ at ${SHORT}`, looking, {
    text: 'independent of length: 1.1',
    most: 1.1,
  });
}

/** The text for a model from the end of a log of any length; beside it the start of a process. */
function context(workspace: TemporaryWorkspace, rounds: number): Figure {
  const { whole, start } = medians(rounds, {
    whole: () => timedMemory(sessionArguments(workspace, 'context', 'long')).ms,
    start: () => timedMemory(sessionArguments(workspace, 'status', 'short')).ms,
  });
  return {
    name: `session context of ${LONG.toLocaleString('en')} messages, with the start of the process`,
    measured: whole,
    floor: start,
    unit: 'ms',
    goal: { text: '200 ms', most: 200 },
  };
}

/** The own time of a commit: that of its process without process start and opening a workspace. */
function commit(workspace: TemporaryWorkspace, rounds: number): Figure {
  for (let round = 0; round <= rounds; round++) fill(workspace, `commit-${round}`, COMMITTED);
  const { whole, start } = medians(rounds, {
    whole: (round) => timedMemory(sessionArguments(workspace, 'commit', `commit-${round}`)).ms,
    start: () => timedMemory(sessionArguments(workspace, 'status', 'short')).ms,
  });
  return {
    name: `session commit of ${COMMITTED.toLocaleString('en')} messages without a model`,
    measured: whole - start,
    floor: start,
    unit: 'ms',
    goal: { text: 'its own time', most: 150 },
  };
}

function ratio(name: string, { short, long }: { short: number; long: number }, goal: Figure['goal']): Figure {
  return { name, measured: long / short, unit: '×', goal };
}

function sessionArguments({ root }: TemporaryWorkspace, command: string, ...args: readonly string[]) {
  return ['session', ...memoryArguments(root, command, ...args)];
}

function fill(workspace: TemporaryWorkspace, id: string, count: number): void {
  const lines = Array.from({ length: count }, (_, i) => formatMessage(message(i)));
  workspace.write(`sessions/${id}/messages.jsonl`, lines.join(''));
}

function message(i: number): Parameters<typeof formatMessage>[0] {
  const turn = `Step ${i}: we looked at src/module-${i % 97}/index.ts and decided to keep port ${6000 + (i % 50)}.`;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();
  const said = { id: `m-${i}`, timestamp };
  if (i % 4 === 1) {
    const call = { type: 'tool_call' as const, id: `t${i}`, name: 'bash', input: { command: `npm test -- ${i % 30}` } };
    return { ...said, role: 'assistant', parts: [{ type: 'text', text: turn }, call] };
  }
  if (i % 4 === 2) {
    const output = `${'ok 1 - works\n'.repeat(20)}Error: failed at step ${i}`;
    return {
      ...said,
      role: 'tool',
      parts: [{ type: 'tool_result', id: `t${i - 1}`, name: 'bash', output, status: 'completed' }],
    };
  }
  return { ...said, role: i % 4 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text: turn }] };
}
