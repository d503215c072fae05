import { Random } from '../random.js';
import type { FaultSwitches } from './faults.js';
import type { FakeModel } from './model.js';
import type { ChatMessage } from './prompt.js';
import { record, walkSchema } from './walk.js';
import { goJson } from './wire.js';

interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** The answer of the model: given by a test, or computed. */
export interface Reply {
  readonly content?: string;
  readonly thinking?: string;
  readonly calls?: readonly ToolCall[];
}

interface ReplyRequest {
  readonly model: FakeModel;
  readonly messages: readonly ChatMessage[];
  readonly format: unknown;
  readonly tools: readonly unknown[];
  readonly think: boolean;
  readonly seed: number;
}

/** The model's own answer: a value of the schema, else a call of the first tool, else a sentence. */
export function computedReply({ model, messages, format, tools, think, seed }: ReplyRequest): Reply {
  const random = new Random(seed + (messages.at(-1)?.content.length ?? 0));
  const options = { sorted: model.mode === 'native', random };
  const thoughts = think ? { thinking: 'Let me think about this.' } : {};
  if (format === 'json') return { ...thoughts, content: '{"answer":"plain text"}' };
  // A format makes the server drop the tools.
  if (record(format) !== undefined) return { ...thoughts, content: JSON.stringify(walkSchema(format, options)) };
  const tool = record(record(tools[0])?.function);
  if (tool !== undefined) {
    return {
      ...thoughts,
      content: '',
      calls: [{ name: String(tool.name), arguments: walkSchema(tool.parameters, options) }],
    };
  }
  return { ...thoughts, content: `You said: ${messages.at(-1)?.content.slice(0, 200) ?? ''}` };
}

/** Returns the reply of a bad model, by the active faults. */
export function spoil(reply: Reply, faults: FaultSwitches): Reply {
  const content = reply.content ?? '';
  if (faults.strikes('wrong-schema')) return { content: '{"something":"else"}' };
  if (faults.strikes('prose'))
    return { content: `Sure! Here is the JSON you asked for:\n\n${content}\n\nI hope it helps.` };
  if (faults.strikes('fence')) return { content: `\`\`\`json\n${content}\n\`\`\`` };
  if (faults.strikes('broken-json'))
    return { content: `${content.replace(/"(\w+)":/gu, "'$1':").replace(/\}$/u, ',}')}` };
  if (faults.strikes('think-leak')) return { content: `<think>\nIt could be {"a": 1}.\n</think>\n\n${content}` };
  if (faults.strikes('think-only')) return { content: '', thinking: 'It could be {"a": 1}.' };
  if (faults.strikes('empty-content')) return { content: '' };
  if (faults.strikes('whitespace-flood')) return { content: `{\n${' \n'.repeat(50_000)}` };
  if (faults.strikes('empty-tool-calls')) return { content: '', calls: [] };
  return spoilCalls(reply, faults);
}

function spoilCalls(reply: Reply, faults: FaultSwitches): Reply {
  const [call] = reply.calls ?? [];
  if (call === undefined) return reply;
  if (faults.strikes('call-in-content')) {
    return {
      content: `I will save this.\n\`\`\`json\n${goJson({ name: call.name, arguments: call.arguments })}\n\`\`\``,
    };
  }
  if (faults.strikes('unknown-tool')) return { calls: [{ name: 'rm_rf', arguments: {} }] };
  if (faults.strikes('wrong-argument-types'))
    return { calls: [{ name: call.name, arguments: { text: 42, more: [null] } }] };
  if (faults.strikes('two-calls')) return { calls: [call, call] };
  return reply;
}
