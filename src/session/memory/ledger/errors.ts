import { type Call, commandOf, edges, hasFailed } from './calls.js';
import type { Entry } from './ledger.js';
import { shorten } from './sentences.js';

/** What a program prints when it fails, at the beginning of a line or behind its own name. */
const ERROR_LINE =
  /^(?:[\w./@:-]{1,60}:\s)?(?:\[?(?:error|fatal|fail(?:ed|ure)?|panic|critical)\]?[\s:!(]|(?:\w+\.)*\w*(?:Error|Exception)\b(?:\s\[\w+\])?:|Traceback \(|npm ERR!|E[A-Z]{4,}\b|✗|✖|×\s|FAIL\b|.{0,60}(?:command not found|No such file or directory|permission denied|cannot find|not found$|is not recognized|segmentation fault|错误|失败|异常))/iu;
/** A line of source code, of a listing or of a search says nothing of what went wrong. */
const CODE =
  /^\s*(?:\d+\s*[→|:\t]|\d+-)|[;{}]\s*$|=>|^\s*(?:\/\/|#include|import |from .+ import|const |let |var |def |class |return |throw |raise |if |else|catch|except|try|func |fn |pub |export |public |private|\*|@|[+-]\s{2,})|\bthrow new\b|\.(?:tsx?|jsx?|py|go|rs|java|md|c|cpp|rb):\d+:\s*\S*\s*(?:=|\()/u;
/** A row of a table, and a field of a page's head: what is listed, and not what went wrong. */
const LISTED = /\S(?: {2,}|\t)\S.*\S(?: {2,}|\t)\S|^\|.*\|$|^(?:name|title|description|summary|synopsis):\s/iu;
/** Says that something went wrong, and not what. */
const ONLY_STATUS = /^(?:error:?\s*)?(?:exit(?:ed with)? (?:code|status)|command failed)\W*\d*$/iu;
/** Tools whose output is text that somebody wrote. */
const READERS = /read|view|cat|grep|glob|search|list|find|fetch|open|todo|plan/i;
const READING_COMMAND = /^\s*(?:cat|head|tail|less|sed -n|grep|rg|ag|find|ls|git (?:show|diff|log|grep|blame))\b/;

/** Errors that calls met, on top of those that wait to be resolved; those that were, with what resolved them. Pure. */
export function errorsMet(before: readonly Entry[], calls: readonly Call[]): readonly Entry[] {
  const reader = new ErrorReader(before);
  for (const call of calls) reader.read(call);
  return reader.errors;
}

/** Several times what the section has room for. */
const MOST_ERRORS = 200;

class ErrorReader {
  errors: readonly Entry[];
  /** Files that were changed since the last error. */
  #changed: readonly string[] = [];

  constructor(before: readonly Entry[]) {
    this.errors = before;
  }

  read(call: Call): void {
    const command = commandOf(call.call);
    const program = command === '' ? call.call.name : programOf(command);
    const line = errorLine(call, command);
    if (line !== undefined) this.#failed(call, command, program, line);
    else if (call.result !== undefined) this.#worked(call, program);
  }

  #failed({ at, said }: Call, command: string, program: string, line: string): void {
    const text = shorten(command === '' ? line : `\`${firstWords(command)}\`: ${line}`);
    const met: Entry = { section: 'Errors & Corrections', text, at, said, command: program };
    const others = this.errors.filter((error) => error.text !== text);
    this.errors = [...others.slice(-MOST_ERRORS), met];
    this.#changed = [];
  }

  #worked(call: Call, program: string): void {
    const by = this.#changed.length > 0 ? `after a change of ${this.#changed.slice(-2).join(', ')}` : 'the next time';
    this.errors = this.errors.map((error) => (error.command === program ? resolved(error, by, call) : error));
    if (!/edit|write|patch|create|replace/i.test(call.call.name)) return;
    const path = pathIn(call.call.input);
    if (path !== '') this.#changed = [...this.#changed.filter((each) => each !== path), path];
  }
}

function resolved({ command: _, ...error }: Entry, by: string, { at, said }: Call): Entry {
  return { ...error, text: `${shorten(error.text, 140)} – resolved: it worked ${shorten(by, 140)}`, at, said };
}

function errorLine(call: Call, command: string): string | undefined {
  const { result } = call;
  if (result === undefined) return undefined;
  const failed = hasFailed(call);
  const reads = READERS.test(call.call.name) || READING_COMMAND.test(command);
  if (reads && !failed) return undefined;
  const lines = edges(result.output)
    .split('\n')
    .map((line) => line.replace(/^(?:E\s{2,}|\s+)/u, '').trim())
    .filter((line) => line !== '' && line.length < 2_000);
  const errors = lines.filter((line) => ERROR_LINE.test(line) && !CODE.test(line) && !LISTED.test(line));
  const found = errors.find((line) => !ONLY_STATUS.test(line)) ?? errors[0];
  if (found !== undefined) return found;
  return failed ? `${call.call.name || 'tool'}: ${lines.find((line) => !CODE.test(line)) ?? 'failed'}` : undefined;
}

function firstWords(command: string): string {
  return shorten(command.split('\n')[0] ?? '', 60).replaceAll('`', "'");
}

/** What is run, without its options: `npm test`, `pytest`. */
function programOf(command: string): string {
  const last =
    command
      .split(/&&|\|\||;|\n/u)
      .map((part) => part.trim())
      .findLast((part) => part !== '' && !/^(?:cd|export|source|echo|set)\b/u.test(part)) ?? command;
  const words =
    last
      .split('|')[0]
      ?.trim()
      .split(/\s+/u)
      .filter((word) => !/^(?:-|\w+=|sudo$|npx$|env$)/u.test(word)) ?? [];
  return words.slice(0, 2).join(' ');
}

function pathIn(input: unknown): string {
  const text = JSON.stringify(input)?.slice(0, 2_000) ?? '';
  return /"(?:file_?path|path|file|filename|target_file)":"([^"]{1,120})"/i.exec(text)?.[1] ?? '';
}
