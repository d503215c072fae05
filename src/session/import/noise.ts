import { isMachineTurn, isSilent } from '../../text/machine-text.js';
import { dropMetadata } from '../../text/metadata.js';
import { stripInjected } from '../../text/strip.js';
import { type MessageDraft, type Part, plainText } from '../message.js';

/** Single messages that say nothing. */
const SAID_BY_MACHINE =
  /^\s*(?:\/[a-z][\w-]*(?:\s[^\n]*)?$|Continue where you left off|<command-name>|<local-command-stdout>)/i;

/**
 * Takes out what was never said by anybody to anybody: turns of heartbeats, cron jobs, flushes and other sessions,
 * slash commands, retries, silent answers. What follows a machine's turn up to the next thing that a person says is no
 * conversation either. Pure.
 */
export function withoutNoise(drafts: readonly MessageDraft[]): readonly MessageDraft[] {
  const kept: MessageDraft[] = [];
  let inMachineTurn = false;
  for (const draft of drafts) {
    const text = plainText(draft);
    if (draft.role === 'user' && !draft.parts.some(({ type }) => type === 'tool_result'))
      inMachineTurn = isMachineTurn(text);
    const isNoise = draft.role === 'user' ? SAID_BY_MACHINE.test(text) : isSilent(text);
    if (!inMachineTurn && !isNoise) kept.push(draft);
  }
  return kept;
}

/** What a person said, without what a chat gateway and a memory put around it: who sent it, recalled text. Pure. */
export function withoutGatewayText(draft: MessageDraft): MessageDraft {
  return draft.role === 'user' ? { ...draft, parts: draft.parts.map(withoutMetadata) } : draft;
}

function withoutMetadata(part: Part): Part {
  if (part.type !== 'text') return part;
  const text = dropMetadata(stripInjected(part.text));
  return text === part.text ? part : { ...part, text: text.trim() };
}
