import { LETTER } from '../../language/scripts.js';
import { Cued } from '../../language/tokens.js';
import { SMALL_WORDS } from '../../language/words/attributes.js';
import { CHINESE_IN_PLACE_OF, IN_PLACE_OF } from '../../language/words/comparison.js';
import { withLatinPlaces } from '../../language/words/names.js';
import { statementTerms } from '../../language/words/terms.js';
import { toSimplified } from '../../language/words/traditional.js';

/** What a statement says that it puts an end to. */
export interface Replacement {
  /** Terms of the old value: `mysql`, `8.0`. */
  readonly old: ReadonlySet<string>;
  /** The other terms of the statement: what it is about, and the new value. */
  readonly rest: ReadonlySet<string>;
  /** The old value is a place where something is no longer. */
  readonly isPlace: boolean;
}

// The old value ends at the next clause, or where the new one begins.
const VALUE = '([^,;.!?()，；。！？（）]*?(?:\\d[.:]\\d+[^,;.!?()，；。！？（）]*?)*)';
const END =
  '(?=\\s+(?:to|on|in|since|as of|because|and|but|now|nowadays|these days)\\b|\\s*[,;!?()，；。！？（）]|\\.(?:\\s|$)|\\s*$)';
const ENDS = [
  ending(
    'moved|moves|changed|changes|switched|switches|raised|cut|lowered|upgraded|migrated|extended|shortened|renamed',
    `\\b(?:moved|moves|changed|changes|switched|switches|raised|cut|lowered|upgraded|migrated|extended|shortened|renamed)\\b[^,;.]{0,60}?\\bfrom\\s+${VALUE}${END}`,
  ),
  // Who came back from somewhere changed nothing; an amount did.
  ending('from', `\\b(?:went|goes|came|up|down)\\b[^,;.]{0,60}?\\bfrom\\s+(?=\\D{0,2}\\d)${VALUE}${END}`),
  ending('no longer', `\\bno longer\\s+${VALUE}${END}`),
  ending('replace', `\\breplaced?\\s+${VALUE}(?=\\s+(?:with|by)\\b)`),
  ending(
    `${IN_PLACE_OF}|replac|used to be|formerly|previously|stopped|quit|gave up`,
    `\\b(?:${IN_PLACE_OF}|replaces|replacing|used to be|formerly|previously|stopped|quit|gave up)\\s+${VALUE}${END}`,
  ),
  ending('any more|anymore|any longer|anylonger', `(?:\\b(?:no|not)|n't)\\s+${VALUE}(?=\\s+any ?(?:more|longer)\\b)`),
  ending('nicht mehr', `\\bnicht mehr\\s+${VALUE}(?=\\s*,?\\s+sondern\\b|${END})`),
  ending('kein', `\\bkeine?[nmrs]?\\s+${VALUE}(?=\\s+mehr\\b)`),
  ending('statt|anstelle', `\\b(?:statt|anstatt|anstelle von)\\s+${VALUE}(?=\\s+(?:für|bei|in|als|auf|zu)\\b|${END})`),
  ending('von', `\\bvon\\s+${VALUE}(?=\\s+(?:auf|nach|zu)\\s.{1,60}?(?:um|ge|ver)[${LETTER}]+)`),
  ending('plus', `(?:\\bne\\s|\\bn['’])\\s*[${LETTER}]+\\s+plus\\s+${VALUE}(?=\\s+mais\\b|${END})`),
  ending(
    'au lieu|à la place|plutôt',
    `(?<![${LETTER}])(?:au lieu de|à la place de|plutôt que)\\s+${VALUE}(?=\\s+(?:pour|dans|sur|comme)\\b|${END})`,
  ),
  ending('passé|déménagé|changé', `\\b(?:passée?|déménagé|changé)\\s+de\\s+${VALUE}(?=\\s+(?:à|aux?|en|pour|chez)\\s)`),
  ending(
    '从|由',
    '(?:从|由)\\s*([^,，。;；]{1,20}?)\\s*(?:搬到|搬去|改为|改成|改到|换成|换到|变成|变为|升级到|升到|降到|提高到|缩短到|延长到|迁移到|迁到|转到)',
  ),
  ending('不再', '不再(?:在|是|用|使用|喜欢)?\\s*([^,，。;；]{1,20})'),
  ending(`${CHINESE_IN_PLACE_OF}|代替|取代|替换`, `(?:${CHINESE_IN_PLACE_OF}|代替|取代|替换)\\s*([^,，。;；]{1,20})`),
];

function ending(words: string, source: string): Cued {
  return new Cued(words, new RegExp(source, 'gi'));
}

/** Reads what a statement says plainly that it replaces, or undefined. Pure. */
export function readReplacement(statement: string): Replacement | undefined {
  const text = toSimplified(statement);
  if (text.length > 1_000) return undefined;
  const ends = ENDS.filter((end) => end.mayBeIn(text));
  if (ends.length === 0) return undefined;
  const old = new Set<string>();
  let rest = text;
  for (const { pattern } of ends) {
    for (const match of text.matchAll(pattern)) {
      for (const term of replacementTerms(match[1] ?? '')) old.add(term);
      rest = rest.replace(match[1] ?? '', ' ');
    }
  }
  return old.size === 0 ? undefined : { old, rest: new Set(replacementTerms(rest)), isPlace: LEFT_PLACE.test(text) };
}

const LEFT_PLACE = /\bno longer (?:in|at|from|based in|lives? in|works? (?:in|at|from))\b|不再[在住]/i;

/**
 * Whether an earlier statement, by its terms, holds the old value that a later one replaces, and is about the same.
 * A value of one term needs two more in common; an old value of several terms speaks for itself with one.
 */
export function isReplaced(earlier: ReadonlySet<string>, { old, rest, isPlace }: Replacement): boolean {
  let held = 0;
  if (earlier.size > 0 && [...earlier].every((term) => old.has(term))) return true;
  for (const term of old) if (earlier.has(term)) held++;
  if (held < old.size * 0.6) return false;
  if (isPlace && held === old.size) return true;
  let shared = 0;
  for (const term of rest) if (earlier.has(term) && !old.has(term)) shared++;
  return shared >= 1 || held >= 2;
}

/** The terms of a statement by which it is found to be replaced: without small words of any language. */
export function replacementTerms(text: string): readonly string[] {
  return statementTerms(withLatinPlaces(text.replace(/使?用的?是|^使?用/, ''))).filter(
    (term) => !SMALL_WORDS.has(term),
  );
}
