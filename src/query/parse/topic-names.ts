import { blankRanges, type RangeInText, type Token, tokenize } from '../../language/tokens.js';
import { findContentRuns } from '../../language/words/terms.js';
import { readQuestionCues } from './cues.js';
import type { TopicName } from './reading.js';

/** Longer questions ask for more than a page, and this many beginnings or ends of a name are tried, the nearest ones. */
const LONGEST_QUESTION = 300;
const MOST_EDGES = 8;

/** Matches a piece of text between spaces, without the signs that end a sentence. */
const PIECE = /\S+?(?=[?!.,;:？！。，]*(?:\s|$))/g;

/**
 * What of a question may be the name of something that it asks about as a whole, longest first: stretches with all of its
 * content words, and frames and stop words only at their ends, since a name may begin with one ("The Castle").
 * @param isContent whether a word is more than a frame of the question
 */
export function topicNames(text: string, isContent: (token: Token) => boolean): readonly TopicName[] {
  if (text.length > LONGEST_QUESTION) return [];
  const tokens = tokenize(text);
  const content = tokens.flatMap((token) => (token.kind === 'cjk' ? runsIn(token) : isContent(token) ? [token] : []));
  const [from, to] = [content[0]?.start, content.at(-1)?.end];
  if (from === undefined || to === undefined) return [];
  const pieces = [...text.matchAll(PIECE)].map(({ 0: piece, index }) => ({ start: index, end: index + piece.length }));
  const edges = [...pieces, ...tokens, ...content];
  const starts = nearest(
    edges.map(({ start }) => start).filter((start) => start <= from),
    from,
  );
  const ends = nearest(
    edges.map(({ end }) => end).filter((end) => end >= to),
    to,
  );
  const ranges = starts.flatMap((start) => ends.map((end) => ({ start, end })));
  ranges.sort((a, b) => b.end - b.start - (a.end - a.start));
  return ranges.map((range) => ({ name: text.slice(range.start, range.end), beside: blankRanges(text, [range]) }));
}

function nearest(places: readonly number[], place: number): readonly number[] {
  return [...new Set(places)].sort((a, b) => Math.abs(a - place) - Math.abs(b - place)).slice(0, MOST_EDGES);
}

/** The ranges of a CJK run that have content. */
function runsIn(token: Token): readonly RangeInText[] {
  const runs = findContentRuns(token.text, new Set());
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = token.start + token.text.indexOf(first);
  return [{ start, end: token.start + token.text.lastIndexOf(last) + last.length }];
}

/** Whether what stands beside a name asks for a number, a place, a day or a view: that is less than all of its page. */
export function isValueQuestion(beside: string): boolean {
  const { wishes, cues } = readQuestionCues(beside);
  return wishes.opinion || wishes.experience || cues.when || cues.where || cues.howMany || cues.decision || cues.recent;
}
