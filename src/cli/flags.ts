import { checkRequest, type Description, flagOf, type Value } from '../base/request.js';

/**
 * The request that the options of a command line make, checked: messages name the options.
 * @param verb as the command line calls it
 * @param options by commander's names, and what the request has besides, by its own
 */
export function readFlags<T = never>(verb: string, description: Description<T>, options: object): T {
  const given = new Map<string, unknown>(Object.entries(options));
  const request: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(description)) {
    const value = given.get(attributeOf(flagOf(key, field)));
    if (value !== undefined) request[key] = read(field, value);
  }
  checkRequest<T>(verb, description, request, 'flag');
  return request;
}

/** commander's name: `asOf` for `--as-of`. */
function attributeOf(flag: string): string {
  return flag.replace(/^--/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What a flag's text says; a text that is no number stays one, for the check to refuse. */
function read(value: Value, given: unknown): unknown {
  if (value.type === 'list' && Array.isArray(given)) return given.map((item) => read(value.of, item));
  if (typeof given !== 'string') return given;
  if (value.type === 'choice') return value.choices.find((choice) => choice === given.toLowerCase()) ?? given;
  const isNumber = value.type === 'number' || value.type === 'either';
  return isNumber && given.trim() !== '' && !Number.isNaN(Number(given)) ? Number(given) : given;
}
