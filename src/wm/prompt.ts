import * as z from 'zod';
import { parseRecord } from '../base/json.js';
import { list, type ReportFields, type ReportOf } from '../base/report.js';
import { PROMPT_FORM, toPromptForm } from '../model/answer.js';
import { boundedList, boundedText, inGrammar } from '../model/format.js';
import type { Prompt, Question } from '../model/model.js';
import { renderPrompt } from '../model/model.js';
import {
  isWorkingMemory,
  itemOfLine,
  parseDocument,
  renderSections,
  SECTION_NAMES,
  type SectionName,
  sizeReminders,
} from './document.js';
import { readAnswerValue } from './operations.js';

// In the schema, `op` is an enum with one value and not a constant. More programs that read JSON Schema understand an
// enum.
const OPERATION = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['KEEP']) }),
  z.strictObject({ op: z.enum(['UPDATE']), content: z.string() }),
  z.strictObject({ op: z.enum(['APPEND']), items: z.array(z.string()) }),
]);

/**
 * Maximum number of bullets of one operation, and of characters of a bullet, for a local model. A bound on the text of a
 * whole section would be too large for the grammar, so a section is a list of bullets.
 */
const MOST_BULLETS = 60;
const MOST_CHARACTERS = 400;

/** The operation of a local model. Its grammar writes the content of a section as a list; a text is read, too. */
const LOCAL_OPERATION = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(['KEEP']) }),
  z.strictObject({
    op: z.enum(['UPDATE']),
    content: inGrammar(z.union([z.string(), z.array(z.string())]), {
      type: 'array',
      items: { type: 'string', maxLength: MOST_CHARACTERS },
      maxItems: MOST_BULLETS,
    }),
  }),
  z.strictObject({ op: z.enum(['APPEND']), items: boundedList(boundedText(MOST_CHARACTERS), MOST_BULLETS) }),
]);

function operationsOn<S extends z.ZodType>(names: readonly SectionName[], operation: S) {
  return Object.fromEntries(names.map((name) => [name, operation]));
}

/** Schema of the expected answer: an operation for each of the seven sections and nothing else. */
export const WM_ANSWER_SCHEMA = z.strictObject({
  sections: z.strictObject(operationsOn(SECTION_NAMES, OPERATION)),
});

/**
 * Schema of a local model's answer about some of the sections. Its grammar allows no other sections. If an answer has
 * others, the parser drops them and does not reject the answer.
 */
function answerFor(names: readonly SectionName[]) {
  const sections = z.object(operationsOn(names, LOCAL_OPERATION)).meta({ additionalProperties: false });
  return z.strictObject({ sections });
}

/** The parts of a session message that a prompt shows. */
export interface TranscriptMessage {
  readonly role: string;
  readonly body: string;
}

/** The messages as a prompt shows them: `[role]: body`, one after the other. */
export function renderTranscript(messages: readonly TranscriptMessage[]): string {
  return messages.map(({ role, body }) => `[${role}]: ${body === '' ? '(no content)' : body}`).join('\n');
}

/** The texts of `templates/prompts/wm-update.md` and `wm-create.md`. */
export interface WmTemplates {
  readonly update: string;
  readonly create: string;
}

/** The prompt and schema for an answer with operations. `wm prompt --json` prints exactly this. */
export const WM_PROMPT = {
  ...PROMPT_FORM,
  reminders: list(),
} satisfies ReportFields;

export type WmPrompt = ReportOf<typeof WM_PROMPT>;

/** The question that asks a model for operations. `reminders`: the lines in its prompt about sections that are too large. */
interface WmQuestion extends Question<unknown> {
  readonly reminders: readonly string[];
}

/**
 * The question to a local model for the next Working Memory. If `old` is a Working Memory, it asks for an update. Otherwise
 * it asks for a new one, with `old` (an older free-form summary, or nothing) as earlier context.
 * @param names the sections to update, if not all of them fit into the prompt
 */
export function buildWmQuestion(
  old: string | null,
  messages: readonly TranscriptMessage[],
  templates: WmTemplates,
  names: readonly SectionName[] = SECTION_NAMES,
): WmQuestion {
  const { prompt, reminders } = buildPrompt(old, messages, templates, names);
  const { system, user } = prompt;
  return {
    name: 'wm_operations',
    prompt: { system: withListsOfBullets(system), user },
    schema: answerFor(names),
    recover: readAnswerValue,
    reminders,
  };
}

/** The prompt and schema for the calling agent's own model, which writes a section as one text. */
export function buildWmPrompt(
  old: string | null,
  messages: readonly TranscriptMessage[],
  templates: WmTemplates,
): WmPrompt {
  const { prompt, reminders } = buildPrompt(old, messages, templates, SECTION_NAMES);
  return { ...toPromptForm({ name: 'wm_operations', prompt, schema: WM_ANSWER_SCHEMA }), reminders };
}

function buildPrompt(
  old: string | null,
  messages: readonly TranscriptMessage[],
  templates: WmTemplates,
  names: readonly SectionName[],
): { readonly prompt: Prompt; readonly reminders: readonly string[] } {
  const transcript = renderTranscript(messages) || '(no messages)';
  if (!isWorkingMemory(old)) {
    const earlier = (old ?? '').trim() || '(none)';
    return {
      prompt: renderPrompt(templates.create, { data: { earlier_summary: earlier, transcript } }),
      reminders: [],
    };
  }
  const isWhole = names.length === SECTION_NAMES.length;
  const { bodies } = parseDocument(old);
  const reminders = sizeReminders(bodies).filter(
    (line) => isWhole || names.some((name) => line.startsWith(`"${name}"`)),
  );
  const asked = isWhole
    ? 'all seven sections'
    : `these sections and no others: ${names.map((name) => `"${name}"`).join(', ')}`;
  const prompt = renderPrompt(templates.update, {
    data: { working_memory: renderSections(bodies, names), transcript },
    text: { reminders: reminderBlock(reminders), asked },
  });
  return { prompt, reminders };
}

/** Writes the example answer of a system prompt as the grammar of a local model does: each content is a list of bullets. */
function withListsOfBullets(system: string): string {
  const asList = (key: string, value: unknown) =>
    key === 'content' && typeof value === 'string' ? value.split('\n').map(itemOfLine) : value;
  return system
    .split('\n')
    .map((line) => {
      const example = parseRecord(line);
      return example === undefined ? line : JSON.stringify(example, asList);
    })
    .join('\n');
}

function reminderBlock(reminders: readonly string[]): string {
  if (reminders.length === 0) return '';
  return `<section_size_warnings>\n${reminders.join('\n\n')}\n</section_size_warnings>`;
}
