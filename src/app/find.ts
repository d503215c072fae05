import { type Located, locateWorkspace } from '../workspace/locate.js';
import { type HostEnvironment, type OpenClawConfig, readOpenClawConfig } from '../workspace/openclaw-config.js';

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
  readonly host: HostEnvironment;
  readonly located: Located;
  readonly userTimezone: string | undefined;
  readonly config: OpenClawConfig | undefined;
}

/** Which workspace is meant, whether or not it exists. */
export async function findWorkspace(options: OpenWorkspaceOptions): Promise<FoundWorkspace> {
  const host: HostEnvironment = { env: options.env ?? process.env, profile: options.profile };
  const config = await readOpenClawConfig(host, options.onWarning ?? (() => {}));
  const located = locateWorkspace(
    { ...host, cwd: options.cwd ?? process.cwd(), workspace: options.workspace, agent: options.agent },
    config,
  );
  return { host, located, userTimezone: config?.userTimezone, config };
}
