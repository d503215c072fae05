import { join } from 'node:path';
import { parseJson } from '../../../base/json.js';
import { HOOK_HOSTS, type HookHost, isLeftToProject } from '../../../upkeep/hooks.js';
import { readTextIfThere } from '../../../workspace/files.js';
import type { CommandContext } from '../../command.js';
import { openToBegin } from '../../open.js';
import { verb } from '../../verb.js';

export const define = verb({
  takes: {
    host: {
      type: 'choice',
      noun: 'host',
      choices: HOOK_HOSTS,
      required: true,
      place: 'argument',
      doc: 'whose event it is',
    },
  },
  more: `Reads the event as JSON from standard input and goes by its hook_event_name:
UserPromptSubmit prints the memories for the prompt, PreCompact saves memories,
Stop and SessionEnd import the transcript. Always ends with exit code 0.`,
  examples: ['hook claude-code < event.json'],
  run: (context, { host }) => hook(context, host),
});

async function hook(context: CommandContext, host: HookHost): Promise<void> {
  const { io, out, signal } = context;
  try {
    const project = io.env.CLAUDE_PROJECT_DIR;
    if (host === 'claude-code' && project !== undefined) {
      const files = ['settings.local.json', 'settings.json'].map((name) => join(project, '.claude', name));
      const settings = files.map((file) => readTextIfThere(file) ?? '');
      if (isLeftToProject(settings, context.global.workspace)) return;
    }
    const { hostHook } = await import('../../../app/host-hook.js');
    const input = await readEvent(io.stdin);
    const { output, finish, warnings } = await hostHook(
      host,
      input,
      (limit) => openToBegin({ ...context, signal: limit }),
      signal,
    );
    for (const warning of warnings) out.warn(warning);
    if (output !== '') out.line(output);
    if (finish !== undefined) {
      const { startResume } = await import('../../background.js');
      startResume(context, finish.workspace, finish.session);
    }
  } catch (error) {
    out.warn(error instanceof Error ? error.message : String(error));
  }
}

/** So long a host may take to say what happens, in ms. */
const EVENT_MS = 3_000;

/** An event is no longer, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Of more chunks than these it is not asked whether they are whole. */
const MOST_CHUNKS = 100;

/** Reads an event. It is over when it is whole, also where a host leaves its end open; what never ends is cut short. */
function readEvent(stdin: CommandContext['io']['stdin']): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      clearTimeout(timer);
      stdin.removeAllListeners('data').pause();
      if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const timer = setTimeout(finish, EVENT_MS);
    stdin.on('data', (chunk: Buffer | string) => {
      chunks.push(Buffer.from(chunk));
      length += chunks.at(-1)?.length ?? 0;
      if (length > MOST_BYTES) return finish();
      const isEnd = chunks.length <= MOST_CHUNKS && chunks.at(-1)?.toString('utf8').trimEnd().endsWith('}');
      if (isEnd && parseJson(Buffer.concat(chunks).toString('utf8')) !== undefined) finish();
    });
    stdin.once('end', finish).once('error', reject);
  });
}
