import type { Day } from '../../base/clock.js';
import { CAPITAL } from '../../language/scripts.js';
import { Cued } from '../../language/tokens.js';
import type { ToldUnit } from './told-unit.js';

const HOME = new Cued(
  'liv|resid|dwel|based|stay|mov|relocated|settled|back in|wohn|leb|gezogen|ziehen|abit|vit|séjourne|viv|vécu|déménag|mora|woon|住|搬|目前在|现在在|滞在|жив|жил|переехал|se mudó',
  /\b(?:liv(?:es?|ed|ing) (?:in|at|on|with|near|by|there|here|alone|together|above|next|abroad)|resid(?:es?|ed|ing)|dwel(?:ls?|t)|based (?:in|at|near|out)|stay(?:s|ed|ing)? (?:in|at|on|with|near)|mov(?:ed?|ing) (?:to|into|back)|relocated|settled|back in|wohn(?:e|t|te|en)|gewohnt|leb(?:t|te)|gelebt|gezogen|ziehen|habit(?:e|ait)|vit|vivait|séjourne|viv(?:e|eva|ía|ió)|reside|abit(?:a|ava)|mora(?:va)?|woon(?:t|de))(?![\w\u00c0-\u1fff])|habité|vécu|déménag(?:é|er)|[住搬]|目前在|现在在|滞在|жив[её]т|живут|жил[аи]?(?![а-я])|переехал|se mudó/i,
);
const PLACED = new RegExp(
  `^(?:(?:[Ii]s|[Ii]st|[Ee]st) )?(?:\\S+ly |[Dd]erzeit |[Zz]urzeit |[Aa]ctuellement |[Aa]hora |[Сс]ейчас )?(?:[Bb]ack )?(?:[Ii]n|[Aa]t|à|À|[Ee]n|[Aa]u|[Вв]о?) [${CAPITAL}]|^(?:现在|目前|正)?在(?!.{0,12}(?:工作|上班))`,
);

/** Whether a statement says of its own state that it is over or still ahead on a day: then it does not hold. */
export function isNotHolding({ statement, unit: { isPeriod, validFrom, validTo } }: ToldUnit, day: Day): boolean {
  if (isPeriod && ((validTo ?? day) < day || (validFrom ?? day) > day)) return true;
  const isDue = validFrom !== null && validFrom <= day;
  return statement.some(({ isPast, isPlan }) => isPast || (!isDue && isPlan));
}

/** Whether a statement says where its subject is. */
export function saysWhere({ text }: ToldUnit): boolean {
  return HOME.isIn(text) || PLACED.test(text);
}
