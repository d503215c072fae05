import { hintAboutLongerName, joinEntityName, parseBullet } from '../../../markdown/bullet.js';
import { KIND_LETTERS } from '../../../markdown/fact-kinds.js';
import { mayHaveFacts } from '../../../memory/pages.js';
import { entitySlug } from '../../../text/slug.js';
import { createProblem, type LintPage, type LintRule, type Problem } from '../problem.js';

/** Reports list items that were probably meant as facts, but are not facts. Recall still finds them as log text. */
const malformedBullets: LintRule = function* ({ pages }) {
  for (const page of pages) if (mayHaveFacts(page.page.role)) yield* ofPage(page);
};

function* ofPage({ path, scan }: LintPage): Generator<Problem> {
  for (const block of scan.blocks) {
    if (block.type !== 'item' || block.text === '') continue;
    const parsed = parseBullet(block.text);
    if (parsed.type !== 'malformed') continue;
    const line = scan.lines[block.startLine - 1] ?? '';
    const mended = block.textEndLine === block.startLine ? mend(block.text) : undefined;
    const hint = 'write: - KIND @Entity: text, for example: - W @Peter: lives in Vienna';
    const fix = mended === undefined ? undefined : line.replace(block.text, () => mended);
    yield createProblem('malformed-bullet', 'warning', path, block.startLine, parsed.reason, hint, fix);
  }
}

/** Reports facts whose entity is only the first word of a longer name, as in `@Anna Schmidt: is our tax adviser`. */
const cutNames: LintRule = function* ({ pages }) {
  const known = new Set(pages.flatMap(({ entity }) => (entity === null ? [] : [entity.slug, ...entity.aliases])));
  for (const { path, facts } of pages)
    for (const { line, text, detail } of facts) {
      const [first] = detail?.entities ?? [];
      const hint = known.has(entitySlug(joinEntityName(first, text) ?? ''))
        ? undefined
        : hintAboutLongerName(first, text);
      if (hint !== undefined) yield createProblem('cut-name', 'info', path, line, hint);
    }
};

export const BULLET_RULES: readonly LintRule[] = [malformedBullets, cutNames];

/**
 * Patterns to correct list items. `KIND` and `HEAD` match the beginning of a fact. `SLIPS` has common mistakes, each with
 * its correction. The corrections are applied in order until the list item is a fact.
 */
const KIND = `([${KIND_LETTERS}])`;
const HEAD = String.raw`([${KIND_LETTERS}](?:\(c=[^()]{0,20}\))?`;
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`^(?:\*\*|__|\*|_)${KIND}(?:\*\*|__|\*|_)(?=\s*@)`), '$1'],
  [new RegExp(String.raw`^${KIND}\s*[(（]\s*[cC]\s*[=＝:]\s*([\d.]+)\s*[)）]`), '$1(c=$2)'],
  [new RegExp(`^${HEAD}:?)(?=[@＠])`), '$1 '],
  [new RegExp(String.raw`^${HEAD}:?\s+)＠`), '$1@'],
  [new RegExp(String.raw`^${HEAD}):(?=[^\s\\/])`), '$1: '],
];
const LOWER_CASE = new RegExp(String.raw`^[${KIND_LETTERS.toLowerCase()}](?=\(c=|\s*:?\s*@)`);

function mend(text: string): string | undefined {
  let mended = text.replace(LOWER_CASE, (letter) => letter.toUpperCase());
  for (const [slip, meant] of SLIPS) {
    if (parseBullet(mended).type === 'fact') return mended;
    mended = mended.replace(slip, meant);
  }
  return mended !== text && parseBullet(mended).type === 'fact' ? mended : undefined;
}
