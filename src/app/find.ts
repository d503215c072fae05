import { checkRequest, type OnProgress, type RequestFields, type RequestOf } from '../base/request.js';
import { shellWord } from '../text/slug.js';
import { findFormerFoldersToReport } from '../workspace/former.js';
import { hasMemory, type LocatedWorkspace, type LocateInput, locateWorkspace } from '../workspace/locate.js';
import { type HostEnvironment, type OpenClawConfig, readOpenClawConfig } from '../workspace/openclaw-config.js';

const OPEN = {
  /** Found as the command line finds it when not given. */
  workspace: { type: 'text', doc: 'path of the workspace' },
  agent: { type: 'text', doc: 'an agent id from openclaw.json' },
  profile: { type: 'text', doc: 'an OpenClaw profile' },
  /** ISO 8601. */
  now: { type: 'text', doc: 'a fixed instant, ISO 8601' },
  timezone: { type: 'text', instead: ['tz', 'timeZone'], doc: "IANA time zone of the user's days" },
  env: { type: 'record', doc: 'environment variables' },
  /** Of the process when not given. */
  cwd: { type: 'text', doc: 'the folder where the search for a workspace starts' },
  /** Ends a lock's, a model's, a long index's wait. Calls may have another one of their own. */
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
