import type { ParsedStatement } from '../../../memory/statement/statement.js';
import { EntityStateReader } from '../../../reflect/entity-state.js';
import { createProblem, type LintRule } from '../problem.js';

const MOST_QUOTED = 100;

/**
 * Reports two current statements about one entity that have different values of one kind, such as two versions. Only a
 * person knows whether the later value replaced the earlier one.
 */
export const findTwoCurrentValues: LintRule = function* ({ search, root, today, entities }) {
  const holdings = new EntityStateReader(search, { today, root });
  const said = new Set<string>();
  for (const { slug, mentions } of entities) {
    if (mentions < 2) continue;
    for (const { fact: later, place, earlier } of holdings.known.latest(slug)) {
      const isOther = ({ fact: { statement } }: (typeof earlier)[number]): boolean =>
        hasOther(later.statement, statement) && haveTermInCommon(later.statement, statement);
      const older = place === 'now' ? earlier.find(isOther)?.fact : undefined;
      if (older === undefined || said.has(later.id)) continue;
      said.add(later.id);
      const settle = `openclaw memory settle ${older.id} ${later.id} replaces`;
      const message = `"${quoted(later.text)}" may contradict "${quoted(older.text)}" from ${older.day ?? 'an unknown day'} (${older.source})`;
      yield createProblem(
        'two-values',
        'info',
        later.path,
        later.line,
        `${message}; if it replaces the older one: ${settle}; if both are true, write both instead of replaces`,
      );
    }
  }
};

/**
 * Whether each of two statements has exactly one value of a kind, and the two values differ: `version 2` and `version 3`.
 * Events of the earlier statement are ignored, because they stay true.
 */
function hasOther(later: ParsedStatement, earlier: ParsedStatement): boolean {
  const now = singleValues(later);
  const was = singleValues(earlier.filter(({ isEvent }) => !isEvent));
  return [...was].some(([kind, text]) => text !== undefined && ![undefined, text].includes(now.get(kind)));
}

/**
 * Maps each kind of value in a statement to the text of the value. Undefined for a kind of which the statement has
 * several values.
 */
function singleValues(statement: ParsedStatement): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const { values = [] } of statement)
    for (const { kind, text } of values) found.set(kind, found.has(kind) ? undefined : text);
  return found;
}

function haveTermInCommon(a: ParsedStatement, b: ParsedStatement): boolean {
  const terms = new Set(a.flatMap((part) => part.terms));
  return b.some((part) => part.terms.some((term) => terms.has(term)));
}

function quoted(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}
