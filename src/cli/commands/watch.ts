import type { WatchEvent } from '../../upkeep/watch.js';
import { verb } from '../verb.js';
import { openFor } from '../workspace.js';

export const define = verb({
  takes: {},
  more: `Runs until Ctrl-C. With --json every event is one line of JSON. Makes vectors
too, once index --embed has made some.
recall finds changed files without it; this only spares the next one the work.`,
  examples: ['watch'],
  run: async (context) => {
    const workspace = await openFor(context);
    const onEvent = (event: WatchEvent) => context.out.line(context.out.json ? JSON.stringify(event) : text(event));
    await workspace.watch({ signal: context.signal, onEvent });
  },
});

function text(event: WatchEvent): string {
  if (event.event === 'ready') return `Watching ${event.files} files.`;
  if (event.event === 'failed') return `failed: ${event.message}`;
  if (event.event === 'embedded') return `embedded: ${event.texts} ${event.texts === 1 ? 'text' : 'texts'}`;
  return `${event.event}: ${event.path}`;
}
