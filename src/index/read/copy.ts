import { compareWithOriginal } from '../../memory/conflict-copy.js';
import type { Page } from '../../memory/pages.js';

/** The result for a file with the name of a conflict copy: its page, and the text to read from it. */
interface ConflictCopyResult {
  /** The page, or the page that the file is a copy of. Null if the file is neither. */
  readonly page: Page | null;
  readonly text: string;
}

/**
 * Decides by the content of a file whether it really is the conflict copy that its name says. If so, only the lines that the
 * original does not have are read. Any other file is read in full. Pure.
 * @param original content of the original; undefined if there is none
 */
export function resolveConflictCopy(page: Page, text: string, original: string | undefined): ConflictCopyResult {
  if (page.copy === undefined) return { page, text };
  const { of, otherwise } = page.copy;
  if (original === undefined) return { page: of === null ? page : otherwise, text };
  const { isCopy, own } = compareWithOriginal(text, original);
  return isCopy ? { page, text: own } : { page: otherwise, text };
}

/** The notice that an answer or a check shows for a copy. */
export function conflictCopyNotice({ copy }: Page): string {
  return copy?.of == null ? 'is a conflict copy' : `is a conflict copy of ${copy.of}`;
}
