import { COMMON_HAN } from '../../../language/scripts.js';
import { stemOf } from '../../../language/words/forms.js';
import { CHINESE_STOP_CHARACTERS } from '../../../language/words/stop.js';

/** What a sentence says of one attribute: the staging port is 7001. */
export interface Attribute {
  /** What it is about, as stems or characters, sorted; empty where it points back: "it is 7001 now". */
  readonly subject: readonly string[];
  /** What it is about, as it was said. */
  readonly name: string;
  readonly kind: 'is' | 'place' | 'use' | 'any';
  readonly value: string;
  /** The value that is said to end. */
  readonly old?: string;
}

const VALUE =
  '(`[^`]{1,80}`|"[^"]{1,80}"|\\S+(?:\\s+(?!instead\\b|rather\\b|not\\b|because\\b|since\\b|now\\b|from\\b|and\\b|but\\b|so\\b|if\\b|when\\b|for\\b)[^\\s,;]+){0,5}?)';
const END =
  '(?=\\s*(?:[,;!(]|[.!?]+(?:\\s|$)|$|\\s(?:instead|rather|nowadays|these|as|until|till|after|not|because|since|now|from|and|but|so|if|when|for|—|–|-)(?:[\\s.!?,;]|$)))';
const SUBJECT = "((?:[\\p{L}\\p{N}_./@#'’-]+\\s+){0,6}?[\\p{L}\\p{N}_./@#'’-]+)";
const NAME = "\\p{Lu}[\\p{L}'’-]+(?:\\s\\p{Lu}[\\p{L}'’-]+)?";

interface Form {
  readonly kind: Attribute['kind'];
  readonly pattern: RegExp;
}

function form(kind: Attribute['kind'], source: string): Form {
  return { kind, pattern: new RegExp(source, 'iu') };
}

const CHANGED =
  '(?:mov|chang|switch|migrat|renam|bump|upgrad|downgrad|postpon|reschedul|push|rais|lower|increas|reduc|shift|extend|updat)(?:e[ds]?|s|es|ed|ing)|set|go(?:es|ing)?|went';

/** Ways to say what something is; the first that fits counts. Groups: subject, old, value. */
const FORMS: readonly Form[] = [
  form(
    'any',
    `(?<subject>${SUBJECT})\\s+(?:has\\s+|have\\s+|had\\s+|was\\s+|were\\s+|is\\s+|are\\s+|got\\s+|been\\s+|being\\s+|will\\s+be\\s+|now\\s+|just\\s+|to\\s+)*(?:${CHANGED})\\s+(?:back\\s+|over\\s+|out\\s+|up\\s+|down\\s+)?(?:from\\s+(?<old>[^,;]{1,40}?)\\s+)?(?:to|into|onto|until|till)\\s+(?<value>${VALUE})${END}`,
  ),
  form(
    'any',
    `^(?:(?:ok|okay|so|now|then|please|also|and|let.?s|(?:we|i|they|you)(?:.ve|.ll|.d)?|should|will|have|has|just|already|had to|need to|can you|could you)[\\s,]+)*(?:${CHANGED}|change|move|update|rename|bump|migrate|upgrade|reschedule|raise|increase|reduce|postpone)\\s+(?<subject>(?!from\\b)(?:the|our|my|its|your|that|this)?\\s*${SUBJECT})\\s+(?:back\\s+)?(?:from\\s+(?<old>[^,;]{1,40}?)\\s+)?(?:to|into|until|till|as)\\s+(?<value>${VALUE})${END}`,
  ),
  form(
    'use',
    `(?:use|using|go with|going with|pick|picked|chose|choose|adopt|stick with)\\s+(?<value>${VALUE})\\s+(?:for|as)\\s+(?<subject>(?:the|our|my|all)?\\s*${SUBJECT})(?=\\s*(?:[,.;!(]|$|\\sinstead\\b|\\sfrom\\b|\\snow\\b))`,
  ),
  form(
    'place',
    `(?<subject>${SUBJECT})\\s+(?:now\\s+|currently\\s+)?(?:lives?|runs?|sits?|listens?|stays?|resides?|(?:is|are)\\s+(?:now\\s+)?(?:hosted|deployed|running|located|stored|listening|served|kept))\\s+(?:now\\s+)?(?:on|at|in|under|from)\\s+(?<value>${VALUE})${END}`,
  ),
  form(
    'is',
    `(?<subject>${SUBJECT})\\s*(?:\\s(?:is|are|will be|should be|must be|shall be|becomes?|became|stays|remains|equals)(?:\\s+(?:now|currently|actually|at|on|in|by|set to|called|named|due|scheduled for|due on|due by|still))*\\s|\\s?[=:→]\\s?|\\s->\\s)\\s*(?<value>${VALUE})${END}`,
  ),
  form(
    'is',
    `(?<subject>(?:use|using|on|with|to|the|our)?\\s*${SUBJECT}\\s+(?:port|version|host|node|tag|branch|region|release))\\s+(?<value>[\\w.:-]*\\d[\\w.:-]*)(?=[\\s,.;!)]|$)`,
  ),
  form(
    'any',
    `^(?:please\\s+|let.?s\\s+)?(?:make|set|keep)\\s+(?<subject>(?:the|our|my)\\s+${SUBJECT})\\s+(?:at\\s+|=\\s*)?(?<value>[\\w.:-]*\\d\\S*(?:\\s+\\p{Ll}+)?)${END}`,
  ),
  form('is', `^(?<value>${NAME})\\s+is\\s+(?:now\\s+)?(?<subject>(?:the|our|my)\\s+${SUBJECT})${END}`),
  form(
    'use',
    `(?:use|using)\\s+(?<value>${VALUE})\\s+to\\s+\\p{L}+\\s+(?<subject>(?:the|our|my|all)\\s+${SUBJECT})(?=\\s*(?:[,.;!(]|$|\\sinstead\\b|\\snow\\b))`,
  ),
  form(
    'use',
    `(?<subject>${SUBJECT})\\s+(?:is|are|gets?|(?:should|must|will)\\s+be)\\s+(?:now\\s+)?(?:\\p{L}+ed|built|written|made|sent|run|done|kept|led|paid|signed off)\\s+(?:with|through|via|using|by)\\s+(?<value>${VALUE})${END}`,
  ),
  form('use', `(?<subject>${SUBJECT})\\s+(?:now\\s+)?uses\\s+(?:now\\s+)?(?<value>${VALUE})${END}`),
  form(
    'place',
    `(?<subject>we\\s+(?:will\\s+|now\\s+|should\\s+|always\\s+)*(?:deploy|release|ship|meet|sync|merge|publish|host|store|log|back\\s?up)\\w*)\\s+(?:it\\s+|them\\s+|everything\\s+)?(?:on|at|in|to|with|via|every)\\s+(?<value>${VALUE})${END}`,
  ),
];

/** Labels before what is said, and words of an opinion. */
export const LABEL =
  /^(?:(?:correction|update|updated|note|remember(?: that)?|reminder|fyi|btw|heads[- ]up|for the record|important|please note(?: that)?|ok(?:ay)?|yes|no|actually|sorry|wait|i (?:think|believe|guess)(?: that)?|decision|decided)\s*[,:–—-]?\s+)+/iu;
/** What is not, or must not be, is no value. */
const DENIED = /\b(?:never|no|not|don.?t|doesn.?t|isn.?t|mustn.?t|shouldn.?t|cannot|can.?t|avoid|stop)\b(?=[^,;]*$)/iu;
/** A thing that a value may name itself: `on port 6003`. */
const THING = /^(port|host|server|node|version|branch|region)\s+(?=\S*[\d_.-])/iu;

const INSTEAD =
  /(?:instead of|rather than|in place of|no longer|,\s*not|,\s*(?:was|previously|formerly))\s+(?:the\s+|on\s+|port\s+)?([^\s,;!?]+?)[.,;!?]*(?=\s|$)/iu;

/** Words that say nothing of what a sentence is about. */
const EMPTY = new Set(
  `a an the this that these those our my your its his her their we i you it he she they there here of for to in on at by
  from with as and or is are was were be been will shall should must now currently actually correction update updated
  fyi btw note remember please also just so new current again still ok okay yes no hi hello hey well really use using
  let lets us make sure that which what one has have had got get decided decision agreed changed change set value called
  named known only always everyone`.split(/\s+/),
);
const POINTS_BACK =
  /^(?:(?:no|actually|sorry|correction|wait|hm+|oh|well|i mean|rather)[\s,:–-]+)*(?:it|that|this|they)?$/iu;

/** Reads what a sentence says of an attribute that has one value at a time; undefined when it says nothing plain. Pure. */
export function readAttribute(sentence: string): Attribute | undefined {
  if (
    sentence.length > 400 ||
    /^\s*(?:if|when|where|how|why|what|who|which|can|could|would|should|is|are|do|does)\b/i.test(sentence)
  )
    return undefined;
  const isLatin = /^[^\p{L}]*[a-z]/iu.test(sentence);
  return isLatin ? (readEnglish(sentence) ?? readChinese(sentence)) : (readChinese(sentence) ?? readEnglish(sentence));
}

function readEnglish(sentence: string): Attribute | undefined {
  const said = sentence
    .replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{2}/gu, '')
    .trim()
    .replace(LABEL, '');
  for (const { kind, pattern } of FORMS) {
    const groups = pattern.exec(said)?.groups;
    const value = bare(groups?.value ?? '');
    if (groups === undefined || !(isValue(value, said) || isChoice(value, kind, said))) continue;
    if (DENIED.test(said.slice(0, said.lastIndexOf(groups.value ?? '')))) return undefined;
    const found = attributeOf(said, groups, kind, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A word that only its place makes a value: what is used, what something is called. */
function isChoice(value: string, kind: Attribute['kind'], said: string): boolean {
  return (
    /^[\w.+#-]{2,30}$/.test(value) &&
    (kind === 'use' || /\b(?:called|(?:re|code)?named|codename|nickname|alias)\b/i.test(said))
  );
}

function attributeOf(
  said: string,
  groups: Readonly<Record<string, string | undefined>>,
  kind: Attribute['kind'],
  value: string,
): Attribute | undefined {
  const thing = THING.exec((groups.value ?? '').trim())?.[1];
  const name = (groups.subject ?? '').trim();
  const subject = subjectOf(thing === undefined ? name : `${name} ${thing}`);
  const old = bare(groups.old ?? INSTEAD.exec(said)?.[1] ?? '');
  if (subject.length > 6 || (subject.length === 0 && old === '' && !POINTS_BACK.test(name))) return undefined;
  return { name, subject, kind: thing === undefined ? kind : 'any', value, ...(old === '' ? {} : { old }) };
}

const HAN = new RegExp(`[${COMMON_HAN}]`);
const CHINESE_LINK =
  '(?:已经|已|现在|目前|今后|以后|暂时|都|就|应该|需要|要|会)*(?:(?:以后|今后|改|统一|都|现在)(?:走|发|找|由|寄|送)|[由归](?=[^，,]{2,6})|[找联](?:系)?(?![不到])(?=[^，,]{2,5}(?:审|负责|签|批|开|处理|对接|报|$))|[换改调](?=\\s*[\\dA-Za-z])|[加减放批提升降调改换搬迁挪移转切推定设涨砍扩缩拖压轮交排增延发送寄存跑写传](?:[宽大小长短高低后前迟早级期回新动派整换名加少充])?(?:到|成|为|至|给|由|用|在|发|去)了?|改成了?|改为了?|改到了?|换成了?|换到了?|换为|设置?为|设成|定在了?|定为了?|定到|变成了?|变为|推迟到了?|提前到了?|延期到|搬到了?|迁移到了?|迁到了?|升级到了?|升到|降到|涨到|(?:增加|减少|提高|提升|降低|上调|下调|缩短|延长)到了?|变更[为成]|更[新名][为成到]|改名[为成]|调整?为|调整?到|切换?到了?|切换?成|放在|部署在|跑在|运行在|监听在?|位于|住在|改用|换用|使用|采用|选用|用|叫做?|是|为|(?<![现正存内外所实潜好])在|[:：=＝])';
const CHINESE = new RegExp(
  `^(?<subject>[^，,。；;？?！!]{1,40}?)(?:从|由)?(?<old>(?<=[从由])[^，,。；;\\s]{1,30}?)?\\s*${CHINESE_LINK}\\s*(?<value>[^，,。；;！!？?（(]{1,40})`,
  'u',
);
const CHINESE_FILLER =
  /我们的?|咱们的?|你|请|把|将|让|给|的|了|那个|这个|现在|目前|已经|以后|今后|从现在起|记住|记得|注意|更正|纠正|更新|决定|说明|另外|其实|不对|不是|应该|需要|刚才|最新|最后|最终|新|统一|都|[：:，,、\s]/gu;

function readChinese(sentence: string): Attribute | undefined {
  if (!HAN.test(sentence)) return undefined;
  for (const clause of sentence.split(/[，,]/u)) {
    const groups = CHINESE.exec(clause.trim())?.groups;
    const value = bare(
      (groups?.value ?? '')
        .replace(/^(?:了|到|成|为|在)/u, '')
        .replace(/(?:了|吧|啊|呢|就行|即可|端口上|上面|里面|上|里)$/u, ''),
    );
    if (groups === undefined || value === '' || !isChineseValue(value)) continue;
    // What is not to be is no value.
    if (/不要|不能|不得|别|禁止|不许|不用|没有/u.test(`${groups.subject ?? ''}${clause.slice(0, 4)}`)) continue;
    const subject = chineseSubject(groups.subject ?? '');
    if (subject.length === 0 && !/^(?:它|这|那|不|不对|应该|改|现在|目前|以后|新的?)/u.test(groups.subject ?? ''))
      continue;
    const old = bare(
      groups.old ?? /(?:而不是|不是|不再是?|不再用|代替|取代)\s*([^，,。；;！!？?\s]{1,30})/u.exec(sentence)?.[1] ?? '',
    );
    return { name: (groups.subject ?? '').trim(), subject, kind: 'any', value, ...(old === '' ? {} : { old }) };
  }
  return undefined;
}

function chineseSubject(text: string): readonly string[] {
  const rest = text.replace(CHINESE_FILLER, '');
  const words = rest.match(/[A-Za-z0-9_.-]+/gu) ?? [];
  const signs = [...rest.replace(/[A-Za-z0-9_.-]+/gu, '')].filter(
    (sign) => /\p{L}/u.test(sign) && !CHINESE_STOP_CHARACTERS.includes(sign),
  );
  return sorted([...words.map((word) => stemOf(word.toLowerCase())), ...signs]);
}

/** A port, a name, a day, a choice: no clause. */
function isChineseValue(value: string): boolean {
  return (
    /\d|[A-Za-z]/u.test(value) ||
    (value.length <= 8 && !/什么|怎么|哪|谁|多少|这样|那样|可以|问题|不错|很|非常/u.test(value))
  );
}

const DAYS =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\btomorrow|tonight|noon|midnight\b/iu;

/** A value is a number, a name, an identifier, a day: what a plain sentence may be corrected in. */
function isValue(value: string, sentence: string): boolean {
  if (
    value === '' ||
    value.length > 80 ||
    /^(?:a|an|the|not|very|too|so|really|still|going|being|done|broken|ok|fine|good|bad|nice|great|wrong|right|that|what|why|how|because|it|there|in|on|to)\b/iu.test(
      value,
    )
  ) {
    return /^(?:a|an|the)\s+\S*\d/iu.test(value);
  }
  if (
    /\d/u.test(value) ||
    DAYS.test(value) ||
    /^[`"'“]/u.test(sentence.slice(sentence.indexOf(value) - 1, sentence.indexOf(value)))
  )
    return true;
  if (/[\w-][./_:@-][\w-]|\p{Ll}\p{Lu}/u.test(value)) return true;
  return /^\p{Lu}/u.test(value) && value.split(/\s+/u).length <= 3;
}

function bare(value: string): string {
  return value
    .trim()
    .replace(/^[`"'“”(]+|[`"'“”).,;:!?。，；！？]+$/gu, '')
    .replace(/^(?:now|port|version|host|server|node|branch|region|is|at|on)\s+(?=\S)/iu, '')
    .trim();
}

function subjectOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[./@#-][\p{L}\p{N}_]+)*/gu) ?? [];
  return sorted(words.filter((word) => !EMPTY.has(word)).map(stemOf));
}

function sorted(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort();
}

/** Whether two attributes are the same one: of the same thing, said in ways that can be of one value. Pure. */
export function isSameAttribute(a: Attribute, b: Attribute): boolean {
  return (
    sameKind(a, b) && a.subject.length > 0 && a.subject.length === b.subject.length && isPartOf(a.subject, b.subject)
  );
}

/** Whether one names its subject in fewer words than the other: "the port" for "the staging port". Pure. */
export function mayBeSameAttribute(a: Attribute, b: Attribute): boolean {
  if (!sameKind(a, b) || a.subject.length === 0 || b.subject.length === 0) return false;
  return isPartOf(a.subject, b.subject) || isPartOf(b.subject, a.subject);
}

export function isSameValue(a: Attribute, b: Attribute): boolean {
  return a.value.toLowerCase() === b.value.toLowerCase();
}

function sameKind(a: Attribute, b: Attribute): boolean {
  return a.kind === b.kind || a.kind === 'any' || b.kind === 'any';
}

function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  return some.every((word) => all.includes(word));
}
