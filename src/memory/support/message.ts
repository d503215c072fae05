import { lazy } from '../../base/cache.js';
import type { Day } from '../../base/clock.js';
import { startsWithCapital } from '../../language/scripts.js';
import { daysBetween } from '../../language/time/calendar.js';
import { isFunctionWord } from '../../language/time/languages/detect.js';
import { openTimeReader, type TimeReader } from '../../language/time/read-time.js';
import { blankRanges, wordSet } from '../../language/tokens.js';
import { ENGLISH_STOP_WORDS } from '../../language/words/stop.js';
import { findContentRuns } from '../../language/words/terms.js';
import { accepts, clausesOfMessage, markNames, type SourceClause } from './clauses.js';
import { ANY_DAY, type ClauseTerm, type LineClause } from './line-clause.js';
import { isSameTime, namesDate, numbersOf, type TimeInText, timesOf } from './values.js';
import { isCommonWord, isSmallWord, readContentWords, type TextWord, WordForms, wordsOf } from './word-forms.js';

/** A message, or a line, that a line of a model is checked against. */
export interface SupportSource {
  readonly text: string;
  /** Names that belong to the text without standing in it, such as those of its entities and of its speaker. */
  readonly entities?: readonly string[];
  /** Day of the text. Null or absent if it has none. */
  readonly day?: Day | null;
  /** Name or role of the speaker. Another speaker may accept this speaker's question or offer. */
  readonly speaker?: string;
}

/** Words, numbers and days of a text. */
class Content {
  readonly words: readonly TextWord[];
  readonly forms: WordForms;
  readonly numbers: ReadonlySet<string>;
  readonly times: () => readonly TimeInText[];

  constructor(
    readonly text: string,
    names: readonly string[],
    readonly day: Day,
    reader: () => TimeReader,
  ) {
    this.words = wordsOf(text);
    this.forms = new WordForms([...this.words, ...names.flatMap(wordsOf)]);
    this.numbers = numbersOf(text, 'source');
    this.times = lazy(() => timesOf(text, day, reader()));
  }

  /** Share of a term that the text has, from 0 to 1. Only a run of Chinese may be there in part. */
  shareOf(term: ClauseTerm): number {
    if (term.kind === 'name') return this.forms.hasExactly(term.folded) ? 1 : 0;
    if (term.kind !== 'run') return this.forms.has(term.folded) ? 1 : 0;
    const covered = this.forms.coverage(term.folded);
    return covered.filter(Boolean).length / covered.length;
  }

  hasNumber(number: string): boolean {
    return this.numbers.has(number);
  }

  /** Whether the text names a time of a line, as the same days. */
  hasTime(time: TimeInText): boolean {
    const spans = this.times().flatMap((each) => each.spans);
    return isSameTime(time, spans) || namesDate(this.text, time, this.day);
  }
}

/** In days: a day within this distance is told instead of the day of the message. */
const NEAR = 14;

/** A clause of a source. */
export class ContentClause extends Content {
  constructor(
    readonly said: SourceClause,
    day: Day,
    reader: () => TimeReader,
  ) {
    super(said.text, [], day, reader);
  }

  /** Whether it names a day near its own: yesterday, next Monday. */
  namesOtherDay(): boolean {
    return this.times().some(({ spans }) =>
      spans.some(
        ({ since, until }) => since !== null && since === until && Math.abs(daysBetween(this.day, since)) <= NEAR,
      ),
    );
  }

  /** Its telling words in order, without its times. */
  readonly sequence = lazy(() => readContentWords(blankRanges(this.text, this.times())));

  /** The word by which the clause names its subject at its start. Undefined if a pronoun or nothing is its subject. */
  readonly lead = lazy(() => leadOf(wordsOf(blankRanges(this.text, this.times()))));
}

/** A source with its clauses. Everything is read at its first use. */
export class SupportMessage {
  readonly content: () => Content;
  readonly clauses: () => readonly ContentClause[];
  readonly day: Day;
  /** Whether the source names a time of a line. */
  readonly hasTime: (time: TimeInText) => boolean;

  constructor(source: SupportSource, next: SupportSource | undefined) {
    const { entities = [], day, speaker } = source;
    const text = markNames(source.text);
    this.day = day ?? ANY_DAY;
    const reader = lazy(() => openTimeReader(text));
    this.content = lazy(() => new Content(text, [...entities, speaker ?? ''], this.day, reader));
    // A clause alone may name a time that is read otherwise in the whole text.
    this.hasTime = (time) => this.content().hasTime(time) || this.clauses().some((clause) => clause.hasTime(time));
    this.clauses = lazy(() => {
      const isAccepted = next !== undefined && next.speaker !== speaker && accepts(next.text, text);
      const said = clausesOfMessage(text, isAccepted);
      return said.map((clause) => new ContentClause(clause, this.day, reader));
    });
  }
}

/** Number of terms and values of a clause that a text has. */
export function countShared(clause: LineClause, content: Content): number {
  const terms = clause.terms.reduce((sum, term) => sum + content.shareOf(term), 0);
  const times = clause.timesOn(content.day);
  return (
    terms +
    clause.numbers.filter((number) => content.hasNumber(number)).length +
    times.filter((time) => content.hasTime(time)).length
  );
}

/** Articles and possessives before the subject of a clause. */
const ARTICLES = wordSet(
  'the a an my our his her their der die das ein eine mein meine unser unsere sein seine ihr ihre',
);

function leadOf(words: readonly TextWord[]): TextWord | undefined {
  const [first, second] = words;
  const lead = first !== undefined && ARTICLES.has(first.folded) ? second : first;
  if (lead === undefined) return undefined;
  if (lead.isCjk) {
    const [run = ''] = findContentRuns(lead.folded, NO_NAMES, true);
    const start = [...run].slice(0, 2).join('');
    return lead.folded.startsWith(run) && [...run].length > 1
      ? { written: start, folded: start, isCjk: true }
      : undefined;
  }
  const next = words[words.indexOf(lead) + 1]?.folded ?? '';
  // "Sonst wird …": an adverb before the verb. A noun has an article there.
  if (lead === first && isFunctionWord(next) && !ENGLISH_STOP_WORDS.has(next)) return undefined;
  if (!startsWithCapital(lead.written) || isSmallWord(lead.folded) || isCommonWord(lead.folded)) return undefined;
  return lead;
}

const NO_NAMES: ReadonlySet<string> = new Set();
