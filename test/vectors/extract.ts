import type { FieldType, FieldValue, MergeOp } from '../../src/extract/memory-type.js';
import { applyPatch, mergeField, readPatch } from '../../src/extract/merge.js';
import { mergeLinks, parseMemoryFile } from '../../src/extract/page/form.js';
import type { VectorReport } from './report.js';

/** `yes` must hold; for `weak` our outcome differs; the others are decided in the tests, or only informative. */
type Binds = 'yes' | 'weak' | 'debatable' | 'information';

type PatchRow = { readonly note: string; readonly binds: Binds; readonly output?: unknown } & (
  | { readonly kind: 'str_patch'; readonly original: string; readonly blocks: readonly unknown[] }
  | {
      readonly kind: 'merge_op';
      readonly op: MergeOp;
      readonly fieldType: FieldType;
      readonly current: FieldValue;
      readonly patch: unknown;
    }
  | {
      readonly kind: 'link_merge';
      readonly existing: readonly Record<string, unknown>[];
      readonly incoming: readonly Record<string, unknown>[];
    }
);

interface FileRow {
  readonly kind: string;
  readonly note: string;
  readonly binds: Binds;
  readonly raw?: string;
  readonly output: unknown;
}

/** The expected outcome if the reference raises an error. */
const REFUSED = 'refused';

function patchOutcome(row: PatchRow): unknown {
  switch (row.kind) {
    case 'str_patch': {
      const blocks = readPatch(row.blocks);
      const patched = blocks?.ok === true ? applyPatch(row.original, blocks.value) : undefined;
      return patched?.ok === true ? patched.value : REFUSED;
    }
    case 'merge_op': {
      const field = { name: 'field', type: row.fieldType, merge_op: row.op };
      const merged = mergeField(field, row.current, row.patch, { isRead: true });
      return merged.ok ? merged.value : row.current;
    }
    case 'link_merge':
      return mergeLinks(row.existing, row.incoming);
  }
}

export function runPatch(rows: readonly PatchRow[]): VectorReport {
  return reportOf('patch.json', rows, (row) => ['output' in row ? row.output : REFUSED, patchOutcome(row)]);
}

export function runMemoryFile(rows: readonly FileRow[]): VectorReport {
  return reportOf('memory-file.json', rows, ({ raw, output }) => [
    output,
    raw === undefined ? output : fileOutcome(raw),
  ]);
}

function fileOutcome(raw: string): unknown {
  const { body, fields } = parseMemoryFile(raw);
  const { memory_type = null, links = [], ...extra_fields } = fields;
  return { content: body, memory_type, extra_fields, links };
}

function reportOf<R extends { readonly binds: Binds; readonly note: string }>(
  file: string,
  rows: readonly R[],
  outcome: (row: R) => readonly [theirs: unknown, ours: unknown],
): VectorReport {
  const counted = rows.filter(({ binds }) => binds === 'yes' || binds === 'weak');
  const failures = counted.flatMap((row) => {
    const [expected, got] = outcome(row).map(canonical);
    if ((expected === got) === (row.binds === 'yes')) return [];
    return [
      { id: `${row.note} (${row.binds})`, expected: `${row.binds === 'yes' ? '' : 'not '}${expected}`, got: got ?? '' },
    ];
  });
  const rest = rows.length - counted.length;
  return { file, total: counted.length, failures, notes: rest === 0 ? [] : [`${rest} rows inform, and bind nothing`] };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort())
      : one,
  );
}
