import { join, posix } from 'node:path';
import { fail, toFailure } from '../base/failure.js';
import { suggestKnownWord } from '../base/nearest.js';
import { MAX_TEXT_FILE_BYTES, namesIn, readBytes } from '../workspace/files.js';
import { readTemplate, templatesFolder } from '../workspace/templates.js';
import type { MemoryType } from './types/memory-type.js';
import { readMemoryType } from './types/read-type.js';
import { Templates } from './types/template.js';

export type { MemoryField, MemoryType } from './types/memory-type.js';

const BUILT_IN = 'memory-types';
/** Folder of the memory types that the user defines, relative to the workspace. */
const OWN = 'bank/types';

/** Cached, because built-in types do not change while the program runs. */
let builtIn: readonly MemoryType[] | undefined;

/** The memory types of a workspace, by name. */
export class MemoryTypes {
  /** Types that have a single page, by the path of this page. */
  private readonly singles: ReadonlyMap<string, MemoryType>;
  /**
   * Types that have many pages, by their folder. If two types have the same folder, the type that comes first in `all`
   * is used.
   */
  private readonly holders: ReadonlyMap<string, MemoryType>;

  private constructor(
    readonly all: readonly MemoryType[],
    readonly templates: Templates,
  ) {
    const byPath = (type: MemoryType) => [`${type.directory}/${type.filenameTemplate}.md`, type] as const;
    this.singles = new Map(all.filter(isSinglePageType).map(byPath));
    const many = all.filter((type) => !isSinglePageType(type)).map((type) => [type.directory, type] as const);
    this.holders = new Map(many.toReversed());
  }

  /**
   * Loads the built-in types and the types of `bank/types/`. If both have a type of the same name, the one of `bank/types/`
   * is used.
   * @param root the workspace; without one, only built-in types
   * @throws MemoryError `settings` that names file, line and key of the error
   */
  static load(root?: string): MemoryTypes {
    const templates = new Templates();
    builtIn ??= yamlFiles(join(templatesFolder(), BUILT_IN)).map((file) => ({
      ...readMemoryType(readTemplate(`${BUILT_IN}/${file}`), `templates/${BUILT_IN}/${file}`, templates),
      source: 'built-in',
    }));
    const types = new Map(builtIn.map((type) => [type.name, type]));
    for (const { path, read } of root === undefined ? [] : ownTypes(root, templates)) {
      const type = read();
      const earlier = types.get(type.name);
      if (earlier !== undefined && earlier.source !== 'built-in')
        fail('settings', `${path}: the name "${type.name}" is already used by ${earlier.source}`, 'use another name');
      types.set(type.name, type);
    }
    return new MemoryTypes([...types.values()], templates);
  }

  /** Files of `bank/types/` that prevent the types from loading, with their errors. Empty if all files are valid. */
  static broken(root: string): readonly BrokenType[] {
    const files = ownTypes(root, new Templates());
    const broken = files.flatMap(({ path, read }) => problemOf(path, read));
    return broken.length > 0 ? broken : problemOf(OWN, () => MemoryTypes.load(root));
  }

  /** Returns the type that has this name. @throws MemoryError `not_found` */
  named(name: string): MemoryType {
    const found = this.all.find((type) => type.name === name);
    if (found !== undefined) return found;
    const known = this.all.map((type) => type.name);
    return fail('not_found', `there is no memory type "${name.slice(0, 60)}"`, suggestKnownWord(name, known));
  }

  /** The enabled types, or the named ones (enabled or not). @throws MemoryError `not_found` */
  chosen(names?: readonly string[]): readonly MemoryType[] {
    return names === undefined ? this.all.filter(({ enabled }) => enabled) : names.map((name) => this.named(name));
  }

  /** The memory type of the page at a path; `undefined` if the path belongs to no memory type. */
  at(path: string): MemoryType | undefined {
    if (path.includes('/.')) return undefined;
    let found = this.singles.get(path);
    for (let folder = posix.dirname(path); found === undefined && folder.length > 1; folder = posix.dirname(folder))
      found = this.holders.get(folder);
    return found;
  }
}

/** A file of `bank/types/` that can't be read. Until it is corrected, nothing is extracted. */
export interface BrokenType {
  readonly path: string;
  /** Number of the line with the error, from 1. Null if the error concerns the whole file. */
  readonly line: number | null;
  readonly message: string;
  readonly hint?: string;
}

function problemOf(path: string, read: () => unknown): readonly BrokenType[] {
  try {
    read();
    return [];
  } catch (error) {
    const { message, hint } = toFailure(error);
    const line = message.startsWith(`${path}:`) ? Number.parseInt(message.slice(path.length + 1), 10) : Number.NaN;
    return [{ path, line: Number.isNaN(line) ? null : line, message, ...(hint === undefined ? {} : { hint }) }];
  }
}

/** The files in `bank/types/`, each with a function that reads it. */
function ownTypes(root: string, templates: Templates) {
  return yamlFiles(join(root, OWN)).map((file) => {
    const path = `${OWN}/${file}`;
    const text = () => readBytes(join(root, path), MAX_TEXT_FILE_BYTES).toString('utf8');
    return { path, read: () => readMemoryType(text(), path, templates) };
  });
}

/** Whether a type has a single page. */
export function isSinglePageType({ identity }: MemoryType): boolean {
  return identity.length === 0;
}

function yamlFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => /^[^.].*\.ya?ml$/u.test(name))
    .sort();
}
