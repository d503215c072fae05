import { COMMON_HAN, LETTER } from '../../../language/scripts.js';
import { stemOf } from '../../../language/words/forms.js';
import { CHINESE_STOP_CHARACTERS } from '../../../language/words/stop.js';
import { HOLE, isOfKind, takeValues, type Value } from './values.js';

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

const WORD = new RegExp(`(?<![${LETTER}'’])[${LETTER}-]+`, 'gu');
const SIGN = new RegExp(`[${COMMON_HAN}]`, 'gu');

/** What says that something is, or has become, or is kept at, what stands behind it. */
const IS = new RegExp(
  `(?:\\b(?:is|are|be|was|were|becomes?|remains?|stays?|called|named|equals|at least|at most|(?:go|goes|run|live|sit|listen|store|deploy|host|send|ship|belong|land|answer)(?:s|d|ed)?)|[=:→：＝]|[是为成到至用在])\\s*(?:(?:up|off|out|down|back|on|at|in|to|from|by|with|under|via|through|port|node|version|room|now|set|due|called|named|owned by|the|a|了|端口)\\s+)*${HOLE}`,
  'iu',
);
const GERMAN_IS = new RegExp(
  `\\b(?:ist|sind|heißt|lautet|liegt|liegen|läuft|laufen|hat|haben|steht|stehen|bleibt|macht|übernimmt|betreut|nehmen|nutzen|verwenden|geht|gehen)\\s+(?:[${LETTER}]+\\s+){0,3}?${HOLE}`,
  'iu',
);
/** What a statement is about, and no value in it: "ABC-12 is decided". */
const SUBJECT = new RegExp(
  `${HOLE}(?=\\s+(?:(?:is|are|was|were)\\s+\\p{Ll}+(?:ed|en)\\b|(?:must|should|needs?|has)\\b))`,
  'gu',
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
  /\b(?:now|nowadays|these days|instead|new|from (?:now|here) on|as of|since|starting|after all|any ?more|no longer|not|again|went|slid|left|relocat|leav|dropp?(?:ed|ing)|switch|chang|mov|migrat|renam|bump|upgrad|downgrad|postpon|delay|swapp|resched|push|slip|cut|rais|lower|increas|reduc|extend|shorten|updat|replac|scrap|swap|tak(?:es?|en|ing) over|took over|set|make|use|pick|choose|chose|go(?:ing|es)? with|correction|actually|sorry)\p{Ll}*|现在|以后|改|换|切|[交转][给由]|搬|迁|移|调|推[迟到]|调到|提前|延|升|降|涨|提高|增加|减少|缩短|砍|挪|回退|更新|变更|要求|不再|不用|而不是|更正/iu;
/** What was done to a thing, towards its new value. */
const MOVED = /\b(?:was|were|(?:has|have) been|got)\s+(?:\p{Ll}+\s+){1,2}(?:to|into|onto|under)\b/iu;
/** What says in German that something is no longer as it was. */
const GERMAN_CHANGE =
  /(?<![\p{L}])(?:jetzt|nun|inzwischen|mittlerweile|künftig|nur noch|statt(?:dessen)?|seit|doch|nicht mehr|sondern|erst|ab (?:sofort|heute|jetzt|morgen|nächste\p{L}*)|neue[rsn]?|umstieg|wechsel\p{L}*|\p{L}*(?:verschob|verschieb|verleg|umgezogen|umgestellt|gewechselt|gewandert|gestiegen|gesunken|erhöh|gesenkt|geändert|korrigiert|angehoben|hochgesetzt|hochsetzen|herabgesetzt|verschoben)\p{L}*|entschieden|beschlossen|vereinbart|festgelegt|geeinigt|steigt|sinkt|steigen|sinken|übernimmt|geworden)(?![\p{L}])/iu;
const MORE = /(?<![\w-])(?:access|support|includ|invite|also|too|another|add|likes?|loves?)/iu;

/** Whether a statement adds something to what there is. Pure. */
export function tellsOfMore(text: string): boolean {
  return MORE.test(text);
}

/** A passive of something that happens. */
const IS_DONE =
  /\b(?:decided|agreed|settled) on\b|\b(?:gets?|getting|got|has been|have been)\s+\p{Ll}+(?:ed|en|wn|pt|lt)\b|\bwurden?\b.*\bge?\p{Ll}+/iu;

/** Whether a statement says that something is, or has become, other than it was. Pure. */
export function tellsOfChange(text: string): boolean {
  return CHANGE.test(text) || MOVED.test(text) || IS_DONE.test(text) || GERMAN_CHANGE.test(text);
}

const RULE =
  /\b(?:never|always|whenever|every time|don.?t|do not|must ?n.?t|must not|may not|avoid|forbidden|jamais|toujours|nunca|siempre|nie|immer)\b|不要|不能|不得|不许|禁止|总是|永远|每次|从不|别再/iu;
/** Words that tell how something is said or changed, or that it is somewhere: not what it is about. */
export const SAID: ReadonlySet<string> = new Set(
  `a an the this that these those our my your its his her their we i you it he she they there here of for to in on at by
  from with as and or but is are was were be been being will shall should must may can could would have has had having do
  does did done not no now new old so just also please then than only currently actually correction update fyi btw note
  remember heads up sorry ok okay yes well let lets us make sure which what one again still instead rather again
  always ever decided decide decision agreed agree go goes going went gone come came get got set put take took over keep
  use uses using used need needs want run runs running live lives sit sits listen stay send store stored log kept call
  called name named change changed changes move moved moves migrate migrated switch switched switching rename renamed bump
  bumped upgrade upgraded downgrade postpone postponed reschedule rescheduled push pushed slip slipped cut raise raised
  lower lowered increase increased reduce reduced extend extended shorten shortened update updated replace replaced scrap
  swap swapped retire today tomorrow starting start least most value said says because due own owns owned owner down
  up off out all after back next previous other since nowadays everything anything nobody everyone plan place belong
  belongs happen happens land lands answer answers reachable relocated require requires cost costs give given gave
  hosts hosted host putting treat week weekend month year morning evening afternoon night day days current currently
  kept keeps meanwhile under through via into onto within inside want wants wanted like likes ask asks sent built gets per
  ought took reached reach getting gone leads lead led
  legal finance marketing asked every each time times length long size ip number value values threshold take takes too very`.split(
    /\s+/u,
  ),
);
export const CHINESE_SAID =
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
  const { values: found, rest, valueAt } = takeValues(text);
  const subjects = new Set([...rest.matchAll(SUBJECT)].map(([hole]) => valueAt(hole)));
  const gone = new Set([...rest.matchAll(ENDED)].map(([, one, other = '']) => valueAt(one ?? other)));
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
  const isChange = tellsOfChange(text);
  const isEnd = ENDS_IN_VALUE.test(rest) && !ADDS.test(rest) && asked === undefined;
  const isSaid = IS.test(rest) || GERMAN_IS.test(rest) || WE_DO.test(rest) || done.length > 0 || isEnd;
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
