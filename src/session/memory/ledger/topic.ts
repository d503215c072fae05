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
}

interface Value {
  readonly kind: string;
  readonly text: string;
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const UNIT =
  '(?:%|(?:[kmgt]i?)?b(?:it|yte)?s?(?:\\/s)?|ms|µs|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|times|req(?:uests)?\\/s|rps|qps|px|k|m|eur|usd|€|\\$|people|users|chars|characters|points|cores|[个元块万亿天秒次人楼层台条页名位岁倍年周]|分钟|小时|个?线程|个人|次每秒)';
/** The kinds of values, each looked for in what the ones before it have left. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['address', /\b[a-z][a-z0-9+]*:\/\/[^\s，。；]+/giu],
  ['mail', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu],
  ['channel', /(?<![\p{L}\p{N}])#[\w-]+/giu],
  [
    'date',
    new RegExp(
      `\\d{4}-\\d\\d-\\d\\d|\\b\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+${MONTH}\\b|\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|(?:周|星期|礼拜)[一二三四五六日天末]|\\d{1,2}月(?:\\d{1,2}[日号])?`,
      'giu',
    ),
  ],
  ['time', /\b\d{1,2}:\d\d(?::\d\d)?\b|\d{1,2}点(?:半|\d{1,2}分?)?/giu],
  ['number', new RegExp(`(?<![${LETTER}./-])[€$]?\\d+(?:[.,]\\d+)*\\s?${UNIT}(?![${LETTER}/-])`, 'giu')],
  [
    'code',
    /(?=[\w.:/@-]*\d)(?=[\w.:/@-]*[a-z])[a-z\d][\w.:/@-]*[\w]|\bv?\d+(?:\.\d+)+\b|\b[a-z]\w*(?:[./@][a-z]\w*)+/giu,
  ],
  ['number', new RegExp(`(?<![${LETTER}])\\d+(?:[.,]\\d+)*(?![${LETTER}])`, 'gu')],
];
const NAME = new RegExp(
  `(?<=[${COMMON_HAN}]\\s?|[\\p{Ll}\\p{N},]\\s)\\p{Lu}[\\p{L}\\p{N}.+#-]*\\p{Ll}[\\p{L}\\p{N}.+#-]*|(?<=\\b(?:is|be|to|with|use|on)\\s)\\p{Lu}[\\p{Lu}\\p{N}-]+|(?<=[${COMMON_HAN}])[A-Za-z][\\w.+#-]+|^\\p{Lu}\\p{Ll}+(?=\\s(?:is|owns|takes|runs|leads|will|handles)\\s)`,
  'gu',
);
const WORD = new RegExp(`(?<![${LETTER}'’])[${LETTER}-]+`, 'gu');
const SIGN = new RegExp(`[${COMMON_HAN}]`, 'gu');

/** Characters of private use stand for the values in the rest of a statement, each for its own. */
const FIRST_HOLE = 0xe000;
const HOLE = '[\ue000-\ue0ff]';
/** What says that something is, or has become, or is kept at, what stands behind it. */
const IS = new RegExp(
  `(?:\\b(?:is|are|be|was|were|becomes?|remains?|stays?|called|named|equals|at least|at most|(?:go|goes|run|live|sit|listen|store|deploy|host|send|ship)(?:s|d|ed)?)|[=:→：＝]|[是为成到至用在])\\s*(?:(?:on|at|in|to|from|by|port|node|version|room|now|set|due|called|named|owned by|the|a|了|端口)\\s+)*${HOLE}`,
  'iu',
);
/** What says that a value holds no more. */
const ENDED = new RegExp(
  `(?:\\b(?:not|instead of|rather than|no longer|replac(?:e[sd]?|ing)|scrap|drop|retire|over\\b[^,;.]{1,60}\\bfrom)\\s+(?:the\\s+|port\\s+)?|而不是|不是|不用|不再用)\\s*(${HOLE})|(?:\\bfrom\\s+|从)\\s*(${HOLE})\\s*(?:to|改|换|搬|迁|升|降|调)`,
  'giu',
);
const CHANGE =
  /\b(?:now|instead|new|from now on|as of|starting|any ?more|no longer|not|again|switch|chang|mov|migrat|renam|bump|upgrad|downgrad|postpon|resched|push|slip|cut|rais|lower|increas|reduc|extend|shorten|updat|replac|scrap|swap|takes? over|set|make|use|pick|choose|chose|go(?:ing|es)? with|correction|actually|sorry)\p{Ll}*|现在|以后|改|换|搬|迁|移|调|推迟|提前|延|升|降|涨|提高|增加|减少|缩短|砍|挪|回退|更新|变更|不再|不用|而不是|更正/iu;
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
  legal finance marketing asked every each time times length long size ip number value values threshold take takes too very`.split(
    /\s+/u,
  ),
);
const CHINESE_SAID =
  /[^，,\s]{1,4}说|我们|咱们|现在|目前|已经|以后|今后|这次|最后|最新|时间|决定|记住|更正|应该|必须|需要|统一|改[成为到用在]?|换[成为到用]?|搬到?|迁移?到?|调[整到]*|推迟|提前|延[长期]|升级?|提[升高]|降低?|涨|增加|减少|缩短|砍|挪|回退|更[新名改]|变更|设[置成为]*|定[在为]|不用|不是|而是|负责|地址|采用|开|运行|放|由|到|要|用|地点/gu;

/** Reads what a statement is about. Pure. */
export function readTopic(text: string): Topic {
  const found: Value[] = [];
  let rest = text.slice(0, LOOKED_AT);
  const take = (kind: string, pattern: RegExp): void => {
    rest = rest.replace(pattern, (value) => {
      found.push({ kind: kind === 'number' ? `number ${unitOf(value)}` : kind, text: value.toLowerCase() });
      return ` ${String.fromCharCode(FIRST_HOLE + found.length - 1)} `;
    });
  };
  for (const [kind, pattern] of KINDS) take(kind, pattern);
  if (found.length === 0) take('name', NAME);
  const gone = new Set(
    [...rest.matchAll(ENDED)].map(([, one, other = '']) => found[(one ?? other).charCodeAt(0) - FIRST_HOLE]),
  );
  const words = rest.toLowerCase().match(WORD) ?? [];
  const signs = rest.replace(CHINESE_SAID, ' ').match(SIGN) ?? [];
  const about = new Set([
    ...words.filter((word) => !SAID.has(word)).map((word) => stemOf(word)),
    ...signs.filter((sign) => !CHINESE_STOP_CHARACTERS.includes(sign)),
  ]);
  return {
    about,
    values: found.filter((value) => !gone.has(value)),
    ended: found.filter((value) => gone.has(value)),
    isRule: RULE.test(text),
    isPlain: IS.test(rest) || CHANGE.test(text),
  };
}

const LOOKED_AT = 240;

/** Spans of time are of one kind, and so are sizes; other units each of their own; none goes with all. */
function unitOf(number: string): string {
  const unit = number.toLowerCase().replace(/^[€$]?[\d.,]+\s?/u, '');
  if (/^(?:ms|µs|s|sec|min|h$|hr|hour|day|week|month|year|[天秒年周]|分钟|小时)/u.test(unit)) return 'span';
  return /^[kmgt]i?b/u.test(unit) ? 'size' : unit.replace(/s$/u, '');
}

/**
 * How an earlier statement stands to a later one that has another value: about the `same`, about one of which the other
 * says more (`near`), or about something else. What both name besides is no value of either. Pure.
 */
export function otherValue(earlier: Topic, later: Topic): 'same' | 'near' | 'none' {
  if (earlier.about.size === 0 || later.about.size === 0) return 'none';
  if (earlier.isRule || later.isRule) return 'none';
  const [is, ...others] = without(later.values, earlier.values);
  const [was, ...more] = without(earlier.values, later.values);
  if (is === undefined || others.length > 0 || more.length > 0) return 'none';
  const ended = earlier.values.find((value) => later.ended.some(({ text }) => text === value.text));
  // Without a word of its end, the earlier value may still be named: "it is B, A was too slow".
  const old = was ?? ended ?? (earlier.values.length === 1 ? earlier.values[0] : undefined);
  if (old === undefined || !isOfKind(old.kind, is.kind)) return 'none';
  const [few, many] = [earlier.about, later.about].toSorted((a, b) => a.size - b.size);
  if (![...(few ?? [])].every((word) => many?.has(word) === true)) return 'none';
  const isSame = few?.size === many?.size;
  if (later.isPlain || was === undefined || (isSame && MEASURED.test(is.kind))) return isSame ? 'same' : 'near';
  return 'none';
}

/** Amounts with a unit, and times of the day: the same words with another one say another value. */
const MEASURED = /^(?:number .+|time)$/;

function without(some: readonly Value[], others: readonly Value[]): readonly Value[] {
  const known = new Set(others.map(({ text }) => text));
  return some.filter(({ text }) => !known.has(text));
}

/** A number without a unit goes with all. */
const BARE = 'number ';

function isOfKind(a: string, b: string): boolean {
  return a === b || (a === BARE && b.startsWith(BARE)) || (b === BARE && a.startsWith(BARE));
}
