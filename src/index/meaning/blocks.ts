import type { Database } from '../../db/open.js';
import { LANGUAGE_GROUPS, type LanguageGroup } from '../../language/language-group.js';

/** Number of bytes of a code of the built-in model. */
export const CODE_BYTES = 48;
/** Number of bytes that a unit takes: one for its language group, and its code. */
const UNIT_BYTES = 1 + CODE_BYTES;
/** Number of units in a block. Fewer would be slower to read; more would leave more room unused. */
export const BLOCK_UNITS = 256;
export const BLOCK_BYTES = BLOCK_UNITS * UNIT_BYTES;
/** Group of a unit that has no code. */
export const NO_CODE = 255;

/** The codes of the units of a file: first the language group of each, then the code of each. */
export class FileCodes {
  readonly units: number;

  private constructor(readonly bytes: Uint8Array) {
    this.units = bytes.length / UNIT_BYTES;
  }

  static empty(units: number): FileCodes {
    return new FileCodes(new Uint8Array(units * UNIT_BYTES).fill(NO_CODE, 0, units));
  }

  /** @param bytes the bytes of other codes */
  static of(bytes: Uint8Array): FileCodes {
    return new FileCodes(bytes);
  }

  /**
   * Sets the code of a unit.
   * @param position position of the unit in its file
   * @param write writes the code into bytes, from a place on
   */
  set(position: number, group: LanguageGroup, write: (into: Uint8Array, at: number) => void): void {
    this.bytes[position] = LANGUAGE_GROUPS.indexOf(group);
    write(this.bytes, this.units + position * CODE_BYTES);
  }
}

/**
 * The codes in the index. The units with ids from `256 n` to `256 n + 255` are in block `n`: first the language group of
 * each, then the code of each. All blocks have the same size, so SQLite writes a changed one over the old one. No old code
 * stays in the file: words can be read from a code.
 */
export class CodeBlocks {
  private readonly changed = new Map<number, Uint8Array>();
  private readonly statements;

  constructor(db: Database) {
    this.statements = {
      read: db.prepare<[number], Buffer>('SELECT codes FROM meaning WHERE block = ?').pluck(),
      has: db.prepare('SELECT 1 FROM meaning WHERE block = ?'),
      write: db.prepare(
        'INSERT INTO meaning (block, codes) VALUES (?, ?) ON CONFLICT (block) DO UPDATE SET codes = excluded.codes',
      ),
      remove: db.prepare('DELETE FROM meaning WHERE block = ?'),
    };
  }

  /** Sets the codes of a file. @param first id of its first unit */
  put(first: number, { units, bytes }: FileCodes): void {
    this.inBlocks(first, units, (block, at, done, count) => {
      block.set(bytes.subarray(done, done + count), at);
      const codes = bytes.subarray(units + done * CODE_BYTES, units + (done + count) * CODE_BYTES);
      block.set(codes, BLOCK_UNITS + at * CODE_BYTES);
    });
  }

  /** Removes the codes of some units. @param last id of the last one */
  erase(first: number, last: number): void {
    this.inBlocks(first, last - first + 1, (block, at, _done, count) => {
      block.fill(NO_CODE, at, at + count);
      block.fill(0, BLOCK_UNITS + at * CODE_BYTES, BLOCK_UNITS + (at + count) * CODE_BYTES);
    });
  }

  /** Writes the changed blocks, in ascending order: in descending order SQLite leaves pages half empty. */
  save(): void {
    for (const number of [...this.changed.keys()].sort((a, b) => a - b)) {
      const block = this.changed.get(number) ?? emptyBlock();
      const isEmpty = block.subarray(0, BLOCK_UNITS).every((group) => group === NO_CODE);
      // An empty block is written first, too: SQLite leaves the bytes of a deleted row in the file.
      if (!isEmpty || this.statements.has.get(number) !== undefined) this.statements.write.run(number, block);
      if (isEmpty) this.statements.remove.run(number);
    }
    this.changed.clear();
  }

  /** Changes the blocks of some units. `change` gets the place of the first unit in its block, and how many it has of them. */
  private inBlocks(
    first: number,
    units: number,
    change: (block: Uint8Array, at: number, done: number, count: number) => void,
  ): void {
    for (let done = 0; done < units; ) {
      const id = first + done;
      const count = Math.min(units - done, BLOCK_UNITS - (id % BLOCK_UNITS));
      change(this.block(Math.floor(id / BLOCK_UNITS)), id % BLOCK_UNITS, done, count);
      done += count;
    }
  }

  private block(number: number): Uint8Array {
    let block = this.changed.get(number);
    if (block === undefined) {
      const stored = this.statements.read.get(number);
      block = stored?.length === BLOCK_BYTES ? new Uint8Array(stored) : emptyBlock();
      this.changed.set(number, block);
    }
    return block;
  }
}

function emptyBlock(): Uint8Array {
  return new Uint8Array(BLOCK_BYTES).fill(NO_CODE, 0, BLOCK_UNITS);
}
