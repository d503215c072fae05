import { readTypedRequest } from '../base/request.js';
import type { HealthReport } from '../upkeep/doctor.js';
import { findAllFormerFolders } from '../workspace/former.js';
import { isFolderNamedByUser, openStateFolder } from '../workspace/locate.js';
import { chooseModelSettings } from '../workspace/model-settings.js';
import { allowFolder, allowHost, isHostAllowed, readScope } from '../workspace/read-scope.js';
import { readSettings } from '../workspace/read-settings.js';
import type { Settings } from '../workspace/settings.js';
import { findWorkspace, type OpenWorkspaceOptions } from './open.js';
import { HEALTH_REQUEST, type HealthOptions } from './requests.js';

/**
 * Checks what the workspace stands on. Works also where the workspace can't be opened: that is what it is for.
 * @throws MemoryError `usage`, `interrupted`
 * @example
 * const { checks } = await checkHealth({ workspace: folder });
 * checks.find(({ check }) => check === 'sqlite')?.state; // => 'ok'
 */
export async function checkHealth(
  options: OpenWorkspaceOptions = {},
  given: HealthOptions = {},
): Promise<HealthReport> {
  const how = readTypedRequest('checkHealth', HEALTH_REQUEST, given);
  const { host, located, userTimezone, config, input } = await findWorkspace(options);
  const { fix = false, signal = options.signal } = how;
  if (how.allowFolders) {
    const { root } = located;
    const state = openStateFolder(root, host, isFolderNamedByUser(located));
    const { refusedFolders } = readScope(await readSettings(root, state.path), root, host);
    for (const folder of refusedFolders) allowFolder(root, folder, host);
  }
  const { doctor } = await import('../upkeep/doctor.js');
  const system = { timezone: options.timezone, userTimezone, now: options.now };
  const models = async (settings: Settings, stateFolder: string | undefined) => {
    const { checkModels } = await import('./models.js');
    if (how.allowHost && settings.ollamaHost !== null) allowHost(settings.ollamaHost, host);
    const models = chooseModelSettings(settings, host, config, (server) => isHostAllowed(server, host));
    const findings = await checkModels({ settings, models }, stateFolder, signal);
    const { checkChatLevels } = await import('./chat.js');
    const context = { root: located.root, stateFolder: stateFolder ?? '', signal };
    const isThere = findings.some(({ check, state }) => check === 'chat model' && state === 'ok');
    const levels = isThere ? await checkChatLevels({ settings, models, context }) : undefined;
    return findings.map((one) => (one.check === 'chat model' ? { ...one, ...levels } : one));
  };
  const former = located.by === '--workspace' ? [] : findAllFormerFolders(input, config);
  return doctor({ host, located, former, ...system, fix, models });
}
