import { foldSpelling } from '../../language/spelling.js';
import type { PageRole } from '../pages.js';

/**
 * The kinds of names of a page. `own`: its title or file name. `part`: a part of a name. The keys of names are stored
 * beside the slugs of entities. Each key begins with the sign of its kind ({@link NAME_KIND_PREFIXES}). No slug of an
 * entity begins with such a sign.
 */
export const NAME_KINDS = ['own', 'alias', 'part'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const NAME_KIND_PREFIXES: Readonly<Record<NameKind, string>> = { own: '=', alias: '~', part: '/' };

/** Roles of a person's own notes. Pages of other roles are found in other ways than by their names. */
const NAMED_ROLES: ReadonlySet<PageRole> = new Set(['topic', 'import', 'bank', 'resource', 'dump', 'daily']);

/** Names of a page, as written: its titles and, except for a daily log, the name of its file. */
export function pageNames(
  path: string,
  page: { readonly role: PageRole; readonly day: string | null },
  titles: readonly string[],
): readonly string[] {
  if (!NAMED_ROLES.has(page.role) || /^bank\/[^/]+$/.test(path)) return [];
  const stem = fileTitle(path.slice(path.lastIndexOf('/') + 1, -'.md'.length));
  return [...new Set(page.role === 'daily' ? titles : [...titles, stem])];
}

/** Name that a file name encodes: Logseq writes `/` as `___` or `%2F`. */
export function fileTitle(stem: string): string {
  return decoded(stem).replaceAll('___', '/');
}

function decoded(stem: string): string {
  try {
    return /%[0-9a-f]{2}/i.test(stem) ? decodeURIComponent(stem) : stem;
  } catch {
    return stem;
  }
}

/** Keys by which a page is found: its names, its aliases, and the last part of each name. */
export function nameSlugs(names: readonly string[], aliases: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  const add = (name: string, kind: NameKind): void => {
    const key = nameKey(name);
    if (key !== '' && !found.has(key)) found.set(key, NAME_KIND_PREFIXES[kind] + key);
  };
  for (const name of names) add(name, 'own');
  for (const alias of aliases) add(alias, 'alias');
  // A namespace may be typed with spaces instead of slashes.
  for (const name of names) if (name.includes('/')) add(name.replaceAll('/', ' '), 'alias');
  for (const name of names) for (const part of partsOf(name)) add(part, 'part');
  return [...found.values()];
}

/** The parts of a name: `Heat Pump` of `Project/Heat Pump`, and the number and the title of `202601101230 Heat Pump`. */
function partsOf(name: string): readonly string[] {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const [, number, title] = /^(\d{4}-\d\d-\d\d|\d{8,14})[\s_.-]+(\S.*)$/.exec(last) ?? [];
  return [...(last === name ? [] : [last]), ...(number === undefined || title === undefined ? [] : [number, title])];
}

/**
 * Key that all spellings of a name share. Ignores case, diacritics, `ä` or `ae`, characters that file names can't have,
 * and the notation of namespaces.
 */
export function nameKey(name: string): string {
  const plain = foldSpelling(fileTitle(name).normalize('NFC'));
  const key = plain
    .replace(/["'’‘“”«»?!:;,*<>|…\\]+/g, ' ')
    .replace(/[\s_\-\u2010-\u2015]+/g, ' ')
    .replace(/\s*\/\s*/g, '/')
    .replace(/\.(?=\s|$)/g, '')
    .trim();
  return key === '' ? plain.trim() : key;
}

/**
 * Key of a link to a note, stored beside the slugs of entities. The link counts as a mention only if the note has a page.
 */
export function noteSlug(name: string): string {
  return `[[${nameKey(name)}`;
}

/**
 * Key for the whole name in `@Anna Schmidt`, where only `@Anna` is read as the entity. The key is used only if a page or an
 * alias has the whole name.
 */
export function wholeNameSlug(slug: string): string {
  return `@${slug}`;
}

export function tagSlug(tag: string): string {
  return `#${tag}`;
}
