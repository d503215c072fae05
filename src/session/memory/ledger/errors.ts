import { isNegation } from '../../../language/words/stop.js';
import { isRefusal } from '../../log/harness.js';
import { type CallWithResult, commandOfCall, hasCallFailed, keepStartAndEnd } from './calls.js';
import {
  type ErrorLine,
  findErrorLines,
  findErrorsWithPlace,
  informativeLines,
  isClearError,
  looksSuccessful,
  mostInformativeLine,
  readErrorLine,
} from './error-lines.js';
import { fileAccesses } from './files.js';
import type { LedgerEntry, ProgramRun } from './ledger.js';
import {
  answersByExitCode,
  findProgramRuns,
  isReadOnlyRun,
  isRerunOf,
  mayEndInMergeConflict,
  type RunWithResult,
  showsNoMergeConflict,
} from './runs.js';
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
  const isShown = !failed && runs.every(isReadOnlyRun);
  // If the call only shows data, errors of the shell can only be at the beginning of the output.
  const lines = isShown
    ? findErrorLines(output.slice(0, 300))
    : [...findErrorsWithPlace(output), ...findErrorLines(keepStartAndEnd(output, 20_000))];
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
    // Leave out earlier runs of the call if their own exit status is known.
    const failing = runs.filter(
      (run, index) =>
        !(index < runs.length - 1 && run.isSeen && command.includes(';')) &&
        (!isConflict(line) || mayEndInMergeConflict(run)),
    );
    const again = this.errors.filter(
      (error) => error.text === text || isAgain(error, failing) || tellsSame(error, line),
    );
    for (const error of again) if (error.text !== text) this.gone.set(error.text, `the same failed later: "${text}"`);
    const others = again.flatMap(({ runs: each = [] }) =>
      each.filter((run) => !failing.some((now) => isRerunOf(now, run))),
    );
    const open = [...failing.map(({ folder, words }) => ({ folder, words })), ...others].slice(0, MOST_RUNS);
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
    const touches = fileAccesses(call);
    const seen = this.errors.some(isLook) ? placesIn(call, touches) : new Set<string>();
    this.errors = this.errors.filter((error) => {
      const isOver = isLook(error) && lookedFor(error).some((place) => seen.has(place));
      if (isOver) this.gone.set(error.text, 'what it looked for was found or made later');
      return !isOver;
    });
    this.errors = this.errors.map((error) => settled(error, proven, by, call));
    for (const { path, verb } of touches) {
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
  const isMerge = isConflict(error.text);
  const left = runs.filter(
    (run) =>
      isOfLoop(run) ||
      !worked.some(
        (each) => isRerunOf(each, run) || (isMerge && each.folder === run.folder && showsNoMergeConflict(each)),
      ),
  );
  if (left.length === runs.length) return error;
  if (left.length > 0) return { ...rest, runs: left };
  return { ...rest, text: `${shortenItem(error.text, 140)} – resolved: it worked ${shortenItem(by, 140)}`, at };
}

/** True if a recorded error happened again: the runs that fail now repeat exactly the runs that may have caused it. */
function isAgain({ runs }: LedgerEntry, failing: readonly ProgramRun[]): boolean {
  return runs?.length === failing.length && runs.every((run) => failing.some((now) => isRerunOf(now, run)));
}

/**
 * Minimum length of an error line, in characters, at which two errors with this line are the same error. Different errors
 * may have the same short line.
 */
const TELLING = 60;

/**
 * True if the text of a recorded error contains this error line. The error then counts as the same, whatever runs caused it.
 * A short line counts only if it is a message of the shell.
 */
function tellsSame({ runs, text }: LedgerEntry, line: string): boolean {
  const isTelling = line.length >= TELLING || readErrorLine(line)?.form === 'shell';
  return isTelling && runs !== undefined && text.includes(`\`: ${line}`.slice(0, 120));
}

/**
 * True if only commands that look for something failed. Such an error is resolved when a later call finds or creates the
 * thing.
 */
function isLook({ runs = [] }: LedgerEntry): boolean {
  return runs.length > 0 && runs.every((run) => isReadOnlyRun(run) || /^(?:read|view)/iu.test(run.words[0] ?? ''));
}

/**
 * Names of the files that a failed command looked for: the file names in the command that the error message repeats. If the
 * message repeats none, all file names in the command.
 */
function lookedFor({ runs = [], text }: LedgerEntry): readonly string[] {
  const names = runs.flatMap(({ words }) =>
    words
      .slice(1)
      .filter((word) => /[./\\]/u.test(word))
      .map(lastName),
  );
  const told = text.slice(text.indexOf('`: ') + 1);
  const named = names.filter((name) => told.includes(name));
  return named.length > 0 ? named : names;
}

/** The names in the words of a call and in the paths that it touches: each word and path is split at its slashes. */
function placesIn({ shell }: CallWithResult, touches: readonly { readonly path: string }[]): ReadonlySet<string> {
  const words = shell.flatMap((each) => each.words.map(({ text }) => text));
  return new Set([...words, ...touches.map(({ path }) => path)].flatMap((word) => word.split(/[/\\]+/u)));
}

function lastName(path: string): string {
  return path.split(/[/\\]+/u).findLast((part) => part !== '') ?? path;
}

/**
 * True if a run has a loop variable. Its value differs each time, so a later run without an error does not prove that the
 * earlier error is fixed.
 */
function isOfLoop({ words }: ProgramRun): boolean {
  return words.some((word) => /^\$[a-z]\w?$/u.test(word));
}

function isConflict(text: string): boolean {
  return /CONFLICT \(|could not apply/u.test(text);
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
  const reads = runs.every(isReadOnlyRun);
  if ((lines.length === 0 && !failed) || isRefusal(output)) return undefined;
  const isHidden = runs.some(
    (run) => !isReadOnlyRun(run) && !run.isSeen && !(run.isTail && looksSuccessful(output, usual)),
  );
  const unusual = lines.filter(({ text }) => !usual.has(text));
  const line = told(
    unusual.filter((each) => {
      if (failed) return !reads || isOfShell(each);
      return isClearError(each) || (isHidden && !isOfReader(each));
    }),
  );
  if (line !== undefined || !failed) return line;
  const said = informativeLines(beforeList(output.slice(-4_000)));
  const last = said.at(-1) ?? '';
  if (saysNothing(call, runs, last)) return undefined;
  const own = said.find((line) => /^command timed out\b/iu.test(line)) ?? inItsName(call, said);
  // If the call only searched, its output is what it found, not a message about an error.
  if (own === undefined && runs.every((run) => isReadOnlyRun(run) && answersByExitCode(run))) return undefined;
  const telling = own ?? said.find(denies) ?? last;
  if (own !== undefined || call.code === undefined) return telling;
  return `exit code ${call.code}${telling === '' ? '' : `: ${telling}`}`;
}

/** Removes a list of alternatives or usage help from the end of an output. Returns the part before it. */
function beforeList(output: string): string {
  if (!/\n[ \t]+\S[^\n]*\s*$/u.test(output)) return output;
  const at = output.search(/^(?:usage\b|\S.*:[ \t]*\n[ \t]+\S)/imu);
  const told = output.slice(0, Math.max(at, 0));
  return informativeLines(told).length === 0 ? output : told;
}

/** True if a line has a negation. Most error messages say that something is missing or not possible. */
function denies(line: string): boolean {
  return (line.slice(0, 400).match(/[\p{L}'’]+/gu) ?? []).some((word) =>
    isNegation(word.toLowerCase().replace('’', "'")),
  );
}

/**
 * The first line that begins with the name of a program that the call ran: `curl: (7) …`, `sudo: a password is required`.
 */
function inItsName({ shell }: CallWithResult, lines: readonly string[]): string | undefined {
  const names = shell.map(({ words }) => `${words[0]?.text.replace(/^.*\//u, '') ?? ''}: `);
  return lines.find((line) => names.some((name) => line.startsWith(name)));
}

/**
 * True if the exit code means only that nothing was found, that something is still running, or that the run was
 * interrupted.
 */
function saysNothing(call: CallWithResult, runs: readonly RunWithResult[], last: string): boolean {
  const { code } = call;
  const command = commandOfCall(call.call);
  if (code === 1 && ENDS_IN_SEARCH.test(command)) return true;
  if (last === '^C' || (code !== undefined && STOPPED.includes(code) && last === '')) return true;
  if (!runs.every(isReadOnlyRun)) return runs.every(isWaiting);
  return code === undefined || (code === 1 && runs.some(answersByExitCode)) || /2>\s*\S*null/u.test(command);
}

/** True for `gh pr checks`: its exit code also reports that checks still run. */
function isWaiting({ words }: ProgramRun): boolean {
  return words[0] === 'gh' && words[2] === 'checks';
}

/** Matches a command whose exit code is that of a search in the output of another command. */
const ENDS_IN_SEARCH = /\|\s*(?:[ef]?grep|rg)\b[^|;&]*$/u;

/** Exit codes of interrupted or terminated runs. */
const STOPPED: readonly number[] = [130, 143, 144];

/**
 * True for an error line of the shell, and for two other forms: a line with a word such as "error", and a line that begins
 * with an error code such as `ENOENT:`. A program that only reads files may print these forms, too.
 */
function isOfShell({ form, text }: ErrorLine): boolean {
  return form === 'shell' || form === 'tagged' || /^E[A-Z]+:/u.test(text);
}

/**
 * True for an error line of a program that only reads: `cat: x: No such file or directory`. The other programs of the call
 * may still have worked.
 */
function isOfReader({ form, text }: ErrorLine): boolean {
  return form === 'shell' && isReadOnlyRun({ words: [/^[\w-]+(?=:)/u.exec(text)?.[0] ?? ''] });
}

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
  const texts = shown.slice(0, 3).map(({ folder, words }) => {
    const machine = /^[^\s/:]{2,}:/u.exec(folder)?.[0];
    const text = words.slice(0, most).map(asWord).join(' ');
    return [...(machine === undefined ? [] : [machine]), text.replace(/ -\w*m \$\(\)$/u, '')].join(' ');
  });
  return shortenItem((texts.join(' && ') || command).split('\n')[0] ?? '', 80).replaceAll('`', "'");
}

function asWord(word: string): string {
  return /[\s"']/u.test(word) || word === '' ? JSON.stringify(shortenItem(word, 60)) : word;
}
