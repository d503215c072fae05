import { err, ok, type Result } from '../../base/failure.js';
import { pageOfPath } from '../../memory/pages.js';
import { entitySlug, safeFileName } from '../../text/slug.js';
import { type FieldValues, isEmptyValue, type MemoryType } from '../types/memory-type.js';
import type { Templates } from '../types/template.js';

/**
 * Builds the path of a page from its values, without a number suffix. Whatever a model writes into a field, each part of the
 * path has at most 120 bytes, the path lies below the folder of the type, and it is not a reserved name.
 */
export function pagePath(type: MemoryType, values: FieldValues, templates: Templates): Result<string, string> {
  const missing = type.identity.find((name) => isEmptyValue(values[name]) || entitySlug(String(values[name])) === '');
  if (missing !== undefined) return err(`${missing} is missing, but the name of the page needs it`);
  const parts: string[] = [];
  for (const part of type.filenameTemplate.split('/')) {
    const name = templates.render(part, slugged(type, values));
    if (!name.ok) return err(name.error);
    parts.push(safeFileName(name.value));
  }
  const name = parts.pop() ?? '';
  const paths = [name, `${name}-page`, `page-${name}`, `page-${name}-page`].map((one) =>
    [type.directory, ...parts, `${one}.md`].join('/'),
  );
  const free = type.identity.length === 0 ? paths[0] : paths.find(isFree);
  return free === undefined ? err(`"${name}" can't be the name of a page`) : ok(free);
}

/**
 * Whether a new page may be created at a path. The index must read this path: it is no copy, draft or editor file. And it
 * must not be a reserved page of the bank.
 */
function isFree(path: string): boolean {
  return pageOfPath(path) !== undefined && !TAKEN.has(path.toLowerCase());
}

const TAKEN: ReadonlySet<string> = new Set([
  'bank/world.md',
  'bank/experience.md',
  'bank/opinions.md',
  'bank/profile.md',
]);

/** Values for the template of the file name: as written for entities, as slugs for other types. */
function slugged(type: MemoryType, values: FieldValues): FieldValues {
  const written = type.directory === ENTITIES_FOLDER;
  return Object.fromEntries(
    type.fields.map(({ name }) => [name, written ? (values[name] ?? null) : entitySlug(String(values[name] ?? ''))]),
  );
}

/** Folder of entity pages. `reflect` writes in it, too. */
export const ENTITIES_FOLDER = 'bank/entities';

/** Title of a page, from the fields that name it; null if the type has a single page. */
export function titleFromValues(type: MemoryType, values: FieldValues): string | null {
  if (type.identity.length === 0) return null;
  return type.identity
    .map((name) =>
      String(values[name] ?? '')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .join(' – ');
}

/** Whether two titles name the same thing. */
export function isSameTitle(a: string, b: string): boolean {
  return entitySlug(a) === entitySlug(b);
}
