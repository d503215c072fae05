import type { Day } from '../../base/clock.js';
import { mayNameTimeInAnyLanguage } from '../../language/time/cue.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { AGENDA_CUE, AGENDA_WORDS } from '../../language/words/question-cues.js';
import type { QuestionReading } from './reading.js';

/** Whether a question asks for what lies ahead, for open tasks, or for those that are overdue. */
export type AgendaPart = 'dates' | 'tasks' | 'overdue';

/** A quick test: only such a question may ask for the agenda. */
export function mayAskAgenda(question: string): boolean {
  return question.length <= LONGEST && (AGENDA_CUE.isIn(question.toLowerCase()) || mayNameTimeInAnyLanguage(question));
}

const LONGEST = 120;

/**
 * The part of the agenda that a question asks for: "What's coming up?", "my open todos", "what do I have on Friday?".
 * Undefined if the question has a topic ("open tasks of the Larkspur project").
 */
export function agendaPartOf(reading: QuestionReading, today: Day): AgendaPart | undefined {
  const { text, words, cjk, exact, entities, window, asOf, timeOnly, tense } = reading;
  if (exact.length + entities.length > 0 || timeOnly) return undefined;
  const asksWhatToDo = AGENDA_WORDS.phrase.test(text);
  if (tense === 'past' && !asksWhatToDo) return undefined;
  const last = window?.spans.at(-1);
  if (last !== undefined && (last.until ?? today) < today) return undefined;
  const isAhead = last !== undefined && asOf === null && (last.since ?? '') > today;
  if (!isAhead && !AGENDA_CUE.isIn(text.toLowerCase())) return undefined;
  const content = reading.stopWordsOnly ? [] : words.filter(({ role }) => role === 'content').map((word) => word.text);
  const { dates, tasks, overdue, beside } = AGENDA_WORDS;
  const isOfAgenda = (word: string): boolean =>
    dates.has(word) || tasks.has(word) || overdue.has(word) || beside.has(word) || isFunctionWord(word);
  const isOther = (run: string): boolean => run.replace(AGENDA_WORDS.chinese, '') !== '';
  if (!content.every(isOfAgenda) || cjk.some(isOther)) return undefined;
  if (content.some((word) => overdue.has(word))) return 'overdue';
  if (content.some((word) => dates.has(word))) return 'dates';
  if (content.some((word) => tasks.has(word)) || AGENDA_WORDS.chineseTasks.test(text)) return 'tasks';
  return asksWhatToDo ? 'tasks' : 'dates';
}
