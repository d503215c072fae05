import { join } from 'node:path';
import { editFile, makeFolder, readVersion } from './files.js';
import { type HostEnvironment, homeFolder } from './openclaw-config.js';

/** This machine, however it is written. */
const OWN_MACHINE = /^(?:https?:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1?\]?)?(?::\d{1,5})?\/?$/i;

/**
 * Whether questions may be sent to a server that the settings of a workspace name. A workspace may have come from
 * elsewhere: another machine is asked only after the person has allowed it, on this machine and outside of any workspace.
 */
export function mayAsk(server: string, host: HostEnvironment): boolean {
  return OWN_MACHINE.test(server.trim()) || allowedHosts(host).includes(server.trim());
}

/** Remembers that a server may be asked, for every workspace of this user. */
export function allowHost(server: string, host: HostEnvironment): void {
  const folder = configFolder(host);
  makeFolder(folder);
  editFile(join(folder, FILE), (current) => {
    const known = current?.toString('utf8') ?? '';
    return known.split('\n').includes(server.trim()) ? undefined : Buffer.from(`${known}${server.trim()}\n`);
  });
}

const FILE = 'allowed-hosts';

function allowedHosts(host: HostEnvironment): readonly string[] {
  const known = readVersion(join(configFolder(host), FILE))?.bytes.toString('utf8') ?? '';
  return known.split('\n').filter((line) => line !== '');
}

function configFolder(host: HostEnvironment): string {
  return join(host.env.XDG_CONFIG_HOME || join(homeFolder(host), '.config'), 'openclaw-memory');
}
