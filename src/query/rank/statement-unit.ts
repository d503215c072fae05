import { memoize } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import type { FoundUnit, IndexSearch } from '../../index/search.js';
import { dayOfPath } from '../../language/time/calendar.js';
import { textAfterNames } from '../../line/said.js';
import { findEntities } from '../../markdown/entities.js';
import type { ThreadFact } from '../../memory/threads/threads.js';
import { entitySlug } from '../../text/slug.js';

/** A unit as a statement among others. */
export interface StatementUnit extends ThreadFact {
  readonly unit: FoundUnit;
}

/** @param until evidence of later days does not say when a belief was said last */
export function toStatement(unit: FoundUnit, slugOf: (name: string) => string, until?: Day): StatementUnit {
  const { kind, file, line, detail, fact } = unit;
  const text = textAfterNames(unit.text);
  const entities = detail?.entities ?? [];
  const leading = findEntities(unit.text.slice(0, unit.text.length - text.length));
  const subjects = [...new Set((leading.length > 0 ? leading : entities).map(slugOf))];
  const statement = detail?.statement ?? [];
  return { unit, id: fact ?? '', kind, day: dayOf(unit, until), path: file.path, line, text, subjects, statement };
}

/** The day of a log; of a belief, the last one on which it was said: who edits its confidence does not say it again. */
function dayOf({ file, detail }: FoundUnit, until: Day = '9999-12-31'): Day | null {
  if (file.day !== null) return file.day;
  const said = detail?.evidence?.for.flatMap(({ source }) => dayOfPath(source.replace(/#.*$/, '')) ?? []) ?? [];
  return (
    said
      .filter((day) => day <= until)
      .sort()
      .at(-1) ??
    detail?.prior?.day ??
    null
  );
}

/** Reads the one slug of an entity, aliases resolved. */
export function slugReader(search: IndexSearch): (name: string) => string {
  return memoize((name) => search.entity(entitySlug(name))?.slug ?? entitySlug(name));
}
