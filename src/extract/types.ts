import { join, posix } from 'node:path';
import { Liquid, type Template } from 'liquidjs';
import * as yaml from 'yaml';
import type * as z from 'zod';
import { err, fail, ok, type Result, toFailure, tryWithFallback } from '../base/failure.js';
import { suggestKnownWord } from '../base/nearest.js';
import { MAX_TEXT_FILE_BYTES, namesIn, readBytes } from '../workspace/files.js';
import { readTemplate, templatesFolder } from '../workspace/templates.js';
import { FIELD_KEYS, type MemoryField, type MemoryType, TYPE, TYPE_KEYS } from './memory-type.js';

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
    const byPath = (type: MemoryType) => [`${type.directory}/${type.filename_template}.md`, type] as const;
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
      ...new TypeFile(readTemplate(`${BUILT_IN}/${file}`), `templates/${BUILT_IN}/${file}`, templates).read(),
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
    return { path, read: () => new TypeFile(text(), path, templates).read() };
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

/** Variables that an overview template may use. */
const OVERVIEW_VARIABLES = ['items', 'directory_name', 'memory_type'];
type Path = readonly PropertyKey[];

/** The YAML file of a memory type. An error names file, line and key. */
class TypeFile {
  private readonly lines = new yaml.LineCounter();
  private readonly document: yaml.Document;

  /** @param file path of the file, for messages */
  constructor(
    text: string,
    private readonly file: string,
    private readonly templates: Templates,
  ) {
    this.document = yaml.parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
  }

  /** @throws MemoryError `settings` */
  read(): MemoryType {
    const type = this.checked();
    const names = type.fields.map(({ name }) => name);
    const twice = names.findIndex((name, index) => names.indexOf(name) < index);
    if (twice >= 0) this.wrong(['fields', twice], 'occurs twice', 'use another name', `fields: ${names[twice]}`);
    const identity = this.variablesOf('filename_template', type.filename_template, names);
    const fields = type.fields.map((field) => (identity.includes(field.name) ? this.immutable(field) : field));
    this.variablesOf('content_template', type.content_template, names);
    this.variablesOf('embedding_template', type.embedding_template, names);
    this.variablesOf('overview_template', type.overview_template, OVERVIEW_VARIABLES);
    if (type.content_template === null && !fields.some((field) => field.name === 'content' && field.type === 'string'))
      this.wrong(['fields'], 'has no string field "content", and there is no content_template', 'add one of them');
    return { ...type, fields, identity, source: this.file };
  }

  /** Checks the file against the schema. */
  private checked(): z.infer<typeof TYPE> {
    const { document } = this;
    const [error] = document.errors;
    if (error !== undefined) this.wrong(error.pos[0], `is not YAML: ${error.message}`, 'mend it', 'the file');
    yaml.visit(document, {
      Alias: (_, alias, above) => {
        if (alias.resolve(document) !== undefined) return;
        const key = String(above.findLast(yaml.isPair)?.key ?? 'the file');
        this.wrong(alias.range?.[0] ?? 0, 'refers to a value that does not exist', 'write the value itself', key);
      },
    });
    const withoutNulls = (_: unknown, value: unknown) => value ?? undefined;
    const checked = TYPE.safeParse(tryWithFallback(() => document.toJS({ reviver: withoutNulls }), undefined));
    if (checked.success) return checked.data;
    const { issues } = checked.error;
    const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
    const [key = ''] = unknown?.keys ?? [];
    if (unknown !== undefined) {
      const [what, keys] = unknown.path.length === 0 ? ['a memory type', TYPE_KEYS] : ['a field', FIELD_KEYS];
      const hint = suggestKnownWord(key, Object.keys(keys));
      this.wrong([...unknown.path, key], `is not a key of ${what}`, hint, `"${key}"`);
    }
    const [{ path = [], message = '' } = {}] = issues;
    const [what = '', hint = '', name = ''] = message.split('\n');
    return this.wrong(path, what, hint, name);
  }

  /** Makes a field immutable that is part of the page's file name. If its value changed, the page would have to move. */
  private immutable(field: MemoryField): MemoryField {
    const wrong = (what: string, hint: string) =>
      this.wrong(['filename_template'], `uses ${field.name}, which ${what}`, hint);
    if (field.type !== 'string' || field.name === 'content')
      wrong('is not a short text', 'use only string fields in the names of pages');
    if (field.merge_op !== 'immutable' && field.merge_op !== 'patch') wrong('may change', 'make it immutable');
    return { ...field, merge_op: 'immutable' };
  }

  /** The variables of a template, each once. An unknown variable is an error. */
  private variablesOf(key: string, template: string | null, known: readonly string[]): readonly string[] {
    const variables = this.templates.variables(template ?? '');
    if (!variables.ok)
      return this.wrong([key], `is not a valid template: ${variables.error}`, 'use the Liquid template language');
    const unknown = variables.value.find((name) => !known.includes(name));
    if (unknown !== undefined) this.wrong([key], `uses the unknown field ${unknown}`, suggestKnownWord(unknown, known));
    return [...new Set(variables.value)];
  }

  /**
   * @param place offset in the text, or path of the value
   * @param name name of the value in the message; default: the last key of the path
   */
  private wrong(place: number | Path, what: string, hint: string, name = ''): never {
    const offset = typeof place === 'number' ? place : this.offsetOf(place);
    const key = name || (typeof place === 'number' ? '' : place.findLast((part) => typeof part === 'string'));
    return fail('settings', `${this.file}:${this.lines.linePos(offset).line || 1}: ${String(key)} ${what}`, hint);
  }

  /** Where a value begins; if there is no such value, where the value around it begins. */
  private offsetOf(path: Path): number {
    const node = path.length === 0 ? this.document.contents : this.document.getIn(path, true);
    if (yaml.isNode(node)) return node.range?.[0] ?? 0;
    return path.length === 0 ? 0 : this.offsetOf(path.slice(0, -1));
  }
}

/** Variables of a template, by name. */
type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * Parses and renders Liquid templates. Values are inserted as text, never parsed as templates. An unknown variable or
 * filter is an error; an empty value prints nothing. Templates can't read files. The filter `percent` says how many
 * percent of a whole a part is, from 0 to 100.
 */
export class Templates {
  private readonly engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Follow JavaScript: `if` and `default` treat an empty text and 0 as false.
    jsTruthy: true,
    templates: {},
    parseLimit: 100_000,
    // Maximum time for rendering a template, in ms of real time. It is this long because a process on a busy machine may
    // wait for seconds.
    renderLimit: 15_000,
    memoryLimit: 50_000_000,
  });
  private readonly parsed = new Map<string, readonly Template[]>();

  constructor() {
    this.engine.registerFilter('percent', (part: unknown, whole: unknown) => {
      const share = Number(part) / Number(whole);
      return Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 100) : 0;
    });
  }

  /** Names of the variables that a template uses. @returns an error message if the template is invalid */
  variables(template: string): Result<readonly string[], string> {
    try {
      return ok(this.engine.globalVariablesSync([...this.parse(template)]));
    } catch (error) {
      return err(messageOf(error));
    }
  }

  render(template: string, values: TemplateValues): Result<string, string> {
    try {
      const text: unknown = this.engine.renderSync([...this.parse(template)], values);
      return ok(String(text).trim());
    } catch (error) {
      return err(messageOf(error));
    }
  }

  private parse(template: string): readonly Template[] {
    const parsed = this.parsed.get(template) ?? this.engine.parse(template);
    this.parsed.set(template, parsed);
    return parsed;
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
