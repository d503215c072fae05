import { plainText } from '../plain-text.js';
import { hasHan } from '../scripts.js';
import { wordSet } from './word-set.js';

/** Names of the days of the week and what they are shortened to, without diacritics. */
const WEEKDAYS = wordSet(`
  monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
  maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
  lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
  lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom
  segunda-feira terca-feira quarta-feira quinta-feira sexta-feira segunda terca quarta quinta sexta seg ter qua qui sex
  lunedi martedi mercoledi giovedi venerdi gio
  понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
  星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日 周天
  週一 週二 週三 週四 週五 週六 週日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月 火 水 木 金 土 日
  월요일 화요일 수요일 목요일 금요일 토요일 일요일
`);

/** Whether a text is nothing but the name of a day of the week, in any of some languages, or what it is shortened to. */
export function isWeekday(text: string): boolean {
  return WEEKDAYS.has(plainText(text).replace(/[.。]$/, ''));
}

/**
 * Places that notes in two languages name in both: the larger cities of China, and what people travel to most. A fact in
 * one language then ends what one in the other says.
 */
const NAMES =
  `北京 beijing|上海 shanghai|广州 guangzhou|深圳 shenzhen|杭州 hangzhou|南京 nanjing|苏州 suzhou|成都 chengdu|重庆 chongqing|武汉 wuhan|西安 xian|天津 tianjin
青岛 qingdao|厦门 xiamen|大连 dalian|宁波 ningbo|无锡 wuxi|长沙 changsha|郑州 zhengzhou|昆明 kunming|沈阳 shenyang|济南 jinan|合肥 hefei|福州 fuzhou|香港 hongkong
澳门 macau|台北 taipei|东京 tokyo|大阪 osaka|京都 kyoto|首尔 seoul|新加坡 singapore|曼谷 bangkok|伦敦 london|巴黎 paris|柏林 berlin|慕尼黑 munich|维也纳 vienna
苏黎世 zurich|日内瓦 geneva|罗马 rome|米兰 milan|马德里 madrid|里斯本 lisbon|阿姆斯特丹 amsterdam|纽约 york|旧金山 francisco|洛杉矶 angeles|西雅图 seattle|波士顿 boston
芝加哥 chicago|多伦多 toronto|温哥华 vancouver|悉尼 sydney|墨尔本 melbourne|莫斯科 moscow|迪拜 dubai`
    .split(/[|\n]/)
    .map((pair) => pair.split(' '));

/** A text with the Chinese names of places in Latin letters, too. */
export function withLatinPlaces(text: string): string {
  if (!hasHan(text)) return text;
  return NAMES.reduce((said, [chinese = '', latin = '']) => said.replaceAll(chinese, ` ${latin} `), text);
}
