import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { BANK_LOOKUP_TOOLS } from '../../src/extract/bank-tools.js';
import { buildInferQuestions } from '../../src/extract/infer/by-model.js';
import { buildOperationsQuestion } from '../../src/extract/question.js';
import { MemoryTypes } from '../../src/extract/types.js';
import { toolCallsQuestion } from '../../src/model/ask.js';
import { answerFormat, toJsonSchema, toolParameters } from '../../src/model/format.js';
import { buildBeliefQuestion, buildStatementQuestion, buildSummaryQuestion } from '../../src/reflect/questions.js';
import { makeDayFlushTurn } from '../../src/session/flush.js';
import { buildWmQuestion } from '../../src/wm/prompt.js';
import { readTemplate } from '../../src/workspace/templates.js';
import { walkSchema } from '../support/ollama/reply.js';
import { Random } from '../support/random.js';

/** Keywords that llama.cpp's grammar converter supports. */
const HONOURED = new Set(
  ['$defs', '$ref', 'anyOf', 'enum', 'type', 'properties', 'required', 'additionalProperties', 'items'].concat([
    'minItems',
    'maxItems',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'format',
  ]),
);

const RICH = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(60)
    .regex(/^[a-z]+$/),
  note: z.string().max(5_000).optional(),
  day: z.iso.date(),
  count: z.int().min(1).max(9),
  share: z.number().min(0).max(1),
  tags: z.array(z.string()).max(3),
  made: z.record(z.string(), z.string()).optional(),
  step: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('add'), body: z.string() }),
    z.strictObject({ kind: z.literal('drop'), because: z.string() }),
  ]),
});

const template = (name: string): string => readTemplate(`prompts/${name}.md`);
const WM_TEMPLATES = { update: template('wm-update'), create: template('wm-create') };
const LINE = {
  from: 1,
  to: 1,
  text: 'Ana sold the boat.',
  isByAgent: false,
  topics: [],
  isItem: false,
  isRuling: false,
} as const;
const ASKED = { id: 'x', bank: '', conversation: '', read: '', mayRead: false, isForAgent: false };

/** Every question to a local model. */
const QUESTIONS = [
  buildWmQuestion(null, [], WM_TEMPLATES),
  buildWmQuestion(null, [], WM_TEMPLATES, ['Open Issues']),
  ...buildInferQuestions([LINE], '2026-03-01', template('infer'), 8_192),
  buildBeliefQuestion([], template('reflect-judge')),
  buildStatementQuestion([], template('reflect-settle')),
  buildSummaryQuestion('Ana', [], template('reflect-summary')),
  buildOperationsQuestion({ ...ASKED, types: MemoryTypes.load().all, template: template('extract') }),
  toolCallsQuestion({ prompt: { system: '', user: '' }, tools: BANK_LOOKUP_TOOLS }),
  toolCallsQuestion(
    makeDayFlushTurn('2026-03-01', [], { template: template('flush'), systemPrompt: null, prompt: null }),
  ),
].map(({ schema }) => schema);

/** Returns every nested schema, without names of properties. */
function nodes(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(schema)) return schema.flatMap(nodes);
  if (typeof schema !== 'object' || schema === null) return [];
  const entries = Object.entries(schema);
  const inner = entries.flatMap(([key, value]) =>
    key === 'properties' || key === '$defs' ? Object.values(value).flatMap(nodes) : nodes(value),
  );
  return [Object.fromEntries(entries), ...inner];
}

describe('the format of an answer', () => {
  test('uses only keywords that the grammar supports, and no bound that it would ignore', () => {
    for (const schema of [RICH, ...QUESTIONS]) {
      for (const node of nodes(answerFormat(schema).schema)) {
        expect(Object.keys(node).filter((key) => !HONOURED.has(key))).toEqual([]);
        if ('anyOf' in node) expect(Object.keys(node)).toEqual(['anyOf']);
        if (node.type === 'object') expect(node.additionalProperties).not.toBe(true);
        for (const key of ['maxLength', 'maxItems']) expect(Number(node[key] ?? 0)).toBeLessThanOrEqual(2_000);
      }
    }
  });

  test('puts the key that distinguishes union branches first, in alphabetical order too', () => {
    for (const schema of [RICH, ...QUESTIONS.slice(0, 2)]) {
      for (const { anyOf } of nodes(answerFormat(schema).schema)) {
        for (const branch of Array.isArray(anyOf) ? anyOf : []) {
          const keys = Object.keys(branch.properties);
          expect(branch.properties[keys.toSorted()[0] ?? '']).toHaveProperty('enum', [expect.any(String)]);
          expect(keys.toSorted()[0]).toBe(keys[0]);
        }
      }
    }
  });

  test('converts any output of the grammar into a value of the schema, in both orders of keys', () => {
    for (const schema of QUESTIONS) {
      const format = answerFormat(schema);
      for (let seed = 0; seed < 50; seed++) {
        const made = walkSchema(format.schema, { sorted: seed % 2 === 0, random: new Random(seed) });
        expect(schema.safeParse(format.fromWire(made))).not.toHaveProperty('error');
      }
    }
  });

  test('bounds every list, and every text, of each question', () => {
    for (const schema of QUESTIONS) {
      for (const node of nodes(answerFormat(schema).schema)) {
        if (node.type === 'array') expect(node).toMatchObject({ maxItems: expect.any(Number) });
        if (node.type === 'string') expect(node).toMatchObject({ maxLength: expect.any(Number) });
      }
      // The calling agent's own model is not bounded.
      expect(JSON.stringify(toJsonSchema(schema))).not.toMatch(/maxItems|maxLength/);
    }
  });

  test('lets a model cite only lines of the log', () => {
    const lines = [3, 9].map((from) => ({ ...LINE, from, to: from + 1 }));
    const [question] = buildInferQuestions(lines, '2026-03-01', template('infer'), 8_192);
    const { schema } = answerFormat(question?.schema ?? z.never());
    expect(nodes(schema).filter(({ type }) => type === 'integer')).toEqual(
      Array.from({ length: 2 }, () => ({ type: 'integer', minimum: 3, maximum: 10 })),
    );
  });

  test('is the whole schema for a model of another server', () => {
    expect(toJsonSchema(RICH)).toMatchObject({
      properties: { share: { minimum: 0, maximum: 1 }, name: { pattern: '^[a-z]+$' } },
    });
    expect(toJsonSchema(RICH)).not.toHaveProperty('$schema');
  });
});

test('parameters of a tool contain only what the server keeps', () => {
  const kept = new Set(['type', 'items', 'required', 'properties', 'anyOf', 'description', 'enum']);
  for (const node of nodes(toolParameters(RICH))) expect(Object.keys(node).filter((key) => !kept.has(key))).toEqual([]);
  expect(toolParameters(RICH)).toMatchObject({ properties: { step: { anyOf: [{}, {}] } } });
});
