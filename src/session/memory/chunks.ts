import { estimateTokens } from '../../text/tokens.js';
import type { TranscriptMessage } from '../../wm/prompt.js';
import { cutText } from '../context/cut.js';
import type { MessageDraft, MessagePart, SessionMessage } from '../message.js';

/** Splits messages into parts of at most `room` tokens; each part has at least one message. */
export function makeMessageChunks(
  messages: readonly SessionMessage[],
  from: number,
  room: number,
  longest?: number,
): readonly ReturnType<typeof nextChunk>[] {
  const chunks: ReturnType<typeof nextChunk>[] = [];
  for (let at = from; at < messages.length; at = chunks.at(-1)?.end ?? messages.length) {
    chunks.push(nextChunk(messages, at, room, longest));
  }
  return chunks;
}

/**
 * The messages from index `from` on that fit into a prompt, in the form in which a prompt shows them. `end`: the index of
 * the next message. If one message alone is too long, its middle is left out.
 */
export function nextChunk(
  messages: readonly SessionMessage[],
  from: number,
  room: number,
  longest: number = LONGEST_TOOL_TEXTS[0],
) {
  const transcript: TranscriptMessage[] = [];
  let used = 0;
  let end = from;
  for (; end < messages.length; end++) {
    const message = messages[end];
    if (message === undefined) break;
    const { role, body } = toTranscript(message, longest);
    // A character costs at most 1.5 tokens, so this cut always fits.
    const fitting = { role, body: estimateTokens(body) > room ? cutText(body, Math.floor(room / 1.5)) : body };
    const tokens = estimateTokens(`[${role}]: ${fitting.body}\n`);
    if (transcript.length > 0 && used + tokens > room) break;
    transcript.push(fitting);
    used += tokens;
  }
  return { transcript, end };
}

/**
 * Possible maximum lengths of a tool input or output in a prompt, in characters. The more messages there are, the shorter
 * is the length that is used. The middle of a longer text is left out.
 */
const LONGEST_TOOL_TEXTS = [8_000, 3_000, 1_200, 500, 240] as const;
/** Maximum number of parts. Tool texts, and then other texts, are cut until all messages fit into this number of parts. */
const MOST_PARTS = 10;

/** The maximum length of tool texts, in characters, with which all messages fit into `parts` parts of `room` tokens. */
export function maxToolTextChars(messages: readonly SessionMessage[], room: number, parts: number): number {
  const fits = (longest: number): boolean => {
    let left = Math.min(parts, MOST_PARTS) * room;
    return messages.every((message) => {
      left -= estimateTokens(toTranscript(message, longest).body);
      return left >= 0;
    });
  };
  return LONGEST_TOOL_TEXTS.find(fits) ?? LONGEST_TOOL_TEXTS[4];
}

/**
 * Minimum length to which a text is cut, in characters: `user` for texts of users, `other` for other texts. Texts are cut
 * only if cutting tool texts is not enough. The middle of a text is left out, because the middle of a user's long text is
 * mostly pasted.
 */
const LEAST_TEXT = { user: 1_200, other: 500 } as const;

/** A message as a prompt shows it. @param longest maximum length of a tool input or output, in characters */
export function toTranscript(
  { role, parts }: MessageDraft,
  longest: number = LONGEST_TOOL_TEXTS[0],
): TranscriptMessage {
  const lines = parts.map((part) => partText(part, longest, role)).filter((text) => text.trim() !== '');
  return { role, body: lines.join('\n') };
}

function partText(part: MessagePart, longest: number, role: MessageDraft['role']): string {
  switch (part.type) {
    case 'text':
      if (longest === LONGEST_TOOL_TEXTS[0]) return part.text;
      return cutText(part.text, Math.max(longest, role === 'user' ? LEAST_TEXT.user : LEAST_TEXT.other));
    case 'tool_call':
      return `[tool call:${part.name}] ${cutText(JSON.stringify(part.input), longest)}`;
    case 'tool_result':
      return `[tool:${part.name} (${part.status})] ${cutText(part.output, longest)}`;
    case 'context':
      return `[context] ${part.abstract}`;
    case 'other':
      return '';
  }
}
