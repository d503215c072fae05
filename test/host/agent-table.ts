import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_CASES, type AgentCase } from './agent-cases.js';

/** The folders that the host returns, one entry per case, as written by `npm run hosts-check -- --write`. */
export const TABLE = fileURLToPath(new URL('./agent-workspaces.json', import.meta.url));

/** The answer of the host to one configuration; `{home}` stands for the home folder, null for a refusal. */
export interface RecordedCase {
  readonly folders: Readonly<Record<string, string | null>>;
  /** Requested ids that are in no configuration: the host's commands refuse them, its function does not. */
  readonly unlisted?: readonly string[];
}

/** A case whose files are written. */
export interface Laid {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
  readonly asked: readonly string[];
}

/** Writes the files of a case below a home folder of its own. */
export function layOut(
  { config, at = '.openclaw/openclaw.json', files = {}, env = {}, asked }: AgentCase,
  home: string,
): Laid {
  const filled = (text: string): string => text.replaceAll('{home}', home);
  const all = { ...files, ...(config === undefined ? {} : { [at]: config }) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), filled(text));
  }
  const cwd = join(home, 'current');
  mkdirSync(cwd, { recursive: true });
  const variables = Object.entries(env).map(([name, value]) => [name, filled(value)]);
  return {
    home,
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: home, ...Object.fromEntries(variables) },
    file: join(home, at),
    asked,
  };
}

/** Returns the cases with the host's answers. */
export function recordedCases(): readonly (AgentCase & RecordedCase)[] {
  const answers: readonly RecordedCase[] = JSON.parse(readFileSync(TABLE, 'utf8'));
  return AGENT_CASES.map((each, at) => ({ ...each, ...(answers[at] ?? { folders: {} }) }));
}
