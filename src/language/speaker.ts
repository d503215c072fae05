import { BASIC_CJK_RANGES, CAPITAL_RANGES, LETTER_RANGES } from './scripts.js';
import { wholeWordPattern, wordSet } from './words/word-set.js';

/** A line of a conversation with its speaker. */
export interface SpokenLine {
  /** The name as written, without `@`, `*` and other marks. */
  readonly name: string;
  /** The text after the speaker's name. */
  readonly said: string;
}

/**
 * The date of a message: `12.03.24`, `2024-03-12`, `12-Mar-24`, `Mar 12, 2024`, `12 мар. 2024 г.`, `2024年3月12日`,
 * `Yesterday`.
 */
const DATE = `(?:\\d{1,4}[-./](?:\\d{1,2}|[A-Za-z]{3})(?:[-./]\\d{1,4})?|[A-Za-z]{3,9}\\.?\\s\\d{1,2},?\\s\\d{4}|\\d{1,2}\\.?\\s[${LETTER_RANGES}]{3,9}\\.?\\s\\d{4}(?:\\sг\\.)?|\\d{4}年\\d{1,2}月\\d{1,2}日|[A-Z][a-z]{4,8})`;
const TIME =
  '(?:[上下]午|午[前後]|오[전후])?\\s?\\d{1,2}[:.：]\\d{2}(?:[:.]\\d{2})?(?:\\s?[AaPp]\\.?[Mm]\\.?)?(?:Z|[+-]\\d\\d:?\\d\\d)?';
const CLOCK = `[[(（]?(?:${DATE}(?:,?\\s(?:at\\s)?|T))?${TIME}[\\])）]?`;
const SIGN = '[\\u2600-\\u27bf\\ud83c-\\ud83e\\udc00-\\udfff\\ufe0f\\u200d]';
const UNCASED = `\\u0590-\\u1fff${BASIC_CJK_RANGES}`;
const WORD = `[${LETTER_RANGES}${BASIC_CJK_RANGES}](?:[${LETTER_RANGES}${BASIC_CJK_RANGES}.'’・-]{0,38}[${LETTER_RANGES}${BASIC_CJK_RANGES}.])?`;
const PARTICLE = '(?:van|von|vom|zu|der|den|de|da|di|del|la|le|al|el|bin|ibn|bint|y|e)';
const NAME = `(${WORD}(?:\\s(?:${PARTICLE}\\s){0,2}[${CAPITAL_RANGES}${UNCASED}][${LETTER_RANGES}${BASIC_CJK_RANGES}.'’-]{0,30}){0,3}(?:\\s\\d{1,2}(?!\\d|[:.]\\d))?)`;
const MARK = '(?:\\*\\*|__|[*_`])?';
const LED = `(?:${CLOCK}[\\s,–-]*)`;
/** Pattern of a clock time after a name. A date in digits may stand before the time, but a date in words may not. */
const BEHIND = `[[(（]?(?:\\d[-\\d./]{3,9},?\\s)?${TIME}[\\])）]?`;
const SPOKEN = new RegExp(
  `^${LED}?(?:${MARK}[@＠]?${SIGN}*\\s?${NAME}\\s?${SIGN}*${MARK}(?:\\s*${BEHIND}|\\s?\\([^()\\d]{1,20}\\))?${MARK}\\s*(?:[:：]${MARK}(?:\\s|$|(?<=：${MARK}))|\\s[–—-]\\s)|<[@+]?([^<>\\s]{1,40})>\\s)`,
);
const LEADING_CLOCK = new RegExp(`^${LED}(?=\\S)`);
/** A quick test for lines that may begin with a clock time. */
const MAY_LEAD = /^[[(（]?(?:\d|[上下午오])|^[[(（]?[A-Z][a-z]+\s\d/;
const HEADING = new RegExp(
  `^(?:${MARK}${SIGN}*\\s?${NAME}\\s?${SIGN}*${MARK}(?:,?\\s+|\\s[–—-]\\s)${CLOCK}|[[(]${CLOCK.slice('[[(（]?'.length)}\\s+${NAME}):?$`,
);
/** A quick test for lines that may name only a speaker and a time. */
const MAY_HEAD = /\d[:.：]\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?[\])）]?:?$|^[[(].{0,30}\d[:.：]\d\d/i;
/** A quick test for lines that may name a speaker. A name has few words, and a clock time may precede it. */
const MAY_SPEAK = /^[^\s:：<]*(?:[:：<]|\s(?:[^\s:：<]+\s){0,8}(?:[^\s:：<]*[:：<]|[–—-]\s))/;
/** Invisible marks of the writing direction. Chat programs put them before exported lines. */
const UNSEEN = /^[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/;

/** Labels such as `Todo:` that begin a line of notes. They are not speakers. */
const LABELS = wordSet(
  `note notes nb todo fixme decision decisions decided summary question questions answer q a warning caution important tip hint example examples action actions
  update result results status goal goals next idea ideas ps problem problems fix cause reason plan agenda topic title name date time when where what why how who from to
  subject cc re url link source path port host owner version type tags tag author total price address phone email
  notiz notizen hinweis achtung wichtig aufgabe entscheidung entschieden beschluss fazit frage antwort ergebnis zusammenfassung beispiel ziel idee stand termin datum ort
  remarque attention décision réponse résumé exemple objectif idée lieu heure nota decisión pregunta respuesta resumen domanda risposta notitie besluit vraag antwoord
  решение вопрос ответ примечание заметка итог важно ملاحظة سؤال جواب قرار 메모 결정 질문 답변 참고
  注 注意 备注 待办 决定 问题 问 答 答案 回答 结论 总结 摘要 例如 时间 地点 日期 原因 目标 计划 想法 状态 メモ 注意点 決定 結論 質問 回答者 要約 例`,
);

/**
 * Reads the beginning of a line that may name a speaker: `Name:`, `**Name**:`, `[22:42] Name:`, `Name (22:42):`, `Name -
 * …` or `<Name> …`. Undefined for a line that begins in another way. A line of notes may also begin like that (`Budget:
 * …`). So the caller checks whether the name recurs: only then it is a speaker. Pure.
 */
export function readSpokenLine(line: string): SpokenLine | undefined {
  if (!MAY_SPEAK.test(line)) return undefined;
  const read = line.replace(UNSEEN, '');
  const [begins, written, nick] = SPOKEN.exec(read) ?? [];
  const name = nameOf(written ?? nick);
  return begins === undefined || name === undefined ? undefined : { name, said: read.slice(begins.length) };
}

/**
 * Reads a header that names the speaker of the lines below: `Name, [12.03.24 22:42]`, `Name  10:42 PM`, `[12/03 22:42]
 * Name`. Pure.
 */
export function readTurnHeader(line: string): string | undefined {
  if (line.length > MAX_TURN || !MAY_HEAD.test(line)) return undefined;
  const [, written, after] = HEADING.exec(line.replace(UNSEEN, '')) ?? [];
  return nameOf(written ?? after);
}

/** A line without its leading clock time. This time says when a message was sent, and does not answer a "when" question. */
export function withoutLeadingTime(line: string): string {
  return MAY_LEAD.test(line) ? line.replace(LEADING_CLOCK, '') : line;
}

const MAX_TURN = 100;

function nameOf(written: string | undefined): string | undefined {
  const name = written?.replace(/^_+|_+$/g, '');
  return name === undefined || LABELS.has(name.toLowerCase()) || /^\d*$/.test(name) ? undefined : name;
}

const OF_SELF = wholeWordPattern(
  'i my me mine myself we our us ich mein meine meinen meiner mich mir wir uns unser je j mon ma mes moi nous notre yo mi mis nosotros io mio mia noi ik mijn mij wij ons eu meu minha nós nosso nossa я мы мой моя мне меня нас нам наш',
);

/** Whether a text is in the first person, by the pronouns of nine languages. */
export function hasFirstPersonPronoun(said: string): boolean {
  return OF_SELF.test(said);
}
