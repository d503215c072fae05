import type { JsonSchema } from '../base/request-schema.js';

/**
 * What an answer of type `T` looks like, as plain data that the compiler holds to the type: `'text'`, `'number'`,
 * `'yes/no'`, a list as `[shape]`, an object by its keys, of which those that may be missing end with `?`. What may be
 * null stands under `orNull`; `'any'` says no more.
 */
type Shape<T> = unknown extends T
  ? 'any'
  : null extends T
    ? 'any' | { readonly orNull: Shape<NonNullable<T>> }
    : [T] extends [string]
      ? 'text'
      : [T] extends [number]
        ? 'number'
        : [T] extends [boolean]
          ? 'yes/no'
          : [T] extends [readonly (infer E)[]]
            ? 'any' | readonly [Shape<E>]
            : 'any' | ShapeOfKeys<T>;

export type ShapeOfKeys<T> = {
  readonly [K in keyof T & string as undefined extends T[K] ? `${K}?` : K]-?: Shape<Exclude<T[K], undefined>>;
};

/** A shape without its type. */
export type AnyShape =
  | 'any'
  | 'text'
  | 'number'
  | 'yes/no'
  | readonly [AnyShape]
  | { readonly [key: string]: AnyShape };

/** The JSON Schema of what has a shape. Pure. */
export function schemaOfShape(shape: AnyShape): JsonSchema {
  if (shape === 'any') return {};
  if (shape === 'text') return { type: 'string' };
  if (shape === 'number') return { type: 'number' };
  if (shape === 'yes/no') return { type: 'boolean' };
  if (isList(shape)) return { type: 'array', items: schemaOfShape(shape[0]) };
  if (shape.orNull !== undefined) return { anyOf: [schemaOfShape(shape.orNull), { type: 'null' }] };
  const keys = Object.entries(shape);
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map(([key, value]) => [key.replace(/\?$/, ''), schemaOfShape(value)])),
    required: keys.flatMap(([key]) => (key.endsWith('?') ? [] : [key])),
  };
}

function isList(shape: Exclude<AnyShape, string>): shape is readonly [AnyShape] {
  return Array.isArray(shape);
}
