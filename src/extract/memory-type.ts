import { Liquid, type Template } from 'liquidjs';
import { err, ok, type Result } from '../base/failure.js';
/** How a new value of a field is merged with the old one. */
export const MERGE_OPS = ['patch', 'replace', 'sum', 'avg', 'immutable', 'append_unique'] as const;
export type MergeOp = (typeof MERGE_OPS)[number];

export const FIELD_TYPES = ['string', 'int64', 'float32', 'bool', 'list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** `upsert`: pages are created and changed; `add_only`: only created; `update_only`: only changed. */
export const OPERATION_MODES = ['upsert', 'add_only', 'update_only'] as const;
type OperationMode = (typeof OPERATION_MODES)[number];

/** Value of a field of a page. `null`: no value yet. */
export type FieldValue = string | number | boolean | readonly string[] | null;

/** Values of a page, by field name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

export interface MemoryField {
  readonly name: string;
  readonly type: FieldType;
  /** Description of the field, for the model. */
  readonly description: string;
  readonly mergeOp: MergeOp;
  /** Value of the field on a new page. */
  readonly initValue: FieldValue;
}

/** A type of long-term memory: where its pages are, which fields they have, and the instructions for the model. */
export interface MemoryType {
  readonly name: string;
  readonly description: string;
  /** Folder of the pages, relative to the workspace: for example `bank/preferences`. */
  readonly directory: string;
  /**
   * Template of the file name of a page. If it has variables such as `{{ name }}`, there is a page for each combination of
   * their values. Without variables, there is one page.
   */
  readonly filenameTemplate: string;
  readonly fields: readonly MemoryField[];
  /** Template of the body. `null`: the field `content` is the body. */
  readonly contentTemplate: string | null;
  /** Template of the text to embed. `null`: the text of the page. */
  readonly embeddingTemplate: string | null;
  /** Template of the directory's `.overview.md`. `null`: a list of its pages. */
  readonly overviewTemplate: string | null;
  readonly operationMode: OperationMode;
  readonly enabled: boolean;
  readonly guidelines: readonly string[];
  readonly goodCases: readonly string[];
  readonly badCases: readonly string[];
  /** Fields that name a page, in the order in which they stand in the file name. */
  readonly identity: readonly string[];
  /** `built-in`, or the path of the defining file, relative to the workspace. */
  readonly source: string;
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
