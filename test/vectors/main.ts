import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareQuery } from '../../src/text/query.js';
import { stripInjected } from '../../src/text/strip.js';
import { addTokens, commitLog, emptyLog, reload, type TokenLog } from '../session/window-of-tokens.js';
import { runMemoryFile, runPatch } from './extract.js';
import { runFlush } from './flush.js';
import { runGate } from './gate.js';
import type { VectorReport } from './report.js';
import { runWm } from './wm.js';

/** `npm run vectors -- DIR`: runs the vector files of DIR; exits with 1 if a required row fails. */
async function main(directory: string | undefined): Promise<number> {
  if (directory === undefined || !existsSync(directory)) {
    print(`usage: npm run vectors -- DIR (${directory ?? 'no folder'} given)`);
    return 2;
  }
  const reports: VectorReport[] = [];
  for (const [file, run] of RUNNERS) {
    const path = join(directory, file);
    const found = existsSync(path) ? await run(readFileSync(path, 'utf8')) : [];
    if (found.length === 0) print(`${file}: not run`);
    reports.push(...found);
  }
  for (const report of reports) printReport(report);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

const RUNNERS: readonly (readonly [file: string, run: (json: string) => Promise<VectorReport[]>])[] = [
  ['wm.json', async (json) => [runWm(JSON.parse(json)), runPending(JSON.parse(json))]],
  ['flush.json', async (json) => [runFlush(JSON.parse(json))]],
  ['gate.json', async (json) => [runGate(JSON.parse(json))]],
  ['sanitize.json', async (json) => [runSanitize(JSON.parse(json))]],
  ['patch.json', async (json) => [runPatch(JSON.parse(json))]],
  ['memory-file.json', async (json) => [runMemoryFile(JSON.parse(json))]],
];

function printReport({ file, total, failures, notes }: VectorReport): void {
  print(`${file}: ${Math.max(0, total - failures.length)}/${total}`);
  for (const note of notes) print(`  ${note}`);
  for (const { id, expected, got } of failures) print(`  FAIL ${id}\n    expected ${expected}\n    got      ${got}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface SanitizeRow {
  readonly input: string;
  readonly note: string;
  readonly stripped?: string;
  readonly sanitized?: string;
  readonly query?: string;
}

const TAG = /<[\s/]*(?:openviking-context|relevant-memories)(?![a-z])/i;

/**
 * `stripped` must match except for white space; `query` (or `sanitized`) must match. Without `stripped`, no tag may remain.
 */
function runSanitize(rows: readonly SanitizeRow[]): VectorReport {
  const failures = rows.flatMap((row) => {
    const wrong: { id: string; expected: string; got: string }[] = [];
    const check = (what: string, expected: string, got: string) => {
      if (collapse(expected) !== collapse(got)) wrong.push({ id: `${row.note} (${what})`, expected, got });
    };
    const stripped = stripInjected(row.input);
    check('idempotent', stripped, stripInjected(stripped));
    if (row.stripped !== undefined) check('stripped', row.stripped, stripped);
    else if (TAG.test(stripped)) wrong.push({ id: row.note, expected: 'no tag', got: stripped });
    const query = row.query ?? row.sanitized;
    if (query !== undefined) check('query', query, prepareQuery(row.input).query);
    return wrong;
  });
  return { file: 'sanitize.json', total: rows.length, failures, notes: [] };
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

type Step =
  | readonly ['add', number]
  | readonly ['addmany', readonly number[]]
  | readonly ['commit', number]
  | readonly ['reload'];

interface PendingRow {
  readonly id: string;
  readonly kind: string;
  readonly op: { readonly keep_recent_count: number; readonly script: readonly Step[] };
  readonly expected: readonly Outcome[];
}

interface Outcome {
  readonly step: Step;
  readonly result?: string;
  readonly archived_tokens?: readonly number[];
  readonly pending_tokens: number;
  readonly live: readonly number[];
  readonly keep_recent_count: number;
}

/** The rows of wm.json that script the token window. */
function runPending(rows: readonly PendingRow[]): VectorReport {
  const scripts = rows.filter(({ kind }) => kind === 'pending');
  const failures = scripts.flatMap(({ id, op, expected }) => {
    let log = emptyLog(op.keep_recent_count);
    for (const [i, step] of op.script.entries()) {
      const { outcome, next } = take(log, step);
      log = next;
      if (!equal(outcome, expected[i])) {
        return [{ id: `${id}, step ${i + 1}`, expected: JSON.stringify(expected[i]), got: JSON.stringify(outcome) }];
      }
    }
    return [];
  });
  return { file: 'wm.json (pending tokens)', total: scripts.length, failures, notes: [] };
}

function take(before: TokenLog, step: Step): { outcome: Outcome; next: TokenLog } {
  if (step[0] === 'commit') {
    const { log: next, archived, outcome } = commitLog(before, step[1]);
    const result = outcome === 'accepted' ? outcome : `skipped:${outcome}`;
    return { next, outcome: { ...describe(step, next), result, archived_tokens: archived } };
  }
  if (step[0] === 'reload') {
    const next = reload(before);
    return { next, outcome: describe(step, next) };
  }
  const next = (step[0] === 'add' ? [step[1]] : step[1]).reduce(addTokens, before);
  return { next, outcome: describe(step, next) };
}

function describe(step: Step, { window, live }: TokenLog): Outcome {
  return { step, pending_tokens: window.pending_tokens, live, keep_recent_count: window.keep_recent_count };
}

function equal(outcome: Outcome, expected: Outcome | undefined): boolean {
  const sorted = (value: Outcome | undefined) => JSON.stringify(Object.entries(value ?? {}).sort());
  return sorted(outcome) === sorted(expected);
}

process.exitCode = await main(process.argv[2]);
