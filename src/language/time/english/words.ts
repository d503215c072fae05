/** Month names and their usual abbreviations, 1 = January. */
export const MONTHS: Readonly<Record<string, number>> = {
  january: 1,
  jan: 1,
  february: 2,
  feb: 2,
  march: 3,
  mar: 3,
  april: 4,
  apr: 4,
  may: 5,
  june: 6,
  jun: 6,
  july: 7,
  jul: 7,
  august: 8,
  aug: 8,
  september: 9,
  sept: 9,
  sep: 9,
  october: 10,
  oct: 10,
  november: 11,
  nov: 11,
  december: 12,
  dec: 12,
};

/** 1 = Monday … 7 = Sunday. */
export const WEEKDAYS: Readonly<Record<string, number>> = {
  monday: 1,
  mon: 1,
  tuesday: 2,
  tue: 2,
  tues: 2,
  wednesday: 3,
  wed: 3,
  thursday: 4,
  thu: 4,
  thurs: 4,
  friday: 5,
  fri: 5,
  saturday: 6,
  sat: 6,
  sunday: 7,
  sun: 7,
};

/** First month of the meteorological seasons of the northern hemisphere; winter runs into the next year. */
export const SEASONS: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 };

/** Counts in words. "A few" and "several" are vague and handled where they are read. */
export const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  couple: 2,
};

/** A count from one to nine may follow ("twenty-one"). */
export const TENS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

export const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  last: 4,
};

/** The days of a month in words, from the first on. */
export const DATE_WORDS: readonly string[] = (
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
  'sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth ' +
  'twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'
).split(' ');

/** Words that are a month or day, and something else as well: they need a sign that time is meant. */
export const AMBIGUOUS = new Set(['may', 'march', 'mar', 'sat', 'sun', 'mon', 'wed', 'jan', 'dec']);

/** After one of these, a month, a year or a day stands for a time. */
export const BEFORE_TIME = new Set(
  (
    'in on during since until till before after around circa through throughout over between from of early mid late ' +
    'year following'
  ).split(' '),
);

/** After one of these, a weekday is a habit or a name, not a day of the calendar ("every Monday", "the Friday rule"). */
export const BEFORE_HABIT = new Set(
  'the every each any a an other most some per is are was were be black good casual about called by for'.split(' '),
);
