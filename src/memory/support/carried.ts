import { findContradiction } from './contradictions.js';
import { ANY_DAY, type ClauseTerm, type LineClause } from './line-clause.js';
import type { SupportMessage } from './message.js';
import { formsOf, type WordForms } from './word-forms.js';

/** Minimum share of the telling words of a line that must be in its sources, and of each of its clauses. */
const LEAST_SHARED = 0.4;
const LEAST_IN_CLAUSE = 0.2;
/** Weights of words. A word that occurs on any topic tells little, and a verb may be another one. */
const WEIGHTS = { name: 1, noun: 1, word: 1, verb: 0.5, common: 0.34, run: 1 } as const;
/** Weight of words that only other messages have, from which on a clause needs some of these two. */
const ELSEWHERE = 2;
/** Share of a Chinese character that counts if the sources have it with other neighbours. */
const NEAR_SIGN = 0.7;

/** Result of comparing a clause with one or two messages: weights of its known and unknown words, and a contradiction. */
interface Finding {
  readonly known: number;
  readonly unknown: number;
  readonly why: string | undefined;
}

/** The messages that may carry a line. */
export interface SupportInput {
  readonly messages: readonly SupportMessage[];
  /** The words of all messages that the model was shown. */
  readonly shown: WordForms;
  /** Whether the line cites the messages. Then another one may name what it is about. */
  readonly isCited: boolean;
}

/**
 * Why messages do not carry the clauses of a line. Undefined if they carry each, and have most words of the line.
 * @param said the text of the line
 */
export function explainUnsupported(clauses: readonly LineClause[], said: string, by: SupportInput): string | undefined {
  const line = formsOf(said);
  let [known, unknown] = [0, 0];
  for (const [at, clause] of clauses.entries()) {
    const found = bestFinding(clause, at === 0, { line, ...by });
    if (found.why !== undefined) return found.why;
    known += found.known;
    unknown += found.unknown;
  }
  return known < (known + unknown) * LEAST_SHARED ? MISSING_WORDS : undefined;
}

const MISSING_WORDS = 'its words are not there';

interface CheckedLine extends SupportInput {
  readonly line: WordForms;
}

/** Looks for one or two neighbouring messages that carry a clause. */
function bestFinding(clause: LineClause, isFirst: boolean, checked: CheckedLine): Finding {
  const { messages } = checked;
  let best: Finding = { known: 0, unknown: Number.POSITIVE_INFINITY, why: 'nothing says it' };
  for (const at of messages.keys()) {
    const found = inMessages(clause, isFirst, checked, at);
    const isCarried = found.why === undefined;
    const wasCarried = best.why === undefined;
    const isBetter = found.known - found.unknown > best.known - best.unknown;
    if ((isCarried && !wasCarried) || (isCarried === wasCarried && isBetter)) best = found;
    if (best.why === undefined && best.unknown === 0) break;
  }
  return best;
}

/** Checks a clause against the message at an index and the one after it. */
function inMessages(clause: LineClause, isFirst: boolean, checked: CheckedLine, at: number): Finding {
  const pair = checked.messages.slice(at, at + 2);
  const contents = pair.map((message) => message.content());
  const weighed = weigh(clause, contents, isFirst, checked);
  const values = clause.numbers.length + clause.timesOn(ANY_DAY).length;
  const { unknown, missing } = weighed;
  const known = weighed.known + values;
  const number = clause.numbers.find((each) => !contents.some((content) => content.hasNumber(each)));
  if (missing !== undefined || number !== undefined)
    return { known: 0, unknown, why: `"${missing ?? number}" is not there` };
  if (known === 0 && weighed.far >= ELSEWHERE) return { known, unknown, why: MISSING_WORDS };
  if (unknown > 0 && known < (known + unknown) * LEAST_IN_CLAUSE) return { known, unknown, why: MISSING_WORDS };
  return { known, unknown, why: findContradiction(clause, { ...checked, pair }) };
}

type Contents = readonly { readonly forms: WordForms }[];

/** Weighs the words of a clause by whether messages have them. */
function weigh(clause: LineClause, contents: Contents, isFirst: boolean, { shown, isCited }: CheckedLine) {
  let [known, unknown, far] = [0, 0, 0];
  let missing: string | undefined;
  // The name that the clause is about tells nothing by itself.
  const subject = clause.terms.find(({ kind }) => kind === 'name');
  for (const term of clause.terms) {
    const { there, near } = shareIn(term, contents);
    const elsewhere = Math.max(0, shareIn(term, [{ forms: shown }]).there - there);
    if (term.kind === 'name' && there < 1 && !(isFirst && isCited && term === subject && elsewhere === 1))
      missing ??= term.written;
    const weight = WEIGHTS[term.kind] * (term.kind === 'run' ? [...term.folded].length / 2 : 1);
    const absent = term.kind === 'name' ? 0 : weight * Math.max(0, 1 - there - near * NEAR_SIGN - elsewhere);
    unknown += absent;
    if (term !== subject) {
      known += weight * (there + (near * NEAR_SIGN) / 2);
      far += weight * elsewhere;
    }
  }
  return { known, unknown, far, missing };
}

/**
 * Share of a term that some texts have, from 0 to 1. `near`: share of a run of Chinese whose characters they have, but with
 * other neighbours.
 */
function shareIn({ folded, kind }: ClauseTerm, contents: Contents): { readonly there: number; readonly near: number } {
  if (kind !== 'run') {
    const isThere = contents.some(({ forms }) => (kind === 'name' ? forms.hasExactly(folded) : forms.has(folded)));
    return { there: isThere ? 1 : 0, near: 0 };
  }
  const signs = [...folded];
  const covers = contents.map(({ forms }) => forms.coverage(folded));
  const left = signs.filter((_, at) => !covers.some((cover) => cover[at] === true));
  const near = left.filter((sign) => contents.some(({ forms }) => forms.hasSign(sign)));
  return { there: 1 - left.length / signs.length, near: near.length / signs.length };
}
