import { BUILD, type BuiltContext } from '../../context/build.js';
import { type Tool, tool } from '../tool.js';

const { trigger, about, withCore } = BUILD;

export const CONTEXT_TOOLS: readonly Tool[] = [
  tool<Pick<BuiltContext, 'injected' | 'block' | 'warnings'>>()({
    name: 'context_build',
    title: 'Memories for a message',
    description:
      "The block of memories to put before a user's message: what is known about what it says, and lessons of earlier " +
      'work when it is a task. To answer a question, use recall.',
    effect: 'reads',
    input: {
      message: { type: 'text', required: true, doc: 'what the user said' },
      before: {
        type: 'list',
        of: { type: 'record' },
        doc: '{"role", "content"} each: the messages before it, oldest first',
      },
      trigger,
      about,
      withCore,
    },
    output: { string: ['block'], boolean: ['injected'], array: ['warnings'] },
    run: async (memory, { message, before = [], ...rest }, signal) => {
      const { injected, block, warnings } = await memory.buildContext(
        {
          ...rest,
          messages: [
            ...before.map((said) => ({ content: undefined, ...said, role: String(said.role) })),
            { role: 'user', content: message },
          ],
        },
        signal,
      );
      return { injected, block, warnings };
    },
  }),
];
