/** How a new value of a field meets the old one. */
export const MERGE_OPS = ['patch', 'replace', 'sum', 'avg', 'immutable', 'append_unique'] as const;
export type MergeOp = (typeof MERGE_OPS)[number];

export const FIELD_TYPES = ['string', 'int64', 'float32', 'bool', 'list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** `upsert`: pages are made and changed; `add_only`: only made; `update_only`: only changed. */
export const OPERATION_MODES = ['upsert', 'add_only', 'update_only'] as const;
type OperationMode = (typeof OPERATION_MODES)[number];

/** What a page may hold in a field; null: nothing yet. */
export type FieldValue = string | number | boolean | readonly string[] | null;

/** The values of a page, by name of the field. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

export interface MemoryField {
  readonly name: string;
  readonly type: FieldType;
  /** For the model. */
  readonly description: string;
  readonly mergeOp: MergeOp;
  /** What a new page begins with. */
  readonly initValue: FieldValue;
}

/** A kind of long-term memory: where its pages are, what is in them, and what a model is told of it. */
export interface MemoryType {
  readonly name: string;
  readonly description: string;
  /** Relative to the workspace, for example `bank/preferences`. */
  readonly directory: string;
  /** With variables, a page for each; without, one page. */
  readonly filenameTemplate: string;
  readonly fields: readonly MemoryField[];
  /** The body is rendered from the fields; null: the field `content` is the body. */
  readonly contentTemplate: string | null;
  /** What of a page is embedded; null: its text. */
  readonly embeddingTemplate: string | null;
  /** The `.overview.md` of the directory; null: a list of its pages. */
  readonly overviewTemplate: string | null;
  readonly operationMode: OperationMode;
  readonly enabled: boolean;
  readonly guidelines: readonly string[];
  readonly goodCases: readonly string[];
  readonly badCases: readonly string[];
  /** The fields that name a page, in the order of the file name. */
  readonly identity: readonly string[];
  /** `built-in`, or the file that it is from, relative to the workspace. */
  readonly source: string;
}

/** A counted average keeps its count beside it. */
export function countName(field: string): string {
  return `${field}_count`;
}

/** Whether a value is none: an immutable field that has none may still be filled. */
export function isEmptyValue(value: FieldValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * A value as a field of that type holds it: what says the same in another form is taken, such as "3" for 3; undefined
 * when it can't be. Pure.
 */
export function fieldValue(type: FieldType, given: unknown): FieldValue | undefined {
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
    const text = fieldValue('string', item);
    return typeof text === 'string' ? [text.trim()] : [];
  });
  return texts.length === items.length ? [...new Set(texts)].filter((text) => text !== '') : undefined;
}
