import { COMMON_HAN } from '../../../language/scripts.js';
import { readValues } from '../../../memory/statement/values.js';

const HAN = new RegExp(`[${COMMON_HAN}]`, 'u');
/** What went wrong, or was seen once, is no state of things. */
const STORY =
  /\b(?:fail|error|crash(?:e[ds]|ing)|broke|bug|exception|warning|traceback|undefined|null|line \d|return|show|print|throw|hang|hung|stuck|slow|looks? like|seems?|tried|saw|ran|i (?:have|had|got|get|see|think|can|just))\p{L}*/iu;
const CHINESE_STORY = /报错|失败了|错误|异常|崩|出错|好像|刚才|刚刚|看到|卡住|不动|不了/u;
const CHINESE_REQUEST =
  /^(?:请|麻烦|帮|给我|(?:看|查|检查|修|写|加个|加一|运行|跑一下|删|试)(?!.*[是为])|把(?!.*(?:[改换调设升降提]|到)))|一下|[吗呢么]$|怎么|为什么|能不能/u;
/** A file is what is worked on. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|md|json|ya?ml|toml|vue|s?css|html?|c|h|cpp|sh|sql|txt|lock|csv|log)$/u;
/** What is asked to be done now, and not how something is to be. */
const WORK =
  /^\W*(?:(?:please|ok(?:ay)?|so|now|then|and|also|just|let['’]?s|can you|could you|go ahead and)[\s,]+)*(?:run|rerun|fix|add|check|look|show|write|test|debug|find|explain|summari[sz]e|review|refactor|create|make a|remove|delete|open|read|try|search|list|print|revert|implement|investigate|compare|generate|draft|clean|tidy|build|install|continue|finish|start|stop|wait|tell|give me|help|do)\b/iu;
const LONGEST = 160;

/** What names one thing among others: with a digit, a sign or a capital within, in marks. */
const NAMED = /^(?:\S*(?:\p{L}[\d_./:@#-]+[\p{L}\d]|\d[_./:@-]*[\p{L}\d]|[#@/]\p{L}|\p{Ll}\p{Lu}|%)\S*|`[^`]+`)$/u;
/** A name says what something is right behind a copula or where it is. */
const IS_NAME =
  /\s(?:is|are|[:=→]|on|at|in|by|with|to|uses?)\s\p{Lu}[\p{L}\d]+[.!]?$|^\p{Lu}\p{L}+\s\p{Ll}{3,}s\s(?:off\s)?the\s/u;
/** A subject, then what it is or does, by the form of the word. */
const STATES =
  /^(?:(?:ok(?:ay)?|so|also|btw|fyi|actually|\p{L}+:),?\s)?(?:(?!(?:this|that|it|there|what|which|i|you|if|when|how|why|let['’]?s)\b)[\p{L}\d_./@#'’-]+\s){1,6}?(?:is|are|has|have|must|will|may|can|\p{Ll}{3,}(?<!s)s|\p{Ll}{2,}ed)\s|^[\p{L}\d_ -]{3,40}\s?[:=→]\s/iu;
/** What is said to be something, or a word of another script or a number. */
const CHINESE_VALUE = /\p{L}[是由叫归为在用]\p{L}|[A-Za-z\d]/u;
/** Words of a statement that says one thing; what is new of it stands at its end. */
const MOST_WORDS = 14;

/** Whether a short sentence says how something is, or is to be from now on, with a value: no story, no piece of work. Pure. */
export function isStanding(text: string): boolean {
  if (text.length > LONGEST) return false;
  if (HAN.test(text)) return CHINESE_VALUE.test(text) && !CHINESE_STORY.test(text) && !CHINESE_REQUEST.test(text);
  const words = text.replace(/[.!]+$/u, '').split(/\s+/u);
  return (
    words.length > 2 &&
    words.length <= MOST_WORDS &&
    STATES.test(text) &&
    (readValues(text).length > 0 ||
      IS_NAME.test(text) ||
      words.slice(-3).some((word) => NAMED.test(word) && !FILE.test(word))) &&
    !STORY.test(text) &&
    !WORK.test(text)
  );
}

/** Whether something is asked to be done now. Pure. */
export function isWork(text: string): boolean {
  return WORK.test(text) || CHINESE_REQUEST.test(text);
}
