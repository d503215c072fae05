import { nameKey } from '../../memory/page/names.js';

export interface NamedNote {
  readonly path: string;
  /** By which links name it, its other names last. */
  readonly names: readonly string[];
  readonly aliases: readonly string[];
}

/** Where links lead by the names that are written in them, as Obsidian and Logseq read them. */
export class LinkTargets {
  private readonly own = new Map<string, Set<number>>();
  private readonly other = new Map<string, Set<number>>();

  constructor(
    private readonly notes: readonly NamedNote[],
    private readonly addressOf: (name: string) => string | undefined,
  ) {
    for (const [place, { path, names, aliases }] of notes.entries()) {
      const folders = path.slice(0, -'.md'.length).split('/');
      const paths = folders.map((_, depth) => folders.slice(depth).join('/'));
      for (const name of [...paths, ...names])
        add(aliases.includes(name) ? this.other : this.own, nameKey(name), place);
    }
  }

  /**
   * What a name means: a note by its place, else an address of the page; undefined when nothing has the name. Of several
   * notes with it that in the folder of the one that links, else that which lies least deep.
   * @param from the path of the note that links
   */
  of(name: string, from?: string): number | string | undefined {
    const key = nameKey(name);
    const found = [...(this.own.get(key) ?? this.other.get(key) ?? [])];
    if (found.length < 2) return found[0] ?? this.addressOf(name);
    const folder = from === undefined ? undefined : folderOf(from);
    const near = folder === undefined ? undefined : found.find((place) => folderOf(this.pathOf(place)) === folder);
    const depth = (place: number): number => this.pathOf(place).split('/').length;
    return near ?? found.sort((a, b) => depth(a) - depth(b) || a - b)[0];
  }

  private pathOf(place: number): string {
    return this.notes[place]?.path ?? '';
  }
}

function add(places: Map<string, Set<number>>, key: string, place: number): void {
  if (key !== '') places.set(key, (places.get(key) ?? new Set()).add(place));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
