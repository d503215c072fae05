/** Like FNV-1a with 32 bits, but over two code units at once: that takes half the time, and each unit still counts. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  const last = text.length - 1;
  for (let i = 0; i < last; i += 2)
    hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 0x01000193);
  if (last % 2 === 0) hash = Math.imul(hash ^ text.charCodeAt(last), 0x01000193);
  return hash >>> 0;
}

/** Combines two hashes into one that depends on their order. */
export function mix(a: number, b: number): number {
  let value = Math.imul(a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
  value ^= value >>> 15;
  return value >>> 0;
}
