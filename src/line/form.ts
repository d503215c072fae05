/**
 * What a line is by its form, as a set of bits. Read once, when a file is indexed, and stored with the line.
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
 * @param written the line as it stands in the file
 * @param text its text, without marks of lists and quotes
 */
export function readLineForm(written = '', text = ''): number {
  let form = 0;
  if (/[?？]/.test(text)) {
    if (isQuestionOnly(text)) form |= LINE_FORM.asksOnly;
    if (endsInQuestion(text)) form |= LINE_FORM.endsAsking;
  }
  const mark = TASK.exec(written)?.[1];
  if (mark !== undefined) form |= mark === '-' ? LINE_FORM.cancelled : LINE_FORM.done;
  if (text.startsWith('~~') && STRUCK.test(text)) form |= LINE_FORM.struck;
  if ((text.includes('](') || text.includes('[[')) && ONLY_LINKS.test(text)) form |= LINE_FORM.links;
  return form;
}
