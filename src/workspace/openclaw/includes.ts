import { realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { tryWithFallback } from '../../base/failure.js';
import { asRecord, isRecord, type UnknownFields } from '../../base/json.js';
import { readTextIfThere } from '../files.js';
import { environmentVariable, expandHome, homeFolder, hostStateFolder } from './places.js';

const INCLUDE = '$include';
/**
 * Maximum depth of includes: the number of files in a chain in which each file includes the next. OpenClaw has the same
 * limit.
 */
const MOST_FILES = 10;

type ParseConfig = (text: string) => Promise<unknown>;

/**
 * Replaces each `$include` in OpenClaw's configuration by the files that it names. Keys beside `$include` override those of
 * the files; lists are joined. Files outside the folder of the configuration and `$OPENCLAW_INCLUDE_ROOTS` are refused.
 * @throws Error for a file that is missing, outside, not JSON5, or that includes itself
 */
export function resolveIncludes(
  value: unknown,
  file: string,
  env: NodeJS.ProcessEnv,
  parse: ParseConfig,
): Promise<unknown> {
  const home = homeFolder({ env });
  const more = (environmentVariable(env, 'OPENCLAW_INCLUDE_ROOTS') ?? '')
    .split(delimiter)
    .filter((root) => root.trim() !== '');
  const roots = [dirname(file), ...more.map((root) => resolve(expandHome(root.trim(), home)))];
  return new Includes(roots, parse).of(value, [normalize(file)]);
}

class Includes {
  constructor(
    private readonly roots: readonly string[],
    private readonly parse: ParseConfig,
  ) {}

  /**
   * Replaces each `$include` in a value.
   * @param files the chain of files to the value: each file includes the next one, and the last one contains the value
   */
  async of(value: unknown, files: readonly string[]): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.of(item, files)));
    if (!isRecord(value)) return value;
    const { [INCLUDE]: included, ...beside } = value;
    const own = await Promise.all(
      Object.entries(beside).map(async ([key, item]): Promise<[string, unknown]> => [key, await this.of(item, files)]),
    );
    if (!Object.hasOwn(value, INCLUDE)) return Object.fromEntries(own);
    const base = await this.included(included, files);
    if (own.length === 0) return base;
    if (!isRecord(base)) throw new Error(`${INCLUDE} has other keys beside it, so the included file must be an object`);
    return merged(base, Object.fromEntries(own));
  }

  private async included(names: unknown, files: readonly string[]): Promise<unknown> {
    if (typeof names === 'string') return this.read(names, files);
    if (!Array.isArray(names)) throw new Error(`${INCLUDE} must be a file name or a list of file names`);
    let all: unknown = {};
    for (const name of names) {
      if (typeof name !== 'string') throw new Error(`${INCLUDE} must be a file name or a list of file names`);
      all = merged(all, await this.read(name, files));
    }
    return all;
  }

  private async read(name: string, files: readonly string[]): Promise<unknown> {
    const path = resolve(dirname(files.at(-1) ?? ''), name);
    if (files.includes(path)) throw new Error(`${path} includes itself`);
    if (files.length > MOST_FILES) throw new Error(`${path} is included through more than ${MOST_FILES} files`);
    const real = (at: string): string => tryWithFallback(() => realpathSync(at), at);
    const isAllowed = (at: string, roots: readonly string[]): boolean => roots.some((root) => isInside(at, root));
    if (!isAllowed(path, this.roots) || !isAllowed(real(path), this.roots.map(real)))
      throw new Error(`the included file ${path} is outside of the folder of openclaw.json`);
    const text = readTextIfThere(path);
    if (text === undefined) throw new Error(`the included file ${path} does not exist`);
    return this.of(await this.parse(text), [...files, path]);
  }
}

function isInside(path: string, root: string): boolean {
  return isAbsolute(root) && path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function merged(base: unknown, over: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(over)) return [...base, ...over];
  if (!isRecord(base) || !isRecord(over)) return over;
  const both = Object.entries(over).map(([key, value]): [string, unknown] => [
    key,
    Object.hasOwn(base, key) ? merged(base[key], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(both) };
}

/**
 * Variables that OpenClaw's configuration may use: those of the process, then those of `.env` in the state folder, then
 * those of the configuration. A later source never replaces an earlier one.
 */
export function addConfiguredVariables(root: UnknownFields, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = tryWithFallback(() => readTextIfThere(join(hostStateFolder(env), '.env')), undefined);
  const { vars, shellEnv: _, ...others } = asRecord(root.env);
  const sources = [{ ...asRecord(vars), ...others }, file === undefined ? {} : parseEnv(file), env];
  const given = sources.flatMap((source) => Object.entries(source)).filter(([, value]) => hasText(value));
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A text whose variables were replaced, and the name of the first variable that has no value. */
interface TextWithVariablesFilled {
  readonly text: string;
  readonly missing?: string;
}

/**
 * Replaces `${NAME}` by the value of the variable. `$${NAME}` becomes the text `${NAME}`. A variable without a value stays
 * as it is.
 */
export function fillInVariables(text: string, env: NodeJS.ProcessEnv): TextWithVariablesFilled {
  let missing: string | undefined;
  const filled = text.replace(/\$(\$?)(\{([A-Z_][A-Z0-9_]*)\})/gu, (whole, dollar, braced, name) => {
    if (dollar !== '') return `$${braced}`;
    if (!env[name]) missing ??= name;
    return env[name] || whole;
  });
  return { text: filled, ...(missing === undefined ? {} : { missing }) };
}
