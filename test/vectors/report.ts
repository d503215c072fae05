/** The result of one vector file. */
export interface VectorReport {
  readonly file: string;
  readonly total: number;
  readonly failures: readonly { readonly id: string; readonly expected: string; readonly got: string }[];
  /** Additional lines to print, such as agreement rates. */
  readonly notes: readonly string[];
}
