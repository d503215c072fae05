import { fail } from '../base/failure.js';

interface MemoryPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  text(given: Readonly<Record<string, string>>): string;
}

/** Prompts that a person can choose in a client. */
export const MCP_PROMPTS: readonly MemoryPrompt[] = [
  {
    name: 'before-you-answer',
    title: 'Before you answer',
    description: 'Look up what is known, and cite it',
    arguments: [{ name: 'question', description: 'what is asked', required: true }],
    text: ({ question = '' }) =>
      `Before you answer, call recall with this question, and once more in other words if little is found:\n\n` +
      `${question}\n\n` +
      'Answer from the results and cite their `source`. What `superseded` marks held before; prefer what holds now. ' +
      'Say plainly when nothing is known; do not guess.',
  },
  {
    name: 'end-of-session',
    title: 'End of the session',
    description: 'Save what must outlive this conversation',
    arguments: [{ name: 'session', description: 'id of the session, if it has a log', required: false }],
    text: ({ session }) =>
      'This conversation ends. Call retain once with what must outlive it: decisions, facts about people and things, ' +
      'what the user wants done in future. One whole sentence each, typed (W, B, O(c=…), S) with @names, nothing that ' +
      'recall already knows, no secrets, nothing that you only guess.' +
      (session ? ` Then call session_commit with session "${session}".` : ''),
  },
];

/** @throws MemoryError `not_found`, `usage` */
export function promptText(name: string, given: Readonly<Record<string, string>> = {}): string {
  const prompt = MCP_PROMPTS.find((one) => one.name === name);
  if (prompt === undefined)
    return fail('not_found', `there is no prompt "${name}"`, `known: ${MCP_PROMPTS.map((one) => one.name).join(', ')}`);
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name]);
  if (missing) fail('usage', `${name} needs ${missing.name}`, missing.description);
  return prompt.text(given);
}
