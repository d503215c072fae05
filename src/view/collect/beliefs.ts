import { compareText } from '../../base/order.js';
import type { EvidenceLink } from '../../memory/unit.js';
import { listOpinions, type OpinionSource, type OpinionView } from '../../recall/opinion-view.js';
import type { ReflectContext } from '../../reflect/reflect.js';
import { explainOpinions, type OpinionWhy } from '../../reflect/why.js';
import type { PageBelief, PageItem, PageStep } from '../page-data.js';
import type { FileTable, Names } from './places.js';

/** Beliefs with every step of their confidence: first those of the bank, highest confidence first. */
export async function collectBeliefs(
  context: ReflectContext,
  source: OpinionSource,
  entity: string | undefined,
  items: readonly PageItem[],
  places: FileTable,
  names: Names,
): Promise<readonly PageBelief[]> {
  const said = new Set(items.map(({ at }) => at.join(' ')));
  const shortened = ({ text = null, ...step }: PageStep): PageStep =>
    step.at !== null && said.has(step.at.join(' ')) ? step : { ...step, text };
  const opinions = listOpinions(source, { entities: entity === undefined ? undefined : [entity] });
  // An empty text selects all opinions.
  const whys = new Map((await explainOpinions(context, '')).map((why) => [why.id, why]));
  return opinions.map((opinion) => {
    const why = opinion.place === 'log' ? undefined : whys.get(opinion.id);
    const byReflection = (why?.steps ?? []).map(({ text, source: at, sourceAway, ...step }): PageStep => {
      const { day, direction, by, counts } = step;
      const place = at === null || sourceAway ? null : places.source(at);
      return { day, direction, text, at: place, by, counts, ...(sourceAway && { isAway: true }) };
    });
    return {
      id: opinion.id,
      text: opinion.content,
      about: names.indices(opinion.entities),
      confidence: why?.confidence ?? opinion.confidence,
      place: why === undefined ? opinion.place : why.retired ? 'retired' : 'bank',
      at: places.source(opinion.source),
      prior: opinion.prior ?? why?.prior ?? null,
      curve: curveOf(opinion, why),
      steps: [...byReflection, ...byHand(opinion, why, source, places)]
        .sort((a, b) => compareText(a.day ?? '', b.day ?? ''))
        .map(shortened),
    };
  });
}

/**
 * Steps of the confidence after the prior on the page. If `why` has another prior, a person set it later. It then
 * becomes the first step.
 */
function curveOf({ prior }: OpinionView, why: OpinionWhy | undefined): PageBelief['curve'] {
  if (why === undefined) return [];
  const steps = why.curve.map(({ day, confidence }) => [day, confidence] as const);
  const { day, confidence } = why.prior;
  return prior === null || day === null || prior.confidence === confidence ? steps : [[day, confidence], ...steps];
}

/** Evidence that the page of opinions cites and that no run has judged. Its effect is part of the prior. */
function byHand(
  { evidence }: OpinionView,
  why: OpinionWhy | undefined,
  { search }: OpinionSource,
  places: FileTable,
): readonly PageStep[] {
  const judged = new Set(why?.steps.flatMap(({ fact, source }) => [fact, source]));
  const step = ({ source, fact }: EvidenceLink, direction: PageStep['direction']): readonly PageStep[] => {
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
