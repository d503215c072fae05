import { compareCopy } from '../../memory/conflict-copy.js';
import type { Page } from '../../memory/pages.js';

/** What a file with the name of a conflict copy is, and what is read of it. */
export interface SettledCopy {
  /** Null when it is neither a copy nor a page. */
  readonly page: Page | null;
  readonly text: string;
}

/**
 * Tells by its content what a file is that has the name of a conflict copy. Of a copy only the lines are read that do not
 * stand in the original; any other file is left as it is. Pure.
 * @param original undefined when there is none
 */
export function settleCopy(page: Page, text: string, original: string | undefined): SettledCopy {
  if (page.copy === undefined) return { page, text };
  const { of, otherwise } = page.copy;
  if (original === undefined) return { page: of === null ? page : otherwise, text };
  const { isCopy, own } = compareCopy(text, original);
  return isCopy ? { page, text: own } : { page: otherwise, text };
}

/** What an answer or a check calls a copy. */
export function copyNotice({ copy }: Page): string {
  return copy?.of == null ? 'is a conflict copy' : `is a conflict copy of ${copy.of}`;
}
