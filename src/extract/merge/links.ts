import { type Fields, isRecord } from '../../base/json.js';

/** A link from one page to another, as `MEMORY_FIELDS` keep it. Further keys are kept. */
export type Link = Fields;

/**
 * Links of a page with new ones: one a pair of pages and matched text. The greater weight wins, one that is missing is 1;
 * of all else but the time it was made, the newer. Pure.
 */
export function mergeLinks(existing: readonly Link[], incoming: readonly Link[]): readonly Link[] {
  const links = new Map<string, Link>();
  for (const link of [...existing, ...incoming]) {
    const key = JSON.stringify([link.from_uri, link.to_uri, link.match_text]);
    const before = links.get(key);
    const kept = before?.created_at === undefined ? {} : { created_at: before.created_at };
    links.set(
      key,
      before === undefined ? link : { ...before, ...link, weight: Math.max(weightOf(before), weightOf(link)), ...kept },
    );
  }
  return [...links.values()];
}

function weightOf({ weight }: Link): number {
  return typeof weight === 'number' && Number.isFinite(weight) ? Math.min(1, Math.max(0, weight)) : 1;
}

/** The links in a value of `MEMORY_FIELDS`. */
export function readLinks(value: unknown): readonly Link[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
