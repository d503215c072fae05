import { wordSet } from '../../../language/tokens.js';
import type { ShellCommand } from './calls.js';
import { argumentText, type CallWithResult } from './calls.js';
import { normalisePath, resolveInFolder } from './files.js';
import type { ProgramRun } from './ledger.js';

/** A run. `isSeen`: its exit status is known, because no later part of the command hides it. */
export interface RunWithResult extends ProgramRun {
  readonly isSeen: boolean;
}

/** Commands that only set or print something. Their success says nothing about the work. */
const ASIDE = wordSet(
  'popd echo printf export source . set sleep true false : pwd mkdir exit local read wait for in case esac unset foreach if while',
);
/** Programs that, behind a pipe, only filter the output of another program. */
const FILTERS = wordSet('tail head grep egrep rg sed awk cut sort uniq wc tee cat less jq tr column');
/** Programs that show or compare stored data. An error line in their output may come from the data. */
const READERS = wordSet(
  'ls dir find fd grep egrep fgrep rg ag ack diff cmp comm stat file which type command whereis test [ [[ printenv ps pgrep lsof cat head tail less more bat nl tac tree awk cut sort uniq wc jq yq env du df date history man curl wget strings xxd od',
);
const READING_GIT =
  /^(?:show|diff|log|grep|blame|status|branch|ls-files|rev-parse|rev-list|reflog|remote|config|cat-file|describe|shortlog|merge-base)$/u;
/** Matches what may stand before the name of a program: a variable assignment, or a program that runs it, with options. */
const BEFORE =
  /^(?:\$?[\w:.]+=.*|sudo|env|xargs|npx|bunx|pnpx|time|nohup|nice|timeout|exec|dotenv|uvx|-\S*|\d+[smh]?)$/su;
/** Matches the name of a program or its path, but no expression of PowerShell, such as `$x` or `"text"`. */
const PROGRAM = /^[\p{L}\d_.~/@[:][^,{}"'=]*$/u;

/** The runs of a shell call. Leaves out commands that only show or set something, unless there are no other commands. */
export function findProgramRuns({ call, shell, folder: start = '' }: CallWithResult): readonly RunWithResult[] {
  let folder = normalisePath(argumentText(call.input, /^(?:workdir|cwd|working_directory)$/u) || start);
  const runs = shell.flatMap((each, index): readonly RunWithResult[] => {
    const words = bareWords(each);
    const [program = '', place = '~'] = words;
    if (program === 'cd' || program === 'pushd') {
      folder = resolveInFolder(folder, place);
      return [];
    }
    const isFilter = shell[index - 1]?.then === '|' && FILTERS.has(program);
    if (words.length === 0 || ASIDE.has(program) || isFilter) return [];
    return [{ folder, words, isSeen: isEndSeen(shell, index) }];
  });
  const working = runs.filter((run) => !isReadOnlyRun(run));
  return working.length > 0 ? working : runs;
}

/** The words of a command without variable assignments and without programs such as `sudo` before it. */
function bareWords({ words }: ShellCommand): readonly string[] {
  const [program = '', ...rest] = words.slice(words.findIndex((word) => !BEFORE.test(word)));
  if (!PROGRAM.test(program)) return [];
  return [program.replace(/^.*[\\/](?=[^\\/]+$)/u, ''), ...rest];
}

/** True if a program only shows stored data. Pure. */
export function isReadOnlyRun({ words }: Pick<ProgramRun, 'words'>): boolean {
  const [program = '', verb = '', object = ''] = words;
  if (program === 'git') return READING_GIT.test(words.find((word, at) => at > 0 && !/^-|\//u.test(word)) ?? '');
  if (program === 'sed') return !words.some((word) => /^-[a-zA-Z]*i/u.test(word));
  if (program === 'gh') return /^(?:api|search)$/u.test(verb) || /^(?:view|list|diff|status)$/u.test(object);
  return READERS.has(program);
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

/**
 * True if the success of a later run means that an earlier run would succeed now, too. The later run must be the same run or
 * do more: in the same package and folder, its arguments contain those of the earlier run. Pure.
 */
export function isRerunOf(later: ProgramRun, earlier: ProgramRun): boolean {
  if (later.folder !== earlier.folder) return false;
  const [a, b] = [argumentsOf(later.words), argumentsOf(earlier.words)];
  if (a.verb !== b.verb) return false;
  if (!a.given.every((word) => b.given.some((other) => isWithin(other, word)))) return false;
  // The later run may lack plain words of the earlier run, because a plain word may be only the value of an option. But for
  // a program that only reads, and beside other paths, a missing word may be a file that is not checked again.
  const left = b.given.filter((word) => !a.given.some((other) => isWithin(word, other)));
  return left.length === 0 || !(isReadOnlyRun(later) || (a.given.some(isPath) && left.some(isPath)));
}

function isPath(word: string): boolean {
  return /[/\\]|\.\w{1,5}$/u.test(word);
}

/** `verb`: the program and its subcommand, such as `npm run build`. `given`: the other words that are no options. */
function argumentsOf([program = '', ...words]: readonly string[]) {
  const given = words.filter((word) => !word.startsWith('-'));
  const [first = ''] = given;
  // Two words if the first one is `run` or similar, one if it is a plain word.
  const length = /^(?:run|exec|x|task|dlx|run-script)$/u.test(first) ? 2 : /^[\w:-]+$/u.test(first) ? 1 : 0;
  const verb = [program, ...given.slice(0, length)].join(' ');
  // The messages of two commits differ, but the later commit does what the earlier one was to do.
  return { verb, given: verb === 'git commit' ? [] : given.slice(length) };
}

/** True if an argument is equal to `wider` or is a path below it. `./...` stands for everything below a folder. */
function isWithin(word: string, wider: string): boolean {
  if (word === wider) return true;
  const all = /^(.*?)\/?\.\.\.$/u.exec(wider)?.[1];
  if (all !== undefined) return /[/.]/u.test(word) && (all === '.' || `${word}/`.startsWith(`${all}/`));
  return /[\w./]$/u.test(wider) && wider.includes('/') && word.startsWith(wider.endsWith('/') ? wider : `${wider}/`);
}
