import { isRecord, parseJson, type UnknownFields } from '../../base/json.js';

/**
 * Converts the records of a rollout, the transcript of Codex, to the form of other hosts. In a rollout, messages, calls and
 * outputs are in the field `payload`. The session and the folder have records of their own. In "code mode" the agent writes
 * a script that calls the tools. The converted records have the calls in place of the script, and the output of the script
 * as their results.
 */
export class CodexRolloutReader {
  #cwd: string | undefined;
  #isAside = false;
  /** Number of calls that each script made, by the id of the script. */
  readonly #scripts = new Map<string, number>();

  /** The record in the form of other hosts; unchanged if it is not from Codex. */
  read(record: UnknownFields): UnknownFields {
    const { type, payload, timestamp } = record;
    // The first version of Codex wrote records without `payload`.
    if (!isRecord(payload)) return typeof record.call_id === 'string' ? (this.#message(record) ?? record) : record;
    if (type === 'session_meta' || type === 'turn_context') return this.#surroundings(payload);
    if (type === 'compacted') return { type: 'compaction', summary: payload.message, timestamp };
    if (type !== 'response_item') return record;
    const message = this.#message(payload);
    return message === undefined ? {} : { message, timestamp, cwd: this.#cwd, isSidechain: this.#isAside };
  }

  #surroundings({ id, cwd, source, thread_source }: UnknownFields): UnknownFields {
    if (typeof cwd === 'string') this.#cwd = cwd;
    this.#isAside ||= thread_source === 'subagent' || (isRecord(source) && 'subagent' in source);
    return typeof id === 'string' ? { type: 'session', id } : {};
  }

  #message(payload: UnknownFields): UnknownFields | undefined {
    const { type, role, content, call_id: id, name } = payload;
    if (type === 'message') return role === 'developer' ? undefined : { role, content };
    if (typeof id !== 'string') return undefined;
    if (typeof type === 'string' && type.endsWith('_output')) return this.#result(id, payload.output);
    const given = payload.arguments ?? payload.input ?? payload.action;
    const input = typeof given === 'string' ? (parseJson(given) ?? given) : given;
    const calls = typeof input === 'string' && name === 'exec' ? callsIn(input) : [];
    if (calls.length > 0) this.#scripts.set(id, calls.length);
    const made = calls.length > 0 ? calls : [{ name: name ?? type, input }];
    return { role: 'assistant', content: made.map((call, at) => ({ type: 'tool_call', id: idOf(id, at), ...call })) };
  }

  /**
   * The output of a script becomes the result of its last call. But if the script printed one result for each call, each
   * call gets its own.
   */
  #result(id: string, output: unknown): UnknownFields {
    const count = this.#scripts.get(id);
    const given = isRecord(output) ? output.content : output;
    const texts = Array.isArray(given) ? given.map((item) => (isRecord(item) ? String(item.text ?? '') : '')) : [];
    const how = /^Script (?:(completed)|failed)\n/u.exec(texts[0] ?? '');
    if (count === undefined || how === null) return result(id, given);
    const printed = texts.slice(1);
    const each = printed.filter((text) => ENDED.test(text));
    const isEach = each.length === count;
    const outputs = isEach ? each : [...Array.from({ length: count - 1 }, () => ''), printed.join('\n')];
    const last = how[1] === undefined;
    const content = outputs.map((text, at) => result(idOf(id, at), text, last && at === count - 1));
    return { role: 'tool', content };
  }
}

/** Matches an output in which a shell tool reports that its command ended. */
const ENDED = /^(?:[^\n]{0,80}\n)?(?:Exit code: \d|\{"(?:chunk_id|exit_code)")/u;

function idOf(id: string, at: number): string {
  return at === 0 ? id : `${id}.${at}`;
}

function result(id: string, content: unknown, isError = false): UnknownFields {
  return { role: 'tool', type: 'tool_result', tool_call_id: id, content, is_error: isError };
}

const TEXT = String.raw`(?:String\.raw)?${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'}|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'`;
/** Matches a string literal in a script, and the name of the field before it, if there is one. */
const GIVEN = new RegExp(`(?:(["']?)(\\w+)\\1\\s*:\\s*)?(${TEXT})`, 'gu');
const ONLY = new RegExp(`^\\s*(?:(${TEXT})|([\\w$]+))\\s*\\)`, 'u');

/** The tool calls in a script. The string literals of a call are its input; a call without a literal is left out. Pure. */
function callsIn(script: string) {
  const starts = [...script.matchAll(/\btools\.(\w+)\(/gu)];
  return starts.flatMap(({ index, 0: start, 1: name = '' }, at) => {
    const input = givenTo(script, script.slice(index + start.length, starts[at + 1]?.index));
    return input === undefined ? [] : [{ name, input }];
  });
}

function givenTo(script: string, rest: string): unknown {
  const [only, text, variable] = ONLY.exec(rest) ?? [];
  if (text !== undefined) return asText(text);
  if (only !== undefined && variable !== undefined) {
    const value = new RegExp(`\\b${variable.replaceAll('$', '\\$')}\\s*=\\s*(${TEXT})`, 'u').exec(script)?.[1];
    return value === undefined ? undefined : asText(value);
  }
  const fields = [...rest.matchAll(GIVEN)].flatMap(([, , key, value = '']) =>
    key === undefined ? [] : [[key, asText(value)] as const],
  );
  // If two fields have the same name, keep the first field, because it belongs to the call.
  return fields.length === 0 ? undefined : Object.fromEntries(fields.toReversed());
}

/** The value of a string literal; `${…}` in a template stays as it is written. */
function asText(written: string): string {
  if (written.startsWith('S')) return written.slice('String.raw`'.length, -1);
  const inner = written.slice(1, -1);
  if (written.startsWith('`')) return inner.replace(/\\([`$\\])/gu, '$1');
  const json = written.startsWith('"') ? inner : inner.replace(/\\'/gu, "'").replace(/(?<!\\)"/gu, '\\"');
  const text = parseJson(`"${json}"`);
  return typeof text === 'string' ? text : inner;
}
