// Runs under the host's Node, beside its package: which folder OpenClaw gives the agents of configurations on the disk.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { listAgentIds, resolveAgentWorkspaceDir } from 'openclaw/plugin-sdk/agent-runtime';
import { clearConfigCache, clearRuntimeConfigSnapshot, loadConfig } from 'openclaw/plugin-sdk/config-runtime';

const JSON5 = createRequire(import.meta.resolve('openclaw/plugin-sdk/agent-runtime'))('json5');
const [, , questions, answers] = process.argv;
console.error = console.warn = () => {};

function setEnvironment(env) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * The configuration as the host loads it. It refuses some that it still resolves agents of, such as those of several
 * agents without an owner: then the parsed text is taken, where nothing in it needs more than parsing.
 */
function configOf({ file, env }) {
  clearConfigCache();
  clearRuntimeConfigSnapshot();
  const loaded = attempt(() => loadConfig());
  if (loaded !== null) return loaded;
  setEnvironment(env);
  const text = readFileSync(file, 'utf8');
  return /\$include|\$\{/.test(text) ? null : attempt(() => JSON5.parse(text));
}

const given = [];
for (const question of JSON.parse(readFileSync(questions, 'utf8'))) {
  setEnvironment(question.env);
  process.chdir(question.cwd);
  const config = configOf(question);
  const folders = question.asked.map((id) => config && attempt(() => resolveAgentWorkspaceDir(config, id)));
  given.push({ folders, known: config ? attempt(() => listAgentIds(config)) : null });
}
writeFileSync(answers, JSON.stringify(given));
