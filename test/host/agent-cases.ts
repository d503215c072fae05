import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
/** A configuration of OpenClaw with its environment and the requested agents. `{home}` stands for the home folder. */
export interface AgentCase {
  /** The text of openclaw.json; undefined if the file is missing. */
  readonly config?: string;
  /** The place of the configuration below the home folder. */
  readonly at?: string;
  /** Other files, by their paths below the home folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly profile?: string;
  readonly asked: readonly string[];
  /** The folder cannot be determined: a variable without a value, or a value that is not text. */
  readonly isUnknowable?: true;
}

/** An agent of a generated configuration. */
interface Agent {
  readonly id: string;
  readonly workspace?: string;
  readonly isMarked?: boolean;
}

const ROSTERS: readonly (readonly Agent[])[] = [
  [{ id: 'main' }],
  [{ id: 'ops' }],
  [{ id: 'ops', workspace: '~/ops-notes' }],
  [{ id: 'main' }, { id: 'ops' }],
  [{ id: 'main', isMarked: true }, { id: 'ops' }],
  [{ id: 'main' }, { id: 'ops', isMarked: true }],
  [{ id: 'main', workspace: '~/base' }, { id: 'ops' }],
  [{ id: 'main', isMarked: true }, { id: 'ops', workspace: '{home}/own/ops' }, { id: 'qa_2' }],
  [
    { id: 'a', isMarked: true },
    { id: 'b', isMarked: true },
  ],
];
const DEFAULTS: readonly (string | undefined)[] = [undefined, '~/base', '{home}/abs/base', ' ', 'rel/base', '~'];

/** Every roster in both formats, with every default folder; half of them name owners. */
function rosterCases(): AgentCase[] {
  return ROSTERS.flatMap((agents, row) =>
    DEFAULTS.flatMap((workspace, column) =>
      (['list', 'entries'] as const).map((form): AgentCase => {
        const explicit = (row + column) % 2 === 0 && agents.every(({ isMarked }) => !isMarked) ? 'explicit' : undefined;
        return { config: configText({ form, agents, workspace, explicit }), asked: askedOf(agents, row + column) };
      }),
    ),
  );
}

/** Returns ids in another case, an id that is in no configuration, and `main`, the agent of an empty one. */
function askedOf(agents: readonly Agent[], at: number): string[] {
  const ids = agents.map(({ id }, index) => ((index + at) % 2 === 0 ? id : id.toUpperCase()));
  return [...new Set([...ids, at % 3 === 0 ? 'main' : 'ghost'])];
}

interface Shape {
  readonly form?: 'list' | 'entries';
  readonly agents: readonly Agent[];
  readonly workspace?: unknown;
  readonly explicit?: string | undefined;
  readonly more?: Readonly<Record<string, unknown>>;
}

function configText({ form = 'entries', agents, workspace, explicit, more = {} }: Shape): string {
  const fields = ({ workspace: own, isMarked }: Agent) => ({
    ...(own && { workspace: own }),
    ...(isMarked && { default: true }),
  });
  const roster =
    form === 'list'
      ? { list: agents.map((agent) => ({ id: agent.id, ...fields(agent) })) }
      : { entries: Object.fromEntries(agents.map((agent) => [agent.id, fields(agent)])) };
  const defaults = workspace === undefined ? {} : { defaults: { workspace } };
  return JSON.stringify({ ...more, agents: { ...(explicit && { ownership: explicit }), ...defaults, ...roster } });
}

const SOLE = configText({ agents: [{ id: 'ops' }] });
const PAIR = configText({ agents: [{ id: 'main' }, { id: 'ops' }], explicit: 'explicit' });
const PAIR_IN_BASE = configText({ agents: [{ id: 'main' }, { id: 'ops' }], explicit: 'explicit', workspace: '~/base' });
const NONE: readonly (string | undefined)[] = [
  undefined,
  '{}',
  '{"agents":{}}',
  '{"agents":{"list":[]}}',
  '{"agents":{"entries":{}}}',
];

/** The variables that move the state, the configuration, the home and the default workspace. */
const VARIABLES: readonly Readonly<Record<string, string>>[] = [
  { OPENCLAW_STATE_DIR: '{home}/state' },
  { OPENCLAW_STATE_DIR: '~/state' },
  { OPENCLAW_STATE_DIR: ' ' },
  { OPENCLAW_WORKSPACE_DIR: '{home}/shared/notes' },
  { OPENCLAW_WORKSPACE_DIR: '~/notes' },
  { OPENCLAW_WORKSPACE_DIR: 'notes' },
  { OPENCLAW_STATE_DIR: '{home}/state', OPENCLAW_WORKSPACE_DIR: '{home}/shared/notes' },
  { OPENCLAW_HOME: '{home}/other' },
  { OPENCLAW_HOME: '~/other' },
  { OPENCLAW_HOME: 'undefined' },
  { OPENCLAW_PROFILE: 'work' },
  { OPENCLAW_PROFILE: 'Default' },
  { OPENCLAW_PROFILE: 'work', OPENCLAW_STATE_DIR: '{home}/state' },
  { OPENCLAW_CONFIG_PATH: '{home}/conf/openclaw.json' },
];

/** Returns the place of the configuration with some variables set. */
function configPlace(env: Readonly<Record<string, string>>): string {
  if (env.OPENCLAW_CONFIG_PATH) return 'conf/openclaw.json';
  if (env.OPENCLAW_STATE_DIR?.trim()) return 'state/openclaw.json';
  return env.OPENCLAW_HOME?.includes('other') ? 'other/.openclaw/openclaw.json' : '.openclaw/openclaw.json';
}

function variableCases(): AgentCase[] {
  return VARIABLES.flatMap((env): AgentCase[] => [
    { env, asked: ['main'] },
    ...[SOLE, PAIR, PAIR_IN_BASE].map((config) => ({ config, at: configPlace(env), env, asked: ['main', 'Ops'] })),
  ]);
}

const PROFILES: readonly AgentCase[] = [
  { profile: 'work', asked: ['main'] },
  { profile: 'work', at: '.openclaw-work/openclaw.json', config: SOLE, asked: ['ops'] },
  { profile: 'work', at: '.openclaw-work/openclaw.json', config: PAIR, asked: ['main', 'ops'] },
  { profile: 'work', at: '.openclaw-work/openclaw.json', config: PAIR_IN_BASE, asked: ['main', 'ops'] },
  { profile: 'default', at: '.openclaw/openclaw.json', config: SOLE, asked: ['ops'] },
  {
    profile: 'work',
    env: { OPENCLAW_STATE_DIR: '{home}/state' },
    at: 'state/openclaw.json',
    config: PAIR,
    asked: ['ops'],
  },
  {
    profile: 'work',
    env: { OPENCLAW_PROFILE: 'old', OPENCLAW_STATE_DIR: '{home}/.openclaw-old' },
    at: '.openclaw-work/openclaw.json',
    config: SOLE,
    asked: ['ops'],
  },
  {
    profile: 'work',
    env: { OPENCLAW_CONFIG_PATH: '{home}/conf/openclaw.json' },
    at: 'conf/openclaw.json',
    config: PAIR,
    asked: ['ops'],
  },
  { profile: 'work', env: { OPENCLAW_WORKSPACE_DIR: '{home}/notes' }, asked: ['main'] },
];

const AGENTS: readonly Agent[] = [{ id: 'ops' }];

/** Texts with variables, included files, and values that are not folders. */
/** How a text of the configuration names the variable NOTES. */
const NOTES = ['$', '{NOTES}'].join('');
const TEXTS: readonly AgentCase[] = [
  {
    config: configText({ agents: AGENTS, workspace: `${NOTES}/base` }),
    env: { NOTES: '{home}/notes' },
    asked: ['ops'],
  },
  { config: configText({ agents: AGENTS, workspace: NOTES }), asked: ['ops'], isUnknowable: true },
  { config: configText({ agents: AGENTS, workspace: NOTES }), env: { NOTES: '' }, asked: ['ops'], isUnknowable: true },
  { config: configText({ agents: AGENTS, workspace: `{home}/$${NOTES}/x` }), env: { NOTES: 'y' }, asked: ['ops'] },
  {
    config: configText({ agents: AGENTS, workspace: `{home}/${NOTES.toLowerCase()}/$x` }),
    env: { notes: 'y' },
    asked: ['ops'],
  },
  { config: configText({ agents: [{ id: 'ops', workspace: `${NOTES}/own` }] }), env: { NOTES: '~/n' }, asked: ['ops'] },
  {
    config: configText({
      agents: AGENTS,
      workspace: `${NOTES}/base`,
      more: { env: { vars: { NOTES: '{home}/vars' } } },
    }),
    asked: ['ops'],
  },
  {
    config: configText({
      agents: AGENTS,
      workspace: `${NOTES}/base`,
      more: { env: { vars: { NOTES: '{home}/vars' } } },
    }),
    files: { '.openclaw/.env': 'NOTES={home}/dotenv\n' },
    asked: ['ops'],
  },
  { config: SOLE, files: { '.openclaw/.env': 'OPENCLAW_WORKSPACE_DIR={home}/dotenv\n' }, asked: ['ops'] },
  {
    config: configText({ agents: AGENTS, more: { env: { vars: { OPENCLAW_WORKSPACE_DIR: '{home}/vars' } } } }),
    asked: ['ops'],
  },
  { config: '// notes\n{agents: {entries: {ops: {workspace: "~/json5",},},},}', asked: ['ops'] },
  {
    config: '{agents: {$include: "./agents.json5", defaults: {workspace: "~/base"}}}',
    files: { '.openclaw/agents.json5': '{ownership: "explicit", entries: {main: {}, ops: {workspace: "~/included"}}}' },
    asked: ['main', 'ops'],
  },
  {
    config: '{agents: {$include: ["a.json5", "more/b.json5"]}}',
    files: {
      '.openclaw/a.json5': '{ownership: "explicit", entries: {main: {}, ops: {workspace: "~/a"}}}',
      '.openclaw/more/b.json5': '{$include: "c.json5"}',
      '.openclaw/more/c.json5': '{entries: {ops: {workspace: "~/c"}}, defaults: {workspace: "~/base"}}',
    },
    asked: ['main', 'ops'],
  },
  {
    config: '{$include: "{home}/conf/all.json5"}',
    env: { OPENCLAW_INCLUDE_ROOTS: '~/conf' },
    files: { 'conf/all.json5': '{agents: {entries: {ops: {workspace: "~/from-conf"}}}}' },
    asked: ['ops'],
  },
  { config: '{$include: "../outside.json5"}', files: { 'outside.json5': SOLE }, asked: ['ops'] },
  { config: '{agents: {$include: "gone.json5"}}', asked: ['ops'] },
  { config: '{$include: "openclaw.json"}', asked: ['ops'] },
  { config: 'no JSON', asked: ['ops'] },
  {
    config: configText({ agents: AGENTS, workspace: { source: 'env', provider: 'default', id: 'WS' } }),
    asked: ['ops'],
    isUnknowable: true,
  },
  { config: '{agents: {entries: {ops: {workspace: 7}}}}', asked: ['ops'], isUnknowable: true },
  { config: SOLE, at: '.clawdbot/openclaw.json', asked: ['ops', 'ghost'] },
  { config: SOLE, at: '.openclaw/clawdbot.json', asked: ['ops', 'ghost'] },
  { config: PAIR, at: '.clawdbot/clawdbot.json', asked: ['ops'] },
];

/** The configurations for the host: the same ones in every run. */
export const AGENT_CASES: readonly AgentCase[] = [
  ...NONE.map((config): AgentCase => ({ ...(config !== undefined && { config }), asked: ['main', 'Main', 'ghost'] })),
  ...rosterCases(),
  ...variableCases(),
  ...PROFILES,
  ...TEXTS,
];

/** The folders that the host returns, one entry per case, as written by `npm run hosts-check -- --write`. */
export const TABLE = fileURLToPath(new URL('./agent-workspaces.json', import.meta.url));

/** The answer of the host to one configuration; `{home}` stands for the home folder, null for a refusal. */
export interface RecordedCase {
  readonly folders: Readonly<Record<string, string | null>>;
  /** Requested ids that are in no configuration: the host's commands refuse them, its function does not. */
  readonly unlisted?: readonly string[];
}

/** A case whose files are written. */
export interface Laid {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
  readonly asked: readonly string[];
}

/** Writes the files of a case below a home folder of its own. */
export function layOut(
  { config, at = '.openclaw/openclaw.json', files = {}, env = {}, asked }: AgentCase,
  home: string,
): Laid {
  const filled = (text: string): string => text.replaceAll('{home}', home);
  const all = { ...files, ...(config === undefined ? {} : { [at]: config }) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), filled(text));
  }
  const cwd = join(home, 'current');
  mkdirSync(cwd, { recursive: true });
  const variables = Object.entries(env).map(([name, value]) => [name, filled(value)]);
  return {
    home,
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: home, ...Object.fromEntries(variables) },
    file: join(home, at),
    asked,
  };
}

/** Returns the cases with the host's answers. */
export function recordedCases(): readonly (AgentCase & RecordedCase)[] {
  const answers: readonly RecordedCase[] = JSON.parse(readFileSync(TABLE, 'utf8'));
  return AGENT_CASES.map((each, at) => ({ ...each, ...(answers[at] ?? { folders: {} }) }));
}
