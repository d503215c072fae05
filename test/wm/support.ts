import { bySectionName, renderDocument, type SectionName } from '../../src/wm/document.js';
import { type MergeResult, mergeWorkingMemory } from '../../src/wm/merge.js';
import { readOperations } from '../../src/wm/operations.js';

/** Merges raw operations as the command line does. */
export function merge(old: string | null, operations: unknown): MergeResult {
  const read = readOperations(operations);
  if (!read.ok) throw new Error(read.error.message);
  return mergeWorkingMemory(old, read.value);
}

/** Returns a Working Memory with these bodies; other sections are empty. */
export function documentOf(bodies: Partial<Record<SectionName, string>>): string {
  return renderDocument(bySectionName((name) => bodies[name] ?? ''));
}

/** Merges one operation into one section that holds `body`. */
export function mergeOne(section: SectionName, body: string, operation: unknown): MergeResult {
  return merge(documentOf({ [section]: body }), { [section]: operation });
}

export function update(content: unknown): { readonly op: string; readonly content: unknown } {
  return { op: 'UPDATE', content };
}

export function append(...items: readonly unknown[]): { readonly op: string; readonly items: readonly unknown[] } {
  return { op: 'APPEND', items };
}

export const KEEP_ALL = bySectionName(() => ({ op: 'KEEP' }));
