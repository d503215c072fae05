import { isRecord } from '../../../base/json.js';
import { wordSet } from '../../../language/tokens.js';
import { argumentText, type CallWithResult } from './calls.js';
import { normalisePath, resolveInFolder } from './files.js';
import type { ProgramRun } from './ledger.js';
import { parseShellCommand, type ShellCommand } from './shell.js';

/** A run, with two flags that say whether the result of the call shows how this run ended. */
export interface RunWithResult extends ProgramRun {
  /** True if the exit status of this run is known: no later part of the command hides it. */
  readonly isSeen: boolean;
  /** True if the output of the call contains the end of this run's output. */
  readonly isTail: boolean;
}

/**
 * `ASIDE`: commands that only set or print something. Their success says nothing about the work. `FILTERS`: programs that,
 * behind a pipe, only filter the output of another program.
 */
const ASIDE = wordSet(
  'popd Pop-Location echo printf export source . set sleep true false : pwd mkdir exit local read wait for in case esac unset foreach if while',
);
const FILTERS = wordSet('tail head grep egrep rg sed awk cut sort uniq wc tee cat less jq tr column');
/** Programs that show or compare stored data. They exit with 1 if they find nothing, or if something differs. */
const SEARCHES = wordSet(
  'git ls dir find fd grep egrep fgrep rg ag ack diff cmp comm stat file which type command whereis test [ [[ printenv ps pgrep lsof',
);
/** Other programs that show stored data. An error line in their output may come from the data. */
const SHOWS = wordSet(
  'cat head tail less more bat nl tac tree sed awk cut sort uniq wc jq yq env du df date history man curl wget gh strings xxd od',
);
/** PowerShell commands that only show, sort or compare. */
const SHOWING =
  /^(?:Get|Select|Where|Sort|ForEach|Format|Measure|Group|Test|Compare|Resolve|Write)-[A-Z]|^Out-(?:String|Null|Host)$/u;
const READING_GIT =
  /^(?:show|diff|log|grep|blame|status|branch|ls-files|rev-parse|rev-list|reflog|remote|config|cat-file|describe|shortlog|merge-base)$/u;
/** Programs that run another program, which follows them on the command line. */
const WRAPPERS = /^(?:sudo|env|xargs|npx|bunx|pnpx|time|nohup|nice|timeout|exec|dotenv|uvx)$/u;

/** The runs of a shell call. Leaves out commands that only show or set something, unless there are no other commands. */
export function findProgramRuns(call: CallWithResult): readonly RunWithResult[] {
  const fields = isRecord(call.call.input) ? call.call.input : {};
  const isBehind = fields.run_in_background === true || fields.background === true;
  const folder = normalisePath(
    argumentText(call.call.input, /^(?:workdir|cwd|working_directory)$/u) || (call.folder ?? ''),
  );
  const all = runsIn(call.shell, folder, call.result?.output ?? '');
  const runs = isBehind ? all.map((run) => ({ ...run, isSeen: false })) : all;
  const working = runs.filter((run) => !isReadOnlyRun(run) && !/^git add\b/u.test(run.words.slice(0, 2).join(' ')));
  return working.length > 0 ? working : runs;
}

function runsIn(commands: readonly ShellCommand[], start: string, output: string): readonly RunWithResult[] {
  let folder = start;
  return commands.flatMap((each, index): readonly RunWithResult[] => {
    const words = bareWords(each);
    const isBehindPipe = commands[index - 1]?.then === '|';
    if (/^(?:cd|pushd|(?:Set|Push)-Location)$/u.test(words[0] ?? '')) {
      folder = resolveInFolder(folder, words[1] ?? '~');
      return [];
    }
    if (words.length === 0 || ASIDE.has(words[0]?.replace(/\(.*$/u, '') ?? '')) return [];
    if (isBehindPipe && (FILTERS.has(words[0] ?? '') || SHOWING.test(words[0] ?? ''))) return [];
    // A command that shows a log succeeds, whatever the log reports.
    const isSeen = isEndSeen(commands, index) && !words.includes('--log-failed');
    const isTail = isSeen || isTailed(commands, index, output);
    const [script, place] = givenScript(words);
    if (script === undefined) return [{ ...inItsFolder(folder, words), isSeen, isTail }];
    return runsIn(parseShellCommand(script), place === undefined ? folder : '', output).map((run) => ({
      ...run,
      folder: `${place ?? ''}${run.folder}`,
      isSeen: isSeen && run.isSeen,
      isTail: isTail && run.isTail,
    }));
  });
}

/**
 * The script that a command passes to a shell (`sh -c`) or to another machine (`ssh`). For `ssh`, also the name of the
 * machine.
 */
function givenScript(words: readonly string[]): readonly [script: string | undefined, place?: string] {
  const [program = ''] = words;
  const script = words.at(-1);
  if (/^(?:ba|z|da)?sh$/u.test(program) && /^-l?c$/u.test(words[1] ?? '')) return [words[2]];
  if (program !== 'ssh' || script === undefined || !/\s/u.test(script)) return [undefined];
  return [script, `${words.at(-2) ?? ''}:`];
}

/** The run of a command, with the folder in which it works: `git -C there push` is `git push` in the folder `there`. */
function inItsFolder(folder: string, words: readonly string[]): ProgramRun {
  const [program = '', option, there = ''] = words;
  const isThere = program === 'git' && option === '-C';
  return isThere ? { folder: resolveInFolder(folder, there), words: [program, ...words.slice(3)] } : { folder, words };
}

/** True if a program only shows stored data. Pure. */
export function isReadOnlyRun({ words }: Pick<ProgramRun, 'words'>): boolean {
  const [program = '', verb = ''] = words;
  if (program === 'git')
    return READING_GIT.test(words.find((word, at) => at > 0 && !word.startsWith('-') && !word.includes('/')) ?? '');
  if (program === 'sed') return !words.some((word) => /^-[a-zA-Z]*i/u.test(word));
  if (tellsOfCI({ words })) return false;
  if (program === 'gh') return /^(?:api|search)$/u.test(verb) || /^(?:view|list|diff|status)$/u.test(words[2] ?? '');
  return SEARCHES.has(program) || SHOWS.has(program) || SHOWING.test(program);
}

/** True if the exit code 1 of a program means that it found nothing, or that something differs. Pure. */
export function answersByExitCode({ words: [program = ''] }: Pick<ProgramRun, 'words'>): boolean {
  return SEARCHES.has(program) || SHOWING.test(program);
}

/**
 * True if the status of the whole call shows the exit status of the command at `index`. For that, its output must not be
 * piped, and only commands that run after success (`&&`) may follow. The output of a later command may be piped.
 */
function isEndSeen(commands: readonly ShellCommand[], index: number): boolean {
  return commands.slice(index).every(({ then }, at, rest) => {
    if (at === rest.length - 1) return then === '' || then === ';';
    return then === '&&' || (then === '|' && at > 0);
  });
}

/** True if the output of the command goes only to `tail`, or to a `head` that cut nothing off. */
function isTailed(commands: readonly ShellCommand[], index: number, output: string): boolean {
  const [behind, ...rest] = commands.slice(index + 1);
  if (commands[index]?.then !== '|' || behind === undefined || rest.length > 0) return false;
  const [program = '', ...given] = behind.words.map(({ text }) => text);
  if (program === 'tail') return !given.some((word) => word.startsWith('+'));
  const most = /^-?n?(\d+)$/u.exec(given.filter((word) => word !== '-n').join(' '))?.[1];
  return program === 'head' && most !== undefined && output.split('\n').length < Number(most);
}

/** The words of a command without variable assignments and without programs such as `sudo` before it. */
function bareWords({ words, input }: ShellCommand): readonly string[] {
  const texts = words.map(({ text }) => text);
  const from = texts.findIndex((text, at) => {
    if (/^\$?[\w:.]+=/u.test(text) || WRAPPERS.test(text)) return false;
    return !(at > 0 && WRAPPERS.test(texts[at - 1] ?? '') && /^(?:-\S*|\d+[smh]?)$/u.test(text));
  });
  if (from < 0 || !isProgram(texts[from] ?? '', texts[from + 1])) return [];
  const [program = '', ...rest] = texts.slice(from);
  return [
    program.replace(/^.*[\\/](?=[^\\/]+$)/u, '').replace(/\.(?:exe|cmd)$/u, ''),
    ...rest,
    ...(input === undefined ? [] : [input]),
  ];
}

/**
 * Matches the name of a program, its path, or a variable. Does not match a PowerShell expression, such as `$x = …` or
 * `"text"`.
 */
const PROGRAM = /^(?:[\p{L}\d_.~/@[:][^,{}"'=]*|\$[\w:{}]+(?:[\\/].*)?)$/u;

function isProgram(word: string, next = ''): boolean {
  return PROGRAM.test(word) && !(word.startsWith('$') && /^(?:[-+]?=|in|-[a-z]{2,}|)$/u.test(next));
}

/** Options that select a package or folder. Runs with different packages do different work. */
const SELECTS =
  /^(?:-w|--workspace|--workspaces|--filter|-F|-p|--package|--project|-C|--prefix|--dir|--cwd|--manifest-path|-r|--recursive)(?==|$)/u;

/** Options of test runners that filter tests by name. */
const NAMES = /^(?:-run|-k|-t|-g|--grep|--testNamePattern|--test-name-pattern)$/u;
/** Options that change how results are shown, or that force a new run. They do not change what is run. */
const REPORTS = /^(?:--?[\w-]+=\d+|--verbose|--quiet|--silent|--tb=\w+|--no-header|--(?:no-)?colou?r\S*)$/u;

/**
 * True if the success of a later run means that an earlier run would succeed now, too. The later run must be the same run or
 * do more: in the same package and folder, its arguments contain those of the earlier run. Pure.
 */
export function isRerunOf(later: ProgramRun, earlier: ProgramRun): boolean {
  if (later.folder !== earlier.folder || later.words[0] !== earlier.words[0]) return false;
  if (isCommit(later) && isCommit(earlier)) return !later.words.some((word) => /^(?:-n|--no-verify)$/u.test(word));
  const [pushed, tried] = [pushedBy(later), pushedBy(earlier)];
  if (pushed !== undefined && tried !== undefined)
    return pushed.length === 0 || (tried.length === 0 ? ['HEAD'] : tried).every((ref) => pushed.includes(ref));
  if (tellsOfCI(later) && tellsOfCI(earlier))
    return (pullOf(later) ?? pullOf(earlier)) === (pullOf(earlier) ?? pullOf(later));
  const [a, b] = [argumentsOf(later.words), argumentsOf(earlier.words)];
  if (a.verb !== b.verb || a.selected !== b.selected || !namesCover(a.names, b.names)) return false;
  if (!a.options.every((option) => b.options.includes(option))) return false;
  if (!a.given.every((word) => b.given.some((other) => isWithin(other, word)))) return false;
  // The later run may lack plain words of the earlier run, because a plain word may be only the value of an option. But for
  // a check or a program that only reads, a missing word may be a file that is no longer checked.
  const left = b.given.filter((word) => !a.given.some((other) => isWithin(word, other)));
  return (
    left.length === 0 ||
    (a.given.length < b.given.length &&
      !isReadOnlyRun(later) &&
      !(isCheck(later) && a.given.some(isPath) && left.some(isPath)))
  );
}

function isCheck({ words }: ProgramRun): boolean {
  return words.slice(0, 4).some((word) => !isPath(word) && (isTest(word) || /check|lint/iu.test(word)));
}

function isPath(word: string): boolean {
  return /[/\\]|\.\w{1,5}$/u.test(word);
}

/** True if a run reports the results of continuous integration. A later report then shows whether a failure is gone. */
function tellsOfCI({ words: [program, ...words] }: Pick<ProgramRun, 'words'>): boolean {
  return program === 'gh' && (words.includes('--log-failed') || /^(?:pr checks|run watch)\b/u.test(words.join(' ')));
}

/** The number of a pull request among the words of a run (at most 6 digits). The number of a CI run is longer. */
function pullOf({ words }: ProgramRun): string | undefined {
  return words.find((word) => /^\d{1,6}$/u.test(word));
}

/** True if a run is `git commit`. The words of two commits are not compared, because their messages differ. */
function isCommit({ words }: ProgramRun): boolean {
  return words[0] === 'git' && words.includes('commit');
}

/**
 * The branches that a `git push` names; undefined for any other run. The remote and the options are left out, because they
 * may differ the next time.
 */
function pushedBy({ words: [program, verb, ...given] }: ProgramRun): readonly string[] | undefined {
  if (program !== 'git' || verb !== 'push' || given.some((word) => /^(?:--delete|-d|--tags)$/u.test(word)))
    return undefined;
  const [, ...branches] = given.filter((word) => !word.startsWith('-'));
  return branches.flatMap((branch) => branch.split(':'));
}

/** True if a run can end in a merge conflict. */
export function mayEndInMergeConflict({ words }: ProgramRun): boolean {
  return words[0] === 'git' && words.some((word) => /^(?:merge|rebase|pull|cherry-pick|revert|stash|am)$/u.test(word));
}

/**
 * True if the success of a run shows that its folder has no merge conflict any more. As long as there is a conflict, git
 * refuses to commit or continue.
 */
export function showsNoMergeConflict(run: ProgramRun): boolean {
  return (
    isCommit(run) ||
    (mayEndInMergeConflict(run) && run.words.some((word) => /^--(?:continue|abort|skip|quit)$/u.test(word)))
  );
}

/**
 * True if the test filters `wider` match all tests that the filters `names` match. A filter is a part of a test name, so a
 * shorter filter matches more tests; `a|b` is two filters. A filter with `not` covers only an equal filter.
 */
function namesCover(wider: readonly string[], names: readonly string[]): boolean {
  const isWider = (each: string, name: string): boolean =>
    !/\bnot\b/u.test(`${each} ${name}`) &&
    name.split('|').every((part) => each.split('|').some((some) => part.includes(some)));
  return wider.every((each) => names.some((name) => name === each || isWider(each, name)));
}

interface Arguments {
  /** The program and its subcommand: `npm run build`. */
  readonly verb: string;
  readonly selected: string;
  readonly given: readonly string[];
  /** Parts of test names: the test runner runs only tests with such a name. */
  readonly names: readonly string[];
  readonly options: readonly string[];
}

function isTest(word: string): boolean {
  return /test|spec|jest|mocha/iu.test(word);
}

function argumentsOf(words: readonly string[]): Arguments {
  const selected: string[] = [];
  const given: string[] = [];
  const names: string[] = [];
  const options: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (SELECTS.test(word)) selected.push(word.includes('=') ? word : `${word} ${words[++at] ?? ''}`);
    else if (NAMES.test(word) && words.some(isTest)) names.push(words[++at] ?? '');
    else if (/^-\w$|^--$/u.test(word) || REPORTS.test(word)) continue;
    else if (word.startsWith('-')) options.push(word);
    else given.push(word);
  }
  const length = verbLength(given);
  const verb = [words[0] ?? '', ...given.slice(0, length)].join(' ');
  return { verb, selected: selected.sort().join(' '), given: given.slice(length), names, options };
}

/**
 * The number of words that form the subcommand: two if the first one is `run` or similar, one if it is a plain word, else
 * none.
 */
function verbLength([first = '']: readonly string[]): number {
  if (/^(?:run|exec|x|task|dlx|run-script)$/u.test(first)) return 2;
  return /^[\w:-]+$/u.test(first) ? 1 : 0;
}

/** True if an argument is equal to `wider` or is a path below it. `./...` stands for everything below a folder. */
function isWithin(word: string, wider: string): boolean {
  if (word === wider) return true;
  const all = /^(.*?)\/?\.\.\.$/u.exec(wider)?.[1];
  if (all !== undefined) return /[/.]/u.test(word) && (all === '.' || `${word}/`.startsWith(`${all}/`));
  return /[\w./]$/u.test(wider) && wider.includes('/') && word.startsWith(wider.endsWith('/') ? wider : `${wider}/`);
}
