import type { FieldType, FieldValue } from './memory-type.js';

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
