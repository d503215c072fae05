import { REFLECT_REQUEST } from '../../app/requests.js';
import { fail } from '../../base/failure.js';
import { list, object, text } from '../../base/report.js';
import { COUNT_FIELD_TYPE } from '../../base/request.js';
import { CORE_EDIT_FIELDS, checkCoreEdit } from '../../memory/core-edit.js';
import { ENTITY_VIEW } from '../../query/entity-view.js';
import { APPLIED_REPORT, REFLECT_PROMPT } from '../../reflect/by-agent.js';
import type { EntityState, StateCount } from '../../reflect/entity-state.js';
import type { ReflectReport } from '../../reflect/plan.js';
import { SETTLE_REQUEST, SETTLED_PAIR } from '../../reflect/settle.js';
import { CORE_VIEW } from '../../retain/core.js';
import { AGENT_ANSWER_FIELD } from '../../session/requests.js';
import { type McpTool, makeMcpTool, withWritten } from '../tool.js';

/** Maximum number of listed items, newest first. An entity may have hundreds of facts, a belief hundreds of steps. */
const MOST_LISTED = 10;
const { text: _text, ...CORE_STATE } = CORE_VIEW;
const {
  decisions: _decisions,
  dates: _dates,
  mentionCount: _count,
  lineCount: _lines,
  timeline: _timeline,
  summary: _summary,
  ...LISTED_OF_ENTITY
} = ENTITY_VIEW;
const CHANGED = { ...CORE_STATE, written: list() };
const { run, facts, entities, opinions, proposals, conflicts, written, warnings, partsLeft } = APPLIED_REPORT;
/** Maximum number of pairs that an agent judges in one turn. */
const MOST_PAIRS = 20;
const NEW = { type: 'text', doc: CORE_EDIT_FIELDS.replace.new.doc } as const;
const ACTIONS = ['show', 'append', 'replace', 'insert'] as const;
const CORE = 'It is small and in every prompt: write only what every conversation needs.';

// A dry run shows a diff. The answer of a tool has no diff, so this tool has no dry run.
const { dryRun: _, ...SAID } = SETTLE_REQUEST;
const { observe: __, ...REFLECT_INPUT } = REFLECT_REQUEST;

export const BANK_MCP_TOOLS: readonly McpTool[] = [
  makeMcpTool({
    name: 'entity',
    title: 'Entity',
    description: 'Show what is known about a person or thing, newest first.',
    effect: 'reads',
    input: { name: { type: 'text', required: true, doc: 'name or alias' } },
    output: { ...LISTED_OF_ENTITY, summary: text(), holds: object<EntityState>(), holdsCount: object<StateCount>() },
    unlisted: ['warnings', 'decisions', 'dates', 'mentionCount', 'lineCount', 'timeline'],
    run: async (memory, { name }) => {
      const known = await memory.entity(name, { facts: MOST_LISTED });
      if (known === undefined)
        return fail('not_found', `nothing is known about "${name}"`, 'use recall with other words');
      return { ...known, summary: known.summary.map(({ text }) => text).join('\n') };
    },
  }),
  makeMcpTool({
    name: 'opinion_why',
    title: 'Why a belief is believed',
    description: 'Explain the confidence of a belief: its first value, and each fact that changed it.',
    effect: 'reads',
    input: { opinion: { type: 'text', required: true, doc: 'id of the belief, or words of it' } },
    output: { opinions: list<object>() },
    run: async (memory, { opinion }, signal) => {
      const opinions = await (await memory.reflection(signal)).why(opinion);
      const newest = ({ curve, steps, ...about }: (typeof opinions)[number]) => {
        const stepsCount = steps.length;
        return { ...about, curve: curve.slice(-MOST_LISTED), steps: steps.slice(-MOST_LISTED), stepsCount };
      };
      return { opinions: opinions.map(newest) };
    },
  }),
  makeMcpTool({
    name: 'settle',
    title: 'Settle',
    description: "Save whether a later statement replaces an earlier one. A person's decision counts more.",
    effect: 'writes',
    input: SAID,
    output: withWritten(SETTLED_PAIR),
    run: (memory, request) => memory.settle(request, 'agent'),
  }),
  makeMcpTool({
    name: 'reflect',
    title: 'Reflect',
    description:
      'Turn the facts since the last run into entity pages, and update beliefs from their evidence. It is slow: use it ' +
      'at the end of a day. A person decides about the `proposals`.',
    effect: 'writes',
    input: REFLECT_INPUT,
    output: { run, facts, entities, opinions, proposals, conflicts, written, warnings },
    run: async (memory, request, signal) => withFewOpinions(await (await memory.reflection(signal)).run(request)),
  }),
  makeMcpTool({
    name: 'reflect_prompt',
    title: 'Prompt for a reflection',
    description:
      `Get the prompt that asks you what new facts do to older facts and beliefs: the ${MOST_PAIRS} newest open \`pairs\`. ` +
      'Ask once a day, and answer with reflect_apply.',
    effect: 'reads',
    input: {},
    output: REFLECT_PROMPT,
    run: async (memory, _request, signal) => (await memory.reflection(signal)).prompt({ maxPairs: MOST_PAIRS }),
  }),
  makeMcpTool({
    name: 'reflect_apply',
    title: 'Reflect with your verdicts',
    description: 'Reflect with your answer to reflect_prompt. The rules judge the other facts.',
    effect: 'writes',
    input: AGENT_ANSWER_FIELD,
    output: { opinions, proposals, written, partsLeft, warnings },
    run: async (memory, { answer }, signal) =>
      withFewOpinions(await (await memory.reflection(signal)).apply(answer, { maxPairs: MOST_PAIRS })),
  }),
  makeMcpTool({
    name: 'core_show',
    title: 'The core file',
    description: 'Show the core file, with its size and budget in characters.',
    effect: 'reads',
    input: {},
    output: CORE_VIEW,
    run: (memory) => memory.core(),
  }),
  makeMcpTool({
    name: 'core',
    title: 'The core file',
    description: `Show the core file, or change it. ${CORE}`,
    effect: 'removes',
    input: {
      action: { type: 'choice', noun: 'action', choices: ACTIONS, required: true, doc: 'what to do' },
      text: { type: 'text', doc: 'append, insert: the new lines' },
      old: { type: 'text', doc: 'replace: the old text, which occurs once' },
      new: { type: 'text', doc: 'replace: the new text; empty removes the old one' },
      section: { type: 'text', isNeverEmpty: true, doc: 'append: at the end of this section' },
      after: { type: 'text', isNeverEmpty: true, doc: 'insert: after the line with this text' },
      before: { type: 'text', isNeverEmpty: true, doc: 'insert: before the line with this text' },
      line: { ...COUNT_FIELD_TYPE, doc: 'insert: before this line' },
    },
    output: CORE_STATE,
    unlisted: ['text', 'written'],
    run: async (memory, { action, ...given }) => {
      if (action === 'show') return memory.core();
      const edit: unknown = { type: action, ...given };
      checkCoreEdit(edit);
      return memory.changeCore(edit);
    },
  }),
  makeMcpTool({
    name: 'core_append',
    title: 'Append to the core file',
    description: `Append lines to the core file, or to a section of it. ${CORE}`,
    effect: 'writes',
    input: CORE_EDIT_FIELDS.append,
    output: CHANGED,
    run: (memory, edit) => memory.changeCore({ type: 'append', ...edit }),
  }),
  makeMcpTool({
    name: 'core_replace',
    title: 'Replace in the core file',
    description: `Replace a text that occurs exactly once in the core file. ${CORE}`,
    effect: 'removes',
    input: { ...CORE_EDIT_FIELDS.replace, new: NEW, text: { ...NEW, doc: 'the same as new' } },
    output: CHANGED,
    run: async (memory, { old, text, new: made = text }) => {
      const edit: unknown = { type: 'replace', old, new: made };
      checkCoreEdit(edit);
      return memory.changeCore(edit);
    },
  }),
  makeMcpTool({
    name: 'core_insert',
    title: 'Insert into the core file',
    description: `Insert lines before or after the line with a given text, or before a line number. ${CORE}`,
    effect: 'writes',
    input: CORE_EDIT_FIELDS.insert,
    output: CHANGED,
    run: (memory, edit) => memory.changeCore({ type: 'insert', ...edit }),
  }),
];

function withFewOpinions<R extends Pick<ReflectReport, 'opinions' | 'warnings'>>(report: R): R {
  const opinions = report.opinions.slice(0, MOST_LISTED);
  const left = report.opinions.length - opinions.length;
  const more = left > 0 ? [`${left} more opinions are in bank/opinions.md`] : [];
  return { ...report, opinions, warnings: [...report.warnings, ...more] };
}
