import { isRecord } from '../../../base/json.js';
import { isNegation } from '../../../language/words/stop.js';
import { isRefusal } from '../../log/harness.js';
import { type CallWithResult, commandOfCall, hasCallFailed, keepStartAndEnd } from './calls.js';
import { fileAccesses } from './files.js';
import type { LedgerEntry, ProgramRun } from './ledger.js';
import { findProgramRuns, isReadOnlyRun, isRerunOf, type RunWithResult } from './runs.js';
import { shortenItem } from './statements.js';

/** Adds the errors of calls to the open errors. Resolves an error if the runs that caused it worked later. Pure. */
export function readCallErrors(before: readonly LedgerEntry[], calls: readonly CallWithResult[]): ErrorReader {
  const looked = calls.flatMap((call) => (call.result === undefined ? [] : [lookAt(call)]));
  const reader = new ErrorReader(before);
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

/** Maximum number of open errors that are kept: several times as many as the section has room for. */
const MOST_ERRORS = 200;
const MOST_RUNS = 20;

/** Reads calls and keeps the list of open errors. `gone`: the errors that were removed from the list, with the reason. */
class ErrorReader {
  readonly gone = new Map<string, string>();
  /** Files changed since the last error. */
  #changed: readonly string[] = [];

  constructor(public errors: readonly LedgerEntry[]) {}

  read(looked: Looked): void {
    const { call, failed } = looked;
    const isShell = looked.runs.length > 0 || commandOfCall(call.call) !== '';
    const isAnyOpen = this.errors.some(({ runs }) => runs !== undefined && runs.length > 0);
    if (!isShell && !failed && !isAnyOpen) return;
    const runs = isShell ? looked.runs : [toolRun(call)];
    const line = isShell ? shellError(looked) : toolError(call, failed);
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
    const proven = runs.filter(({ isSeen }) => isSeen);
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
  const left = runs.filter((run) => !worked.some((each) => isRerunOf(each, run)));
  if (left.length === runs.length) return error;
  if (left.length > 0) return { ...rest, runs: left };
  return { ...rest, text: `${shortenItem(error.text, 140)} – resolved: it worked ${shortenItem(by, 140)}`, at };
}

/** True if a recorded error happened again: the runs that fail now repeat exactly the runs that may have caused it. */
function isAgain({ runs }: LedgerEntry, failing: readonly ProgramRun[]): boolean {
  return runs?.length === failing.length && runs.every((run) => failing.some((now) => isRerunOf(now, run)));
}

/** Converts a call of a tool that is not a shell to a run. */
function toolRun(call: CallWithResult): RunWithResult {
  const given = fileAccesses(call).map(({ path }) => path);
  const words = given.length > 0 ? given : [JSON.stringify(call.call.input)?.slice(0, 2_000) ?? ''];
  return { folder: call.folder ?? '', words: [call.call.name, ...words], isSeen: true };
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

function shellError({ call, runs, failed, lines }: Looked): string | undefined {
  const output = call.result?.output ?? '';
  if ((lines.length === 0 && !failed) || isRefusal(output)) return undefined;
  const isReader = runs.every(isReadOnlyRun);
  const isHidden = runs.some((run) => !isReadOnlyRun(run) && !run.isSeen);
  const isOfCall = (line: ErrorLine): boolean =>
    failed ? !isReader || line.form === 'shell' || line.form === 'tagged' : isClearError(line) || isHidden;
  const line = told(lines.filter(isOfCall));
  if (line !== undefined || !failed) return line;
  const said = informativeLines(output.slice(-4_000));
  const last = said.at(-1) ?? '';
  if (saysNothing(call, isReader, last)) return undefined;
  const own = inItsName(call, said);
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
function saysNothing({ code }: CallWithResult, isReader: boolean, last: string): boolean {
  if (code === undefined || code === 1) return isReader;
  return STOPPED.includes(code) && last === '';
}

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
function shortenCommand(command: string, runs: readonly ProgramRun[]): string {
  const working = runs.filter((run) => !isReadOnlyRun(run));
  const shown = working.length > 0 ? working : runs;
  const most = shown.length > 1 ? 3 : 40;
  const texts = shown.slice(0, 3).map(({ words }) => words.slice(0, most).map(asWord).join(' '));
  return shortenItem((texts.join(' && ') || command).split('\n')[0] ?? '', 80).replaceAll('`', "'");
}

function asWord(word: string): string {
  return /[\s"']/u.test(word) || word === '' ? JSON.stringify(shortenItem(word, 60)) : word;
}

/**
 * The forms of error lines that programs print, the most informative form first: a place in a file with its error; a named
 * exception; a failure of the shell or system; a line with a word such as "error"; a failed test.
 */
const FORMS: readonly (readonly [name: 'located' | 'named' | 'shell' | 'tagged' | 'test', pattern: RegExp])[] = [
  // places with the word "error":
  // src/x.ts(5,15): error TS2305: …   src/x.ts:5:15 - error …   x.c:1:2: fatal error: …   x.md:7:81 error …   5:10  error  …
  [
    'located',
    /^(?:[^\s:()"'`]{1,200}(?:\(\d+(?:,\d+)?\)|:\d+(?::\d+)?)|\d+:\d+)(?::|\s-|(?<=\d:\d+)(?=\s))\s*(?:fatal )?error\b/iu,
  ],
  // places with a message or the name of a rule: ./x.go:12:5: undefined: y   src/x.ts:5:10 lint/style/noVar ━━━
  ['located', /^[^\s:()"'`]{0,200}\.\w{1,6}:\d+:\d+(?::\s+\S|\s[a-z]+\/[\w/]+\s)/iu],
  // named exceptions:
  // TypeError: …   java.lang.IllegalStateException: …   AssertionError [ERR_ASSERTION]: …   ** (ArgumentError) …
  [
    'named',
    /^(?:Uncaught |Caused by: |E\s+|\W{0,4}\()?(?:[\w$]+[.:]{1,2})*[A-Z]\w*(?:Error|Exception)(?:\s\[\w+\]|\))?(?::?\s(?<=[):]\s)\s*\S|$)/u,
  ],
  // The shell's own messages: bash: line 1: foo: command not found   (eval):1: no matches found: *.md
  ['shell', /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|k)?sh):(?:\S+:)?(?:\s?(?:line )?\d+:)?\s(?!no matches found)\S/u],
  // Failed system calls: ls: cannot access 'x': No such file or directory   jq: not found
  [
    'shell',
    /^\S{1,80}:\s.{0,300}?(?:command not found|not found$|No such file or directory|Permission denied|Is a directory|Not a directory|File exists|Operation not permitted|Connection refused|No space left on device|Too many open files|Device or resource busy)/u,
  ],
  // lines with a word such as "fatal":
  // fatal: not a git repository   jq: error (at <stdin>:0): …   panic: …   CONFLICT (content): …
  [
    'tagged',
    /^(?:\S{1,60}:\s)?(?:(?:fatal|Fatal|FATAL)\s)?(?:error|fatal|panic|Error|ERROR|FATAL|Fatal|PANIC)(?:\s\((?!\d)[^)\n]{1,80}\)|\s\[\w+\])?:\s+\S|^ERROR in \S|^error\s{1,2}(?:Command failed|An unexpected)|^CONFLICT \(/u,
  ],
  // failed tests:
  // --- FAIL: TestX (0.00s)   FAILED tests/x.py::y   not ok 3 - z   (fail) a > b   ✗ a   e2e<tab>fail<tab>2m13s
  [
    'test',
    /^(?:---\s)?FAIL(?:ED)?(?::|\s)\s*\S|^not ok \d|^test \S+ \.\.\. FAILED$|^\(fail\)\s\S|^[✗✘✕]\s+\S|^[×✖]\s+(?![\d\u001b]+.{0,30}\bproblems?\b)\S|^●\s\S.{0,300}\s›\s|^BUILD FAILED|^make(?:\[\d+\])?:\s\*\*\*\s|^[^\t]{1,80}\tfail\t/u,
  ],
];

/** Quick test: matches every line that has one of the forms. Most outputs have no such line and need no further test. */
const CUE =
  /[Ee]rror|ERR|[Ee]xception|[Ff]ail|FAIL|[Ff]atal|FATAL|[Pp]anic|PANIC|\bE[A-Z]{3}|:\d+:\d+|not ok|ot found|ot permitted|ot a directory|is not recog|[Nn]o such|[Nn]o space|denied|refused|oo many|busy|exists|s a dir|CONFLICT|[✗✘✕×✖●]|\*\*\*|^\(eval\):|sh:.*: |\w : \S/mu;

/** The error lines of a text, in its order. Pure. */
function findErrorLines(text: string): readonly ErrorLine[] {
  if (!CUE.test(text)) return [];
  return text.split('\n').flatMap((line) => (CUE.test(line) ? (readErrorLine(line) ?? []) : []));
}

/** Matches escape sequences of terminals, such as colours. */
const PAINT = /\u001b\[[?\d;]*[A-Za-z]/gu;

interface ErrorLine {
  readonly text: string;
  readonly form: (typeof FORMS)[number][0];
  /** Rank of the form of this line; 0 is the most informative form. */
  readonly rank: number;
}

/** Reads an error line; undefined if no form matches. Pure. */
function readErrorLine(raw: string): ErrorLine | undefined {
  const line = raw.slice(0, 2_001).replace(PAINT, '').trim();
  if (line.length > 2_000) return undefined;
  return errorIn(line);
}

/** Matches a line that is less severe than an error. */
const LESS = /^(?:\S{1,200}:\s?|\W{1,3})?(?:warning|note|info|hint|help)\b/iu;

function errorIn(text: string): ErrorLine | undefined {
  if (text === '' || LESS.test(text)) return undefined;
  const rank = FORMS.findIndex(([, pattern]) => pattern.test(text));
  const form = FORMS[rank]?.[0];
  // "0 errors" is not an error.
  return form === undefined || /\b(?:0|no) (?:errors?|failures?|failed|problems|remaining)\b/iu.test(text)
    ? undefined
    : { text, form, rank };
}

/**
 * The lines of an output that say something: they have a letter or digit. Leaves out lines in which a host reports an exit
 * code or PowerShell reports a place. Pure.
 */
function informativeLines(text: string): readonly string[] {
  return text
    .replace(PAINT, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\|\s+/u, ''))
    .filter(
      (line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:\+\s|\(?Command exited|Exit code|Process exited)\b/u.test(line),
    );
}

/** True if a line shows an error whatever program printed it: a place in a file with the word "error". */
function isClearError({ form, text }: ErrorLine): boolean {
  return form === 'located' && /\berror\b/iu.test(text);
}

/** The most informative line; undefined for an empty list. Pure. */
function mostInformativeLine(lines: readonly ErrorLine[]): ErrorLine | undefined {
  const [first, ...rest] = lines;
  return first === undefined ? undefined : rest.reduce((most, line) => (line.rank < most.rank ? line : most), first);
}

/**
 * Lines about the state of the work at the end of the messages: the agent's to-do list, the last command, the commits. Pure.
 */
export function workStateLines(calls: readonly CallWithResult[]): readonly string[] {
  return [...todoLine(calls), ...commandLine(calls), ...commitLines(calls)];
}

function todoLine(calls: readonly CallWithResult[]): readonly string[] {
  for (const { call } of calls.toReversed()) {
    if (!/todo|plan|task/i.test(call.name)) continue;
    const todos = todosIn(call.input);
    if (todos.length === 0) continue;
    const done = todos.filter(({ isDone }) => isDone).length;
    const open = [...todos.filter(({ isNow }) => isNow), ...todos.filter(({ isDone, isNow }) => !isDone && !isNow)];
    const rest = open.map(({ text, isNow }) => (isNow ? `${text} (in progress)` : text)).join('; ');
    return [shortenItem(`Todo, ${done} of ${todos.length} done${rest === '' ? '' : `; open: ${rest}`}`, 480)];
  }
  return [];
}

function todosIn(input: unknown) {
  if (!isRecord(input)) return [];
  const list =
    [input.todos, input.plan, input.items, input.tasks, input.steps, input.newTodos].find(Array.isArray) ?? [];
  return list.filter(isRecord).flatMap((item) => {
    const text = [item.content, item.step, item.text, item.title, item.description, item.task].find(
      (each) => typeof each === 'string',
    );
    if (typeof text !== 'string') return [];
    const status = String(item.status ?? item.state ?? '');
    return [
      { text, isDone: /complete|done|finish/i.test(status), isNow: /progress|active|doing|current/i.test(status) },
    ];
  });
}

/** Matches a line of an output that reports how a run ended: `3 tests passed`, `BUILD SUCCESS`. */
const ENDING =
  /\b\d+\s+(?:tests?|specs?|examples?|files?|suites?|checks?|errors?|warnings?|problems?|failures?|passed|failed|passing|failing|skipped)\b|\b(?:passed|failed|success|succeeded|failure|built|compiled|error)\b|BUILD \w+|通过|失败|成功/iu;

/** The line about the last command that ran. A command that the host refused does not count. */
function commandLine(calls: readonly CallWithResult[]): readonly string[] {
  const last = calls.findLast(({ call, result }) => commandOfCall(call) !== '' && !isRefusal(result?.output ?? ''));
  if (last === undefined) return [];
  return [`Last command: \`${shortenCommand(commandOfCall(last.call), findProgramRuns(last))}\` – ${endOf(last)}`];
}

function endOf(call: CallWithResult): string {
  if (call.result === undefined) return 'no result yet';
  const lines = informativeLines(keepStartAndEnd(call.result.output));
  const said = lines.findLast((line) => ENDING.test(line)) ?? lines.at(-1) ?? '';
  const how = hasCallFailed(call) ? 'failed' : 'done';
  return said === '' ? how : `${how}: ${shortenItem(said, 160)}`;
}

const COMMITTED = /^\[([\w./-]+)(?: \([\w-]+\))? ([0-9a-f]{7,40})\] (.+)$/gmu;
const MOST_COMMITS = 4;

function commitLines(calls: readonly CallWithResult[]): readonly string[] {
  const commits = calls
    .filter(({ call, result }) => result !== undefined && /\bgit\b[^\n]*\bcommit\b/u.test(commandOfCall(call)))
    .flatMap(({ result }) => [...keepStartAndEnd(result?.output ?? '').matchAll(COMMITTED)])
    .map(([, , hash = '', subject = '']) => `${hash} ${shortenItem(subject, 80)}`);
  return commits.length === 0 ? [] : [`Commits: ${commits.slice(-MOST_COMMITS).join('; ')}`];
}
