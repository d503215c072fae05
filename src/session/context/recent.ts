import { isHostReset, isHostSummary } from '../log/harness.js';
import type { SessionMessage } from '../message.js';
import { isAnswer, isAsked, leastTokens, measured, present, type Said, type Unit, unitsOf, withParts } from './fit.js';
import { repairPairs } from './pairs.js';
import { newestFirst, type Placed, type Source } from './timeline.js';

/** The end of a conversation. */
export interface Recent {
  /** What the user said last, wherever it lies; undefined when nobody has said anything. */
  readonly asked: Said | undefined;
  /** Everything that no finished archive covers, as far back as may fit, oldest first; without what was asked last. */
  readonly units: readonly Unit[];
  /** How many of the last units are calls that have no answer in words yet. */
  readonly openUnits: number;
  /** Whether there is nothing older that no archive covers. */
  readonly isWhole: boolean;
  /** All messages that were read for it, newest first, as they are shown. */
  readonly read: readonly Said[];
}

/**
 * Reads the end of a conversation, no further back than what may fit into some tokens. What the user asked last is looked
 * for in the archives, too, with the calls after it: a compaction archives them with all else.
 */
export function readRecent(
  session: string,
  { open, covered }: { readonly open: readonly Source[]; readonly covered: readonly Source[] },
  room: number,
): Recent {
  const taken: Said[] = [];
  let tokens = 0;
  let isWhole = true;
  const take = (said: Placed): boolean => {
    if (isHostSummary(said.message) || isHostReset(said.message)) return true;
    const shown = present(said, session);
    taken.push(shown);
    tokens += leastTokens([shown]);
    return tokens <= room;
  };
  for (const said of newestFirst(open)) {
    if (take(said)) continue;
    isWhole = false;
    break;
  }
  const last = lastAsked([...open, ...covered]);
  const asked = last === undefined ? undefined : withoutResults(present(last, session));
  if (isWhole && asked !== undefined && !taken.some(({ age }) => age === asked.age)) {
    for (const said of newestFirst(covered)) {
      if (said.age >= asked.age || taken.some(({ message }) => isAnswer(message)) || !take(said)) break;
    }
  }
  const units = pairedUnits(taken.toReversed().flatMap((said) => (said.age === asked?.age ? resultsOf(said) : [said])));
  return { asked, units, openUnits: countOpen(units, asked), isWhole, read: taken };
}

function lastAsked(sources: readonly Source[]): Placed | undefined {
  for (const said of newestFirst(sources, 'user')) if (isAsked(said.message)) return said;
  return undefined;
}

/** What a person said with a message, and what tools answered in it: some clients send both in one. */
function withoutResults(said: Said): Said {
  const parts = said.message.parts.filter(({ type }) => type !== 'tool_result');
  return withParts(said, parts);
}

function resultsOf(said: Said): readonly Said[] {
  const parts = said.message.parts.filter(({ type }) => type === 'tool_result');
  return parts.length === 0 ? [] : [withParts(said, parts)];
}

function pairedUnits(said: readonly Said[]): readonly Unit[] {
  const places = new Map(said.map((each) => [each.message.id, each]));
  const paired = repairPairs(said.map(({ message }) => message)).map((message): Said => {
    const place = places.get(message.id) ?? places.get(message.id.replace(/-missing$/, ''));
    return place?.message === message ? place : measured(message, place?.archive, place?.age ?? 0);
  });
  return unitsOf(paired);
}

/** The units behind the last words of the agent; its last words too, when calls stand beside them. */
function countOpen(units: readonly Unit[], asked: Said | undefined): number {
  let count = 0;
  for (const unit of units.toReversed()) {
    const [first] = unit;
    if (first === undefined || first.age > (asked?.age ?? 0)) break;
    const spoke = isAnswer(first.message);
    if (!spoke || hasCalls(first.message)) count++;
    if (spoke) break;
  }
  return count;
}

function hasCalls({ parts }: SessionMessage): boolean {
  return parts.some(({ type }) => type === 'tool_call');
}
