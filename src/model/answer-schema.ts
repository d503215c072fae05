/**
 * What checks an answer. It is a zod schema; said in words of our own, so that our declarations need none of zod's types.
 */
export interface AnswerSchema<T> {
  safeParse(value: unknown): CheckedAnswer<T>;
}

export type CheckedAnswer<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly AnswerIssue[] } };

export interface AnswerIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
