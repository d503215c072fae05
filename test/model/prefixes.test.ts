import { expect, test } from 'vitest';
import { prefixScheme } from '../../src/model/embed.js';

test.each([
  ['embeddinggemma', 'task: search result | query: Q', 'title: T | text: D'],
  ['embeddinggemma:300m-qat-q8_0', 'task: search result | query: Q', 'title: T | text: D'],
  ['nomic-embed-text:latest', 'search_query: Q', 'search_document: T: D'],
  ['someone/mxbai-embed-large', 'Represent this sentence for searching relevant passages: Q', 'T: D'],
  [
    'hf.co/Qwen/Qwen3-Embedding-0.6B-GGUF',
    'Instruct: Given a question, retrieve the notes that answer it\nQuery:Q',
    'T: D',
  ],
  ['bge-m3', 'Q', 'T: D'],
  ['never-heard-of', 'Q', 'T: D'],
])('%s gets the prefixes of its model family', (model, query, document) => {
  const scheme = prefixScheme(model);
  expect(scheme.query('Q')).toBe(query);
  expect(scheme.document({ title: 'T', text: 'D' })).toBe(document);
});

test('a text without a title is embedded as a document', () => {
  expect(prefixScheme('embeddinggemma').document({ title: null, text: 'D' })).toBe('title: none | text: D');
  expect(prefixScheme('all-minilm').document({ title: null, text: 'D' })).toBe('D');
});
