import { describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/session/memory/ledger/ledger.js';
import { mergeMessagesByRules } from '../../src/session/memory/rules.js';
import type { MessageDraft, MessagePart, SessionMessage } from '../../src/session/message.js';
import type { SectionName } from '../../src/wm/document.js';
import { contentItems, parseDocument } from '../../src/wm/document.js';
import { says } from './support.js';

/** A shell call with its result: the exit code, the output, the working directory. */
interface Shell {
  readonly run: string;
  readonly code?: number;
  readonly out?: string;
  readonly cwd?: string;
}

function messagesOf(...calls: readonly (Shell | MessageDraft)[]): readonly SessionMessage[] {
  const drafts = calls.flatMap((call, at): readonly MessageDraft[] => {
    if ('role' in call) return [call];
    const { run, code = 0, out = '', cwd } = call;
    const asked: MessagePart = { type: 'tool_call', id: `t${at}`, name: 'Bash', input: { command: run } };
    const output = code === 0 ? out : `Exit code ${code}\n${out}`;
    const status = code === 0 ? 'completed' : 'error';
    const answer: MessagePart = { type: 'tool_result', id: `t${at}`, name: 'Bash', output, status };
    return [
      { role: 'assistant', parts: [asked], timestamp: null, ...(cwd === undefined ? {} : { cwd }) },
      { role: 'user', parts: [answer], timestamp: null },
    ];
  });
  return drafts.map((draft, at) => ({ ...draft, id: `m-${at}` }));
}

function of(role: MessageDraft['role'], part: MessagePart): MessageDraft {
  return { role, parts: [part], timestamp: null };
}

function section(name: SectionName, ...calls: readonly (Shell | MessageDraft)[]): readonly string[] {
  const { merge } = mergeMessagesByRules(null, EMPTY_LEDGER, messagesOf(...calls));
  return contentItems(parseDocument(merge.document).bodies[name]);
}

const errors = (...calls: readonly (Shell | MessageDraft)[]) => section('Errors & Corrections', ...calls);
const files = (...calls: readonly (Shell | MessageDraft)[]) => section('Files & Context', ...calls);

describe('recognition of errors', () => {
  test.each([
    ["src/x.ts(5,15): error TS2305: Module './y' has no exported member 'z'.", 'npm run build 2>&1 | tail -5'],
    ["src/x.ts:5:15 - error TS2305: Module './y' has no member.", 'npx tsc --pretty | tail'],
    ['./api/x.go:12:5: undefined: y', 'go build ./... 2>&1 | tail -3'],
    ['KeyError: 3', 'python a.py 2>&1 | tail -1'],
    ['bash: line 1: docker: command not found', 'docker ps; echo'],
    ['zsh: command not found: docker', 'docker ps; echo'],
    ["Error: ENOENT: no such file or directory, open 'a.json'", 'node a.js | tail'],
    ['touch: cannot touch /etc/x: Permission denied', 'touch /etc/x; true'],
    ['FAIL test/a.test.ts', 'npm test | tail -2'],
    ['src/x.go:3:1: undefined: y', 'mise run lint | tail -2'],
    ['docs/x.md:76:81 error MD013/line-length Line length', 'npx markdownlint docs | tail -5'],
    ['test config::tests::reads_all ... FAILED', 'cargo test 2>&1 | tail'],
    ['(eval):1: no such file or directory: logs/a.log', 'nohup python a.py > logs/a.log &'],
    ['** (CompileError) test/a.exs: cannot compile', 'mix test | tail'],
    ['FATAL ERROR: Reached heap limit Allocation failed', 'npm run build 2>&1 | tail -50'],
  ])('%s', (line, run) => {
    expect(errors({ run, out: `working\n${line}\n` })).toEqual([expect.stringContaining(line)]);
  });

  test.each([
    ['Everything up-to-date', 'git push 2>&1 | tail'],
    ['Exporting beads to JSONL...', 'bd export | tail'],
    ['EmailOtpService', 'npx jest | tail'],
    ['Error: this is what somebody wrote', 'gh issue view 3 | head'],
    ['src/a.ts:3:1: error is a word here', 'grep -rn error src | head'],
    ['✖ 0 errors, 3 warnings', 'vale a.md; true'],
    ['error handling is better now', 'npm run notes; true'],
    ['Signed-Off-By: somebody', 'git commit -m x; true'],
    ['x.md:7 error handling is better now', 'npm run notes; true'],
    ['error - handling is better now', 'npm run notes; true'],
    ["warning: could not open directory 'a/b/': No such file or directory", 'git add a; true'],
    ['Found 2 errors (2 fixed, 0 remaining).', 'ruff check --fix . | tail -3'],
    ['Total: 9 Pass: 9 Fail: 0', './check.sh | tail -1'],
    ['a.ts:5:15: warning: x is not used', 'npm run lint; true'],
    ['(eval):1: no matches found: *.txt', 'rm -f *.txt; true'],
  ])('ignores: %s', (out, run) => {
    expect(errors({ run, out })).toEqual([]);
  });

  test('reads a failure without exit code from its first words, and ignores a patch that did not fit', () => {
    const tests = (output: string) => [
      of('assistant', {
        type: 'tool_call',
        id: 's',
        name: 'shell',
        input: { command: ['bash', '-lc', 'go test ./...'] },
      }),
      of('tool', { type: 'tool_result', id: 's', name: 'shell', output, status: 'completed' }),
    ];
    const failed = 'failed in sandbox: # app/http\nhttp/a.go:3:1: undefined: y';
    expect(errors(...tests('{"output":"ok app","metadata":{"exit_code":0}}'), ...tests(failed))).toEqual([
      '`go test ./...`: http/a.go:3:1: undefined: y',
    ]);
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch';
    const patches = (output: string) => [
      of('assistant', { type: 'tool_call', id: 'p', name: 'shell', input: { command: ['apply_patch', patch] } }),
      of('tool', { type: 'tool_result', id: 'p', name: 'shell', output, status: 'completed' }),
    ];
    const unfit = patches('error: Failed to find expected lines in src/a.ts');
    expect([errors(...unfit), files(...unfit)]).toEqual([[], []]);
    expect(files(...unfit, ...patches('Success. Updated the following files:\nM src/a.ts'))).toEqual([
      '`src/a.ts` edited',
    ]);
  });

  test('ignores an interrupted write', () => {
    const write = of('tool', {
      type: 'tool_result',
      id: 'w',
      name: 'Write',
      output: 'Interrupted by user',
      status: 'error',
    });
    expect(errors(write)).toEqual([]);
  });

  test('names the file of a tool’s message', () => {
    const call: MessagePart = { type: 'tool_call', id: 'r', name: 'Read', input: { file_path: '/w/notes.md' } };
    const answer: MessagePart = {
      type: 'tool_result',
      id: 'r',
      name: 'Read',
      output: 'File does not exist.',
      status: 'error',
    };
    expect(errors(of('assistant', call), of('user', answer))).toEqual(['Read `/w/notes.md`: File does not exist.']);
  });

  test('separates the host’s notes from the output, in lines, tags or fields', () => {
    const outputs = [
      'Chunk ID: 4fbb86\nWall time: 1 seconds\nProcess exited with code 2\nOutput:\nsearch failed: no route',
      '<status>completed</status>\n\n<exit_code>2</exit_code>\n\n<output>\nsearch failed: no route\n</output>',
      JSON.stringify({ chunk_id: 'a', exit_code: 2, output: 'search failed: no route' }),
    ];
    for (const out of outputs)
      expect(errors({ run: 'site search x', out })).toEqual(['`site search x`: exit code 2: search failed: no route']);
  });

  test('takes the end of a background command from the request for the rest of its output', () => {
    const asks = (id: string, input: object): MessageDraft =>
      of('assistant', { type: 'tool_call', id, name: 'write_stdin', input });
    const tells = (id: string, output: string): MessageDraft =>
      of('tool', { type: 'tool_result', id, name: 'write_stdin', output, status: 'completed' });
    const began = { run: 'npm test', out: 'Process running with session ID 71\nOutput:\n' };
    const failed = [asks('a', { session_id: 71 }), tells('a', 'Process exited with code 1\nOutput:\nFAIL a.test.ts')];
    const more = [asks('b', { session_id: 72 }), tells('b', 'Process running with session ID 72\nOutput:\n.')];
    const passed = [asks('c', { session_id: 72 }), tells('c', 'Process exited with code 0\nOutput:\n3 passed')];
    const again = { run: 'npm test', out: 'Process running with session ID 72\nOutput:\n' };
    const told = '`npm test`: FAIL a.test.ts';
    expect(errors(began, ...failed, again, ...more)).toEqual([told]);
    expect(errors(began, ...failed, again, ...more, ...passed)).toEqual([
      `${told} – resolved: it worked the next time`,
    ]);
    expect(section('Current State', again, ...more)).toEqual(['Last command: `npm test` – no result yet']);
  });

  test('ignores a stopped run', () => {
    expect(errors({ run: 'node serve.js', code: 137, out: '[Request interrupted by user for tool use]\nup' })).toEqual(
      [],
    );
    expect(errors({ run: 'pkill -f serve || true', code: 144 })).toEqual([]);
    expect(errors({ run: 'git restore a', code: 2, out: 'BLOCKED by a hook\n\nDo not retry.' })).toEqual([]);
    expect(errors({ run: 'node serve.js', code: 143, out: 'TypeError: x' })).toHaveLength(1);
  });

  test('counts an exit code, except of searches and comparisons', () => {
    expect(errors({ run: 'make deploy', code: 7 })).toEqual(['`make deploy`: exit code 7']);
    for (const run of ['grep -q x a.ts', 'diff a b', 'cat a | grep x', 'cd src && rg -l foo', 'test -f x', 'which bun'])
      expect(errors({ run, code: 1 })).toEqual([]);
    expect(
      errors({ run: 'ls nowhere', code: 2, out: "ls: cannot access 'nowhere': No such file or directory" }),
    ).toEqual(["`ls nowhere`: ls: cannot access 'nowhere': No such file or directory"]);
  });

  test('counts a failed display command by an unusual exit code or its own message', () => {
    const failed = (run: string, code: number, out = '') => errors({ run, code, out });
    expect(failed('curl -s http://localhost:8081/health', 7)).toEqual([
      '`curl -s http://localhost:8081/health`: exit code 7',
    ]);
    expect(failed('curl -s http://x/y | jq .', 5, 'jq: parse error: Invalid literal at line 1')).toEqual([
      '`curl -s http://x/y`: jq: parse error: Invalid literal at line 1',
    ]);
    for (const [run, code] of [['lsof -i :80', 1]] as const) expect(failed(run, code)).toEqual([]);
    expect(failed('ls plans/*.md', 1, '(eval):1: no matches found: plans/*.md')).toEqual([]);
  });

  test('does not resolve a missing file by a listing of less', () => {
    const gone = { run: 'ls -la docs/x', code: 2, out: "ls: cannot access 'docs/x': No such file or directory" };
    expect(errors(gone, { run: 'ls -la', out: 'a.ts' })).toEqual([expect.not.stringContaining('– resolved:')]);
    expect(errors(gone, { run: 'ls -la docs/x', out: 'a.ts' })).toEqual([expect.stringContaining('– resolved:')]);
    const each = {
      run: "site list | awk '{print $2}' | xargs -I{} site drop {}",
      code: 123,
      out: 'Error: no such page',
    };
    expect(errors(each, { run: 'site list' })).toEqual([expect.not.stringContaining('– resolved:')]);
  });

  test('takes the first line with a negation if no line has a known form', () => {
    const out = 'Oops!\n\nTidy: 9.1\n\nTidy could not find a config file.\n\nSee https://tidy.example/help';
    expect(errors({ run: 'npm run tidy', code: 2, out })).toEqual([
      '`npm run tidy`: exit code 2: Tidy could not find a config file.',
    ]);
  });

  test('does not count an earlier command as failed again when a later one in its chain fails', () => {
    const lint = { run: 'npm run lint', code: 1, out: 'a.ts:3:1: error: x' };
    const chain = { run: 'git stash && npm run lint | tail -3; git stash pop', code: 1, out: 'error: conflict in b' };
    expect(errors(lint, chain)).toEqual([
      '`git stash && npm run lint && git stash pop`: error: conflict in b',
      '`npm run lint`: a.ts:3:1: error: x',
    ]);
    expect(errors(lint, { ...lint, out: 'a.ts:9:1: error: y' })).toEqual(['`npm run lint`: a.ts:9:1: error: y']);
    const add = "warning: could not open directory 'b/': No such file or directory\nfatal: pathspec 'b' did not match";
    expect(errors({ run: 'git add b', code: 128, out: add })).toEqual([
      "`git add b`: fatal: pathspec 'b' did not match",
    ]);
  });

  test('ignores refused calls', () => {
    expect(
      errors({ run: 'rm -rf x', code: 1 }, says('user', 'no')).concat(
        section(
          'Errors & Corrections',
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'e', name: 'Edit', input: { file_path: 'a.ts' } }],
            timestamp: null,
          },
          {
            role: 'user',
            parts: [
              {
                type: 'tool_result',
                id: 'e',
                name: 'Edit',
                output: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
                status: 'error',
              },
            ],
            timestamp: null,
          },
        ),
      ),
    ).toEqual(['`rm -rf x`: exit code 1']);
  });
});

describe('resolution of an error', () => {
  const failed = { run: 'npm test -- b', code: 1, out: 'TypeError: x is not a function' };
  const isResolved = (...calls: readonly Shell[]) => errors(...calls).some((item) => item.includes('– resolved: '));

  test.each<readonly [string, Shell, Shell]>([
    ['the same', failed, { run: 'npm test -- b' }],
    ['a wider one', failed, { run: 'npm test' }],
    ['as part of a chain', failed, { run: 'npm run build && npm test -- b' }],
    ['before a chain whose end is piped', failed, { run: 'npm test -- b && npm run e2e 2>&1 | tail -3', out: 'x' }],
    ['below a folder', { ...failed, run: 'go test ./a/b' }, { run: 'go test ./...' }],
    ['a commit with other words', { ...failed, run: 'git commit -m "a b"' }, { run: 'git commit -m "c d"' }],
    ['the same folder', { ...failed, cwd: '/srv' }, { run: 'cd /srv && npm test -- b', cwd: '/x' }],
    ['one after the other', { ...failed, run: 'cargo test' }, { run: 'cargo test -- --test-threads=1' }],
    ['the same package', { ...failed, run: 'pnpm --filter a test' }, { run: 'pnpm --filter a test' }],
    ['a push of what is checked out', { ...failed, run: 'git push -u origin b' }, { run: 'git push' }],
  ])('%s', (_, before, after) => expect(isResolved(before, after)).toBe(true));

  test.each<readonly [string, Shell, Shell]>([
    ['a narrower one', { ...failed, run: 'npm test' }, { run: 'npm test -- b' }],
    ['fewer files', { ...failed, run: 'ruff check src/a.py src/b.py' }, { run: 'ruff check src/a.py' }],
    ['fewer tests by name', { ...failed, run: 'go test ./a -run "TestA|TestB"' }, { run: 'go test ./a -run TestA' }],
    ['another image', { ...failed, run: 'docker build -t app-base .' }, { run: 'docker build -t app .' }],
    ['what was left out', { ...failed, run: 'pytest -k "not slow"' }, { run: 'pytest -k slow' }],
    ['another script', { ...failed, run: 'npm run publish' }, { run: 'npm run build' }],
    ['a push of another branch', { ...failed, run: 'git push origin a' }, { run: 'git push origin b' }],
    ['another package', { ...failed, run: 'pnpm --filter a test' }, { run: 'pnpm --filter b test' }],
    ['another folder', { ...failed, run: 'cd packages/a && npm test' }, { run: 'cd packages/b && npm test' }],
    ['another folder of the host', { ...failed, cwd: '/srv/a' }, { run: 'npm test -- b', cwd: '/srv/b' }],
    ['its end hidden by || behind a chain', failed, { run: 'npm test -- b && npm run e2e || true' }],
    ['its end hidden by head', failed, { run: 'npm test -- b | head -5' }],
    ['its end hidden by || true', failed, { run: 'npm test -- b || true' }],
    ['its end hidden by what follows', failed, { run: 'npm test -- b; echo done' }],
    ['a tail that does not say', failed, { run: 'npm test -- b | tail -1', out: 'done' }],
    [
      'another script of the same program',
      { ...failed, run: "python3 - <<'E'\nimport a\nE" },
      { run: "python3 - <<'E'\nimport b\nE" },
    ],
    ['one in the background', failed, { run: 'npm test -- b &' }],
  ])('not by %s', (_, before, after) => expect(isResolved(before, after)).toBe(false));

  test('a chain resolves when all of it has worked', () => {
    const chain = { run: 'npm run lint && npm test', code: 1, out: 'x' };
    expect(isResolved(chain, { run: 'npm test' })).toBe(false);
    expect(isResolved(chain, { run: 'npm test' }, { run: 'npm run lint' })).toBe(true);
  });

  test('a repeated failure is listed once, with its last message', () => {
    expect(errors(failed, { ...failed, out: 'RangeError: y' })).toEqual(['`npm test -- b`: RangeError: y']);
  });
});

describe('files of shell commands', () => {
  test.each([
    ["sed -i '' 's/a\\/b.ts/c/' src/x.ts", ['`src/x.ts` edited']],
    ["sed -i -e 's/a/b/' -e 's/c/d/' a.ts b.ts", ['`a.ts` edited', '`b.ts` edited']],
    ["sed -i.bak 's/a/b/' a.ts", ['`a.ts` edited']],
    ["sed -n 's/a.ts/b/p' a.ts", []],
    ["cat <<'EOF' > docs/a.md\nsee > never.ts and rm never.md\nEOF", ['`docs/a.md` written']],
    ['npm test > /tmp/out.log 2> err.log; grep "a > b.ts" c.ts', []],
    ['cd web && rm -f a.ts && cd .. && git mv b.ts c.ts', ['`b.ts` renamed', '`c.ts` renamed', '`web/a.ts` deleted']],
    ['rm -rf build/*.js "$OUT/x.js"', []],
  ])('%s', (run, expected) => {
    expect([...files({ run })].sort()).toEqual(expected);
  });

  test('a script of another language is not read as shell commands', () => {
    const part: MessagePart = {
      type: 'tool_call',
      id: 'w',
      name: 'Workflow',
      input: { script: 'all.map(r => r.drafted)' },
    };
    expect(files({ role: 'assistant', parts: [part], timestamp: null })).toEqual([]);
  });

  test('a file that was only read or mentioned counts if nothing was changed or a person named it', () => {
    const read = (id: string, path: string): MessageDraft => ({
      role: 'assistant',
      parts: [{ type: 'tool_call', id, name: 'Read', input: { file_path: path } }],
      timestamp: null,
    });
    const asked = says('user', 'please look at src/a.ts of git@github.com:me/site.git, it is slow');
    expect(files(asked)).toEqual([]);
    expect(files(asked, read('q', '/srv/c.ts'))).toEqual(['`src/a.ts` spoken of']);
    expect(files(asked, read('r', '/srv/src/a.ts'), read('s', '/srv/b.ts'), { run: "sed -i 's/a/b/' c.ts" })).toEqual([
      '`c.ts` edited',
      '`/srv/src/a.ts` read 1×',
    ]);
  });
});
