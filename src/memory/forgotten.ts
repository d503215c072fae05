import { createHmac } from 'node:crypto';
import { parseBullet } from '../markdown/bullet.js';
import type { FactKind } from '../markdown/fact-kinds.js';
import { entitySlug } from '../text/slug.js';
import { normaliseText } from './fact.js';

/** What a tombstone is about: a statement on any day, or with kind `-` a line of log text. */
export interface Forgettable {
  readonly kind: FactKind | '-';
  /** Written names. */
  readonly entities: readonly string[];
  /** Without kind, leading entities and block id. */
  readonly text: string;
}

/** One line of `bank/forgotten.md`. */
export interface Tombstone {
  /** Names this act of forgetting, so that it can be taken back without taking back another one. */
  readonly nonce: string;
  readonly hash: string;
}

const FORGOTTEN = /^\s*[-*+]\s+forgotten\s+\S+\s+h-([0-9a-f]{32})\s+n-([0-9a-f]{8})\s*$/;
const RESTORED = /^\s*[-*+]\s+restored\s+\S+\s+n-([0-9a-f]{8})\s*$/;
const KEY = /^[0-9a-f]{64}$/;

export const FORGOTTEN_PAGE = 'bank/forgotten.md';
export const SALT_FILE = 'bank/.salt';
export const FORGOTTEN_HEAD =
  '# Forgotten\n\nHashes of what was forgotten, so that it stays forgotten also when a merge brings it back. None of its text is here.\n\n';

export function forgottenLine(tombstone: Tombstone, day: string): string {
  return `- forgotten ${day} h-${tombstone.hash} n-${tombstone.nonce}`;
}

export function restoredLine(nonce: string, day: string): string {
  return `- restored ${day} n-${nonce}`;
}

/** The tombstones in force. Lines may come in any order and twice, as union merges leave them. */
export function readTombstones(page: string): readonly Tombstone[] {
  const found = new Map<string, Tombstone>();
  const restored = new Set<string>();
  for (const line of page.split(/\r\n|\r|\n/)) {
    const [, hash, nonce] = FORGOTTEN.exec(line) ?? [];
    if (hash !== undefined && nonce !== undefined) found.set(nonce + hash, { hash, nonce });
    const back = RESTORED.exec(line)?.[1];
    if (back !== undefined) restored.add(back);
  }
  return [...found.values()].filter(({ nonce }) => !restored.has(nonce));
}

/** The keys of a salt file: one, or several where clones that each made one were merged. */
export function readKeys(file: string): readonly string[] {
  return [...new Set(file.split(/\s+/).filter((word) => KEY.test(word)))];
}

/** Of a statement: what it is about and its words, as they stand and without what ends a sentence. */
export function statementForms({ kind, entities, text }: Forgettable): readonly string[] {
  const slugs = [...new Set(entities.map(entitySlug))].sort();
  const asStated = normaliseText(text);
  // NFKC has made full-width marks narrow.
  const bare = asStated.replace(/[\s.!?。…]+$/u, '') || asStated;
  return [...new Set([bare, asStated])].map((words) => JSON.stringify([kind, slugs, words]));
}

/**
 * The hashes of a statement under a key: of kind, entities and normalised text, not of the day: it is forgotten on every
 * day. The first is of the text without a final `!`, `?` or full stop, the other, where there is one, of the text with it.
 */
export function tombstoneHashes(key: string, statement: Forgettable): readonly string[] {
  return statementForms(statement).map((form) =>
    createHmac('sha256', Buffer.from(key, 'hex')).update(form).digest('hex').slice(0, 32),
  );
}

/** Tells what was forgotten. Asking costs a hash for each key, and nothing where nothing was forgotten. */
export class Forgotten {
  static readonly NOTHING = new Forgotten([], []);
  private readonly hashes: ReadonlyMap<string, string>;

  constructor(
    tombstones: readonly Tombstone[],
    private readonly keys: readonly string[],
  ) {
    this.hashes = new Map(tombstones.map(({ hash, nonce }) => [hash, nonce]));
  }

  get size(): number {
    return this.hashes.size;
  }

  /** Changes whenever an answer may. */
  get digest(): string {
    return this.size === 0 ? '' : [...this.hashes.keys(), ...this.keys].sort().join();
  }

  has(statement: Forgettable): boolean {
    return this.nonceOf(statement) !== undefined;
  }

  /** The name of the tombstone that is about a statement. */
  nonceOf(statement: Forgettable): string | undefined {
    if (this.hashes.size === 0) return undefined;
    for (const key of this.keys) {
      for (const hash of tombstoneHashes(key, statement)) {
        const nonce = this.hashes.get(hash);
        if (nonce !== undefined) return nonce;
      }
    }
    return undefined;
  }

  /** Whether a line of text is forgotten, by itself or because it is a typed bullet that is. */
  hasLine(text: string): boolean {
    if (this.hashes.size === 0) return false;
    if (this.has({ kind: '-', entities: [], text })) return true;
    const parsed = parseBullet(text);
    return parsed.type === 'fact' && this.has(parsed.bullet);
  }

  /** The first line of a text that is forgotten; without its list mark. */
  lineIn(text: string): string | undefined {
    if (this.hashes.size === 0) return undefined;
    const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(LIST_MARK, '').trim());
    return lines.find((line) => line !== '' && this.hasLine(line));
  }
}

const LIST_MARK = /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?/;
