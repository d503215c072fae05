import { parseRecord } from '../../base/json.js';
import { type IsOurs, lineHash } from '../page/ownership.js';

/** Which document was applied to which page; merged by union, so that a clone does not apply it again. */
export const APPLIED_PATH = 'bank/.applied.jsonl';
/** Older lines are dropped: nobody applies a document again after so many others. */
const MOST_LINES = 5_000;

export interface AppliedLine {
  readonly document: string;
  /** Hash of what the document said. */
  readonly content: string;
  readonly page: string;
  /** Hashes of the page's bytes; null: there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Hashes of the lines that were written new, see `page/ownership.ts`. */
  readonly lines?: readonly string[] | undefined;
  /** The answer ended in its middle: the same document comes again, whole. */
  readonly cut?: true | undefined;
}

/** What has been applied, as the file says. */
export class AppliedLog {
  private readonly lines: readonly string[];
  private readonly known: readonly AppliedLine[];

  constructor(text: string | null) {
    this.lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
    this.known = this.lines.flatMap((line) => readLine(line) ?? []);
  }

  /** Whether the id was used for a document that said something else. */
  isOther(document: string, content: string): boolean {
    return this.known.some((line) => line.document === document && !line.cut && line.content !== content);
  }

  has(document: string): boolean {
    return this.known.some((line) => line.document === document && !line.cut);
  }

  /**
   * Whether a page has what a document does to it. A line stands before its page is written: a page that is still what
   * it was before was not.
   * @param hash of the page as it is; null when there is none
   * @param cut whether its beginning was applied, of an answer that ended in its middle
   */
  isDone(document: string, page: string, hash: string | null, cut = false): boolean {
    const lines = this.known.filter((line) => line.document === document && line.page === page && cut === !!line.cut);
    return lines.length > 0 && lines.every(({ before }) => before !== hash);
  }

  /** Which lines of a page are ours. Of what was written before lines were recorded, a page that is as we left it. */
  oursOf(page: string, hash: string | null): IsOurs {
    const written = this.known.filter((line) => line.page === page);
    if (written.some(({ after, lines }) => lines === undefined && after !== null && after === hash)) return () => true;
    const hashes = new Set(written.flatMap(({ lines = [] }) => lines));
    return (line) => hashes.has(lineHash(line));
  }

  /** The file with more lines. */
  with(added: readonly AppliedLine[]): string {
    const own = new Set(added.map((line) => JSON.stringify(line)));
    const kept = this.lines.filter((line) => !own.has(line));
    return `${[...kept, ...own].slice(-MOST_LINES).join('\n')}\n`;
  }
}

function readLine(line: string): AppliedLine | undefined {
  const { document, content, page, before = null, after = null, lines, cut } = parseRecord(line) ?? {};
  if (typeof document !== 'string' || typeof content !== 'string' || typeof page !== 'string') return undefined;
  return {
    document,
    content,
    page,
    before: hashOrNull(before),
    after: hashOrNull(after),
    ...(Array.isArray(lines) && { lines: lines.map(String) }),
    ...(cut === true && { cut }),
  };
}

function hashOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
