import type { Day } from '../../base/clock.js';
import { compareText } from '../../base/order.js';
import type { ListedEntity } from '../../index/entity-list.js';
import type { IndexSearch } from '../../index/search.js';
import type { EvidenceLink } from '../../line/unit.js';
import { listOpinions, type OpinionSource, type OpinionView } from '../../query/opinion-view.js';
import type { CurrentStatement, EntityState, EntityStateReader } from '../../reflect/entity-state.js';
import { MAX_ENTITY_FACTS } from '../../reflect/entity-statuses.js';
import type { ReflectContext } from '../../reflect/reflect.js';
import { explainOpinions, type OpinionWhy } from '../../reflect/why.js';
import type { BeliefStep, PageBelief, PageEntity, PageNote, PageStatement, StatementWithSource } from '../page-data.js';
import type { EntityNameIndex, FileTable } from './places.js';

interface EntitiesInput {
  readonly search: IndexSearch;
  readonly holdings: EntityStateReader;
  readonly entities: readonly ListedEntity[];
  /** Slug of the entity that the page is about; undefined for a page about all entities. */
  readonly only: string | undefined;
  readonly notes: readonly PageNote[];
  readonly places: FileTable;
}

/** Maximum number of statements in each section of an entity. */
const MOST_SHOWN = { now: 200, planned: 100, lately: 30, before: 60 } as const;

/**
 * Collects all entities for the page, with their statements. Also returns the full state of each entity by its index,
 * because the page has room for only some statements.
 */
export async function collectEntities(input: EntitiesInput) {
  const { search, holdings, entities, only, notes, places } = input;
  const noteOf = new Map(notes.flatMap(({ kind, file }, place) => (kind === 'entity' ? [[file, place]] : [])));
  const found: PageEntity[] = [];
  const held = new Map<number, EntityState>();
  for (const [place, { name, slug, type, page, mentions }] of entities.entries()) {
    const isShown = only === undefined || only === slug;
    const holds = isShown ? holdings.of(slug) : null;
    if (holds !== null) held.set(place, holds);
    found.push({
      name,
      slug,
      type,
      mentions,
      aliases: isShown ? (search.entity(slug)?.slugs.slice(1) ?? []) : [],
      page: page === null || !isShown ? null : places.at(page, 1),
      note: (page === null || !isShown ? undefined : noteOf.get(places.file(page))) ?? null,
      holds: holds && toPage(holds, places),
      hasMore:
        holds !== null &&
        ((only === undefined && mentions > MAX_ENTITY_FACTS) ||
          PARTS.some((part) => wholeOnes(holds, part).length > MOST_SHOWN[part])),
    });
  }
  return { entities: found, held };
}

const PARTS = ['now', 'planned', 'lately', 'before'] as const;

function toPage(holds: EntityState, places: FileTable): PageEntity['holds'] {
  const part = (name: (typeof PARTS)[number]): readonly PageStatement[] =>
    wholeOnes(holds, name)
      .slice(0, MOST_SHOWN[name])
      .map(({ text, whole = text, source, from, to, ending, earlier }) => {
        const period = { from, ...(to === null ? {} : { to }), ...(ending === null ? {} : { ending }) };
        const said = { text: whole, at: places.source(source), ...period };
        return earlier ? { ...said, earlier: earlier.map((one) => toStatementSource(one, places)) } : said;
      });
  return { now: part('now'), planned: part('planned'), lately: part('lately'), before: part('before') };
}

/** The whole statements of a section. */
function wholeOnes(holds: EntityState, part: (typeof PARTS)[number]): readonly CurrentStatement[] {
  return holds[part].filter(({ isPart }) => isPart !== true);
}

/** Text and source of a statement. */
export function toStatementSource(
  { text, whole = text, source }: Pick<CurrentStatement, 'text' | 'whole' | 'source'>,
  places: FileTable,
): StatementWithSource {
  return { text: whole, at: places.source(source) };
}

/**
 * Collects the beliefs with every step of their confidence. The beliefs of the bank come first, those with the highest
 * confidence at the top.
 */
export async function collectBeliefs(
  context: ReflectContext,
  source: OpinionSource,
  entity: string | undefined,
  places: FileTable,
  names: EntityNameIndex,
): Promise<readonly PageBelief[]> {
  const opinions = listOpinions(source, { entities: entity === undefined ? undefined : [entity] });
  // An empty text selects all opinions.
  const whys = new Map((await explainOpinions(context, '')).map((why) => [why.id, why]));
  return opinions.map((opinion) => {
    const why = opinion.place === 'log' ? undefined : whys.get(opinion.id);
    const prior = opinion.prior ?? why?.prior ?? null;
    const curve = new Map<Day | null, number>(why?.curve.map((point) => [point.day, rounded(point.confidence)]));
    const byReflection = (why?.steps ?? []).map(({ text = null, source, sourceAway, ...step }): BeliefStep => {
      const { day, direction, by, counts } = step;
      const at = source === null || sourceAway ? null : places.source(source);
      const reached = counts ? curve.get(day) : undefined;
      const more = { ...(reached !== undefined && { reached }), ...(sourceAway && { isAway: true as const }) };
      return { day, direction, text, at, by, ...more };
    });
    return {
      id: opinion.id,
      text: opinion.content,
      about: names.indices(opinion.entities),
      confidence: rounded(why?.confidence ?? opinion.confidence),
      place: why === undefined ? opinion.place : why.retired ? 'retired' : 'bank',
      at: places.source(opinion.source),
      prior: prior === null ? null : [rounded(prior.confidence), prior.day],
      steps: [...byReflection, ...byHand(opinion, why, source, places)].sort((a, b) =>
        compareText(a.day ?? '', b.day ?? ''),
      ),
    };
  });
}

/** Rounds a confidence to four digits. The page shows two. */
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
): readonly BeliefStep[] {
  const judged = new Set(why?.steps.flatMap(({ fact, source }) => [fact, source]));
  const step = ({ source, fact }: EvidenceLink, direction: BeliefStep['direction']): readonly BeliefStep[] => {
    if (judged.has(source) || judged.has(fact)) return [];
    const at = places.source(source);
    const [said] = fact === null ? [] : search.statements(fact);
    const day = places.files[at[0]]?.day ?? null;
    return [{ day, direction, text: said?.text ?? null, at, by: 'page' }];
  };
  return [
    ...evidence.for.flatMap((link) => step(link, 'supports')),
    ...evidence.against.flatMap((link) => step(link, 'contradicts')),
  ];
}
