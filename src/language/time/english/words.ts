import { numbered, wordList, wordSet } from '../../words/word-set.js';

/** Month names and their usual abbreviations, 1 = January. */
export const MONTHS = numbered(`
  january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct
  november/nov december/dec`);

/** 1 = Monday … 7 = Sunday. */
export const WEEKDAYS = numbered(
  'monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thurs friday/fri saturday/sat sunday/sun',
);

/** First month of the meteorological seasons of the northern hemisphere; winter runs into the next year. */
export const SEASONS = numbered('spring summer autumn/fall winter', 3, 3);

/** Counts in words. "A few" and "several" are vague and handled where they are read. */
export const COUNTS = numbered(`
  a/an/one two/couple three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`);

/** A count from one to nine may follow ("twenty-one"). */
export const TENS = numbered('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10);

export const ORDINALS = numbered('first/1st second/2nd third/3rd fourth/4th/last');

/** The days of a month in words, from the first on. */
export const DATE_WORDS = wordList(`
  first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth
  twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`);

/** Words that are a month or day, and something else as well: they need a sign that time is meant. */
export const AMBIGUOUS = wordSet('may march mar sat sun mon wed jan dec');

/** After one of these, a month, a year or a day stands for a time. */
export const BEFORE_TIME = wordSet(`
  in on during since until till before after around circa through throughout over between from of early mid late year
  following`);

/** After one of these, a weekday is a habit or a name, not a day of the calendar ("every Monday", "the Friday rule"). */
export const BEFORE_HABIT = wordSet(
  'the every each any a an other most some per is are was were be black good casual about called by for',
);
