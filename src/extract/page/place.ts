import { err, ok, type Result } from '../../base/result.js';
import { pageAt } from '../../memory/pages.js';
import { entitySlug, safeFileName } from '../../text/slug.js';
import { type FieldValues, isEmptyValue, type MemoryType } from '../types/memory-type.js';
import type { Templates } from '../types/template.js';

/**
 * Where a page of some values belongs, without a number behind it. Whatever a model writes into a field, it is one part
 * of a path below the type's folder, at most 120 bytes, and no name that means something else there.
 */
export function pagePath(type: MemoryType, values: FieldValues, templates: Templates): Result<string, string> {
  const missing = type.identity.find((name) => isEmptyValue(values[name]) || entitySlug(String(values[name])) === '');
  if (missing !== undefined) return err(`${missing} is missing: it names the page`);
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
  return free === undefined ? err(`no page can be called "${name}"`) : ok(free);
}

/** Neither another page of the bank, nor what is not indexed: copies, drafts, what editors leave. */
function isFree(path: string): boolean {
  return pageAt(path) !== undefined && !TAKEN.has(path.toLowerCase());
}

const TAKEN: ReadonlySet<string> = new Set([
  'bank/world.md',
  'bank/experience.md',
  'bank/opinions.md',
  'bank/profile.md',
]);

/** Entities keep their written names, as their pages do. */
function slugged(type: MemoryType, values: FieldValues): FieldValues {
  const written = type.directory === ENTITIES;
  return Object.fromEntries(
    type.fields.map(({ name }) => [name, written ? (values[name] ?? null) : entitySlug(String(values[name] ?? ''))]),
  );
}

/** The folder that reflection writes in, too. */
export const ENTITIES = 'bank/entities';

/** The heading of a page: what names it. */
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
export function sameTitle(a: string, b: string): boolean {
  return entitySlug(a) === entitySlug(b);
}
