import { isNegation } from '../../../language/words/stop.js';
import { isRefusal } from '../../log/harness.js';
import { type CallWithResult, commandOfCall, hasCallFailed, keepStartAndEnd } from './calls.js';
import {
  type ErrorLine,
  findErrorLines,
  informativeLines,
  isClearError,
  looksSuccessful,
  mostInformativeLine,
} from './error-lines.js';
import { fileAccesses } from './files.js';
import type { LedgerEntry, ProgramRun } from './ledger.js';
import { findProgramRuns, isReadOnlyRun, isRerunOf, type RunWithResult } from './runs.js';
import { shortenItem } from './statements.js';

/** Adds the errors of calls to the open errors. Resolves an error if the runs that caused it worked later. Pure. */
export function readCallErrors(before: readonly LedgerEntry[], calls: readonly CallWithResult[]): ErrorReader {
  const looked = calls.flatMap((call) => (call.result === undefined ? [] : [lookAt(call)]));
  const reader = new ErrorReader(before, usualLines(looked));
  for (const each of looked) reader.read(each);
  return reader;
}

/** A call with its runs and the error lines of its output. */
interface Looked {
  readonly call: CallWithResult;
  readonly failed: boolean;
  /** The runs of a shell call; empty for other tools. */
  readonly runs: readonly RunWithResult[];
  /** The error lines of its output. For a call that only shows data, these are only the errors of the shell itself. */
  readonly lines: readonly ErrorLine[];
}

function lookAt(call: CallWithResult): Looked {
  const output = call.result?.output ?? '';
  const failed = hasCallFailed(call);
  const runs = commandOfCall(call.call) === '' ? [] : findProgramRuns(call);
  // If the call only shows data, errors of the shell can only be at the beginning of the output.
  const isShown = !failed && runs.every(isReadOnlyRun);
  const lines = findErrorLines(isShown ? output.slice(0, 300) : keepStartAndEnd(output, 20_000));
  return { call, failed, runs, lines: isShown ? lines.filter(({ form }) => form === 'shell') : lines };
}

/**
 * Lines that look like errors but that successful calls print, too. If the exit status of a run is not known, such a line
 * does not show a failure.
 */
function usualLines(looked: readonly Looked[]): ReadonlySet<string> {
  const worked = looked.filter(({ failed, runs }) => !failed && runs.every(({ isSeen }) => isSeen));
  return new Set(worked.flatMap(({ lines }) => lines.filter((line) => !isClearError(line)).map(({ text }) => text)));
}

/** Maximum number of open errors that are kept: several times as many as the section has room for. */
const MOST_ERRORS = 200;
const MOST_RUNS = 20;

/** Reads calls and keeps the list of open errors. `gone`: the errors that were removed from the list, with the reason. */
class ErrorReader {
  readonly gone = new Map<string, string>();
  /** Files changed since the last error. */
  #changed: readonly string[] = [];

  constructor(
    public errors: readonly LedgerEntry[],
    private readonly usual: ReadonlySet<string>,
  ) {}

  read(looked: Looked): void {
    const { call, failed } = looked;
    const isShell = looked.runs.length > 0 || commandOfCall(call.call) !== '';
    const isAnyOpen = this.errors.some(({ runs }) => runs !== undefined && runs.length > 0);
    if (!isShell && !failed && !isAnyOpen) return;
    const runs = isShell ? looked.runs : [toolRun(call)];
    const line = isShell ? shellError(looked, this.usual) : toolError(call, failed);
    if (line !== undefined) this.#failed(call, runs, line);
    else if (!failed && isAnyOpen) this.#worked(call, runs);
  }

  #failed(call: CallWithResult, runs: readonly RunWithResult[], line: string): void {
    const { at } = call;
    const command = commandOfCall(call.call);
    const text = shortenItem(command === '' ? line : `\`${shortenCommand(command, runs)}\`: ${line}`);
    const again = this.errors.filter((error) => error.text === text || isAgain(error, runs));
    for (const error of again) if (error.text !== text) this.gone.set(error.text, `the same failed later: "${text}"`);
    const open = runs.slice(0, MOST_RUNS).map(({ folder, words }) => ({ folder, words }));
    const met: LedgerEntry = { section: 'Errors & Corrections', text, at, runs: open };
    const kept = this.errors.filter((error) => !again.includes(error));
    this.errors = [...kept.slice(-MOST_ERRORS), met];
    this.#changed = [];
  }

  #worked(call: CallWithResult, runs: readonly RunWithResult[]): void {
    const isProven =
      runs.some(({ isSeen, isTail }) => isTail && !isSeen) && looksSuccessful(call.result?.output ?? '', this.usual);
    const proven = runs.filter(({ isSeen, isTail }) => isSeen || (isTail && isProven));
    const by = this.#changed.length > 0 ? `after a change of ${this.#changed.slice(-2).join(', ')}` : 'the next time';
    this.errors = this.errors.map((error) => settled(error, proven, by, call));
    for (const { path, verb } of fileAccesses(call)) {
      if (verb === 'read') continue;
      this.#changed = [...this.#changed.filter((each) => each !== path), path];
    }
  }
}

/**
 * Updates an error after the runs in `worked` succeeded. The error is resolved when every run that may have caused it has
 * succeeded.
 */
function settled(error: LedgerEntry, worked: readonly ProgramRun[], by: string, { at }: CallWithResult): LedgerEntry {
  const { runs, ...rest } = error;
  if (runs === undefined || runs.length === 0 || worked.length === 0) return error;
  const left = runs.filter((run) => isOfLoop(run) || !worked.some((each) => isRerunOf(each, run)));
  if (left.length === runs.length) return error;
  if (left.length > 0) return { ...rest, runs: left };
  return { ...rest, text: `${shortenItem(error.text, 140)} – resolved: it worked ${shortenItem(by, 140)}`, at };
}

/** True if a recorded error happened again: the runs that fail now repeat exactly the runs that may have caused it. */
function isAgain({ runs }: LedgerEntry, failing: readonly ProgramRun[]): boolean {
  return runs?.length === failing.length && runs.every((run) => failing.some((now) => isRerunOf(now, run)));
}

/**
 * True if a run has a loop variable. Its value differs each time, so a later run without an error does not prove that the
 * earlier error is fixed.
 */
function isOfLoop({ words }: ProgramRun): boolean {
  return words.some((word) => /^\$[a-z]\w?$/u.test(word));
}

/** Converts a call of a tool that is not a shell to a run. */
function toolRun(call: CallWithResult): RunWithResult {
  const given = fileAccesses(call).map(({ path }) => path);
  const words = given.length > 0 ? given : [JSON.stringify(call.call.input)?.slice(0, 2_000) ?? ''];
  return { folder: call.folder ?? '', words: [call.call.name, ...words], isSeen: true, isTail: true };
}

/** The error of a call of a tool that is not a shell. If the host refused the call, that is no error. */
function toolError({ call, result }: CallWithResult, failed: boolean): string | undefined {
  if (!failed || result === undefined || isRefusal(result.output)) return undefined;
  const said = keepStartAndEnd(result.output);
  const found = findErrorLines(said)[0]?.text ?? informativeLines(said)[0] ?? 'failed';
  const path = fileAccesses({ call }).find((touch) => !found.includes(touch.path))?.path;
  const named = path === undefined ? call.name || 'tool' : `${call.name} \`${path}\``;
  return found.startsWith(call.name) ? found : `${named}: ${found}`;
}

function shellError({ call, runs, failed, lines }: Looked, usual: ReadonlySet<string>): string | undefined {
  const output = call.result?.output ?? '';
  if ((lines.length === 0 && !failed) || isRefusal(output)) return undefined;
  const isReader = runs.every(isReadOnlyRun);
  const isHidden = runs.some(
    (run) => !isReadOnlyRun(run) && !run.isSeen && !(run.isTail && looksSuccessful(output, usual)),
  );
  const isOfCall = (line: ErrorLine): boolean =>
    failed ? !isReader || line.form === 'shell' || line.form === 'tagged' : isClearError(line) || isHidden;
  const line = told(lines.filter((each) => !usual.has(each.text) && isOfCall(each)));
  if (line !== undefined || !failed) return line;
  const said = informativeLines(output.slice(-4_000));
  const last = said.at(-1) ?? '';
  if (saysNothing(call, isReader, last)) return undefined;
  const own = said.find((each) => /^command timed out\b/iu.test(each)) ?? inItsName(call, said);
  const telling = own ?? said.find(denies) ?? last;
  if (own !== undefined || call.code === undefined) return telling;
  return `exit code ${call.code}${telling === '' ? '' : `: ${telling}`}`;
}

/** True if a line has a negation. Most error messages say that something is missing or not possible. */
function denies(line: string): boolean {
  return (line.slice(0, 400).match(/[\p{L}'’]+/gu) ?? []).some((word) =>
    isNegation(word.toLowerCase().replace('’', "'")),
  );
}

/** The first line that begins with the name of a program that the call ran: `curl: (7) …`. */
function inItsName({ shell }: CallWithResult, lines: readonly string[]): string | undefined {
  const names = shell.map(({ words }) => `${words[0]?.replace(/^.*\//u, '') ?? ''}: `);
  return lines.find((line) => names.some((name) => line.startsWith(name)));
}

/** True if the exit code means only that nothing was found, or that the run was interrupted. */
function saysNothing({ call, code }: CallWithResult, isReader: boolean, last: string): boolean {
  if (code === undefined || code === 1) return isReader || ENDS_IN_SEARCH.test(commandOfCall(call)) || last === '^C';
  return STOPPED.includes(code) && last === '';
}

/** Matches a command whose exit code is that of a search in the output of another command. */
const ENDS_IN_SEARCH = /\|\s*(?:[ef]?grep|rg)\b[^|;&]*$/u;

/** Exit codes of interrupted or terminated runs. */
const STOPPED: readonly number[] = [130, 143, 144];

/**
 * The text of the most informative line. If this line is an exception and another line names a failed test, the test comes
 * first.
 */
function told(found: readonly ErrorLine[]): string | undefined {
  const best = mostInformativeLine(found);
  const test = found.find(({ form }) => form === 'test');
  return best?.form === 'named' && test !== undefined ? `${shortenItem(test.text, 100)} – ${best.text}` : best?.text;
}

/**
 * The text of a command for an error line. Leaves out commands that only read. If there are several runs, only the first
 * three words of each are shown. Pure.
 */
export function shortenCommand(command: string, runs: readonly ProgramRun[]): string {
  const working = runs.filter((run) => !isReadOnlyRun(run));
  const shown = working.length > 0 ? working : runs;
  const most = shown.length > 1 ? 3 : 40;
  const texts = shown.slice(0, 3).map(({ words }) => words.slice(0, most).map(asWord).join(' '));
  return shortenItem((texts.join(' && ') || command).split('\n')[0] ?? '', 80).replaceAll('`', "'");
}

function asWord(word: string): string {
  return /[\s"']/u.test(word) || word === '' ? JSON.stringify(shortenItem(word, 60)) : word;
}
