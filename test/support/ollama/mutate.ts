import type { ServerResponse } from 'node:http';
import { record } from './reply.js';

type Json = Readonly<Record<string, unknown>>;

/** Deliberate errors: the contract suite must notice each. */
export const MUTATIONS = [
  'no-done',
  'json-content-type',
  'stream-off-by-default',
  'no-newlines',
  'unnormalised',
  'tools-beat-format',
  'missing-model-is-400',
  'no-prompt-count',
  'ignores-num-ctx',
  'truncates-always',
  'error-is-an-object',
  'fractional-durations',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

export function mutatedRequest(body: Json, mutation: Mutation | undefined): Json {
  switch (mutation) {
    case 'stream-off-by-default':
      return { stream: false, ...body };
    case 'tools-beat-format':
      return body.tools === undefined ? body : { ...body, format: undefined };
    case 'ignores-num-ctx': {
      const { num_ctx: _, ...options } = record(body.options) ?? {};
      return { ...body, options };
    }
    case 'truncates-always':
      return { ...body, truncate: true, shift: true };
    default:
      return body;
  }
}

/** The last line of a stream. */
export function mutatedLast(line: Json, mutation: Mutation | undefined): Json {
  const { prompt_eval_count: _, ...rest } = line;
  switch (mutation) {
    case 'no-done':
      return { ...line, done: false };
    case 'no-prompt-count':
      return rest;
    case 'fractional-durations':
      return { ...line, total_duration: 2.5 };
    default:
      return line;
  }
}

export function mutatedResponse(response: ServerResponse, mutation: Mutation | undefined): ServerResponse {
  const writeHead = response.writeHead.bind(response);
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  if (mutation === 'json-content-type') {
    response.writeHead = (status: number) => writeHead(status, { 'content-type': 'text/json' });
  } else if (mutation === 'missing-model-is-400') {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead = (status: number) => writeHead(status === 404 ? 400 : status, headers);
  } else if (mutation === 'error-is-an-object') {
    const nested = (text: string) => text.replace(/"error":(".*")\}$/u, '"error":{"message":$1}}');
    response.end = (chunk?: unknown) => end(nested(String(chunk ?? '')));
  } else if (mutation === 'no-newlines') {
    response.write = (chunk: Uint8Array) =>
      write(Buffer.from(chunk).toString('latin1').replaceAll('\n', ' '), 'latin1');
  }
  return response;
}
