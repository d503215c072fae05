import { BUILD, type BuiltContext } from '../../context/build.js';
import { type Tool, tool } from '../tool.js';

const { messages: _, bypass: __, ...ABOUT } = BUILD;

export const CONTEXT_TOOLS: readonly Tool[] = [
  tool<Omit<BuiltContext, 'messages'>>()({
    name: 'context_build',
    title: 'Memories for a message',
    description:
      "The block of memories to put before a user's message: what is known about what it says, and lessons of earlier " +
      'work when it is a task. For hosts and agents that prepare a turn; to answer a question, use recall.',
    effect: 'reads',
    input: {
      message: { type: 'text', required: true, doc: 'what the user said' },
      before: {
        type: 'list',
        of: { type: 'record' },
        doc: '{"role", "content"} each: the messages before it, oldest first; "continue" means the task that they name',
      },
      ...ABOUT,
    },
    output: {
      injected: 'yes/no',
      block: 'text',
      sections: { experiences: 'any', longTerm: 'any' },
      gate: 'any',
      warnings: ['text'],
      timings: { total: 'number' },
    },
    run: async (memory, { message, before = [], ...about }, signal) => {
      const { messages: __, ...built } = await memory.buildContext(
        {
          ...about,
          messages: [
            ...before.map((said) => ({ content: undefined, ...said, role: String(said.role) })),
            { role: 'user', content: message },
          ],
        },
        signal,
      );
      return built;
    },
  }),
];
