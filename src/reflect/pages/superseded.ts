import { newestFirst, replacedBy, Told } from '../../memory/supersession/supersession.js';
import type { ReflectFact } from '../facts.js';

/**
 * Which world facts about one entity a later one has replaced, by the same rules as recall's; unsure is not replaced.
 * Pure.
 * @param facts of one entity, the newest first
 * @returns id of the replaced fact to the one that replaced it
 */
export function findSuperseded(facts: readonly ReflectFact[]): ReadonlyMap<string, ReflectFact> {
  const told = facts
    .filter((fact) => fact.kind === 'world' && fact.day !== null)
    .map((fact) => new ToldFact(fact))
    .sort(newestFirst);
  const until = told[0]?.fact.day ?? '0000-01-01';
  const later = told.filter((fact) => fact.counts(until));
  const replaced = new Map<string, ReflectFact>();
  for (const earlier of told) {
    const by = replacedBy(earlier, later);
    if (by !== undefined) replaced.set(earlier.source.id, by.source);
  }
  return replaced;
}

class ToldFact extends Told {
  constructor(readonly source: ReflectFact) {
    const { kind, day, text, entities, validFrom, validTo, isPeriod } = source;
    const [path = '', line = '0'] = source.source.split('#L');
    const period = isPeriod ? { from: validFrom, to: validTo } : null;
    const slugs = new Map(source.names.map((name, i) => [name, source.slugs[i] ?? name]));
    super({ kind, day, path, line: Number(line), text, entities, period }, (name) => slugs.get(name) ?? name);
  }
}
