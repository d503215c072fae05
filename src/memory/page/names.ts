import { foldSpelling } from '../../language/spelling.js';
import type { PageRole } from '../pages.js';

/**
 * How a page comes by a name: by that of its file or what it says itself, by another name, or by a part of one. Stored
 * beside the slugs of entities, by what none of those begins with.
 */
export const NAME_KINDS = ['own', 'alias', 'part'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const NAME_SIGNS: Readonly<Record<NameKind, string>> = { own: '=', alias: '~', part: '/' };

/** Notes of somebody's; what a page of ours is named after has tables of its own. */
const NAMED_ROLES: ReadonlySet<PageRole> = new Set(['topic', 'bank', 'resource', 'dump', 'daily']);

/** What a page is called, as written: what it says itself, and but for the log of a day its file's name. */
export function writtenNames(
  path: string,
  page: { readonly role: PageRole; readonly day: string | null },
  titles: readonly string[],
): readonly string[] {
  if (!NAMED_ROLES.has(page.role) || /^bank\/[^/]+$/.test(path)) return [];
  const stem = fileTitle(path.slice(path.lastIndexOf('/') + 1, -'.md'.length));
  return [...new Set(page.role === 'daily' ? titles : [...titles, stem])];
}

/** The name that a file's name stands for: Logseq writes a `/` as `___` or `%2F`. */
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

/** What a page is found by as a whole: its names, its other names, and what stands last in a name. */
export function nameSlugs(names: readonly string[], aliases: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  const add = (name: string, kind: NameKind): void => {
    const key = nameKey(name);
    if (key !== '' && !found.has(key)) found.set(key, NAME_SIGNS[kind] + key);
  };
  for (const name of names) add(name, 'own');
  for (const alias of aliases) add(alias, 'alias');
  // A namespace is typed with blanks as well.
  for (const name of names) if (name.includes('/')) add(name.replaceAll('/', ' '), 'alias');
  for (const name of names) for (const part of partsOf(name)) add(part, 'part');
  return [...found.values()];
}

/** `Heat Pump` of `Project/Heat Pump`; the number and the title of `202601101230 Heat Pump`. */
function partsOf(name: string): readonly string[] {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const [, number, title] = /^(\d{4}-\d\d-\d\d|\d{8,14})[\s_.-]+(\S.*)$/.exec(last) ?? [];
  return [...(last === name ? [] : [last]), ...(number === undefined || title === undefined ? [] : [number, title])];
}

/**
 * What all spellings of a name have in common: neither case, diacritics, `ä` or `ae`, nor signs that no file may have,
 * nor the way of writing a namespace tell names apart.
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

/** How a link to a note is stored beside entities: it mentions one only where that has a page. */
export function noteSlug(name: string): string {
  return `[[${nameKey(name)}`;
}

/** What a fact about `@Anna Schmidt` is joined by, whom it is about where a page or an alias has the name. */
export function cutName(slug: string): string {
  return `@${slug}`;
}

export function tagSlug(tag: string): string {
  return `#${tag}`;
}
