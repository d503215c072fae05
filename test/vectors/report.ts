/** What one vector file came to. */
export interface VectorReport {
  readonly file: string;
  readonly total: number;
  readonly failures: readonly { readonly id: string; readonly expected: string; readonly got: string }[];
  /** Lines to print besides, such as agreement rates. */
  readonly notes: readonly string[];
}
