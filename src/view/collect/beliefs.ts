import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { EvidenceLink } from '../../memory/unit.js';
import { listOpinions, type OpinionSource, type OpinionView } from '../../recall/opinion-view.js';
import type { ReflectContext } from '../../reflect/reflect.js';
import { explainOpinions, type OpinionWhy } from '../../reflect/why.js';
import {
  type BeliefStep,
  type FileLine,
  type PageBelief,
  type PageItem,
  withoutLeadingEntities,
} from '../page-data.js';
import type { EntityNameIndex, FileTable } from './places.js';

/**
 * A piece of evidence with all its fields. {@link BeliefStep} omits fields whose value follows from other data of the
 * page.
 */
interface WholeStep {
  readonly day: Day | null;
  readonly direction: BeliefStep['direction'];
  readonly text: string | null;
  readonly at: FileLine | null;
  readonly by: string;
  readonly counts: boolean;
  readonly isAway?: true;
}

/**
 * Collects the beliefs with every step of their confidence. The beliefs of the bank come first, those with the highest
 * confidence at the top.
 */
export async function collectBeliefs(
  context: ReflectContext,
  source: OpinionSource,
  entity: string | undefined,
  items: readonly PageItem[],
  places: FileTable,
  names: EntityNameIndex,
): Promise<readonly PageBelief[]> {
  const said = new Set(items.map(({ at }) => at.join(' ')));
  const shortened = ({ day, text, at, by, counts, direction, isAway }: WholeStep, statement: string): BeliefStep => ({
    ...(at !== null && places.files[at[0]]?.day === day ? {} : { day }),
    direction,
    ...(text === statement || (at !== null && said.has(at.join(' '))) ? {} : { text }),
    at,
    ...(by === 'rules' ? {} : { by }),
    ...(counts ? {} : { counts }),
    ...(isAway && { isAway }),
  });
  const opinions = listOpinions(source, { entities: entity === undefined ? undefined : [entity] });
  // An empty text selects all opinions.
  const whys = new Map((await explainOpinions(context, '')).map((why) => [why.id, why]));
  return opinions.map((opinion) => {
    const why = opinion.place === 'log' ? undefined : whys.get(opinion.id);
    const prior = opinion.prior ?? why?.prior ?? null;
    const byReflection = (why?.steps ?? []).map(({ text = null, source, sourceAway, ...step }): WholeStep => {
      const { day, direction, by, counts } = step;
      const at = source === null || sourceAway ? null : places.source(source);
      return { day, direction, text, at, by, counts, ...(sourceAway && { isAway: true }) };
    });
    return {
      id: opinion.id,
      text: opinion.content,
      about: names.indices(opinion.entities),
      confidence: rounded(why?.confidence ?? opinion.confidence),
      place: why === undefined ? opinion.place : why.retired ? 'retired' : 'bank',
      at: places.source(opinion.source),
      prior: prior === null ? null : [rounded(prior.confidence), prior.day],
      curve: curveOf(opinion, why),
      steps: [...byReflection, ...byHand(opinion, why, source, places)]
        .sort((a, b) => compareText(a.day ?? '', b.day ?? ''))
        .map((step) => shortened(step, withoutLeadingEntities(opinion.content))),
    };
  });
}

/**
 * The points of the curve of the confidence. Usually the curve has no point for the prior, because the page of opinions
 * shows the prior. If a person changed the prior later, `why` has another prior than the page of opinions. Then the
 * prior of `why` is the first point.
 */
function curveOf({ prior }: OpinionView, why: OpinionWhy | undefined): PageBelief['curve'] {
  if (why === undefined) return [];
  const steps = why.curve.map(({ day, confidence }) => [day, rounded(confidence)] as const);
  const { day, confidence } = why.prior;
  return prior === null || day === null || prior.confidence === confidence ? steps : [[day, confidence], ...steps];
}

/** Rounds a confidence to four digits. The page shows two digits and draws less precisely. */
function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}

/**
 * Evidence on the page of opinions that no run has judged. It is marked as not counting, because the prior already
 * includes its effect.
 */
function byHand(
  { evidence }: OpinionView,
  why: OpinionWhy | undefined,
  { search }: OpinionSource,
  places: FileTable,
): readonly WholeStep[] {
  const judged = new Set(why?.steps.flatMap(({ fact, source }) => [fact, source]));
  const step = ({ source, fact }: EvidenceLink, direction: BeliefStep['direction']): readonly WholeStep[] => {
    if (judged.has(source) || judged.has(fact)) return [];
    const at = places.source(source);
    const [said] = fact === null ? [] : search.statements(fact);
    const day = places.files[at[0]]?.day ?? null;
    return [{ day, direction, text: said?.text ?? null, at, by: 'page', counts: false }];
  };
  return [
    ...evidence.for.flatMap((link) => step(link, 'supports')),
    ...evidence.against.flatMap((link) => step(link, 'contradicts')),
  ];
}
