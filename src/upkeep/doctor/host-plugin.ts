import { existsSync } from 'node:fs';
import { isRecord } from '../../base/json.js';
import { readOpenClawConfig } from '../../workspace/openclaw-config.js';
import { PLUGIN_ID, SEARCH_BANK } from '../host-plugin.js';
import type { Check, Finding } from './check.js';

const AGAIN = 'run: openclaw-memory hooks openclaw --write';

/** Whether our plugin in the host OpenClaw, where there is one, can work. */
export const hostPlugin: Check = {
  look: async ({ host }) => {
    const config = await readOpenClawConfig(host, () => {});
    const entry = config?.plugins[PLUGIN_ID];
    const said = (state: Finding['state'], message: string, hint: string): Finding => ({
      check: 'plugin',
      state,
      message,
      hint,
    });
    if (!isRecord(entry)) return { check: 'plugin', state: 'ok', message: 'not installed in OpenClaw' };
    const { node, bin } = isRecord(entry.config) ? entry.config : {};
    for (const path of [node, bin])
      if (typeof path !== 'string' || !existsSync(path))
        return said('problem', `the plugin in OpenClaw calls ${String(path ?? 'nothing')}, which is not there`, AGAIN);
    if (entry.enabled === false) return said('warning', 'the plugin in OpenClaw is switched off', AGAIN);
    if (!isRecord(entry.hooks) || entry.hooks.allowConversationAccess !== true)
      return said('problem', 'the plugin in OpenClaw may not see turns', AGAIN);
    return said('ok', 'the plugin in OpenClaw is set up', `for the search of the host: ${SEARCH_BANK}`);
  },
};
