import { LETTER_RANGES } from '../../language/scripts.js';
import { CHINESE_INSTEAD_OF, INSTEAD_OF } from '../../language/statements/comparison.js';
import { AnyWordTest, PatternWithWordTest, type RangeInText } from '../../language/tokens.js';
import { toSimplified } from '../../language/words/traditional.js';
import { contentTerms } from './terms.js';

// The old value ends at the next clause, or where the new value begins.
const VALUE = '([^,;.!?()，；。！？（）]*?(?:\\d(?:[.:]\\d+(?:\\.\\d{2,4})?|\\.\\s)[^,;.!?()，；。！？（）]*?)*)';
const END =
  '(?=\\s+(?:to|on|in|since|as of|because|and|but|now|nowadays|these days)\\b|\\s*[,;!?()，；。！？（）]|\\.(?:\\s|$)|\\s*$)';
/** A cancelled decision, plan or booking: `the trip was cancelled`. */
const CANCELLATIONS = [
  ending(
    'cancelled|canceled|called off|revoked|rescinded|overturned|scrapped',
    `${VALUE}\\s+(?:is|are|was|were|has been|have been|got)\\s+(?:cancell?ed|called off|revoked|rescinded|overturned|scrapped)\\b`,
  ),
  ending(
    'abgesagt|aufgehoben|zurückgenommen|widerrufen|hinfällig',
    `${VALUE}\\s+(?:ist|sind|wurden?|wird)\\s+(?:wieder\\s+)?(?:abgesagt|aufgehoben|zurückgenommen|widerrufen|hinfällig)(?![${LETTER_RANGES}])`,
  ),
  ending(
    'cancelad|anulad|revocad|annulé|révoqué|annullat|revocat',
    `${VALUE}\\s+(?:está|fue|queda|quedó|ha sido|est|a été|è stat[oa]|foi)\\s+(?:cancelad[oa]|anulad[oa]|revocad[oa]|annulée?|révoquée?|annullat[oa]|revocat[oa])(?![${LETTER_RANGES}])`,
  ),
  ending('取消|撤销|作废', '([^,，。;；]{1,20}?)(?:已经|已|被)?(?:取消|撤销|作废)(?:了)?(?=[,，。;；]|$)'),
];
/** The words, or beginnings of words, of which a text that cancels something has one. */
export const CUES_OF_CANCELLATIONS: readonly string[] = CANCELLATIONS.flatMap(({ words }) => words.split('|'));

const ENDS = [
  ...CANCELLATIONS,
  ending(
    'moved|moves|changed|changes|switched|switches|raised|cut|lowered|upgraded|migrated|extended|shortened|renamed',
    `\\b(?:moved|moves|changed|changes|switched|switches|raised|cut|lowered|upgraded|migrated|extended|shortened|renamed)\\b[^,;.]{0,60}?\\bfrom\\s+${VALUE}${END}`,
  ),
  // Only amounts: "came back from Rome" replaces no value, "went from 5 to 6" does.
  ending('from', `\\b(?:went|goes|came|up|down)\\b[^,;.]{0,60}?\\bfrom\\s+(?=\\D{0,2}\\d)${VALUE}${END}`),
  ending('no longer', `\\bno longer\\s+${VALUE}${END}`),
  ending('replace', `\\breplaced?\\s+${VALUE}(?=\\s+(?:with|by)\\b)`),
  // Skip a negated "instead of": it keeps the old value.
  ending(
    `${INSTEAD_OF}|replac|used to be|formerly|previously|stopped|quit|gave up`,
    `(?<!(?:\\bnot|\\bnever|n't)\\s[^,;.!?]{0,60})\\b(?:${INSTEAD_OF}|replaces|replacing|used to be|formerly|previously|(?:stopped|quit|gave up)(?! (?:at|by|for|in|near|off|on|over|to|with)\\b))\\s+${VALUE}${END}`,
  ),
  ending('any more|anymore|any longer|anylonger', `(?:\\b(?:no|not)|n't)\\s+${VALUE}(?=\\s+any ?(?:more|longer)\\b)`),
  ending('nicht mehr', `\\bnicht mehr\\s+${VALUE}(?=\\s*,?\\s+sondern\\b|${END})`),
  ending('kein', `\\bkeine?[nmrs]?\\s+${VALUE}(?=\\s+mehr\\b)`),
  ending('statt|anstelle', `\\b(?:statt|anstatt|anstelle von)\\s+${VALUE}(?=\\s+(?:für|bei|in|als|auf|zu)\\b|${END})`),
  ending('von|vom', `\\bvo[nm]\\s+${VALUE}(?=\\s+(?:auf|nach|zu)\\s.{1,60}?(?:um|ge|ver)[${LETTER_RANGES}]+)`),
  ending(
    'plus',
    `(?:\\bne\\s|\\bn['’])\\s*[${LETTER_RANGES}]+\\s+plus\\s+(?!que\\b|qu['’])${VALUE}(?=\\s+mais\\b|${END})`,
  ),
  ending(
    'au lieu|à la place|plutôt',
    `(?<![${LETTER_RANGES}])(?:au lieu de|à la place de|plutôt que)\\s+${VALUE}(?=\\s+(?:pour|dans|sur|comme)\\b|${END})`,
  ),
  ending('passé|déménagé|changé', `\\b(?:passée?|déménagé|changé)\\s+de\\s+${VALUE}(?=\\s+(?:à|aux?|en|pour|chez)\\s)`),
  ending(
    '从|由',
    '(?:从|由)\\s*([^,，。;；]{1,20}?)\\s*(?:搬到|搬去|改为|改成|改到|换成|换到|变成|变为|升级到|升到|降到|提高到|缩短到|延长到|迁移到|迁到|转到)',
  ),
  ending('不再', '不再(?:在|是|用|使用|喜欢)?\\s*([^,，。;；]{1,20})'),
  ending(`${CHINESE_INSTEAD_OF}|代替|取代|替换`, `(?:${CHINESE_INSTEAD_OF}|代替|取代|替换)\\s*([^,，。;；]{1,20})`),
];

const NOTHING: readonly RangeInText[] = [];
const ANY_END = new AnyWordTest(ENDS.map(({ words }) => words).join('|'));

function ending(words: string, source: string): { readonly words: string; readonly cued: PatternWithWordTest } {
  return { words, cued: new PatternWithWordTest(words, new RegExp(source, 'gid')) };
}

/** Ranges of the values that a text explicitly says are over: `from A to B`, `no longer A`, `B instead of A`. Pure. */
export function findEndedValues(part: string): readonly RangeInText[] {
  return findValues(toSimplified(part), ENDS);
}

function findValues(text: string, all: typeof ENDS): readonly RangeInText[] {
  const lower = text.toLowerCase();
  if (text.length > 1_000 || !ANY_END.isIn(lower)) return NOTHING;
  const ends = all.filter(({ cued }) => cued.mayBeIn(lower));
  return ends.flatMap(({ cued }) =>
    [...text.matchAll(cued.pattern)].flatMap(({ indices }) => {
      const [start, end] = indices?.[1] ?? [0, 0];
      return end > start ? [{ start, end }] : [];
    }),
  );
}

/** Terms of the values that a text explicitly says are over. Pure. */
export function endedTerms(part: string): readonly string[] {
  return termsOf(part, ENDS);
}

/** Terms of what a text explicitly says is cancelled: a part of the terms of {@link endedTerms}. Pure. */
export function termsInCancellations(part: string): readonly string[] {
  return termsOf(part, CANCELLATIONS);
}

function termsOf(part: string, ends: typeof ENDS): readonly string[] {
  const text = toSimplified(part);
  const terms = findValues(text, ends).flatMap(({ start, end }) => contentTerms(text.slice(start, end)));
  return [...new Set(terms)];
}
