import { join } from 'node:path';
import type { Cache } from '../base/cache.js';
import type { Clock } from '../base/clock.js';
import type { OnProgress } from '../base/request.js';
import type { FreshIndex, IndexContext, OpenIndex } from '../index/fresh.js';
import { hasVectors } from '../index/vectors/path.js';
import type { RecallSource } from '../recall/recall.js';
import type { RecallMode } from '../recall/request.js';
import type { ReflectContext } from '../reflect/reflect.js';
import { openClock, systemZone } from '../workspace/clock.js';
import { checkWorkspace, isFolderNamedByUser, type LocatedWorkspace } from '../workspace/locate.js';
import { chooseModelSettings, type ModelSettings } from '../workspace/model-settings.js';
import { isHostAllowed } from '../workspace/permissions.js';
import { type ReadScope, readScope } from '../workspace/read-scope.js';
import { readSettings } from '../workspace/read-settings.js';
import type { Settings } from '../workspace/settings.js';
import { openStateFolder, type StateFolder } from '../workspace/state-folder.js';
import { findWorkspace, type OpenWorkspaceOptions } from './find.js';
import { type IndexAccess, type SemanticSourceResult, withIndex, withWholeIndex } from './index-access.js';
import type { ProgressOptions } from './requests.js';

/** What the verbs of a workspace work on. */
interface WorkspaceResources {
  readonly located: LocatedWorkspace;
  readonly reads: ReadScope;
  readonly state: StateFolder;
  readonly settings: Settings;
  readonly models: ModelSettings;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnProgress | undefined;
  readonly shared: SharedResources | undefined;
}

/** What the workspaces of one process have in common, where there are many. */
export interface SharedResources {
  /** Another way than `openFreshIndex`. */
  readonly openIndex: OpenIndex;
  /** As `VectorSearch` keeps them. */
  readonly chances: Cache<string, Float32Array>;
}

/** Finds a workspace, with clock, settings and state folder. @throws MemoryError as `openWorkspace` does */
export async function openResources(
  options: OpenWorkspaceOptions,
  shared?: SharedResources,
): Promise<WorkspaceResources> {
  const { host, located, userTimezone, config } = await findWorkspace(options);
  const { root } = located;
  checkWorkspace(root);
  const state = openStateFolder(root, host, isFolderNamedByUser(located));
  const settings = await readSettings(root, state.path);
  const zone = options.timezone ?? settings.timezone ?? userTimezone ?? systemZone();
  const models = chooseModelSettings(settings, host, config, (server) => isHostAllowed(server, host));
  const clock = openClock(zone, options.now, settings.dateOrder);
  const reads = readScope(settings, root, host);
  const { signal, onProgress } = options;
  return { located, reads, state, settings, models, clock, signal, onProgress, shared };
}

/** An open workspace: where it is, and what it was opened with. */
export class OpenedWorkspace {
  /** The folder, absolute. */
  readonly root: string;
  readonly settings: Settings;
  /** Which models are used, and where they run. */
  readonly models: ModelSettings;
  readonly clock: Clock;
  /** @internal */
  readonly reads: ReadScope;

  constructor(protected readonly opened: WorkspaceResources) {
    this.root = opened.located.root;
    this.settings = opened.settings;
    this.models = opened.models;
    this.clock = opened.clock;
    this.reads = opened.reads;
  }

  /**
   * A file that a process in the background may write its notes to.
   * @example
   * memory.logPath('reflect').endsWith('logs/reflect.log'); // => true
   */
  logPath(name: string): string {
    return join(this.stateFolder, 'logs', `${name}.log`);
  }

  protected get stateFolder(): string {
    return this.opened.state.path;
  }

  protected get context() {
    const { root, reads, clock, stateFolder } = this;
    const { signal, onProgress } = this.opened;
    return { root, reads, stateFolder, clock, signal, onProgress };
  }

  protected get coreContext() {
    return { ...this.context, budget: this.settings.coreBudgetChars };
  }

  protected get reflectContext(): ReflectContext {
    const { coreBudgetChars: coreBudget, pageLines, pageMentions } = this.settings;
    const read: ReflectContext['read'] = (use) => this.reading('reflect', ({ search }, { away }) => use(search, away));
    const readAll: ReflectContext['read'] = (use) => withWholeIndex(this.reader('reflect'), use);
    const pageSettings = { budget: pageLines, mentions: pageMentions };
    return { ...this.context, coreBudget, pageSettings, read, readAll, openVectors: () => undefined };
  }

  protected reading<T>(command: string, use: (source: RecallSource, fresh: FreshIndex) => Promise<T>): Promise<T> {
    return withIndex(this.reader(command), use);
  }

  protected reader(command: string): IndexAccess {
    const { recallResources: withResources, recallLimit: defaultLimit } = this.settings;
    const how = { clock: this.clock, withResources, defaultLimit };
    return { context: this.indexContext(command), openIndex: this.opened.shared?.openIndex, how };
  }

  protected indexContext(command: string, given: ProgressOptions = {}): IndexContext {
    const { signal = this.opened.signal, onProgress = this.opened.onProgress } = given;
    return { ...this.context, command, signal, onProgress };
  }

  protected async openSemantic(mode: RecallMode = 'auto', signal?: AbortSignal): Promise<SemanticSourceResult> {
    if (mode === 'lexical' || (mode === 'auto' && !hasVectors(this.stateFolder))) return { warnings: [] };
    const { openConfiguredSemanticSource } = await import('./embedding.js');
    return openConfiguredSemanticSource(this.stateFolder, this, mode, { signal, chances: this.opened.shared?.chances });
  }
}
