import { parseRecord } from '../../base/json.js';
import { CallError, type CallProblem } from '../call-error.js';
import type { NamedModel } from './watchdog.js';

const MOST_NESTING = 4;
const MOST_TEXT = 300;

/**
 * What an error of the server means, from its status and body. An error in the middle of a stream has the status 200.
 * @param asked what was asked, for the hint
 */
export function serverError(status: number, body: string, asked: NamedModel | undefined): CallError {
  const text = errorText(body);
  const problem = problemOf(status, text);
  const said = text === '' ? `status ${status}` : text;
  const clipped = said.length > MOST_TEXT ? `${said.slice(0, MOST_TEXT)}…` : said;
  const { model: name, setting } = asked ?? { model: 'NAME', setting: 'chatModel' };
  switch (problem) {
    case 'missing':
      return new CallError(problem, `the model ${name} is not installed`, `ollama pull ${name}`);
    case 'busy':
      return new CallError(problem, `Ollama is busy: ${clipped}`, 'try again later');
    case 'stopped':
      return new CallError(problem, `the model stopped: ${clipped}`, 'see whether there is memory enough for it');
    case 'broken_off':
      return new CallError(problem, `Ollama can't be reached: ${clipped}`, 'try again later');
    case 'too_long':
      return new CallError(problem, `the prompt is too long for ${name}: ${clipped}`, 'set "numCtx" higher');
    case 'unfit':
      return new CallError(problem, `${name} can't do this: ${clipped}`, `set "${setting}" to another model`);
    case 'protocol':
      return new CallError(problem, `what answers is not Ollama: ${clipped}`, 'check "ollamaHost" and $OLLAMA_HOST');
    default:
      return new CallError(problem, `Ollama refused the question: ${clipped}`, 'see the log of ollama serve');
  }
}

/** The text of an error body: its `error`, out of as many layers of JSON as it is wrapped in. Pure. */
export function errorText(body: string): string {
  let text = body.trim();
  for (let round = 0; round < MOST_NESTING; round++) {
    const inner = innerError(text);
    if (inner === undefined) break;
    text = inner;
  }
  // HTML of a proxy: what it says between its tags.
  return text.startsWith('<')
    ? text
        .replace(/<[^<>]*>/gu, ' ')
        .replace(/\s+/gu, ' ')
        .trim()
    : text;
}

function innerError(text: string): string | undefined {
  const { error, message, type } = parseRecord(text) ?? {};
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null) return JSON.stringify(error);
  // The type is what says that a prompt was too long.
  return typeof message === 'string' ? `${message}${typeof type === 'string' ? ` (${type})` : ''}` : undefined;
}

const TEXTS: readonly (readonly [RegExp, CallProblem])[] = [
  [/exceed_context_size|context length|available context size/iu, 'too_long'],
  [/does not support|invalid think value/iu, 'unfit'],
  [/failed to parse JSON|invalid tool call arguments|does not match the expected .* format/iu, 'tool_call'],
  [/unexpectedly stopped|EOF|forcibly closed|connection re(?:set|fused)|process has terminated/u, 'stopped'],
];

function problemOf(status: number, text: string): CallProblem {
  if (status === 503 || status === 429) return 'busy';
  if (status === 502 || status === 504) return 'broken_off';
  if (status === 501) return 'unfit';
  if (status === 404) return /model/u.test(text) ? 'missing' : 'protocol';
  if (status === 403 || status === 405) return 'protocol';
  if (/model ['"].*['"] not found/u.test(text)) return 'missing';
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'rejected';
}
