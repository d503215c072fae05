import { fail } from '../../base/failure.js';

/** A change at one place of a text. It has the old and the new text, so that it can be undone. */
export interface Splice {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** A value that we write into the settings of a host. */
export interface OwnValue {
  /** The keys that lead to it; missing ones are created. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Whether it is one element of the list at these keys. */
  readonly isElement: boolean;
  /** Whether a value that was found at that place also calls us. */
  readonly isOurs: (value: unknown, key: string) => boolean;
}

/**
 * How to edit settings files of one format. All functions are pure. They throw {@link unreadable} for a text of another
 * format.
 */
export interface Format {
  /** Adds our value. */
  readonly add: (text: string, piece: OwnValue) => Splice;
  /** Removes all our values at the place of the piece, whether this program or a person wrote them. */
  readonly strip: (text: string, piece: OwnValue) => string;
  /** Finds our values. */
  readonly find: (text: string, piece: OwnValue) => readonly unknown[];
}

export function applySplice(text: string, { at, before, after }: Splice): string {
  return text.slice(0, at) + after + text.slice(at + before.length);
}

/** The text as it was before some changes; undefined if the changed text was edited meanwhile. */
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
 * Fails for settings that can't be read, or that have another value in place of ours. They stay as they are.
 * @throws MemoryError `settings`
 */
export function unreadable(what: string): never {
  return fail('settings', what, 'mend it, then try again; nothing was written there');
}

export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
