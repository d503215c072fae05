import { wholeWordPattern } from '../words/word-set.js';

/** Matches words for yearly events, or for "every year". */
const EVERY_YEAR = wholeWordPattern(
  `born birthdays? birthday's anniversar(?:y|ies) every each yearly annual(?:ly)?
  geburtstage? geboren jahrestag jährlich jede[nsmr]? anniversaire née? nés chaque tous_les annuel(?:le)?
  cumple\\S* naci[óod]\\S* aniversário aniversario cada todos_los todos_os anual nasce\\S* complean\\S* compie nat[oa] ogni annuale
  verjaar\\S* jarig geboren elke? jaarlijks день_рождения дня_рождения родил\\S* годовщин\\S* кажд\\S* ежегодн\\S*`,
  '生日|出生|生まれ|誕生日|周年|[纪紀记]念日|记念日|每年|毎年|생일|매년',
);
const WHO = wholeWordPattern(
  'who whose whom wer wessen wem qui quién quiénes de_quién chi wie кто кого кому чей чья чьё quem',
  '[谁誰]|누구',
);

/** Whether a text is about something that comes every year: a birthday, "every 1 April". */
export function isAboutYearlyEvent(text: string): boolean {
  return EVERY_YEAR.test(text);
}

/** Replaces "every year" in a Chinese text by spaces. Directly after 每年, as in `每年6月1日`, a date is not read. */
export function withoutYearlyWord(text: string): string {
  return text.replace(/[每毎]年/g, '  ');
}

/** Whether a question asks for a person by a yearly day and not for the date: "Who was born on February 17?". */
export function asksForPersonByDay(question: string): boolean {
  return WHO.test(question) && EVERY_YEAR.test(question);
}
