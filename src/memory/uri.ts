/** `viking://user/{space}/memories/X` and the agent's are `bank/X` of this workspace, whatever the space. */
const MEMORIES = /^viking:\/\/(?:user|agent)\/(?:[^/]*\/)?memories(?:\/|$)/u;
const ANYWHERE = /^viking:\/\//u;

/** A path relative to the workspace, from itself or from a `viking://` URI. Nothing is checked. Pure. */
export function workspacePath(uri: string): string {
  const path = MEMORIES.test(uri) ? uri.replace(MEMORIES, 'bank/') : uri.replace(ANYWHERE, '');
  return path.replace(/\/+$/u, '');
}
