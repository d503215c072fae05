import { PatternWithWordTest, wholeWordPattern, wordSet } from '../tokens.js';

/** Patterns that recognise one kind of question, such as a question for an opinion. They are for text in lower case. */
export interface QuestionCue {
  readonly english: readonly CueWordsAndPattern[];
  readonly chinese: readonly RegExp[];
  /** A pattern for all languages except English and Chinese. */
  readonly others?: RegExp;
}

/**
 * A pattern, and words for a quick test: every match of the pattern contains one of the words. The pattern is compiled only
 * if a text has such a word, because compiling is the main cost of reading a question.
 */
export type CueWordsAndPattern = readonly [words: string, pattern: RegExp];

export const OPINION_CUE: QuestionCue = {
  english: Object.entries({
    // A question with a choice ("tea or coffee for …") asks for the preferred option.
    ' or ': /^(?:an? )?[\w-]+ or (?:an? )?[\w-]+ (?:for|to) \S/,
    'prefer|favo|opinion|attitude|stance|belie':
      /\b(?:prefer(?:s|red|ence|ences)?|favou?rites?|opinions?|attitudes?|stance|believe[sd]?|beliefs?)\b/,
    'love|hate|dislike|enjoy|think|thought|fond of|keen on|would rather':
      /\b(?:love[sd]?|hate[sd]?|dislike[sd]?|enjoy(?:s|ed)?|think(?:s|ing)?|thought|fond of|keen on|would rather)\b/,
    'view|thoughts|feeling|impression|take':
      /(?<!\b(?:how many|number of|count of|\d) )\b(?:views?|thoughts|feelings?|impressions?|take) (?:on|about|of|towards?)\b/,
    'feel|felt': /\b(?:feel|feels|felt) about\b/,
    'likes|liked': /(?<!\b(?:how many|number of|count of|\d) )\b(?:likes|liked)\b(?! (?:to be|this|that)\b)/,
  }),
  chinese: [
    /偏好|喜欢|喜爱|最爱|爱吃|爱喝|讨厌|不喜欢|觉得|认为|看法|想法|意见|观点|态度|评价|倾向|怎么看|更愿意|宁愿/,
  ],
};

/**
 * Matches a question with "like". The group is the word before "like". The question asks for a preference ("does he
 * like"), unless that word is in {@link WORDS_BEFORE_LIKE} ("does it look like").
 */
export const LIKING_PATTERN =
  /\b(?:do|does|did|don't|doesn't|didn't|would|wouldn't|might|i|you|we|they)\b[^?.!]{0,80}?(\S+) like\b/;
export const WORDS_BEFORE_LIKE = wordSet(
  'look looks looked looking sound sounds sounded feel feels felt seem seems seemed smell smells taste tastes is are was were be been something anything things stuff just more much act acts',
);

export const EXPERIENCE_CUE: QuestionCue = {
  english: Object.entries({
    ' i| we| you': /\b(?:did|didn't|have|haven't|had|hadn't|was|were)(?: not)? (?:i|we|you)\b/,
    "i |we |'ve": /\b(?:i|we)(?:'ve| have| had| did| last)\b/,
  }),
  chinese: [/(?:我|咱|你)们?[^，。？！,.?!]{0,24}[了过]/, /(?:我|咱)们?[^，。？！,.?!]{0,6}(?:怎么|如何|怎样)/],
};

const OPENING =
  '(?:^|[,;:.?!(]\\s{0,3}|\\b(?:and|or|know|remember|recall|tell me|find out|exactly|wonder|since|to|with|from|for|by)\\s{1,3})';
const VERB = '(?:did|does|do|was|were|is|are|has|have|had|will|would|should|can|could)';

export const WHEN_CUE: QuestionCue = {
  english: Object.entries({
    when: new RegExp(`${OPENING}when\\b|\\bwhen(?:'s|'d| ${VERB})\\b`),
    'what |which |how |the date ':
      /\b(?:what|which) (?:date|day|time|year|month|week|season)\b|\bhow (?:long ago|recently)\b|\bthe date (?:of|when|on)\b/,
  }),
  chinese: [/什么时候|何时|哪天|哪一天|哪年|哪一年|哪个月|几月|几号|几点|多久前|多久之前|星期几|周几|何[年月日时]/],
  others:
    /(?:^|[.?!¿;:]\s*)(?:\p{L}{1,5}\s)?(?:wann|wanneer|quand|cuándo|quando|kiedy|kdy|när|hvornår|når|milloin|mikor|πότε|когда|коли|متى)(?!\p{L})|\b(?:welche[mrsn] (?:jahr|monat|tag|datum)|welk(?:e|) (?:jaar|maand|dag|datum)|quelle (?:année|date)|quel (?:jour|mois)|qué (?:año|día|mes|fecha)|che (?:anno|giorno|mese|data)|que (?:ano|dia|mês|data))(?!\p{L})|как(?:ом|ой) (?:году|год|месяце|день)|(?:أي|أية|اي) (?:عام|سنة|يوم|شهر)|khi nào|bao giờ|(?:năm|ngày|tháng) nào|ne zaman|hangi (?:yıl|gün|ay|tarih)|เมื่อ(?:ไร|ไหร่|ใด)|ปี(?:ใด|ไหน)|วัน(?:ใด|ไหน|ที่เท่าไ)|いつ|언제|몇\s?[년월]|며칠|कब|किस (?:वर्ष|साल|दिन)/u,
};

export const HOW_MANY_CUE: QuestionCue = {
  english: Object.entries({
    'how |number|amount|count|percentage':
      /\bhow (?:many|much|often|old|long(?! ago)|far|big|large|tall|fast|high|expensive)\b|\b(?:the|what) (?:number|amount|count|percentage) (?:of|is|was)\b/,
  }),
  chinese: [
    // 前几天, 这几年 and 几个月前 are times, not counts.
    /多少|(?<![前这那近好十去])几(?:[次条位台岁本张遍]|(?:[天年周]|个(?:月|星期|礼拜|季度|小时|钟头)?)(?![月星礼季小钟]|[之以]?前))|多久(?!之?前)|多大|多长|多远|多快|多高|数量|何(?:人|个|回|册|岁|歳|割|万|円|台|つ|时间|番|世纪|パーセント|メートル|キロ)/,
  ],
  others:
    /(?<!\p{L})(?:wie ?(?:viele?|vielen|oft|alt|lang|lange|hoch|groß|weit|schnell|teuer|tief|schwer)|hoe(?:veel| (?:oud|lang|hoog|groot|vaak|ver|snel|duur))|combien|quel âge|cuánt[oa]s?|qué edad|quant[oiae]s?|сколько|скольк\p{L}+|كم|bao nhiêu|mấy|kaç|πόσ(?:ο|α|οι|ες|ους)|hur (?:många|mycket|gammal|länge|ofta|stor|hög)|hvor (?:mange|meget|mye|gammel|ofte|stor)|kuinka (?:monta|paljon|vanha)|hány|mennyi|kolik|ile (?:lat|razy|osób|czasu))(?!\p{L})|เท่า(?:ไร|ไหร่|ใด)|กี่|いく[つら]|[どそ]の(?:くらい|ぐらい)|どれ(?:くらい|ぐらい|だけ)|몇|얼마|कितन/u,
};

export const WHERE_CUE: QuestionCue = {
  english: Object.entries({
    where: new RegExp(`${OPENING}where\\b|\\bwhere(?:'s|'d| ${VERB})\\b`),
    'what |which ':
      /\b(?:what|which) (?:place|city|country|town|state|street|address|location|file|folder|directory)\b/,
  }),
  chinese: [/哪里|哪儿|在哪|何处|什么地方|哪个(?:城市|国家|地方|文件|目录)/],
};

export const WHO_CUE: QuestionCue = {
  english: Object.entries({
    who: new RegExp(`${OPENING}who\\b|\\bwho(?:'s|'d) `),
    'whom|whose|what |which ':
      /\bwhom\b|\bwhose\b|\b(?:what|which) (?:person|people|man|woman|colleague|friend|team)\b/,
  }),
  chinese: [/谁|哪位|哪个人|什么人/],
};

export const TITLE_CUE: QuestionCue = {
  english: Object.entries({
    'book|novel|movie|film|song|album|game|series|podcast|article|paper|poem':
      /\b(?:book|novel|movie|film|song|album|game|series|podcast|article|paper|poem)s?\b/,
    'title|called|named|name': /\b(?:titles?|names? of|(?:is|are|was|were) (?:called|named(?! after\b)))\b/,
    'read|watch|play|listen': /\b(?:what|which)\b.{1,60}\b(?:read|reading|watch|watched|watching|play|played|listen)\b/,
  }),
  chinese: [
    // A single character (书 "book", 歌 "song", 剧 "drama") counts only as a separate word: not in 证书, 谷歌, 加剧.
    /(?:^|[本部些么的看读买借写这那])书(?![记面包法架店房签柜桌])|(?<!谷)歌(?![手星])|(?<![加急编])剧(?![烈本透变增])|诗(?!人)/,
    /小说|电影(?!院)|影片|专辑|游戏|文章|论文|标题/,
  ],
};

export const RECENT_CUE: QuestionCue = {
  english: Object.entries({
    'latest|newest|recent|lately|current|now|these days|up to date|at the moment|as of today':
      /\b(?:latest|newest|recent|recently|lately|current|currently|now|nowadays|these days|up to date|at the moment|as of today)\b/,
  }),
  chinese: [/最近|最新|目前|现在|当前|近期|如今|眼下/],
};

/** Matches questions that may ask for what lies ahead or is open. Those that also have other words ask for a topic. */
export const AGENDA_CUE = new PatternWithWordTest(
  "coming up|upcoming|ahead|agenda|calendar|appointment|deadline|plan|due|todo|to-do|to do|task|birthdays|at's on|what is on|anything on|happening|steh|termine|aufgaben|fällig|tun|erledigen|安排|日程|待办|任务",
  /\b(?:coming up|upcoming|(?:lies|is|are|what's|whats) ahead|agenda|calendar|appointments?|deadlines?|planned|plans|due|overdue|to-?dos?|tasks?|(?:have|need) to do|birthdays)\b|(?:what's|what is|anything) (?:on|happening)\b|(?<!\p{L})(?:steh(?:t|en)\s(?:.{1,40}\s)?an|ansteh\p{L}*|termine|aufgaben|überfällig|fällig|geplant|tun|erledigen)(?!\p{L})|安排|日程|待办|任务/u,
);

/** The words of such questions. `beside`: words that ask for no topic beside them. */
export const AGENDA_WORDS = {
  dates: wordSet(
    'coming upcoming ahead agenda calendar appointment appointments deadlines planned plans birthdays termine ansteht anstehen geplant geburtstage',
  ),
  tasks: wordSet('todo todos to-do to-dos task tasks due aufgaben fällig'),
  overdue: wordSet('overdue überfällig'),
  beside: wordSet(
    'whats open outstanding pending unfinished left next list offen offene offenen steht stehen los happening tun erledigen muss müssen alles everything',
  ),
  phrase:
    /\b(?:have|need) to do\b|(?<!\p{L})(?:muss|müssen|habe|haben)\s(?:.{1,30}\s)?(?:zu\s)?(?:tun|erledigen)(?!\p{L})/iu,
  chinese: /接下来|以后|安排|日程|待办|事项|任务|计划/g,
  chineseTasks: /待办|任务/,
} as const;

/** Patterns that recognise questions about a decision. */
export const DECISION_CUE: QuestionCue = {
  english: Object.entries({
    'decid|decision|conclu|agree|settle|chose|choose':
      /\b(?:decid(?:e|es|ed|ing)|decisions?|conclu(?:de|ded|sions?)|agree(?:d|ment)? (?:on|to|about|that)|settled? (?:on|for)|chose|choose)\b/,
  }),
  chinese: [/决定|决策|结论|商定|敲定|拍板|选定|定下/],
};

/** Words that only ask for a decision and are not the topic of a question. "Choose" is not included: it may be the topic. */
export const DECIDE_VERB = /^decid(?:e|es|ed|ing)$/;

/**
 * Matches a line that states a decision. Does not match "decide whether" and "before deciding", which say that there is no
 * decision yet.
 */
export const DECISION_PATTERN =
  /\b(?:decided|decisions?|agreed (?:on|to|about|that)|agreement (?:on|to|about|that)|settled (?:on|for)|chose|chosen)\b/i;

/** Words that ask for a fact. One line per language or language family. `_` stands for a space. */
const FACT = wholeWordPattern(
  `what which who whose whom when where how_(?:many|much|old|long|far|big|tall)
  wer wen wem wessen welche[rsnm]? wo wohin woher wann wie_(?:viele?|oft|alt|groß|heißt|hieß|lautet|war_noch) was_(?:ist|war|waren|sind|kostet|steht|habe|hat|haben|gilt)
  wat welke? waar wanneer hoeveel hoe_(?:heet|oud) wie_(?:is|was|heeft|had|zijn)
  vad vem vilke[nt] vilka var när hvad hvem hva hvor hvilke[nt] hvornår mikä kuka missä milloin
  qu'est-ce_que quel(?:le)?s? où quand combien comment_s['’]appelle qui_(?:est|était|a|sont)
  qué quién(?:es)? cuál(?:es)? dónde cuándo cuánt[oa]s? cómo_se_llama o_que quem qua(?:l|is) onde quando quant[oaie]s? como_se_chama che_cosa chi quale dove come_si_chiama
  кто кого кому чей чья чьё как(?:ой|ая|ое|ие|им|ого|ую) где куда откуда когда сколько как_зовут kogo kto kiedy gdzie ile któr[yae] jak[iae] jak_(?:się|ma|nazywa)
  nedir ad\\S*_ne kimin nerede hangi kaç ne_zaman ماذا أين اين متى كم أي gì ai_(?:là|đã|sẽ) đâu nào mấy bao_nhiêu khi_nào τι ποι[οαη]\\S* πού πότε πόσ[οηα] कौन कहाँ कब कितन[ाेी] क्या_है מה מי איפה מתי כמה`,
  '^\\W*(?:что|на что|ما|من|co)(?=\\s)|(?<![为為])什[么麼]|哪|[谁誰]|[几幾]|多[少大]|何|来着|[姓叫]啥|だれ|どこ|いつ|ど[のれ]|いく[つら]|(?:は|番)[?？]|뭐|무[엇슨]|누구|어디|언제|몇|얼마|어느|อะไร|ใคร|ไหน|เมื่อไ[รห]|กี่|เท่าไ[รห]|ຫຍັງ|ໃສ|ໃຜ|អ្វី|ឯណា|នរណា|ဘာ|ဘယ်',
);
/**
 * Words that ask for advice or for somebody's opinion. Such a question does not ask for a fact, although memories may help
 * with the answer.
 */
const ADVICE = wholeWordPattern(
  `should shall can could would might any_(?:advice|suggestions?|ideas?) what_if (?:what|how)_about do_you
  soll(?:te|en)? kann könnten? würde(?:st)? tun rat tipps? was_wenn moet kan zou doen advies devrais dois peux pourrais faire conseils?
  deb(?:o|ería) puedo hacer hago consejos? devo deveria posso fazer conselho dovrei fare consigli[o]?
  делать стоит посовету\\S* совет быть можно powin\\S* zrobić mogę yap\\S* öner\\S* أفعل افعل تنصحني nên làm_gì_bây`,
  '[么麼]好|[应應]该|应該|怎么办|怎麼辦|建[议議]|可以|能不能|[你您该該]|すれば|べき|どうしたら|いいですか|いいかな|해야|좋을까|할까|ควร|ทำยังไง|ทำอย่างไร|ดีไหม',
);

/** Words that ask to show or find something. */
const WANT = wholeWordPattern(
  `show tell find list give remind search recall zeige? gib suche? finde? sage? nenne? erinnere? liste montre donne cherche trouve dis rappelle
  muestra dame busca dime recuérdame mostra mostre dammi cerca dimmi procura diz laat toon geef zoek noem покажи найди дай скажи напомни назови
  pokaż znajdź göster bul söyle أرني ابحث ذكرني`,
  '[给給][我]|告[诉訴]|列出|找[出一到]|教えて|見せて|探して|보여|알려|찾아|แสดง|บอก|ค้นหา',
);

/** Whether a sentence asks for a fact, or tells the reader to show or find one. */
export function isRequest(sentence: string): boolean {
  return FACT.test(sentence) || WANT.test(sentence);
}

/** Whether a question asks for a fact, not for advice or an opinion. */
export function isFactQuestion(question: string): boolean {
  return FACT.test(question) && !ADVICE.test(question);
}
