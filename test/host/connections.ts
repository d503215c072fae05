import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NAME = 'openclaw-memory';

/** A host whose settings we write: its program, its command to list servers, and the output that shows ours. */
interface Listed {
  readonly host: string;
  readonly program: string;
  readonly list: readonly string[];
  readonly shows: RegExp;
}

export const LISTED: readonly Listed[] = [
  { host: 'claude-code', program: 'claude', list: ['mcp', 'list'], shows: /openclaw-memory: .*✔ Connected/u },
  { host: 'codex', program: 'codex', list: ['mcp', 'list'], shows: /openclaw-memory .*enabled/u },
  // The host starts no server in an untrusted folder, and says so.
  { host: 'gemini-cli', program: 'gemini', list: ['mcp', 'list'], shows: /openclaw-memory: .*\(stdio\)/u },
  { host: 'opencode', program: 'opencode', list: ['mcp', 'list'], shows: /openclaw-memory.*connected/u },
];

/** A finished command and its output on both streams, without colours. */
interface Ran {
  readonly code: number;
  readonly text: string;
}

export type Check = (what: string, holds: boolean, more?: string) => void;

/** A separate home with a removable copy of our program. */
export class Home {
  readonly home: string;
  private readonly copy: string;
  private readonly path: string;

  /** @param programs folders of the host and of the Node that runs it */
  constructor(
    base: string,
    name: string,
    programs: readonly string[],
    private readonly env: Readonly<Record<string, string>> = {},
  ) {
    this.home = join(base, name);
    this.copy = join(base, `${name}-program`);
    mkdirSync(join(this.home, 'work'), { recursive: true });
    for (const part of ['bin', 'dist', 'templates', 'package.json'])
      cpSync(join(ROOT, part), join(this.copy, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.copy, 'node_modules'));
    this.path = [join(this.home, '.local', 'bin'), ...programs, '/usr/bin', '/bin'].join(delimiter);
  }

  run(program: string, ...args: readonly string[]): Promise<Ran> {
    return this.feed('', program, ...args);
  }

  /** Like run, with text on standard input. */
  feed(input: string, program: string, ...args: readonly string[]): Promise<Ran> {
    const env = { HOME: this.home, PATH: this.path, TERM: 'dumb', NO_COLOR: '1', ...this.env };
    const options = { env, cwd: join(this.home, 'work'), maxBuffer: 1e8, timeout: 240_000 };
    return new Promise((done) => {
      const child = execFile(program, [...args], options, (error, out, err) => {
        const text = `${out}\n${err}`.replace(/\u001b\[[0-9;?]*[A-Za-z]/gu, '');
        done({ code: error === null ? 0 : Number(error.code ?? 1), text });
      });
      child.stdin?.end(input);
    });
  }

  ours(...args: readonly string[]): Promise<Ran> {
    return this.run(process.execPath, join(this.copy, 'bin', 'openclaw-memory.js'), ...args);
  }

  /** Removes the program like an installer that does not know of connections. */
  uninstall(): void {
    rmSync(this.copy, { recursive: true });
  }

  /** Returns files that name us, without a host's own history. */
  naming(): readonly string[] {
    return this.files().filter((file) => !PAST.test(file) && readFileSync(join(this.home, file)).includes(NAME));
  }

  /** Returns the settings by file, without values that differ between any two runs of a host. */
  settings(): Record<string, unknown> {
    const files = this.files().filter((file) => SETTINGS.test(file));
    return Object.fromEntries(files.map((file) => [file, steady(readFileSync(join(this.home, file), 'utf8'))]));
  }

  private files(folder = this.home): readonly string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return this.files(path);
      return entry.isFile() && statSync(path).size < 5e6 ? [relative(this.home, path)] : [];
    });
  }
}

/** Logs, backups, caches and states, which a host keeps of everything that it has seen. */
const PAST =
  /(?:^|\/)(?:logs?|\.?cache|backups?|telemetry|projects|tmp|history|state|sessions|\.npm)(?:\/|$)|\.(?:bak|log|db|sqlite)/u;
const SETTINGS = /(?:^\.claude\.json|settings\.json|config\.toml|opencode\.jsonc?|openclaw\.json)$/u;

/** Returns a JSON file without its numbers, times and ids; other files unchanged. */
function steady(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) =>
      typeof value === 'object' || /^(?:command|mcp|enabled)/u.test(key) ? value : typeof value,
    );
  } catch {
    return text;
  }
}

const same = (one: Home, other: Home) => JSON.stringify(one.settings()) === JSON.stringify(other.settings());
const both = (one: Home, other: Home) => JSON.stringify([one.settings(), other.settings()], undefined, 1);

/**
 * Connects a host, lists its servers, disconnects it, compares its settings with those of a home in which the host ran the
 * same commands without us, connects it again, and removes our program.
 */
export async function checkListed({ host, program, list, shows }: Listed, base: string, found: string, check: Check) {
  const programs = [dirname(found), dirname(process.execPath)];
  const [home, control] = [new Home(base, host, programs), new Home(base, `${host}-control`, programs)];
  const listed = () => home.run(program, ...list);
  await home.ours('init');
  for (const each of [home, control]) await each.run(program, ...list);
  const connected = await home.ours('connect', host);
  const first = await listed();
  check(`${host} is connected`, connected.code === 0 && shows.test(first.text), connected.text + first.text);
  const gone = await home.ours('disconnect', host);
  const none = await listed();
  for (let round = 0; round < 2; round++) await control.run(program, ...list);
  check(`${host} is disconnected`, gone.code === 0 && !none.text.includes(NAME), gone.text + none.text);
  check(`${host} is as if we had never been there`, same(home, control), both(home, control));
  check(
    `nothing of ${host} names us`,
    home.naming().every((file) => file.startsWith('.openclaw/')),
    home.naming().join('\n'),
  );
  await home.ours('connect', host);
  const again = await listed();
  check(`${host} is connected again`, shows.test(again.text), again.text);
  home.uninstall();
  const version = await home.run(program, '--version');
  const left = await listed();
  check(`${host} starts once we are gone`, version.code === 0 && left.code === 0, version.text + left.text);
}

/** Checks Claude Code with our plugin, installed by the two lines that "connect" prints. */
export async function checkClaudePlugin(base: string, found: string, check: Check) {
  const home = new Home(base, 'claude-plugin', [dirname(found), dirname(process.execPath)]);
  await home.ours('init');
  const written = await home.ours('connect', 'claude-code', '--plugin');
  const lines = [...written.text.matchAll(/then: claude (.+)/gu)].map(([, line]) => String(line).split(' '));
  for (const line of lines) await home.run('claude', ...line);
  const listed = await home.run('claude', 'plugin', 'list');
  const servers = await home.run('claude', 'mcp', 'list');
  check(
    'two lines install the plugin of Claude Code',
    lines.length === 2 && listed.text.includes('enabled'),
    listed.text,
  );
  check('its server runs', /plugin:openclaw-memory:.*✔ Connected/u.test(servers.text), servers.text);
  const gone = await home.ours('disconnect');
  const none = await home.run('claude', 'plugin', 'list');
  check('disconnect takes the plugin away', gone.code === 0 && !none.text.includes(NAME), gone.text + none.text);
  await home.ours('connect', 'claude-code', '--plugin');
  for (const line of lines) await home.run('claude', ...line);
  home.uninstall();
  const left = await home.run('claude', 'mcp', 'list');
  check('Claude Code starts once the program of its plugin is gone', left.code === 0, left.text);
}

/** Checks OpenClaw after "connect", in a bare shell with an empty home. */
export async function checkOpenClaw(
  found: string,
  {
    base,
    name,
    node,
    check,
  }: { readonly base: string; readonly name: string; readonly node: string; readonly check: Check },
) {
  const programs = [dirname(found), node];
  const [home, control] = [new Home(base, name, programs), new Home(base, `${name}-control`, programs)];
  const inspect = () => home.run(found, 'plugins', 'inspect', NAME);
  const list = (each: Home) => each.run(found, 'plugins', 'list', '--json');
  const version = await home.run(found, '--version');
  const title = version.text.trim().split('\n')[0] ?? name;
  await home.ours('init');
  for (const each of [home, control]) await list(each);
  const connected = await home.ours('connect', 'openclaw');
  const first = await inspect();
  check(
    `${title} is connected`,
    connected.code === 0 && /Status: (?:enabled|loaded)/u.test(first.text),
    connected.text + first.text,
  );
  const launcher = join(home.home, '.local', 'bin', 'openclaw');
  const recalled = await home.run(launcher, 'memory', 'retain', 'W @Peter: lives in Vienna');
  const theirs = await home.run(launcher, '--version');
  check(
    `${title} has a launcher for both`,
    recalled.code === 0 && theirs.text === version.text,
    recalled.text + theirs.text,
  );
  const gone = await home.ours('disconnect', 'openclaw');
  const none = await list(home);
  // The host adds its own settings with every write.
  const nothing = JSON.stringify({ plugins: { entries: { [NAME]: null } } });
  await control.feed(nothing, found, 'config', 'patch', '--stdin');
  await control.run(found, 'plugins', 'registry', '--refresh');
  await list(control);
  check(
    `${title} is disconnected`,
    gone.code === 0 && !none.text.includes(`"${NAME}"`) && !existsSync(launcher),
    gone.text,
  );
  check(`${title} is as if we had never been there`, same(home, control), both(home, control));
  await home.ours('connect', 'openclaw');
  const again = await inspect();
  check(`${title} is connected again`, /Status: (?:enabled|loaded)/u.test(again.text), again.text);
  home.uninstall();
  const left = await list(home);
  const fallen = await home.run(launcher, '--version');
  check(
    `${title} starts once we are gone`,
    left.code === 0 && fallen.text === version.text,
    left.text.slice(-1_500) + fallen.text,
  );
}
