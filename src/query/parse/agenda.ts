import type { Day } from '../../base/clock.js';
import { AGENDA_CUE, AGENDA_WORDS } from '../../language/words/question-cues.js';
import type { QuestionReading } from './reading.js';

/** Whether a question asks for what lies ahead, or for open tasks. */
export type AgendaPart = 'dates' | 'tasks';

/** A quick test: only such a question may ask for the agenda. */
export function mayAskAgenda(question: string): boolean {
  return question.length <= LONGEST && AGENDA_CUE.isIn(question.toLowerCase());
}

const LONGEST = 120;

/**
 * What a question asks of the agenda, if it asks for nothing else: "What's coming up?", "my open todos". A question with a
 * topic ("open tasks of the Larkspur project") asks for that topic.
 */
export function agendaPartOf(reading: QuestionReading, today: Day): AgendaPart | undefined {
  const { text, words, cjk, exact, entities, window, timeOnly, tense } = reading;
  if (exact.length + entities.length > 0 || timeOnly || tense === 'past') return undefined;
  if (window !== null && (window.spans.at(-1)?.until ?? today) < today) return undefined;
  const content = reading.stopWordsOnly ? [] : words.filter(({ role }) => role === 'content').map((word) => word.text);
  const { dates, tasks, beside } = AGENDA_WORDS;
  const isOfAgenda = (word: string): boolean => dates.has(word) || tasks.has(word) || beside.has(word);
  const isOther = (run: string): boolean => run.replace(AGENDA_WORDS.chinese, '') !== '';
  if (!content.every(isOfAgenda) || cjk.some(isOther)) return undefined;
  if (content.some((word) => dates.has(word))) return 'dates';
  if (content.some((word) => tasks.has(word)) || AGENDA_WORDS.chineseTasks.test(text)) return 'tasks';
  return AGENDA_WORDS.phrase.test(text) ? 'tasks' : 'dates';
}
