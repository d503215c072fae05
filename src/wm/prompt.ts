import { isWorkingMemory, parseDocument, renderDocument } from './document.js';
import { sizeReminders } from './reminders.js';
import { answerSchema } from './schema.js';
import { type Message, renderTranscript } from './transcript.js';

/** The texts of `templates/prompts/wm-update.md` and `wm-create.md`. */
export interface WmTemplates {
  readonly update: string;
  readonly create: string;
}

/** What a model or an agent needs to answer with operations. `wm prompt --json` prints exactly this. */
export interface WmPrompt {
  readonly prompt: string;
  /** JSON schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly reminders: readonly string[];
}

/**
 * The prompt for the next Working Memory: an update of `old` when it is one, else its creation with `old` as earlier
 * context (an older free-form summary, or nothing).
 */
export function buildWmPrompt(old: string | null, messages: readonly Message[], templates: WmTemplates): WmPrompt {
  const parsed = parseDocument(old);
  const update = isWorkingMemory(old);
  const reminders = update ? sizeReminders(parsed.bodies) : [];
  const prompt = fill(update ? templates.update : templates.create, {
    reminders: reminderBlock(reminders),
    working_memory: asData(update ? renderDocument(parsed.bodies).trimEnd() : (old ?? '').trim() || '(none)'),
    transcript: asData(renderTranscript(messages) || '(no messages)'),
  });
  return { prompt, schema: answerSchema(), reminders };
}

function reminderBlock(reminders: readonly string[]): string {
  if (reminders.length === 0) return '';
  return `<section_size_warnings>\n${reminders.join('\n\n')}\n</section_size_warnings>`;
}

// One pass, so that a placeholder inside the data stays what it is. An empty one takes its line with it.
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template
    .replace(/\{\{(\w+)\}\}/gu, (placeholder, name: string) => values[name] ?? placeholder)
    .replace(/^([^\n]*\n)\n\n\n/u, '$1\n');
}

const TAGS = ['working_memory', 'earlier_summary', 'transcript', 'section_size_warnings'];
// A tag is a tag to a model also in capitals, with spaces, or with invisible characters in it.
const FENCE = new RegExp(
  `<(?=[\\s\\p{Cf}]{0,9}/?[\\s\\p{Cf}]{0,9}(?:${TAGS.map((tag) => [...tag].join('\\p{Cf}{0,3}')).join('|')}))`,
  'giu',
);

/** Somebody's text as data between our tags: it can neither close them nor open one of its own. */
function asData(text: string): string {
  return text.replace(FENCE, '&lt;');
}
