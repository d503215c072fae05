import { expect, test } from 'vitest';
import { serverUrl } from '../../src/model/ollama.js';

test.each([
  [undefined, 'http://127.0.0.1:11434/'],
  ['', 'http://127.0.0.1:11434/'],
  [' "example" ', 'http://example:11434/'],
  ['example:1234', 'http://example:1234/'],
  [':1234', 'http://127.0.0.1:1234/'],
  ['0.0.0.0', 'http://127.0.0.1:11434/'],
  ['0.0.0.0:80', 'http://127.0.0.1/'],
  ['::1', 'http://[::1]:11434/'],
  ['[::]:1234', 'http://[::1]:1234/'],
  ['https://example', 'https://example/'],
  ['http://example/ollama', 'http://example/ollama'],
])('OLLAMA_HOST %j means %s', (host, url) => {
  expect(serverUrl(host).href).toBe(url);
});

test('an invalid address is an error of the settings', () => {
  expect(() => serverUrl('http://:::')).toThrow(/not an address/);
});
