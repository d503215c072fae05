import { isFirstPersonText } from '../../language/speakers.js';
import { readStatementTerms } from '../../language/words/terms.js';
import { type InferenceCue, MIN_TERMS, REMEMBER_CUE_RANK } from './cues.js';
import { withoutLabel } from './day.js';

/** The speaker, the topics and the label of a sentence. */
interface Said {
  readonly speaker?: string;
  readonly topics: readonly string[];
  readonly label?: string | undefined;
}

/**
 * Completes a sentence of a log so that it is true when read alone. A sentence with "I" gets its speaker as subject. A
 * sentence that does not name its topic ("Decided: Postgres") gets it from the heading or the label above. What another
 * speaker states keeps the name of that speaker. Pure.
 * @param known names of known entities
 * @returns undefined for a sentence that does not say what it is about. `about` is a known person or thing that the text
 * is about and does not name
 */
export function completeStatement(
  said: string,
  cue: InferenceCue,
  { speaker, topics: above, label }: Said,
  known: readonly string[],
): { readonly text: string; readonly about?: string } | undefined {
  if (speaker !== undefined && (isFirstPersonText(said) || (cue.kind === 'O' && cue.isFirst)))
    return { text: said, about: speaker };
  if (cue.kind === 'O' || known.some((name) => said.replace(/^[@＠]/u, '').startsWith(name))) return { text: said };
  const topics = label === undefined ? above : [...above, label];
  if (topics.length === 0) {
    const isBare = cue.isFirst && cue.rank !== REMEMBER_CUE_RANK && !isFirstPersonText(said);
    // A rule without a subject is advice for everybody.
    const isVague = cue.isRule === true || readStatementTerms(withoutLabel(said)).length < MIN_TERMS;
    return isBare && isVague ? undefined : { text: said };
  }
  // A sentence that begins with its cue has no subject of its own.
  const least = cue.isFirst ? 1 : 0.5;
  const isNamed = namesTopic(said, topics.at(-1) ?? '', least);
  const missing = isNamed ? [] : topics.filter((topic) => !namesTopic(said, topic, least));
  const about = known.find((name) => slug(name) === slug(missing.at(-1) ?? ''));
  const text = [...(about === undefined ? missing : missing.slice(0, -1)), said].join(': ');
  return about === undefined ? { text } : { text, about };
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/gu, '-');
}

/** Whether a sentence has at least a given share of the terms of a topic. */
function namesTopic(said: string, topic: string, least: number): boolean {
  const known = new Set(readStatementTerms(said));
  const terms = readStatementTerms(topic);
  return terms.filter((term) => known.has(term)).length >= least * terms.length;
}
