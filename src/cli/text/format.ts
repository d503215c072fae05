import type { PromptForm } from '../../model/answer.js';

/** Formats a count: `1 message`, `2 messages`. */
export function formatNumberOf(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** Formats a question for the calling agent's own model as one text. */
export function formatPrompt({ system, user, schema, schemaName }: PromptForm): string {
  return `${system}\n\n${user}\n\nJSON schema of the answer (${schemaName}):\n${JSON.stringify(schema)}\n`;
}
