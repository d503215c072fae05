/** Orders texts by their code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The first place from 0 to `length` of which `isBelow` is not true, where it is true of all before it; else `length`. */
export function firstNotBelow(length: number, isBelow: (place: number) => boolean): number {
  let low = 0;
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
