import { blank } from '../../tokens.js';
import type { Grammar } from '../grammar.js';
import { DUTCH, GERMAN } from './germanic.js';
import { grammarOf } from './grammar.js';
import { JAPANESE } from './japanese.js';
import { foldLetters } from './letters.js';
import { Patterns } from './pattern.js';
import { FRENCH, ITALIAN, PORTUGUESE, SPANISH } from './romance.js';
import { RUSSIAN } from './russian.js';
import type { Language } from './shown.js';
import { spelledDates } from './spelled.js';
import type { TimeWords } from './words.js';

const TABLES: Readonly<Record<Language, TimeWords>> = {
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  it: ITALIAN,
  nl: DUTCH,
  ru: RUSSIAN,
  ja: JAPANESE,
};

const made = new Map<string, Grammar>();

/** The grammars of the languages that a text shows, each made once: their patterns are many. */
export async function grammarsOf(languages: Iterable<Language>, text: string): Promise<ReadonlyMap<Language, Grammar>> {
  const grammars = new Map<Language, Grammar>();
  const folded = foldLetters(text);
  for (const language of languages) {
    const words = TABLES[language];
    const spelled = words.spelled && new Patterns(words).anywhere(words.spelled.pattern).test(folded);
    const key = `${language} ${spelled}`;
    const grammar = made.get(key) ?? (spelled ? await withSpelled(words) : grammarOf(words));
    made.set(key, grammar);
    grammars.set(language, grammar);
  }
  return grammars;
}

async function withSpelled(words: TimeWords): Promise<Grammar> {
  const own = grammarOf(words);
  const readSpelled = words.spelled && (await spelledDates(words.spelled.locale));
  return {
    ...own,
    read: (text, context) => {
      const dates = readSpelled?.(text, context) ?? [];
      return [...dates, ...own.read(blank(text, dates), context)];
    },
  };
}
