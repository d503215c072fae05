import type { Transcript, TranscriptEntry } from './records.js';

/**
 * The records of the conversation as it stands, in the order of the file: what a person left by going back and asking
 * something else is not among them. Results of calls made in parallel, and the parts of one message, may stand beside the
 * way from the last record up to the root; a record without a known parent follows the one before it. Pure.
 * @param isEarlier whether a record stands in the part of the transcript that is not read again
 */
export function currentBranch(
  { entries, isTree }: Transcript,
  isEarlier: (id: string) => boolean,
): readonly TranscriptEntry[] {
  const spoken = entries.filter(({ isAside }) => !isAside);
  if (!isTree) return spoken;
  const parents = parentsOf(spoken, isEarlier);
  const onWay = new Set<number>();
  for (let at: number | undefined = spoken.length - 1; at !== undefined && at >= 0; at = parents[at]) onWay.add(at);
  const messages = new Set([...onWay].flatMap((at) => spoken[at]?.message ?? []));
  const kept = new Set<number>();
  for (const [at, entry] of spoken.entries()) {
    const parent = parents[at];
    const isFollowed = parent !== undefined && (parent === EARLIER || kept.has(parent));
    const isBeside = isFollowed && goesAlong(entry, messages, parent !== EARLIER && !onWay.has(parent));
    if (onWay.has(at) || isBeside) kept.add(at);
  }
  return spoken.filter((_, at) => kept.has(at));
}

/** The place of what is not read again. */
const EARLIER = -1;

/** For each record the place of the one that it follows; undefined for the first. */
function parentsOf(
  entries: readonly TranscriptEntry[],
  isEarlier: (id: string) => boolean,
): readonly (number | undefined)[] {
  const places = new Map<string, number>();
  return entries.map(({ id, parent }, at) => {
    const named = parent === null ? undefined : (places.get(parent) ?? (isEarlier(parent) ? EARLIER : undefined));
    places.set(id, at);
    return named ?? (at === 0 ? undefined : at - 1);
  });
}

/** Whether a record beside the way belongs to it: a result, a part of a message, or what follows one of these. */
function goesAlong(
  { draft, message, nested, isNamed }: TranscriptEntry,
  messages: ReadonlySet<string>,
  below: boolean,
): boolean {
  if (!isNamed) return true;
  if (draft === null) return nested !== undefined || below;
  if (message !== undefined && messages.has(message)) return true;
  return draft.role === 'tool' || draft.parts.some(({ type }) => type === 'tool_result');
}
