import { type Located, locateWorkspace } from '../workspace/locate.js';
import { type HostPlace, type OpenClawConfig, readOpenClawConfig } from '../workspace/openclaw-config.js';

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

export interface FoundWorkspace {
  readonly place: HostPlace;
  readonly located: Located;
  readonly userTimezone: string | undefined;
  readonly config: OpenClawConfig | undefined;
}

/** Which workspace is meant, whether or not it exists. */
export async function findWorkspace(options: OpenWorkspaceOptions): Promise<FoundWorkspace> {
  const place: HostPlace = { env: options.env ?? process.env, profile: options.profile };
  const config = await readOpenClawConfig(place, options.onWarning ?? (() => {}));
  const located = locateWorkspace(
    { ...place, cwd: options.cwd ?? process.cwd(), workspace: options.workspace, agent: options.agent },
    config,
  );
  return { place, located, userTimezone: config?.userTimezone, config };
}
