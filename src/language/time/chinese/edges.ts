/**
 * Where a Chinese time begins and ends. Chinese is written without spaces, so the character that can close a time may
 * open the next word (上周|日程, 去年|中秋), and the one that opens it may close the word before (目前|年薪, 线上|月活).
 * These are the common words in which it does, as pattern text. In doubt the wider time is read, or none: too wide a
 * window ranks a little worse, a wrong one hides the answer.
 *
 * Not `Intl.Segmenter`: its first use costs about 30 ms, and it cuts 上|周日 and 这|周一|共, 两|年前|台.
 */

import type { TimeRule } from '../expression.js';

/** A rule that reads one way to write a time in Chinese. */
export interface ChineseRule extends TimeRule {
  /**
   * Characters with which the time may end. If such a character begins a longer word there, it is not part of the time,
   * and the rule does not match.
   */
  readonly closing?: string;
  /** Every text that the rule matches contains one of these characters. */
  readonly has?: string;
  /**
   * Whether no rule reads a shorter form of the same time. Then a name that begins inside the time can't take its end.
   */
  readonly shortest?: boolean;
}

// Measure words, without those that open a longer word (项|目, 条|件): a numeral before one is a count.
const MEASURES =
  '个(?![性体])|位(?![置于])|名(?![单字额称])|次(?!日)|篇|份(?!额)|件|台(?![湾风])|场(?![地景合])|款(?!式)|轮(?!到)|顿|套(?!餐)|' +
  '条(?![件款])|本(?![来地周月人])|家(?![里人庭属])|首(?![页次先])|张(?=[发图照表截桌床票纸机门卡单])|趟|遍|杯|瓶|碗|块|元|岁|' +
  '[万千百倍种斤米]|天(?![天气津猫])|分钟|小时(?!候)|公里';

/** For each character that can end a time: the rest of the longer words that it begins, as a pattern. */
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
};

/**
 * For each character that can begin a time: the characters before it with which it is the end of an everyday word
 * instead.
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

const openedBy = new Map<string, RegExp>();

/** Whether the last character of a time is the beginning of a longer word that goes on with `after`. */
export function startsLongerWord(character: string, after: string): boolean {
  let words = openedBy.get(character);
  if (!words) {
    const measures = '一二三四五六'.includes(character) ? `|${MEASURES}` : '';
    words = new RegExp(`^(?:${OPENED[character] ?? '(?!)'}${measures})`);
    openedBy.set(character, words);
  }
  return words.test(after);
}

/** Whether the first character of a time is the end of a word that begins in `before`. */
export function endsLongerWord(character: string, before: string): boolean {
  const last = before.at(-1);
  return last !== undefined && (CLOSED[character] ?? '').includes(last);
}

/** A pattern that is compiled only for a text with one of some characters. Most questions need few of these patterns. */
export class LazyPattern extends RegExp {
  readonly #characters: readonly string[];

  constructor(characters: string, source: string) {
    super(source, 'y');
    this.#characters = [...characters];
  }

  override exec(text: string): RegExpExecArray | null {
    return this.#characters.some((character) => text.includes(character)) ? super.exec(text) : null;
  }
}
