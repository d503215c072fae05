/**
 * A 32-bit hash like FNV-1a. Each step reads two UTF-16 code units, so it takes half the time of a hash that reads one.
 * Every unit still affects the hash.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const last = text.length - 1;
  for (let i = 0; i < last; i += 2)
    hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 0x01000193);
  if (last % 2 === 0) hash = Math.imul(hash ^ text.charCodeAt(last), 0x01000193);
  return hash >>> 0;
}

/** Combines two hashes into one that depends on their order. */
export function mixHashes(a: number, b: number): number {
  let value = Math.imul(a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  value ^= value >>> 15;
  return value >>> 0;
}
