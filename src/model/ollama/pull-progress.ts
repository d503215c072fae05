/** How far a model has been fetched. */
export interface PullProgress {
  readonly status: string;
  /** Bytes of the layer that is being fetched. */
  readonly completed: number;
  readonly total: number;
}
