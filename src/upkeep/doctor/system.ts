import { openDatabase } from '../../db/open.js';
import { systemZone, today } from '../../workspace/clock.js';
import { readSettings } from '../../workspace/read-settings.js';
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../workspace/settings.js';
import { type Check, said } from './check.js';

/** The Node versions that the tests run on: from `least` to below `below`. */
const NODE = { least: [20, 19], below: 27 } as const;

export const node: Check = {
  look: () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < NODE.least[0] || (major === NODE.least[0] && minor < NODE.least[1]);
    const message = `Node ${process.versions.node}`;
    if (!isOld && major < NODE.below) return { check: 'node', state: 'ok', message };
    const hint = `use Node ${NODE.least.join('.')} to ${NODE.below - 1}`;
    return { check: 'node', state: isOld ? 'problem' : 'warning', message, hint };
  },
};

export const nativeModule: Check = {
  look: () => {
    try {
      openDatabase(':memory:').close();
      return { check: 'sqlite', state: 'ok', message: 'better-sqlite3 loads' };
    } catch (error) {
      return { check: 'sqlite', state: 'problem', ...said(error) };
    }
  },
};

export const settings: Check = {
  look: async ({ located, state }) => {
    try {
      const read = await readSettings(located.root, state?.path ?? '');
      const defaults = new Map(Object.entries(DEFAULT_SETTINGS).map(([name, value]) => [name, JSON.stringify(value)]));
      const own = Object.entries(read)
        .map(([name, value]) => [name, JSON.stringify(value)] as const)
        .filter(([name, written]) => written !== defaults.get(name));
      const said = own.map(([name, written]) => `${name} = ${written}`).join(', ');
      const message =
        own.length === 0 ? 'all at their defaults' : `from ${SETTINGS_FILE}: ${said}; the others at their defaults`;
      return { check: 'settings', state: 'ok', message };
    } catch (error) {
      return { check: 'settings', state: 'problem', ...said(error) };
    }
  },
};

export const zone: Check = {
  look: ({ timezone, settings: read, userTimezone, clock }) => {
    const from =
      timezone !== undefined
        ? '--tz'
        : read?.timezone
          ? SETTINGS_FILE
          : userTimezone !== undefined
            ? 'openclaw.json'
            : `the system, ${systemZone()}`;
    return { check: 'zone', state: 'ok', message: `${clock.zone} (from ${from}): today is ${today(clock)}` };
  },
};
