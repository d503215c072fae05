import type { Day } from '../../base/clock.js';
import type { FoundUnit, Search } from '../../index/search.js';
import { dayOfPath } from '../../language/time/calendar.js';
import { Told } from '../../memory/supersession/supersession.js';
import { entitySlug } from '../../text/slug.js';

/** Cheaper than reading every name of hundreds of facts. */
const LEADING = /^(?:[@＠][^\s@:：,、，]+[\s,、，&]*)+[:：]?\s*/;

/** A unit with what is read of it. */
export class ToldUnit extends Told {
  constructor(
    readonly unit: FoundUnit,
    slugOf: (name: string) => string,
    until: Day,
  ) {
    const { kind, file, line, detail, validFrom, validTo, isPeriod } = unit;
    const period = isPeriod ? { from: validFrom, to: validTo } : null;
    const text = unit.text.replace(LEADING, '');
    const entities = detail?.entities ?? [];
    super({ kind, day: dayOf(unit), path: file.path, line, text, entities, period, mentions: validTo }, slugOf, until);
  }
}

/** The day of a log; of a belief, the last one on which it was said: who edits its confidence does not say it again. */
function dayOf({ file, detail }: FoundUnit): Day | null {
  if (file.day !== null) return file.day;
  const said = detail?.evidence?.for.flatMap(({ source }) => dayOfPath(source.replace(/#.*$/, '')) ?? []) ?? [];
  return said.sort().at(-1) ?? detail?.prior?.day ?? null;
}

/** Reads the one slug of an entity, aliases resolved. */
export function slugReader(search: Search): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const slug = known.get(name) ?? search.entity(entitySlug(name))?.slug ?? entitySlug(name);
    known.set(name, slug);
    return slug;
  };
}
