import type { PromptForm } from '../../model/answer.js';

/** A question for the calling agent's own model, as one text. */
export function promptText({ system, user, schema, schemaName }: PromptForm): string {
  return `${system}\n\n${user}\n\nJSON schema of the answer (${schemaName}):\n${JSON.stringify(schema)}\n`;
}
