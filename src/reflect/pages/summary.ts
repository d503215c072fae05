import { compareText } from '../../base/order.js';
import { normaliseText } from '../../memory/fact.js';
import { judgeByRules, prepare } from '../../memory/judge/rules.js';
import type { Belief, Conviction } from '../beliefs/beliefs.js';
import type { ReflectFact } from '../facts.js';
import { findSuperseded } from './superseded.js';

/** What the summary of an entity is made from. */
export interface SummaryInput {
  readonly slug: string;
  /** About the entity, the newest first. */
  readonly facts: readonly ReflectFact[];
  readonly beliefs: readonly { readonly belief: Belief; readonly conviction: Conviction }[];
  /** Page of another entity, relative to this one's; null when it has none. */
  readonly pageOf: (slug: string) => string | null;
  /** Sentences by a model, each with its citations; they come first. */
  readonly narrative?: readonly string[] | undefined;
}

const MOST = { now: 12, recent: 8, preferences: 10, contradictions: 5, related: 12 };
/** So many of the newest facts are compared with each other. */
const COMPARED = 30;

/**
 * The generated part of an entity's page: what is true now, what happened last, opinions, what
 * contradicts itself; each line cites its facts. Depends on nothing but the facts, so the same facts give the same bytes.
 * Pure.
 */
export function summarise(input: SummaryInput): string {
  const facts = distinct(input.facts);
  const superseded = findSuperseded(facts);
  const world = facts.filter(({ kind, id }) => kind === 'world' && !superseded.has(id));
  const recent = facts.filter(({ kind, day }) => kind === 'experience' && day !== null);
  const believed = input.beliefs
    .filter(({ conviction }) => !conviction.isRetired)
    .toSorted((a, b) => b.conviction.confidence - a.conviction.confidence || compareText(a.belief.id, b.belief.id));
  const parts = [
    (input.narrative ?? []).join('\n'),
    section('Now', world.slice(0, MOST.now).map(factLine)),
    section(
      'Recent',
      recent.slice(0, MOST.recent).map((fact) => `- ${fact.day}: ${factLine(fact).slice(2)}`),
    ),
    section('Preferences', believed.slice(0, MOST.preferences).map(beliefLine)),
    section('Contradictions', contradictions(world.slice(0, COMPARED)).map(contradictionLine)),
    section('See also', related(input, facts)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The same statement of several days is one, as of its newest. */
function distinct(facts: readonly ReflectFact[]): readonly ReflectFact[] {
  const seen = new Set<string>();
  return facts.filter(({ kind, text }) => {
    const statement = `${kind} ${normaliseText(text)}`;
    if (kind === 'observation' || seen.has(statement)) return false;
    seen.add(statement);
    return true;
  });
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `**${title}**\n\n${lines.join('\n')}`;
}

function factLine(fact: ReflectFact): string {
  return `- ${plain(fact.text)} (${citation(fact)})`;
}

/** A fact's place as a link from an entity's page, with its id. */
export function citation({ source, id }: ReflectFact): string {
  return `[${source}](../../${source}) ${id}`;
}

/** A statement within a line of ours: it can't begin something else there. */
function plain(text: string): string {
  return text.replaceAll('<!--', '&lt;!--').replace(/\s+/g, ' ').trim();
}

/** Without its confidence, which changes between runs. */
function beliefLine({ belief }: SummaryInput['beliefs'][number]): string {
  return `- ${plain(belief.text)} ([opinions](../opinions.md) ${belief.id})`;
}

type Contradiction = readonly [newer: ReflectFact, older: ReflectFact];

/** Statements that can't both be true, and none says that it replaces the other. */
function contradictions(world: readonly ReflectFact[]): readonly Contradiction[] {
  const read = world.map((fact) => ({ fact, judged: prepare(fact.text, fact.entities) }));
  const found: Contradiction[] = [];
  for (const [index, newer] of read.entries()) {
    for (const older of read.slice(index + 1)) {
      if (judgeByRules(older.judged, newer.judged) !== 'contradicts') continue;
      found.push([newer.fact, older.fact]);
      if (found.length >= MOST.contradictions) return found;
    }
  }
  return found;
}

function contradictionLine([newer, older]: Contradiction): string {
  return `- ${plain(newer.text)} (${citation(newer)}) against ${plain(older.text)} (${citation(older)})`;
}

function related({ slug, pageOf }: SummaryInput, facts: readonly ReflectFact[]): readonly string[] {
  const counts = new Map<string, { name: string; facts: number }>();
  for (const { names, slugs } of facts) {
    for (const [index, other] of slugs.entries()) {
      if (other === slug) continue;
      const entry = counts.get(other) ?? { name: names[index] ?? other, facts: 0 };
      entry.facts++;
      counts.set(other, entry);
    }
  }
  const links = [...counts]
    .sort(([a, x], [b, y]) => y.facts - x.facts || compareText(a, b))
    .slice(0, MOST.related)
    .map(([other, { name }]) => {
      const page = pageOf(other);
      return page === null ? `@${name}` : `[${name}](${page})`;
    });
  return links.length === 0 ? [] : [links.join(', ')];
}
