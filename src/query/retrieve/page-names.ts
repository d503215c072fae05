import type { FoundUnit, IndexSearch, UnitFilter, UnitKey } from '../../index/search.js';
import { foldText } from '../../language/scripts.js';
import { plainNotePath } from '../../markdown/wiki.js';
import {
  fileTitle,
  NAME_KIND_PREFIXES,
  NAME_KINDS,
  type NameKind,
  nameKey,
  noteSlug,
} from '../../memory/page/names.js';
import type { TopicName } from '../parse/reading.js';
import { isValueQuestion } from '../parse/topic-names.js';

/** Maximum number of pages with the same name that are examined. */
const MOST_PAGES = 60;
/**
 * How close a name is to the question: `own` is the name of the page itself, `alias` another name, `part` a part of a name.
 */
const CLOSENESS: Readonly<Record<NameKind, number>> = { own: 3, alias: 2, part: 1 };
/** Closeness of a line that links to a page with this name, if there is no such page. */
const LINKED = 0.5;
/** Added to the closeness if the name is written exactly as in the question. */
const AS_WRITTEN = 0.5;

/**
 * The pages that a question is the name of, by their first units, and how close the name is, more is closer. A name with `/`
 * may name the folders of a page. Where there is none, the lines that link to one of that name.
 */
export function findPagesByName(
  search: IndexSearch,
  question: string,
  filter: UnitFilter,
): ReadonlyMap<UnitKey, number> {
  const written = unquotedName(question);
  const key = nameKey(written);
  const found = new Map<UnitKey, number>();
  if (key === '') return found;
  const add = (name: string, isMeant: (unit: FoundUnit) => boolean): void => {
    for (const kind of NAME_KINDS)
      for (const unit of search.units(search.linked([NAME_KIND_PREFIXES[kind] + name], filter, MOST_PAGES)))
        if (!found.has(unit.key) && isMeant(unit))
          found.set(unit.key, CLOSENESS[kind] + (isAsWritten(unit, written) ? AS_WRITTEN : 0));
  };
  add(key, () => true);
  if (key.includes('/'))
    add(key.slice(key.lastIndexOf('/') + 1), ({ file: { path } }) =>
      nameKey(path.slice(0, -'.md'.length)).endsWith(key),
    );
  if (found.size === 0)
    for (const unit of search.linked([noteSlug(written)], filter, MOST_PAGES)) found.set(unit, LINKED);
  return found;
}

/**
 * The pages about which a question asks as a whole: those with the longest of some names that a page has. Empty if the
 * question asks only for a value.
 */
export function findTopicPages(
  search: IndexSearch,
  names: readonly TopicName[],
  filter: UnitFilter,
): ReadonlyMap<UnitKey, number> {
  const slugs = names.flatMap(({ name }) =>
    NAME_KINDS.map((kind) => NAME_KIND_PREFIXES[kind] + nameKey(unquotedName(name))),
  );
  if (slugs.length === 0 || search.linked(slugs, filter, 1).length === 0) return NONE;
  for (const { name, beside } of names) {
    const found = findPagesByName(search, name, filter);
    if ([...found.values()].some((closeness) => closeness > LINKED)) return isValueQuestion(beside) ? NONE : found;
  }
  return NONE;
}

const NONE: ReadonlyMap<UnitKey, number> = new Map();

/** A question without the marks of links, tags and quotations around a name. */
export function unquotedName(question: string): string {
  const text = question.trim();
  const [, link] = /^!?\[\[([^[\]|#]+)[^[\]]*\]\]$/.exec(text) ?? [];
  return plainNotePath((link ?? text).replace(/^(?:#(?=\S)|["'“„«「『]+)|["'”“»」』]+$/g, ''));
}

function isAsWritten({ text }: FoundUnit, question: string): boolean {
  const plain = foldText(fileTitle(question));
  return text.split('\n').some((name) => foldText(name) === plain);
}
