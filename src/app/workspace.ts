import type { Clock } from '../base/clock.js';
import { type FreshIndex, type IndexPlace, openFresh } from '../index/fresh.js';
import { type IndexReport, runIndex } from '../index/run.js';
import { Search } from '../index/search.js';
import { type EntityView, showEntity } from '../recall/entity-view.js';
import { recall } from '../recall/recall.js';
import type { RecallAnswer, RecallRequest } from '../recall/request.js';
import { type RetainReport, retain } from '../retain/retain.js';
import { type AskCase, type EvalReport, evaluate } from '../upkeep/eval.js';
import type { EvalCase } from '../upkeep/eval-case.js';
import { type StatusReport, statusOf } from '../upkeep/status.js';
import { openClock, systemZone, today } from '../workspace/clock.js';
import { checkWorkspace, type Located, locateWorkspace } from '../workspace/locate.js';
import { type HostPlace, readOpenClawConfig } from '../workspace/openclaw-config.js';
import { readSettings, type Settings } from '../workspace/settings.js';
import { openStateFolder, type StateFolder } from '../workspace/state-folder.js';

export interface OpenWorkspaceOptions {
  /** Folder of the workspace; found as the command line finds it when not given. */
  readonly workspace?: string | undefined;
  /** Agent id of openclaw.json. */
  readonly agent?: string | undefined;
  readonly profile?: string | undefined;
  /** A fixed instant, ISO 8601. */
  readonly now?: string | undefined;
  /** IANA time zone of the user's days. */
  readonly timezone?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Finds and opens a workspace: clock, settings and state folder wired into the verbs.
 * @throws MemoryError `workspace` when there is none, `settings` when its settings are wrong, `usage`
 */
export async function openWorkspace(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  const { place, located, userTimezone } = await findWorkspace(options);
  checkWorkspace(located.root);
  const state = openStateFolder(located.root, place);
  const settings = await readSettings(located.root, state.path);
  const zone = options.timezone ?? settings.timezone ?? userTimezone ?? systemZone();
  return new Workspace(located, state, settings, openClock(zone, options.now));
}

export interface FoundWorkspace {
  readonly place: HostPlace;
  readonly located: Located;
  readonly userTimezone: string | undefined;
}

/** Which workspace is meant, whether or not it exists. */
export async function findWorkspace(options: OpenWorkspaceOptions): Promise<FoundWorkspace> {
  const place: HostPlace = { env: options.env ?? process.env, profile: options.profile };
  const config = await readOpenClawConfig(place, options.onWarning ?? (() => {}));
  const located = locateWorkspace(
    { ...place, cwd: options.cwd ?? process.cwd(), workspace: options.workspace, agent: options.agent },
    config,
  );
  return { place, located, userTimezone: config?.userTimezone };
}

export interface Progress {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/** An open workspace and its verbs. Holds no handles between calls. */
export class Workspace {
  constructor(
    private readonly located: Located,
    private readonly state: StateFolder,
    readonly settings: Settings,
    readonly clock: Clock,
  ) {}

  get root(): string {
    return this.located.root;
  }

  /** Finds facts and log text, with citations. */
  async recall(request: RecallRequest): Promise<RecallAnswer> {
    return this.reading('recall', (fresh) => this.recallFrom(fresh, request));
  }

  /** Answers many questions from one opened index, in order. */
  async *recallBatch(requests: Iterable<RecallRequest> | AsyncIterable<RecallRequest>): AsyncGenerator<RecallAnswer> {
    const fresh = await openFresh(this.place('recall'));
    try {
      const search = new Search(fresh.segments);
      for await (const request of requests) yield await recall(this.source(fresh, search), request);
    } finally {
      fresh.close();
    }
  }

  /** Appends typed facts; returns when the bytes are on disk. */
  retain(request: {
    facts: readonly string[];
    file?: string | undefined;
    dryRun?: boolean | undefined;
  }): Promise<RetainReport> {
    const { nearDuplicateDays } = this.settings;
    return retain(
      { root: this.root, stateFolder: this.state.path, clock: this.clock },
      { ...request, nearDuplicateDays },
    );
  }

  /** Brings the index up to date. */
  index(options: { force?: boolean; verify?: boolean } & Progress = {}): Promise<IndexReport> {
    return runIndex(this.place('index', options), options);
  }

  /** Recall quality on one's own questions, all answered from one opened index. */
  eval(cases: readonly EvalCase[], explain = false): Promise<EvalReport> {
    return this.reading('eval', (fresh) => {
      const source = this.source(fresh, new Search(fresh.segments));
      const ask: AskCase = (asked, request) =>
        recall(asked.now === undefined ? source : { ...source, clock: openClock(this.clock.zone, asked.now) }, request);
      return evaluate(cases, ask, explain);
    });
  }

  async status(): Promise<StatusReport> {
    const { path, place, reason } = this.state;
    const stateFolder = reason === undefined ? { path, place } : { path, place, reason };
    const where = {
      root: this.root,
      foundBy: this.located.by,
      timezone: this.clock.zone,
      today: today(this.clock),
      stateFolder,
    };
    return this.reading('status', async (fresh) => statusOf(where, fresh));
  }

  /** What is known of an entity: its page and the facts about it, or undefined when it is unknown. */
  async entity(name: string): Promise<EntityView | undefined> {
    return this.reading('entity', async (fresh) => showEntity(new Search(fresh.segments), name));
  }

  private recallFrom(fresh: FreshIndex, request: RecallRequest): Promise<RecallAnswer> {
    return recall(this.source(fresh, new Search(fresh.segments)), request);
  }

  private source(fresh: FreshIndex, search: Search) {
    return {
      search,
      clock: this.clock,
      withResources: this.settings.recallResources,
      defaultLimit: this.settings.recallLimit,
      stale: fresh.stale,
      warnings: fresh.warnings,
    };
  }

  private async reading<T>(command: string, use: (fresh: FreshIndex) => Promise<T>): Promise<T> {
    const fresh = await openFresh(this.place(command));
    try {
      return await use(fresh);
    } finally {
      fresh.close();
    }
  }

  private place(command: string, { signal, onProgress }: Progress = {}): IndexPlace {
    return {
      root: this.root,
      stateFolder: this.state.path,
      clock: this.clock,
      command,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
  }
}
