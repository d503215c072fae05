import { estimateTokens } from '../../text/tokens.js';
import type { TranscriptMessage } from '../../wm/prompt.js';
import { cutText } from '../context/cut.js';
import type { MessageDraft, MessagePart, SessionMessage } from '../message.js';

/** Messages in parts of at most so many tokens each, at least one message a part. */
export function chunksOf(
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
 * The messages from one on that fit, as a prompt shows them, and the number of the first one behind them; what is too long
 * to fit alone is shown without its middle.
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
    // 1.5 tokens a character at most: what is longer is cut to fit alone.
    const fitting = { role, body: estimateTokens(body) > room ? cutText(body, Math.floor(room / 1.5)) : body };
    const tokens = estimateTokens(`[${role}]: ${fitting.body}\n`);
    if (transcript.length > 0 && used + tokens > room) break;
    transcript.push(fitting);
    used += tokens;
  }
  return { transcript, end };
}

/** Most characters of a tool's input or output in a prompt, and less where there are many; their middle is left out. */
const LONGEST_TOOL_TEXTS = [8_000, 3_000, 1_200, 500, 240] as const;
/** What tools were given and gave, then texts, are cut until all messages take no more parts than these. */
const MOST_PARTS = 10;

/** How much of a tool's input or output is shown: as much as lets all messages fit into few parts of so many tokens. */
export function toolTextFor(messages: readonly SessionMessage[], room: number, parts: number): number {
  const fits = (longest: number): boolean => {
    let left = Math.min(parts, MOST_PARTS) * room;
    return messages.every((message) => {
      left -= estimateTokens(toTranscript(message, longest).body);
      return left >= 0;
    });
  };
  return LONGEST_TOOL_TEXTS.find(fits) ?? LONGEST_TOOL_TEXTS[4];
}

/** Texts are cut where cutting what tools said is not enough, those of a person least: the middle of long ones is pasted. */
const LEAST_TEXT = { user: 1_200, other: 500 } as const;

/** A message as a prompt shows it. @param longest in characters, of what a tool was given or gave */
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
