import { isRecord } from '../base/json.js';

/** The settings of the plugin; the schema of its manifest has the same names and defaults. */
export interface PluginConfig {
  /** The Node that our command line was installed with, and its bin: absolute paths. */
  readonly node: string;
  readonly bin: string;
  /** What a turn may wait for us, in ms. */
  readonly budgetMs: number;
  readonly tools: boolean;
  readonly corpus: boolean;
  readonly prompt: boolean;
  readonly context: boolean;
  readonly contextPlace: 'user' | 'system';
  readonly capture: boolean;
  readonly compaction: boolean;
  /** Patterns of keys of other sessions that get memories and are remembered, too. */
  readonly sessions: readonly string[];
}

/** Undefined without a command line to call. */
export function readConfig(given: unknown): PluginConfig | undefined {
  const settings = isRecord(given) ? given : {};
  const { node, bin, budgetMs, sessions } = settings;
  if (typeof node !== 'string' || typeof bin !== 'string') return undefined;
  const isOn = (name: string): boolean => settings[name] !== false;
  return {
    node,
    bin,
    budgetMs: typeof budgetMs === 'number' ? budgetMs : 1_500,
    tools: isOn('tools'),
    corpus: isOn('corpus'),
    prompt: isOn('prompt'),
    context: isOn('context'),
    contextPlace: settings.contextPlace === 'system' ? 'system' : 'user',
    capture: isOn('capture'),
    compaction: isOn('compaction'),
    sessions: Array.isArray(sessions) ? sessions.filter((pattern) => typeof pattern === 'string') : [],
  };
}
