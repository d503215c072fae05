import { callForJson, callForLines, type Sent } from './http-call.js';
import type { Watch } from './watchdog.js';

/**
 * A `fetch` for the client library over our own calls. The library skips or prints what it does not understand; it only
 * gets what is whole and right.
 * @param lines whether the answer comes as lines
 * @throws CallError
 */
export function watchedFetch(watch: Watch, lines: boolean): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const sent: Sent = {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers).entries()),
      body: typeof init?.body === 'string' ? init.body : undefined,
    };
    if (!lines) return new Response((await callForJson(url, sent, watch)).text);
    return new Response(encoded(await callForLines(url, sent, watch)));
  };
}

async function* encoded(lines: AsyncGenerator<{ readonly text: string }>): AsyncGenerator<Uint8Array> {
  for await (const { text } of lines) yield Buffer.from(`${text}\n`);
}
