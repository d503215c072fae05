import type { Day } from '../../base/clock.js';
import { CAPITAL } from '../../language/scripts.js';
import { tellsOfPlan } from '../../language/statements/plans.js';
import { Cued } from '../../language/tokens.js';
import type { ToldUnit } from './told-unit.js';

const PAST = new Cued(
  'used to|former|previously|back then|lived|resided|dwelt|worked|studied|stayed|taught|served|was living|was working|was based|was employed|was studying|ehemals|damals|wohnte|lebte|arbeitete|studierte|gewohnt|gelebt|gearbeitet|studiert|autrefois|ait|aient|früher|a habité|a vécu|a travaillé|a étudié|vivía|vivió|trabaj|abitava|viveva|lavorava|morava|trabalhava|woonde|werkte|vroeger|жил|работал|раньше|以前|曾|过去|当年|那时|住过|待过|工作过|いた|时',
  /\b(?:used to|formerly|previously|former(?!ly)|back then|(?<!\b(?:has|have|had|'s|'ve) )(?:lived|resided|dwelt|worked|studied|stayed|taught|served)|was (?:living|working|based|employed|studying)|ehemals|damals|wohnte|lebte|arbeitete|studierte|(?:hat|hatte) .{1,60}\b(?:gewohnt|gelebt|gearbeitet|studiert)|autrefois|viv(?:ía|ió|eva)|trabaj(?:aba|ó)|abitava|lavorava|morava|trabalhava|woonde|werkte|vroeger)(?![\w\u00c0-\u1fff])|früher|\ba (?:habité|vécu|travaillé|étudié)|^(?!fait|sait|plaît|connaît|paraît|naît)[a-zà-ÿ]{2,}(?<![eid]r)ai(?:en)?t(?=\s)|(?<![\u0400-\u04ff])(?:жил[аи]?|работал[аи]?|раньше)(?![\u0400-\u04ff])|以前|曾|过去|当年|那时|[住待]过|工作过|[てで]いた|(?:大学|[中小上]学|高中|读书|年轻|学生)的?时候?|小时候/i,
);
const HOME = new Cued(
  'liv|resid|dwel|based|stay|mov|relocated|settled|back in|wohn|leb|gezogen|ziehen|abit|vit|séjourne|viv|vécu|déménag|mora|woon|住|搬|目前在|现在在|滞在|жив|жил|переехал|se mudó',
  /\b(?:liv(?:es?|ed|ing) (?:in|at|on|with|near|by|there|here|alone|together|above|next|abroad)|resid(?:es?|ed|ing)|dwel(?:ls?|t)|based (?:in|at|near|out)|stay(?:s|ed|ing)? (?:in|at|on|with|near)|mov(?:ed?|ing) (?:to|into|back)|relocated|settled|back in|wohn(?:e|t|te|en)|gewohnt|leb(?:t|te)|gelebt|gezogen|ziehen|habit(?:e|ait)|vit|vivait|séjourne|viv(?:e|eva|ía|ió)|reside|abit(?:a|ava)|mora(?:va)?|woon(?:t|de))(?![\w\u00c0-\u1fff])|habité|vécu|déménag(?:é|er)|[住搬]|目前在|现在在|滞在|жив[её]т|живут|жил[аи]?(?![а-я])|переехал|se mudó/i,
);
const PLACED = new RegExp(
  `^(?:(?:[Ii]s|[Ii]st|[Ee]st) )?(?:\\S+ly |[Dd]erzeit |[Zz]urzeit |[Aa]ctuellement |[Aa]hora |[Сс]ейчас )?(?:[Bb]ack )?(?:[Ii]n|[Aa]t|à|À|[Ee]n|[Aa]u|[Вв]о?) [${CAPITAL}]|^(?:现在|目前|正)?在(?!.{0,12}(?:工作|上班))`,
);

/** Whether a statement says of its own state that it is over or still ahead on a day: then it does not hold. */
export function isNotHolding({ text, unit: { isPeriod, validFrom, validTo } }: ToldUnit, day: Day): boolean {
  if (isPeriod && ((validTo ?? day) < day || (validFrom ?? day) > day)) return true;
  const isDue = validFrom !== null && validFrom <= day;
  return PAST.isIn(text) || (!isDue && tellsOfPlan(text));
}

/** Whether a statement says where its subject is. */
export function saysWhere({ text }: ToldUnit): boolean {
  return HOME.isIn(text) || PLACED.test(text);
}
