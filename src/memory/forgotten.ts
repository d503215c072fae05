import { createHmac } from 'node:crypto';
import type { FactKind } from '../markdown/bullet.js';
import { parseBullet } from '../markdown/bullet.js';
import { entitySlug } from '../text/slug.js';
import { normaliseText } from './fact.js';

/**
 * A statement that can be forgotten. It has no day, because it is forgotten on every day. The kind `-` is that of a line of
 * log text.
 */
export interface Forgettable {
  readonly kind: FactKind | '-';
  /** The names of the entities, as written. */
  readonly entities: readonly string[];
  /** The statement, without its kind, leading entities and block id. */
  readonly text: string;
}

/** One line of `bank/forgotten.md`. */
interface Tombstone {
  /** A random name of the act of forgetting, by which that act can be undone separately. */
  readonly nonce: string;
  readonly hash: string;
}

const FORGOTTEN = /^\s*[-*+]\s+forgotten\s+\S+\s+h-([0-9a-f]{32})\s+n-([0-9a-f]{8})\s*$/;
const RESTORED = /^\s*[-*+]\s+restored\s+\S+\s+n-([0-9a-f]{8})\s*$/;
const KEY = /^[0-9a-f]{64}$/;

export const FORGOTTEN_PAGE_PATH = 'bank/forgotten.md';
export const SALT_FILE_PATH = 'bank/.salt';
export const FORGOTTEN_PAGE_HEAD =
  '# Forgotten\n\nHashes of what was forgotten, so that it stays forgotten also when a merge brings it back. None of its text is here.\n\n';

export function formatForgottenLine(tombstone: Tombstone, day: string): string {
  return `- forgotten ${day} h-${tombstone.hash} n-${tombstone.nonce}`;
}

/** The line that revokes the tombstones of a nonce; empty if the page has it already. */
export function restoredLine(page: string, nonce: string, day: string): readonly string[] {
  const isRestored = page.split('\n').some((line) => RESTORED.exec(line)?.[1] === nonce);
  return isRestored ? [] : [`- restored ${day} n-${nonce}`];
}

/**
 * The tombstones that were not undone. The lines may be in any order and duplicated, because a union merge of Git leaves
 * them like that.
 */
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

/** Keys of a salt file: one, or several if clones with different keys were merged. */
export function readSaltKeys(file: string): readonly string[] {
  return [...new Set(file.split(/\s+/).filter((word) => KEY.test(word)))];
}

/** Normalised forms of a statement (kind, entities, text): without and with its final punctuation. */
export function statementForms(statement: Forgettable): readonly string[] {
  return formsOf(statement, []);
}

/** Final marks of a statement. Earlier versions of the program hashed a statement with its final mark. */
const FINAL_MARKS = ['!', '?'];

/** @param marks final marks; the statement with each of these marks is one more form */
function formsOf({ kind, entities, text }: Forgettable, marks: readonly string[]): readonly string[] {
  const slugs = [...new Set(entities.map(entitySlug))].sort();
  const asStated = normaliseText(text);
  // NFKC has already replaced full-width punctuation such as `！`.
  const bare = asStated.replace(/[\s.!?。…]+$/u, '') || asStated;
  const all = [bare, asStated, ...marks.map((mark) => bare + mark)];
  return [...new Set(all)].map((words) => JSON.stringify([kind, slugs, words]));
}

/**
 * Keyed hashes of the kind, entities and normalised text of a statement. The day is left out, because a statement is
 * forgotten on every day. The first hash is of the text without final `!`, `?` or full stop. If the text has such a mark,
 * the second hash is of the text with the mark.
 */
export function tombstoneHashes(key: string, statement: Forgettable): readonly string[] {
  return statementForms(statement).map((form) => hashOf(key, form));
}

function hashOf(key: string, form: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(form).digest('hex').slice(0, 32);
}

/** Looks up forgotten statements. A lookup costs three or four hashes per key, and nothing if there is no tombstone. */
export class ForgottenStatements {
  static readonly NOTHING = new ForgottenStatements([], []);
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

  /** A text that changes whenever a lookup may give another result. */
  get digest(): string {
    return this.size === 0 ? '' : [...this.hashes.keys(), ...this.keys].sort().join();
  }

  has(statement: Forgettable): boolean {
    return this.nonceOf(statement) !== undefined;
  }

  /** Nonce of the tombstone that covers a statement. */
  nonceOf(statement: Forgettable): string | undefined {
    if (this.hashes.size === 0) return undefined;
    const forms = formsOf(statement, FINAL_MARKS);
    for (const key of this.keys) {
      for (const form of forms) {
        const nonce = this.hashes.get(hashOf(key, form));
        if (nonce !== undefined) return nonce;
      }
    }
    return undefined;
  }

  /** Whether a line of text is forgotten, as a line or as a typed bullet. */
  hasLine(text: string): boolean {
    if (this.hashes.size === 0) return false;
    if (this.has({ kind: '-', entities: [], text })) return true;
    const parsed = parseBullet(text);
    return parsed.type === 'fact' && this.has(parsed.bullet);
  }

  /** The first forgotten line of a text, without its list marker. */
  lineIn(text: string): string | undefined {
    if (this.hashes.size === 0) return undefined;
    const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(LIST_MARK, '').trim());
    return lines.find((line) => line !== '' && this.hasLine(line));
  }
}

const LIST_MARK = /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?/;
