import type { SessionMessage } from '../message.js';

/**
 * Where to split a log so that no tool call is cut from its result: at `wanted`, or before it as far as it takes. A
 * call of the last turn that has no result yet waits for it and stays, too.
 */
export function splitIndex(messages: readonly SessionMessage[], wanted: number): number {
  const { earliest, waiting } = readPairs(messages);
  let split = Math.min(wanted, waiting);
  let reach = split;
  for (let index = messages.length - 1; index >= split; index--) {
    reach = Math.min(reach, earliest[index] ?? index);
    // Everything from the split on has been looked at: go on with what the pairs found so far bring in.
    if (index === split && reach < split) split = reach;
  }
  return split;
}

interface Pairs {
  /** For each message the earliest one that its results answer. */
  readonly earliest: readonly number[];
  /** The first message with a call that is still to be answered; the number of messages when there is none. */
  readonly waiting: number;
}

function readPairs(messages: readonly SessionMessage[]): Pairs {
  const calls = new Map<string, number>();
  const open = new Map<string, number>();
  const earliest = messages.map(({ role, parts }, index) => {
    let first = index;
    // Whoever speaks again has given up on the calls before; other results of the same turn are on their way.
    if (role !== 'tool' && !parts.some(({ type }) => type === 'tool_result')) open.clear();
    for (const part of parts) {
      if (part.type === 'tool_call') {
        calls.set(part.id, index);
        open.set(part.id, index);
      } else if (part.type === 'tool_result') {
        first = Math.min(first, calls.get(part.id) ?? index);
        open.delete(part.id);
      }
    }
    return first;
  });
  return { earliest, waiting: Math.min(messages.length, ...open.values()) };
}
