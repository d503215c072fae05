import type { UnitDetail } from '../memory/unit.js';

/** What is kept of a unit as JSON: what the index wrote itself is as it was written. */
export function parseDetail(json: string): UnitDetail {
  return JSON.parse(json);
}

/**
 * A checksum of a row's values, kept in the row: SQLite looks at how its pages hang together, and not at what stands in
 * them. NaN for values that no row of ours has.
 * @param sum of the values before them
 */
export function rowSum(values: readonly unknown[], sum = 0): number {
  for (const value of values) {
    if (typeof value === 'string') sum = mix(sum, hashText(value) + value.length);
    else if (typeof value === 'number') sum = mix(sum, (value ^ (value / 0x1_0000_0000)) + 1);
    else if (value === null) sum = mix(sum, 0);
    else return Number.NaN;
  }
  return sum;
}

/** @throws an error as SQLite's of a damaged file when a row is not as it was written */
export function checkRow(values: readonly unknown[], sum: number): void {
  if (rowSum(values) !== sum) damagedRow();
}

export function damagedRow(): never {
  throw Object.assign(new Error('a row of the index is not as it was written'), { code: 'SQLITE_CORRUPT' });
}

/** As FNV-1a with 32 bits, but of two code units at once: that takes half the time, and each still decides. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const last = text.length - 1;
  for (let i = 0; i < last; i += 2)
    hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 0x01000193);
  if (last % 2 === 0) hash = Math.imul(hash ^ text.charCodeAt(last), 0x01000193);
  return hash >>> 0;
}

export function mix(a: number, b: number): number {
  let value = Math.imul(a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  value ^= value >>> 15;
  return value >>> 0;
}
