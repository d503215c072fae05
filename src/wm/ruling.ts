import type { Operation } from './operations.js';

export type Decision = 'KEEP' | 'UPDATE' | 'APPEND' | 'RESTORE';

/** What a guard decides about the operation that was asked for a section. */
export interface Ruling {
  /** What is done; put to the same guard again it comes back unchanged. */
  readonly operation: Operation;
  readonly decision: Decision;
  /** One line for a reader: why. */
  readonly reason: string;
  /** Old items put back, as they stand in the old section. Open Issues only. */
  readonly restored: readonly string[];
  /** Why an old item that is not in the new section any more is gone. Absent where no item may go. */
  readonly whyRemoved?: (item: string) => string;
}

/** Rules on an UPDATE: sees the old body, which has content, and the new one, which is contained and not empty. */
export type Guard = (old: string, content: string) => Ruling;

export function keep(reason: string): Ruling {
  return { operation: { op: 'KEEP' }, decision: 'KEEP', reason, restored: [] };
}

export function accept(content: string, reason: string, whyRemoved: (item: string) => string): Ruling {
  return { operation: { op: 'UPDATE', content }, decision: 'UPDATE', reason, restored: [], whyRemoved };
}

export function append(items: readonly string[], reason: string): Ruling {
  return { operation: { op: 'APPEND', items }, decision: 'APPEND', reason, restored: [] };
}
