import type { Day } from '../../base/clock.js';
import { compareText, groupBy } from '../../base/order.js';
import { findManagedBlocks, replaceManagedBlock } from '../../markdown/blocks.js';
import { findEntities } from '../../markdown/entities.js';
import { ELSEWHERE } from '../../memory/threads/standing.js';
import type { FactReader, ReflectFact } from '../facts.js';
import type { EditedBlock, PagePlan } from './entity-pages.js';
import { ALL_FACTS, EntityStandings, MOST_FACTS } from './entity-standings.js';
import { durableLine, type Promotion, promotionOf, readDurable, type Struck, statementKey } from './promotion.js';
import { proseOf, SaidOnPage } from './said.js';

const BLOCK = 'durable';
const PAGES = [
  { kind: 'world', path: 'bank/world.md', title: '# World\n' },
  { kind: 'experience', path: 'bank/experience.md', title: '# Experience\n' },
] as const;

export interface DurablePlan {
  readonly pages: readonly PagePlan[];
  readonly edited: readonly EditedBlock[];
  readonly promoted: readonly Promotion[];
}

export interface DurableInput {
  readonly facts: readonly ReflectFact[];
  readonly reader: FactReader;
  readonly readPage: (path: string) => string | null;
  readonly standings: EntityStandings;
}

/**
 * Promotes the durable ones of some new facts to `bank/world.md` and `bank/experience.md`, as views of the facts, and
 * strikes those that a later fact has replaced. What people wrote on these pages stays as it is.
 */
export async function planDurablePages(input: DurableInput): Promise<DurablePlan> {
  const { facts, reader, readPage } = input;
  const { day, verdicts } = input.standings;
  const isMuch = facts.length > MOST_FACTS;
  const standings = isMuch ? new EntityStandings(reader, day, verdicts, ALL_FACTS) : input.standings;
  const about = new AboutEntities(standings);
  const found = promotions(facts, reader, about);
  const pages: PagePlan[] = [];
  const edited: EditedBlock[] = [];
  const promoted: Promotion[] = [];
  const touched = new Set(facts.flatMap(({ subjects }) => subjects));
  for (const { kind, path, title } of PAGES) {
    const current = readPage(path);
    const block = findManagedBlocks(current ?? '').find(({ name }) => name === BLOCK);
    const lines = new Map(readDurable(block?.content ?? '').map(({ id, line }) => [id, line]));
    const prose = proseOf(current ?? '');
    const ofKind = found.filter(({ fact }) => fact.kind === kind && !lines.has(fact.id));
    const fresh = await worthTaking(ofKind, prose, about);
    const isMerged = block?.state === 'conflicted';
    const content = await render({ lines, fresh, about, reader, touched: isMerged ? null : touched });
    if (content === '' && block === undefined) continue;
    const replaced = replaceManagedBlock(current ?? title, BLOCK, content);
    if (replaced.status === 'edited' || replaced.status === 'broken') {
      if (fresh.length > 0) edited.push({ path, block: BLOCK, state: replaced.status, content });
      continue;
    }
    promoted.push(...fresh);
    if (replaced.text !== current) pages.push({ path, text: replaced.text });
  }
  return { pages, edited, promoted };
}

/** Without what somebody has written on the page, and what holds no more. */
async function worthTaking(
  found: readonly Promotion[],
  prose: string,
  about: AboutEntities,
): Promise<readonly Promotion[]> {
  const curated = new SaidOnPage(prose);
  const fresh: Promotion[] = [];
  for (const one of found) {
    if (!curated.has(one.fact.text) && (await about.mayBePromoted(one))) fresh.push(one);
  }
  return fresh;
}

function promotions(facts: readonly ReflectFact[], reader: FactReader, about: AboutEntities): readonly Promotion[] {
  const found = new Map<string, Promotion>();
  for (const fact of facts) {
    const key = statementKey(fact);
    if (found.has(key)) continue;
    const same =
      fact.slugs.length > 0
        ? about.sayingTheSame(fact)
        : reader.sayingTheSame(fact).filter((other) => statementKey(other) === key);
    const promotion = promotionOf(fact, [...same, fact]);
    if (promotion !== undefined) found.set(key, promotion);
  }
  return [...found.values()];
}

interface RenderInput {
  /** As they stand in the block, by the ids of their facts. */
  readonly lines: ReadonlyMap<string, string>;
  readonly fresh: readonly Promotion[];
  readonly about: AboutEntities;
  readonly reader: FactReader;
  /** Of whom something new is told, which may have replaced these; null: look at all. */
  readonly touched: ReadonlySet<string> | null;
}

/** A line of a block, with its fact where it may stand otherwise than it did. */
interface Kept {
  readonly id: string;
  readonly day: Day | null;
  readonly line: string;
  readonly fact?: ReflectFact | undefined;
}

/** The lines of a block in the order of their days. A fact that is gone has no view; one that is stated twice has one. */
async function render({ lines, fresh, about, reader, touched }: RenderInput): Promise<string> {
  const isTouched = (slug: string): boolean => touched === null || touched.has(slug);
  const naming = [...lines].filter(
    ([, line]) => touched === null || findEntities(line).some((name) => isTouched(reader.slugOf(name))),
  );
  const open = new Set(naming.map(([id]) => id));
  reader.lookUp(open);
  const kept = [...reader.daysOf([...lines.keys()])].map(([id, day]): Kept => {
    const fact = open.has(id) ? reader.byId(id) : undefined;
    const isOpen = touched === null || fact?.subjects.some(isTouched);
    return { id, day, line: lines.get(id) ?? '', fact: isOpen ? fact : undefined };
  });
  const added = fresh.map(({ fact }): Kept => ({ id: fact.id, day: fact.day, line: '', fact }));
  const distinct = new Map<string, Kept>();
  for (const entry of [...kept, ...added].toSorted(byDay)) {
    const key = entry.fact === undefined ? entry.line.replace(entry.id, '') : statementKey(entry.fact);
    if (!distinct.has(key)) distinct.set(key, entry);
  }
  const written: string[] = [];
  for (const { line, fact } of distinct.values())
    written.push(fact === undefined ? line : durableLine(fact, await about.struckOf(fact)));
  return written.join('\n');
}

function byDay(a: Kept, b: Kept): number {
  return compareText(a.day ?? '', b.day ?? '') || compareText(a.id, b.id);
}

/** Facts by entity, and what has replaced them. */
class AboutEntities {
  private readonly statements = new Map<string, ReadonlyMap<string, readonly ReflectFact[]>>();

  constructor(private readonly standings: EntityStandings) {}

  /** The facts about the same entities that say word for word the same, itself included. */
  sayingTheSame(fact: ReflectFact): readonly ReflectFact[] {
    const key = statementKey(fact);
    return fact.slugs.flatMap((slug) => this.byStatement(slug).get(key) ?? []);
  }

  private byStatement(slug: string): ReadonlyMap<string, readonly ReflectFact[]> {
    const known = this.statements.get(slug);
    if (known !== undefined) return known;
    const found = groupBy(this.standings.about(slug), statementKey);
    this.statements.set(slug, found);
    return found;
  }

  /** What is replaced or over already is not taken in any more. */
  async mayBePromoted({ fact, reason }: Promotion): Promise<boolean> {
    if (fact.kind !== 'world' || reason === 'important') return true;
    for (const slug of fact.slugs) {
      const parts = this.standings.ofFact(slug, fact);
      if (parts.length > 0 && parts.every(({ place }) => place === 'before')) return false;
    }
    return true;
  }

  /** What later facts have replaced of a world fact; what was done or experienced stays so. */
  async struckOf(fact: ReflectFact): Promise<readonly Struck[]> {
    if (fact.kind !== 'world') return [];
    for (const slug of fact.slugs) {
      const parts = this.standings.ofFact(slug, fact);
      const struck = parts.flatMap(({ text, by, ending }) =>
        ending === 'replaced' && by !== null ? { text: text.replaceAll(ELSEWHERE, '').trim(), by } : [],
      );
      const [first] = struck;
      if (first !== undefined) return struck.length === parts.length ? [{ text: fact.text, by: first.by }] : struck;
    }
    return [];
  }
}
