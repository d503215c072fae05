import { hash } from 'node:crypto';
import { type Fields, isRecord, parseRecord } from '../../base/json.js';
import { type MessageDraft, type Part, readDraft } from '../message.js';

/** A message of a transcript, with its place in the tree of the conversation. */
export interface TranscriptEntry {
  readonly id: string;
  readonly parent: string | null;
  /** Null for what is no message, but may have answers below it. */
  readonly draft: MessageDraft | null;
  /** Whether it is of a helper that worked beside the conversation. */
  readonly isAside: boolean;
}

export interface Transcript {
  /** The id that the transcript has for its session. */
  readonly session: string | null;
  readonly entries: readonly TranscriptEntry[];
  /** Whether its lines name their parents. */
  readonly isTree: boolean;
  /** Lines that could not be read; a torn last line is normal and not counted. */
  readonly unreadable: number;
}

/**
 * Reads a transcript in JSON lines: records of OpenClaw (`{"type":"message","id","parentId","message"}`), of Claude Code
 * (`{"type":"user","uuid","parentUuid","message"}`), or plain messages (`{"role","content"}`). Unknown records are passed
 * over.
 */
export function readTranscript(text: string): Transcript {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries: TranscriptEntry[] = [];
  const seen = new Map<string, number>();
  let session: string | null = null;
  let isTree = false;
  let unreadable = 0;
  for (const [index, line] of lines.entries()) {
    const record = parseRecord(line);
    if (record === undefined) {
      if (index < lines.length - 1) unreadable++;
      continue;
    }
    if (record.type === 'session' && typeof record.id === 'string') session ??= record.id;
    if (typeof record.sessionId === 'string') session ??= record.sessionId;
    const occurrence = seen.get(line) ?? 0;
    seen.set(line, occurrence + 1);
    const entry = readEntry(record, line, occurrence);
    if (entry === undefined) continue;
    isTree ||= entry.parent !== null;
    entries.push(entry);
  }
  return { session, entries, isTree, unreadable };
}

function readEntry(record: Fields, line: string, occurrence: number): TranscriptEntry | undefined {
  const id = text(record.uuid) ?? text(record.id);
  // A compaction of Claude Code begins a new root, and names what it follows.
  const parent = text(record.parentUuid) ?? text(record.parentId) ?? text(record.logicalParentUuid) ?? null;
  const isHidden = record.isSidechain === true || record.isMeta === true;
  const message = isRecord(record.message) ? record.message : record;
  const draft = isHidden || record.type === 'custom_message' ? undefined : readDraft(withoutThinking(message));
  if (id === undefined && draft === undefined) return undefined;
  // What has no id of its own is known by its text and by how often it was said before.
  const own = id ?? `x-${hash('sha256', `${occurrence} ${line}`).slice(0, 24)}`;
  const timestamp = draft?.timestamp ?? text(record.timestamp) ?? null;
  const isAside = record.isSidechain === true;
  return { id: own, parent, isAside, draft: draft === undefined ? null : { ...draft, timestamp, source_id: own } };
}

/** Thoughts are not part of what was said. */
function withoutThinking(message: Fields): Fields {
  const { content } = message;
  if (message.role === 'bashExecution') {
    return { role: 'tool', content: `$ ${String(message.command ?? '')}\n${String(message.output ?? '')}` };
  }
  if (!Array.isArray(content)) return message;
  const kept = content.filter((part) => !isRecord(part) || !/thinking$/.test(String(part.type)));
  return { ...message, content: kept };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The branch that the conversation is on: the way from the last record up to the root. All entries where there is no tree. */
export function activeBranch({ entries, isTree }: Transcript): readonly TranscriptEntry[] {
  if (!isTree) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const branch: TranscriptEntry[] = [];
  const visited = new Set<string>();
  for (let entry = entries.findLast(({ isAside }) => !isAside); entry !== undefined && !visited.has(entry.id); ) {
    visited.add(entry.id);
    branch.push(entry);
    entry = entry.parent === null ? undefined : byId.get(entry.parent);
  }
  return branch.reverse();
}

/** Results with the name of the tool that was called, where only the call has it. Pure. */
export function withToolNames(drafts: readonly MessageDraft[]): readonly MessageDraft[] {
  const names = new Map<string, string>();
  for (const { parts } of drafts) {
    for (const part of parts) if (part.type === 'tool_call') names.set(part.id, part.name);
  }
  const named = (part: Part): Part =>
    part.type === 'tool_result' && part.name === '' ? { ...part, name: names.get(part.id) ?? '' } : part;
  return drafts.map((draft) => ({ ...draft, parts: draft.parts.map(named) }));
}
