import * as z from 'zod';
import { isRecord, parseJson, parseRecord, type UnknownFields } from '../base/json.js';
import { checkAnswerLeniently, findJsonCandidates, withoutThoughts } from './answer.js';
import { toolParameters, toZodType } from './format.js';
import type { AnswerIssue, ModelTool, Question, ToolAnswer, ToolCall, ToolTurn } from './model.js';
import type { ChatReply } from './ollama/ollama.js';

/** Formats tools as the server expects them. */
export function toolList(tools: readonly ModelTool<unknown>[]): readonly UnknownFields[] {
  return tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: toolParameters(schema) },
  }));
}

/**
 * Reads the tool calls of an answer, also those that are written as text. A call of an unknown tool or with wrong arguments
 * is refused, and the other calls are kept. Returns `undefined` if all calls are refused.
 */
export function readToolCalls<T>(
  { calls: called, content }: Pick<ChatReply, 'calls' | 'content'>,
  tools: readonly ModelTool<T>[],
): ToolAnswer<T> | undefined {
  const inText = called.length > 0 ? [] : callsInText(content, tools);
  const calls: ToolCall<T>[] = [];
  const refused: string[] = [];
  for (const { name, arguments: given } of [...called, ...inText]) {
    const tool = tools.find((one) => one.name === name);
    const checked = tool === undefined ? undefined : checkAnswerLeniently(tool.schema, asObject(given), 'drop');
    if (checked === undefined) refused.push(`there is no tool ${JSON.stringify(name)}`);
    else if (!checked.success) refused.push(`${name}: ${problemOf(checked.error.issues)}`);
    else {
      // Some models repeat each call. Keep one of them.
      const call = { tool: name, arguments: checked.data };
      if (!calls.some((other) => JSON.stringify(other) === JSON.stringify(call))) calls.push(call);
    }
  }
  if (calls.length === 0 && refused.length > 0) return undefined;
  const text = inText.length > 0 ? '' : withoutThoughts(content).trim();
  return { calls, text, ...(refused.length > 0 && { refused }) };
}

function problemOf([issue]: readonly AnswerIssue[]): string {
  return issue === undefined ? 'its arguments are wrong' : `${issue.path.map(String).join('.')}: ${issue.message}`;
}

/** Turns a prompt with tools into a question with a JSON answer, for a model that can't call tools. */
export function toolCallsQuestion<T>({ prompt, tools, maxTokens }: ToolTurn<T>): Question<ToolAnswer<T>> {
  const branches = tools.map(({ name, schema }) =>
    z.strictObject({ tool: z.literal(name), arguments: toZodType(schema) }),
  );
  const call = branches.length === 1 ? branches[0] : z.union(branches);
  if (call === undefined) throw new Error('a turn with tools has some');
  const offered = tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  const ask = `Tools:\n${offered}\n\nAnswer with {"calls": [{"tool": NAME, "arguments": {...}}]}; [] calls none.`;
  return {
    name: 'tool_calls',
    prompt: { system: [prompt.system, ask].filter((part) => part !== '').join('\n\n'), user: prompt.user },
    schema: z.strictObject({ calls: z.array(call) }).transform(({ calls }) => ({ calls, text: '' })),
    recover: (text) => {
      const calls = listedCalls(text);
      return calls === undefined ? undefined : readToolCalls({ calls, content: '' }, tools);
    },
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** Maximum number of characters of an invalid call that a message shows. */
const MOST_SHOWN = 60;

/** Reads the calls of a {@link toolCallsQuestion} answer, without checking them. */
function listedCalls(text: string): ChatReply['calls'] | undefined {
  for (const candidate of findJsonCandidates(text)) {
    const list = parseRecord(candidate)?.calls;
    if (Array.isArray(list))
      return list.map((call: unknown) =>
        isRecord(call)
          ? { name: String(call.tool), arguments: call.arguments }
          : { name: String(JSON.stringify(call)).slice(0, MOST_SHOWN), arguments: undefined },
      );
  }
  return undefined;
}

function callsInText(content: string, tools: readonly ModelTool<unknown>[]): ChatReply['calls'] {
  const tagged = [...content.matchAll(TAGGED)].map(([, inner = '']) => inner);
  for (const candidate of tagged.length > 0 ? [`[${tagged.join()}]`] : findJsonCandidates(content)) {
    const value = parseJson(candidate);
    const entries = Array.isArray(value) ? value : [value];
    const calls = entries.flatMap((entry) => callOf(entry, tools) ?? []);
    if (calls.length > 0 && calls.length === entries.length) return calls;
  }
  return [];
}

// Tool calls as text, as several model families write them.
const TAGGED = /<tool_call>([^<]*(?:<(?!\/tool_call>)[^<]*)*)<\/tool_call>/gu;

function callOf(value: unknown, tools: readonly ModelTool<unknown>[]): ChatReply['calls'][number] | undefined {
  if (!isRecord(value)) return undefined;
  const inner = isRecord(value.function) ? value.function : value;
  const name = inner.name ?? inner.tool;
  const given = inner.arguments ?? inner.parameters;
  const known = typeof name === 'string' && tools.some((tool) => tool.name === name);
  return known && given !== undefined ? { name, arguments: given } : undefined;
}

/** Arguments should be an object; some models send them as JSON text. */
function asObject(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
}
