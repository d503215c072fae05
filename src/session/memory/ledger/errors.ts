import { isRefusal } from '../../log/harness.js';
import { type Call, commandOf, edges, hasFailed } from './calls.js';
import { type ErrorLine, endsWell, isPlain, readErrorLine, tellingMost } from './error-lines.js';
import { touchesOf } from './files.js';
import type { Entry, Run } from './ledger.js';
import { canConflict, covers, type EndedRun, endsConflict, isReader, runsOf } from './runs.js';
import { shorten } from './statements.js';

/** Errors after some calls, and what of them was told anew. */
export interface Errors {
  readonly errors: readonly Entry[];
  /** Why others are gone, by their text. */
  readonly gone: ReadonlyMap<string, string>;
}

/** Errors that calls met, on top of those that wait to be resolved; those that were, with what resolved them. Pure. */
export function errorsMet(before: readonly Entry[], calls: readonly Call[]): Errors {
  const reader = new ErrorReader(before);
  for (const call of calls) reader.read(call);
  return reader;
}

/** Several times what the section has room for. */
const MOST_ERRORS = 200;

class ErrorReader implements Errors {
  errors: readonly Entry[];
  readonly gone = new Map<string, string>();
  /** Files that were changed since the last error. */
  #changed: readonly string[] = [];

  constructor(before: readonly Entry[]) {
    this.errors = before;
  }

  read(call: Call): void {
    if (call.result === undefined) return;
    const runs = commandOf(call.call) === '' ? [toolRun(call)] : runsOf(call);
    const failed = hasFailed(call);
    const line = commandOf(call.call) === '' ? toolError(call, failed) : shellError(call, runs, failed);
    if (line !== undefined) this.#failed(call, runs, line);
    else if (!failed) this.#worked(call, runs);
  }

  #failed(call: Call, runs: readonly EndedRun[], line: string): void {
    const { at } = call;
    const command = commandOf(call.call);
    const text = shorten(command === '' ? line : `\`${shownCommand(command, runs)}\`: ${line}`);
    // How a run that was seen to work in the same call ended is known.
    const failing = runs.filter(
      (run, index) =>
        !(index < runs.length - 1 && run.isSeen && command.includes(';')) && (!isConflict(line) || canConflict(run)),
    );
    const met: Entry = {
      section: 'Errors & Corrections',
      text,
      at,
      runs: failing.map(({ folder, words }) => ({ folder, words })),
    };
    const kept = this.errors.filter((error) => {
      const isAgain =
        error.runs !== undefined &&
        error.runs.length > 0 &&
        error.runs.every((run) => failing.some((now) => covers(now, run)));
      if (isAgain && error.text !== text) this.gone.set(error.text, `the same failed later: "${text}"`);
      return !isAgain && error.text !== text;
    });
    this.errors = [...kept.slice(-MOST_ERRORS), met];
    this.#changed = [];
  }

  #worked(call: Call, runs: readonly EndedRun[]): void {
    const isProven = call.result !== undefined && endsWell(call.result.output);
    const proven = runs.filter(({ isSeen, isTail }) => isSeen || (isTail && isProven));
    const by = this.#changed.length > 0 ? `after a change of ${this.#changed.slice(-2).join(', ')}` : 'the next time';
    this.errors = this.errors.map((error) => settled(error, proven, by, call));
    for (const { path, verb } of touchesOf(call)) {
      if (verb === 'read') continue;
      this.#changed = [...this.#changed.filter((each) => each !== path), path];
    }
  }
}

/** An error after some runs that worked: it is resolved when all that may have failed has worked. */
function settled(error: Entry, worked: readonly Run[], by: string, { at }: Call): Entry {
  const { runs, ...rest } = error;
  if (runs === undefined || runs.length === 0 || worked.length === 0) return error;
  const isMerge = isConflict(error.text);
  const left = runs.filter(
    (run) => !worked.some((each) => covers(each, run) || (isMerge && each.folder === run.folder && endsConflict(each))),
  );
  if (left.length === runs.length) return error;
  if (left.length > 0) return { ...rest, runs: left };
  return { ...rest, text: `${shorten(error.text, 140)} – resolved: it worked ${shorten(by, 140)}`, at };
}

function isConflict(text: string): boolean {
  return /CONFLICT \(|could not apply/u.test(text);
}

/** A tool that is no shell, with all that it was given, as a run. */
function toolRun(call: Call): EndedRun {
  const given = touchesOf(call).map(({ path }) => path);
  const input = JSON.stringify(call.call.input)?.slice(0, 2_000) ?? '';
  const words = [call.call.name, ...(given.length > 0 ? given : [input])];
  return { folder: call.folder ?? '', words, isSeen: true, isTail: true };
}

/** Why a tool that is no shell failed. That the host refused a call is nothing that went wrong in the work. */
function toolError({ call, result }: Call, failed: boolean): string | undefined {
  if (!failed || result === undefined || isRefusal(result.output)) return undefined;
  const lines = edges(result.output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const found = lines.find((line) => readErrorLine(line) !== undefined) ?? lines[0] ?? 'failed';
  const path = touchesOf({ call }).find((touch) => !found.includes(touch.path))?.path;
  const named = path === undefined ? call.name || 'tool' : `${call.name} \`${path}\``;
  return found.startsWith(call.name) ? found : `${named}: ${found}`;
}

function shellError(call: Call, runs: readonly EndedRun[], failed: boolean): string | undefined {
  const output = call.result?.output ?? '';
  if (isRefusal(output)) return undefined;
  const reads = runs.every(isReader);
  if (reads && !failed) return undefined;
  const isHidden = runs.some((run) => !isReader(run) && !run.isSeen && !(run.isTail && endsWell(output)));
  const found = edges(output, 20_000)
    .split('\n')
    .flatMap((line) => readErrorLine(line) ?? [])
    .filter(
      (line) => (failed && !reads) || (reads ? isOfShell(line) : isPlain(line) || (isHidden && !isOfReader(line))),
    );
  const line = told(found);
  if (line !== undefined) return line;
  const { code } = call;
  // A search that finds nothing, and a comparison that finds a difference, end with 1.
  const isStopped = code !== undefined && STOPPED.includes(code) && lastLine(output) === '';
  const saysNothing = isStopped || (code === 1 && ENDS_IN_SEARCH.test(commandOf(call.call)));
  if (!failed || reads || saysNothing || runs.every(isWaiting)) return undefined;
  return code === undefined
    ? lastLine(output)
    : `exit code ${code}${lastLine(output) === '' ? '' : `: ${lastLine(output)}`}`;
}

/** Its code also tells that what it asks about is not over. */
function isWaiting({ words }: Run): boolean {
  return words[0] === 'gh' && words[2] === 'checks';
}

/** The code is that of a search in what was printed. */
const ENDS_IN_SEARCH = /\|\s*(?:[ef]?grep|rg)\b[^|;&]*$/u;

/** Somebody ended the run, and it says nothing of its own. */
const STOPPED: readonly number[] = [130, 143, 144];

/** What the shell, or a program that only reads, says of itself. */
function isOfShell({ form, text }: ErrorLine): boolean {
  return form === 'shell' || form === 'tagged' || /^E[A-Z]+:/u.test(text);
}

/** That a search found no such place is no error of the work that it stands beside. */
function isOfReader({ form, text }: ErrorLine): boolean {
  return form === 'shell' && isReader({ words: [/^[\w-]+(?=:)/u.exec(text)?.[0] ?? ''] });
}

/** The line that tells most; what a test says, with its name. */
function told(found: readonly ErrorLine[]): string | undefined {
  const best = tellingMost(found);
  const test = found.find(({ form }) => form === 'test');
  return best?.form === 'named' && test !== undefined ? `${shorten(test.text, 100)} – ${best.text}` : best?.text;
}

function lastLine(output: string): string {
  const lines = output.slice(-4_000).split('\n');
  return (
    lines
      .findLast((line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:Exit code|Command exited|Process exited)\b/u.test(line))
      ?.trim() ?? ''
  );
}

/** What was run, as far as it is of use; of several runs the beginnings. Pure. */
export function shownCommand(command: string, runs: readonly Run[]): string {
  const working = runs.filter((run) => !isReader(run));
  const shown = working.length > 0 ? working : runs;
  const most = shown.length > 1 ? 3 : 40;
  const texts = shown.slice(0, 3).map(({ folder, words }) => {
    const machine = /^[^\s/:]{2,}:/u.exec(folder)?.[0];
    const text = words.slice(0, most).map(asWord).join(' ');
    return [...(machine === undefined ? [] : [machine]), text.replace(/ -\w*m \$\(\)$/u, '')].join(' ');
  });
  return shorten((texts.join(' && ') || command).split('\n')[0] ?? '', 80).replaceAll('`', "'");
}

function asWord(word: string): string {
  return /[\s"']/u.test(word) || word === '' ? JSON.stringify(shorten(word, 60)) : word;
}
