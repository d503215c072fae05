import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { tryWithFallback } from '../../base/failure.js';
import { asRecord, type UnknownFields } from '../../base/json.js';
import { readTextIfThere } from '../files.js';
import { hostStateFolder } from './places.js';

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
