import type { Part } from '../message.js';

/** Deeper than any real input. */
const DEEPEST = 40;

/** What a part says, without labels and without the syntax of JSON. */
export function bareText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call':
      return [part.name, valueText(part.input, 0)].filter((text) => text !== '').join('\n');
    case 'tool_result':
      return part.output;
    case 'context':
      return part.abstract;
    case 'other':
      return valueText(part.value, 0);
  }
}

/** A value as lines: texts as they are, fields as `name: value`. */
function valueText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined || depth > DEEPEST) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map((item) => valueText(item, depth + 1)).join('\n');
  return Object.entries(value)
    .map(([name, item]) => `${name}: ${valueText(item, depth + 1)}`)
    .join('\n');
}
