import { COMMON_HAN, LETTER } from '../../../language/scripts.js';

/** A value in a statement. */
export interface Value {
  /** Values of one kind can take each other's place: a port, a date, an amount of euros. */
  readonly kind: string;
  readonly text: string;
}

/** The values of a statement, and what is left of it. */
export interface TakenValues {
  readonly values: readonly Value[];
  /** The statement with a {@link HOLE} for each value. */
  readonly rest: string;
  /** The value for which a hole stands. */
  readonly valueAt: (hole: string) => Value | undefined;
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre)';
const DAY =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)';
const UNIT =
  '(?:%|(?:[kmgt]i?)?b(?:it|yte)?s?(?:\\/s)?|ms|µs|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|times|tagen?|wochen?|monaten?|jahren?|stunden?|minuten?|sekunden?|mal|prozent|grad|euros?|dollars?|jours?|semaines?|heures?|secondes?|degrees|req(?:uests)?\\/s|rps|qps|px|k|m|eur|usd|€|\\$|people|users|chars|characters|points|cores|°C|°F|[个元块万亿天秒次人楼层台条页名位岁倍年周度行件兆米斤杯号]|厘米|公里|公斤|分钟|小时|个?线程|个人|次每秒)';
/** The number behind it tells which one is meant: "step 2". */
const LABELLED =
  '(?:step|ticket|invoice|issue|line|page|chapter|room|request|commit|number|item|task|phase|part|section|door|floor|code)';
/** A year tells for when something is said. */
const YEAR = '\\b(?:in|for|of|im|für|en|by)\\s(?=(?:19|20)\\d\\d\\b)';
/** The kinds of values, each looked for in what the ones before it have left. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['address', /\b[a-z][a-z0-9+]*:\/\/[^\s，。；]+/giu],
  ['mail', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu],
  ['channel', /(?<![\p{L}\p{N}])#[\w-]+/giu],
  [
    'date',
    new RegExp(
      `\\d{4}-\\d\\d-\\d\\d|\\b\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+${MONTH}\\b|\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?\\b|\\b${DAY}\\b|(?<=\\b(?:in|until|till|by|im|bis|en)\\s)${MONTH}\\b|(?:周|星期|礼拜)[一二三四五六日天末]|\\d{1,2}月(?:\\d{1,2}[日号])?|[月年][底初]|月中|[一二三四五六七八九十]{1,3}[号日]|(?<![\\d.])\\d{1,2}号(?!楼|线|机|门)`,
      'giu',
    ),
  ],
  ['time', /\b\d{1,2}:\d\d(?::\d\d)?\b|(?:\d{1,2}|[一二三四五六七八九十两]{1,3})点(?:半|整|[一三]刻|\d{1,2}分?)?/giu],
  ['number', /[一二三四五六七八九]{1,2}折/gu],
  [
    'frequency',
    /\b(?:every|each)\s+(?:other\s+|second\s+|third\s+)?(?:hour|night|morning|day|week|fortnight|month|quarter|semester|year|sprint|release)\b|每(?:[双半两三四六]?(?:个?月|周|年|季度?|天|日)|隔?一?[周天月年])/giu,
  ],
  [
    'number',
    new RegExp(
      `(?<![${LETTER}./-])[€$£]?\\d+(?:[.,]\\d+)*\\s?${UNIT}(?![${LETTER}/-])|(?:[€$£]|\\b(?:EUR|USD|GBP|CHF)\\s)\\d+(?:[.,]\\d+)*|百分之[一二三四五六七八九十百点\\d]+`,
      'giu',
    ),
  ],
  ['version', /(?<![\w./-])v?\d+(?:\.\d+)+(?![\w/-])/giu],
  [
    'code',
    /[~.]*\/?(?=[\w.:/@-]*\d)(?=[\w.:/@-]*[a-z])[a-z\d][\w.:/@-]*[\w]|\b[a-z][\w-]*(?:[./@][a-z][\w-]*)+|(?<=(?:\b(?:is|as|on|at|in|to|use|uses|called|named|ist|heißt|lautet|auf|nach)|[:=])\s)[a-z]+(?:[-_][a-z]+)+\b/giu,
  ],
  [
    'count',
    new RegExp(
      `(?<!\\b(?:${LABELLED}|port|code|[A-Z]\\w*)\\s|\\d|[.,/-])\\d{1,4}(?=\\s(?:[a-z]+\\s)?[a-z]{3,}s\\b)|(?<![${LETTER}.,/-]|\\p{Lu}\\p{Ll}+\\s)\\d{1,4}(?=\\s\\p{Lu}\\p{Ll}{3,}(?:en|er|e|n|s)\\b)|(?<=\\b(?:needs?|requires?|just|only|least|most)\\s)\\d{1,4}(?=\\s[a-z]{3})`,
      'gu',
    ),
  ],
  ['number', new RegExp(`(?<![${LETTER}]|\\b${LABELLED}\\s|${YEAR})\\d+(?:[.,]\\d+)*(?![${LETTER}])`, 'giu')],
  [
    'number',
    /[二三四五六七八九十两百千万亿][一二三四五六七八九十百千万亿]+[元块]?|[二三四五六七八九十两百]+(?:个人|[个人天年元块次台层度])/gu,
  ],
];
const NAME = new RegExp(
  `(?<=[${COMMON_HAN}]\\s?|[\\p{Ll}\\p{N},]\\s)\\p{Lu}[\\p{L}\\p{N}.+#-]*\\p{Ll}[\\p{L}\\p{N}.+#-]*(?:\\s\\p{Lu}[\\p{L}\\p{N}-]+){0,2}|(?<=\\b(?:is|be|to|with|use|on|in|at|over|via|under|by|from|as|through|of)\\s)\\p{Lu}[\\p{Lu}\\p{N}-]+|(?<=[${COMMON_HAN}]\\s?)[A-Za-z][\\w.+#-]+|(?<=[由归])[${COMMON_HAN}]{2,3}(?=[${COMMON_HAN}]{2}[。！\\s]*$)|(?<=[是为叫归找给成由])(?!.*[你我他的这那个])[${COMMON_HAN}]{2,4}(?=了?[。！\\s]*$)|^(?:(?:Dr|Prof|Mrs?|Ms)\\.\\s)?\\p{Lu}\\p{Ll}+(?:\\s\\p{Lu}\\p{Ll}+)?(?=\\s(?:is(?=\\s(?:now\\s)?(?:the|our|my|a|responsible)\\b)|will|has|\\p{Ll}{2,}[^s\\P{Ll}]s)\\s(?!(?:is|are|was|were|will|should|must|have|get|got|need)\\b))`,
  'gu',
);

/** Characters of private use stand for the values in the rest of a statement, each for its own. */
export const FIRST_HOLE = 0xe000;
export const LAST_HOLE = 0xe0ff;
export const HOLE = '[\ue000-\ue0ff]';
/** When something begins is no value of it. */
const BEGINNING = new RegExp(
  `\\b(?:as of|since|from|starting)\\s+(?:next\\s+|this\\s+)?(?:today|tonight|tomorrow|${MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|year|quarter)\\b(?:\\s+on(?:wards)?)?`,
  'giu',
);

/** Takes the values out of a statement, names among them only when it has no other. Pure. */
export function takeValues(text: string, kinds: 'all' | 'typed' = 'all'): TakenValues {
  const values: Value[] = [];
  let rest = text.replace(BEGINNING, ' ');
  const take = (kind: string, pattern: RegExp): void => {
    rest = rest.replace(pattern, (value) => {
      values.push({
        kind: kind === 'number' ? `number ${unitOf(value)}` : kind,
        text: value.toLowerCase().replace(/[.,]+$/u, ''),
      });
      return ` ${String.fromCharCode(FIRST_HOLE + values.length - 1)} `;
    });
  };
  for (const [kind, pattern] of KINDS) take(kind, pattern);
  if (values.length === 0 && kinds === 'all') take('name', NAME);
  return { values, rest, valueAt: (hole) => values[hole.charCodeAt(0) - FIRST_HOLE] };
}

/** Spans of time are of one kind, and so are sizes; other units each of their own; none goes with all. */
function unitOf(number: string): string {
  const unit = number
    .toLowerCase()
    .replace(/^(?:[€$£]|eur |usd |gbp |chf |百分之)?(?:[\d.,]+|[一二三四五六七八九十百千万亿两半]+)\s?/u, '');
  if (
    /^(?:ms|µs|s$|sec|sek|min|h$|hr|hour|heure|day|week|month|year|tag|woche|monat|jahr|stunde|jour|semaine|[天秒年周]|分钟|小时)/u.test(
      unit,
    )
  )
    return 'span';
  if (/^(?:€|eur)/u.test(unit)) return 'eur';
  if (/^(?:个?月)/u.test(unit)) return 'span';
  return /^[kmgt]i?b/u.test(unit) ? 'size' : unit.replace(/s$/u, '');
}

/** A number without a unit goes with all. */
const BARE = 'number ';

/** Whether one value can take the place of another. Pure. */
export function isOfKind(a: string, b: string): boolean {
  const isBare = [a, b].includes(BARE);
  return a === b || (isBare && [a, b].every((kind) => kind === 'count' || kind.startsWith(BARE)));
}
