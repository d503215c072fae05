import { isMachineTurn, isSilent } from '../../text/machine-text.js';
import { dropMetadata } from '../../text/metadata.js';
import { stripInjected } from '../../text/strip.js';
import { isHarnessText } from '../log/harness.js';
import { type MessageDraft, type Part, plainText } from '../message.js';
import type { TranscriptEntry } from './records.js';

/** A command to the host, alone or with a word or two. */
const COMMAND = /^\s*\/[a-z][\w:-]*(?:[ \t]+\S+){0,2}\s*$/i;

/**
 * The messages that somebody said to somebody: without turns of heartbeats, cron jobs, flushes and other sessions,
 * commands, retries, silent answers and answers that stand twice. What follows a machine's turn up to the next thing that
 * a person says is no conversation either. Pure.
 */
export function withoutNoise(entries: readonly TranscriptEntry[]): readonly MessageDraft[] {
  const kept: MessageDraft[] = [];
  let inMachineTurn = false;
  for (const { draft, isMachine, isCopy } of entries) {
    if (draft === null) continue;
    const text = plainText(draft);
    const isResult = draft.parts.some(({ type }) => type === 'tool_result');
    if (draft.role === 'user' && !isResult) inMachineTurn = isMachine || isMachineTurn(text);
    const isNoise = draft.role === 'user' ? isSaidByMachine(draft, text) : isSilent(text);
    const isTwice = isCopy && text !== '' && plainText(kept.findLast(isAnswer) ?? NOBODY) === text;
    if (!inMachineTurn && !isNoise && !isTwice) kept.push(draft);
  }
  return kept;
}

const NOBODY: MessageDraft = { role: 'assistant', parts: [], timestamp: null };

function isAnswer(draft: MessageDraft): boolean {
  return draft.role === 'assistant' && plainText(draft) !== '';
}

function isSaidByMachine({ parts }: MessageDraft, text: string): boolean {
  return parts.every(({ type }) => type === 'text') && (COMMAND.test(text) || isHarnessText(text));
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
