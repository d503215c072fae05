import { fail } from '../../base/failure.js';

/** A change at one place of a text, which can be taken back: what stood there, and what stands there now. */
export interface Splice {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** A value of ours in the settings of a host. */
export interface OwnValue {
  /** The keys that lead to it; what is missing on the way is made. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Whether it is one of a list at these keys, beside others. */
  readonly isElement: boolean;
  /** Whether a value beside it, or in its place, calls us, too. */
  readonly isOurs: (value: unknown, key: string) => boolean;
}

/** How a settings file is written. All functions are pure and throw {@link unreadable} for what is no such file. */
export interface Format {
  /** Puts a piece in. */
  readonly add: (text: string, piece: OwnValue) => Splice;
  /** Takes out all that is ours where the piece belongs, whoever has written it. */
  readonly strip: (text: string, piece: OwnValue) => string;
  /** What of ours is there. */
  readonly find: (text: string, piece: OwnValue) => readonly unknown[];
}

export function applySplice(text: string, { at, before, after }: Splice): string {
  return text.slice(0, at) + after + text.slice(at + before.length);
}

/** The text as it was before some changes; undefined where another hand has changed what they wrote. */
export function undoSplices(text: string, splices: readonly Splice[]): string | undefined {
  let current = text;
  for (const { at, before, after } of splices.toReversed()) {
    const first = current.startsWith(after, at) ? at : current.indexOf(after);
    if (first < 0 || (first !== at && current.includes(after, first + 1))) return undefined;
    current = applySplice(current, { at: first, before: after, after: before });
  }
  return current;
}

/** Settings that can't be read, or have something else where ours belongs, are left as they are. */
export function unreadable(what: string): never {
  return fail('settings', what, 'mend it, then try again; nothing was written there');
}

export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
