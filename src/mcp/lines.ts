import { Transform } from 'node:stream';
import { isRecord, parseJson } from '../base/json.js';

const LINE_FEED = 0x0a;

/**
 * Removes null members from a client's messages where the protocol allows them to be left out. Many clients write `"params":
 * null` and `"arguments": null`, and the protocol library drops such messages without an answer.
 */
export function withoutNullFields(input: NodeJS.ReadableStream): Transform {
  let waiting: Buffer[] = [];
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        this.push(readLine(Buffer.concat([...waiting, chunk.subarray(from, end + 1)])));
        waiting = [];
        from = end + 1;
      }
      if (from < chunk.length) waiting.push(chunk.subarray(from));
      done();
    },
    flush(done) {
      if (waiting.length > 0) this.push(readLine(Buffer.concat(waiting)));
      done();
    },
  });
  return input.pipe(lines);
}

function readLine(line: Buffer): Buffer {
  if (!line.includes('null')) return line;
  const message = parseJson(line.toString('utf8'));
  if (!isRecord(message)) return line;
  const { params } = message;
  const given = isRecord(params) ? { params: dropNulls(params) } : {};
  return Buffer.from(`${JSON.stringify({ ...dropNulls(message), ...given })}\n`);
}

/** Removes the null members of a record. Keeps `id` and `result`, because they may be null in an answer. */
function dropNulls(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isKept = ([key, value]: readonly [string, unknown]): boolean =>
    value !== null || ['id', 'result'].includes(key);
  return Object.fromEntries(Object.entries(record).filter(isKept));
}
