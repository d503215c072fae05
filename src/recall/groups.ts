import { fail } from '../base/failure.js';

/** Vectors of so many questions are asked for at once. */
const MOST = 32;

/**
 * Takes what has come in already together, up to 32, so that one request serves many; never waits for a second while
 * there is a first: whoever writes one line and waits for its answer gets it.
 */
export async function* inGroups<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  if (!(Symbol.asyncIterator in Object(values) || Symbol.iterator in Object(values)) || typeof values === 'string')
    fail('usage', 'recallBatch takes requests one after the other', 'give a list or a generator');
  const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  let next = ahead(iterator);
  // An error is thrown where the value is awaited; until then it is nobody's.
  const read = () => {
    next = ahead(iterator);
    next.catch(() => {});
  };
  for (let first = await next; !first.done; first = await next) {
    const group = [first.value];
    read();
    for (let ready = await orUndefined(next); ready !== undefined && !ready.done; ready = await orUndefined(next)) {
      group.push(ready.value);
      read();
      if (group.length === MOST) break;
    }
    yield group;
  }
}

async function ahead<T>(iterator: Iterator<T> | AsyncIterator<T>): Promise<IteratorResult<T>> {
  return iterator.next();
}

/** The value of a promise that is settled once everything that is ready has had its turn. */
function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  const turn = new Promise<undefined>((resolve) => void setImmediate(() => setImmediate(resolve, undefined)));
  // What goes wrong is thrown when its own turn comes.
  return Promise.race([promise.catch(() => undefined), turn]);
}
