/**
 * The forms of error lines that programs print, the most informative form first. In this order: a place in a file with its
 * error; a named exception; a failure of the shell or system; a line with a word such as "error"; a line of a package
 * manager; a failed test; a number of failures.
 */
const FORMS: readonly (readonly [
  name: 'located' | 'named' | 'shell' | 'tagged' | 'test' | 'package' | 'summary',
  pattern: RegExp,
])[] = [
  // places with the word "error":
  // src/x.ts(5,15): error TS2305: …   src/x.ts:5:15 - error …   x.c:1:2: fatal error: …   x.md:7:81 error …   5:10  error  …
  [
    'located',
    /^(?:[^\s:()"'`]{1,200}(?:\(\d+(?:,\d+)?\)|:\d+(?::\d+)?)|\d+:\d+)(?::|\s-|(?<=\d:\d+)(?=\s))\s*(?:fatal )?error\b/iu,
  ],
  // places with a message or the name of a rule: ./x.go:12:5: undefined: y   src/x.ts:5:10 lint/style/noVar ━━━
  ['located', /^[^\s:()"'`]{0,200}\.\w{1,6}:\d+:\d+(?::\s+\S|\s[a-z]+\/[\w/]+\s)/iu],
  // errors with a code or place after the word "error":
  // error[E0308]: …   error TS2305: …   error • …   error - lib/x.dart:6:2 - …
  ['located', /^error(?:\[\w+\]:|\s[A-Z]{1,4}\d+:|\s•|\s-(?=\s\S+:\d+:\d+\s-))\s\S/u],
  // named exceptions:
  // TypeError: …   java.lang.IllegalStateException: …   AssertionError [ERR_ASSERTION]: …   ** (ArgumentError) …
  [
    'named',
    /^(?:Uncaught |Caused by: |E\s+|\W{0,4}\()?(?:[\w$]+[.:]{1,2})*[A-Z]\w*(?:Error|Exception)(?:\s\[\w+\]|\))?(?::?\s(?<=[):]\s)\s*\S|$)/u,
  ],
  // error codes of system calls: ENOENT: no such file or directory, open '…'
  ['named', /^(?:\S+:\s)?E[A-Z]{3,14}:\s[a-z]/u],
  // The shell's own messages: bash: line 1: foo: command not found   (eval):1: no matches found: *.md
  ['shell', /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|k)?sh):(?:\S+:)?(?:\s?(?:line )?\d+:)?\s(?!no matches found)\S/u],
  // Failed system calls: ls: cannot access 'x': No such file or directory   jq: not found
  [
    'shell',
    /^\S{1,80}:\s.{0,300}?(?:command not found|not found$|No such file or directory|Permission denied|Is a directory|Not a directory|File exists|Operation not permitted|Connection refused|No space left on device|Too many open files|Device or resource busy)/u,
  ],
  // messages of Windows shells: 'foo' is not recognized …   Get-Item : Cannot find path …
  ['shell', /^(?:The term )?'[^']{1,200}' is not recognized|^[A-Z][a-z]+-[A-Z]\w{1,40} : \S/u],
  // lines with a word such as "fatal":
  // fatal: not a git repository   jq: error (at <stdin>:0): …   panic: …   CONFLICT (content): …
  [
    'tagged',
    /^(?:\S{1,60}:\s)?(?:(?:fatal|Fatal|FATAL)\s)?(?:error|fatal|panic|Error|ERROR|FATAL|Fatal|PANIC)(?:\s\((?!\d)[^)\n]{1,80}\)|\s\[\w+\])?:\s+\S|^ERROR in \S|^error\s{1,2}(?:Command failed|An unexpected)|^CONFLICT \(/u,
  ],
  ['tagged', /^(?:\S{1,60}\s)?\[(?:error|fatal|ERROR|FATAL)\]:?\s+\S/u],
  // lines of package managers and CI:
  // npm error code E404   [ELIFECYCLE] Test failed   ##[error]Process completed with exit code 1.
  ['package', /^(?:npm (?:ERR!|error)\s|\[?(?:ERR_PNPM_\w+|ELIFECYCLE)\]?\s|##\[error\])\s*\S/u],
  // failed tests:
  // --- FAIL: TestX (0.00s)   FAILED tests/x.py::y   not ok 3 - z   (fail) a > b   ✗ a   e2e<tab>fail<tab>2m13s
  [
    'test',
    /^(?:---\s)?FAIL(?:ED)?(?::|\s)\s*\S|^not ok \d|^test \S+ \.\.\. FAILED$|^\(fail\)\s\S|^[✗✘✕]\s+\S|^[×✖]\s+(?![\d\u001b]+.{0,30}\bproblems?\b)\S|^●\s\S.{0,300}\s›\s|^BUILD FAILED|^make(?:\[\d+\])?:\s\*\*\*\s|^[^\t]{1,80}\tfail\t/u,
  ],
  // numbers of failures:
  // 24 fail   Tests: 2 failed, 8 passed   ===== 1 failed in 0.3s =====   Total: 9 Pass: 8 Fail: 1   ERROR task failed
  ['summary', /^ERROR\s\S/u],
  [
    'summary',
    /^\W{0,40}(?:\w+:?\s+){0,2}(?!0\b)\d+\s+(?:tests? |specs? |examples? )?(?:failed|failing|fail|failures?|errors?)(?=\W*$|\s*[,;|(]|\sin\s)|^[^.]{0,60}\b(?:failed|failures|fail|errors)[:=]\s?(?!0\b)\d/iu,
  ],
];

/** Quick test: matches every line that has one of the forms. Most outputs have no such line and need no further test. */
const CUE =
  /[Ee]rror|ERR|[Ee]xception|[Ff]ail|FAIL|[Ff]atal|FATAL|[Pp]anic|PANIC|\bE[A-Z]{3}|:\d+:\d+|not ok|ot found|ot permitted|ot a directory|is not recog|[Nn]o such|[Nn]o space|denied|refused|oo many|busy|exists|s a dir|CONFLICT|[✗✘✕×✖●]|\*\*\*|^\(eval\):|sh:.*: |\w : \S/mu;

/** The error lines of a text, in its order. Pure. */
export function findErrorLines(text: string): readonly ErrorLine[] {
  if (!CUE.test(text)) return [];
  return text.split('\n').flatMap((line) => (CUE.test(line) ? (readErrorLine(line) ?? []) : []));
}

/** Matches escape sequences of terminals, such as colours. */
const PAINT = /\u001b\[[?\d;]*[A-Za-z]/gu;

export interface ErrorLine {
  readonly text: string;
  readonly form: (typeof FORMS)[number][0];
  /** Rank of the form of this line; 0 is the most informative form. */
  readonly rank: number;
}

/**
 * Matches the name of a task that stands before a line, if several tasks print into one output: `[lint:go] …`, `web-1 | …`.
 */
const PRINTER = /^(?:\[[\w:./-]{1,60}\]|[A-Za-z][\w.-]{0,60} {0,20}\|)[ \t]+(?=\S)/u;
/** Reads an error line; undefined if no form matches. Pure. */
export function readErrorLine(raw: string): ErrorLine | undefined {
  const line = raw.slice(0, 2_001).replace(PAINT, '').trim();
  if (line.length > 2_000) return undefined;
  return errorIn(line) ?? errorIn(line.replace(PRINTER, ''));
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
export function informativeLines(text: string): readonly string[] {
  return text
    .replace(PAINT, '')
    .split('\n')
    .map((line) => line.trim().replace(/^\|\s+/u, ''))
    .filter(
      (line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:\+\s|\(?Command exited|Exit code|Process exited)\b/u.test(line),
    );
}

/** True if a line shows an error whatever program printed it: the form `package`, or `located` with the word "error". */
export function isClearError({ form, text }: ErrorLine): boolean {
  return form === 'package' || (form === 'located' && /\berror\b/iu.test(text));
}

/** Matches a line that reports only an exit code, not the cause of the failure. */
const ONLY_STATUS = /\bexit(?:ed with)?(?: exit)? (?:code|status):? \d+|^\[?ELIFECYCLE|FIRST_FAIL\b/iu;

/** The most informative line; undefined for an empty list. Pure. */
export function mostInformativeLine(lines: readonly ErrorLine[]): ErrorLine | undefined {
  const telling = lines.filter(({ text }) => !ONLY_STATUS.test(text));
  const [first, ...rest] = telling.length > 0 ? telling : lines;
  return first === undefined ? undefined : rest.reduce((most, line) => (line.rank < most.rank ? line : most), first);
}

/**
 * Patterns for the summary of a test runner. `PASSED`: some tests passed. `NONE_FAILED`: no test failed. `FAILED`: some
 * tests failed.
 */
const PASSED =
  /(?<![\w.-])\d+\s+(?:tests? |specs? |examples? |problems? )?(?:passed|passing|pass|succeeded)\b|\bpass(?:ed)?[:=]?\s?[1-9]|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))|^test result: ok\.|^OK \(\d+ tests?|\bBUILD SUCCESS|^✓ built in |\b0 (?:errors?|problems|issues)\b/imu;
const NONE_FAILED =
  /(?<![\w.-])0\s+(?:tests? |specs? )?(?:failed|failing|fail|failures?)\b|\b(?:failed|failures|fail)[:=]?\s?0\b/iu;
const FAILED =
  /(?<![\w.-])(?!0\b)\d+\s+(?:tests? |specs? |examples? )?(?:failed|failing|fail|failures?|errors?)\b(?!\s?[:=]\s?\d)|\b(?:failed|failures|fail|errors)[:=]?\s?[1-9]|^(?:---\s)?FAIL[^=:]/imu;

/**
 * True if the end of an output reports success. Pure.
 * @param usual lines that look like errors but that successful calls print, too
 */
export function looksSuccessful(output: string, usual: ReadonlySet<string>): boolean {
  const end = output.slice(-1_500).replace(PAINT, '');
  if (!PASSED.test(end) || FAILED.test(end)) return false;
  return NONE_FAILED.test(end) || findErrorLines(end).every(({ text }) => usual.has(text));
}
