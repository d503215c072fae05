/** Share of a copy's lines that stand in the original, too; with fewer it is a page of its own. */
const LEAST_EQUAL = 0.6;
/** The same of lines that say something: pages made from one template have most other lines in common. */
const LEAST_SAID = 1 / 3;

/** Names that only a sync program gives, whatever stands beside the file. */
const PROGRAM_NAME =
  /conflicted copy|\.sync-conflict-\d{8}-\d{6}|\((?:SF)?conflict [^()]*\d|(?:\b|_)conflict-(?:.*-)?\d{8}/i;

/** Whether a file name says by itself that a sync program made the file of a conflict. */
export function namesConflict(name: string): boolean {
  return PROGRAM_NAME.test(name);
}

const DATE = '\\d{4}([-_.]?)\\d{2}\\1\\d{2}';
/**
 * What sync programs put between the name of a page and `.md`: a number (iCloud), a number in brackets (Google Drive), the
 * name of a machine (OneDrive), brackets with a date in whatever language (Dropbox, Seafile, Obsidian Sync), a word for
 * conflict (Syncthing, ownCloud, Nextcloud, Synology, Resilio). People write such names as well: the content decides.
 */
const ADDED = new RegExp(
  `^(?: \\d{1,3}| ?\\(\\d{1,3}\\)|-(?=.*\\p{L})[\\p{L}\\p{N}][\\p{L}\\p{N}'’_-]*| ?[[(（].*${DATE}.*[\\])）]|.*confli[ck]t.*)$`,
  'iu',
);
/** Where such an addition may begin. */
const BEGINS = /[ ([（._-]/u;
/** Thousands of logs are named so: none is a copy by its name. */
const PLAIN_DAY = /^\d{4}[-_]?\d{2}[-_]?\d{2}\.md$/;

/**
 * Name of the file in the same folder that a file is a copy of, by its name alone; undefined when it has no such name. Pure.
 * @param sibling the name of a file in the folder, as it is written there, by its name in NFC
 */
export function originalName(name: string, sibling: (name: string) => string | undefined): string | undefined {
  if (PLAIN_DAY.test(name) || !name.endsWith('.md') || /^[.#~]/.test(name)) return undefined;
  const stem = name.slice(0, -'.md'.length).normalize('NFC');
  for (let at = stem.length - 1; at > 0; at--) {
    if (!BEGINS.test(stem[at] ?? '')) continue;
    const original = sibling(`${stem.slice(0, at)}.md`);
    if (original !== undefined && ADDED.test(stem.slice(at))) return original;
  }
  return undefined;
}

/** A text beside the one that it may be a copy of. */
export interface ComparedCopy {
  readonly isCopy: boolean;
  /** The text with every line emptied that stands in the original, too: line numbers stay. */
  readonly own: string;
}

/** Compares two texts line by line, white space at the ends and empty lines aside. Pure. */
export function compareCopy(copy: string, original: string): ComparedCopy {
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
/** Headings, labels, comments and lines of signs alone. */
const FRAME = /^(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|<!--.*-->|[^\p{L}\p{N}]+)$/u;

/** What a page calls itself in its front matter: two pages with two names are no versions of one. */
function nameIn(text: string): string | undefined {
  const [matter = ''] = /^---\r?\n[\s\S]{0,4000}?\n---/.exec(text) ?? [];
  return /^(?:name|title):(.*)$/m.exec(matter)?.[1]?.trim();
}
