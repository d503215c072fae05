import { isRecord } from '../../src/base/json.js';
import {
  bySectionName,
  findSection,
  isWorkingMemory,
  parseDocument,
  renderDocument,
  type SectionName,
} from '../../src/wm/document.js';
import { mergeWorkingMemory } from '../../src/wm/merge.js';
import { readOperations, recoverOperations } from '../../src/wm/operations.js';
import type { VectorReport } from './report.js';

/** Runs the rows of wm.json about the document; the `pending` rows belong to the token window. */
export function runWm(rows: readonly unknown[]): VectorReport {
  const ours = rows.filter(isRecord).filter((row) => row.kind !== 'pending');
  const failures = ours.flatMap((row) => {
    const expected = JSON.stringify(canonical(row.expected));
    const got = JSON.stringify(canonical(run(row)));
    return got === expected ? [] : [{ id: String(row.id), expected, got }];
  });
  return { file: 'wm.json', total: ours.length, failures, notes: [] };
}

type Row = Readonly<Record<string, unknown>>;

function run(row: Row): unknown {
  const old = typeof row.old === 'string' ? row.old : null;
  if (row.kind === 'guard') return runGuard(row, old ?? '');
  if (row.kind === 'merge') return runMerge(row, old);
  if (row.kind === 'detect') return isWorkingMemory(old);
  if (row.kind === 'parse') {
    return Object.fromEntries([...parseDocument(old).sections].map(([name, body]) => [`## ${name}`, body]));
  }
  return row.kind === 'recover' ? recoverOperations(old ?? '') : `unknown kind ${String(row.kind)}`;
}

/** Returns the operation that the guard makes of the row's operation, read from the ledger and the new body. */
function runGuard(row: Row, old: string): unknown {
  const name = nameOf(row.guard);
  const document = renderDocument(bySectionName((section) => (section === name ? old : '')));
  const merged = merge(document, { [name]: row.op });
  const { decision, appended } = merged.sections[name];
  if (decision !== row.decision) return `decided ${decision}: ${merged.sections[name].reason}`;
  if (decision === 'KEEP') return { op: 'KEEP' };
  if (decision === 'APPEND') return { op: 'APPEND', items: appended };
  return { op: 'UPDATE', content: parseDocument(merged.document).sections.get(name) ?? '' };
}

function runMerge(row: Row, old: string | null): unknown {
  const merged = merge(old, row.op);
  const { decision, reason } = merged.sections[nameOf(row.section)];
  return decision === row.decision ? merged.document : `decided ${decision}: ${reason}`;
}

function merge(old: string | null, operations: unknown): ReturnType<typeof mergeWorkingMemory> {
  const read = readOperations(operations);
  if (!read.ok) throw new Error(read.error.message);
  return mergeWorkingMemory(old, read.value);
}

function nameOf(value: unknown): SectionName {
  const name = typeof value === 'string' ? findSection(value) : undefined;
  if (name === undefined) throw new Error(`no section ${String(value)}`);
  return name;
}

/** Sorts keys and maps the reference's tag for restored items to ours, `[restored]`. */
function canonical(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('[silently dropped, restored]', '[restored]');
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}
