import * as z from 'zod';
import { suggestKnownWord } from '../base/nearest.js';
import { workspacePath } from '../memory/pages.js';

/** How a new value of a field is merged with the old one. */
const MERGE_OPS = ['patch', 'replace', 'sum', 'avg', 'immutable', 'append_unique'] as const;
export type MergeOp = (typeof MERGE_OPS)[number];

const FIELD_TYPES = ['string', 'int64', 'float32', 'bool', 'list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** `upsert`: pages are created and changed; `add_only`: only created; `update_only`: only changed. */
const OPERATION_MODES = ['upsert', 'add_only', 'update_only'] as const;

/** Value of a field of a page. `null`: no value yet. */
export type FieldValue = string | number | boolean | readonly string[] | null;

/** Values of a page, by field name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** Names that a memory type can't have, because an operations document uses these keys for other things. */
const NO_TYPE_NAMES: readonly string[] = ['id', 'pages', 'deletes', 'delete_ids', 'links', 'reasoning'];
/** Names that a field can't have: other keys of an item in an operations document, and metadata that pages store. */
const NO_FIELD_NAMES: readonly string[] = ['page_id', 'uri', 'sources', 'links', 'memory_type', 'version'];
/** Folders of the bank that no memory type may use. */
const OTHERS = /^bank\/(?:types|proposals|\..*)(?:\/|$)/u;
const OTHER_PAGES = /^bank\/(?:world|experience|opinions|forgotten)\.md$/u;

/** The types of fields that a merge operation works for; all types if the operation is missing here. */
const FITTING: Readonly<Partial<Record<MergeOp, readonly FieldType[]>>> = {
  sum: ['int64', 'float32'],
  avg: ['float32', 'int64'],
  append_unique: ['list'],
};

/**
 * Message of the schema: what is wrong with a value, a hint, and the name of the value if it is not the key at the path of
 * the issue. `TypeFile` takes it apart.
 */
function problem(what: string, hint: string, name = ''): string {
  return [what, hint, name].join('\n');
}

const NO_TEXT = problem('is not a text', 'put the text in quotes');
const TEXT = z.string(NO_TEXT).trim();
const TEMPLATE = TEXT.transform((template) => (template === '' ? null : template)).default(null);

function requiredText(key: string) {
  const error = problem('is missing or empty', `add ${key}: …`);
  return TEXT.prefault('').refine((text) => text !== '', { error, abort: true });
}

function nameOf(what: string, taken: readonly string[]) {
  return requiredText('name')
    .refine((name) => /^[a-z][a-z0-9_-]{0,63}$/u.test(name), {
      error: ({ input }) => problem(`of ${what} is "${String(input)}"`, 'use lower-case letters, digits and _'),
    })
    .refine((name) => !taken.includes(name), {
      error: ({ input }) => problem(`"${String(input)}" is a reserved name`, 'choose another name'),
    });
}

function choiceOf<const Choice extends string>(choices: readonly Choice[]) {
  const spelled = (value: unknown) => (typeof value === 'string' ? value.trim().replace('-', '_') : value);
  const error = ({ input }: { readonly input?: unknown }) =>
    typeof input === 'string' ? problem(`is "${input}"`, suggestKnownWord(input, choices)) : NO_TEXT;
  return z.preprocess(spelled, z.enum(choices, { error }));
}

/** A list of texts. One text stands for a list: each of its lines is an item, with or without a list marker. */
const TEXTS = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? value.split('\n').flatMap((line) => line.replace(/^\s*[-*]\s+/u, '').trim() || [])
      : value,
  z.array(z.string(problem('has an item that is not a text', 'put it in quotes')).trim(), NO_TEXT),
);

export const FIELD_KEYS = {
  name: nameOf('a field', NO_FIELD_NAMES),
  type: choiceOf(FIELD_TYPES).default('string'),
  /** Description of the field, for the model. */
  description: TEXT.default(''),
  merge_op: choiceOf(MERGE_OPS).optional(),
  /** Value of the field on a new page. */
  init_value: z.unknown().optional(),
};

const FIELD = z
  .strictObject(FIELD_KEYS, problem('has an item that is not a field', 'give each field a name'))
  .transform(({ name, type, description, ...given }, context) => {
    const merge_op: MergeOp = given.merge_op ?? (type === 'list' ? 'append_unique' : 'patch');
    const init_value = toFieldValue(type, given.init_value);
    const wrong = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
    const fits = FITTING[merge_op] ?? FIELD_TYPES;
    if (!fits.includes(type)) {
      const what = `${merge_op} does not work for ${type}`;
      wrong('merge_op', problem(what, `use ${fits.join(' or ')}`, `${name}: merge_op`));
    }
    if (init_value === undefined)
      wrong('init_value', problem(`of ${name} is not a ${type}`, 'use a value of this type'));
    return { name, type, description, merge_op, init_value: init_value ?? null };
  });

const NO_FIELDS = problem('is not a list of fields', 'add at least one field with a name');

export const TYPE_KEYS = {
  name: nameOf('a memory type', NO_TYPE_NAMES),
  description: TEXT.default(''),
  /** Folder of the pages, relative to the workspace: for example `bank/preferences`. */
  directory: requiredText('directory').transform((written, context) => {
    const directory = directoryOf(written);
    if (directory !== undefined && !OTHERS.test(directory) && !OTHER_PAGES.test(`${directory}.md`)) return directory;
    const taken = `is ${directory}, which can't be used for memories`;
    const what = directory === undefined ? 'is not a folder below bank/' : taken;
    context.addIssue(problem(what, 'for example directory: bank/recipes'));
    return z.NEVER;
  }),
  /**
   * Template of the file name of a page. If it has variables such as `{{ name }}`, there is a page for each combination of
   * their values. Without variables, there is one page.
   */
  filename_template: requiredText('filename_template').transform((name) => name.replace(/\.md$/u, '')),
  fields: z.array(FIELD, NO_FIELDS).min(1, NO_FIELDS),
  /** Template of the body. `null`: the field `content` is the body. */
  content_template: TEMPLATE,
  /** Template of the text to embed. `null`: the text of the page. */
  embedding_template: TEMPLATE,
  /** Template of the directory's `.overview.md`. `null`: a list of its pages. */
  overview_template: TEMPLATE,
  operation_mode: choiceOf(OPERATION_MODES).default('upsert'),
  enabled: z.boolean(problem('is neither true nor false', 'use true or false')).default(true),
  guidelines: TEXTS.default([]),
  good_cases: TEXTS.default([]),
  bad_cases: TEXTS.default([]),
};

/** The YAML file of a memory type. */
export const TYPE = z.strictObject(
  TYPE_KEYS,
  problem('has no keys', `add ${Object.keys(TYPE_KEYS).join(', ')}`, 'the file'),
);

/** A type of long-term memory: where its pages are, which fields they have, and the instructions for the model. */
export type MemoryType = Readonly<z.infer<typeof TYPE>> & {
  /** Fields that name a page, in the order in which they stand in the file name. */
  readonly identity: readonly string[];
  /** `built-in`, or the path of the defining file, relative to the workspace. */
  readonly source: string;
};

export type MemoryField = MemoryType['fields'][number];

/** The folder of a type, relative to the workspace; undefined if it is not below `bank/`. */
function directoryOf(written: string): string | undefined {
  const path = workspacePath(written.replace(/\{\{\s*\w+\s*\}\}/gu, 'default'));
  const isElsewhere = written.startsWith('/') || (written.includes('://') && !path.startsWith('bank'));
  const directory = path === 'bank' || path.startsWith('bank/') ? path : `bank/${path}`;
  return isElsewhere || directory.split('/').some((part) => part === '' || part.startsWith('.'))
    ? undefined
    : directory;
}

/** Name of the field that stores how many values an average (`avg`) covers. */
export function valueCountFieldName(field: string): string {
  return `${field}_count`;
}

/** Whether a field has no value. An immutable field may be filled while it is empty. */
export function isEmptyValue(value: FieldValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * Converts a value to the type of a field. Accepts equivalent forms, such as "3" for 3. Returns `undefined` if the
 * value can't be converted. Pure.
 */
export function toFieldValue(type: FieldType, given: unknown): FieldValue | undefined {
  if (given === null || given === undefined) return null;
  switch (type) {
    case 'string':
      if (typeof given === 'string') return given;
      return typeof given === 'number' || typeof given === 'boolean' ? String(given) : undefined;
    case 'bool':
      if (typeof given === 'boolean') return given;
      return given === 'true' ? true : given === 'false' ? false : undefined;
    case 'list':
      return textList(given);
    case 'int64':
    case 'float32':
      return number(type, given);
  }
}

const NUMBER = /^\s*[-+]?[\d.]+(?:e[-+]?\d+)?\s*$/iu;

function number(type: FieldType, given: unknown): number | undefined {
  const value = typeof given === 'string' && NUMBER.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return type === 'float32' || Number.isSafeInteger(value) ? value : undefined;
}

function textList(given: unknown): readonly string[] | undefined {
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const texts = items.flatMap((item) => {
    const text = toFieldValue('string', item);
    return typeof text === 'string' ? [text.trim()] : [];
  });
  return texts.length === items.length ? [...new Set(texts)].filter((text) => text !== '') : undefined;
}
