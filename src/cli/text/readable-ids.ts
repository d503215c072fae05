import type { Workspace } from '../../app/api/workspace.js';
import type { CommandContext } from '../command.js';

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
