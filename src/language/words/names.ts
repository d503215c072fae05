import { foldText, isAscii } from '../fold-text.js';
import { AnyWordTest } from '../tokens.js';
import { wordSet } from './word-set.js';

const LEAST = 4;

/** Names of weekdays and their short forms, without diacritics. */
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

const IN_ASCII = new AnyWordTest([...WEEKDAYS].filter((name) => name.length >= LEAST && isAscii(name)).join('|'));

/** Whether a text may contain a weekday name of at least four letters: a quick test. */
export function mayNameWeekday(text: string): boolean {
  return !isAscii(text) || IN_ASCII.isIn(text);
}

/** Whether a text is only a weekday name or its short form, in any supported language. */
export function isWeekday(text: string): boolean {
  const plain = foldText(text);
  return WEEKDAYS.has(plain.endsWith('.') || plain.endsWith('。') ? plain.slice(0, -1) : plain);
}
