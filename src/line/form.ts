import { BASIC_CJK_RANGES, LETTER_RANGES } from '../language/scripts.js';

/**
 * The bits of a line's form. A line may have several. The indexer reads them once and stores them with the line.
 *
 * - `asksOnly`: all that the line does is ask.
 * - `endsAsking`: the line ends in a question, so the next line may be its answer.
 * - `header`: the line only says who wrote the lines below, when and to whom.
 * - `quoted`: the line repeats what somebody wrote elsewhere.
 * - `query`: the line stands in a block that asks another program for a list.
 * - `done` and `cancelled`: the state of a task. An open task has neither.
 * - `struck`: the line is struck through.
 * - `links`: the line has only links and tags.
 * - `note`: a program wrote the line beside statements, and it says nothing itself.
 * - `empty`: the line has only signs, or is an empty task or the mark of a fence.
 * - `mostlyLinks`: more of the line is in links than beside them.
 * - `date`: the line is no task, and nothing but a date, with the names of its day and month.
 * - `bold`: the line is bold as a whole, as a title.
 * - `observed`: `reflect --observe` counted other lines for it, and nobody has edited it. It is no evidence.
 * - `stamped`, `ofRow` and `ofHeading`: the line has its day by its own beginning, by its row, or by what stands above it.
 */
export const LINE_FORM = {
  asksOnly: 1,
  endsAsking: 2,
  header: 4,
  quoted: 8,
  query: 16,
  done: 32,
  cancelled: 64,
  struck: 128,
  links: 256,
  note: 512,
  empty: 1024,
  mostlyLinks: 2048,
  date: 4096,
  bold: 8192,
  observed: 16384,
  stamped: 32768,
  ofRow: 65536,
  ofHeading: 131072,
} as const;

/** The name of a bit of a line's form. */
export type LineFormName = keyof typeof LINE_FORM;

/** Whether a line has a form. */
export function hasForm({ form }: { readonly form: number }, name: LineFormName): boolean {
  return (form & LINE_FORM[name]) !== 0;
}

const ASKS = /[?？]\s*(?:\[[^\]]*\])?$/;

/**
 * A question is short, and says so little beside what it asks: longer ones state something and then ask. The line before
 * one that answers it may say more. In characters.
 */
const QUESTION_MAX_CHARS = { alone: 160, told: 60, before: 300 } as const;

/** Whether a text ends in a question that is short enough for the line after it to be its answer. */
function endsInQuestion(text: string): boolean {
  return text.length <= QUESTION_MAX_CHARS.before && ASKS.test(text);
}

/** Whether all that a line does is to ask; what says something and then asks is a statement. */
function isQuestionOnly(text: string): boolean {
  if (text.length > QUESTION_MAX_CHARS.alone || !ASKS.test(text)) return false;
  const told = text
    .replace(/^[^:]{1,40}: /, '')
    .replace(/[^.!?。！？]*[?？]/g, '')
    .replace(/\[[^\]]*\]\s*$/, '');
  return told.trim().length <= QUESTION_MAX_CHARS.told;
}

const TASK = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[([xX-])\]\s/;
const STRUCK = /^~~.+~~[.。]?$/su;
const ONLY_LINKS = /^(?:[\s,;|·>→-]|\[\[[^[\]]*\]\]|\[[^[\]]*\]\([^()\s]*\)|#\S+)*$/u;

/**
 * The forms that a line shows by itself.
 * @param text the text of the line, without marks of lists and quotes
 * @param written the line as it stands in the file
 */
export function readLineForm(text: string, written = ''): number {
  let form = 0;
  if (/[?？]/.test(text)) {
    if (isQuestionOnly(text)) form |= LINE_FORM.asksOnly;
    if (endsInQuestion(text)) form |= LINE_FORM.endsAsking;
  }
  const mark = TASK.exec(written)?.[1];
  if (mark !== undefined) form |= mark === '-' ? LINE_FORM.cancelled : LINE_FORM.done;
  if (text.startsWith('~~') && STRUCK.test(text)) form |= LINE_FORM.struck;
  if (text.includes('](') || text.includes('[[')) {
    if (ONLY_LINKS.test(text)) form |= LINE_FORM.links | LINE_FORM.mostlyLinks;
    else if (isMostlyLinks(text)) form |= LINE_FORM.mostlyLinks;
  }
  if (isEmpty(text)) form |= LINE_FORM.empty;
  if (text.startsWith('**') && BOLD.test(text)) form |= LINE_FORM.bold;
  if (isDate(text)) form |= LINE_FORM.date;
  return form;
}

const BOLD = /^\*\*[^*]+\*\*:?$/;
const BOX = /^\[.\]\s/u;
const EMPTY_TASK = /^\[[ xX]?\]$/;
const FENCE = /^(?:`{3}|~{3})/;
/** A cheap look: the pattern that knows all of Unicode takes milliseconds to build. */
const SOME_LETTER = new RegExp(`[${LETTER_RANGES}${BASIC_CJK_RANGES}]`);
const SIGNS = /^[^\p{L}\p{N}\p{Extended_Pictographic}]*$/u;

function isEmpty(text: string): boolean {
  return EMPTY_TASK.test(text) || FENCE.test(text) || (!SOME_LETTER.test(text) && SIGNS.test(text));
}

const LINK = /\[\[([^[\]]*)\]\]|\[([^[\]]*)\]\([^()\s]*\)/g;

function isMostlyLinks(text: string): boolean {
  return 2 * countLetters(text.replace(LINK, '')) < countLetters(text.replace(LINK, '$1$2'));
}

/** Number of letters and digits in a text. */
function countLetters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const sort = sortOf(text, at);
    if (sort === LETTER || sort === DIGIT) count++;
  }
  return count;
}

const DATE = /\d{4}([-./_])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{4}|\d{4}年|\b\d{4}\b/;
/** Maximum length of a date in characters, and maximum number of words in it. */
const LONGEST_DATE = { chars: 100, words: 2 } as const;

function isDate(text: string): boolean {
  if (text.length > LONGEST_DATE.chars || !DATE.test(text) || BOX.test(text)) return false;
  const words = text.replace(/\d+(?:st|nd|rd|th)?|[年月日号周星期]/g, ' ').match(/\p{L}+/gu) ?? [];
  return words.length <= LONGEST_DATE.words;
}

/** Maximum length of a line of a series, in characters. A longer line says something of its own. */
const LONGEST_IN_SERIES = 1_000;

const [LETTER, DIGIT, SIGN, START] = [1, 2, 3, 4];
/** Letters, digits and the sign `#` of ASCII by their codes. All other characters are 0, and stand between words. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[a-z]/i.test(char) ? LETTER : /\d/.test(char) ? DIGIT : char === '#' ? SIGN : 0;
});
const IN_WORD = /[\p{L}\p{M}]/u;

/**
 * Key that lines share which differ only in their numbers: "Disk at 64 %", "Disk at 53 %". Null for a line without numbers
 * or without words. A hash by characters, because patterns would take a tenth of the time of indexing.
 */
export function readSeries(text: string): number | null {
  if (text.length > LONGEST_IN_SERIES || !/\d/.test(text)) return null;
  let hash = 0x811c9dc5;
  let hasLetter = false;
  let before = START;
  for (let at = 0; at < text.length; at++) {
    const sort = sortOf(text, at);
    if (sort === 0) {
      if (before !== START) before = 0;
      continue;
    }
    if (before === 0) hash = withCharacter(hash, 32);
    if (sort === LETTER) hash = withCharacter(hash, text.charCodeAt(at));
    else if (sort === SIGN || before !== DIGIT) hash = withCharacter(hash, 35);
    hasLetter ||= sort === LETTER;
    before = sort;
  }
  return hasLetter ? hash >>> 0 : null;
}

/** Whether a character is a letter, a digit or the sign `#`. 0 for all others. */
function sortOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < ASCII.length ? (ASCII[code] ?? 0) : IN_WORD.test(text.charAt(at)) ? LETTER : 0;
}

function withCharacter(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
