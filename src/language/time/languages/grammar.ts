import { AFTER_IT, AROUND_IT, BEFORE_IT, type Bend, type Bound, FROM_IT_ON, UP_TO_IT } from '../bound.js';
import { thirdOf } from '../calendar.js';
import type { Expression, TimeContext } from '../expression.js';
import type { Grammar } from '../grammar.js';
import { Patterns } from './pattern.js';
import { backwards, dates, dayOfMonth, forwards, PHRASES, type Phrase } from './phrases.js';
import type { Bounds, TimeWords } from './words.js';

/** How a language says times, by its words. */
export function grammarOf(words: TimeWords): Grammar {
  const patterns = new Patterns(words);
  const reader = new PhraseReader(words, patterns);
  const [the, inWords] = [either(words.the), either(`${words.in} ${words.on} ${words.of}`)];
  return {
    read: (text, context) => reader.read(text, context),
    bends: bendsOf(words, patterns),
    bounds: boundsOf(words, patterns),
    carriers: { before: patterns.ending(`${inWords}_(?:${the}_)?|${the}_`) },
    ranges: {
      opens: patterns.ending(`${either(words.from)}_(?:${the}_)?`),
      to: patterns.beginning(`(?:_${either(words.to)}_(?:${inWords}_)?(?:${the}_)?|\\s?[-–—]\\s?)$`),
      and: patterns.beginning(`,?_${either(words.and)}_(?:${inWords}_)?(?:${the}_)?$`),
      within: patterns.beginning(`,?_(?:${inWords}_)?(?:${the}_)?$`),
    },
    tense: tenseOf(words, patterns),
  };
}

/** The words of a bound, what they ask for and what they tell. */
const BOUNDS: Readonly<Record<keyof Bounds, Pick<Bound, 'apply' | 'told' | 'ahead' | 'opens'>>> = {
  since: { apply: FROM_IT_ON, opens: true, told: { bounds: 'since', which: 'latest' } },
  starting: { apply: FROM_IT_ON, opens: true, told: { bounds: 'since', which: 'announced' } },
  until: { apply: UP_TO_IT, ahead: true, told: { bounds: 'until', which: 'coming' } },
  before: { apply: BEFORE_IT, ahead: true },
  after: { apply: AFTER_IT },
  around: { apply: AROUND_IT, ahead: true },
};

const BOUND_KINDS = ['since', 'starting', 'until', 'before', 'after', 'around'] as const;

function boundsOf({ before, after, the, in: within }: TimeWords, patterns: Patterns): Bound[] {
  return BOUND_KINDS.flatMap((kind): Bound[] => {
    const behind = after?.[kind];
    return [
      { ...BOUNDS[kind], before: patterns.ending(`${either(before[kind])}_(?:${either(`${the} ${within}`)}_)?`) },
      ...(behind === undefined
        ? []
        : [{ ...BOUNDS[kind], opens: true as const, after: patterns.beginning(either(behind)) }]),
    ];
  });
}

const THIRDS = ['early', 'mid', 'late'] as const;

/** "Anfang März", "fin mars". */
function bendsOf({ parts, of, the }: TimeWords, patterns: Patterns): Bend[] {
  return parts.split(' ').map((part, i) => ({
    words: [''],
    before: patterns.ending(`(?:${part})(?:(?<=-)|(?:_${either(of)})?_(?:${either(the)}_)?)`),
    apply: (period) => thirdOf(period, THIRDS[i] ?? 'mid'),
  }));
}

function tenseOf({ past, present }: TimeWords, patterns: Patterns): (text: string) => 'past' | 'present' {
  const [looksBack, looksAhead] = [past, present].map((words) => patterns.anywhere(either(words)));
  return (text) => (!looksBack?.test(text) && looksAhead?.test(text) ? 'present' : 'past');
}

/** A phrase of the language, ready to be looked for. */
interface Looked {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly read: Phrase['read'];
}

/** Finds the phrases of a language in texts. */
class PhraseReader {
  private readonly phrases: readonly Looked[];
  private readonly cue: RegExp;
  private readonly partsAfter: readonly RegExp[];

  constructor(
    words: TimeWords,
    private readonly patterns: Patterns,
  ) {
    const own: readonly Phrase[] = [
      { says: words.ago.split(' '), read: backwards },
      { says: words.ahead.split(' '), read: forwards },
      { says: words.date.split(' '), read: dayOfMonth },
      { says: (words.dates ?? '').split(' '), read: dates },
    ];
    this.phrases = [...own, ...PHRASES].flatMap(({ says, read }) =>
      says.flatMap((say) => (say === '' ? [] : patterns.compile(say).map((compiled) => ({ ...compiled, read })))),
    );
    const { days, night, units, plurals, weekdays, months, seasons } = words;
    this.cue = patterns.anywhere(`${either([days, night, units, plurals, weekdays, months, seasons].join(' '))}|\\d.*`);
    this.partsAfter = (words.partsAfter ?? '')
      .split(' ')
      .flatMap((part) => (part === '' ? [] : patterns.beginning(part)));
  }

  /** @param text folded (see {@link foldLetters}) */
  read(text: string, context: TimeContext): readonly Expression[] {
    if (!this.cue.test(text)) return [];
    const found = this.phrases.flatMap((phrase) => this.look(text, phrase, context));
    // The sort is stable: of two that begin together the longer one, then the earlier phrase, wins.
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    let free = 0;
    return found.filter(({ start, end }) => {
      if (start < free) return false;
      free = end;
      return true;
    });
  }

  private look(text: string, { pattern, names, read }: Looked, context: TimeContext): Expression[] {
    return [...text.matchAll(pattern)].flatMap((match): Expression[] => {
      const said = this.patterns.said(match, names);
      if (isName(text, said.start, context)) return [];
      const meant = read(said, { ...context, patterns: this.patterns });
      if (!meant) return [];
      const third = this.partsAfter.findIndex((part) => part.test(text.slice(said.end)));
      const part = THIRDS[third];
      if (part === undefined) return [{ ...meant, start: said.start, end: said.end }];
      const length = this.partsAfter[third]?.exec(text.slice(said.end))?.[0].length ?? 0;
      return [{ period: thirdOf(meant.period, part), start: said.start, end: said.end + length }];
    });
  }
}

/** In the middle of a sentence "Morgen" is the morning, and "Ayer" a name. */
function isName(text: string, start: number, { isCapital, isName: named }: TimeContext): boolean {
  if (named(start)) return true;
  return (
    isCapital(start) &&
    /^(?:morgen|ayer|hoy|hier|demain|ontem|hoje|ieri|oggi|domani)/.test(text.slice(start, start + 8)) &&
    /[^\s.!?:;(*"„«“–—-]\s*$/.test(text.slice(0, start))
  );
}

function either(words: string): string {
  return `(?:${words.replaceAll(' ', '|')})`;
}
