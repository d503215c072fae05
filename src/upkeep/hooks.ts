import { asRecord, isRecord, parseJson } from '../base/json.js';
import { shellLine, shellWord } from '../text/shell.js';

/** Hosts of agents that call one command at moments of a conversation. */
export const HOOK_HOSTS = ['claude-code', 'generic'] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

/** An event at which a host calls us, and how long it waits, in seconds. */
export interface HookMoment {
  readonly event: string;
  readonly seconds: number;
}

/** Claude Code allows `SessionEnd` only 1.5 seconds unless the hook sets a timeout. */
export const HOOK_MOMENTS: readonly HookMoment[] = [
  { event: 'SessionStart', seconds: 15 },
  { event: 'UserPromptSubmit', seconds: 15 },
  { event: 'PreCompact', seconds: 60 },
  { event: 'Stop', seconds: 30 },
  { event: 'SessionEnd', seconds: 30 },
];

/** The words that start the program, and its options. */
export interface HookProgram {
  readonly program: readonly string[];
  readonly options: readonly string[];
}

/**
 * The command line that a host runs.
 * @param more options of the command
 */
export function hookLine({ program, options }: HookProgram, host: HookHost, more: readonly string[] = []): string {
  return shellLine([...program, ...options, 'hook', host, ...more]);
}

/**
 * The command for a host that runs it in a shell, possibly for years: does nothing, silently, once Node or this program is
 * removed. Their paths are the first two words.
 */
export function hookCommand(called: HookProgram, host: HookHost, more?: readonly string[]): string {
  const [node = '', file = node] = called.program;
  return `if [ -x ${shellWord(node)} ] && [ -e ${shellWord(file)} ]; then ${hookLine(called, host, more)}; fi`;
}

/** Our hooks for the settings of Claude Code, by event. */
export function claudeEntries(command: string): readonly (readonly [event: string, entry: object])[] {
  return HOOK_MOMENTS.map(({ event, seconds: timeout }) => [event, { hooks: [{ type: 'command', command, timeout }] }]);
}

/** Whether a hook of Claude Code calls us, in the form of any version. */
export function isOurHook(hook: unknown): boolean {
  return isRecord(hook) && /\bopenclaw(?:-memory)?\b.* hook claude-code(?:; fi)?$/u.test(String(hook.command));
}

/**
 * Whether the settings of a project call us for another workspace. The host runs both hooks, and the conversation should
 * then get only the memory of the project.
 * @param settings texts of the project's settings files
 */
export function isLeftToProject(settings: readonly string[], workspace: string | undefined): boolean {
  const lines = ourHooks(settings);
  return lines.length > 0 && !lines.some((line) => workspace !== undefined && line.includes(shellWord(workspace)));
}

/** Our commands in settings files of Claude Code. */
export function ourHooks(settings: readonly string[]): readonly string[] {
  return settings.flatMap((text) => {
    const { hooks } = asRecord(parseJson(text));
    const entries = Object.values(asRecord(hooks)).flat();
    return entries
      .flatMap((entry) => asRecord(entry).hooks)
      .filter(isOurHook)
      .map((hook) => String(asRecord(hook).command));
  });
}
