import { CAPITAL } from '../../language/scripts.js';
import { replacementTerms } from './ended-value.js';
import { isMany } from './other-value.js';
import { isOpen } from './statement.js';
import type { Told } from './supersession.js';

const PAST =
  /\b(?:used to|formerly|previously|former(?!ly)|back then|(?<!\b(?:has|have|had|'s|'ve) )(?:lived|resided|dwelt|worked|studied|stayed|taught|served)|was (?:living|working|based|employed|studying)|ehemals|damals|wohnte|lebte|arbeitete|studierte|(?:hat|hatte) .{1,60}\b(?:gewohnt|gelebt|gearbeitet|studiert)|autrefois|habitait|vivait|travaillait)\b|früher|\ba (?:habité|vécu|travaillé|étudié)|以前|曾|过去|当年|那时|[住待]过|工作过/i;
const HOME =
  /\b(?:liv(?:es?|ed|ing)|resid(?:es?|ed|ing)|dwel(?:ls?|t)|based|stay(?:s|ed|ing)?|mov(?:ed?|ing) (?:to|into|back)|relocated|settled|back in|wohn(?:e|t|te|en)|gewohnt|leb(?:t|te)|gelebt|gezogen|ziehen|habit(?:e|ait)|vit|vivait|séjourne)\b|habité|vécu|déménag(?:é|er)|[住搬]|目前在|现在在/i;
const PLACED = new RegExp(
  `^(?:(?:[Ii]s|[Ii]st|[Ee]st) )?(?:\\S+ly |[Dd]erzeit |[Zz]urzeit |[Aa]ctuellement )?(?:[Bb]ack )?(?:[Ii]n|[Aa]t|à|À|[Ee]n|[Aa]u) [${CAPITAL}]|^(?:现在|目前|正)?在(?!.{0,12}(?:工作|上班))`,
);
const WORK =
  /\b(?:work(?:s|ed|ing)?|employ(?:s|ed)|jobs?|arbeite?(?:t|te)|gearbeitet|travaill(?:e|ait))\b|travaillé|工作|上班|任职/i;

/** Whether a statement says of its own state that it is over or still ahead: then it does not hold. */
export function isNotHolding({ fact, isDue, day }: Told): boolean {
  const { period, text } = fact;
  if (period !== null && ((period.to ?? day) < day || (period.from ?? day) > day)) return true;
  return PAST.test(text) || isOpen(text, isDue);
}

/** Whether a statement tells of what was once. */
export function tellsOfPast(text: string): boolean {
  return PAST.test(text);
}

/** Whether a statement says where its subject is. */
export function saysWhere({ fact: { text } }: Told): boolean {
  return HOME.test(text) || PLACED.test(text);
}

/** Whether two statements about one subject are of the same state: both of its place, of its work, or of what it `used to` do. */
export function isSameState(one: Told, other: Told): boolean {
  if (saysWhere(one) || saysWhere(other)) return saysWhere(one) && saysWhere(other);
  if (WORK.test(one.fact.text) && WORK.test(other.fact.text)) return true;
  const verb = USED_TO.exec(one.fact.text)?.[1];
  return (
    verb !== undefined && !isMany(other.statement.words) && replacementTerms(verb).some((term) => other.terms.has(term))
  );
}

const USED_TO = /\bused to (\w+)/i;
