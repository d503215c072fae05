import { type MessageDraft, type Part, readDraft } from '../message.js';
import type { NestedCall, TranscriptEntry } from './records.js';

/**
 * Drafts in which the calls that a tool made stand for the call of that tool: what a search tool of the host was given
 * says nothing, what it called does. Pure.
 */
export function withNestedCalls(
  drafts: readonly MessageDraft[],
  entries: readonly TranscriptEntry[],
): readonly MessageDraft[] {
  const byParent = new Map<string, NestedCall[]>();
  for (const { nested } of entries) {
    if (nested !== undefined) byParent.set(nested.parent, [...(byParent.get(nested.parent) ?? []), nested]);
  }
  if (byParent.size === 0) return drafts;
  return drafts.map((draft) => ({ ...draft, parts: draft.parts.flatMap((part) => inner(part, byParent)) }));
}

function inner(part: Part, byParent: ReadonlyMap<string, readonly NestedCall[]>): readonly Part[] {
  const calls = part.type === 'tool_call' || part.type === 'tool_result' ? byParent.get(part.id) : undefined;
  if (calls === undefined) return [part];
  return calls.flatMap((call): readonly Part[] => {
    const id = calls.length === 1 ? call.parent : call.id;
    if (part.type === 'tool_call') return [{ type: 'tool_call', id, name: call.name, input: call.input }];
    const read = readDraft({
      role: 'tool',
      toolCallId: id,
      toolName: call.name,
      isError: call.isError,
      ...asFields(call.result),
    });
    return read?.parts ?? [];
  });
}

function asFields(result: unknown): object {
  if (typeof result === 'object' && result !== null && 'content' in result) return { content: result.content };
  return { content: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') };
}
