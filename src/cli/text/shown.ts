import type { Workspace } from '../../app/workspace.js';
import type { PromptForm } from '../../model/answer.js';
import type { CommandContext } from '../command.js';

/** `1 message`, `2 messages`. */
export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** A question for the calling agent's own model, as one text. */
export function promptText({ system, user, schema, schemaName }: PromptForm): string {
  return `${system}\n\n${user}\n\nJSON schema of the answer (${schemaName}):\n${JSON.stringify(schema)}\n`;
}

/** Text styles of a terminal; with colours off they leave the text as it is. */
export function paint(colour: boolean) {
  const style = (open: number, close: number) => (text: string) =>
    colour && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: style(1, 22), dim: style(2, 22) };
}

/**
 * Ids as a person reads them: their shortest beginnings; whole in JSON. Where there is no index to ask they are whole,
 * too: what was done is told in any case.
 */
export async function readableIds(
  { out }: CommandContext,
  workspace: Workspace,
  ids: Iterable<string | null | undefined>,
): Promise<(id: string) => string> {
  const meant = [...ids].filter((id) => id !== null && id !== undefined);
  if (out.json || meant.length === 0) return (id) => id;
  try {
    const short = await workspace.shortIds(meant);
    return (id) => short.get(id) ?? id;
  } catch {
    return (id) => id;
  }
}
