import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { OpenWorkspaceOptions } from '../app/find.js';
import { openLocalWorkspace } from '../app/workspace.js';
import { createServer } from './server.js';
import { WarmIndex } from './warm-index.js';

export interface ServeOptions {
  readonly workspace: OpenWorkspaceOptions;
  readonly isReadOnly: boolean;
  /** Ends it, as the client does by closing its end. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/** Serves the protocol on standard input and output until the client closes it. Nothing else may write there. */
export async function serve({ workspace, isReadOnly, signal, onWarning }: ServeOptions): Promise<void> {
  const index = new WarmIndex((why) => onWarning(`${why}: every answer looks at every file`));
  const server = createServer({
    open: (ending) => openLocalWorkspace({ ...workspace, signal: ending }, index.open),
    isReadOnly,
  });
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await server.connect(transport);
    await ended;
    await server.close();
  } finally {
    index.close();
  }
}
