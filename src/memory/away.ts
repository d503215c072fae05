/** Files and folders that are away: temporarily unavailable. Their content does not count as deleted. */
export interface AwayPlaces {
  /** Pages of which a sync program keeps only a placeholder. */
  readonly files: readonly string[];
  /** Folders of `extraFolders` that are missing, unreadable, or without any page. */
  readonly folders: readonly string[];
}

const NOTHING_AWAY: AwayPlaces = { files: [], folders: [] };

/** By path: the ids of the facts that the file stated when it was last read. */
export type FactIdsByPath = Readonly<Record<string, readonly string[]>>;

/** Whether a path is in one of the away places. Pure. */
export function isAway({ files, folders }: AwayPlaces, path: string): boolean {
  return files.includes(path) || folders.some((folder) => path.startsWith(`${folder}/`));
}

/**
 * The file name of the page for which a placeholder file stands: `.NAME.md.icloud`, `NAME.md.nextcloud` and
 * `NAME.md.owncloud` stand for `NAME.md`. Undefined for any other name.
 */
export function pageOfPlaceholder(name: string): string | undefined {
  return /^\.(.+\.md)\.icloud$/.exec(name)?.[1] ?? /^(.+\.md)\.(?:nextcloud|owncloud)$/.exec(name)?.[1];
}

/** The files that are away (temporarily unavailable), with the facts known from their last read. */
export class AwayFiles {
  static readonly NONE = new AwayFiles(NOTHING_AWAY, {});
  private readonly facts: ReadonlyMap<string, string>;

  constructor(
    private readonly places: AwayPlaces,
    record: FactIdsByPath,
  ) {
    const known = Object.entries(record);
    this.facts = new Map(known.flatMap(([path, ids]) => ids.map((id): [string, string] => [id, path])));
    this.paths = [...new Set([...places.files, ...known.map(([path]) => path)])].sort();
    this.isUnknown =
      places.files.some((path) => record[path] === undefined) ||
      places.folders.some((folder) => !this.paths.some((path) => path.startsWith(`${folder}/`)));
  }

  /** Paths of the files that are known to be away. */
  readonly paths: readonly string[];
  /** Whether a file may be away whose facts are not in the record, for example after the index was deleted. */
  private readonly isUnknown: boolean;

  get isNone(): boolean {
    return this.places.files.length + this.places.folders.length === 0;
  }

  /** Whether the file at a path is away. */
  has(path: string): boolean {
    return isAway(this.places, path);
  }

  /** Path of the away file that stated a fact; undefined if unknown. */
  private pathOf(fact: string): string | undefined {
    return this.facts.get(fact);
  }

  /**
   * Whether an away file may state a fact that no page states.
   * @param source citation of the fact, if known: the path of a page, with or without a line
   */
  mayHave(fact: string, source?: string): boolean {
    if (this.isNone) return false;
    if (this.facts.has(fact)) return true;
    const path = source?.replace(/#.*$/, '');
    return path === undefined ? this.isUnknown : this.has(path);
  }

  /**
   * The place of a fact that no page states. Undefined if no away file may state the fact.
   * @param listed the place in a citation of the fact, if a page cites the fact
   */
  placeOf(fact: string, listed?: string): string | undefined {
    const place = listed ?? this.pathOf(fact);
    return place !== undefined && this.mayHave(fact, listed) ? place : undefined;
  }

  /** The warning for an answer, as one sentence; empty if no file is away. */
  warnings(): readonly string[] {
    if (this.paths.length === 0) return [];
    const [first = '', ...others] = this.paths;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const are = others.length === 0 ? '1 file is away' : `${this.paths.length} files are away`;
    return [
      `${are} (${first}${more}); lines that were made from ${others.length === 0 ? 'it' : 'them'} stay, marked "source away"`,
    ];
  }
}
