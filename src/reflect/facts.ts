import { Cache, memoize } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import { compareText } from '../base/order.js';
import type { FoundUnit, IndexSearch, UnitKey } from '../index/search.js';
import { dayOfPath } from '../language/time/calendar.js';
import { hasForm } from '../line/form.js';
import { findManagedBlocks } from '../markdown/blocks.js';
import { findRestOfEntityName, joinEntityName, kindLetter, textAfterLeadingEntities } from '../markdown/bullet.js';
import { findEntities } from '../markdown/entities.js';
import { CITATION_AT_END, DEFAULT_CONFIDENCE, factId, normaliseText } from '../memory/fact.js';
import { wholeNameSlug } from '../memory/page/names.js';
import type { DatedFact } from '../memory/threads/fact-status.js';
import { isMachineHeading, isMachineLine } from '../text/machine-text.js';
import { buildSearchPhrase, searchText } from '../text/search-text.js';
import { entitySlug } from '../text/slug.js';

/** A fact from the index, with the details that reflect needs. */
export interface ReflectFact extends DatedFact {
  /** Day of the page with the fact; null if the page has no day. */
  readonly day: Day | null;
  /** Names of the fact's entities, as written. */
  readonly entities: readonly string[];
  /**
   * First day that the text names; `validTo` is the last. The days may be the validity of the fact, or only be
   * mentioned.
   */
  readonly validFrom: Day | null;
  readonly validTo: Day | null;
  /** The validity of the fact, if its text states a period; otherwise null. */
  readonly period: { readonly from: Day | null; readonly to: Day | null } | null;
  /** Day on which the fact was stated: the day of its log. For a curated line: the day of the log that the line cites. */
  readonly saidOn: Day | null;
  /** Place that a curated line cites, such as `memory/2025-11-27.md#L14`. */
  readonly cites: string | null;
  /** Names before the fact's text that are part of the sentence: `Peter` in `@Peter and I answered …`. */
  readonly lead: string;
  /** Slugs of the fact's subjects: the entities before its text. */
  readonly about: readonly string[];
  /** Slugs of all entities of the fact, with aliases resolved, without duplicates. */
  readonly slugs: readonly string[];
  /** Names of the entities in `slugs`, as written in the fact, in the same order. */
  readonly names: readonly string[];
  /** Place of the fact itself, such as `memory/2025-11-27.md#L14`. */
  readonly source: string;
  /** Confidence of the fact, from 0 to 1. It is 1 unless the fact is an opinion. */
  readonly confidence: number;
  /**
   * Whether the fact may change the confidence of a belief: it is in a log, and no program generated, repeated or
   * inferred it.
   */
  readonly isEvidence: boolean;
}

/** Gives a curated fact the day of the log that it cites. */
export function withLogDate(fact: ReflectFact): ReflectFact {
  return fact.saidOn === fact.day ? fact : { ...fact, day: fact.saidOn };
}

const NO_RESOURCES = { withResources: false };
/** Maximum number of units about an entity to read and sort by day, those of the latest days first. */
const MOST_LINKED = 8_000;
/**
 * Maximum number of facts to read about another entity, latest first. A fact about that entity may mention the entity of
 * a page. To find the status of such a fact, it is compared with these facts.
 */
const MOST_LATEST = 150;
const MOST_WORDS = 8;
const MOST_REPEATS = 200;
const MOST_WITH_WORDS = 2_000;

/** Reads facts from the index and caches them. The index must not change meanwhile. */
export class FactReader {
  /** Most facts name the same few entities. They share these arrays, which saves memory. */
  private readonly named = new Cache<string, Pick<ReflectFact, 'entities' | 'slugs' | 'names'>>();
  private readonly told = new Cache<string, readonly string[]>();
  private readonly entities = new Cache<string, readonly ReflectFact[]>();
  /** Keys of the cache `entities` (limit and slug) for which the limit left out older facts. */
  private readonly cut = new Set<string>();
  private readonly ids = new Map<string, ReflectFact | undefined>();
  private readonly units = new Map<UnitKey, ReflectFact>();
  private readonly keys = new Map<string, UnitKey>();
  private readonly asked = new Set<UnitKey>();
  private readonly sections = new Map<UnitKey, boolean>();
  private readonly blocksOf = memoize((path: string) => findManagedBlocks(this.readPage(path) ?? ''));

  /**
   * @param readPage text of a page; null if there is none
   * @param until facts of later days are ignored
   */
  constructor(
    private readonly search: IndexSearch,
    private readonly readPage: (path: string) => string | null,
    private readonly until: Day = '9999-12-31',
  ) {}

  /**
   * Facts of a page, in order, without duplicates. Leaves out views: a view is a line that only shows a fact of another
   * line, and has that fact's id.
   */
  ofPage(path: string): readonly ReflectFact[] {
    const file = this.search.file(path);
    return file === undefined ? [] : this.read(this.search.range(file.firstUnit, file.lastUnit));
  }

  /**
   * Facts about an entity, newest first: all facts without a day, at most `limit` facts with a day, and also older
   * facts on pages of the bank.
   */
  ofEntity(slug: string, limit: number): readonly ReflectFact[] {
    return this.entities.of(`${limit} ${slug}`, () => this.readEntity(slug, limit));
  }

  private readEntity(slug: string, limit: number): readonly ReflectFact[] {
    const { slugs, links } = this.search.entity(slug) ?? { slugs: [slug], links: [] };
    const joined = [...slugs, ...links.filter((link) => link.startsWith(wholeNameSlug('')))];
    const linked = this.search.linked(joined, NO_RESOURCES, MOST_LINKED);
    const newest = this.search.newestFacts(linked, limit);
    if (newest.length >= limit) this.cut.add(`${limit} ${slug}`);
    const facts = this.readAt([...this.search.undatedFacts(linked), ...newest]);
    return withJobs(facts.toSorted((a, b) => compareText(b.day ?? '', a.day ?? '') || compareText(a.source, b.source)));
  }

  /**
   * Whether the limit leaves out facts about an entity. If so, {@link ofEntity} with a higher limit may return more.
   */
  isCut(slug: string, limit: number): boolean {
    this.ofEntity(slug, limit);
    return this.cut.has(`${limit} ${slug}`);
  }

  /** The latest facts about an entity by their days, at most `MOST_LATEST`. */
  latest(slug: string): readonly ReflectFact[] {
    return withJobs(this.readAt([...this.latestKeys(slug)]));
  }

  /** Whether {@link latest} would include this fact, which must have been read before. Reads no other facts to find out. */
  isAmongLatest({ id }: ReflectFact, slug: string): boolean {
    return this.latestKeys(slug).has(this.keys.get(id) ?? -1);
  }

  private readonly latestKeys = memoize((slug: string): ReadonlySet<UnitKey> => {
    const { slugs } = this.search.entity(slug) ?? { slugs: [slug] };
    return new Set(this.search.linked(slugs, NO_RESOURCES, MOST_LATEST));
  });

  /** Facts of the given units, without duplicates, in the order of the units. Reads only units that are not cached. */
  private readAt(keys: readonly UnitKey[]): readonly ReflectFact[] {
    const sorted = keys.toSorted((a, b) => a - b);
    this.read(this.search.facts(sorted.filter((key) => !this.asked.has(key))));
    const facts = new Map<string, ReflectFact>();
    for (const key of sorted) {
      const fact = this.units.get(key);
      if (fact !== undefined && !facts.has(fact.id)) facts.set(fact.id, fact);
    }
    return [...facts.values()];
  }

  /** Finds the fact with this id at the place where it was first stated; undefined if it is deleted or forgotten. */
  byId(id: string): ReflectFact | undefined {
    if (!this.ids.has(id)) this.lookUp([id]);
    return this.ids.get(id);
  }

  /** Reads several facts for {@link byId} in one query. */
  lookUp(ids: Iterable<string>): void {
    const open = [...ids].filter((id) => !this.ids.has(id));
    const found = new Map(this.readAt(this.search.stating(open)).map((fact) => [fact.id, fact]));
    for (const id of open) this.ids.set(id, found.get(id));
  }

  /**
   * For a fact that names no entity: finds the facts with the same words, which may say the same. Includes the fact itself.
   */
  sayingTheSame(fact: ReflectFact): readonly ReflectFact[] {
    const words = searchText(fact.text).match(/[\p{L}\p{N}]+/gu);
    if (words === null) return [fact];
    const hits = this.search.match(`"${words.slice(0, MOST_WORDS).join(' ')}"`, NO_RESOURCES, MOST_REPEATS);
    return [...this.read(this.search.facts(hits.map(({ key }) => key))), fact];
  }

  /**
   * Facts about the world that name no entity and have a word that begins with one of these words.
   * @param beginnings whole words or the beginnings of words
   */
  withoutEntityHaving(beginnings: readonly string[]): readonly ReflectFact[] {
    const phrases = beginnings.flatMap((word) => buildSearchPhrase(word) ?? []).map((phrase) => `${phrase}*`);
    const hits = this.search.match(phrases.join(' OR '), { ...NO_RESOURCES, kinds: ['world'] }, MOST_WITH_WORDS);
    return this.read(this.search.facts(hits.map(({ key }) => key))).filter(({ slugs }) => slugs.length === 0);
  }

  slugOf(name: string): string {
    return this.canonical(entitySlug(name));
  }

  private readonly canonical = memoize((slug: string) => this.search.entity(slug)?.slug ?? slug);

  private read(units: readonly FoundUnit[]): readonly ReflectFact[] {
    const facts = new Map<string, ReflectFact>();
    this.readSections(units);
    for (const unit of units) {
      this.asked.add(unit.key);
      if (unit.fact === null || !STATED.has(unit.file.role) || (unit.file.day ?? '') > this.until) continue;
      const known = this.units.get(unit.key);
      if (known === undefined && (hasForm(unit, 'observed') || this.isGenerated(unit) || isView(unit))) continue;
      const fact = known ?? this.toFact(unit, unit.fact);
      this.units.set(unit.key, fact);
      if (!this.keys.has(unit.fact)) this.keys.set(unit.fact, unit.key);
      if (!facts.has(unit.fact)) facts.set(unit.fact, fact);
    }
    return [...facts.values()];
  }

  private toFact(unit: FoundUnit, id: string): ReflectFact {
    const { file, kind, detail, validFrom, validTo, line } = unit;
    const [first, ...others] = detail?.entities ?? [];
    const whole = joinEntityName(first, unit.text);
    const isKnown = whole !== undefined && this.search.entity(entitySlug(whole))?.path != null;
    const named = this.namesOf(isKnown ? [whole, ...others] : (detail?.entities ?? []));
    const isMachine = this.isByMachine(unit);
    const isJob = isMachine || (kind === 'observation' && this.isBeneathMachine(unit));
    const cited = file.day === null ? CITATION_AT_END.exec(unit.text) : null;
    const told = cited === null ? unit.text : unit.text.slice(0, cited.index);
    const { text, lead, about } = readSubject(
      isKnown ? told.replace(`${first} ${findRestOfEntityName(first, unit.text)}`, whole) : told,
    );
    const leading = this.told.of(about.join('\n'), () => about.map((name) => this.slugOf(name)));
    return {
      id,
      kind,
      day: file.day,
      saidOn: file.day ?? (cited === null ? null : dayOfPath(cited[1]?.replace(/#.*$/, '') ?? '')),
      cites: cited?.[1] ?? null,
      text,
      lead,
      entities: named.entities,
      about: leading,
      subjects: about.length > 0 ? leading : named.slugs,
      statement: detail?.statement ?? [],
      slugs: named.slugs,
      names: named.names,
      path: file.path,
      line,
      source: `${file.path}#L${line}`,
      validFrom,
      validTo,
      period: unit.isPeriod ? { from: validFrom, to: validTo } : null,
      confidence: kind === 'opinion' ? (detail?.confidence ?? DEFAULT_CONFIDENCE) : 1,
      isEvidence: file.role === 'daily' && !isMachine && !isJob,
      isJob,
    };
  }

  private namesOf(entities: readonly string[]) {
    return this.named.of(entities.join('\n'), () => {
      const names = new Map(entities.map((name) => [this.slugOf(name), name]));
      return { entities, slugs: [...names.keys()], names: [...names.values()] };
    });
  }

  /** Whether a program wrote a line above the unit in the same section. */
  private isBeneathMachine({ key, file, section }: FoundUnit): boolean {
    const from = Math.max(file.firstUnit, section ?? file.firstUnit, key - MOST_ABOVE);
    return from < key && this.search.lines(from, key - 1).some(({ text }) => isMachineLine(text));
  }

  /** Whether a line is in a generated block. Such a line is a view, even if a merge has cut off the id of its fact. */
  private isGenerated({ file: { role, path }, line }: FoundUnit): boolean {
    if (role !== 'bank') return false;
    return this.blocksOf(path).some(
      ({ state, startLine, endLine }) => state !== 'edited' && startLine <= line && line <= endLine,
    );
  }

  private isByMachine({ text, section }: FoundUnit): boolean {
    if (isMachineLine(text)) return true;
    return section !== null && this.sections.get(section) === true;
  }

  /** Finds out, for the section of each unit, whether a program wrote the heading of that section. Caches the answer. */
  private readSections(units: readonly FoundUnit[]): void {
    const open = new Set<UnitKey>();
    for (const { key, section } of units)
      if (section !== null && !this.units.has(key) && !this.sections.has(section)) open.add(section);
    if (open.size === 0) return;
    for (const [key, text] of this.search.texts([...open])) this.sections.set(key, isMachineHeading(text));
  }
}

const MOST_ABOVE = 12;
/** An observation with the same text on more than this number of days was written by a scheduled job. */
const JOB_DAYS = 3;

/** Marks observations whose text appears on many days as written by a scheduled job. */
function withJobs(facts: readonly ReflectFact[]): readonly ReflectFact[] {
  const days = new Map<string, Set<Day>>();
  for (const { kind, day, text } of facts) {
    if (kind !== 'observation' || day === null) continue;
    days.set(normaliseText(text), (days.get(normaliseText(text)) ?? new Set()).add(day));
  }
  const isJobs = ({ kind, text }: ReflectFact): boolean =>
    kind === 'observation' && (days.get(normaliseText(text))?.size ?? 0) > JOB_DAYS;
  return facts.map((fact) => (isJobs(fact) ? { ...fact, isJob: true } : fact));
}

/**
 * Splits a statement into its subjects (`about`), the names that are part of its sentence (`lead`), and its text.
 * `@Peter: lives in Graz` has the subject Peter and no `lead`. `@Peter has two talks` has the subject Peter, and the
 * name is also its `lead`. `@Peter and I answered` has a `lead`, but no subject.
 */
function readSubject(statement: string): Pick<ReflectFact, 'text' | 'lead' | 'about'> {
  const text = textAfterLeadingEntities(statement);
  const head = statement.slice(0, statement.length - text.length);
  const about = findEntities(head);
  if (about.length === 0 || /[:：]\s*$/.test(head)) return { text, lead: '', about };
  const isShared = /^(?:and|or|&|und|et|[和与跟及])(?![\w])/i.test(text);
  return { text, lead: head.replace(/[@＠](?=\S)/g, ''), about: isShared ? [] : about };
}

/**
 * Roles of the pages from which reflect takes facts. Lines of other pages, such as the pages of entities, are left out.
 */
const STATED: ReadonlySet<string> = new Set(['daily', 'topic', 'bank', 'core']);

/**
 * Whether a line is a view. A view shows a fact of another line and has the id of that fact. The id of any other line is
 * computed from the text of that line. So the line is a view if the id computed from its text differs from the id that it
 * has.
 */
function isView({ kind, text, fact, file, detail }: FoundUnit): boolean {
  const letter = kindLetter(kind);
  if (detail?.view !== true || letter === '-') return false;
  const own = { kind: letter, entities: detail.entities ?? [], text: textAfterLeadingEntities(text), day: file.day };
  return factId(own) !== fact;
}
