import { isHarnessText } from '../log/harness.js';
import { readable } from '../log/readable.js';
import { plainText, type SessionMessage } from '../message.js';
import { measured, type Said } from './fit.js';
import type { Placed } from './timeline.js';

/** A message as a model is shown it: what is no text is a placeholder that says where the original is. */
export function present({ message, archive, age }: Placed, session: string): Said {
  const log = archive === undefined ? 'messages.jsonl' : `history/${archive}/messages.jsonl`;
  return measured(readable(message, `sessions/${session}/${log}`), archive, age);
}

/** Whether a person said something with it: no result of a tool, nothing that a harness wrote. */
export function isAsked(message: SessionMessage): boolean {
  if (message.role !== 'user') return false;
  const text = plainText(message);
  if (text.trim() === '') return message.parts.some(({ type }) => type === 'other');
  return !isHarnessText(text);
}

/** Whether the agent said something with it. */
export function isAnswer(message: SessionMessage): boolean {
  return message.role === 'assistant' && plainText(message).trim() !== '';
}
