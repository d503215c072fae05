import { asRecord, isRecord, parseJson } from '../base/json.js';
import { shellLine, shellWord } from '../text/slug.js';
import type { CallFromHost } from './connect/record.js';

/** Hosts that run our command `hook` at certain moments of a conversation. */
export const HOOK_HOSTS = ['claude-code', 'generic'] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

/** An event at which a host calls us, and the number of seconds that it waits for us. */
interface HookMoment {
  readonly event: string;
  readonly seconds: number;
}

/**
 * The events at which a host calls us. Each has a time limit, because without a limit Claude Code waits only 1.5
 * seconds at `SessionEnd`.
 */
export const HOOK_MOMENTS: readonly HookMoment[] = [
  { event: 'SessionStart', seconds: 15 },
  { event: 'UserPromptSubmit', seconds: 15 },
  { event: 'PreCompact', seconds: 60 },
  { event: 'Stop', seconds: 30 },
  { event: 'SessionEnd', seconds: 30 },
];

/** The words with which a host calls us: our program, its workspace and its options. */
export function wordsOfCall({ program, workspace, options }: CallFromHost): readonly string[] {
  return [...program, '--workspace', workspace, ...options];
}

/**
 * The command line that a host runs at a hook.
 * @param more further options, for the end of the command line
 */
export function formatHookLine(calling: CallFromHost, host: HookHost, more: readonly string[] = []): string {
  return shellLine([...wordsOfCall(calling), 'hook', host, ...more]);
}

/**
 * The command that a host runs in a shell, possibly for years. If Node or this program has been removed, the command
 * does nothing and reports nothing. `calling.program` begins with the paths of both.
 */
export function formatHookCommand(calling: CallFromHost, host: HookHost, more?: readonly string[]): string {
  const [node = '', file = node] = calling.program;
  return `if [ -x ${shellWord(node)} ] && [ -e ${shellWord(file)} ]; then ${formatHookLine(calling, host, more)}; fi`;
}

/** Our hooks for the settings of Claude Code: each event with its entry. */
export function buildClaudeHooks(command: string): readonly (readonly [event: string, entry: object])[] {
  return HOOK_MOMENTS.map(({ event, seconds: timeout }) => [event, { hooks: [{ type: 'command', command, timeout }] }]);
}

/** Whether a hook of Claude Code calls us. Recognises the hooks that any version of our program has written. */
export function isOurHook(hook: unknown): boolean {
  return isRecord(hook) && /\bopenclaw(?:-memory)?\b.* hook claude-code(?:; fi)?$/u.test(String(hook.command));
}

/**
 * Whether the hooks of this user must do nothing, because the settings of a project call us for another workspace. The
 * host runs both hooks, and the conversation should only get the memory of the project.
 * @param settings texts of the project's settings files
 */
export function hasHookForOtherWorkspace(settings: readonly string[], workspace: string | undefined): boolean {
  const lines = findOurHooks(settings);
  return lines.length > 0 && !lines.some((line) => workspace !== undefined && line.includes(shellWord(workspace)));
}

/** The hook commands in settings files of Claude Code that call us. */
export function findOurHooks(settings: readonly string[]): readonly string[] {
  return settings.flatMap((text) => {
    const { hooks } = asRecord(parseJson(text));
    const entries = Object.values(asRecord(hooks)).flat();
    return entries
      .flatMap((entry) => asRecord(entry).hooks)
      .filter(isOurHook)
      .map((hook) => String(asRecord(hook).command));
  });
}
