import { REFLECT } from '../../app/requests.js';
import { fail } from '../../base/failure.js';
import { CORE_EDITS } from '../../memory/core-edit.js';
import type { EntityView } from '../../recall/entity-view.js';
import type { ReflectReport } from '../../reflect/reflect.js';
import type { OpinionWhy } from '../../reflect/why.js';
import type { CoreReport, CoreView } from '../../retain/core.js';
import { type Tool, tool, withPaths } from '../tool.js';
import { RECALL_RESULT } from './results.js';

type Reflected = Pick<ReflectReport, 'run' | 'facts' | 'entities' | 'proposals' | 'written' | 'warnings'> & {
  readonly opinions: readonly object[];
  readonly conflicts: ReflectReport['conflicts'];
};

const CHANGED = { path: 'text', chars: 'number', budget: 'number', warnings: ['text'], written: ['text'] } as const;
const CORE =
  'The core file is always in the prompt and small: change it only for what must be known in every conversation.';

type Changed = Omit<CoreReport, 'changes'> & { readonly written: readonly string[] };

export const BANK_TOOLS: readonly Tool[] = [
  tool<EntityView & { readonly holds: object }>()({
    name: 'entity',
    title: 'What is known of an entity',
    description: 'Everything about one person, project or thing: its page, its facts newest first, who it goes with.',
    effect: 'reads',
    input: { name: { type: 'text', required: true, doc: 'a name, an alias or a slug' } },
    output: {
      name: 'text',
      slug: 'text',
      aliases: ['text'],
      page: { orNull: 'text' },
      summary: [{ text: 'text', source: 'text' }],
      facts: [RECALL_RESULT],
      related: [{ name: 'text', facts: 'number' }],
      timeline: [{ month: 'text', facts: 'number' }],
      firstMention: { orNull: 'text' },
      lastMention: { orNull: 'text' },
      holds: 'any',
    },
    run: async (memory, { name }) =>
      (await memory.entity(name)) ?? fail('not_found', `nothing is known of "${name}"`, 'use recall with other words'),
  }),
  tool<{ readonly opinions: readonly OpinionWhy[] }>()({
    name: 'opinion_why',
    title: 'Why a belief is believed',
    description: 'How the confidence of a belief came about: what it began with, and each fact that moved it.',
    effect: 'reads',
    input: { opinion: { type: 'text', required: true, doc: 'its id, or words of it' } },
    output: { opinions: 'any' },
    run: async (memory, { opinion }, signal) => ({
      opinions: await (await memory.reflection(signal)).why(opinion),
    }),
  }),
  tool<Reflected>()({
    name: 'reflect',
    title: 'Reflect',
    description:
      'Turn the facts since the last run into entity pages, and let beliefs follow the evidence. Takes a while; meant ' +
      'for the end of a day, not for a conversation. `proposals` wait for a person.',
    effect: 'writes',
    input: REFLECT,
    output: {
      run: 'text',
      facts: 'number',
      entities: ['text'],
      opinions: 'any',
      proposals: ['text'],
      conflicts: [{ path: 'text', block: 'text', reason: 'text' }],
      written: ['text'],
      warnings: ['text'],
    },
    run: async (memory, request, signal) => {
      const report = await (await memory.reflection(signal)).run(request);
      const { run, facts, entities, opinions, proposals, conflicts, written, warnings } = report;
      return { run, facts, entities, opinions, proposals, conflicts, written, warnings };
    },
  }),
  tool<CoreView>()({
    name: 'core_show',
    title: 'The core file',
    description: 'The core file as it is, with its size and budget in characters.',
    effect: 'reads',
    input: {},
    output: { path: 'text', text: 'text', chars: 'number', budget: 'number', warnings: ['text'] },
    run: (memory) => memory.core(),
  }),
  tool<Changed>()({
    name: 'core_append',
    title: 'Append to the core file',
    description: `Append lines to the core file, or to a section of it. ${CORE}`,
    effect: 'writes',
    input: CORE_EDITS.append,
    output: CHANGED,
    run: async (memory, edit) => withPaths(await memory.changeCore({ type: 'append', ...edit })),
  }),
  tool<Changed>()({
    name: 'core_replace',
    title: 'Replace in the core file',
    description: `Replace a text that stands exactly once in the core file. ${CORE}`,
    effect: 'removes',
    input: CORE_EDITS.replace,
    output: CHANGED,
    run: async (memory, edit) => withPaths(await memory.changeCore({ type: 'replace', ...edit })),
  }),
  tool<Changed>()({
    name: 'core_insert',
    title: 'Insert into the core file',
    description: `Insert lines after or before the line that has a text, or before a line by its number. ${CORE}`,
    effect: 'writes',
    input: CORE_EDITS.insert,
    output: CHANGED,
    run: async (memory, edit) => withPaths(await memory.changeCore({ type: 'insert', ...edit })),
  }),
];
