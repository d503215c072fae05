import type { WatchEvent } from '../../upkeep/watch.js';
import { defineVerb } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

export const define = defineVerb({
  takes: {},
  more: `Runs until Ctrl-C. With --json, every event is one line of JSON. If you have
made vectors with "index --embed", this keeps them up to date too.
You do not need it: recall always reads changed files first. It only makes the
next recall faster.`,
  examples: ['watch'],
  run: async (context) => {
    const workspace = await openMemoryWorkspace(context);
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
