import { CAPITAL, CJK, LETTER } from './scripts.js';
import { wordSet } from './words/word-set.js';

/** Who says a line of a conversation. */
export interface Speaker {
  /** As written, without marks. */
  readonly name: string;
  /** What is said, without the clock that stands before it. */
  readonly said: string;
  /** `Name - …` may begin any line of notes: it is a speaker only where the name comes again. */
  readonly isSure: boolean;
}

const CLOCK =
  '[[(]?(?:\\d{1,4}[-./]\\d{1,2}[-./]\\d{1,4},?\\s+)?\\d{1,2}[:.]\\d{2}(?:[:.]\\d{2})?(?:\\s?[AaPp]\\.?[Mm]\\.?)?[\\])]?';
const WORD = `[${LETTER}${CJK}][${LETTER}${CJK}.'’-]{0,39}`;
const NAME = `(${WORD}(?:\\s[${CAPITAL}][${LETTER}.'’-]{0,30}){0,2})`;
const SPOKEN = new RegExp(
  `^(?:${CLOCK}[\\s,–-]*)?(?:\\*\\*|__)?[@＠]?${NAME}(?:\\*\\*|__)?(?:\\s*${CLOCK})?(?:\\*\\*|__)?\\s*(?:[:：](?:\\*\\*|__)?(?:\\s|(?<=：|：\\*\\*|：__))|(\\s[–—-]\\s))`,
);

/** What begins a line of notes and is nobody. */
const LABELS = wordSet(
  `note notes nb todo fixme decision decisions decided summary question questions answer q a warning caution important tip hint example examples action actions
  update result results status goal goals next idea ideas ps problem problems fix cause reason plan agenda topic title name date time when where what why how who from to
  subject cc re url link source path port host owner version type tags tag author total price address phone email
  notiz notizen hinweis achtung wichtig aufgabe entscheidung entschieden frage antwort ergebnis zusammenfassung beispiel ziel idee stand termin datum ort
  remarque attention décision réponse résumé exemple objectif idée lieu heure
  注 注意 备注 待办 决定 问题 问 答 答案 回答 结论 总结 摘要 例如 时间 地点 日期 原因 目标 计划 想法 状态 メモ 注意点 決定 質問 回答者 要約 例`,
);

/** Reads who says a line, or undefined: `Name:`, `**Name**:`, `[22:42] Name:`, `Name (22:42):`, `Name - …`. Pure. */
export function readSpeaker(line: string): Speaker | undefined {
  if (!/[:：]|\s[–—-]\s/.test(line.slice(0, 120))) return undefined;
  const [begins, written, dash] = SPOKEN.exec(line) ?? [];
  const name = written?.replace(/_+$/, '');
  if (begins === undefined || name === undefined || LABELS.has(name.toLowerCase()) || /^\d+$/.test(name))
    return undefined;
  return { name, said: line.slice(begins.length), isSure: dash === undefined };
}
