import { isOneEdit } from '../../../base/one-edit.js';
import { createProblem, type LintInput, type LintRule } from '../problem.js';

/** Reports a name or alias that two pages have. Recall can use the name for only one of the two pages. */
const claimedTwice: LintRule = function* ({ pages }) {
  const claims = new Map<string, string>();
  for (const { path, entity } of pages) {
    if (entity === null) continue;
    for (const slug of new Set([entity.slug, ...entity.aliases])) {
      const other = claims.get(slug);
      if (other === undefined) claims.set(slug, path);
      else {
        const message = `"${slug}" is also the name or an alias of ${other}`;
        yield createProblem('alias-claimed-twice', 'error', path, 1, message, 'remove it from one of the two pages');
      }
    }
  }
};

/** Reports an entity that has at most two mentions and no page, and is spelt nearly like an entity with a page. */
const unknownEntities: LintRule = function* (view) {
  const known = knownNames(view);
  for (const { slug, name, page, mentions } of view.entities) {
    if (mentions > 2 || page !== null || slug.length < 4 || known.has(slug)) continue;
    const near = [...known.keys()].find((other) => isNear(slug, other));
    const first = near && view.search.unit(view.search.linked([slug], { withResources: true }, 2).at(-1) ?? -1);
    if (near === undefined || !first) continue;
    const message = `@${name} has no page; did you mean @${known.get(near) ?? near}?`;
    const hint = 'correct the name, or add it as an alias to that page';
    yield createProblem('unknown-entity', 'warning', first.file.path, first.line, message, hint);
  }
};

export const ENTITY_RULES: readonly LintRule[] = [claimedTwice, unknownEntities];

/** For all pages of entities: maps the slug of each name and alias to the name of the entity on its page. */
function knownNames({ pages }: LintInput): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const { entity } of pages) {
    for (const slug of entity === null ? [] : [entity.slug, ...entity.aliases]) known.set(slug, entity?.name ?? slug);
  }
  return known;
}

/** Whether two names differ by one edit. Names with digits never match. */
function isNear(a: string, b: string): boolean {
  return !/\d/.test(a) && !/\d/.test(b) && isOneEdit(a, b);
}
