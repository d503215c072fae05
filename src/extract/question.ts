import * as z from 'zod';
import type { Question } from '../model/model.js';
import { renderPrompt } from '../model/model.js';
import { type OperationsJson, parseOperationsJson } from './operations/answer-text.js';
import type { MemoryField, MemoryType } from './types/memory-type.js';

const BLOCK = z.union([z.object({ search: z.string(), replace: z.string() }), z.object({ delete: z.string() })]);
const TEXT = z.union([z.string(), z.object({ blocks: z.array(BLOCK) })]);
const PAGE = z.union([z.int(), z.string()]);

/** The texts that make up a prompt. The prompt asks a model for operations on pages. */
interface QuestionParts {
  readonly id: string;
  readonly types: readonly MemoryType[];
  readonly template: string;
  readonly bank: string;
  readonly conversation: string;
  /** The lookups of the model so far with their results, oldest first. */
  readonly read: string;
  /** Whether the model may call tools now. Otherwise it must answer with operations. */
  readonly mayRead: boolean;
}

/**
 * Builds the question that asks a model for operations. The system prompt and the start of the user prompt stay the same
 * between calls, so that a server can reuse its prompt cache.
 */
export function buildOperationsQuestion(parts: QuestionParts): Question<OperationsJson> {
  const { id, types, template, bank, conversation, read, mayRead } = parts;
  const now = mayRead
    ? 'If you need to see more before you decide, call the tools now: all that you need, at once. If not, call none.'
    : 'Answer now with the JSON object of the operations and nothing else.';
  const prompt = renderPrompt(template, {
    data: { bank, conversation, read },
    text: {
      types: types.map(typeText).join('\n\n'),
      id: `Document ${id}`,
      asked: read === '' ? '' : 'What you asked for:',
      now,
    },
  });
  return {
    name: 'memory_operations',
    prompt: read === '' ? { ...prompt, user: prompt.user.replace(/<read>\s*<\/read>\s*/u, '') } : prompt,
    schema: answerSchema(types),
    recover: parseOperationsJson,
  };
}

/**
 * The answer has one array for each type, and `deletes` and `links`. The schema checks values only roughly: each value is
 * checked when it is applied.
 */
function answerSchema(types: readonly MemoryType[]) {
  const lists = Object.fromEntries(types.map((type) => [type.name, z.array(itemSchema(type)).optional()]));
  return z.looseObject({
    id: z.string().optional(),
    ...lists,
    deletes: z.array(z.looseObject({ page_id: PAGE, replacement: PAGE.nullish() })).optional(),
    links: z.array(z.looseObject({ from: PAGE, to: PAGE, link_type: z.string().optional() })).optional(),
  });
}

function itemSchema(type: MemoryType) {
  const fields = type.fields.map((field) => [field.name, fieldSchema(field).optional()] as const);
  return z.looseObject({
    page_id: PAGE.optional(),
    ...Object.fromEntries(fields),
    sources: z.array(z.string()).optional(),
  });
}

const SCHEMAS = {
  string: z.string(),
  int64: z.int(),
  float32: z.number(),
  bool: z.boolean(),
  list: z.array(z.string()),
} as const satisfies Readonly<Record<MemoryField['type'], z.ZodType>>;

function fieldSchema({ type, mergeOp }: MemoryField) {
  return type === 'string' && mergeOp === 'patch' ? TEXT : SCHEMAS[type];
}

const MODES: Readonly<Record<MemoryType['operationMode'], string>> = {
  upsert: '',
  add_only: ' Pages are only made, never changed.',
  update_only: ' Pages are only changed, never made.',
};
const HOW: Readonly<Partial<Record<MemoryField['mergeOp'], string>>> = {
  sum: ' (added)',
  avg: ' (averaged)',
  append_unique: ' (list; added to)',
};

function typeText({ name, description, operationMode, fields, guidelines, goodCases, badCases }: MemoryType): string {
  const lines = [
    `## ${name}`,
    `${description}${MODES[operationMode]}`,
    ...fields.map((field) => `- ${field.name}${HOW[field.mergeOp] ?? ''}: ${field.description}`),
    ...guidelines.map((line) => `* ${line}`),
    ...goodCases.map((line) => `Right: ${line}`),
    ...badCases.map((line) => `Wrong: ${line}`),
  ];
  return lines.join('\n');
}
