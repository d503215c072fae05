import { mayNameTimeInAnyLanguage } from '../../language/time/cue.js';
import type { TimeReading } from '../../language/time/read-time.js';
import { findStateWords } from '../../language/time/state-words.js';
import {
  blankRanges,
  cleanQuestion,
  isWithinAnyRange,
  MAX_KEYWORDS,
  MAX_TOKEN_LENGTH,
  type RangeInText,
  type Token,
  tokenize,
  wordSet,
} from '../../language/tokens.js';
import { EVERYDAY_WORDS } from '../../language/words/stop.js';
import { findContentRuns } from '../../language/words/terms.js';
import { asksForPersonByDay, findWordsForNow, isPastQuestion } from '../../language/words/time-words.js';
import { dayOf } from '../../workspace/clock.js';
import { readQuestionCues } from './cues.js';
import { findNamedEntities } from './entities.js';
import { exactTokens, singleTokenOf, splitAtSpaces } from './exact.js';
import {
  type QuestionContext,
  type QuestionReading,
  type QuestionWindow,
  STATEMENT_WEIGHT,
  type WordOfQuestion,
} from './reading.js';
import { splitQuestions } from './split-questions.js';
import { readTimeIntent } from './time-intent.js';
import { topicNames } from './topic-names.js';
import { readAllWords, readKeywords } from './words.js';

/**
 * Reads what a question asks for, without an index or a model. Never throws and is linear
 * in the question, of which at most the first 4,000 characters are read.
 */
export async function readQuestion(question: string, context: QuestionContext): Promise<QuestionReading> {
  const text = cleanQuestion(question);
  const quotes = quotations(text);
  const unquoted = blankRanges(text, quotes);
  const tokens = tokenize(text);
  const named = findNamedEntities(text, tokens, context.entities);
  const { asking, tells, asksFact } = splitQuestions(unquoted);
  const time = await timeOf(asking, named, context);
  const names = named.filter((name) => !isWithinAnyRange(name, time.ranges));
  const now = findWordsForNow(unquoted).filter((range) => !isWithinAnyRange(range, named));
  const unsaid = [...time.ranges, ...now];
  const untimed = blankRanges(text, unsaid);
  const words = readKeywords(text, tokens, { names, times: time.ranges, quotes, now });
  const called = new Set(names.map((name) => name.text));
  const found = {
    words: asksFact ? asked(words, tokenize(asking)) : tells ? told(words) : words,
    exact: [
      ...new Set([...quotes.map(({ phrase }) => phrase), ...exactTokens(unquoted, unsaid), ...singleTokenOf(text)]),
    ],
    cjk: cjkRuns(asksFact ? blankRanges(asking, unsaid) : untimed, called, tells && !asksFact),
  };
  const cues = readQuestionCues(asking);
  const isBare =
    names.length === 0 && namesNothing({ text, unquoted, untimed, ranges: time.ranges }, words, found.exact, cues);
  const isTimed = time.spans.length > 0;
  const timeOnly = isTimed && nothingBeside(text, time.ranges);
  const stopWordsOnly = !timeOnly && found.words.length + found.exact.length + found.cjk.length === 0;
  const said = isBare && time.asOf !== null ? ofTime(words) : found;
  const all = timeOnly || stopWordsOnly ? everything(text, found.exact) : said;
  return {
    text,
    untimed,
    phrase: asksFact ? asking : untimed,
    truncated: text.length < question.length || all.words.length > MAX_KEYWORDS || all.cjk.length > MAX_KEYWORDS,
    words: all.words.slice(0, MAX_KEYWORDS),
    exact: all.exact,
    cjk: all.cjk.slice(0, MAX_KEYWORDS),
    toldCjk: asksFact ? cjkRuns(blankRanges(text, unsaid), called, true).slice(0, MAX_KEYWORDS) : [],
    entities: [...new Set(names.map(({ slug }) => slug))],
    window: toWindow(text, time),
    ofTime: isTimed ? readTimeIntent(blankRanges(text, time.ranges)) : null,
    asOf: time.asOf,
    tense: now.length > 0 ? 'now' : tenseOf(unquoted),
    ...cues,
    names: tells || asksFact || (isOfTimeOnly(found) && isTimed) ? [] : topicNames(text, isContentOf(words, now)),
    timeOnly,
    stopWordsOnly,
    isBare,
  };
}

/** Words for what is true, of any kind. */
const FACTS = wordSet('back fact facts statement statements');

function tenseOf(text: string): 'past' | 'present' {
  return isPastQuestion(text) ? 'past' : 'present';
}

/** Whether a question has only stop words, frames, times and words such as "true", and asks for no kind of statement. */
function namesNothing(
  {
    text,
    unquoted,
    untimed,
    ranges,
  }: { text: string; unquoted: string; untimed: string; ranges: readonly RangeInText[] },
  words: readonly WordOfQuestion[],
  exact: readonly string[],
  { cues: { recent, ...asked }, wishes }: Pick<QuestionReading, 'cues' | 'wishes'>,
): boolean {
  if (Object.values({ ...asked, ...wishes }).includes(true)) return false;
  const times = ranges.map(({ start, end }) => text.slice(start, end)).join(' ');
  const state = findStateWords(unquoted);
  const asking = tokenize(state.map(({ start, end }) => untimed.slice(start, end)).join(' '));
  const said = new Set([...FACTS, ...asking.flatMap(({ lower }) => lower.split("'"))]);
  return (
    exact.every((token) => times.includes(token)) &&
    words.every(({ role, text: word }) => role === 'frame' || role === 'time' || said.has(word)) &&
    cjkRuns(blankRanges(untimed, state), NO_NAMES, false).length === 0
  );
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** "What happened in July 2018?" asks for a time, whatever page is called so. */
function isOfTimeOnly({ words, exact, cjk }: Pick<QuestionReading, 'words' | 'exact' | 'cjk'>): boolean {
  return exact.length + cjk.length === 0 && words.every(({ role }) => role === 'time' || role === 'frame');
}

/** A word for now narrows a question as a time does. */
function isContentOf(words: readonly WordOfQuestion[], now: readonly RangeInText[]): (token: Token) => boolean {
  const telling = words.filter(({ role }) => role !== 'frame');
  // "What is my name?" has no other.
  const content = new Set((telling.length === 0 ? words : telling).map(({ text }) => text));
  return (token) => isWithinAnyRange(token, now) || token.lower.split("'").some((piece) => content.has(piece));
}

function asked(words: readonly WordOfQuestion[], asking: readonly Token[]): readonly WordOfQuestion[] {
  const said = new Set(asking.flatMap(({ lower }) => lower.split("'")));
  const isAsked = ({ text }: WordOfQuestion): boolean => said.has(text);
  const only = words
    .filter((word) => !isAsked(word))
    .map((word) => ({ ...word, weight: STATEMENT_WEIGHT * word.weight }));
  return [...words.filter(isAsked), ...only];
}

/** Share of its weight that an everyday word keeps: it may occur on any topic, even if it is rare in these notes. */
const TELLING_SHARE = 0.3;

function told(words: readonly WordOfQuestion[]): readonly WordOfQuestion[] {
  return words.map((word) => (EVERYDAY_WORDS.has(word.text) ? { ...word, weight: TELLING_SHARE * word.weight } : word));
}

const NO_TIME: TimeReading = { spans: [], asOf: null, ranges: [], isYearly: false };

async function timeOf(text: string, named: readonly RangeInText[], context: QuestionContext): Promise<TimeReading> {
  if (context.isName === true || !mayNameTimeInAnyLanguage(text)) return NO_TIME;
  const { readTime } = await import('../../language/time/read-time.js');
  const time = readTime(text, {
    now: context.now,
    dayOf: (instant) => dayOf(instant, context.zone),
    dateOrder: context.dateOrder,
    isName: (position) => named.some(({ start, end }) => position >= start && position < end),
  });
  return isAskedAbout(text, await time) ? NO_TIME : time;
}

/** A day of every year that is asked about, and not when. */
function isAskedAbout(text: string, { spans: [span], isYearly }: TimeReading): boolean {
  return isYearly && span?.since?.slice(5) === span?.until?.slice(5) && asksForPersonByDay(text);
}

function cjkRuns(text: string, names: ReadonlySet<string>, isTold: boolean): string[] {
  const runs = tokenize(text).filter(({ kind }) => kind === 'cjk');
  return [...new Set(runs.flatMap((token) => findContentRuns(token.text, names, isTold)))];
}

/** The words of the time of a question, if it asks for nothing but what was true then. */
function ofTime(words: readonly WordOfQuestion[]): Pick<QuestionReading, 'words' | 'exact' | 'cjk'> {
  return { words: words.filter(({ role }) => role === 'time'), exact: [], cjk: [] };
}

/** All words of the question as written. Used if no word of the question stands out. */
function everything(text: string, exact: readonly string[]): Pick<QuestionReading, 'words' | 'exact' | 'cjk'> {
  const tokens = tokenize(text);
  const cjk = [...new Set(tokens.filter(({ kind }) => kind === 'cjk').map((token) => token.text))];
  const words = readAllWords(tokens);
  return { words, exact: exact.length + words.length + cjk.length > 0 ? exact : splitAtSpaces(text), cjk };
}

function nothingBeside(text: string, times: readonly RangeInText[]): boolean {
  return tokenize(blankRanges(text, times)).length === 0;
}

function toWindow(text: string, { spans, ranges, isYearly }: TimeReading): QuestionWindow | null {
  const [first] = spans;
  if (first === undefined) return null;
  return { ...first, spans, isYearly, text: ranges.map(({ start, end }) => text.slice(start, end).trim()).join(' … ') };
}

interface Quotation extends RangeInText {
  /** Between the quotation marks. */
  readonly phrase: string;
}

// A straight single quote is an apostrophe unless it stands outside of words at both ends.
const QUOTED =
  /"([^"\n]{1,256})"|“([^”\n]{1,256})”|„([^“”\n]{1,256})[“”]|«([^»\n]{1,256})»|「([^」\n]{1,256})」|『([^』\n]{1,256})』|《([^》\n]{1,256})》|`([^`\n]{1,256})`|(?<![\w\u00c0-\u1fff])['‘]([^'‘’\n]{1,256})['’](?![\w\u00c0-\u1fff])/g;

/** A question that stands in quotation marks as a whole is one, and no phrase that is looked for. */
const QUOTED_QUESTION = /^\s*["“„«「『'‘][^"“”„«»「」『』\n]*[?？]\s*["”“»」』'’]\s*$/;

/** The texts in quotation marks or backticks. They are meant literally, so nothing else is read from them. */
function quotations(text: string): Quotation[] {
  const found: Quotation[] = [];
  if (QUOTED_QUESTION.test(text)) return found;
  for (const match of text.matchAll(QUOTED)) {
    const phrase =
      match
        .slice(1)
        .find((group) => group !== undefined)
        ?.trim() ?? '';
    if (phrase !== '' && phrase.length <= MAX_TOKEN_LENGTH)
      found.push({ phrase, start: match.index, end: match.index + match[0].length });
  }
  return found;
}
