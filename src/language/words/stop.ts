import { wordList, wordSet } from '../tokens.js';

/**
 * English words without content of their own: articles, pronouns, auxiliaries, prepositions, conjunctions, question words
 * and their contractions. They are keywords only if a question has no other words.
 */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = wordSet(
  `a an the this that these those some any each every either neither both all another such
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone somebody anyone anybody everyone everybody
  something anything everything there here
  am is are was were be been being do does did doing done have has had having will would shall should can could may might
  must ought need let got get gets getting
  of in on at by for with about against between into through during before after above below to from up down out off
  over under around near per via within without upon onto toward towards across along among behind beside besides beyond
  as like unlike
  and or but nor so yet if then else than because while although though unless until till since whether
  what which who whom whose when where why how whatever whichever whoever
  not no yes too very just only also even ever again once still already almost quite rather more most much many few
  less least other others same own else well please ok okay hi hello hey thanks
  don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't shan't shouldn't can't cannot
  couldn't mustn't mightn't needn't ain't i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll
  we're we've we'd we'll they're they've they'd they'll that'd that'll who'd who'll who've what'd what'll what're how'd
  how'll where'd when'd there'd there'll let's y'all dont doesnt didnt isnt wasnt cant wont im ive youre theyre
  s t d m ll re ve`,
);

/**
 * Words without content in the other languages: articles, pronouns, prepositions, question words; folded to small letters
 * without accents. Those of Japanese are {@link JAPANESE_STOP_WORDS}.
 */
export const FUNCTION_WORDS = {
  de: 'was an am die so in der das den dem des und sich sind wem wen wessen warum wohin womit woran woraus welchem welches deren dessen ist ich wir uns mit von zu zum zur im am vom beim ein eine einen einem einer nicht auch auf fur uber aus bei nach seit bis ab vor um wer wie wo wann welche welcher welchen habe haben hat hatte hatten war wurde wurden wird es sie er mein meine mich mir dass noch schon gibt gab steht gemacht getan neue neuen kein keine haben ins ans jetzt ihr dir du',
  fr: 'a t on qu d l c n s le la les des du un une et est que qui quoi je tu il elle on nous vous ils dans sur avec pour pas plus au aux ce cette en ma mon mes notre nos ai avons ont etait fait quand ou comment quel quelle quels quelles depuis jusqu avant apres chez sont avait ete par se sa son ses leur y',
  es: 'a no me he el la los las un una y es que con por para del al en de se lo le me mi mis nos su sus como cuando donde quien hice hicimos fue hay este esta esto desde hasta sobre pero muy mas sin ha he hemos han tuve tuvimos era estaba nuestro nuestra cual dijo dije paso',
  pt: 'o a os as um uma no me e que com por para do da dos das no na nos nas em de se eu nos meu minha foi fiz fizemos como quando onde quem ao ate desde nao mais sobre mas ja tem tinha esta este isso ele ela voce sao era nosso nossa qual quais disse pelo pela',
  it: 'in a i il lo la gli le un una e che di da con per del della dei delle al alla nel nella in si mi ci ho hai ha abbiamo hanno cosa come quando dove chi non piu sono stato stata era fatto questo questa quale quali mio mia nostro nostra su sul dal dalla anche fino ma fa l altro quest nell dell all',
  nl: 'is was we had in over die de het een en van ik wij we met voor op aan te niet dat die wat wie waar wanneer heb hebben heeft had hadden werd werden zijn ook naar bij uit om er maar nog mijn ons onze sinds tot vanaf welke hoe gedaan over als dan na voor is deze dit geen wel',
  ru: 'и в во на не с со что кто кого кому кем чего чему чем где когда как почему зачем откуда куда сколько какого какому каким каких какую каком который которая которые которых я мы он она они это был была было были для от до по из за у к мне нам мой моя наш мои о об про но или же чем а ли какие какой какая уже ещё еще есть после перед около',
  ja: '',
} as const;

/**
 * Words that belong to the form of a question more than to its topic. They are searched with a low weight: a log may contain
 * them, but a line that matches only such words is no answer.
 */
export const FRAME_WORDS: ReadonlySet<string> = wordSet(
  `kind kinds type types sort sorts name names named tell told say says said know knows knew known
  remember remembers remind recall show find give list explain describe mention mentioned mentions mentioning talk talked talks talking
  discuss discussed discussing happen happened happens happening thing things stuff way ways lot lots bit info
  think thinks thought opinion opinions time times number amount often question answer ask asked concerning regarding related relating involve involved
  recent recently latest current currently now various certain particular exactly actually really`,
);

/**
 * Words that occur on any topic: the commonest verbs, adverbs and words of feeling. In a short question such a word is
 * probably part of the topic. In a message of several sentences it says little about the topic.
 */
export const EVERYDAY_WORDS: ReadonlySet<string> = wordSet(
  `feel feels feeling felt want wants wanted like likes liked love loves loved enjoy enjoys enjoyed hope hopes hoped
  make makes made making go goes going went gone come comes coming came take takes taking took give gives gave given
  put keep keeps kept see sees saw seen seeing look looks looked looking seem seems seemed try tries tried trying
  use used using help helps helped start started stop stopped wait believe guess mean means understand
  good great nice bad best better worse new old big little long last first next right wrong sure able
  happy sad super amazing awesome wonderful fun cool pretty interesting special difficult hard easy
  always never sometimes maybe probably together especially absolutely incredibly extremely finally suddenly ago
  today yesterday tomorrow tonight day days week people person everyone work haha hmm wow yeah oh hey`,
);

/**
 * Words that ask for a kind of statement, in small letters: "what is her **preference**?", "what was the **conclusion**?".
 * A line that answers need not have them.
 */
export const ASKING_WORDS: ReadonlySet<string> = wordSet(
  `preference preferences prefer prefers preferred favourite favorite favourites favorites view views stance attitude
  conclusion conclusions conclude concluded outcome upshot verdict true truth valid fact facts detail details
  vorliebe vorlieben bevorzugt bevorzugen fazit schlussfolgerung ergebnis meinung ansicht passiert geschehen wahr
  unser unsere unserem unseren unserer unseres euer eure eurem euren eurer
  préférence préférences préfère préféré avis conclusion vrai notre votre
  preferencia preferencias prefiere opinión conclusión conclusiones verdad vuestro vuestra
  preferência preferências opinião conclusão verdade preferenza preferenze preferisce opinione conclusione vero vostro
  voorkeur voorkeuren mening conclusie waar предпочтение предпочтения предпочитает мнение вывод выводы правда какое каков какова каковы
  偏好 喜好 结论 看法 意见 观点 名字 真的 好み 結論 意見 선호 결론 의견`,
);

/**
 * Phrases that say nothing about the topic, although each of their words could elsewhere ("do you remember" does not ask
 * about remembering). Longer phrases come first.
 */
export const FRAME_PHRASES: readonly string[] = `
  do you happen to know, do you still know, do you remember, do you recall, do you know, what do we know about,
  what do you know about, what do i know about, what else do we know about, can you tell me, could you tell me,
  tell me more about, tell me about, tell me, remind me, show me, give me, i would like to know, i want to know,
  what is the name of, what was the name of, the name of, what kind of, what kinds of, what type of, what types of,
  what sort of, kind of, sort of, type of, how long, how often, how many times, the number of, at the moment,
  the other day, in terms of, when it comes to, what happened, what was true about, what was true, what was valid,
  in conversation, in the conversation, in our conversation, during the conversation, named after, still true, still valid, what is going on with, is there anything about, anything about,
  weiß ich, weiss ich, weißt du, wissen wir, erzähl mir, erzähle mir
`
  .trim()
  .split(/,\s+/);

/**
 * Chinese question frames and function words: they split a run of text and are dropped. Longer words are tried first, so
 * that 的 in 目的 is not taken for the particle.
 */
export const CHINESE_STOP_WORDS: readonly string[] = wordList(
  '什么时候 为什么 怎么样 怎么办 怎么回事 是不是 有没有 能不能 会不会 要不要 可不可以 哪些 哪里 哪儿 哪个 哪位 哪天 哪年 哪一 ' +
    '什么 怎么 怎样 如何 一共 总共 多少 多久 多大 几个 几次 几号 几点 何时 何处 是谁 ' +
    '我们 你们 他们 她们 它们 咱们 大家 自己 这个 那个 这些 那些 这里 那里 这样 那样 这种 那种 这次 那次 ' +
    '请问 告诉我 告诉 还记得 记得 知不知道 知道 想知道 说过 提到 提过 说了 帮我 给我 看看 查一下 查查 一下 ' +
    '是否 为了 由于 关于 有关 对于 至于 根据 按照 以及 并且 而且 但是 可是 不过 因为 所以 如果 虽然 然后 还是 或者 或是 ' +
    '可以 应该 曾经 已经 正在 目前 现在 最近 当时 当前 那时 之前 之后 以前 以后 期间 的时候 时候 是什么 有什么 ' +
    '发生了 发生 没有 不是 都是 就是 还有 只有 所有 任何 一些 有些 有哪 上次 最后一次 第一次 事情 东西 ',
);

/** Chinese words that occur on any topic, as {@link EVERYDAY_WORDS} are in English. */
export const CHINESE_EVERYDAY_WORDS: readonly string[] = wordList(
  '今天 昨天 明天 今晚 昨晚 上午 下午 晚上 早上 每天 有时候 有时 一直 总是 经常 突然 终于 ' +
    '觉得 感觉 感到 认为 希望 想要 喜欢 爱 开心 高兴 快乐 难过 伤心 兴奋 激动 担心 害怕 紧张 ' +
    '真的 真是 非常 特别 超级 超 好像 好多 好好 有点 有点儿 一点 一点儿 这么 那么 多么 比较 可能 也许 其实 一定 肯定 ' +
    '不想 不会 不能 不知道 不好 不太 不要 不用 只是 而已 起来 出来 下来 过来 一起 一样 一个 一次 ' +
    '嗯 哈哈 哇 对啊 是的 好的 当然 对吧 是吗 好吧 需要 开始 变得 变成 成为 努力 试试 办法 ',
);

/**
 * Chinese words of one character that say nothing about the topic: particles, pronouns, forms of "to be" (是), prepositions
 * and measure words.
 */
export const CHINESE_STOP_CHARACTERS =
  '的了吗呢吧啊呀嘛哦么是在和与及或跟给把被让向往从自于我你您他她它们这那哪谁就也都还又再很太更最曾请有没不个些';

/**
 * Verbs of a very general meaning, such as 做 ("do"). Inside a longer word they are part of its meaning (用户, 看法). A verb that
 * stands alone between two stop words says nothing and is dropped.
 */
export const CHINESE_GENERAL_VERBS = '去来到说讲用做想看要会能过叫写问';

/**
 * Everyday words that contain a stop character or a verb of {@link CHINESE_GENERAL_VERBS}, but have a meaning of their own.
 * They are kept whole.
 */
export const CHINESE_WORDS_KEPT_WHOLE: readonly string[] = wordList(
  '目的 标的 了解 和平 和谐 饱和 参与 与会 及时 涉及 普及 及格 或许 跟踪 跟进 给予 供给 把握 被动 让步 方向 向量 趋向 倾向 导向 ' +
    '往返 往来 交往 从事 服从 自动 自定义 自由 来自 自测 自检 自研 自我 他人 其他 吉他 就业 就绪 成就 ' +
    '首都 成都 都市 京都 还原 还款 归还 偿还 又拍 再见 再次 很快 太阳 太太 太空 更新 更改 变更 更换 最终 最大 最小 最佳 最新 请求 申请 邀请 请假 ' +
    '有效 有限 拥有 所有权 没收 淹没 不同 不稳定 不足 不可用 不兼容 不一致 不在线 个人 个性 整个 在线 存在 实在 内在 在职 潜在 ' +
    '呢喃 吧台 网吧 酒吧 啊哈 您好 那不勒斯 哪吒 ',
);

/** Particles, forms of "to be" (です) and question words of Japanese. They are dropped between content words. */
export const JAPANESE_STOP_WORDS: readonly string[] = wordList(
  'について ですか ますか でした ました です ます ください いつ どこ だれ なに なぜ どう どの どれ から まで した して する は が を に へ と の で も か',
);

/**
 * Frequent lower-case English words of working notes. They describe something but are no name. Any other lower-case word is
 * assumed to be a name (`redis`, `pnpm`, `frankfurt`).
 */
const COMMON_WORDS: ReadonlySet<string> = wordSet(`
able above access accept accepted across actual actually add added adding against agree ahead allow allowed allows
almost alone along already although always among another answer anything apart apply applied around ask asked asks
available away back bad based basic become below best better big bit block blocked break bring broken bug build
building built call called calls came cannot care case cases cause caused causes change changed changes changing check
checked checking choice choose clean clear close closed code come comes common complete completed config confirm
confirmed consider contain contains content context continue copy correct cost create created current currently cut
data date day days deal default define defined delete deleted depend depends describe design detail details develop
different directly discuss discussed document doing drop dropped due early easy edit enable enabled end enough ensure
entry error errors even event example except exist existing exists expect expected explain fail failed fails fast
feature field file files fill final finally find fine finish finished first fix fixed fixes fixing follow following
follows form format found free full function future general give given gives going good great group grow half hand
handle happen happens hard help high hold hope however idea implement implemented important improve include included
includes including inside instead internal issue issues item items join joined keep keeps kept kind know known large
last late later latest launch least leave left less level like limit line list little live load local long longer look
lose lost low made main make makes making manage many mark matter mean means mention missing mode move moved moving
name named near nearly never next nobody none nothing number okay ones open option order original others otherwise
owner owns part parts pass passed past path people perhaps person place point possible prefer preferred prefers
present previous problem process produce project put question quick quite raise ran rather reach read ready real
really reason receive recent record reduce relevant remain remains remember remove removed replace replaced report
request require required requires rest result results return review right round row rule run running runs said save
saw say says second section see seem seen send sent set sets setting setup several short show shows shown side sign
signed similar simple since single size small solution solve something soon sort source special specific start started
starts state stay step steps stop stopped store stored suggest support sure switch system take taken takes taking talk
task team tell test tested testing tests text thank thing things think third though time times today together told
tomorrow took top total track tried tries true try trying turn turned two type understand unless update updated
updates usage use used useful user users uses using usually value values version want wanted wants watch way ways week
weeks well went whatever wide within without word work worked works worse worst write writes writing written wrong
year years yesterday
`);

/** Whether a word is in the list of frequent words, which are no names. `word` is lower-case. */
export function isFrequentWord(word: string): boolean {
  return COMMON_WORDS.has(word);
}

/**
 * The only table of words that negate what follows, in the most common languages of notes. Words that only some callers
 * count as negation (to dislike, to stop, to forbid) are kept by those callers.
 */
const SPACED = wordList(`
  not no never without cannot neither nor nothing none nobody nowhere
  don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't haven't hasn't hadn't
  dont doesnt didnt isnt arent wasnt wont cant
  nicht kein keine keinen keinem keiner nie niemals ohne niet geen nooit zonder
  jamais aucun aucune pas rien nunca jamás não nem non senza не нет нельзя без никогда ні немає
`);
const NEGATIONS: ReadonlySet<string> = new Set(SPACED);

/** The words of the table as alternatives of a pattern, for texts with straight apostrophes. */
export const NEGATION_PATTERN = SPACED.join('|').replace('not|', 'not(?! (?:only|just|merely|as \\S+ as)\\b)|');

/**
 * Negations of Chinese, Japanese and Korean as a pattern. A match includes an auxiliary verb after the negation (不会,
 * 不能). Excludes words that only look like negations (不同, 不久, 差不多, 未来, 没关系) and comparisons (不如).
 */
export const CJK_NEGATION_PATTERN = [
  '(?<!差(?=不多))不(?![同过過仅僅错錯断斷但管论論久只如])[要能会會可得许許准应應再是]?',
  '[没沒](?!关系|關係)有?|未(?![来來])|[无無][需法]|禁止|切勿|[并並而]非|[勿莫]',
  'ない|ません|않|못|금지',
].join('|');
const CJK = new RegExp(CJK_NEGATION_PATTERN, 'u');

/** True for a word that negates what follows it. `word` is lower-case with straight apostrophes. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** Splits a text of an unspaced script at its negations; every part after the first follows a negation. */
export function splitAtNegations(text: string): readonly string[] {
  return text.split(CJK);
}
