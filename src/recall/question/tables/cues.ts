/** Signs of what a question wishes for, in both languages; patterns over a lower-cased text. */
export const OPINION: readonly RegExp[] = [
  /\b(?:prefer(?:s|red|ence|ences)?|favou?rites?|opinions?|attitudes?|stance|believe[sd]?|beliefs?)\b/,
  /\b(?:love[sd]?|hate[sd]?|dislike[sd]?|enjoy(?:s|ed)?|think(?:s|ing)?|thought|fond of|keen on|would rather)\b/,
  /\b(?:views?|thoughts|feelings?|impressions?|take) (?:on|about|of|towards?)\b/,
  /\b(?:feel|feels|felt) about\b/,
  /\b(?:likes|liked)\b(?! (?:to be|this|that)\b)/,
  /偏好|喜欢|喜爱|最爱|爱吃|爱喝|讨厌|不喜欢|觉得|认为|看法|想法|意见|观点|态度|评价|倾向|怎么看|更愿意|宁愿/,
];

/** "Like" is a wish after one of these ("does he like"), and a comparison after one of {@link NOT_LIKING}. */
export const LIKING =
  /\b(?:do|does|did|don't|doesn't|didn't|would|wouldn't|might|i|you|we|they)\b[^?.!]{0,80}?(\S+) like\b/;
export const NOT_LIKING = new Set(
  'look looks looked looking sound sounds sounded feel feels felt seem seems seemed smell smells taste tastes is are was were be been something anything things stuff just more much act acts'.split(
    ' ',
  ),
);

export const EXPERIENCE: readonly RegExp[] = [
  /\b(?:did|didn't|have|haven't|had|hadn't|was|were)(?: not)? (?:i|we|you)\b/,
  /\b(?:i|we)(?:'ve| have| had| did| last)\b/,
  /(?:我|咱|你)们?[^，。？！,.?!]{0,24}[了过]/,
  /(?:我|咱)们?[^，。？！,.?!]{0,6}(?:怎么|如何|怎样)/,
];

const OPENING =
  '(?:^|[,;:.?!(]\\s{0,3}|\\b(?:and|or|know|remember|recall|tell me|find out|exactly|wonder|say|since|to|with|from|for|by)\\s{1,3})';
const VERB = '(?:did|does|do|was|were|is|are|has|have|had|will|would|should|can|could)';

export const WHEN: readonly RegExp[] = [
  new RegExp(`${OPENING}when\\b|\\bwhen(?:'s|'d| ${VERB})\\b`),
  /\b(?:what|which) (?:date|day|time|year|month|week|season)\b|\bhow (?:long ago|recently)\b|\bthe date (?:of|when|on)\b/,
  /什么时候|何时|哪天|哪一天|哪年|哪一年|哪个月|几月|几号|几点|多久前|多久之前|星期几|周几/,
];

export const HOW_MANY: readonly RegExp[] = [
  /\bhow (?:many|much|often|old|long(?! ago)|far|big|large|tall|fast|high|expensive)\b|\b(?:the|what) (?:number|amount|count|percentage) (?:of|is|was)\b/,
  /多少|几[个次天条位台年岁本张遍周]|多久(?!之?前)|多大|多长|多远|多快|多高|数量/,
];

export const WHERE: readonly RegExp[] = [
  new RegExp(`${OPENING}where\\b|\\bwhere(?:'s|'d| ${VERB})\\b`),
  /\b(?:what|which) (?:place|city|country|town|state|street|address|location|file|folder|directory)\b/,
  /哪里|哪儿|在哪|何处|什么地方|哪个(?:城市|国家|地方|文件|目录)/,
];

export const WHO: readonly RegExp[] = [
  new RegExp(`${OPENING}who\\b|\\bwho(?:'s|'d) `),
  /\bwhom\b|\bwhose\b|\b(?:what|which) (?:person|people|man|woman|colleague|friend|team)\b/,
  /谁|哪位|哪个人|什么人/,
];

export const RECENT: readonly RegExp[] = [
  /\b(?:latest|newest|recent|recently|lately|current|currently|now|nowadays|these days|up to date|at the moment|as of today)\b/,
  /最近|最新|目前|现在|当前|近期|如今|眼下/,
];
