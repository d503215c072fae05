/** All faults with their effect. The reactions of a client are tested with the client. */
export const FAULTS = {
  'reset-before-headers': 'the connection is reset before anything is answered',
  'hang-before-headers': 'the request is taken and never answered: loading, or stuck',
  'hang-after-headers': 'headers, then nothing',
  'idle-mid-stream': 'some pieces, then nothing',
  'reset-mid-line': 'some pieces, then a reset inside a line',
  'reset-before-done': 'every piece, then a reset where the last one should be',
  'end-without-done': 'every piece and a clean end without a last one',
  'error-line': 'some pieces, then an error as the last line of a 200',
  'malformed-line': 'a line that is no JSON, in the middle',
  'not-json': 'a 200 that is no JSON at all',
  'runner-stopped': 'a 500: the model runner has stopped',
  busy: 'a 503: the queue is full',
  'html-502': 'a 502 of a proxy, in HTML',
  'broken-error-json': 'a 500 that says it is JSON and is not',
  'nested-400': 'a 400 whose error is JSON text again',
  'model-vanishes': 'a 404 of a model that /api/tags lists',
  'slow-first-token': 'the first piece comes late',
  dribble: 'every byte is a chunk of its own',
  'extra-fields': 'fields that no client knows, everywhere',
  'huge-line': 'one line of 8 MB',
  'version-zero': 'the version of a server that was built from source',
  'cut-by-length': 'the answer ends in the middle, with done_reason length',
  'wrong-schema': 'valid JSON of another shape',
  prose: 'the JSON stands between sentences',
  fence: 'the JSON stands in a code fence',
  'broken-json': 'JSON with single quotes and a trailing comma',
  'think-leak': 'the answer follows its thoughts, in the content',
  'think-only': 'thoughts and no content',
  'empty-content': 'no content',
  'whitespace-flood': 'blanks without end inside the JSON',
  'silent-truncation': 'the prompt is cut to half of the window though truncate is false',
  'no-prompt-count': 'prompt_eval_count is missing',
  'empty-tool-calls': 'an empty list of tool calls and no content',
  'call-in-content': 'a tool call as text in the content',
  'unknown-tool': 'a call of a tool that nobody offered',
  'wrong-argument-types': 'arguments of other types than asked for',
  'two-calls': 'the same call twice',
  'tool-parse-500': 'a 500: the call could not be parsed',
  'embed-wrong-dimension': 'the last vector is one number short',
  'embed-short-count': 'one vector too few',
  'embed-zero-vector': 'a vector of zeros',
  'embed-null-element': 'a vector with a null in it',
  'embed-nan-400': 'a 400: the embedding has NaN',
  'embed-eof-400': 'a 400 that says EOF: the runner died',
  'embed-501': 'a 501: not an embedding model',
} as const;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS).filter(isFault);

export function isFault(name: string): name is FaultName {
  return name in FAULTS;
}

/** The active faults, and for how many more requests. */
export class FaultSwitches {
  /** Whether faults of the connection also hit requests without a model: the version and the list of models. */
  everywhere = false;
  private readonly left = new Map<FaultName, number>();

  set(name: FaultName, times = Number.POSITIVE_INFINITY): void {
    this.left.set(name, times);
  }

  clear(): void {
    this.left.clear();
    this.everywhere = false;
  }

  /** Whether the fault occurs now; uses up one of its times. */
  strikes(name: FaultName): boolean {
    const times = this.left.get(name) ?? 0;
    if (times <= 0) return false;
    this.left.set(name, times - 1);
    return true;
  }
}
