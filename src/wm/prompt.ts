import type { Question } from '../model/model.js';
import { renderPrompt } from '../model/prompts.js';
import { type PromptForm, promptForm } from '../model/question.js';
import { isWorkingMemory, parseDocument, renderDocument } from './document.js';
import { answerValue } from './operations.js';
import { sizeReminders } from './reminders.js';
import { ANSWER } from './schema.js';
import { type Message, renderTranscript } from './transcript.js';

/** The texts of `templates/prompts/wm-update.md` and `wm-create.md`. */
export interface WmTemplates {
  readonly update: string;
  readonly create: string;
}

/** What a model or an agent needs to answer with operations. `wm prompt --json` prints exactly this. */
export interface WmPrompt extends PromptForm {
  readonly reminders: readonly string[];
}

/** The question for the operations, and the reminders in it. */
export interface WmQuestion extends Question<unknown> {
  readonly reminders: readonly string[];
}

/**
 * The question for the next Working Memory: an update of `old` when it is one, else its creation with `old` as earlier
 * context (an older free-form summary, or nothing).
 */
export function wmQuestion(old: string | null, messages: readonly Message[], templates: WmTemplates): WmQuestion {
  const transcript = renderTranscript(messages) || '(no messages)';
  const common = { name: 'wm_operations', schema: ANSWER, recover: answerValue };
  if (!isWorkingMemory(old)) {
    const earlier = (old ?? '').trim() || '(none)';
    const prompt = renderPrompt(templates.create, { data: { earlier_summary: earlier, transcript } });
    return { ...common, prompt, reminders: [] };
  }
  const { bodies } = parseDocument(old);
  const reminders = sizeReminders(bodies);
  const prompt = renderPrompt(templates.update, {
    data: { working_memory: renderDocument(bodies).trimEnd(), transcript },
    text: { reminders: reminderBlock(reminders) },
  });
  return { ...common, prompt, reminders };
}

/** The same to be printed. */
export function buildWmPrompt(old: string | null, messages: readonly Message[], templates: WmTemplates): WmPrompt {
  const question = wmQuestion(old, messages, templates);
  return { ...promptForm(question), reminders: question.reminders };
}

function reminderBlock(reminders: readonly string[]): string {
  if (reminders.length === 0) return '';
  return `<section_size_warnings>\n${reminders.join('\n\n')}\n</section_size_warnings>`;
}
