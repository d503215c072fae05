import type { SessionMessage } from '../message.js';

/** What a host did to a conversation, as an import keeps it: a context part with one of these addresses. */
export const HOST_SUMMARY = 'host:compaction';
export const HOST_RESET = 'host:reset';

/** Whether a message is the host's own summary of what it compacted. */
export function isHostSummary(message: Pick<SessionMessage, 'parts'>): boolean {
  return isNote(message, HOST_SUMMARY);
}

/** Whether a message says that the host began a new conversation: what is before it is over. */
export function isHostReset(message: Pick<SessionMessage, 'parts'>): boolean {
  return isNote(message, HOST_RESET);
}

function isNote({ parts }: Pick<SessionMessage, 'parts'>, uri: string): boolean {
  return parts.some((part) => part.type === 'context' && part.uri === uri);
}
