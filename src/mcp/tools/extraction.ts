import { EXTRACT_PROMPT } from '../../app/requests.js';
import type { ApplyReport } from '../../extract/apply.js';
import type { ExtractPrompt } from '../../extract/extract.js';
import { type Tool, tool } from '../tool.js';

interface Prompted {
  /** Null when nothing is left to extract. */
  readonly prompt: ExtractPrompt | null;
}

type Applied = Pick<ApplyReport, 'run' | 'document' | 'pages' | 'already' | 'rejected'>;

/** Typed pages out of a conversation, by the calling agent's own model. */
export const EXTRACTION_TOOLS: readonly Tool[] = [
  tool<Prompted>()({
    name: 'extract_prompt',
    title: 'Prompt for an extraction',
    description:
      'The prompt that asks you for the lasting memories in a conversation (profile, preferences, events, lessons) as ' +
      'operations on typed pages; answer each of its `parts` with extract_apply. Null when nothing is left.',
    effect: 'reads',
    input: EXTRACT_PROMPT,
    output: { any: ['prompt'] },
    run: async (memory, request, signal) => ({ prompt: await (await memory.extraction(signal)).prompt(request) }),
  }),
  tool<Applied>()({
    name: 'extract_apply',
    title: 'Write what was extracted',
    description:
      'Carry out your answer to extract_prompt on the pages of the bank, exactly once. `rejected` says what was not ' +
      'accepted, and why. May change and remove what pages say; a run can be taken back.',
    effect: 'removes',
    input: {
      answer: { type: 'text', required: true, doc: 'the answer, as JSON of the schema that the prompt came with' },
      dryRun: { type: 'boolean', doc: 'write nothing' },
    },
    output: { string: ['document'], array: ['pages', 'already', 'rejected'], any: ['run'] },
    run: async (memory, { answer, dryRun }, signal) => {
      const { run, document, pages, already, rejected } = await (await memory.extraction(signal)).apply(answer, dryRun);
      return { run, document, pages, already, rejected };
    },
  }),
];
