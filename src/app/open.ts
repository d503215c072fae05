import type { Cache } from '../base/cache.js';
import type { Clock } from '../base/clock.js';
import {
  checkRequest,
  checkSignalArgument,
  type OnProgress,
  type RequestFields,
  type RequestOf,
} from '../base/request.js';
import type { OpenIndex } from '../index/fresh.js';
import { shellWord } from '../text/slug.js';
import { openClock, systemZone } from '../workspace/clock.js';
import { findFormerFoldersToReport } from '../workspace/former.js';
import {
  checkWorkspace,
  hasMemory,
  isFolderNamedByUser,
  type LocatedWorkspace,
  type LocateInput,
  locateWorkspace,
  openStateFolder,
  type StateFolder,
} from '../workspace/locate.js';
import { chooseModelSettings, type ModelSettings } from '../workspace/model-settings.js';
import { type HostEnvironment, type OpenClawConfig, readOpenClawConfig } from '../workspace/openclaw-config.js';
import { isHostAllowed, type ReadScope, readScope, type WorkspaceContext } from '../workspace/read-scope.js';
import { readSettings } from '../workspace/read-settings.js';
import type { Settings } from '../workspace/settings.js';
import type { ProgressOptions } from './requests.js';

/** The parts of an open workspace. Every verb is a function of them. */
export interface WorkspaceParts {
  /** Folder, clock and signal. */
  readonly context: WorkspaceContext & { readonly reads: ReadScope };
  readonly settings: Settings;
  /** Which models are used, and where they run. */
  readonly models: ModelSettings;
  readonly located: LocatedWorkspace;
  readonly state: StateFolder;
  readonly shared: SharedParts | undefined;
}

/** Parts that all workspaces of one process share, for example in the MCP server. */
interface SharedParts {
  /** Opens the index in place of `openFreshIndex`. */
  readonly openIndex: OpenIndex;
  /** As `VectorSearch` keeps them. */
  readonly chances: Cache<string, Float32Array>;
}

/** Finds and opens a workspace. @throws MemoryError as `openWorkspace` does */
export async function openParts(options: OpenWorkspaceOptions, shared?: SharedParts): Promise<WorkspaceParts> {
  const { host, located, userTimezone, config } = await findWorkspace(options);
  const { root } = located;
  checkWorkspace(root);
  const state = openStateFolder(root, host, isFolderNamedByUser(located));
  const settings = await readSettings(root, state.path, options.onWarning);
  const zone = options.timezone ?? settings.timezone ?? userTimezone ?? systemZone();
  const models = chooseModelSettings(settings, host, config, (server) => isHostAllowed(server, host));
  const clock: Clock = openClock(zone, options.now, settings.dateOrder);
  const { signal, onProgress } = options;
  const reads = readScope(settings, root, host);
  const context = { root, reads, stateFolder: state.path, clock, signal, onProgress };
  return { context, settings, models, located, state, shared };
}

/** For verbs that read or change the core file. */
export function coreContext({ context, settings }: WorkspaceParts) {
  return { ...context, budget: settings.coreBudgetChars };
}

/** The parts for one call, which may have a signal and a progress function of its own. */
export function partsForCall(parts: WorkspaceParts, { signal, onProgress }: ProgressOptions): WorkspaceParts {
  const { context } = parts;
  const own = { signal: checkSignalArgument(signal) ?? context.signal, onProgress: onProgress ?? context.onProgress };
  return { ...parts, context: { ...context, ...own } };
}

const OPEN = {
  /** Default: the workspace that the command line would find. */
  workspace: { type: 'text', doc: 'path of the workspace' },
  agent: { type: 'text', doc: 'an agent id from openclaw.json' },
  profile: { type: 'text', doc: 'an OpenClaw profile' },
  /** ISO 8601. */
  now: { type: 'text', doc: 'a fixed instant, ISO 8601' },
  timezone: { type: 'text', instead: ['tz', 'timeZone'], doc: "IANA time zone of the user's days" },
  env: { type: 'record', doc: 'environment variables' },
  /** Default: the folder of the process. */
  cwd: { type: 'text', doc: 'the folder where the search for a workspace starts' },
  /** Aborts waits for a lock, a model or a long indexing. A call may have a signal of its own. */
  signal: { type: 'signal', doc: 'stops every call that waits' },
  onWarning: { type: 'function', doc: 'receives warnings' },
  onProgress: { type: 'function', doc: 'receives the progress of long work' },
} as const satisfies RequestFields;

export interface OpenWorkspaceOptions extends Omit<RequestOf<typeof OPEN>, 'env' | 'onWarning' | 'onProgress'> {
  /** Environment variables; those of the process when not given. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Is told how far long work is. Calls may have another one of their own. */
  readonly onProgress?: OnProgress | undefined;
}

export interface FoundWorkspace {
  readonly host: HostEnvironment;
  readonly located: LocatedWorkspace;
  readonly userTimezone: string | undefined;
  readonly config: OpenClawConfig;
  /** Input of the search for the workspace. */
  readonly input: LocateInput;
}

/** Which workspace is meant, whether or not it exists. */
export async function findWorkspace(options: OpenWorkspaceOptions): Promise<FoundWorkspace> {
  checkRequest('openWorkspace', OPEN, options);
  const host: HostEnvironment = { env: options.env ?? process.env, profile: options.profile };
  const config = await readOpenClawConfig(host);
  const input = { ...host, cwd: options.cwd ?? process.cwd(), workspace: options.workspace, agent: options.agent };
  const located = locateWorkspace(input, config);
  if (config.unreadable !== undefined) options.onWarning?.(`${config.unreadable}; this file is ignored`);
  for (const { message, hint } of findFormerFoldersToReport(input, config, located))
    options.onWarning?.(`${message}; ${hint}`);
  if (located.passed !== undefined) {
    const init = `openclaw memory init ${hasMemory(located.passed) ? '' : '--vault '}${shellWord(located.passed)}`;
    options.onWarning?.(
      `the workspace is ${located.root}; ${located.passed} is not a workspace; to make it one: ${init}`,
    );
  }
  return { host, located, userTimezone: config.userTimezone, config, input };
}
