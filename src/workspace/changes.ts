/** What a writing verb did to one file, or would do: the input of `--dry-run` and of `--commit`. */
export interface FileChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** null when the file did not exist. */
  readonly before: string | null;
  /** null when the file is removed. */
  readonly after: string | null;
}

/** What became of a git commit of written files. */
export interface CommitReport {
  /** The new commit's hash; null when there was nothing to commit or it could not be made. */
  readonly commit: string | null;
  /** Why it could not be made: the files are written all the same. */
  readonly warning?: string;
}
