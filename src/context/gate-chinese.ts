import { CJK } from '../language/scripts.js';
import type { ActionHit, SentenceKind } from './gate-action.js';
import * as han from './gate-words-han.js';

// The vocabulary has some Japanese and Korean words besides.
const EAST_ASIAN = new RegExp(`[${CJK}]`);

/** The kind of a Chinese sentence, or undefined when it says nothing about it. */
export function chineseKind(sentence: string): SentenceKind | undefined {
  if (!EAST_ASIAN.test(sentence)) return undefined;
  if (han.HAN_DONE.test(sentence)) return 'explain';
  if (/什么意思/.test(sentence) && !han.HAN_ORDER_MARK.test(sentence)) return 'explain';
  if (han.HAN_ASKED.test(sentence)) return 'explain';
  if (startsWithVerb(clausesOf(sentence)[0] ?? '')) return 'statement';
  if (han.HAN_POLITE.test(sentence) && !/解释|介绍|讲讲|告诉|说说|推荐/.test(sentence)) return 'polite';
  if (/为什么|为何/.test(sentence)) return 'why';
  if (han.HAN_HOW.test(sentence) && !/怎么(?:样|看)|如何理解/.test(sentence)) return 'how-to';
  return han.HAN_EXPLAIN.test(sentence) ? 'explain' : undefined;
}

/** Verbs of the gate's Chinese vocabulary in one sentence, each with what it is worth where it stands. */
export function chineseActions(sentence: string, kind: SentenceKind): ActionHit[] {
  if (!EAST_ASIAN.test(sentence)) return [];
  const plain = sentence.replace(han.HAN_IDIOMS, ' ');
  return clausesOf(plain).flatMap((clause) => clauseActions(clause, kind));
}

function clauseActions(clause: string, kind: SentenceKind): ActionHit[] {
  const forbidden = han.HAN_NEGATION.exec(clause)?.index ?? Infinity;
  const asked = kind === 'polite' || han.HAN_ORDER_MARK.test(clause);
  const start = leadEnd(clause);
  const objectFirst = han.HAN_OBJECT_FIRST.test(clause.slice(start));
  const known = han.HAN_VERBS.flatMap(({ group, verbs, mention, order, sure }) =>
    [...clause.matchAll(verbs)].map((match): ActionHit => {
      const wants = kind !== 'how-to' || group !== 'general' || start > 0;
      const isOrder =
        kind !== 'explain' && kind !== 'why' && wants && (asked || objectFirst || match.index <= start + 1);
      const negated = match.index > forbidden;
      const worth = isOrder ? order : mention;
      const points = negated || kind === 'explain' || (kind === 'why' && group !== 'effect') ? 0 : worth;
      return { group, points, word: match[0], order: isOrder, sure, negated };
    }),
  );
  return known.some(({ order }) => order) ? known : [...known, ...disposal(clause.slice(start), kind)];
}

/** `把 X …`, `让 X …`: whoever begins so orders, whatever the verb. */
function disposal(clause: string, kind: SentenceKind): ActionHit[] {
  const word = han.HAN_DISPOSAL.exec(clause)?.[0];
  if (word === undefined || kind === 'explain' || kind === 'why' || kind === 'how-to') return [];
  return [{ group: 'general', points: 3, word, order: true, sure: false, negated: false }];
}

function startsWithVerb(clause: string): boolean {
  const rest = clause.slice(leadEnd(clause));
  return han.HAN_OBJECT_FIRST.test(rest) || han.HAN_VERBS.some(({ verbs }) => rest.slice(0, 6).search(verbs) === 0);
}

function leadEnd(clause: string): number {
  let end = 0;
  for (const { index, 0: lead } of clause.matchAll(han.HAN_LEADS)) {
    if (clause.slice(end, index).trim() !== '') break;
    end = index + lead.length;
  }
  return end + (clause.slice(end).length - clause.slice(end).trimStart().length);
}

/** A blank between two Chinese words parts clauses, too. */
const CLAUSE_ENDS = new RegExp(`[，,：:。；;！？!?\\n]+|(?<=[${CJK}]) +(?=[${CJK}])`);

function clausesOf(sentence: string): string[] {
  return sentence.split(CLAUSE_ENDS).map((clause) => clause.replace(/^[\s§a-z0-9.+-]+(?=[^\sa-z0-9])/, '').trim());
}
