import { BASIC_HAN_RANGES, CAPITAL_RANGES } from '../language/scripts.js';
import { readSpokenLine, withoutLeadingTime } from '../language/speakers.js';
import { daysBetween } from '../language/time/calendar.js';
import { PatternWithWordTest } from '../language/tokens.js';
import { DECISION_CUE, DECISION_PATTERN } from '../language/words/question-cues.js';
import { toSimplified } from '../language/words/traditional.js';
import type { Clause } from './statement/statement.js';
import type { Unit } from './unit.js';

/** The fields of a unit that show what it says. */
type SaidLine = Pick<Unit, 'text' | 'speaker' | 'fact' | 'detail' | 'isPeriod' | 'validFrom' | 'validTo'>;

const TIME_WORD =
  /\d{1,2}:\d{2}|\b(?:1\d|20)\d{2}\b|\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)\b|[昨今明前后]天|[上下本]周|[上下本]个?月|[去今明]年|[年月日号]/i;
const NUMBER_WORD =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|several)\b|[一二三四五六七八九十百千万两]/i;
/** A title as people write one; single quotes are apostrophes too often. */
const TITLE_TEXT = /["“”「『《][^"“”「」『』《》]{2,60}["“”」』》]/;

// Few questions ask for what the functions below read, so it is read for their candidates and not for every line of the index.

/** Whether a line names a time. For a fact, in any language. */
export function namesTime(line: SaidLine): boolean {
  return TIME_WORD.test(textSaid(line)) || (line.detail?.statement ?? []).some(isTimed);
}

export function namesNumber(line: SaidLine): boolean {
  return NUMBER_WORD.test(textSaid(line));
}

export function namesTitle({ text }: SaidLine): boolean {
  return TITLE_TEXT.test(text);
}

function isTimed({ validFrom, validTo, values = [] }: Clause): boolean {
  return (validFrom ?? validTo) !== undefined || values.some(({ kind }) => kind === 'clock' || kind === 'weekday');
}

/** A line without who says it and when: that is no answer to "when". */
export function textSaid({ text, speaker }: Pick<SaidLine, 'text' | 'speaker'>): string {
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
export function saysWhere({ text, fact, isPeriod, validFrom, validTo }: SaidLine): boolean {
  if (fact === null) return false;
  const told = textAfterNames(text);
  if (HOME.isIn(told) || PLACED.test(told)) return true;
  if (!isPeriod || validFrom === null || validTo === null) return false;
  return daysBetween(validFrom, validTo) <= LONGEST_STAY && AWAY.test(told);
}
