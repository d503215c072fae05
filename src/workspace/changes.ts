/** What a writing verb did to one file, or would do: the input of `--dry-run` and of `--commit`. */
export interface FileChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** null when the file did not exist. */
  readonly before: string | null;
  /** null when the file is removed. */
  readonly after: string | null;
}
