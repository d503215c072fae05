import { join } from 'node:path';
import { parseRecord } from '../base/json.js';
import { editFile, readVersion } from '../workspace/files.js';

/** Record of the last run of reflect. */
export interface LastRun {
  /** Id of the run. */
  readonly run: string;
  /** Start of the run. ISO 8601, like all times here. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly result: (typeof RESULTS)[number];
  /** Reason of the failure, or the warnings of a run that succeeded. */
  readonly message?: string;
  /** Number of facts that the run read. */
  readonly facts: number;
  /** Number of files that the run wrote. */
  readonly written: number;
}

const RESULTS = ['done', 'failed', 'interrupted'] as const;

/** Writes the record of a run in place of the record of the run before. */
export function writeLastRun(stateFolder: string, run: LastRun): void {
  editFile(lastRunPath(stateFolder), () => `${JSON.stringify(run)}\n`);
}

/** The record of the last run; undefined if there is none or it can't be read. */
export function readLastRun(stateFolder: string): LastRun | undefined {
  const text = readVersion(lastRunPath(stateFolder))?.bytes.toString('utf8') ?? '';
  const { run, startedAt, endedAt, message, facts, written, ...said } = parseRecord(text) ?? {};
  const result = RESULTS.find((one) => one === said.result);
  if (typeof run !== 'string' || !isInstant(startedAt) || !isInstant(endedAt) || result === undefined) return undefined;
  if (!isCount(facts) || !isCount(written)) return undefined;
  if (message !== undefined && typeof message !== 'string') return undefined;
  return { run, startedAt, endedAt, result, ...(message === undefined ? {} : { message }), facts, written };
}

function lastRunPath(stateFolder: string): string {
  return join(stateFolder, 'reflect', 'last.json');
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
