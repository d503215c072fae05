import { fail } from '../base/failure.js';
import { type Judge, type Verdict, VerdictStore } from '../memory/evidence.js';
import { type PairVerdict, PairVerdictStore } from '../memory/threads/verdicts.js';
import { withLogDate } from './facts.js';
import type { BeliefPair, StatementPair, VerdictSource } from './judges.js';
import type { ReflectRun } from './run.js';

/**
 * The judge of `bank/evidence.jsonl` that a person names: a model or the calling agent's model.
 * @param named `model:NAME`, or only the name
 * @throws MemoryError `not_found` that names the judges that there are
 */
export function findJudge(evidence: string, named: string): Judge {
  const all = new Set([...new VerdictStore(evidence).judges(), ...new PairVerdictStore(evidence).judges()]);
  const known = [...all].filter((judge) => judge !== 'human' && judge !== 'rules').sort();
  const found = known.find((judge) => judge === named || judge === `model:${named}`);
  if (found !== undefined) return found;
  const hint = known.length === 0 ? 'only people and the rules have judged here' : `judges: ${known.join(', ')}`;
  return fail('not_found', `there is no verdict by ${named}`, hint);
}

type Judged = Pick<Verdict | PairVerdict, 'by' | 'digest'>;

/**
 * Returns a test for the verdicts that this run must ask about again: those of the judge that a person named, or with
 * `rejudge` those of other models than the one that judges now. Undefined if there are none.
 */
export async function findVerdictsToJudgeAgain(run: ReflectRun): Promise<((verdict: Judged) => boolean) | undefined> {
  const { rejudgedJudge, rejudge } = run;
  if (rejudgedJudge !== undefined) return ({ by }) => by === rejudgedJudge;
  const own = rejudge === true ? await run.source?.() : undefined;
  return own && ((verdict) => verdict.by.startsWith('model:') && !isSameModel(verdict, own));
}

/** A verdict without a digest, or a server that tells none, leaves only the name to compare. */
function isSameModel({ by, digest }: Judged, own: VerdictSource): boolean {
  return by === own.by && (digest === undefined || own.digest === undefined || digest === own.digest);
}

/** The pairs of a fact and a belief whose winning verdicts pass a test. Leaves out those that are gone. */
export function beliefPairsOf(
  { book, beliefs, reader }: ReflectRun,
  isWanted: (verdict: Judged) => boolean,
  read: (fact: BeliefPair['fact']) => Omit<BeliefPair, 'belief'>,
): readonly BeliefPair[] {
  const wanted = [...book.winning().values()].flatMap((ofOpinion) => [...ofOpinion.values()].filter(isWanted));
  reader.lookUp(wanted.map(({ fact }) => fact));
  return wanted.flatMap(({ fact, opinion }) => {
    const [found, belief] = [reader.byId(fact), beliefs.get(opinion)];
    return found === undefined || belief === undefined ? [] : [{ ...read(found), belief }];
  });
}

/** The pairs of statements whose winning verdicts pass a test. Leaves out those that are gone. */
export function statementPairsOf(
  { pairs, reader }: ReflectRun,
  isWanted: (verdict: Judged) => boolean,
): readonly StatementPair[] {
  const wanted = [...pairs.winning().values()].flat().filter(isWanted);
  reader.lookUp(wanted.flatMap(({ fact, of }) => [fact, of]));
  return wanted.flatMap(({ fact, of }) => {
    const [later, earlier] = [reader.byId(fact), reader.byId(of)];
    const slug = later?.subjects.find((subject) => earlier?.subjects.includes(subject));
    if (later === undefined || earlier === undefined || slug === undefined) return [];
    const subject = `@${later.names[later.slugs.indexOf(slug)] ?? slug}`;
    return [{ subject, later: withLogDate(later), earlier: withLogDate(earlier) }];
  });
}
