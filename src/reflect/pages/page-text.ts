import { isNegation } from '../../language/words/stop.js';
import { readStatementTerms } from '../../language/words/terms.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import { byteOrderMark } from '../../text/bytes.js';

/**
 * Minimum share of the terms of a new statement. A statement of the page with fewer of these terms does not say the
 * same as the new statement.
 */
const SAME_SHARE = 0.85;
const LEAST_TERMS = 2;

/** Text outside of generated blocks and front matter. */
export function readProse(page: string): string {
  let prose = page.slice(byteOrderMark(page).length).replace(/^---\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/, '');
  for (const { start, end } of findManagedBlocks(prose).reverse()) prose = prose.slice(0, start) + prose.slice(end);
  return prose;
}

interface Said {
  readonly terms: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly isDenied: boolean;
}

/** Index of statements that a page already has. */
export class PageTextIndex {
  private readonly said: Said[] = [];

  /**
   * Begins the index with the statements that people wrote on the page.
   * @param prose text that people wrote on the page
   */
  constructor(prose = '') {
    for (const text of prose.split(/[\n。.;；](?:\s|$)|(?<=[。；])/)) if (text.trim() !== '') this.add(text);
  }

  add(text: string): void {
    this.said.push(read(text));
  }

  /** Whether one statement on the page already says everything that this one says. */
  has(text: string): boolean {
    const own = read(text);
    if (own.terms.size < LEAST_TERMS) return this.said.some(({ terms }) => isEqual(terms, own.terms));
    return this.said.some(({ terms, numbers, isDenied }) => {
      if (isDenied !== own.isDenied || [...own.numbers].some((number) => !numbers.has(number))) return false;
      let shared = 0;
      for (const term of own.terms) if (terms.has(term)) shared++;
      return shared >= own.terms.size * SAME_SHARE;
    });
  }
}

function read(text: string): Said {
  const bare = text.replace(/\(?\[[^\]]*\]\([^)]*\)\)?/g, ' ');
  const words = bare.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  return {
    terms: new Set(readStatementTerms(bare)),
    numbers: new Set(bare.match(/\d+(?:[.:,]\d+)*/g) ?? []),
    isDenied: words.some(isNegation) || /[不没]/.test(bare),
  };
}

function isEqual(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size > 0 && some.size === others.size && [...some].every((term) => others.has(term));
}
