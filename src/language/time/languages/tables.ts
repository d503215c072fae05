import { blank } from '../../tokens.js';
import type { Grammar } from '../grammar.js';
import { DUTCH, GERMAN } from './germanic.js';
import { grammarOf } from './grammar.js';
import { JAPANESE } from './japanese.js';
import { foldLetters } from './letters.js';
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

const made = new Map<Language, Grammar>();

/** The grammars of the languages that a text shows, each made once. */
export async function grammarsOf(languages: Iterable<Language>, text: string): Promise<ReadonlyMap<Language, Grammar>> {
  const grammars = [...languages].map(async (language): Promise<[Language, Grammar]> => {
    const { spelled } = TABLES[language];
    const pattern = spelled && new RegExp(spelled.pattern.replaceAll('_', '\\s'));
    const reads = pattern?.test(foldLetters(text)) ?? false;
    const own = made.get(language) ?? grammarOf(TABLES[language]);
    made.set(language, own);
    return [
      language,
      spelled && pattern && reads ? withSpelled(own, await spelledDates(spelled.locale, pattern)) : own,
    ];
  });
  return new Map(await Promise.all(grammars));
}

function withSpelled(own: Grammar, readSpelled: Grammar['read']): Grammar {
  return {
    ...own,
    read: (text, context) => {
      const dates = readSpelled(text, context);
      return [...dates, ...own.read(blank(text, dates), context)];
    },
  };
}
