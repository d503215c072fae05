/**
 * Lines by which compilers, test runners, package managers and shells say that something went wrong, told by their form:
 * what it is of stands before it, or it is all that the line says. In the order of how much they tell.
 */
const FORMS: readonly (readonly [
  name: 'located' | 'named' | 'shell' | 'tagged' | 'test' | 'package',
  pattern: RegExp,
])[] = [
  // src/x.ts(5,15): error TS2305: …   src/x.ts:5:15 - error …   x.c:1:2: fatal error: …   X.java:12: error: …   x.md:7:81 error …
  [
    'located',
    /^[^\s:()"'`]{1,200}(?:\(\d+(?:,\d+)?\)|:\d+(?::\d+)?)(?::| -|(?<=:\d+:\d+)(?=\s))\s*(?:fatal )?error\b/iu,
  ],
  // ./x.go:12:5: undefined: y   x.go:15:16: Error return value is not checked (errcheck)
  ['located', /^[^\s:()"'`]{0,200}\.\w{1,6}:\d+:\d+:\s+\S/u],
  // error • x isn't defined • lib/x.dart:6:2   error - lib/x.dart:6:2 - x isn't defined
  ['located', /^error (?:•|-(?= \S+:\d+:\d+ -)) \S/u],
  // error[E0308]: mismatched types
  ['located', /^error(?:\[\w+\]|\sTS\d+|\sCS\d+):\s/u],
  //   5:10  error  Unexpected any  no-explicit-any
  ['located', /^\d+:\d+\s{1,8}error\s{1,8}\S/u],
  // src/x.ts:5:10 lint/style/noVar ━━━
  ['located', /^[^\s:]{1,200}:\d+:\d+\s[a-z]+\/[\w/]+\s/u],
  // TypeError: …   java.lang.IllegalStateException: …   AssertionError [ERR_ASSERTION]: …
  [
    'named',
    /^(?:Uncaught |Caused by: |E\s+)?(?:[\w$]+[.:]{1,2})*[A-Z]\w*(?:Error|Exception)(?:\s\[\w+\])?(?::\s+\S|$)/u,
  ],
  // ENOENT: no such file or directory, open '…'
  ['named', /^(?:\S+:\s)?E[A-Z]{3,14}:\s[a-z]/u],
  // bash: line 1: foo: command not found   zsh: command not found: foo   ls: cannot access 'x': No such file or directory
  [
    'shell',
    /^\S{1,80}:(?:\s?(?:line )?\d+:)?\s.{0,300}?(?:command not found|not found$|No such file or directory|Permission denied|Is a directory|Not a directory|File exists|Operation not permitted|Connection refused|No space left on device|Too many open files|Device or resource busy)/u,
  ],
  // 'foo' is not recognized …   Get-Item : Cannot find path …
  ['shell', /^(?:The term )?'[^']{1,200}' is not recognized|^[A-Z][a-z]+-[A-Z]\w{1,40} : \S/u],
  // fatal: not a git repository   jq: error (at <stdin>:0): …   panic: …
  [
    'tagged',
    /^(?:\S{1,60}:\s)?(?:error|fatal|panic|Error|ERROR|FATAL|Fatal|PANIC)(?:\s\((?!\d)[^)\n]{1,80}\))?:\s+\S/u,
  ],
  [
    'tagged',
    /^(?:\S{1,60}\s)?\[(?:error|fatal|ERROR|FATAL)\]:?\s+\S|^ERROR in \S|^error\s{1,2}(?:Command failed|An unexpected)/u,
  ],
  // npm error code E404   ELIFECYCLE Test failed
  ['package', /^npm (?:ERR!|error)\s+\S/u],
  ['package', /^\s*(?:ERR_PNPM_\w+|ELIFECYCLE)\s+\S/u],
  // ##[error]Process completed with exit code 1.
  ['package', /^##\[error\]\S/u],
  // CONFLICT (content): Merge conflict in x
  ['tagged', /^CONFLICT \(/u],
  // e2e<tab>fail<tab>2m13s: a check of a host of repositories
  ['test', /^[^\t\n]{1,80}\tfail\t/u],
  // --- FAIL: TestX (0.00s)   FAIL src/x.test.ts   FAILED tests/x.py::y   not ok 3 - z   (fail) a > b   ✗ a
  [
    'test',
    /^(?:---\s)?FAIL(?:ED)?(?::|\s)\s*\S|^not ok \d|^test \S+ \.\.\. FAILED$|^\(fail\)\s\S|^[✗✘✕]\s+\S|^[×✖]\s+(?![\d\u001b]+.{0,30}\bproblems?\b)\S|^●\s\S.{0,300}\s›\s|^BUILD FAILED|^make(?:\[\d+\])?:\s\*\*\*\s/u,
  ],
];

/** Colours and the marks of a drawn frame. */
const PAINT = /\u001b\[[\d;]*m/gu;

export interface ErrorLine {
  readonly text: string;
  readonly form: (typeof FORMS)[number][0];
  /** How much it tells, from 0: the first form. */
  readonly rank: number;
}

/** The name of the task that printed a line, where several print into one output: `[lint:go] …`, `web-1  | …`. */
const PRINTER = /^(?:\[[\w:./-]{1,60}\]|[A-Za-z][\w.-]{0,60} {0,20}\|)[ \t]+(?=\S)/u;
/** A step of CI and its time before a line. */
const STEP = /^[^\t]{1,80}\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z\s(?=\S)/u;

/** How a line says that something went wrong; undefined when it does not. Pure. */
export function readErrorLine(raw: string): ErrorLine | undefined {
  const line = raw.slice(0, 2_001).replace(PAINT, '').trim();
  if (line.length > 2_000) return undefined;
  const said = errorIn(line);
  const before = line.includes('\t') && STEP.test(line) ? STEP : PRINTER;
  return said === undefined && before.test(line) ? errorIn(line.replace(before, '')) : said;
}

function errorIn(text: string): ErrorLine | undefined {
  if (text === '') return undefined;
  const rank = FORMS.findIndex(([, pattern]) => pattern.test(text));
  const form = FORMS[rank]?.[0];
  // Nothing that is counted as none.
  return form === undefined || /\b(?:0|no) (?:errors?|failures?|failed|problems)\b/iu.test(text)
    ? undefined
    : { text, form, rank };
}

/** Forms that are nothing but an error, wherever a program prints them. */
export function isPlain({ form, text }: ErrorLine): boolean {
  return form === 'package' || (form === 'located' && /\berror\b/iu.test(text));
}

/** Says that a program ended badly, and not what of. */
const ONLY_STATUS = /\bexit(?:ed with)?(?: exit)? (?:code|status):? \d+|^ELIFECYCLE|FIRST_FAIL\b/iu;

/** The line that tells most of some; undefined of none. Pure. */
export function tellingMost(lines: readonly ErrorLine[]): ErrorLine | undefined {
  const telling = lines.filter(({ text }) => !ONLY_STATUS.test(text));
  const [first, ...rest] = telling.length > 0 ? telling : lines;
  return first === undefined ? undefined : rest.reduce((most, line) => (line.rank < most.rank ? line : most), first);
}

/** A runner's last words: so many passed, and none failed. */
const COUNT = '(?<![\\w.-])\\d+\\s+(?:tests? |specs? |examples? |problems? )?';
const PASSED = new RegExp(
  `${COUNT}(?:passed|passing|pass|succeeded)\\b|^ok\\s+\\S+\\s+(?:[\\d.]+s|\\(cached\\))|^test result: ok\\.|^OK \\(\\d+ tests?|\\bBUILD SUCCESS|^✓ built in |\\b0 (?:errors?|problems|issues)\\b`,
  'imu',
);
const NONE_FAILED = /(?<![\w.-])0\s+(?:tests? |specs? )?(?:failed|failing|fail|failures?)\b/iu;
const FAILED =
  /(?<![\w.-])(?!0\b)\d+\s+(?:tests? |specs? |examples? )?(?:failed|failing|fail|failures?|errors?)\b|^(?:---\s)?FAIL/imu;

/** Whether what a runner printed last says that all went well. Pure. */
export function endsWell(output: string): boolean {
  const end = output.slice(-1_500).replace(PAINT, '');
  if (!PASSED.test(end) || FAILED.test(end)) return false;
  return NONE_FAILED.test(end) || !end.split('\n').some((line) => readErrorLine(line) !== undefined);
}
