import { CAPITAL } from '../../language/scripts.js';
import { Cued } from '../../language/tokens.js';
import { stemOf } from '../../language/words/forms.js';
import { isMany } from './other-value.js';
import { isOpen } from './statement.js';
import type { Told } from './supersession.js';

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
const WORK = new Cued(
  'work|employ|job|arbeit|travaill|工作|上班|任职',
  /\b(?:work(?:s|ed|ing)?|employ(?:s|ed)|jobs?|arbeite?(?:t|te)|gearbeitet|travaill(?:e|ait))\b|travaillé|工作|上班|任职/i,
);

/** Whether a statement says of its own state that it is over or still ahead: then it does not hold. */
export function isNotHolding({ fact, isDue, day }: Told): boolean {
  const { period, text } = fact;
  if (period !== null && ((period.to ?? day) < day || (period.from ?? day) > day)) return true;
  return PAST.isIn(text) || isOpen(text, isDue);
}

/** Whether a statement tells of what was once. */
export function tellsOfPast(text: string): boolean {
  return PAST.isIn(text);
}

/** Whether a statement says where its subject is. */
export function saysWhere({ fact: { text } }: Told): boolean {
  return HOME.isIn(text) || PLACED.test(text);
}

/** Whether two statements about one subject are of the same state: both of its place, of its work, or by the same verb. */
export function isSameState(one: Told, other: Told): boolean {
  if (saysWhere(one) || saysWhere(other)) return saysWhere(one) && saysWhere(other);
  if (WORK.isIn(one.fact.text) && WORK.isIn(other.fact.text)) return true;
  if (one.fact.period !== null && isSameThing(one.fact.text, other.fact.text)) return true;
  const [verb, same] = [verbOf(one), verbOf(other)];
  if (verb === undefined || same === undefined || isMany(other.statement.words)) return false;
  const [, stem] = IMPERFECT.exec(verb) ?? [];
  return verb === same || (stem !== undefined && same.startsWith(stem));
}

const IMPERFECT = /^(.{3,}?)s?ai(?:en)?t$/;

/** `had a Nokia` and `has a Fairphone`: a make, with the word for what it is or without. */
const OWNED = new RegExp(
  `^(?:also )?(?:has|have|had|owns?|owned|uses?|used|drives?|drove) (?:an?|the|his|her|their|my) (?:\\S+ )?([${CAPITAL}]\\S*|i[A-Z]\\S*)(?: [${CAPITAL}\\d]\\S*)*(?: ([a-z]{3,}))?`,
);
const NOUN = /(?<![\w'’-])[a-zß-ÿ]{3,}(?![\w'’-])/g;
const NAME = new RegExp(`(?<![\\w'’-])(?!(?:Dr|Mr|Mrs|Ms|Prof)\\b)[${CAPITAL}][^\\s.,;:()]+`, 'g');
const NO_NOUN =
  /^(?:until|till|bis|had|has|have|her|his|their|the|and|with|for|from|since|who|was|were|now|is|are|as|in|at|last|year|month|week)$/;

/**
 * Whether what ended and what holds are of one thing: both what somebody has by its make, or two with other names beside the same
 * noun (`saw Dr. Smit as her dentist`, `her dentist is Dr. Jansen`).
 */
function isSameThing(ended: string, holding: string): boolean {
  const [owned, owns] = [OWNED.exec(ended), OWNED.exec(holding)];
  if (owned && owns) return owned[1] !== owns[1] && (!isNoun(owned[2]) || !isNoun(owns[2]) || owned[2] === owns[2]);
  const names = (text: string) => (text.match(NAME) ?? []).map((name) => name.toLowerCase());
  const [was, now] = [names(ended), names(holding)];
  if (was.length === 0 || now.length === 0 || now.some((name) => was.includes(name))) return false;
  const nouns = ended.match(NOUN)?.filter(isNoun) ?? [];
  return (holding.match(NOUN) ?? []).some((word) => nouns.includes(word));
}

function isNoun(word: string | undefined): boolean {
  return word !== undefined && !NO_NOUN.test(word);
}

/** `drove` and `drives`, `was married` and `is married`: the stem of the first word that says something. */
function verbOf({ statement: { words } }: Told): string | undefined {
  const verb = words.find(({ text }) => !FRAME.test(text))?.text;
  return verb === undefined ? undefined : stemOf(PRESENT.get(verb) ?? verb);
}

const FRAME =
  /^(?:is|are|was|were|has|have|had|been|used|to|did|formerly|previously|once|currently|now|still|ist|sind|war|waren|früher|est|était|autrefois|\d+|[年以前曾经过去])$/;
const PRESENT: ReadonlyMap<string, string> = new Map(
  'drove drive|wore wear|spoke speak|taught teach|ran run|kept keep|led lead|held hold|wrote write|ate eat|drank drink|slept sleep|sang sing|rode ride|grew grow|drew draw|sold sell|flew fly|swam swim'
    .split('|')
    .map((pair): [string, string] => {
      const [past = '', present = ''] = pair.split(' ');
      return [past, present];
    }),
);
