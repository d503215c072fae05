import { fail } from '../../base/failure.js';

/** A change at one place of a text: at `at`, the text `before` is replaced by `after`. So the change can be undone. */
export interface Splice {
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** A value that we write into the settings of a host. */
export interface HostSettingsValue {
  /** The keys that lead to the value in the settings. Missing keys are created. */
  readonly keys: readonly string[];
  readonly value: unknown;
  /** Whether the value is one element of the list at these keys, or the value at the last key itself. */
  readonly isElement: boolean;
  /** Whether a value that was found at these keys calls us, too. A person or an earlier version may have written it. */
  readonly isOurs: (value: unknown, key: string) => boolean;
}

/**
 * The functions that edit settings files of one format. All are pure. They throw {@link failUnusableSettings} for a text of
 * another format.
 */
export interface SettingsFormat {
  /** Adds our value to a text. */
  readonly add: (text: string, piece: HostSettingsValue) => Splice;
  /** Removes all values that call us from the keys of `piece`, whether this program or a person wrote them. */
  readonly strip: (text: string, piece: HostSettingsValue) => string;
  /** Finds all values that call us at the keys of `piece`. */
  readonly find: (text: string, piece: HostSettingsValue) => readonly unknown[];
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
 * Fails for settings that can't be read, or that have another value in place of ours. The settings file is not changed.
 * @throws MemoryError `settings`
 */
export function failUnusableSettings(what: string): never {
  return fail('settings', what, 'fix the file, then try again; nothing was written to it');
}

export function findLineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
