import { join } from 'node:path';
import type { Day } from '../base/clock.js';
import { resolveId } from '../index/query/ids.js';
import { MAX_ROUNDING_ERROR } from '../memory/confidence.js';
import { type Direction, EVIDENCE_PATH, type Judge, VerdictStore } from '../memory/evidence.js';
import { normaliseText } from '../memory/fact.js';
import { chooseStartPrior, type PageOpinion, readOpinionsPage } from '../memory/opinions-page.js';
import { readPageText } from '../workspace/changes.js';
import { today } from '../workspace/clock.js';
import { findLinesWithText } from '../workspace/files.js';
import { evaluateBelief } from './beliefs.js';
import { FactReader } from './facts.js';
import { findEvidenceVerdicts } from './opinions.js';
import type { ReflectContext } from './reflect.js';
import { OPINIONS_PATH } from './run.js';

/** The explanation of an opinion's confidence. `opinion why --json` prints exactly this. */
export interface OpinionWhy {
  readonly id: string;
  readonly statement: string;
  readonly entities: readonly string[];
  readonly prior: { readonly confidence: number; readonly day: Day | null };
  /**
   * Confidence on the page. The page shows a rounded number. If this number is the rounded `byEvidence`, the value here
   * is `byEvidence` with all its digits.
   */
  readonly confidence: number;
  /**
   * Confidence from the evidence alone. It differs from the confidence on the page if a person set that, or if there is
   * new evidence since the last run of reflect.
   */
  readonly byEvidence: number;
  readonly retired: boolean;
  /** Confidence after each day on which it changed. */
  readonly curve: readonly {
    readonly day: Day;
    readonly confidence: number;
    /**
     * `doubled`: several days in a row contradicted the belief, so the step is twice as large. `anew`: several days in
     * a row supported it, so it gets at least the confidence of a new belief. Missing for a normal step.
     */
    readonly change?: 'doubled' | 'anew';
  }[];
  /**
   * Evidence by day, with evidence that does not count, too. A fact does not count if the prior already includes the day
   * of the fact, if the verdict is "none", or if the fact is gone.
   */
  readonly steps: readonly WhyStep[];
}

export interface WhyStep {
  readonly day: Day;
  readonly fact: string;
  /** Text of the fact. Null if the fact is deleted or forgotten, or its file is temporarily unavailable. */
  readonly text: string | null;
  readonly source: string | null;
  /** True if the file of the fact is temporarily unavailable. The fact still counts. */
  readonly sourceAway?: true;
  readonly direction: Direction;
  readonly by: Judge;
  readonly weight: number;
  readonly counts: boolean;
}

/** Opinions of the bank that match an id or a text, each with every step of its confidence. */
export async function explainOpinions(context: ReflectContext, given: string): Promise<readonly OpinionWhy[]> {
  const text = (path: string): string | null => readPageText(context.root, path);
  const book = new VerdictStore(findLinesWithText(join(context.root, EVIDENCE_PATH), '{'));
  return context.read(async (search, away) => {
    const wanted = resolveId(search, given);
    const found = readOpinionsPage(text(OPINIONS_PATH) ?? '').filter((opinion) => isNamed(opinion, wanted));
    const data = { book, reader: new FactReader(search, text), elsewhere: away };
    return found.map((opinion) => explain(opinion, data, today(context.clock)));
  });
}

function isNamed({ id, bullet }: PageOpinion, wanted: string): boolean {
  return id === wanted.replace(/^\^/, '') || normaliseText(bullet.text).includes(normaliseText(wanted));
}

function explain(opinion: PageOpinion, data: Parameters<typeof findEvidenceVerdicts>[1], day: Day): OpinionWhy {
  const prior = chooseStartPrior(opinion);
  const counted = findEvidenceVerdicts({ id: opinion.id, page: opinion }, data);
  const { confidence: byEvidence, steps, isRetired } = evaluateBelief(prior, [...counted.keys()], day);
  const isOnPage = Math.abs(byEvidence - opinion.confidence) < MAX_ROUNDING_ERROR;
  const all = data.book.about(opinion.id).map((verdict): WhyStep => {
    const { day: told, fact, direction, by, weight } = verdict;
    const known = data.reader.byId(fact);
    const { text = null, source = counted.get(verdict) ?? null } = known ?? {};
    const isInPrior = prior.day !== null && told <= prior.day;
    const counts = counted.has(verdict) && !isInPrior;
    const elsewhere = known === undefined && counted.has(verdict) ? ({ sourceAway: true } as const) : {};
    return { day: told, fact, text, source, ...elsewhere, direction, by, weight, counts };
  });
  return {
    id: opinion.id,
    statement: opinion.bullet.text,
    entities: opinion.bullet.entities,
    prior,
    confidence: isOnPage ? byEvidence : opinion.confidence,
    byEvidence,
    retired: isOnPage ? isRetired : opinion.isRetired,
    curve: steps.map(({ day, after, change }) => ({ day, confidence: after, ...(change !== 'step' && { change }) })),
    steps: all.toSorted((a, b) => (`${a.day} ${a.fact}` < `${b.day} ${b.fact}` ? -1 : 1)),
  };
}
