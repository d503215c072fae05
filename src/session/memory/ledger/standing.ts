import { COMMON_HAN } from '../../../language/scripts.js';
import { readTopic } from './topic.js';

const HAN = new RegExp(`[${COMMON_HAN}]`, 'u');
/** What went wrong, or was seen once, is no state of things. */
const STORY =
  /\b(?:fail|error|crash(?:e[ds]|ing)|broke|bug|exception|warning|traceback|undefined|null|line \d|return|show|print|throw|hang|hung|stuck|slow|looks? like|seems?|tried|saw|ran|i (?:have|had|got|get|see|think|can|just))\p{L}*/iu;
const CHINESE_STORY = /报错|失败了|错误|异常|崩|出错|好像|刚才|刚刚|看到|卡住|不动|不了/u;
const CHINESE_REQUEST =
  /^(?:请|麻烦|帮|给我|看|查|检查|修|写|加个|加一|运行|跑一下|删|试|把(?!.*(?:[改换调设升降提]|到)))|一下|[吗呢么]$|怎么|为什么|能不能/u;
/** A file is what is worked on. */
const FILE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|md|json|ya?ml|toml|vue|s?css|html?|c|h|cpp|sh|sql|txt|lock|csv|log)$/u;
/** What is asked to be done now, and not how something is to be. */
const WORK =
  /^\W*(?:(?:please|ok(?:ay)?|so|now|then|and|also|just|let['’]?s|can you|could you|go ahead and)[\s,]+)*(?:run|rerun|fix|add|check|look|show|write|test|debug|find|explain|summari[sz]e|review|refactor|create|make a|remove|delete|open|read|try|search|list|print|revert|implement|investigate|compare|generate|draft|clean|tidy|build|install|continue|finish|start|stop|wait|tell|give me|help|do)\b/iu;
const LONGEST = 160;

/** Whether a short sentence says how something is, or is to be from now on, with a value: no story, no piece of work. Pure. */
export function isStanding(text: string): boolean {
  if (text.length > LONGEST) return false;
  const topic = readTopic(text);
  const values = topic.values.filter(({ kind, text: value }) => (kind !== BARE || topic.isSaid) && !FILE.test(value));
  if (values.length === 0 || topic.about.size === 0) return false;
  if (HAN.test(text)) return !CHINESE_STORY.test(text) && !CHINESE_REQUEST.test(text);
  if (STORY.test(text)) {
    const parts = text.split(/[,;]\s+/u);
    return parts.length > 1 && parts.some(isStanding);
  }
  if (topic.isSaid) return !WORK.test(text);
  return !WORK.test(text) && values.some(({ kind }) => kind !== 'name' && kind !== 'code');
}

/** Whether something is asked to be done now. Pure. */
export function isWork(text: string): boolean {
  return WORK.test(text) || CHINESE_REQUEST.test(text);
}

/** A number alone may be that of a page, a ticket, a line. */
const BARE = 'number ';
