import type { Day } from '../base/clock.js';
import type { FoundUnit, Search } from '../index/search.js';
import { afterLeadingEntities } from '../markdown/bullet.js';
import { EvidenceBook, type Verdict } from '../memory/evidence.js';
import { normaliseText } from '../memory/fact.js';
import type { PairVerdict, PairVerdicts } from '../memory/threads/verdicts.js';
import type { EvidenceCount } from '../memory/unit.js';
import { entitySlug } from '../text/slug.js';

const OPINIONS_PATH = 'bank/opinions.md';

/**
 * The beliefs of the page of opinions. The line of the page is the belief; lines of logs that say it are where it came
 * from, and have no confidence of their own. Read when the first opinion about a subject is asked about: of thousands a
 * question needs those about one or two.
 */
export class BeliefLookup {
  private readonly byFact = new Map<string, FoundUnit>();
  private readonly byStatement = new Map<string, FoundUnit>();
  private readonly subjects = new Set<string>();
  private isRead = false;
  private hasMore = false;
  /** Ids of the opinions that each fact supports. */
  private judged: ReadonlyMap<string, readonly string[]> | undefined;

  /** @param readEvidence the lines of `bank/evidence.jsonl` that have a text: the page does not list all that counts */
  constructor(
    private readonly search: Search,
    private readonly readEvidence: (having: string) => string,
  ) {}

  /** The belief that an opinion states or was taken into; itself when it is one. */
  of(unit: FoundUnit): FoundUnit | undefined {
    if (unit.kind !== 'opinion' || unit.fact === null) return undefined;
    this.readAbout(unit.detail?.entities ?? []);
    return this.byFact.get(unit.fact) ?? this.byStatement.get(statementOf(unit)) ?? this.counting(unit.fact);
  }

  /** The belief with an id, or that a fact supports. */
  byId(id: string): FoundUnit | undefined {
    if (id.startsWith('o-')) return this.search.statements(id).find(({ file }) => file.path === OPINIONS_PATH);
    this.read();
    return this.byFact.get(id) ?? this.counting(id);
  }

  /** The verdicts that count about a belief, in no order. */
  verdictsAbout(id: string): readonly Verdict[] {
    return new EvidenceBook(this.readEvidence(id)).about(id);
  }

  /**
   * How much evidence a belief has for and against, with what its line only counts; undefined if the line lists all.
   * @param unit the line, with the evidence that is listed
   * @param until last day of the evidence
   */
  evidenceCount({ fact, detail }: FoundUnit, until?: Day): EvidenceCount | undefined {
    const { evidence } = detail ?? {};
    if (fact === null || evidence?.more === undefined) return undefined;
    const listed = new Set([...evidence.for, ...evidence.against].map((link) => link.fact));
    const others = this.verdictsAbout(fact).filter(
      ({ fact: about, direction, day }) => direction !== 'none' && !listed.has(about) && !(until && day > until),
    );
    // If the numbers differ, facts were deleted or forgotten: their verdicts stay in the file.
    const stated = others.length === evidence.more ? null : this.search.daysOf(others.map((one) => one.fact));
    const counted = stated === null ? others : others.filter((one) => stated.has(one.fact));
    const supporting = counted.filter(({ direction }) => direction === 'supports').length;
    return {
      for: evidence.for.length + supporting,
      against: evidence.against.length + counted.length - supporting,
    };
  }

  /** The belief that a fact supports and whose line does not list it, for there is so much that does. */
  private counting(fact: string): FoundUnit | undefined {
    if (!this.hasMore) return undefined;
    const beliefs = (this.supporting().get(fact) ?? []).map((id) => this.byFact.get(id));
    return beliefs.find((belief) => belief?.detail?.evidence?.more !== undefined);
  }

  private supporting(): ReadonlyMap<string, readonly string[]> {
    if (this.judged === undefined) {
      const judged = new Map<string, string[]>();
      for (const [, fact = '', ids = ''] of this.readEvidence(SUPPORTING).matchAll(SUPPORTS))
        judged.set(fact, [...(judged.get(fact) ?? []), ...ids.split(' ')]);
      this.judged = judged;
    }
    return this.judged;
  }

  /** Verdicts about stated opinions count for the beliefs that these were taken into, too. */
  taking(verdicts: PairVerdicts): PairVerdicts {
    const all = new Map<string, readonly PairVerdict[]>(verdicts);
    for (const [of, said] of verdicts) {
      const id = this.statedIn(of);
      if (id === undefined) continue;
      const about = said.map((verdict) => ({ ...verdict, of: id, fact: this.statedIn(verdict.fact) ?? verdict.fact }));
      all.set(id, [...(all.get(id) ?? []), ...about]);
    }
    return all;
  }

  /** Id of the belief that an opinion was taken into. */
  private statedIn(id: string): string | undefined {
    const belief = this.byId(id)?.fact ?? undefined;
    return belief !== undefined && this.search.statements(id).some(({ kind }) => kind === 'opinion')
      ? belief
      : undefined;
  }

  /** Whether a stated opinion has been judged, and so is no belief but by the page: it was taken into one, or off it. */
  isJudged({ kind, fact, file }: FoundUnit): boolean {
    if (kind !== 'opinion' || fact === null || file.role === 'opinions') return false;
    return this.supporting().has(fact);
  }

  /** Whoever states an opinion names whom the belief is about. */
  private readAbout(names: readonly string[]): void {
    if (names.length === 0) this.read();
    const open = names.map(entitySlug).filter((slug) => !this.subjects.has(slug));
    if (this.isRead || open.length === 0) return;
    const slugs = open.flatMap((slug) => {
      const { slugs: all, links } = this.search.entity(slug) ?? { slugs: [slug], links: [] };
      return [...all, ...links];
    });
    for (const slug of [...open, ...slugs]) this.subjects.add(slug);
    const page = this.search.file(OPINIONS_PATH);
    if (page !== undefined) this.add(this.search.factsIn(page.firstUnit, page.lastUnit, slugs));
  }

  private read(): void {
    if (this.isRead) return;
    this.isRead = true;
    const page = this.search.file(OPINIONS_PATH);
    if (page !== undefined) this.add(this.search.factsIn(page.firstUnit, page.lastUnit));
  }

  private add(units: readonly FoundUnit[]): void {
    for (const unit of units) {
      if (unit.kind !== 'opinion' || unit.fact === null || this.byFact.get(unit.fact)?.key === unit.key) continue;
      this.byStatement.set(statementOf(unit), unit);
      this.byFact.set(unit.fact, unit);
      this.hasMore ||= unit.detail?.evidence?.more !== undefined;
      for (const { fact } of unit.detail?.evidence?.for ?? []) if (fact !== null) this.byFact.set(fact, unit);
    }
  }
}

/** A line of evidence that speaks for a belief. */
const SUPPORTING = '"direction":"supports"';
const SUPPORTS = /"fact":"(f-[0-9a-z]{13})","opinion":"([^"\n]*)"[^\n]*"direction":"supports"/g;

/** What two lines share that state one opinion. */
function statementOf({ text, detail }: FoundUnit): string {
  return JSON.stringify([slugsOf(detail?.entities), normaliseText(afterLeadingEntities(text))]);
}

/** The slugs of some names in an order of their own. */
export function slugsOf(entities: readonly string[] = []): readonly string[] {
  return [...new Set(entities.map(entitySlug))].sort();
}
