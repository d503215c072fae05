import type { Day } from '../base/clock.js';
import { BASIC_HAN_RANGES, CAPITAL_RANGES } from '../language/scripts.js';
import { readSpokenLine, withoutLeadingTime } from '../language/speakers.js';
import { daysBetween } from '../language/time/calendar.js';
import { PatternWithWordTest } from '../language/tokens.js';
import { DECISION_CUE, DECISION_PATTERN } from '../language/words/question-cues.js';
import { toSimplified } from '../language/words/traditional.js';
import { LINE_FORM } from './form.js';
import type { Clause, ParsedStatement } from './statement/statement.js';

/** The id of a fact and the days that it names. The id of a line that is no fact is null. */
interface StatedFact {
  readonly fact: string | null;
  readonly isPeriod: boolean;
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
}

const TIME_WORD =
  /\d{1,2}:\d{2}|\b(?:1\d|20)\d{2}\b|\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)\b|[昨今明前后]天|[上下本]周|[上下本]个?月|[去今明]年|[年月日号]/i;
const NUMBER_WORD =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|several)\b|[一二三四五六七八九十百千万两]/i;
/** A title as people write one; single quotes are apostrophes too often. */
const TITLE_TEXT = /["“”「『《][^"“”「」『』《》]{2,60}["“”」』》]/;

/** The forms that a line has by what it says, as bits of {@link LINE_FORM}. */
export function readSaidForm(
  text: string,
  speaker: string | null,
  fact: StatedFact,
  statement: ParsedStatement = [],
): number {
  const said = textSaid(text, speaker);
  let form = 0;
  if (TIME_WORD.test(said) || statement.some(namesTime)) form |= LINE_FORM.time;
  if (NUMBER_WORD.test(said)) form |= LINE_FORM.number;
  if (TITLE_TEXT.test(text)) form |= LINE_FORM.title;
  if (statesDecision(text)) form |= LINE_FORM.decision;
  if (fact.fact !== null && saysWhere(text, fact)) form |= LINE_FORM.where;
  return form;
}

/** Whether a clause of a fact names a time, in any language. */
function namesTime({ validFrom, validTo, values = [] }: Clause): boolean {
  return (validFrom ?? validTo) !== undefined || values.some(({ kind }) => kind === 'clock' || kind === 'weekday');
}

/** A line without who says it and when: that is no answer to "when". */
function textSaid(text: string, speaker: string | null): string {
  const spoken = speaker === null ? undefined : readSpokenLine(text);
  return spoken !== undefined && spoken.name === speaker ? spoken.said : withoutLeadingTime(text);
}

/** Whether a text states a decision, by its words. */
export function statesDecision(text: string): boolean {
  if (DECISION_PATTERN.test(text)) return true;
  return HAS_HAN.test(text) && DECISION_CUE.chinese.some((pattern) => pattern.test(toSimplified(text)));
}

const HAS_HAN = new RegExp(`[${BASIC_HAN_RANGES}]`);

/** Cheaper than reading every name of hundreds of facts. */
const LEADING_NAMES = /^(?:[@＠][^\s@:：,、，]+[\s,、，&]*)+[:：]?\s*/;

/** The text of a fact without the names of entities at its beginning. */
export function textAfterNames(text: string): string {
  return text.replace(LEADING_NAMES, '');
}

const HOME = new PatternWithWordTest(
  'liv|resid|dwel|based|stay|mov|relocated|settled|back in|wohn|leb|gezogen|ziehen|abit|vit|séjourne|viv|vécu|déménag|mora|woon|住|搬|目前在|现在在|滞在|жив|жил|переехал|se mudó',
  /\b(?:liv(?:es?|ed|ing) (?:in|at|on|with|near|by|there|here|alone|together|above|next|abroad)|resid(?:es?|ed|ing)|dwel(?:ls?|t)|based (?:in|at|near|out)|stay(?:s|ed|ing)? (?:in|at|on|with|near)|mov(?:ed?|ing) (?:to|into|back)|relocated|settled|back in|wohn(?:e|t|te|en)|gewohnt|leb(?:t|te)|gelebt|gezogen|ziehen|habit(?:e|ait)|vit|vivait|séjourne|viv(?:e|eva|ía|ió)|reside|abit(?:a|ava)|mora(?:va)?|woon(?:t|de))(?![\w\u00c0-\u1fff])|habité|vécu|déménag(?:é|er)|[住搬]|目前在|现在在|滞在|жив[её]т|живут|жил[аи]?(?![а-я])|переехал|se mudó/i,
);
const PLACED = new RegExp(
  `^(?:(?:[Ii]s|[Ii]st|[Ee]st) )?(?:\\S+ly |[Dd]erzeit |[Zz]urzeit |[Aa]ctuellement |[Aa]hora |[Сс]ейчас )?(?:[Bb]ack )?(?:[Ii]n|[Aa]t|à|À|[Ee]n|[Aa]u|[Вв]о?) [${CAPITAL_RANGES}]|^(?:现在|目前|正)?在(?!.{0,12}(?:工作|上班))`,
);
const AWAY = new RegExp(`(?:^|\\s)(?:[IiEe]n|[Aa]t|[OoAa]n|[Ii]m|auf|à|aux?|em?|op|во?|на) [${CAPITAL_RANGES}]|在`);
/** Longest period, in days, for which somebody is away. */
const LONGEST_STAY = 62;

/**
 * Whether a fact says where its subject is: for good, or for some days, whatever is done there (`En vacances à Ischia du 3
 * au 10 juin`).
 */
function saysWhere(text: string, { isPeriod, validFrom, validTo }: StatedFact): boolean {
  const told = textAfterNames(text);
  if (HOME.isIn(told) || PLACED.test(told)) return true;
  if (!isPeriod || validFrom === null || validTo === null) return false;
  return daysBetween(validFrom, validTo) <= LONGEST_STAY && AWAY.test(told);
}
