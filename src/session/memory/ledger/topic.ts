import { COMMON_HAN, LETTER } from '../../../language/scripts.js';
import { CHINESE_STOP_CHARACTERS } from '../../../language/words/chinese-stop.js';
import { stemOf } from '../../../language/words/stem.js';

/** What a statement is about, and the values in it: how two of them tell that the later one says another value. */
export interface Topic {
  /** Stems of its words, and Chinese characters, without values and without words that say how it is said. */
  readonly about: ReadonlySet<string>;
  readonly values: readonly Value[];
  /** Values of which it says that they hold no more. */
  readonly ended: readonly Value[];
  /** It says what is always or never to be done: each such rule stands for itself. */
  readonly isRule: boolean;
  /** It says plainly that something is a value, or has become one. */
  readonly isPlain: boolean;
  /** It says that something has changed. */
  readonly isChange: boolean;
  /** It says it with a verb in its place before the value. */
  readonly isSaid: boolean;
  /** Those of `about` that say what is done with a thing, and not which thing it is: posted, answers. */
  readonly predicates: ReadonlySet<string>;
  /** Parts of it that have a value; empty when it has one part. */
  readonly clauses: readonly Topic[];
}

interface Value {
  readonly kind: string;
  readonly text: string;
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const UNIT =
  '(?:%|(?:[kmgt]i?)?b(?:it|yte)?s?(?:\\/s)?|ms|µs|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|times|req(?:uests)?\\/s|rps|qps|px|k|m|eur|usd|€|\\$|people|users|chars|characters|points|cores|°C|°F|[个元块万亿天秒次人楼层台条页名位岁倍年周度]|分钟|小时|个?线程|个人|次每秒)';
/** The number behind it tells which one is meant: "step 2". */
const LABELLED =
  '(?:step|ticket|invoice|issue|line|page|chapter|room|request|commit|number|item|task|phase|part|section|door|floor|code)';
/** The kinds of values, each looked for in what the ones before it have left. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['address', /\b[a-z][a-z0-9+]*:\/\/[^\s，。；]+/giu],
  ['mail', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu],
  ['channel', /(?<![\p{L}\p{N}])#[\w-]+/giu],
  [
    'date',
    new RegExp(
      `\\d{4}-\\d\\d-\\d\\d|\\b\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+${MONTH}\\b|\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|(?:周|星期|礼拜)[一二三四五六日天末]|\\d{1,2}月(?:\\d{1,2}[日号])?|[月年][底初]|月中|[一二三四五六七八九十]{1,3}[号日]|(?<![\\d.])\\d{1,2}号(?!楼|线|机|门)`,
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
    /[~.]*\/?(?=[\w.:/@-]*\d)(?=[\w.:/@-]*[a-z])[a-z\d][\w.:/@-]*[\w]|\b[a-z]\w*(?:[./@][a-z]\w*)+|(?<=(?:\b(?:is|as|on|at|in|to|use|uses|called|named)|[:=])\s)[a-z]+(?:[-_][a-z]+)+\b/giu,
  ],
  [
    'count',
    new RegExp(
      `(?<!\\b(?:${LABELLED}|port|code|[A-Z]\\w*)\\s|\\d|[./-])\\d{1,4}(?=\\s(?:[a-z]+\\s)?[a-z]{3,}s\\b)|(?<=\\b(?:needs?|requires?|just|only|least|most)\\s)\\d{1,4}(?=\\s[a-z]{3})`,
      'gu',
    ),
  ],
  ['number', new RegExp(`(?<![${LETTER}]|\\b${LABELLED}\\s)\\d+(?:[.,]\\d+)*(?![${LETTER}])`, 'giu')],
  [
    'number',
    /[二三四五六七八九十两百千万亿][一二三四五六七八九十百千万亿]+[元块]?|[二三四五六七八九十两百]+(?:个人|[个人天年元块次台层度])/gu,
  ],
];
const NAME = new RegExp(
  `(?<=[${COMMON_HAN}]\\s?|[\\p{Ll}\\p{N},]\\s)\\p{Lu}[\\p{L}\\p{N}.+#-]*\\p{Ll}[\\p{L}\\p{N}.+#-]*(?:\\s\\p{Lu}[\\p{L}\\p{N}-]+){0,2}|(?<=\\b(?:is|be|to|with|use|on|in|at|over|via|under|by|from|as|through|of)\\s)\\p{Lu}[\\p{Lu}\\p{N}-]+|(?<=[${COMMON_HAN}]\\s?)[A-Za-z][\\w.+#-]+|^(?:(?:Dr|Prof|Mrs?|Ms)\\.\\s)?\\p{Lu}\\p{Ll}+(?:\\s\\p{Lu}\\p{Ll}+)?(?=\\s(?:is(?=\\s(?:now\\s)?(?:the|our|my|a|responsible)\\b)|will|has|\\p{Ll}{2,}[^s\\P{Ll}]s)\\s(?!(?:is|are|was|were|will|should|must|have|get|got|need)\\b))`,
  'gu',
);
const WORD = new RegExp(`(?<![${LETTER}'’])[${LETTER}-]+`, 'gu');
const SIGN = new RegExp(`[${COMMON_HAN}]`, 'gu');

/** Characters of private use stand for the values in the rest of a statement, each for its own. */
const FIRST_HOLE = 0xe000;
const HOLE = '[\ue000-\ue0ff]';
/** What says that something is, or has become, or is kept at, what stands behind it. */
const IS = new RegExp(
  `(?:\\b(?:is|are|be|was|were|becomes?|remains?|stays?|called|named|equals|at least|at most|(?:go|goes|run|live|sit|listen|store|deploy|host|send|ship|belong|land|answer)(?:s|d|ed)?)|[=:→：＝]|[是为成到至用在])\\s*(?:(?:up|off|out|down|back|on|at|in|to|from|by|with|under|via|through|port|node|version|room|now|set|due|called|named|owned by|the|a|了|端口)\\s+)*${HOLE}`,
  'iu',
);
/** What a statement is about, and no value in it: "ABC-12 is decided". */
const SUBJECT = new RegExp(
  `${HOLE}(?=\\s+(?:(?:is|are|was|were)\\s+\\p{Ll}+(?:ed|en)\\b|(?:must|should|needs?|has)\\b))`,
  'gu',
);
/** When something begins is no value of it. */
const BEGINNING = new RegExp(
  `\\b(?:as of|since|from|starting)\\s+(?:next\\s+|this\\s+)?(?:today|tonight|tomorrow|${MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|month|year|quarter)\\b(?:\\s+on(?:wards)?)?`,
  'giu',
);
/** Of what these say there may be several: what is supported, who has access. */
const ADDS = /\b(?:access|support|includ|invite|also|too|another|add|upload|fix|likes?|loves?|buy|pay)/iu;
const ENDS_IN_VALUE = new RegExp(
  `\\s(?:on|at|in|to|from|with|under|by|as|over|of|through|via|after|around)\\s+(?:the\\s+)?${HOLE}\\W*$`,
  'iu',
);
/** What somebody does as a rule, and where or with what: "we keep the media under …". */
const WE_DO = new RegExp(
  `\\bwe\\s+(?:now\\s+|always\\s+)?\\p{Ll}+\\s+(?:[^,;]{2,60}?\\s(?:on|at|in|under|with|via|through|by|to)\\s+)?(?:the\\s+)?${HOLE}|\\b(?:may|should|must|can|will)\\s+(?!have|support|include|accept|allow)\\p{Ll}+\\s+(?:(?:on|at|in|to|up|with|by|from)\\s+)*${HOLE}|^\\W*${HOLE}\\s+(?:is|has|will|\\p{Ll}{2,}s)\\s`,
  'iu',
);
const BEFORE_VALUE = `(?:(?:up|off|down|out|now|back|just|only|on|at|in|into|to|under|through|via|with|from|as|by|every|the|a|port)\\s+)*${HOLE}`;
/** What is done with a thing, by its place: "is posted to …", "answers on …". */
const PREDICATE = new RegExp(
  `\\b(?:is|are|was|were|be|been|gets?|got|(?:has|have)(?=\\s+(?:\\p{Ll}+ly\\s+)?\\p{Ll}+(?:ed|en|wn|ne|pt|lt)\\b))\\s+(?:(?:now|also|still|just|only|\\p{Ll}+ly)\\s+)*(?<done>\\p{Ll}{3,})|(?<=^\\W*${HOLE}\\s+)(?<rules>\\p{Ll}{3,}s)(?=\\s)|(?<=\\p{L}\\s+)(?<does>\\p{Ll}{2,}(?:[^s\\P{L}]s|ed))\\s+${BEFORE_VALUE}`,
  'gu',
);
/** A request begins with what is to be done. */
const REQUEST =
  /^\W*(?:(?:please|ok(?:ay)?|so|now|then|and|also|just|let['’]s)[\s,]+)*(?<done>\p{L}*[^s\P{L}])(?=\s)/iu;
const FINITE = /\b(?:is|are|was|were|be|will|should|must|may|can|has|have|had|gets?|needs?|goes|went|we|they|it)\b/iu;
/** What says that a value holds no more. */
const ENDED = new RegExp(
  `(?:\\b(?:not|instead of|rather than|no longer|replac(?:e[sd]?|ing)|scrap|drop(?:s|ped|ping)?|leav(?:e|es|ing)|left|retire|over\\b[^,;.]{1,60}\\bfrom)\\s+(?:the\\s+|port\\s+)?|而不是|不是|不用|不再用)\\s*(${HOLE})|(?:\\bfrom\\s+|从)\\s*(${HOLE})\\s*(?:to|改|换|搬|迁|升|降|调)`,
  'giu',
);
const CHANGE =
  /\b(?:now|nowadays|these days|instead|new|from (?:now|here) on|as of|since|starting|after all|any ?more|no longer|not|again|went|slid|left|relocat|leav|dropp?(?:ed|ing)|switch|chang|mov|migrat|renam|bump|upgrad|downgrad|postpon|delay|swapp|resched|push|slip|cut|rais|lower|increas|reduc|extend|shorten|updat|replac|scrap|swap|tak(?:es?|en|ing) over|took over|set|make|use|pick|choose|chose|go(?:ing|es)? with|correction|actually|sorry)\p{Ll}*|现在|以后|改|换|搬|迁|移|调|推[迟到]|调到|提前|延|升|降|涨|提高|增加|减少|缩短|砍|挪|回退|更新|变更|要求|不再|不用|而不是|更正/iu;
/** What was done to a thing, towards its new value. */
const MOVED = /\b(?:was|were|(?:has|have) been|got)\s+(?:\p{Ll}+\s+){1,2}(?:to|into|onto|under)\b/iu;
const RULE =
  /\b(?:never|always|whenever|every time|don.?t|do not|must ?n.?t|must not|may not|avoid|forbidden|jamais|toujours|nunca|siempre|nie|immer)\b|不要|不能|不得|不许|禁止|总是|永远|每次|从不|别再/iu;
/** Words that tell how something is said or changed, or that it is somewhere: not what it is about. */
const SAID = new Set(
  `a an the this that these those our my your its his her their we i you it he she they there here of for to in on at by
  from with as and or but is are was were be been being will shall should must may can could would have has had having do
  does did done not no now new old so just also please then than only currently actually correction update fyi btw note
  remember reminder heads up sorry ok okay yes well let lets us make sure which what one again still instead rather again
  always ever decided decide decision agreed agree go goes going went gone come came get got set put take took over keep
  use uses using used need needs want run runs running live lives sit sits listen stay send store stored log kept call
  called name named change changed changes move moved moves migrate migrated switch switched switching rename renamed bump
  bumped upgrade upgraded downgrade postpone postponed reschedule rescheduled push pushed slip slipped cut raise raised
  lower lowered increase increased reduce reduced extend extended shorten shortened update updated replace replaced scrap
  swap swapped retire today tomorrow starting start least most value said says because due own owns owned owner down
  up off out all after back next previous other since nowadays everything anything nobody everyone plan place belong
  belongs happen happens land lands answer answers reachable relocated require requires cost costs give given gave
  hosts hosted host putting treat week weekend month year morning evening afternoon night days current currently
  kept keeps meanwhile under through via into onto within inside want wants wanted like likes ask asks sent built gets per
  ought took reached reach getting gone leads lead led
  legal finance marketing asked every each time times length long size ip number value values threshold take takes too very`.split(
    /\s+/u,
  ),
);
const CHINESE_SAID =
  /开始|上午|下午|早上|晚上|搬去|转给|归|次数|[减加]到|[^，,\s]{1,4}说|我们|咱们|现在|目前|已经|以后|今后|这次|最后|最新|时间|决定|记住|更正|应该|必须|需要|统一|改[成为到用在]?|换[成为到用]?|搬到?|迁移?到?|调[整到]*|推迟|提前|延[长期]|升级?|提[升高]|降低?|涨|增加|减少|缩短|砍|挪|回退|更[新名改]|变更|设[置成为]*|定[在为]|不用|不是|而是|负责|地址|采用|开|运行|放|由|到|要|用|地点/gu;

/** Reads what a statement is about. Pure. */
export function readTopic(text: string): Topic {
  const whole = text.slice(0, LOOKED_AT);
  const parts = whole.split(PARTS).filter((part) => /\p{L}{2}/u.test(part));
  const clauses = parts.length < 2 ? [] : parts.map(readClause).filter(({ values }) => values.length > 0);
  return { ...readClause(whole), isRule: RULE.test(text), clauses };
}

const PARTS = /[,;，；。]\s*|\s(?:because|since|but|while|so that)\s/u;

function readClause(text: string): Topic {
  const found: Value[] = [];
  let rest = text.replace(BEGINNING, ' ');
  const take = (kind: string, pattern: RegExp): void => {
    rest = rest.replace(pattern, (value) => {
      found.push({
        kind: kind === 'number' ? `number ${unitOf(value)}` : kind,
        text: value.toLowerCase().replace(/[.,]+$/u, ''),
      });
      return ` ${String.fromCharCode(FIRST_HOLE + found.length - 1)} `;
    });
  };
  for (const [kind, pattern] of KINDS) take(kind, pattern);
  if (found.length === 0) take('name', NAME);
  const subjects = new Set([...rest.matchAll(SUBJECT)].map(([hole]) => found[hole.charCodeAt(0) - FIRST_HOLE]));
  const gone = new Set(
    [...rest.matchAll(ENDED)].map(([, one, other = '']) => found[(one ?? other).charCodeAt(0) - FIRST_HOLE]),
  );
  const words = rest.toLowerCase().match(WORD) ?? [];
  const signs = rest.replace(CHINESE_SAID, ' ').match(SIGN) ?? [];
  const about = new Set([
    ...words.filter((word) => !SAID.has(word)).map((word) => stemOf(word)),
    ...signs.filter((sign) => !CHINESE_STOP_CHARACTERS.includes(sign)),
    ...[...subjects].flatMap((value) => (value?.kind === 'code' ? [value.text] : [])),
  ]);
  const done = [...rest.matchAll(PREDICATE)].flatMap(
    ({ groups }) => groups?.done ?? groups?.rules ?? groups?.does ?? [],
  );
  const asked = FINITE.test(rest) ? undefined : REQUEST.exec(rest)?.groups?.done;
  const predicates = [...done, ...(asked === undefined ? [] : [asked.toLowerCase()])].map((word) => stemOf(word));
  const isChange = CHANGE.test(text) || MOVED.test(text);
  const isEnd = ENDS_IN_VALUE.test(rest) && !ADDS.test(rest) && asked === undefined;
  const isSaid = IS.test(rest) || WE_DO.test(rest) || done.length > 0 || isEnd;
  return {
    about,
    predicates: new Set(predicates.filter((word) => about.has(word))),
    values: found.filter((value) => !gone.has(value) && !(value.kind === 'code' && subjects.has(value))),
    ended: found.filter((value) => gone.has(value)),
    isRule: RULE.test(text),
    isPlain: isSaid || isChange,
    isChange,
    isSaid,
    clauses: [],
  };
}

const LOOKED_AT = 240;

/** Spans of time are of one kind, and so are sizes; other units each of their own; none goes with all. */
function unitOf(number: string): string {
  const unit = number
    .toLowerCase()
    .replace(/^(?:[€$£]|eur |usd |gbp |chf |百分之)?(?:[\d.,]+|[一二三四五六七八九十百千万亿两半]+)\s?/u, '');
  if (/^(?:ms|µs|s|sec|min|h$|hr|hour|day|week|month|year|[天秒年周]|分钟|小时)/u.test(unit)) return 'span';
  return /^[kmgt]i?b/u.test(unit) ? 'size' : unit.replace(/s$/u, '');
}

/**
 * How an earlier statement stands to a later one that has another value: about the `same`, about one of which the other
 * says more (`near`), or about something else. What both name besides is no value of either. Pure.
 */
export function otherValue(earlier: Topic, later: Topic): Effect {
  if (earlier.isRule || later.isRule) return 'none';
  const whole = compare(earlier, later);
  if (whole !== 'none' || earlier.clauses.length + later.clauses.length === 0) return whole;
  const pairs = [earlier, ...earlier.clauses].flatMap((one) =>
    [later, ...later.clauses].map((other) => compare(one, other)),
  );
  return pairs.find((effect) => effect === 'same') ?? pairs.find((effect) => effect === 'near') ?? 'none';
}

type Effect = 'same' | 'near' | 'none';

function compare(earlier: Topic, later: Topic): Effect {
  const [is, ...others] = without(later.values, earlier.values);
  const [was, ...more] = without(earlier.values, later.values);
  if (is === undefined || others.length > 0 || more.length > 0) return 'none';
  const ended = earlier.values.find((value) => later.ended.some(({ text }) => text === value.text));
  // Without a word of its end, the earlier value may still be named: "it is B, A was too slow".
  const old = was ?? ended ?? (earlier.values.length === 1 ? earlier.values[0] : undefined);
  if (old === undefined || !isOfKind(old.kind, is.kind)) return 'none';
  const [few, many] = thingsOf(earlier, later).toSorted((a, b) => a.length - b.length);
  if (few === undefined || few.length === 0 || !few.every((word) => many?.includes(word) === true)) return 'none';
  const isSame = few.length === many?.length;
  if (later.isPlain || isRepeated(earlier, later) || was === undefined || (isSame && MEASURED.test(is.kind)))
    return isSame ? 'same' : 'near';
  return 'none';
}

/** Whether the same is done as was said before: "is replicated to A", "replicate it to B". */
function isRepeated(earlier: Topic, later: Topic): boolean {
  return earlier.isSaid && [...later.predicates].some((word) => earlier.predicates.has(word));
}

/** Which things two statements are about: without what is done with them, unless that is all that tells them apart. */
function thingsOf(earlier: Topic, later: Topic): readonly (readonly string[])[] {
  const isOther = later.predicates.size > 0 && ![...later.predicates].some((word) => earlier.about.has(word));
  if (isOther && !later.isChange) return [];
  const things = [earlier, later].map(({ about }) =>
    [...about].filter((word) => !earlier.predicates.has(word) && !later.predicates.has(word)),
  );
  return things.some(({ length }) => length === 0) ? [[...earlier.about], [...later.about]] : things;
}

/** Amounts with a unit, and times of the day: the same words with another one say another value. */
const MEASURED = /^(?:number .+|count|frequency|version|time)$/;

function without(some: readonly Value[], others: readonly Value[]): readonly Value[] {
  const known = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !known.has(text));
}

/** A number without a unit goes with all. */
const BARE = 'number ';

function isOfKind(a: string, b: string): boolean {
  return a === b || (a === BARE && b.startsWith(BARE)) || (b === BARE && a.startsWith(BARE));
}
