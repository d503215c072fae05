import { type MessageDraft, type Part, PLUGIN_ID } from '../message.js';

/** Two roads from one host may date one message so far apart, in ms: when it came, and when the turn began or ended. */
const TOLERANCE_MS = 10 * 60_000;

/**
 * The places in `told` of messages that are in `log` by another road: as the plugin told them and as the transcript has
 * them, or without an id. The same words of the same role, about the same time, in the same order; each is the same as one
 * message only. Pure.
 */
export function toldTwice(log: readonly MessageDraft[], told: readonly MessageDraft[]): ReadonlySet<number> {
  const places = new Map<string, MessageDraft[]>();
  for (const message of [...log].sort((a, b) => timeOf(a) - timeOf(b))) {
    const key = wordsOf(message);
    places.set(key, [...(places.get(key) ?? []), message]);
  }
  const known = new Set<number>();
  for (const [index, message] of told.entries()) {
    const alike = places.get(wordsOf(message)) ?? [];
    const at = alike.findIndex((one) => isByAnotherRoad(one.source_id, message.source_id) && isNear(one, message));
    if (at < 0) continue;
    known.add(index);
    // What was said before it is no later message.
    alike.splice(0, at + 1);
  }
  return known;
}

/** Whether a logged message may be a told one though their ids differ. Who tells a message without an id tells a new one. */
export function isByAnotherRoad(logged: string | undefined, told: string | undefined): boolean {
  if (told === undefined) return false;
  return logged === undefined || logged.startsWith(PLUGIN_ID) !== told.startsWith(PLUGIN_ID);
}

function isNear(a: MessageDraft, b: MessageDraft): boolean {
  if (a.timestamp === null || b.timestamp === null) return true;
  return Math.abs(timeOf(a) - timeOf(b)) <= TOLERANCE_MS;
}

function timeOf({ timestamp }: MessageDraft): number {
  return timestamp === null ? 0 : Date.parse(timestamp);
}

function wordsOf({ role, parts }: MessageDraft): string {
  return JSON.stringify([role, ...parts.flatMap(wordsOfPart)]);
}

/** Calls and their results have ids; what stands beside the words may be written in other ways. */
function wordsOfPart(part: Part): readonly string[] {
  if (part.type === 'text') return [part.text.trim()];
  return part.type === 'tool_call' || part.type === 'tool_result' ? [`${part.type} ${part.id}`] : [];
}
