import type { JsonSchema } from './request.js';

/** A key of a result. `T`: the TypeScript type of its values. The value of a `nullable` key may be null. */
export interface ReportField<T> {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'nullable';
  /** Never set: it only gives the type to the compiler. */
  readonly value?: T;
}

/** A key that a result may lack. */
export interface OptionalField<T> extends ReportField<T> {
  readonly optional: true;
}

/**
 * The keys of a result, as plain data. Its TypeScript type and its JSON schema are made from this table, also the schema that
 * a tool of the Model Context Protocol gives to its clients.
 */
export type ReportFields = Readonly<Record<string, ReportField<unknown>>>;

type ValueOf<F> = F extends ReportField<infer T> ? T : never;

/** The TypeScript type of a result with these fields. */
export type ReportOf<F> = {
  readonly [K in keyof F as F[K] extends { readonly optional: true } ? never : K]: ValueOf<F[K]>;
} & { readonly [K in keyof F as F[K] extends { readonly optional: true } ? K : never]?: ValueOf<F[K]> };

export const text = <T extends string = string>(): ReportField<T> => ({ type: 'string' });
export const number = (): ReportField<number> => ({ type: 'number' });
export const flag = (): ReportField<boolean> => ({ type: 'boolean' });
export const list = <T = string>(): ReportField<readonly T[]> => ({ type: 'array' });
export const object = <T extends object>(): ReportField<T> => ({ type: 'object' });
export const nullable = <T>(): ReportField<T | null> => ({ type: 'nullable' });
export const maybe = <T>(field: ReportField<T>): OptionalField<T> => ({ ...field, optional: true });

/**
 * The JSON schema of a result with these fields. It has the types of the keys, and not of what is in them, because a client
 * keeps it in every conversation. Pure.
 */
export function reportSchema(fields: ReportFields): JsonSchema {
  const properties = Object.entries(fields).map(([key, { type }]) => [key, type === 'nullable' ? {} : { type }]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
