import { fail } from '../../base/failure.js';
import { CallError } from '../call.js';

const DEFAULT_PORT = '11434';

/**
 * Address of the Ollama server. Reads the same forms as Ollama's own tools read in `OLLAMA_HOST`: `host`, `host:port`,
 * `:port`, `scheme://host[:port][/path]`, optionally with quotes and blanks. `0.0.0.0` and `[::]`, which mean "listen
 * everywhere", mean this machine.
 * @throws MemoryError `settings`
 */
export function serverUrl(host: string | undefined): URL {
  const given = (host ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
  const scheme = /^(https?):\/\//i.exec(given)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? given : given.slice(scheme.length + 3);
  const withHost = /^(?::\d+)?(?:\/|$)/.test(rest) ? `127.0.0.1${rest}` : bracketed(rest);
  try {
    const url = new URL(`${scheme ?? 'http'}://${withHost}`);
    // Set Ollama's port only if neither a scheme nor a port is given. With a scheme, its own default port is meant.
    if (scheme === undefined && !/:\d+(?:\/|$)/.test(withHost.replace(/^\[.*?\]/, ''))) url.port = DEFAULT_PORT;
    if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
    if (url.hostname === '[::]') url.hostname = '[::1]';
    return url;
  } catch {
    return fail('settings', `"${given}" is not an address of an Ollama server`, 'for example 127.0.0.1:11434');
  }
}

/** Adds brackets to a bare IPv6 address, which has no port. */
function bracketed(host: string): string {
  return /^[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
}

/** Whether the model with this name runs at ollama.com and not on this machine. */
export function isCloudModel(name: string): boolean {
  return /[:-]cloud$/u.test(name);
}

/**
 * Refuses a model that runs at ollama.com, because nothing may leave this machine.
 * @throws CallError `unfit` for such a model
 */
export function refuseCloudModel(name: string): void {
  const message = `${name} runs in a cloud, but memories must not leave this machine`;
  if (isCloudModel(name)) throw new CallError('unfit', message, 'choose a local model');
}

/** The name of a model with its tag, as the server lists it: `:latest` if it has none. */
export function modelNameWithTag(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
}
