import type { Field, Fields, Value } from './request.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a described request. What no JSON can hold, functions and signals, is left out. Pure. */
export function requestSchema(fields: Fields): JsonSchema {
  const keys = Object.entries(fields).filter(([, { type }]) => type !== 'function' && type !== 'signal');
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map(([key, field]) => [key, { ...schemaOf(field), description: told(field) }])),
    required: keys.filter(([, { required }]) => required).map(([key]) => key),
    additionalProperties: false,
  };
}

/** What a schema does not say by itself: neither that a list takes several, nor what there is to choose from. */
function told(field: Field): string {
  const doc = field.doc.replace(' (again for more)', '');
  const of = field.type === 'list' ? field.of : field;
  return of.type === 'choice' ? doc.replace(`: ${of.choices.join(', ')}`, '') : doc;
}

function schemaOf(value: Value): JsonSchema {
  switch (value.type) {
    case 'text':
    case 'time':
      return { type: 'string' };
    case 'choice':
      return { type: 'string', enum: value.choices };
    case 'number': {
      const { whole, least: minimum, most: maximum } = value;
      return {
        type: whole ? 'integer' : 'number',
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      };
    }
    case 'boolean':
      return { type: 'boolean' };
    case 'list':
      return { type: 'array', items: schemaOf(value.of) };
    case 'either':
      return { anyOf: value.of.map(schemaOf) };
    case 'object':
      return requestSchema(value.keys);
    case 'record':
      return { type: 'object' };
    case 'any':
    case 'function':
    case 'signal':
      return {};
  }
}
