/**
 * Minimum share of a copy's lines that the original also has. If the share is smaller, the file is not a copy but a page
 * of its own.
 */
const LEAST_EQUAL = 0.6;
/**
 * Minimum share of a copy's content lines that the original also has. Other lines, such as headings, are not counted,
 * because pages made from one template share most of them.
 */
const LEAST_SAID = 1 / 3;

/**
 * File names that only a sync program gives. A file with such a name is a conflict copy even if the original does not exist.
 */
const PROGRAM_NAME =
  /conflicted copy|\.sync-conflict-\d{8}-\d{6}|\((?:SF)?conflict [^()]*\d|(?:\b|_)conflict-(?:.*-)?\d{8}/i;

/** Whether a file name alone shows that a sync program made it for a conflict. */
export function isConflictCopyName(name: string): boolean {
  return PROGRAM_NAME.test(name);
}

const DATE = '\\d{4}([-_.]?)\\d{2}\\1\\d{2}';
/**
 * Suffix that sync programs put between the name of a page and `.md`: a number (iCloud), a number in brackets (Google
 * Drive), a machine name (OneDrive), brackets with a date in any language (Dropbox, Seafile, Obsidian Sync), a word for
 * conflict (Syncthing, ownCloud, Nextcloud, Synology, Resilio). People give such names to pages of their own, too. So
 * only the content shows whether a file is a copy.
 */
const ADDED = new RegExp(
  `^(?: \\d{1,3}| ?\\(\\d{1,3}\\)|-(?=.*\\p{L})[\\p{L}\\p{N}][\\p{L}\\p{N}'’_-]*| ?[[(（].*${DATE}.*[\\])）]|.*confli[ck]t.*)$`,
  'iu',
);
/** Characters with which the suffix of a conflict copy may begin. */
const BEGINS = /[ ([（._-]/u;
/**
 * Names of daily logs. A file with such a name is never a copy. This test is faster than the general one, which matters
 * for thousands of files.
 */
const PLAIN_DAY = /^\d{4}[-_]?\d{2}[-_]?\d{2}\.md$/;

/**
 * Name of the file in the same folder of which this file may be a copy, judged by the names alone. Undefined if there is no
 * such file. Pure.
 * @param sibling maps a file name in NFC to the name as it is written in the folder
 */
export function originalNoteName(name: string, sibling: (name: string) => string | undefined): string | undefined {
  return PLAIN_DAY.test(name) || /^[.#~]/.test(name) ? undefined : originalFileName(name, '.md', sibling);
}

/**
 * Like {@link originalNoteName}, but for files with the given extension, and for all names: {@link originalNoteName} rejects daily
 * logs and hidden files. Pure.
 */
export function originalFileName(
  name: string,
  extension: string,
  sibling: (name: string) => string | undefined,
): string | undefined {
  if (!name.endsWith(extension)) return undefined;
  const stem = name.slice(0, -extension.length).normalize('NFC');
  for (let at = stem.length - 1; at > 0; at--) {
    if (!BEGINS.test(stem[at] ?? '')) continue;
    const original = sibling(`${stem.slice(0, at)}${extension}`);
    if (original !== undefined && ADDED.test(stem.slice(at))) return original;
  }
  return undefined;
}

/** Result of comparing a text with the original that it may be a copy of. */
interface CopyComparison {
  readonly isCopy: boolean;
  /** The text of the copy. Each line that the original also has is empty, so that line numbers stay. */
  readonly own: string;
}

/** Compares two texts line by line; ignores surrounding white space and empty lines. Pure. */
export function compareWithOriginal(copy: string, original: string): CopyComparison {
  const known = new Set(original.split(LINE_END).map((line) => line.trim()));
  const all = { lines: 0, equal: 0 };
  const said = { lines: 0, equal: 0 };
  const own = copy.split(LINE_END).map((line) => {
    const text = line.trim();
    if (text === '') return '';
    const isEqual = known.has(text);
    for (const count of FRAME.test(text) ? [all] : [all, said]) {
      count.lines++;
      if (isEqual) count.equal++;
    }
    return isEqual ? '' : line;
  });
  const isNear = all.equal >= LEAST_EQUAL * all.lines && said.equal >= LEAST_SAID * said.lines;
  return { isCopy: isNear && nameIn(copy) === nameIn(original), own: own.join('\n') };
}

const LINE_END = /\r\n|\r|\n/;
/** Lines that are not content: headings, labels, comments, and lines without letters or digits. */
const FRAME = /^(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|<!--.*-->|[^\p{L}\p{N}]+)$/u;

/** Name of a page in its front matter. Two pages with different names are never versions of one page. */
function nameIn(text: string): string | undefined {
  const [matter = ''] = /^---\r?\n[\s\S]{0,4000}?\n---/.exec(text) ?? [];
  return /^(?:name|title):(.*)$/m.exec(matter)?.[1]?.trim();
}
