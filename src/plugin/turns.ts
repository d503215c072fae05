import { createHash } from 'node:crypto';
import { isRecord, type UnknownFields } from '../base/json.js';
import { matchesSessionKeyPattern } from '../context/context-query.js';
import { PLUGIN_MESSAGE_PREFIX } from '../session/message.js';
import { isMachineTurn } from '../text/machine-text.js';
import type { HostContext } from './host.js';

/** A message of the host with an id that stays the same, so that the message is logged only once. */
type MessageWithId = UnknownFields & { readonly id: string };

/** Matches the keys of the owner's own sessions, in a terminal or in the dashboard. */
const OWN = /^agent:[^:]+:(?:main|explicit:[^:]+|dashboard:[^:]+|tui(?:[-:].+)?)$/;

/**
 * True if the plugin puts memories into a session and saves its messages. That is so for the owner's own sessions outside a
 * sandbox, and for each session whose key matches a pattern. Pure.
 */
export function mayUseMemory(context: HostContext, patterns: readonly string[]): boolean {
  const key = context.sessionKey ?? context.agentSessionKey;
  if (key === undefined || key.includes(':internal-session-effects:')) return false;
  if (matchesSessionKeyPattern(key, patterns)) return true;
  return context.sandboxed !== true && OWN.test(key);
}

/**
 * Returns the messages of people and of the agent, each with an id. Leaves out heartbeats and other turns of machines. The
 * id is a hash of the message's text and time, because the host lists all messages of a session again after `/new` and
 * after a compaction. When the host stores a person's message it may change the time, and so the id. The option `--history`
 * then still recognises the message as old, if a later message of the list is already in the session. Pure.
 */
export function withMessageIds(messages: readonly unknown[]): readonly MessageWithId[] {
  const seen = new Map<string, number>();
  const kept: MessageWithId[] = [];
  let isMachines = false;
  for (const message of messages) {
    if (!isRecord(message) || typeof message.role !== 'string') continue;
    if (message.role === 'user') isMachines = saidByMachine(message);
    if (isMachines) continue;
    const { role, timestamp = null, content, toolCallId } = message;
    const said = JSON.stringify([role, timestamp, partsOf(content), toolCallId]);
    const nth = seen.get(said) ?? 0;
    seen.set(said, nth + 1);
    const hash = createHash('sha256').update(`${nth}\n${said}`).digest('hex');
    kept.push({ ...message, id: PLUGIN_MESSAGE_PREFIX + hash.slice(0, 24) });
  }
  return kept;
}

function saidByMachine({ provenance, content }: UnknownFields): boolean {
  const tool = isRecord(provenance) ? provenance.sourceTool : undefined;
  return tool === 'heartbeat' || tool === 'cron' || isMachineTurn(partsOf(content).join('\n'));
}

/** The parts of a message's content, as texts that can be compared. A plain text counts as a list with one part. */
function partsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.map((part: unknown) => {
    if (!isRecord(part)) return String(part);
    return typeof part.text === 'string' ? part.text : JSON.stringify([part.type, part.id, part.name]);
  });
}
