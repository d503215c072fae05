import { expect, test } from 'vitest';
import { groupAvailableValues } from '../../src/app/asking.js';

async function collect<T>(groups: AsyncIterable<readonly T[]>): Promise<readonly T[][]> {
  const all: T[][] = [];
  for await (const group of groups) all.push([...group]);
  return all;
}

test('available items form groups of up to 32, in order', async () => {
  const numbers = Array.from({ length: 70 }, (_, i) => i);
  const groups = await collect(groupAvailableValues(numbers));
  expect(groups.flat()).toEqual(numbers);
  expect(groups.map((group) => group.length)).toEqual([32, 32, 6]);
});

test('a first value is never delayed by a second', async () => {
  let answered = (): void => {};
  async function* asksInTurn() {
    for (let i = 0; i < 3; i++) {
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield i;
      await answer;
    }
  }
  const seen: (readonly number[])[] = [];
  for await (const group of groupAvailableValues(asksInTurn())) {
    seen.push(group);
    answered();
  }
  expect(seen).toEqual([[0], [1], [2]]);
});

test('an error follows the items before it', async () => {
  async function* breaks() {
    yield 1;
    yield 2;
    throw new Error('broken');
  }
  const seen: number[] = [];
  const reading = (async () => {
    for await (const group of groupAvailableValues(breaks())) seen.push(...group);
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(seen).toEqual([1, 2]);
});
