import { mapWordsToNumbers } from '../../tokens.js';
import { type CountOrRange, nthPart, VAGUE_COUNT_RANGE } from '../calendar.js';
import { type Tense, type TextAroundMatch, textAroundMatch } from '../expression.js';
import { BOUNDS, type TimeBoundRule, type TimeGrammar } from '../grammar.js';
import { holidayNames } from '../holidays.js';
import type { TimeWords } from './words.js';

/** The weekdays, each with the three words for "week". */
const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日天'].map((day) =>
  [...day].flatMap((name) => ['周', '星期', '礼拜'].map((week) => week + name)).join('|'),
);
const NUMERALS = '一二三四五六七八九十';
const MONTHS = [...NUMERALS, '十一', '十二'].map((name, i) => `0?${i + 1}_?月份?|${name}_?月份?`);

// Measure words, without those that open a longer word (项|目, 条|件): a numeral before one is a count.
const MEASURES =
  '个(?![性体])|位(?![置于])|名(?![单字额称])|次(?!日)|篇|份(?!额)|件|台(?![湾风])|场(?![地景合])|款(?!式)|轮(?!到)|顿|套(?!餐)|' +
  '条(?![件款])|本(?![来地周月人])|家(?![里人庭属])|首(?![页次先])|张(?=[发图照表截桌床票纸机门卡单])|趟|遍|杯|瓶|碗|块|元|岁|' +
  '[万千百倍种斤米]|天(?![天气津猫])|分钟|小时(?!候)|公里';

/**
 * Chinese is written without spaces, so the character that can close a time may open the next word (上周|日程, 去年|中秋).
 * These are, for each such character, the rest of the common words that it begins, as a pattern. In doubt the wider time
 * is read, or none: too wide a window ranks a little worse, a wrong one hides the answer.
 *
 * Not `Intl.Segmenter`: its first use costs about 30 ms, and it cuts 上|周日 and 这|周一|共, 两|年前|台.
 */
const OPENED: Readonly<Record<string, string>> = {
  一:
    '共|起(?![草床飞因源码])|直(?![播接达])|些|样(?![本机品例])|般|定(?![位义价稿时制下])|切(?![换割到])|旦|律(?!师)|向|度(?!假)|贯|致|' +
    '同(?![事学步])|边(?![界缘])|面(?![试谈对向])|路(?![由径线演])|带(?![宽领来队了着去])|线(?![上下程索路])|流(?![程量水式])|群|堆|' +
    '批(?![准复改评量])|会儿|下(?![午班雨单])|点(?!了)|半|方(?![案法便向面])|手|口气|辈子|生(?![病日产成])|再|味|概',
  二: '手(?![机表册工动术])|维|期|胎|战|楼',
  三: '方(?![案法便向面])|星|亚|国|角|明治|维|峡|里屯|期|楼',
  四: '川|季|处(?!理)|方(?![案法便向面])|周(?![会报例])|肢|楼',
  五: '金|官|角|星|湖|粮|折|楼',
  六: '折|级|楼',
  日:
    '本(?![来地周月])|程(?!序)|志(?!愿)|报(?![告名销价警到错备])|记(?![录得住者])|常|语(?![音言])|元(?!旦)|期(?![间末待货])|历(?!史)|子|' +
    '活(?!动)|均|光|照(?![片常顾样])|落(?![地实])|食(?![堂物])|系(?![统列])|式|剧|料|韩|益|渐|出(?![发差门去现来版席错问口了])',
  天: '气|津|猫|天|空|使|才|然|线|河|文|花板|涯|堂|安门|府|赋|真|平|价|坛|山|鹅|桥|眼查',
  末: '班|代|梢|路|端|位|节|流',
  初: '次|步|恋|衷|心|见|稿|版|创|选|赛|夏|秋|冬|春|雪|审|试|级|中(?![国秋])|[一二三]|始|筛|诊',
  底: '薪(?![资水酬])|层|价(?![格值])|线(?![上下])|部(?![署门])|盘(?!点)|色|牌|气(?![温候])|片|稿|座|裤|妆|料|蕴|细|特律|板|图',
  中:
    '国|秋|间|文|心|学|部(?![署门])|标|奖|断|央|介|药|医|餐|午|级|小|途|型|东|英|美|日|层|转|轴|卷|信|铁|石|兴|关村|科院|超|甲|场|锋|' +
    '立|性|毒|招|签|式|华|原|产|年|枪|暑|伤|止|和|考|队|欧|非|韩|俄|德|法|印|环',
  周: '期(?![间末中货待望])|刊|岁|长|折|旋|围',
  月:
    '薪(?![资水])|嫂|饼|亮(?![相点])|球(?![赛队员])|租(?![金房了的])|供(?![应给货])|票(?![房据])|费(?!用)|刊(?!登)|均(?![价线])|' +
    '经(?![营历理常过济])|台(?![风湾])|食(?![堂物品])|活(?!动)|天(?![气天津猫])|[一两二三四五六\\d]次',
  年: '级|代(?!码)|龄|轻',
  前:
    '后|端(?!午)|台(?![湾风])|往(?![来事])|面(?![试谈对向])|景(?![区点])|途|缀|线(?![上下])|辈|任(?![命职何])|身|者|沿|置|锋|排|妻|夫|世|卫|' +
    '列|额|女友|男友|夕|言|瞻',
  后: '[端台面来续期天缀果悔勤]',
};

/**
 * For each character that can begin a time: the characters before it with which it is the end of an everyday word instead
 * (目前|年薪, 线上|月活).
 */
const CLOSED: Readonly<Record<string, string>> = {
  前: '目之以当提从先此面眼生事空跟年月周天日',
  后: '今之以最然此随往日先背幕落前',
  今: '如当迄古',
  去: '过',
  明: '证声文透发',
  本: '成基版样日根资剧课账脚副书文原',
  当: '相适应每',
  上: '线网早晚马街桌床赶遇碰跟楼',
  下: '线一以地楼如之余私底旗名当',
  近: '附接靠临将',
};
/** 从前 is a word of its own ("formerly"), but in 从前天起 ("since the day before yesterday") 前 begins a time. */
const SINCE_DAY = /^从(?:起|开始|以来|到|就|[早晚夜上下])/;
// 周五一 does not name a Friday, but 周五一起 does.
const NUMERAL = '[二三四五六七八九十]|一(?![共起直些样定切])';
const openedBy = new Map<string, RegExp>();

function longerWords(character: string): string {
  return `${OPENED[character] ?? '(?!)'}${'一二三四五六'.includes(character) ? `|${MEASURES}` : ''}`;
}

/** Whether the last character of a time is the beginning of a longer word that goes on with `after`. */
function opensWord(character: string, after: string): boolean {
  const words = openedBy.get(character) ?? new RegExp(`^(?:${longerWords(character)})`);
  openedBy.set(character, words);
  return words.test(after);
}

/** Whether the first character of a time is the end of a word that begins in `before`. */
function closesWord(character: string, before: string, after: string): boolean {
  const last = before.at(-1);
  return last !== undefined && (CLOSED[character] ?? '').includes(last) && !SINCE_DAY.test(last + after.slice(0, 60));
}

/** Words after the name of a season or feast that show that the name is a time and not a topic. */
const AS_TIME = /^(?:节|假期?|长假|期间|前后|之前|以前|之后|以后|前|后|当天|那天|那几天|的时候|时|里|以来)/;
const DAY_AS_TIME = /^(?:那天|当天|前后|之前|以前|之后|以后|左右)/;

export const CHINESE: TimeWords = {
  unspaced: true,
  days: `前天(?![津猫]) 昨[天日晚夜] 今[天晚早]|今日(?!头条|方舟) 明[天日晚] 后天(?!性|免疫) 大前天(?![津猫]) 大后天(?!性|免疫) /  /  / 每年的? 每个? 第 `,
  which:
    '上上一?个? 上一?个? [这本当]一?个? 下一?个? 下下一?个? / 最近的?|近的?|过去的? 这的?(?=[\\d一二两三四五六七八九十几半])(?!一[天日]) ',
  units: `(?!) (?!) 周|星期|礼拜 周末|星期末|礼拜末 月|月份 半年 季度(?!假) (?!) (?!) 半个月 / 个?多?半?小时|个?多?半?钟头 天|日 个?多?周|个?多?星期|个?多?礼拜 (?!) 个?多?月 (?!) 个?季度 年 分钟`,
  numbers: ' / 几|好几|些|数 / 第[一1] 第[二2] 第[三3] 第[四4] /  /  / 半|个半',
  counted: ' / 之前|以前|前 /  /  / 之后|以后|后',
  weekdays: WEEKDAYS.join(' '),
  months: MONTHS.join(' '),
  feasts: holidayNames('chinese'),
  seasons: '春[天季] 夏[天季] 秋[天季] 冬[天季]',
  signs: ' /  / 的 /  / 逢 双 单 几 个 每',
  dates: '日|号 /  / 年',
  ranges: ' / 直?到 至 ~ / 和 与 及 跟 、',
  parts: ' / 初|上旬 中|中旬 底|末|下旬 /  / 上半年|上半月|前半年 下半年|下半月|后半年',
  around: `前 后 / 月 年 / 今[天日](?!头条|方舟) 这个?时候|此时 / 里|内|以来|来 一下 上午|早上|中午|下午|晚上|夜里 / 多 / 那[一个]?周|那[一个]?星期|那[一个]?礼拜`,
  yearNames: '前年 去年|上一年 今年|本年 明年|下一年 后年 大前年',
  numerals: `q[1-4]|\\d+(?=,\\d{4}\\s?年)|\\d{4}(?=\\s?年)|十几|几十|好?几(?!个?性)|[零〇${NUMERALS}两]{1,4}多?|\\d{1,3}多`,
  edges: {
    opensWord,
    closesWord,
    weekday: `(?:(?<![周期拜][一二三四五六日天末])|${[...'一二三四五六日天末'].map((day) => `(?<=${day})(?!${longerWords(day)}|${NUMERAL})`).join('|')})`,
  },
  isTime: ({ isBareName, lenient, around: { before, after }, words }) => {
    if (!isBareName) return true;
    if (words.has('QUARTER')) return false;
    if (lenient) return true;
    if (words.has('d')) return DAY_AS_TIME.test(after);
    if (words.has('season') && /在$/.test(before)) return true;
    const isOwnWord = words.has('season') || !/[\u4e00-\u9fff]$/.test(before.replace(/[在从自到的]$/, ''));
    return isOwnWord && AS_TIME.test(after);
  },
};

const DIGITS = mapWordsToNumbers('零/〇 一 二/两 三 四 五 六 七 八 九', 0);

/** Parses a number in digits or Chinese numerals. A year is written digit by digit (二〇二五). NaN for any other text. */
export function parseChineseNumber(written: string): number {
  if (/^\d+$/.test(written)) return Number(written);
  if (!/^[零〇一二两三四五六七八九十]+$/.test(written)) return Number.NaN;
  if (!written.includes('十')) return Number([...written].map((digit) => DIGITS[digit]).join(''));
  const [tens = '', ones = '', ...rest] = written.split('十');
  if (rest.length > 0 || tens.length > 1 || ones.length > 1) return Number.NaN;
  return (tens === '' ? 1 : (DIGITS[tens] ?? Number.NaN)) * 10 + (ones === '' ? 0 : (DIGITS[ones] ?? Number.NaN));
}

/** A count before a unit: 三, 30, 几 (vague), 十几 (11 to 19), 两三 (two to three), 十多 (ten to nineteen). */
export function parseChineseCount(written: string): CountOrRange | undefined {
  if (written === '十几') return { from: 11, to: 19 };
  if (written === '几十') return { from: 20, to: 90 };
  if (/[几数些]/.test(written)) return VAGUE_COUNT_RANGE;
  const [first = '', second = ''] = [...written];
  if (/^[一二两三四五六七八九]{2}$/.test(written)) return { from: DIGITS[first] ?? 2, to: DIGITS[second] ?? 7 };
  const count = parseChineseNumber(written.replace('多', ''));
  if (Number.isNaN(count)) return undefined;
  return written.endsWith('多') ? { from: count, to: count + (count < 10 ? 1 : 9) } : count;
}

/**
 * 到 after a verb of something that lasts means "until": 休假到, 住到. After other verbs it is a part of the verb: 提到, 改到, 看到.
 */
const LASTS_UNTIL =
  /(?:直|假|差|[住待呆留租干做忙用开]|期|持续|进行|工作|上班|营业|开放|有效|延长|一直|培训|实习|合同|签证|活动|展览)到\s?$/;

const { around, from, since, starting, until } = BOUNDS;

/** Words that bound a time. Earlier ones win. */
const BOUNDS_IN_ORDER: readonly TimeBoundRule[] = [
  { ...until, before: /(?:截至|截止到?|截止至)\s?$/, asOf: true },
  { ...around, after: /^\s?(?:前后|左右|上下)/ },
  { ...around, before: /(?:大约|大概|差不多)[在是]?\s?$/ },
  { ...since, after: /^\s?(?:以来|至今|到现在)/ },
  { ...starting, before: /自从?\s?$/ },
  { ...starting, before: /从\s?$/, after: /^\s?起/ },
  { ...starting, after: /^\s?(?:起(?![\u4e00-\u9fff])|开始)/ },
  { ...from, before: /从\s?$/ },
  { ...BOUNDS.after, after: /^\s?(?:之后|以后|后(?![端台面来续期天缀果悔勤]))/, told: starting.told },
  { ...BOUNDS.before, after: /^\s?(?:之前|以前|前(?![后端台面任缀提置期]))/, told: until.told },
  { ...until, before: /直?到\s?$/, after: /^\s?为止/ },
  { ...until, after: /^\s?为止/, apply: undefined },
  { ...until, before: LASTS_UNTIL },
];

const COMING =
  /(?:将(?![军来近])|(?<![开例周年晚早班社机的聚组大议宴布事审享论唱长学谈日话站盘通动约协工员误体])会(?![议上话员前后场计面见谈了])|(?<![重主需只必纪摘概提简])要(?![求点闻素件了过])|(?<!的)(?:准备|计划|打算|预计)(?![了过]))/;
const PAST = /(?<![为除])了(?!解)|(?<![通超经])过(?![程期滤敏年去分时])|曾/;
/** The tense of a question, for a recurring time. Words after the time count before words ahead of it. */
export function detectChineseTense({ before, after }: Pick<TextAroundMatch, 'before' | 'after'>): Tense {
  return saidIn(after) ?? saidIn(before) ?? 'unsaid';
}

/** The tense that the first cue in a text shows: `ahead` for 要上线了吗, `past` for 说过要做. */
function saidIn(text: string): Tense | undefined {
  const coming = text.search(COMING);
  const past = text.search(PAST);
  if (coming < 0 && past < 0) return undefined;
  return past < 0 || (coming >= 0 && coming < past) ? 'ahead' : 'past';
}

/** What the Chinese grammar has besides its table of words. */
export const CHINESE_GRAMMAR: Partial<TimeGrammar> = {
  bends: [
    {
      words: ['第', '最后'],
      after: /^的?\s?(?:第([一二三四五1-5])|最后一?)个?(?:周|星期|礼拜)([一二三四五六日天末]?)/,
      apply: (period, [nth, day = '']) => {
        const weekday = '一二三四五六日天'.indexOf(day || '无') + 1;
        const part = day === '末' ? 'weekend' : weekday > 0 ? Math.min(7, weekday) : 'week';
        return nthPart(period, nth ? parseChineseNumber(nth) : -1, part);
      },
    },
  ],
  bounds: BOUNDS_IN_ORDER,
  carriers: { before: /在$/, after: /^\s?(?:的时候|期间|假期|当天|[这那]一天|那天|那几天|时候|里|内)/ },
  ranges: {
    opens: /(?:自从|从|自|在)\s?$/,
    to: /^\s?(?:直?到|至|-|–|—|~)\s?$/,
    and: /^\s?(?:和|与|及|、)\s?$/,
    closes: /^\s?之?间/,
  },
  habit: /每/,
  tense: (text, { start, end }) => detectChineseTense(textAroundMatch(text, start, end)),
};
