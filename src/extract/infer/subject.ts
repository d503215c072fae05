import { isFirstPersonText } from '../../language/speakers.js';
import { readStatementTerms } from '../../language/words/terms.js';
import type { InferenceCue } from './cues.js';
import { DECISION_CUE_RANK } from './cues.js';
import type { LogPassage } from './day.js';

/** A sentence of a log. `subjects`: names of persons or things that the sentence is about but does not name itself. */
interface InferredSentence {
  readonly text: string;
  readonly subjects: readonly string[];
}

/** A decision with at least this many terms makes sense without a heading that names its subject. */
const FEWEST_TERMS = 3;
/** Maximum number of words of a heading that counts as a name. */
const MOST_NAME_WORDS = 3;

/**
 * Completes a sentence of a log so that it is true when read alone. A sentence with "I" gets its speaker as subject. A
 * decision without a topic ("Decided: Postgres") gets the heading as its topic. Returns `undefined` for a decision that does
 * not say what was decided. Pure.
 */
export function completeStatement(
  said: string,
  cue: InferenceCue,
  { speaker, heading }: LogPassage,
): InferredSentence | undefined {
  if (speaker !== undefined && (isFirstPersonText(said) || (cue.kind === 'O' && cue.isFirst)))
    return { text: said, subjects: [speaker] };
  if (cue.rank !== DECISION_CUE_RANK || !cue.isFirst) return { text: said, subjects: [] };
  const decided = said.replace(/^[^:：]{0,40}[:：]/u, '');
  const isNamed = heading !== undefined && said.toLowerCase().includes(heading.toLowerCase());
  if (heading !== undefined && !isNamed)
    return isName(heading) ? { text: said, subjects: [heading] } : { text: `${heading}: ${said}`, subjects: [] };
  return isNamed || readStatementTerms(decided).length >= FEWEST_TERMS ? { text: said, subjects: [] } : undefined;
}

function isName(heading: string): boolean {
  return /^\p{L}[\p{L}\p{M}\s'’-]*$/u.test(heading) && heading.split(/\s+/u).length <= MOST_NAME_WORDS;
}

/** Words that mean the user. In a log, the user is the person who keeps the log, never a quoted speaker. */
const SAYS_USER =
  /(?<![\p{L}\p{N}])(?:users?|owner|nutzer(?:in)?|benutzer(?:in)?|usuari[oa]|utilisateur|utente)(?![\p{L}\p{N}])|用户|用戶|ユーザー/iu;

/**
 * Finds the speaker whom a model's fact should name but does not. The cited lines say "I", so the fact is about their
 * speaker. Pure.
 */
export function findOmittedSpeaker(
  text: string,
  entities: readonly string[],
  cited: readonly LogPassage[],
): { readonly name: string; readonly isTakenForUser: boolean } | undefined {
  const [first] = cited.filter((passage) => isFirstPersonText(passage.text));
  const name = first?.speaker;
  if (name === undefined) return undefined;
  const plain = (words: string) => words.replace(/[-_.\s]+/gu, ' ').toLowerCase();
  const isNamed = [text, ...entities].some((words) => plain(words).includes(plain(name)));
  return isNamed ? undefined : { name, isTakenForUser: SAYS_USER.test(text) };
}
