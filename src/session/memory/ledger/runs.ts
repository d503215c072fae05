import { isRecord } from '../../../base/json.js';
import { wordSet } from '../../../language/words/word-set.js';
import { argument, type Call } from './calls.js';
import { inFolder, samePath } from './files.js';
import type { ProgramRun } from './ledger.js';
import { readShell, type ShellCommand } from './shell.js';

/** A run with what its call tells of its end. */
export interface EndedRun extends ProgramRun {
  /** Whether its own end is that of the call: nothing behind it hides how it ended. */
  readonly isSeen: boolean;
  /** Whether the end of what it printed is there: nothing that cuts it off stands between. */
  readonly isTail: boolean;
}

/** What changes nothing, and what stands behind a pipe: it says nothing of how the work went. */
const ASIDE = wordSet(
  'popd Pop-Location echo printf export source . set sleep true false : pwd mkdir exit local read wait for in case esac unset foreach if while',
);
const FILTERS = wordSet('tail head grep egrep rg sed awk cut sort uniq wc tee cat less jq tr column');
/** Programs that show what is stored and end with 1 where there is nothing, or where it differs. */
const SEARCHES = wordSet(
  'git ls dir find fd grep egrep fgrep rg ag ack diff cmp comm stat file which type command whereis test [ [[ printenv ps pgrep lsof',
);
/** Others that show what is stored: what they print is somebody's text. */
const SHOWS = wordSet(
  'cat head tail less more bat nl tac tree sed awk cut sort uniq wc jq yq env du df date history man curl wget gh strings xxd od',
);
/** The verbs of PowerShell by which a command only shows or sorts something. */
const SHOWING =
  /^(?:Get|Select|Where|Sort|ForEach|Format|Measure|Group|Test|Compare|Resolve|Write)-[A-Z]|^Out-(?:String|Null|Host)$/u;
const READING_GIT =
  /^(?:show|diff|log|grep|blame|status|branch|ls-files|rev-parse|rev-list|reflog|remote|config|cat-file|describe|shortlog|merge-base)$/u;
/** Words before the program itself. */
const WRAPPERS = /^(?:sudo|env|xargs|npx|bunx|pnpx|time|nohup|nice|timeout|exec|dotenv|uvx)$/u;

/** The runs of a shell call; those that only show or set something are not among them, unless there are no others. */
export function runsOf(call: Call): readonly EndedRun[] {
  const fields = isRecord(call.call.input) ? call.call.input : {};
  const isBehind = fields.run_in_background === true || fields.background === true;
  const folder = samePath(argument(call.call.input, /^(?:workdir|cwd|working_directory)$/u) || (call.folder ?? ''));
  const all = runsIn(call.shell, folder, call.result?.output ?? '');
  const runs = isBehind ? all.map((run) => ({ ...run, isSeen: false })) : all;
  const working = runs.filter((run) => !isReader(run) && !/^git add\b/u.test(run.words.slice(0, 2).join(' ')));
  return working.length > 0 ? working : runs;
}

function runsIn(commands: readonly ShellCommand[], start: string, output: string): readonly EndedRun[] {
  let folder = start;
  return commands.flatMap((each, index): readonly EndedRun[] => {
    const words = bareWords(each);
    const isBehindPipe = commands[index - 1]?.then === '|';
    if (/^(?:cd|pushd|(?:Set|Push)-Location)$/u.test(words[0] ?? '')) {
      folder = inFolder(folder, words[1] ?? '~');
      return [];
    }
    if (words.length === 0 || ASIDE.has(words[0]?.replace(/\(.*$/u, '') ?? '')) return [];
    if (isBehindPipe && (FILTERS.has(words[0] ?? '') || SHOWING.test(words[0] ?? ''))) return [];
    // That a log could be shown says nothing of what it tells.
    const isSeen = isEndSeen(commands, index) && !words.includes('--log-failed');
    const isTail = isSeen || isTailed(commands, index, output);
    const [script, place] = givenScript(words);
    if (script === undefined) return [{ ...inItsFolder(folder, words), isSeen, isTail }];
    return runsIn(readShell(script), place === undefined ? folder : '', output).map((run) => ({
      ...run,
      folder: `${place ?? ''}${run.folder}`,
      isSeen: isSeen && run.isSeen,
      isTail: isTail && run.isTail,
    }));
  });
}

/** What a shell or another machine is given to run, and where. */
function givenScript(words: readonly string[]): readonly [script: string | undefined, place?: string] {
  const [program = ''] = words;
  const script = words.at(-1);
  if (/^(?:ba|z|da)?sh$/u.test(program) && /^-l?c$/u.test(words[1] ?? '')) return [words[2]];
  if (program !== 'ssh' || script === undefined || !/\s/u.test(script)) return [undefined];
  return [script, `${words.at(-2) ?? ''}:`];
}

/** `git -C there push` is `git push` in that folder. */
function inItsFolder(folder: string, words: readonly string[]): ProgramRun {
  const [program = '', option, there = ''] = words;
  const isThere = program === 'git' && option === '-C';
  return isThere ? { folder: inFolder(folder, there), words: [program, ...words.slice(3)] } : { folder, words };
}

/** Whether a program only shows what is stored somewhere. Pure. */
export function isReader({ words }: Pick<ProgramRun, 'words'>): boolean {
  const [program = '', verb = ''] = words;
  if (program === 'git')
    return READING_GIT.test(words.find((word, at) => at > 0 && !word.startsWith('-') && !word.includes('/')) ?? '');
  if (program === 'sed') return !words.some((word) => /^-[a-zA-Z]*i/u.test(word));
  if (tellsOfCI({ words })) return false;
  if (program === 'gh') return /^(?:api|search)$/u.test(verb) || /^(?:view|list|diff|status)$/u.test(words[2] ?? '');
  return SEARCHES.has(program) || SHOWS.has(program) || SHOWING.test(program);
}

/** Whether a program ends with 1 to say that there is nothing, or that something differs. Pure. */
export function answersByCode({ words: [program = ''] }: Pick<ProgramRun, 'words'>): boolean {
  return SEARCHES.has(program) || SHOWING.test(program);
}

/** Behind it stands only what runs when it worked: no pipe of its own hides its end, one of a later program does not. */
function isEndSeen(commands: readonly ShellCommand[], index: number): boolean {
  return commands.slice(index).every(({ then }, at, rest) => {
    if (at === rest.length - 1) return then === '' || then === ';';
    return then === '&&' || (then === '|' && at > 0);
  });
}

/** A pipe into `tail` and nothing else, at the end, or into `head` that had nothing to cut. */
function isTailed(commands: readonly ShellCommand[], index: number, output: string): boolean {
  const [behind, ...rest] = commands.slice(index + 1);
  if (commands[index]?.then !== '|' || behind === undefined || rest.length > 0) return false;
  const [program = '', ...given] = behind.words.map(({ text }) => text);
  if (program === 'tail') return !given.some((word) => word.startsWith('+'));
  const most = /^-?n?(\d+)$/u.exec(given.filter((word) => word !== '-n').join(' '))?.[1];
  return program === 'head' && most !== undefined && output.split('\n').length < Number(most);
}

/** The words of a command behind what sets its surroundings. */
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

/** A name, a path, a variable that stands for one: not what PowerShell works out by itself, as `$x = …` or `"text"`. */
const PROGRAM = /^(?:[\p{L}\d_.~/@[:][^,{}"'=]*|\$[\w:{}]+(?:[\\/].*)?)$/u;

function isProgram(word: string, next = ''): boolean {
  return PROGRAM.test(word) && !(word.startsWith('$') && /^(?:[-+]?=|in|-[a-z]{2,}|)$/u.test(next));
}

/** Options that name the package or folder: another one is other work. */
const SELECTS =
  /^(?:-w|--workspace|--workspaces|--filter|-F|-p|--package|--project|-C|--prefix|--dir|--cwd|--manifest-path|-r|--recursive)(?==|$)/u;

/** Options of runners that name tests. */
const NAMES = /^(?:-run|-k|-t|-g|--grep|--testNamePattern|--test-name-pattern)$/u;
/** Options that change what is told of a run, or have it run anew, and not what is run. */
const REPORTS = /^(?:--?[\w-]+=\d+|--verbose|--quiet|--silent|--tb=\w+|--no-header|--(?:no-)?colou?r\S*)$/u;

/**
 * Whether one run says something of another: it is the same one, or a wider run of the same: what it was given is part
 * of what the other was given, on the same package in the same folder. Pure.
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
  // Words as they stand may be the values of options: all of them, or fewer of them. Fewer files are less to check or see.
  const left = b.given.filter((word) => !a.given.some((other) => isWithin(word, other)));
  return (
    left.length === 0 ||
    (a.given.length < b.given.length &&
      !isReader(later) &&
      !(isCheck(later) && a.given.some(isPath) && left.some(isPath)))
  );
}

function isCheck({ words }: ProgramRun): boolean {
  return words.slice(0, 4).some((word) => !isPath(word) && (isTest(word) || /check|lint/iu.test(word)));
}

function isPath(word: string): boolean {
  return /[/\\]|\.\w{1,5}$/u.test(word);
}

/** What failed in CI is shown as it would be here; the next look is at the next run of it. */
function tellsOfCI({ words: [program, ...words] }: Pick<ProgramRun, 'words'>): boolean {
  return program === 'gh' && (words.includes('--log-failed') || /^(?:pr checks|run watch)\b/u.test(words.join(' ')));
}

/** The number of a pull request: those of runs are longer. */
function pullOf({ words }: ProgramRun): string | undefined {
  return words.find((word) => /^\d{1,6}$/u.test(word));
}

/** What is committed has its own words each time. */
function isCommit({ words }: ProgramRun): boolean {
  return words[0] === 'git' && words.includes('commit');
}

/** The branches that a push names; where to and how is said otherwise the next time. */
function pushedBy({ words: [program, verb, ...given] }: ProgramRun): readonly string[] | undefined {
  if (program !== 'git' || verb !== 'push' || given.some((word) => /^(?:--delete|-d|--tags)$/u.test(word)))
    return undefined;
  const [, ...branches] = given.filter((word) => !word.startsWith('-'));
  return branches.flatMap((branch) => branch.split(':'));
}

/** What can end in a conflict of two versions. */
export function canConflict({ words }: ProgramRun): boolean {
  return words[0] === 'git' && words.some((word) => /^(?:merge|rebase|pull|cherry-pick|revert|stash|am)$/u.test(word));
}

/** Whether a run shows that no conflict is left in its folder: git commits nothing, and goes on with nothing, before. */
export function endsConflict(run: ProgramRun): boolean {
  return (
    isCommit(run) || (canConflict(run) && run.words.some((word) => /^--(?:continue|abort|skip|quit)$/u.test(word)))
  );
}

/**
 * Tests are chosen by a part of their names, of which `a|b` has two: fewer words choose more of them. What is left out by
 * its name only the same says something of.
 */
function namesCover(wider: readonly string[], names: readonly string[]): boolean {
  const isWider = (each: string, name: string): boolean =>
    !/\bnot\b/u.test(`${each} ${name}`) &&
    name.split('|').every((part) => each.split('|').some((some) => part.includes(some)));
  return wider.every((each) => names.some((name) => name === each || isWider(each, name)));
}

interface Arguments {
  /** The program with its own verb: `npm run build`. */
  readonly verb: string;
  readonly selected: string;
  readonly given: readonly string[];
  /** Of the tests that are to be run. */
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

/** A plain word behind the program is what it does; behind `run` and the like stands its name. */
function verbLength([first = '']: readonly string[]): number {
  if (/^(?:run|exec|x|task|dlx|run-script)$/u.test(first)) return 2;
  return /^[\w:-]+$/u.test(first) ? 1 : 0;
}

/** Whether what is given is the same, or a path within the other: `./...` is all below. */
function isWithin(word: string, wider: string): boolean {
  if (word === wider) return true;
  const all = /^(.*?)\/?\.\.\.$/u.exec(wider)?.[1];
  if (all !== undefined) return /[/.]/u.test(word) && (all === '.' || `${word}/`.startsWith(`${all}/`));
  return /[\w./]$/u.test(wider) && wider.includes('/') && word.startsWith(wider.endsWith('/') ? wider : `${wider}/`);
}
