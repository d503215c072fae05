import { fail, tryWithFallback } from '../base/failure.js';
import { isRecord } from '../base/json.js';
import { suggestKnownWord } from '../base/nearest.js';
import { COUNT_FIELD_TYPE, type FieldValueOf, type RequestFieldType, typeProblem } from '../base/request.js';
import { checkZone } from './clock.js';

/**
 * A setting: its type, its default (`usual`), and the form that a text must have. If the default is null, the user may also
 * write null. A group consists of other settings.
 */
type Setting =
  | (RequestFieldType & { readonly usual: unknown; readonly form?: keyof typeof FORMS })
  | { readonly type: 'group'; readonly settings: Described };

type Described = Readonly<Record<string, Setting>>;

const isZone = (name: string): boolean => tryWithFallback(() => checkZone(name), undefined) !== undefined;

/** The forms that a setting can require of its text. Each has a test, and the message for a text that fails it. */
const FORMS = {
  zone: [isZone, 'must be an IANA time zone such as Europe/Vienna'],
  word: [(text: string) => /^\S+$/.test(text), 'must not have spaces'],
  /** The name of a model has no spaces, but the path of a model file may have some. */
  model: [(text: string) => /^(?:\S+|file:.*\S)$/i.test(text), 'must not have spaces, except in file:PATH'],
  path: [(text: string) => text !== '', 'must not have an empty text'],
  pattern: [(text: string) => text !== '' && text.length <= 500, 'must have texts of 1 to 500 characters'],
} as const;

type SettingsOf<D> = {
  readonly [K in keyof D]: D[K] extends { readonly settings: infer G }
    ? SettingsOf<G>
    : D[K] extends { readonly usual: infer U }
      ? FieldValueOf<D[K]> | Extract<U, null>
      : never;
};

const whole = <const U extends number | null>(usual: U, least: number, most: number) =>
  ({ type: 'number', whole: true, least, most, usual }) as const;
const share = (usual: number) => ({ type: 'number', least: 0, most: 1, usual }) as const;
const yesOrNo = (usual: boolean) => ({ type: 'boolean', usual }) as const;
const choice = <const C extends string>(...choices: readonly [C, ...C[]]) =>
  ({ type: 'choice', noun: 'value', choices, usual: choices[0] }) as const;
const text = (form?: keyof typeof FORMS) => ({ type: 'text', usual: null, ...(form && { form }) }) as const;
const texts = (form: keyof typeof FORMS) => ({ type: 'list', of: { type: 'text' }, usual: [], form }) as const;
const group = <const G extends Described>(settings: G) => ({ type: 'group', settings }) as const;

const BLOCK_CHARS = [500, 50_000] as const;

/** The settings of a workspace. docs/settings.md explains each. */
const SETTINGS = {
  /**
   * IANA name of the time zone that decides which day it is. Null: the zone in openclaw.json, or else the zone of the
   * system.
   */
  timezone: text('zone'),
  /** Order of day and month in dates such as 03/04/2026. */
  dateOrder: choice('auto', 'mdy', 'dmy'),
  /**
   * Paths of more folders, relative to the workspace or absolute. Their pages are read like those in `memory/topics/`,
   * and never written.
   */
  extraFolders: texts('path'),
  /** Globs of paths that are not read. */
  ignore: texts('path'),
  /** Whether `recall` also finds `resources/`. */
  recallResources: yesOrNo(false),
  /** Number of results of a `recall` without `--k`. */
  recallLimit: whole(10, 1, 1_000),
  /** Context window of the agent's model, in tokens. Null: the number that the host gives, or else 128,000. */
  contextWindow: whole(null, 1_000, 100_000_000),
  /** A session should be committed when it has this many new tokens. Null: half of the context window of the model. */
  commitTokenThreshold: { ...COUNT_FIELD_TYPE, usual: null },
  /** Number of newest messages that `session commit` does not move to the archive. */
  commitKeepRecentCount: whole(10, 0, 10_000),
  /** Whether memories are saved before the host compacts (shortens) a conversation. */
  enableMemoryFlush: yesOrNo(true),
  /** Memories are saved when the conversation is this many tokens away from its compaction. */
  memoryFlushSoftTokens: whole(4_000, 0, 1_000_000),
  /**
   * Texts that replace the prompts with which this program asks a model to save memories. Our safety rules stay in the
   * prompts.
   */
  memoryFlush: group({ systemPrompt: text(), prompt: text() }),
  /** Lessons of earlier tasks that are put before a prompt. */
  agentExperience: group({
    enabled: yesOrNo(false),
    recallLimit: whole(3, 1, 10),
    /** A page of lessons is used only if its score, from 0 to 1, is at least this high. */
    scoreThreshold: share(0.35),
    maxInjectedChars: whole(6_000, ...BLOCK_CHARS),
    minQueryChars: whole(12, 1, 500),
  }),
  /**
   * Memories that are put before a prompt, for example facts. Lessons of earlier tasks have their own group,
   * `agentExperience`. But the time limit here is for lessons and memories together.
   */
  autoRecall: group({
    enabled: yesOrNo(true),
    timeoutMs: whole(5_000, 10, 60_000),
    recallLimit: whole(6, 1, 100),
    scoreThreshold: share(0.15),
    maxInjectedChars: whole(4_000, ...BLOCK_CHARS),
  }),
  /**
   * Patterns of session keys. If the key of a session matches a pattern, no memories and no lessons are put before its
   * prompts.
   */
  bypassSessionPatterns: texts('pattern'),
  /**
   * Whether the commit of a session also extracts long-term memories from the archived messages. Without a chat model,
   * nothing is extracted.
   */
  extractOnCommit: yesOrNo(true),
  /** Maximum number of rounds in which a model may ask to see more before it extracts memories. */
  extractRounds: whole(3, 0, 20),
  /** Maximum number of characters of the core file. */
  coreBudgetChars: whole(12_000, 1_000, 1_000_000),
  /** The program in which links on the page of `view` open: the browser, VS Code, or Obsidian. */
  viewLinks: choice('plain', 'vscode', 'obsidian'),
  /** Address of the Ollama server. Null: the address in `$OLLAMA_HOST`, or else the server on this machine. */
  ollamaHost: text('word'),
  /** Name of the embedding model. Null: the model in openclaw.json, or else {@link DEFAULT_EMBED_MODEL}. */
  embedModel: text('model'),
  /** Name of the chat model. If null, {@link DEFAULT_CHAT_MODEL} is used, and no warning says that it is not installed. */
  chatModel: text('word'),
  /** What the chat model may do. `tested`: what its test allows. */
  chatLevel: choice('tested', 'unused', 'extractive', 'free'),
  /**
   * Context window of the chat model in tokens. Null: the window with which the model is loaded, or else as large as
   * the memory allows.
   */
  numCtx: whole(null, 2_048, 1_048_576),
  /**
   * Maximum time that `recall` waits for the vector of its question, in ms. Without the vector, `recall` searches by
   * words only.
   */
  recallEmbedBudgetMs: whole(1_500, 0, 60_000),
} as const satisfies Described;

export type Settings = SettingsOf<typeof SETTINGS>;

/** Settings of older versions. They have no effect, whatever their values are. */
const FORMER_SETTINGS: ReadonlySet<string> = new Set([
  ...['nearDuplicateDays', 'agentExperience.typedPages', 'pageLines', 'pageMentions'],
  ...['modelConnectMs', 'modelFirstTokenMs', 'modelIdleMs', 'modelTotalMs'],
]);

export const DEFAULT_EMBED_MODEL = 'embeddinggemma';
export const DEFAULT_CHAT_MODEL = 'qwen3:4b-instruct';

export const SETTINGS_FILE = 'memory.config.json5';

/**
 * Checks the settings of a file, and adds the defaults for missing ones. Leaves out the settings of older versions.
 * @param onFormer gets the name of each setting of an older version
 * @throws MemoryError `settings` for the first error
 */
export function checkSettings(given: unknown, onFormer: (name: string) => void = () => {}): Settings {
  const settings = withUsual([], SETTINGS, given, onFormer);
  check(settings);
  return settings;
}

export const DEFAULT_SETTINGS = checkSettings({});

/** Adds the defaults. If a group has the setting `enabled`, `true` and `false` may stand for the whole group. */
function withUsual(
  path: readonly string[],
  described: Described,
  given: unknown,
  onFormer: (name: string) => void,
): unknown {
  const said = typeof given === 'boolean' && described.enabled ? { enabled: given } : given;
  if (!isRecord(said)) return given;
  const filled = Object.entries(described).map(([name, setting]) => {
    const value = said[name];
    if (setting.type === 'group')
      return [name, withUsual([...path, name], setting.settings, value === undefined ? {} : value, onFormer)];
    return [name, value === undefined ? setting.usual : value];
  });
  const own = Object.entries(said).filter(([key]) => {
    const name = [...path, key].join('.');
    if (FORMER_SETTINGS.has(name)) onFormer(name);
    return !FORMER_SETTINGS.has(name);
  });
  return Object.fromEntries([...own, ...filled]);
}

function check(settings: unknown): asserts settings is Settings {
  checkGroup([], SETTINGS, settings);
}

function checkGroup(path: readonly string[], described: Described, given: unknown): void {
  if (!isRecord(given)) wrong(path, typeProblem({ type: 'record' }, given));
  for (const key of Object.keys(given)) {
    const [name = '', ...known] = [key, ...Object.keys(described)].map((one) => [...path, one].join('.'));
    if (!known.includes(name))
      fail('settings', `${SETTINGS_FILE}: unknown setting "${name}"`, suggestKnownWord(name, known));
  }
  for (const [name, setting] of Object.entries(described)) {
    const [at, value] = [[...path, name], given[name]];
    if (setting.type === 'group') checkGroup(at, setting.settings, value);
    else if (value !== null || setting.usual !== null) {
      const problem = typeProblem(setting, value) ?? misformed(value, setting.form);
      if (problem !== undefined) wrong(at, problem);
    }
  }
}

function wrong(path: readonly string[], problem = ''): never {
  const what = path.length === 0 ? problem : `${path.join('.')} ${problem}`;
  return fail('settings', `${SETTINGS_FILE}: ${what}`, 'see docs/settings.md');
}

function misformed(value: unknown, form: keyof typeof FORMS | undefined): string | undefined {
  if (form === undefined) return undefined;
  const [isOf, said] = FORMS[form];
  return [value].flat().every((text) => isOf(String(text))) ? undefined : said;
}
