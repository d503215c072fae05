import { fail } from '../../base/failure.js';

/** A change at one place of a text that can be undone: the old and the new text. */
export interface Splice {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** A value of ours in the settings of a host. */
export interface OwnValue {
  /** The keys that lead to it; missing ones are created. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Whether it is an element of a list at these keys, beside others. */
  readonly isElement: boolean;
  /** Whether a value beside it, or in its place, also calls us. */
  readonly isOurs: (value: unknown, key: string) => boolean;
}

/** The format of a settings file. All functions are pure and throw {@link unreadable} for a text of another format. */
export interface Format {
  /** Adds a piece. */
  readonly add: (text: string, piece: OwnValue) => Splice;
  /** Removes all values of ours at the place of the piece, whether this program or a person wrote them. */
  readonly strip: (text: string, piece: OwnValue) => string;
  /** Finds our values. */
  readonly find: (text: string, piece: OwnValue) => readonly unknown[];
}

export function applySplice(text: string, { at, before, after }: Splice): string {
  return text.slice(0, at) + after + text.slice(at + before.length);
}

/** The text before some changes; undefined if the changed text was edited meanwhile. */
export function undoSplices(text: string, splices: readonly Splice[]): string | undefined {
  let current = text;
  for (const { at, before, after } of splices.toReversed()) {
    const first = current.startsWith(after, at) ? at : current.indexOf(after);
    if (first < 0 || (first !== at && current.includes(after, first + 1))) return undefined;
    current = applySplice(current, { at: first, before: after, after: before });
  }
  return current;
}

/**
 * Settings that can't be read, or have another value in place of ours, are left as they are.
 * @throws MemoryError `settings`
 */
export function unreadable(what: string): never {
  return fail('settings', what, 'mend it, then try again; nothing was written there');
}

export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
