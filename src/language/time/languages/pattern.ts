import { LETTER } from '../../scripts.js';
import type { TimeWords } from './words.js';

/** Words of a language that a phrase asks for as `<name>`; the value of a match is its place in the list. */
const LISTS = {
  day: 'days',
  which: 'which',
  unit: 'units',
  n: 'numbers',
  ordinal: 'ordinals',
  weekday: 'weekdays',
  month: 'months',
  season: 'seasons',
} as const satisfies Readonly<Record<string, keyof TimeWords>>;

type ListName = keyof typeof LISTS;

/** Where the units stand in {@link TimeWords.units}. */
export const UNITS = ['hour', 'day', 'week', 'weekend', 'month', 'half', 'quarter', 'year'] as const;

/** What a phrase said: the text of each `<name>` and its place in the list of the language. */
export interface Said {
  readonly start: number;
  readonly end: number;
  /** What stands before it. */
  readonly before: string;
  text(name: string): string;
  place(name: ListName): number;
  /** The number of a `<d>` or `<q>`, or of a month in digits. */
  number(name: string): number;
}

/** The phrases of one language, as patterns. */
export class Patterns {
  private readonly sources: Readonly<Record<string, string>>;
  private readonly entries = new Map<string, readonly RegExp[]>();

  constructor(private readonly words: TimeWords) {
    const list = (text: string) => `(?:${text.replaceAll(' ', '|')})`;
    const [, , week = '', weekend = '', , half = '', quarter = '', year = ''] = words.units.split(' ').map(list);
    const { before } = words;
    const yearEnd = words.yearEnd ?? '(?!)';
    const year4 = `(?<!\\d)(?:19|20)\\d\\d(?!\\d)(?:${yearEnd})?`;
    const which = list(words.which);
    const edge = words.unspaced ? '' : `(?<![${LETTER}])`;
    const signs = [words.in, words.of, words.from, ...Object.values(before), ...words.parts.split(' ')].map(list);
    const months = list(`${words.months} ${shortMonths(words)}`);
    this.sources = {
      ...Object.fromEntries(Object.entries(LISTS).map(([name, key]) => [name, list(words[key])])),
      n: `(?:\\d{1,3}|${list(words.few)}|${list(words.numbers)})`,
      units: `(?:${list(words.plurals)}|${list(words.units)})`,
      plural: list(words.plurals),
      month: `${months}${words.unspaced ? '' : '(?:\\.(?!\\d))?'}`,
      year: `(?:${year4}|${which}_${year}|${year}_${which})`,
      year4,
      bare: words.unspaced ? '' : '(?!)',
      yearEnd: `(?<=${yearEnd})`,
      d: `(?:(?<![\\d.,:/])(?:0?[1-9]|[12]\\d|3[01])(?!\\d)|${words.first})`,
      dd: '(?:0?[1-9]|[12]\\d|3[01])(?!\\d)',
      d2: '(?:0?[1-9]|[12]\\d|3[01])(?!\\d)',
      ww: '\\d{1,2}(?!\\d)',
      yy: '\\d\\d',
      and: list(words.and),
      mm: '(?:0?[1-9]|1[0-2])(?!\\d)',
      week,
      weekend,
      half,
      quarter,
      yearUnit: year,
      night: list(words.night),
      lasts: words.lasts,
      rolling: words.rolling ?? '(?!)',
      part: `(?:${words.dayPart})?`,
      th: words.unspaced ? words.th : `(?:${words.th})?`,
      the: `(?:${list(words.the)}_)?`,
      article: `${edge}${list(words.the)}_`,
      of: words.unspaced ? '_' : `,?(?:_${list(words.of)})?(?:_${list(words.the)})?_`,
      to: `(?:_${list(words.to)}_|\\.?\\s?[-–—]\\s?)`,
      sep: words.between,
      wd: words.unspaced ? '' : `(?:${list(words.weekdays)},?_(?:${list(words.the)}_)?)?`,
      in: `${edge}(?:${signs.join('|')})_(?:${list(words.the)}_)?`,
      strict: `${edge}(?:${[words.in, ...Object.values(before), ...words.parts.split(' ')].map(list).join('|')})_(?:${list(words.the)}_)?`,
      on: `${edge}(?:${list(words.on)}|${Object.values(before).map(list).join('|')}|${list(words.from)})_(?:${list(words.the)}_)?`,
      months,
      since: list(before.since),
      habit: `${list(words.habit)}_`,
      alone: words.alone ?? '(?!)',
    };
  }

  /** A pattern for a phrase: `<name>` is kept, `{name}` only matched, `_` stands for white space, `a~b` for either order. */
  compile(phrase: string): { pattern: RegExp; names: readonly string[] }[] {
    const [, before = '', first = '', last = '', after = ''] =
      /^(.*?)([<{]\w+[>}])~([<{]\w+[>}])(.*)$/.exec(phrase) ?? [];
    if (first !== '')
      return [`${before}${first}_${last}${after}`, `${before}${last}_${first}${after}`].flatMap((one) =>
        this.compile(one),
      );
    const names: string[] = [];
    const source = phrase.replace(/<(\w+)>/g, (_, name: string) => {
      names.push(name);
      return `({${name}})`;
    });
    const edges = this.words.unspaced
      ? ['', '']
      : [`(?<![${LETTER}@#/\\\\]|(?<!\\bmi)-)`, `(?![${LETTER}@\\\\]|[-/’'][a-z]|%)`];
    return [{ pattern: new RegExp(`${edges[0]}(?:${this.expand(source)})${edges[1]}`, 'g'), names }];
  }

  /** A pattern for words at the end of a text, or at its beginning. */
  ending(source: string): RegExp {
    return new RegExp(`${this.words.unspaced ? '' : `(?<![${LETTER}-])`}(?:${this.expand(source)})$`);
  }

  beginning(source: string): RegExp {
    return new RegExp(`^(?:${this.expand(source)})`);
  }

  anywhere(source: string): RegExp {
    return new RegExp(
      this.words.unspaced ? `(?:${this.expand(source)})` : `(?<![${LETTER}])(?:${this.expand(source)})(?![${LETTER}])`,
    );
  }

  said(match: RegExpExecArray, names: readonly string[]): Said {
    const text = (name: string) => (names.includes(name) ? (match[names.indexOf(name) + 1] ?? '') : '');
    return {
      start: match.index,
      end: match.index + match[0].length,
      before: match.input.slice(Math.max(0, match.index - 20), match.index),
      text,
      place: (name) => this.placeOf(name, text(name)),
      number: (name) => (/^\D/.test(text(name)) ? 1 : Number.parseInt(text(name), 10)),
    };
  }

  /** Which entry of a list a text is, or holds ("letzten Jahres" holds one of `which`); -1 when none. */
  placeOf(name: ListName | 'plural', text: string, within = false): number {
    const key = `${name} ${within}`;
    const list = name === 'plural' ? this.words.plurals : this.words[LISTS[name]];
    const short = name === 'month' ? shortMonths(this.words).split(' ') : [];
    const entries =
      this.entries.get(key) ??
      list.split(' ').map((entry, i) => {
        const source = this.expand(short[i] ? `${entry}|${short[i]}` : entry);
        return within ? this.anywhere(source) : new RegExp(`^(?:${source})\\.?$`);
      });
    this.entries.set(key, entries);
    return entries.findIndex((entry) => entry.test(text));
  }

  private expand(source: string): string {
    let expanded = source;
    while (/\{[a-z]\w*\}/i.test(expanded))
      expanded = expanded.replace(/\{([a-z]\w*)\}/gi, (_, name: string) => this.sources[name] ?? '(?!)');
    return expanded.replaceAll('_', this.words.unspaced ? 'の?' : "(?:\\s{1,3}|(?<=['’]))");
  }
}

/** The first three or four letters of each month, where no other month begins with them. */
function shortMonths({ months, unspaced }: TimeWords): string {
  const names = months.split(' ').map((entry) => /^[^\W\d_]{3,}|^[\u0400-\u04ff]{3,}/.exec(entry)?.[0] ?? '');
  return names
    .map(
      (name) =>
        [3, 4]
          .filter(
            (length) =>
              name !== '' && !unspaced && names.filter((other) => other.startsWith(name.slice(0, length))).length === 1,
          )
          .map((length) => name.slice(0, length))
          .join('|') || '(?!)',
    )
    .join(' ');
}
