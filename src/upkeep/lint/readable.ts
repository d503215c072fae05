import { readBytes } from '../../index/bytes.js';
import type { Notice, TreeFile } from '../../index/tree.js';
import type { Page } from '../../memory/pages.js';

interface Readable {
  readonly path: string;
  readonly page: Page;
  readonly bytes: Buffer;
}

/** The files that can be read, one after the other; the others come to the notices. */
export function* readable(root: string, files: readonly TreeFile[], notices: Notice[]): Generator<Readable> {
  for (const file of files) {
    const { path, page } = file;
    const bytes = readBytes(root, file);
    if (typeof bytes !== 'string') yield { path, page, bytes };
    else notices.push({ path, reason: bytes, ...(bytes.startsWith("can't") ? { isUnread: true } : {}) });
  }
}
