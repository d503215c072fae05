import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const source = (name: string) => readFileSync(new URL(`../../src/app/${name}.ts`, import.meta.url), 'utf8');
/** Of the language and of Node. */
const KNOWN = new Set(['Promise', 'AbortSignal', 'AsyncGenerator', 'Iterable', 'AsyncIterable']);

/** The names of types in the signatures of public methods. */
function namedTypes(text: string): ReadonlySet<string> {
  const methods = text.slice(text.indexOf('export class'));
  const signatures = methods.match(/^ {2}(?!private |constructor)(?:async |get )?\*?\w+\([\s\S]*?\{$/gm) ?? [];
  return new Set(signatures.flatMap((signature) => signature.match(/\b[A-Z]\w+/g) ?? []));
}

test.each(['workspace', 'sessions', 'reflection'])('who uses the library can name every type of %s', (name) => {
  const exported = new Set(source('index').match(/\b[A-Z]\w+/g));
  const named = namedTypes(source(name));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((type) => !KNOWN.has(type) && !exported.has(type))).toEqual([]);
});
