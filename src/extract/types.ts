import { join, posix } from 'node:path';
import * as yaml from 'yaml';
import { fail, toFailure } from '../base/failure.js';
import { suggestKnownWord } from '../base/nearest.js';
import { workspacePath } from '../memory/pages.js';
import { MAX_TEXT_FILE_BYTES, namesIn, readBytes } from '../workspace/files.js';
import { readTemplate, templatesFolder } from '../workspace/templates.js';
import {
  FIELD_TYPES,
  type FieldType,
  MERGE_OPS,
  type MemoryField,
  type MemoryType,
  OPERATION_MODES,
  Templates,
  toFieldValue,
} from './memory-type.js';

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

const TYPE_KEYS = [
  'name',
  'description',
  'directory',
  'filename_template',
  'fields',
  'content_template',
  'embedding_template',
  'overview_template',
  'operation_mode',
  'enabled',
  'guidelines',
  'good_cases',
  'bad_cases',
] as const;
const FIELD_KEYS = ['name', 'type', 'description', 'merge_op', 'init_value'] as const;
/** Variables that an overview template may use. */
const OVERVIEW_VARIABLES = ['items', 'directory_name', 'memory_type'];
/** Names that a memory type can't have, because an operations document uses these keys for other things. */
const NO_TYPE_NAMES: ReadonlySet<string> = new Set(['id', 'pages', 'deletes', 'delete_ids', 'links', 'reasoning']);
/** Names that a field can't have: other keys of an item in an operations document, and metadata that pages store. */
const NO_FIELD_NAMES: ReadonlySet<string> = new Set(['page_id', 'uri', 'sources', 'links', 'memory_type', 'version']);
/** Folders of the bank that no memory type may use. */
const OTHERS = /^bank\/(?:types|proposals|\..*)(?:\/|$)/u;
const OTHER_PAGES = /^bank\/(?:world|experience|opinions|forgotten)\.md$/u;

/**
 * Reads the YAML text of a memory type.
 * @param file path of the file, for messages
 * @throws MemoryError `settings` that names file, line and key
 */
function readMemoryType(text: string, file: string, templates: Templates): MemoryType {
  return new TypeReader(text, file, templates).read();
}

type Keys = ReadonlyMap<string, yaml.Node | null>;

class TypeReader {
  private readonly lines = new yaml.LineCounter();
  private readonly document: yaml.Document;

  constructor(
    text: string,
    private readonly file: string,
    private readonly templates: Templates,
  ) {
    this.document = yaml.parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
  }

  read(): MemoryType {
    const { document } = this;
    const [error] = document.errors;
    if (error !== undefined) this.wrong(error.pos[0], 'the file', `is not YAML: ${error.message}`, 'mend it');
    const root = document.contents;
    if (!yaml.isMap(root)) return this.wrong(0, 'the file', 'has no keys', `add ${TYPE_KEYS.join(', ')}`);
    const keys = this.keysOf(root, TYPE_KEYS, 'a memory type');
    const name = this.name(keys, 'name', 'a memory type', NO_TYPE_NAMES);
    const filenameTemplate = this.text1(keys, 'filename_template');
    const declared = this.fields(keys);
    const identity = this.variablesOf(keys, 'filename_template', filenameTemplate, names(declared));
    const fields = declared.map((field) => this.identified(keys, field, identity));
    const contentTemplate = this.template(keys, 'content_template', names(fields));
    if (contentTemplate === null && !fields.some((field) => field.name === 'content' && field.type === 'string')) {
      const what = 'has no string field "content", and there is no content_template';
      this.wrongKey(keys, 'fields', what, 'add one of them');
    }
    return {
      name,
      description: this.textOr(keys, 'description', ''),
      directory: this.directory(keys),
      filenameTemplate: filenameTemplate.replace(/\.md$/u, ''),
      fields,
      contentTemplate,
      embeddingTemplate: this.template(keys, 'embedding_template', names(fields)),
      overviewTemplate: this.template(keys, 'overview_template', OVERVIEW_VARIABLES),
      operationMode: this.choice(keys, 'operation_mode', OPERATION_MODES, 'upsert'),
      enabled: this.flag(keys, 'enabled', true),
      guidelines: this.texts(keys, 'guidelines'),
      goodCases: this.texts(keys, 'good_cases'),
      badCases: this.texts(keys, 'bad_cases'),
      identity,
      source: this.file,
    };
  }

  private fields(keys: Keys): readonly MemoryField[] {
    const value = keys.get('fields');
    if (!yaml.isSeq(value) || value.items.length === 0)
      return this.wrongKey(keys, 'fields', 'is not a list of fields', 'add at least one field with a name');
    const found: MemoryField[] = [];
    for (const item of value.items) {
      if (!yaml.isMap(item))
        return this.wrongKey(keys, 'fields', 'has an item that is not a field', 'give each field a name');
      const field = this.field(item);
      if (found.some(({ name }) => name === field.name))
        this.wrong(at(item), `fields: ${field.name}`, 'occurs twice', 'use another name');
      found.push(field);
    }
    return found;
  }

  private field(map: yaml.YAMLMap): MemoryField {
    const keys = this.keysOf(map, FIELD_KEYS, 'a field');
    const name = this.name(keys, 'name', 'a field', NO_FIELD_NAMES);
    const type = this.choice(keys, 'type', FIELD_TYPES, 'string');
    const given = keys.get('merge_op');
    const mergeOp = this.choice(keys, 'merge_op', MERGE_OPS, type === 'list' ? 'append_unique' : 'patch');
    const fits = FITTING[mergeOp];
    if (fits !== undefined && !fits.includes(type))
      this.wrong(
        at(given ?? map),
        `${name}: merge_op`,
        `${mergeOp} does not work for ${type}`,
        `use ${fits.join(' or ')}`,
      );
    const initValue = toFieldValue(type, this.valueOf(keys, 'init_value') ?? null);
    if (initValue === undefined)
      return this.wrongKey(keys, 'init_value', `of ${name} is not a ${type}`, 'use a value of this type');
    return { name, type, description: this.textOr(keys, 'description', ''), mergeOp, initValue };
  }

  /** Makes a field immutable if it is part of the page's file name. If its value changed, the page would have to move. */
  private identified(keys: Keys, field: MemoryField, identity: readonly string[]): MemoryField {
    if (!identity.includes(field.name)) return field;
    const wrong = (what: string, hint: string) =>
      this.wrongKey(keys, 'filename_template', `uses ${field.name}, which ${what}`, hint);
    if (field.type !== 'string' || field.name === 'content')
      wrong('is not a short text', 'use only string fields in the names of pages');
    if (field.mergeOp !== 'immutable' && field.mergeOp !== 'patch') wrong('may change', 'make it immutable');
    return { ...field, mergeOp: 'immutable' };
  }

  private directory(keys: Keys): string {
    const written = this.text1(keys, 'directory').replace(/\{\{\s*\w+\s*\}\}/gu, 'default');
    const path = workspacePath(written);
    const directory = path === 'bank' || path.startsWith('bank/') ? path : `bank/${path}`;
    const parts = directory.split('/');
    const isElsewhere = written.includes('://') && !path.startsWith('bank');
    const wrong = (what: string) => this.wrongKey(keys, 'directory', what, 'for example directory: bank/recipes');
    if (isElsewhere || written.startsWith('/') || parts.some((part) => part === '' || part.startsWith('.')))
      wrong('is not a folder below bank/');
    if (OTHERS.test(directory) || OTHER_PAGES.test(`${directory}.md`))
      wrong(`is ${directory}, which can't be used for memories`);
    return directory;
  }

  private template(keys: Keys, key: string, known: readonly string[]): string | null {
    const template = this.textOr(keys, key, '');
    if (template === '') return null;
    this.variablesOf(keys, key, template, known);
    return template;
  }

  /** The variables of a template, each once. An unknown variable is an error. */
  private variablesOf(keys: Keys, key: string, template: string, known: readonly string[]): readonly string[] {
    const variables = this.templates.variables(template);
    if (!variables.ok)
      return this.wrongKey(
        keys,
        key,
        `is not a valid template: ${variables.error}`,
        'use the Liquid template language',
      );
    const unknown = variables.value.find((name) => !known.includes(name));
    if (unknown !== undefined)
      this.wrongKey(keys, key, `uses the unknown field ${unknown}`, suggestKnownWord(unknown, known));
    return [...new Set(variables.value)];
  }

  private keysOf(map: yaml.YAMLMap, known: readonly string[], what: string): Keys {
    const found = new Map<string, yaml.Node | null>();
    for (const pair of map.items) {
      const key = String(yaml.isScalar(pair.key) ? pair.key.value : pair.key);
      if (!known.includes(key))
        this.wrong(at(pair.key), `"${key}"`, `is not a key of ${what}`, suggestKnownWord(key, known));
      found.set(key, yaml.isNode(pair.value) ? pair.value : null);
    }
    found.set('', map);
    return found;
  }

  private name(keys: Keys, key: string, what: string, taken: ReadonlySet<string>): string {
    const name = this.text1(keys, key);
    if (!/^[a-z][a-z0-9_-]{0,63}$/u.test(name))
      this.wrongKey(keys, key, `of ${what} is "${name}"`, 'use lower-case letters, digits and _');
    if (taken.has(name)) this.wrongKey(keys, key, `"${name}" is a reserved name`, 'choose another name');
    return name;
  }

  private text1(keys: Keys, key: string): string {
    const text = this.textOr(keys, key, '');
    return text === '' ? this.wrongKey(keys, key, 'is missing or empty', `add ${key}: …`) : text;
  }

  private textOr(keys: Keys, key: string, otherwise: string): string {
    const value = this.valueOf(keys, key) ?? otherwise;
    return typeof value === 'string'
      ? value.trim()
      : this.wrongKey(keys, key, 'is not a text', 'put the text in quotes');
  }

  private texts(keys: Keys, key: string): readonly string[] {
    const value = this.valueOf(keys, key);
    if (!Array.isArray(value)) {
      const lines = this.textOr(keys, key, '').split('\n');
      return lines.map((line) => line.replace(/^\s*[-*]\s+/u, '').trim()).filter((line) => line !== '');
    }
    return value.map((item: unknown) => {
      if (typeof item === 'string') return item.trim();
      return this.wrongKey(keys, key, 'has an item that is not a text', 'put it in quotes');
    });
  }

  private flag(keys: Keys, key: string, otherwise: boolean): boolean {
    const value = keys.has(key) ? this.valueOf(keys, key) : otherwise;
    if (typeof value === 'boolean') return value;
    return this.wrongKey(keys, key, 'is neither true nor false', 'use true or false');
  }

  private choice<T extends string>(keys: Keys, key: string, choices: readonly T[], otherwise: T): T {
    const written = this.textOr(keys, key, otherwise).replace('-', '_');
    const found = choices.find((choice) => choice === written);
    return found ?? this.wrongKey(keys, key, `is "${written}"`, suggestKnownWord(written, choices));
  }

  /** Value at a key as plain JSON; `undefined` if there is none. */
  private valueOf(keys: Keys, key: string): unknown {
    try {
      return keys.get(key)?.toJS(this.document) ?? undefined;
    } catch {
      // Thrown for an alias (`*name`) that refers to nothing.
      return this.wrongKey(keys, key, 'refers to a value that does not exist', 'write the value itself');
    }
  }

  private wrongKey(keys: Keys, key: string, what: string, hint: string): never {
    return this.wrong(at(keys.get(key) ?? keys.get('')), key, what, hint);
  }

  private wrong(offset: number, key: string, what: string, hint: string): never {
    return fail('settings', `${this.file}:${this.lines.linePos(offset).line || 1}: ${key} ${what}`, hint);
  }
}

const FITTING: Readonly<Partial<Record<string, readonly FieldType[]>>> = {
  sum: ['int64', 'float32'],
  avg: ['float32', 'int64'],
  append_unique: ['list'],
};

function names(fields: readonly MemoryField[]): readonly string[] {
  return fields.map(({ name }) => name);
}

function at(node: unknown): number {
  return yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
