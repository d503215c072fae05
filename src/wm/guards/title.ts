import { scriptRuns } from '../../language/runs.js';
import { contentItems } from '../items.js';
import { accept, type Guard, keep } from '../ruling.js';
import { meaningfulBigrams, TITLE_STOP_WORDS } from '../words.js';

/** Session Title: a new title must share a meaningful word with the old one. */
export const guardTitle: Guard = (old, content) => {
  const before = titleWords(old);
  const shared = before.size === 0 ? undefined : [...titleWords(content)].find((word) => before.has(word));
  if (before.size > 0 && shared === undefined) return keep('the new title shares no meaningful word with the old one');
  const reason = shared === undefined ? 'the old title has no meaningful word' : `the titles share "${shared}"`;
  return accept(content, reason, () => 'replaced by the new title');
};

/** Latin and other spaced words of three letters and more, numbers, bigrams of scripts without spaces; lower-case. */
function titleWords(body: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const token of contentItems(body).join('\n').normalize('NFKC').toLowerCase().match(TOKEN) ?? []) {
    for (const run of scriptRuns(token)) {
      if (run.isUnspaced) for (const pair of meaningfulBigrams(run.text)) words.add(pair);
      else if (isMeaningful(run.text)) words.add(run.text);
    }
  }
  return words;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:\.[\p{L}\p{M}\p{N}]+)*/gu;

function isMeaningful(word: string): boolean {
  return (word.length > 2 || /\p{N}/u.test(word)) && !TITLE_STOP_WORDS.has(word);
}
