import { LETTER_RANGES } from '../../language/scripts.js';
import { CJK_NEGATION_PATTERN, NEGATION_PATTERN } from '../../language/words/stop.js';

const AVERSION =
  "(?:cannot|can't) stand|stopped|stops|stop(?= \\w+ing\\b)|quits?|gave up|given up|gives up|gone off|went off|got rid of|dropped|abandon(?:s|ed)|refuse[sd]?|avoid(?:s|ed|ing)?|(?:stay(?:s|ed)?|keeps?|kept) (?:away|clear)|reject(?:s|ed)?|oppose[sd]?|against|dislike[sd]?|hate[sd]?|loathe[sd]?|detests?|fed up|tired of|sick of|complain(?:s|ed|ing)?(?= about)|lost (?:\\w+ )?(?:love|interest|taste|faith|trust|confidence)|rarely|hardly|barely|anything but|far from(?= (?:over|done|\\w+(?:ing|ed|y|ful|ous|able|ive|al|e[cn]t|ant)\\b))|kaum|alles andere als|little(?= *(?:[.,;]|$))|seldom|hasst|verabscheut|déteste|detesta";

/** Words that negate a statement. Longer alternatives come first. */
export const NEGATION_WORDS = new RegExp(
  `(?<![${LETTER_RANGES}])(?:n['e] ?[${LETTER_RANGES}]+ plus|no longer|not any ?more|any ?more|any longer|${AVERSION}|\\w+n't|${NEGATION_PATTERN})(?![${LETTER_RANGES}])`,
  'gi',
);

/** Words that show an aversion: dislike, avoid, refuse, stop. */
export const AVERSION_WORDS = new RegExp(`\\b(?:${AVERSION})`, 'i');

/** Words of a wish: how somebody wants things to be. */
export const WISH_WORDS =
  /\b(?:prefer|lik(?:e|es|ed|ing)\b|lov(?:e|es|ed|ing)\b|want|wish|hopes?\b|ask(?:s|ed)? for|insist|rather\b|needs?\b|möchte|will\b|wünscht|préfère|veut|voudrait)/i;
export const CHINESE_WISH_WORDS = /喜欢|偏好|偏爱|更愿意|想要?|希望|要求/u;

/** Words of liking, disliking or opinion. */
export const FEELING_WORDS =
  /\b(?:prefer|lik(?:e|es|ed|ing)\b|lov(?:e|es|ed|ing)\b|enjoy|favou?r|want|appreciat|fond of|fan of|keen on|happy with|pleased with|thinks?\b|believ|consider|finds?\b|hates?\b|hated\b|dislike|loathe|detest|can(?:not|'t) stand|fed up|afraid of|fears?\b|recommend|trust|praise|insist|ask(?:s|ed) for|findet|hält|glaubt|mag|mögen|liebt|lieber|gern|aime|adore|trouve|croit|préf)/i;
export const CHINESE_FEELING_WORDS = /喜欢|喜爱|热爱|偏好|偏爱|更愿意|想要|希望|认为|觉得|推荐|信任|不如|讨厌|反感/u;

/** Verbs of judging, such as `finds`. The word after such a verb says whether the judgement is good or bad. */
export const JUDGING_VERBS =
  /\b(?:f(?:inds?|ound)(?! (?:an?|one|some|another|out)\b)|thinks?|thought|considers?|believes?|feels?|felt|findet|hält|glaubt|trouve|croit)\b|认为|觉得/i;

/** Verbs that report a choice or an opinion: `uses`, `switched to`, `says`. */
export const CHOICE_WORDS =
  /\b(?:use[sd]?\b|using\b|switched to|cho(?:se|oses)|complain|sa(?:ys|id)\b|convinced|sagt|meint|dit)/i;
export const CHINESE_LIKING_WORDS =
  /喜欢|喜爱|热爱|偏好|偏爱|更愿意|想要|希望|认为|觉得|推荐|信任|选择|改用|使用|不如|讨厌|反感|支持|反对|强调|坚持|戒[了掉]|放弃|厌倦|厌恶|拒绝|抱怨|不再/u;

/**
 * Verbs that describe something. A verb such as `is` comes before the description. A verb such as `fails` is itself the
 * description.
 */
export const DESCRIPTION_VERBS =
  /\b(?:is|are|was|were|be|been|seem|remain|bec[ao]me|feels?|proved|fail|crash|break|broke|works?|worked|succeed|ist|sind|war|waren|est|sont|était)|[很太更]|非常|十分/iu;

/** Words that show a habit. */
export const HABIT_WORDS =
  /\b(?:always|usually|every|each|never|immer|jede[nrs]?|toujours|chaque)\b|一直|总是|每[天次周]/iu;

/** Verbs that say that somebody uses a thing (drinks, plays, wears), and so suggest that they like it. */
export const LIKED_USE_VERBS =
  /\b(?:uses?|used|using|drinks?|drank|drinking|eats?|ate|eating|plays?|played|playing|orders?|ordered|wears?|wore|watches|listens?|listened|rides?|rode|cho(?:se|oses)|supports?|supported|trinkt|isst|spielt|boit|mange|joue)\b/i;

/**
 * The second word of a negation of two words, which is not another negation: `does not use it any more`, `neither … nor …`.
 */
export const SECOND_NEGATION_WORDS = /\b(?:any ?more|any longer|nor)\b/gi;

export const CHINESE_NEGATION_WORDS = new RegExp(
  `不喜欢|不想|不愿意?|不用|讨厌|反感|厌恶|厌倦|拒绝|避免|放弃|戒[了掉]|停止|取消|反对|失去|丧失|毫无|别(?![的人])|从不|从未|${CJK_NEGATION_PATTERN}`,
  'gu',
);

/** Words that express an attitude, such as liking. They are not part of the topic. */
export const ATTITUDE_WORDS =
  /\b(?:prefers?|preferred|preferring|preference|likes?|liked|liking|loves?|loved|loving|enjoys?|enjoyed|favou?rs?|favou?red|favou?rites?|wants?|wanted|wanting|appreciates?|appreciated|mag|mögen|liebt|findet|bevorzugt|hält|glaubt|lieber|gerne?|aime|adore|apprécie|préfère|trouve|croit|fond of|fan of|keen on|happy with|thinks?|thought|believes?|believed|feels?|felt|considers?|finds?|found|says?|said|asked|asks|told|insists?|insisted|really|very|much|quite|always|usually|mostly|again|these days|nowadays|today|currently|anymore|strongly|definitely|clearly|still|now|over|than|better|best|rather)\b/gi;

export const CHINESE_ATTITUDE_WORDS =
  /比较|更加?|最|很|非常|十分|特别|总是|一直|通常|现在|目前|如今|依然|仍然|还是|喜欢|喜爱|热爱|要求|偏好|偏爱|爱(?!人)|想要?|希望|倾向于?|认为|觉得|说|表示|又|再|了|的|地|得|着|过/gu;

/** Verbs for things that a person does by choice. */
export const USE_VERBS =
  /\b(?:uses?|used|using|drinks?|drank|drinking|eats?|ate|eating|plays?|played|playing|orders?|ordered|buys?|bought|takes?|took|chose|chooses?|runs?|ran|running|rides?|rode|reads?|writes?|wrote|works?|worked|goes|went|wears?|wore|watches|watched|listens?|listened|recommends?|recommended|trusts?|trusted|supports?|supported|praises?|praised|is|are|was)\b/gi;

export const CHINESE_USE_WORDS = /[喝吃用玩买点选看听穿骑写读]|推荐|信任|支持|称赞|采用|使用/gu;

/**
 * Pairs of opposites, from everyday life and engineering. Each pair is an axis, with the words for each of its ends. A
 * comparative ("faster") counts as its base form.
 */
export const OPPOSITE_WORDS: readonly (readonly [plus: string, minus: string])[] = [
  ['short brief concise terse compact succinct', 'long verbose lengthy detailed wordy elaborate'],
  ['fast quick rapid speedy', 'slow sluggish'],
  ['early morning mornings', 'late afternoon afternoons evening evenings'],
  [
    'gut toll praktisch bon bonne bien pratique good well great excellent reliable stable solid robust trustworthy dependable works working healthy success succeeds succeeded',
    'schlecht furchtbar unpraktisch mauvais mauvaise nul nulle bad badly poor poorly terrible awful unreliable unstable flaky brittle untrustworthy fails failed failing failure broken breaks broke crashes crashed',
  ],
  ['cheap inexpensive affordable', 'expensive costly pricey'],
  ['easy simple straightforward', 'hard difficult complicated complex'],
  ['hot warm', 'cold cool'],
  ['dark', 'light bright'],
  ['big large huge', 'small little tiny'],
  ['formal polite', 'informal casual'],
  ['quiet silent calm', 'loud noisy'],
  ['open public', 'closed private secret'],
  ['sync synchronous', 'async asynchronous'],
  ['remote remotely', 'office onsite'],
  ['tabs tab', 'spaces space'],
  ['manual manually', 'automatic automatically automated'],
  ['enabled', 'disabled'],
  ['safe secure', 'unsafe dangerous risky insecure'],
  ['useful helpful worthwhile', 'useless unhelpful pointless'],
  ['happy satisfied pleased', 'unhappy dissatisfied frustrated annoyed'],
  ['more increase increased rising', 'less fewer decrease decreased falling'],
  ['strict', 'lenient loose'],
  ['static', 'dynamic'],
  ['local offline', 'cloud online hosted'],
];

export const CHINESE_OPPOSITE_WORDS: readonly (readonly [plus: string, minus: string])[] = [
  ['简短 简洁 短 精简', '冗长 长 详细 啰嗦'],
  ['快', '慢'],
  ['早上 早晨 上午', '晚上 夜里 深夜'],
  ['可靠 稳定 好用', '不可靠 不稳定 难用'],
  ['便宜', '贵 昂贵'],
  ['简单 容易', '复杂 困难'],
  ['深色 暗色', '浅色 亮色'],
  ['正式', '随意 非正式'],
  ['热', '冷 冰'],
  ['远程', '办公室 现场'],
];
