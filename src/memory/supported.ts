import { lazy } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { detectLanguageGroup } from '../language/language-group.js';
import { isRoleOfSpeaker } from '../language/speakers.js';
import { openTimeReader } from '../language/time/read-time.js';
import { KIND_LETTERS } from '../markdown/bullet.js';
import { lowerCaseWords, sentencesOf } from '../text/sentences.js';
import { explainUnsupported } from './support/carried.js';
import { markNames, splitClauses } from './support/clauses.js';
import { ANY_DAY, type LineClause, readLineClause } from './support/line-clause.js';
import { SupportMessage, type SupportSource } from './support/message.js';
import { formsOf, isSmallWord, type TextWord, type WordForms, wordsOf } from './support/word-forms.js';

export type { SupportSource };

/** Maximum length of a line, in characters. */
const LONGEST = 600;
/** Characters that would get a meaning on a page, or hide something: comments, ids, links, invisible characters. */
const NOT_WRITTEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|<!--|-->|\]\(|\^[fo]-[0-9a-z]{13}\b|&\w+;/u;
const MARKED = /[`*_#<>|~^\\[\]]/u;
/** Text that must stand in the sources as it is: code, paths, file names. */
const EXACT = /`[^`]+`|[\w.~-]*[\w~-]\/[\w./-]*\w|(?<![\w.])[\w-]{2,}\.[A-Za-z][A-Za-z0-9]{0,4}(?![\w.])/gu;
/** List mark and kind of a line, then its leading names. */
const HEAD = new RegExp(`^\\s*(?:[-*+]\\s+)?(?:[${KIND_LETTERS}](?:\\(c=[^)]*\\))?\\s*:?\\s+)?`, 'u');
const LEADING_NAMES = /^(?:[@＠][^\s:：]+[,、]?\s*)+[:：]?\s*/u;

/** Why a line is not carried by its sources. Undefined if it is. */
export type WhyUnsupported = string | undefined;

/** Tells why a line is not carried by its sources. @param cites indices of the sources that the line cites; all without */
export type SupportTest = (line: string, cites?: readonly number[]) => WhyUnsupported;

/**
 * Makes a test of the lines that a model writes about some messages or lines. Each clause of a line must be carried by at
 * most two neighbouring sources of those that the line cites: its names, numbers, days and negation, and most of its telling
 * words. What the line is about may be named by another source that the model was shown, if the line cites its sources.
 * Pure; linear in the sources.
 */
export function makeSupportTest(sources: readonly SupportSource[]): SupportTest {
  const shown = new ShownSources(sources);
  const messages = sources.map((source, at) => new SupportMessage(source, sources[at + 1]));
  return (line, cites) => {
    const typed = line.replace(HEAD, '').trim();
    const leading = LEADING_NAMES.exec(typed)?.[0] ?? '';
    const said = plain(markNames(typed.slice(leading.length)));
    if (wordsOf(said).length === 0) return SAYS_NOTHING;
    if (line.length > LONGEST || NOT_WRITTEN.test(line)) return 'it is not one plain statement';
    const foreign = shown.whyForeign({ typed, leading, said });
    if (foreign !== undefined) return foreign;
    const clauses = shown.clausesOf(said);
    if (!clauses.some(tellsSomething)) return hasWordsOf(said, shown.text()) ? undefined : SAYS_NOTHING;
    const chosen = cites === undefined ? messages : messages.filter((_, at) => cites.includes(at));
    const by = { messages: chosen, shown: shown.forms(), isCited: cites !== undefined };
    return explainUnsupported(clauses, `${leading} ${said}`, by);
  };
}

/** A line, without its list mark and kind, and its parts: the names before the statement, and the plain statement. */
interface LineParts {
  readonly typed: string;
  readonly leading: string;
  readonly said: string;
}

/** All sources that a model was shown. Everything is read at its first use. */
class ShownSources {
  constructor(private readonly sources: readonly SupportSource[]) {}

  readonly text = lazy(() => this.sources.map(({ text }) => text).join('\n'));
  readonly forms = lazy(() =>
    formsOf([this.text(), ...this.sources.flatMap(({ entities = [] }) => entities)].join('\n')),
  );
  /** The years that the sources name, and those of their days. */
  private readonly years = lazy(() => {
    const ofDays = this.sources.flatMap(({ day }) => (day == null ? [] : [day.slice(0, 4)]));
    return new Set([...(this.text().match(YEARS) ?? []), ...ofDays]);
  });
  private readonly group = lazy(() => detectLanguageGroup(this.text()));
  private readonly groups = lazy(
    () => new Set(this.sources.map(({ text }) => detectLanguageGroup(text, () => this.group()))),
  );

  /** Why a line can't come from the sources, whatever their statements are. */
  whyForeign({ typed, leading, said }: LineParts): WhyUnsupported {
    const all = this.text();
    const inexact = findInexact(typed, all);
    if (inexact !== undefined) return `${inexact} is not there`;
    const year = said.match(YEARS)?.find((each) => !this.years().has(each));
    if (year !== undefined) return `${year} is not there`;
    const own = detectLanguageGroup(said, () => this.group());
    if (isOtherScript(own, this.groups())) return 'it is in another language than its sources';
    const unnamed = wordsOf(leading).find((word) => !isNamed(word, this.forms()));
    if (unnamed !== undefined) return `${unnamed.written} is not named`;
    const foreign = isLatin(own)
      ? wordsOf(said).find(({ written, isCjk }) => isCjk && !all.includes(written))
      : undefined;
    return foreign === undefined ? undefined : `${foreign.written} is not there`;
  }

  clausesOf(said: string): readonly LineClause[] {
    const own = detectLanguageGroup(said, () => this.group());
    const reader = openTimeReader(`${said}\n${this.text().slice(0, LANGUAGE_SHOWN)}`);
    const capitals = own === 'latin' || (own === 'english' && this.group() === 'latin') ? 'nouns' : 'names';
    return splitClauses(said).map((clause) => readLineClause(clause, capitals, reader));
  }
}

const SAYS_NOTHING = 'it says nothing';
const YEARS = /(?<!\p{N})(?:19|20)\d{2}(?!\p{N})/gu;
/** Number of characters of the sources that show in which languages their times are read. */
const LANGUAGE_SHOWN = 2_000;

/** The first text of a line that must stand in the sources as it is, and does not: code, a path, a word with markup. */
function findInexact(typed: string, sources: string): string | undefined {
  const code = [...typed.matchAll(EXACT)].map(([word]) => word.replace(/^`|`$/gu, ''));
  const marked = typed
    .split(/\s+/u)
    .map(plainWord)
    .filter((word) => MARKED.test(word));
  return [...code, ...marked].find((word) => !sources.includes(word));
}

/** Whether the words of a line stand in a text one after the other. */
function hasWordsOf(said: string, text: string): boolean {
  return ` ${lowerCaseWords(text).join(' ')} `.includes(` ${lowerCaseWords(said).join(' ')} `);
}

function isNamed({ folded, isCjk }: TextWord, shown: WordForms): boolean {
  if (isRoleOfSpeaker(folded) || isSmallWord(folded)) return true;
  return isCjk ? shown.coverage(folded).every(Boolean) : shown.hasExactly(folded);
}

/**
 * Whether a clause tells something. Its subject, words that occur on any topic, and verbs do not: "Tomas is a very good person
 * and works hard".
 */
function tellsSomething({ text, terms, numbers, timesOn }: LineClause): boolean {
  const [first] = terms;
  const isLed = first !== undefined && /^\p{Lu}/u.test(first.written) && text.trimStart().startsWith(first.written);
  const telling = terms.slice(isLed ? 1 : 0).filter(({ kind }) => kind !== 'common' && kind !== 'verb');
  return telling.length + numbers.length + timesOn(ANY_DAY).length > 0;
}

/** Whether a sentence says something beside its subject and a time. Greetings and thanks do not. Pure. */
export function saysSomething(sentence: string): boolean {
  const said = plain(sentence);
  const reader = openTimeReader(said);
  const clauses = splitClauses(said).map((clause) => readLineClause(clause, 'names', reader));
  return clauses.some((clause) => tellsSomething({ ...clause, timesOn: () => [] }));
}

/** Makes a test of lines that a model may only copy: each of their sentences is a whole sentence of a source. Pure. */
export function makeCopyTest(sources: readonly SupportSource[]): SupportTest {
  const keyOf = (sentence: string): string => lowerCaseWords(plain(sentence)).join(' ');
  const known = new Set(sources.flatMap(({ text }) => sentencesOf(text).map(keyOf)));
  return (line) => {
    const said = sentencesOf(line.replace(HEAD, '')).map(keyOf);
    return said.length > 0 && said.every((key) => known.has(key)) ? undefined : 'no message says it word for word';
  };
}

/** A line of a model that its sources do not carry, and the reason. */
export interface UnsupportedLine {
  readonly line: string;
  readonly reason: string;
}

/** Separates the lines that their sources carry from those that they do not, and from lines that repeat another one. */
export function separateUnsupported(lines: readonly string[], whyUnsupported: SupportTest) {
  const seen = new Set<string>();
  const kept: string[] = [];
  const refused: UnsupportedLine[] = [];
  for (const line of lines) {
    const key = lowerCaseWords(line).join(' ');
    const reason = seen.has(key) ? 'it repeats another line' : whyUnsupported(line);
    seen.add(key);
    if (reason === undefined) kept.push(line);
    else refused.push({ line, reason });
  }
  return { kept, refused };
}

/** The warning that counts refused lines; none without them. */
export function formatUnsupportedCount({ length }: readonly UnsupportedLine[]): readonly string[] {
  if (length === 0) return [];
  return [`${length} ${length === 1 ? 'line' : 'lines'} of the model left out, which nothing supports; see --verbose`];
}

/** One line for each refused line. */
export function formatUnsupportedLines(refused: readonly UnsupportedLine[]): readonly string[] {
  return refused.map(({ line, reason }) => `left out: "${line.slice(0, 200)}": ${reason}`);
}

/** Removes code and emphasis marks, which do not change what a line says. */
function plain(text: string): string {
  return text
    .replace(/[`*_#<>|~^\\[\]@＠“”「」]/gu, ' ')
    .replace(/:\/\//gu, ' ')
    .replace(/：/gu, ': ')
    .trim();
}

function plainWord(word: string): string {
  return word.replace(/^[*_`~]+|[*_`~:,.;]+$/gu, '');
}

/** Whether a line is in another script than every source. English and other languages are told apart by their words. */
function isOtherScript(own: string, groups: ReadonlySet<string>): boolean {
  return !groups.has(own) && !(isLatin(own) && (groups.has('english') || groups.has('latin')));
}

function isLatin(group: string): boolean {
  return group === 'english' || group === 'latin';
}

/**
 * Why the cited facts do not carry a sentence of a summary. The sentence stands in a generated block, so it must have no
 * markup at all. Pure.
 */
export function explainUnsupportedSentence(
  sentence: string,
  cited: readonly { readonly text: string; readonly entities: readonly string[]; readonly day: Day | null }[],
): WhyUnsupported {
  if (cited.length === 0) return 'it cites no fact';
  if (sentence.length > 500 || MARKUP.test(sentence)) return 'it is not one plain statement';
  return makeSupportTest(cited)(sentence);
}

/** Characters and marks that a sentence of a summary must not contain. */
const MARKUP =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>[\]`|*_#^~\\]|\]\(|:\/\/|&\w+;|\b[fol]-[0-9a-z]{13}\b|^\s*(?:[-+]|\d+[.)])\s/u;
