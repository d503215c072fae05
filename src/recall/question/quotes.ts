import { MAX_TOKEN, type Range } from '../../language/tokens.js';

export interface Quotation extends Range {
  /** Between the quotation marks. */
  readonly phrase: string;
}

// A straight single quote is an apostrophe unless it stands outside of words at both ends.
const QUOTED =
  /"([^"\n]{1,256})"|“([^”\n]{1,256})”|„([^“”\n]{1,256})[“”]|«([^»\n]{1,256})»|「([^」\n]{1,256})」|『([^』\n]{1,256})』|《([^》\n]{1,256})》|`([^`\n]{1,256})`|(?<![\w\u00c0-\u1fff])['‘]([^'‘’\n]{1,256})['’](?![\w\u00c0-\u1fff])/g;

/** A question that stands in quotation marks as a whole is one, and no phrase that is looked for. */
const QUOTED_QUESTION = /^\s*["“„«「『'‘][^"“”„«»「」『』\n]*[?？]\s*["”“»」』'’]\s*$/;

/** What stands in quotation marks or backticks; it is meant literally, so nothing else is read from it. */
export function quotations(text: string): Quotation[] {
  const found: Quotation[] = [];
  if (QUOTED_QUESTION.test(text)) return found;
  for (const match of text.matchAll(QUOTED)) {
    const phrase =
      match
        .slice(1)
        .find((group) => group !== undefined)
        ?.trim() ?? '';
    if (phrase !== '' && phrase.length <= MAX_TOKEN)
      found.push({ phrase, start: match.index, end: match.index + match[0].length });
  }
  return found;
}
