import { fail } from '../base/failure.js';
import { type Fields, isRecord, parseJson } from '../base/json.js';
import { shellLine } from './schedule/quote.js';

/** Hosts of agents that call one verb at moments of a conversation. */
export const HOOK_HOSTS = ['claude-code', 'generic'] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

/** A moment that a host calls at, and how long it waits, in seconds. */
export interface HookMoment {
  readonly event: string;
  readonly seconds: number;
}

/** Of these Claude Code gives `SessionEnd` 1.5 seconds unless the hook says more. */
export const HOOK_MOMENTS: readonly HookMoment[] = [
  { event: 'SessionStart', seconds: 15 },
  { event: 'UserPromptSubmit', seconds: 15 },
  { event: 'PreCompact', seconds: 60 },
  { event: 'Stop', seconds: 30 },
  { event: 'SessionEnd', seconds: 30 },
];

/** How the program is started with its options, as words. */
export interface HookProgram {
  readonly program: readonly string[];
  readonly options: readonly string[];
}

/** The line that a host runs. */
export function hookLine({ program, options }: HookProgram, host: HookHost): string {
  return shellLine([...program, ...options, 'hook', host]);
}

/** The part of Claude Code's settings that calls us. */
export function claudeHooks(command: string): { readonly hooks: Readonly<Record<string, readonly object[]>> } {
  const entries = HOOK_MOMENTS.map(({ event, seconds }) => [event, [entryOf(command, seconds)]] as const);
  return { hooks: Object.fromEntries(entries) };
}

function entryOf(command: string, timeout: number): object {
  return { hooks: [{ type: 'command', command, timeout }] };
}

/**
 * Claude Code's settings with our hooks in them: every other key stays, a hook of ours that is there already is brought
 * up to date. Undefined when there is nothing to change. Pure.
 * @param text the settings as they are; undefined when there is no such file
 * @throws MemoryError `invalid` when they are no JSON object
 */
export function withClaudeHooks(text: string | undefined, command: string): string | undefined {
  const settings = readSettings(text);
  const before = isRecord(settings.hooks) ? settings.hooks : {};
  const hooks: Record<string, unknown> = { ...before };
  for (const { event, seconds } of HOOK_MOMENTS) {
    const entries: readonly unknown[] = Array.isArray(before[event]) ? before[event] : [];
    const others = entries.flatMap((entry) => withoutOurs(entry));
    const isThere =
      entries.length === others.length + 1 &&
      JSON.stringify(entries).includes(JSON.stringify(entryOf(command, seconds)));
    if (!isThere) hooks[event] = [...others, entryOf(command, seconds)];
  }
  const next = { ...settings, hooks };
  if (JSON.stringify(next) === JSON.stringify(settings)) return undefined;
  const indent = /^[ \t]+(?=")/mu.exec(text ?? '')?.[0] ?? '  ';
  return `${JSON.stringify(next, undefined, indent)}\n`;
}

function readSettings(text: string | undefined): Fields {
  if (text === undefined || text.trim() === '') return {};
  const settings = parseJson(text.replace(/^\uFEFF/u, ''));
  if (isRecord(settings)) return settings;
  return fail(
    'usage',
    'the settings of Claude Code are no JSON object',
    'mend them, then try again; nothing was written',
  );
}

const OURS = /\bopenclaw(?:-memory)?\b.* hook claude-code$/u;

/** An entry without the hooks that call us; nothing when no other hook is left in it. */
function withoutOurs(entry: unknown): readonly unknown[] {
  if (!isRecord(entry) || !Array.isArray(entry.hooks)) return [entry];
  const rest = entry.hooks.filter((hook) => !isRecord(hook) || !OURS.test(String(hook.command)));
  if (rest.length === entry.hooks.length) return [entry];
  return rest.length === 0 ? [] : [{ ...entry, hooks: rest }];
}
