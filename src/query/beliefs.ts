import type { Day } from '../base/clock.js';
import type { FoundUnit, IndexSearch } from '../index/search.js';
import type { EvidenceCount } from '../line/unit.js';
import { textAfterLeadingEntities } from '../markdown/bullet.js';
import { type Verdict, VerdictStore } from '../memory/evidence.js';
import { normaliseText } from '../memory/fact.js';
import type { FinalPairVerdicts, PairVerdict } from '../memory/threads/verdicts.js';
import { entitySlug } from '../text/slug.js';

const OPINIONS_PATH = 'bank/opinions.md';

/**
 * Looks up the beliefs on the page of opinions. Only the line on that page is the belief. Lines of logs that state the same
 * are its sources and have no confidence of their own. The beliefs about an entity are read at the first lookup of an
 * opinion about it: a page may have thousands of beliefs, and a question needs a few.
 */
export class BeliefLookup {
  private readonly byFact = new Map<string, FoundUnit>();
  private readonly byStatement = new Map<string, FoundUnit>();
  private readonly subjects = new Set<string>();
  private isRead = false;
  private hasMore = false;
  /** Ids of the opinions that each fact supports. */
  private judged: ReadonlyMap<string, readonly string[]> | undefined;

  /**
   * @param readEvidence returns the lines of `bank/evidence.jsonl` that contain a text. Needed because the page lists only
   * the newest evidence
   */
  constructor(
    private readonly search: IndexSearch,
    private readonly readEvidence: (having: string) => string,
  ) {}

  /** The belief that an opinion states or supports. A belief is returned unchanged. */
  of(unit: FoundUnit): FoundUnit | undefined {
    if (unit.kind !== 'opinion' || unit.fact === null) return undefined;
    this.readAbout(unit.detail?.entities ?? []);
    return this.byFact.get(unit.fact) ?? this.byStatement.get(statementOf(unit)) ?? this.counting(unit.fact);
  }

  /** The belief with this id, or the belief that the fact with this id supports. */
  byId(id: string): FoundUnit | undefined {
    if (id.startsWith('o-')) return this.search.statements(id).find(({ file }) => file.path === OPINIONS_PATH);
    this.read();
    return this.byFact.get(id) ?? this.counting(id);
  }

  /**
   * The verdicts about a belief, in no particular order. If there are several verdicts about the same fact, only the
   * one that wins.
   */
  verdictsAbout(id: string): readonly Verdict[] {
    return new VerdictStore(this.readEvidence(id)).about(id);
  }

  /**
   * Number of pieces of evidence for and against a belief, including those that the line of the belief does not list.
   * Undefined if the line lists all of them.
   * @param unit the line of the belief on the page of opinions
   * @param until last day of the evidence to count
   */
  evidenceCount({ fact, detail }: FoundUnit, until?: Day): EvidenceCount | undefined {
    const { evidence } = detail ?? {};
    if (fact === null || evidence?.more === undefined) return undefined;
    const listed = new Set([...evidence.for, ...evidence.against].map((link) => link.fact));
    const others = this.verdictsAbout(fact).filter(
      ({ fact: about, direction, day }) => direction !== 'none' && !listed.has(about) && !(until && day > until),
    );
    // If there are not as many verdicts as the page counts, some facts were deleted or forgotten. Their verdicts stay in the
    // file, so only the verdicts about existing facts are counted then.
    const stated = others.length === evidence.more ? null : this.search.daysOf(others.map((one) => one.fact));
    const counted = stated === null ? others : others.filter((one) => stated.has(one.fact));
    const supporting = counted.filter(({ direction }) => direction === 'supports').length;
    return {
      for: evidence.for.length + supporting,
      against: evidence.against.length + counted.length - supporting,
    };
  }

  /** The belief that a fact supports although the page does not list the fact: the page lists only the newest evidence. */
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

  /**
   * Adds verdicts about beliefs. If an opinion in a log supports a belief, each verdict about the opinion is copied as a
   * verdict about the belief.
   */
  taking(verdicts: FinalPairVerdicts): FinalPairVerdicts {
    const all = new Map<string, readonly PairVerdict[]>(verdicts);
    for (const [of, said] of verdicts) {
      const id = this.statedIn(of);
      if (id === undefined) continue;
      const about = said.map((verdict) => ({ ...verdict, of: id, fact: this.statedIn(verdict.fact) ?? verdict.fact }));
      all.set(id, [...(all.get(id) ?? []), ...about]);
    }
    return all;
  }

  /** Id of the belief that a fact supports, if the fact is an opinion. Otherwise undefined. */
  private statedIn(id: string): string | undefined {
    const belief = this.byId(id)?.fact ?? undefined;
    return belief !== undefined && this.search.statements(id).some(({ kind }) => kind === 'opinion')
      ? belief
      : undefined;
  }

  /**
   * Whether a line of a log states an opinion that `reflect` has already judged. Then only the page of opinions says what is
   * believed.
   */
  isJudged({ kind, fact, file }: FoundUnit): boolean {
    if (kind !== 'opinion' || fact === null || file.role === 'opinions') return false;
    return this.supporting().has(fact);
  }

  /** Reads the beliefs about some entities. An opinion and its belief name the same entities. */
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
    this.add(this.all());
  }

  /** The facts on the page of opinions. */
  all(): readonly FoundUnit[] {
    const page = this.search.file(OPINIONS_PATH);
    return page === undefined ? [] : this.search.factsIn(page.firstUnit, page.lastUnit);
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

/** Text that every line of evidence for a belief contains. */
const SUPPORTING = '"direction":"supports"';
const SUPPORTS = /"fact":"(f-[0-9a-z]{13})","opinion":"([^"\n]*)"[^\n]*"direction":"supports"/g;

/** Key of an opinion. It is the same for all lines that state this opinion. */
function statementOf({ text, detail }: FoundUnit): string {
  return JSON.stringify([slugsOf(detail?.entities), normaliseText(textAfterLeadingEntities(text))]);
}

/** The sorted slugs of some names, without duplicates. */
export function slugsOf(entities: readonly string[] = []): readonly string[] {
  return [...new Set(entities.map(entitySlug))].sort();
}
