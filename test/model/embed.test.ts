import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { err, ok } from '../../src/base/failure.js';
import { checkVectors, type EmbedServer, openEmbedder, prefixScheme, splitIntoBatches } from '../../src/model/embed.js';

const documents = (texts: readonly string[]) => texts.map((text) => ({ title: null, text }));

/** A server that answers with the length of a text as its vector, and refuses requests with some texts. */
function server(refuses: (input: string) => boolean, seen: string[][] = []): EmbedServer {
  return {
    digest: async () => ok('digest'),
    embed: async (_, inputs) => {
      seen.push([...inputs]);
      if (inputs.some(refuses)) return err({ type: 'refused', message: 'the input length exceeds the context length' });
      return ok(inputs.map((input) => [input.length, 1]));
    },
  };
}

describe('embedding documents', () => {
  test('every text gets its vector in its place, and exactly the bad texts get none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ maxLength: 30 }), fc.boolean()), { maxLength: 80 }),
        async (given) => {
          // One text is good: a server that refuses everything is another case.
          const texts = ['good', ...given.map(([text, bad]) => (bad ? `BAD ${text} BAD` : text))];
          const embedder = openEmbedder(
            server((input) => input.includes('BAD')),
            'all-minilm',
          );
          const result = await embedder.embedDocuments(documents(texts));
          if (!result.ok) throw new Error(result.error.message);
          expect(result.value).toHaveLength(texts.length);
          texts.forEach((text, i) => {
            const vector = result.value[i];
            if (text.includes('BAD')) expect(vector).toBeNull();
            else expect(vector?.[0]).toBeCloseTo(text.length / Math.hypot(text.length, 1), 5);
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  test('one bad text among 32 is found with few requests', async () => {
    const seen: string[][] = [];
    const embedder = openEmbedder(
      server((input) => input.startsWith('BAD'), seen),
      'all-minilm',
    );
    const result = await embedder.embedDocuments(
      documents(Array.from({ length: 32 }, (_, i) => (i === 13 ? 'BAD text' : `text ${i}`))),
    );
    expect(result.ok && result.value.filter((vector) => vector === null)).toHaveLength(1);
    expect(seen.length).toBeLessThanOrEqual(13);
  });

  test('the first half of a text that is too long is embedded', async () => {
    const embedder = openEmbedder(
      server((input) => input.length > 60),
      'all-minilm',
    );
    const result = await embedder.embedDocuments(documents(['x'.repeat(100), 'y'.repeat(200)]));
    expect(result.ok && result.value.map((vector) => vector === null)).toEqual([false, true]);
  });

  test('no text is blamed when the server refuses everything', async () => {
    const result = await openEmbedder(
      server(() => true),
      'all-minilm',
    ).embedDocuments(documents(['one', 'two']));
    expect(result).toMatchObject({ ok: false, error: { type: 'model_unavailable' } });
  });

  test('a text far beyond the window is cut before it is sent', async () => {
    const seen: string[][] = [];
    await openEmbedder(
      server(() => false, seen),
      'all-minilm',
    ).embedDocuments(documents(['语'.repeat(2_000)]));
    expect(seen[0]?.[0]?.length).toBeLessThanOrEqual(256);
  });
});

describe('an answer of the server', () => {
  test.each([
    ['fewer vectors than inputs', [[1, 0]], 2],
    [
      'more vectors than inputs',
      [
        [1, 0],
        [0, 1],
      ],
      1,
    ],
    ['a vector of nothing but zeros', [[0, 0]], 1],
    ['no numbers', [[]], 1],
    ['null for a number', [[1, null]], 1],
    ['null for a vector', [null], 1],
    ['NaN', [[Number.NaN, 1]], 1],
    ['an endless number', [[Number.POSITIVE_INFINITY, 1]], 1],
    [
      'vectors of two dimensions',
      [
        [1, 0],
        [1, 0, 0],
      ],
      2,
    ],
  ])('with %s is refused', (_, vectors, count) => {
    expect(checkVectors(vectors, count)).toMatchObject({ ok: false, error: { type: 'refused' } });
  });

  test('yields vectors of length 1 in the same direction', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (numbers) => {
          fc.pre(Math.hypot(...numbers) > 1e-3);
          const result = checkVectors([numbers], 1);
          const vector = result.ok ? (result.value[0] ?? []) : [];
          expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
          for (const [i, number] of numbers.entries())
            expect(vector[i]).toBeCloseTo(number / Math.hypot(...numbers), 4);
        },
      ),
    );
  });
});

test('requests have up to 32 inputs and 8,192 tokens, and all inputs in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000)), (lengths) => {
      const texts = lengths.map((length) => 'a'.repeat(length));
      const groups = splitIntoBatches(texts);
      expect(groups.flat()).toEqual(texts);
      for (const group of groups) {
        expect(group.length).toBeLessThanOrEqual(32);
        if (group.length > 1) expect(group.join('').length / 4).toBeLessThanOrEqual(8_192);
      }
    }),
    { numRuns: 50 },
  );
});

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
