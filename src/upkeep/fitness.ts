import type { Failure } from '../base/failure.js';
import type { Result } from '../base/result.js';
import { isCloud, withTag } from '../model/ollama/host.js';
import type { ModelInfo, OllamaServer } from '../model/ollama/ollama.js';

/** What a model must be able to do to be set as this. */
const CAPABILITY = { chatModel: 'completion', embedModel: 'embedding' } as const;
type ModelSetting = keyof typeof CAPABILITY;

/**
 * What a server says of a model, and why it can't be used for what it is set for. Where the server has another one that
 * could be, the hint names it.
 */
export async function fitness(
  server: OllamaServer,
  name: string,
  setting: ModelSetting,
  signal?: AbortSignal,
): Promise<{ readonly shown: Result<ModelInfo>; readonly problem: Failure | undefined }> {
  const shown = await server.show(name, signal);
  const problem = unfitness(shown, name, setting);
  if (problem === undefined) return { shown, problem };
  const installed = await server.installed(signal);
  if (!installed.ok || (!shown.ok && installed.value.includes(withTag(name)))) return { shown, problem };
  const other = await firstThatCan(CAPABILITY[setting], server, installed.value, signal);
  if (other === undefined) return { shown, problem };
  const pull = shown.ok || isCloud(name) ? '' : `, or ollama pull ${name}`;
  return { shown, problem: { ...problem, hint: `${other} is installed: set "${setting}" to it${pull}` } };
}

/** Asked one by one: only new servers say it in their list. */
async function firstThatCan(
  capability: string,
  server: OllamaServer,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  for (const name of names) {
    const shown = isCloud(name) ? undefined : await server.show(name, signal);
    if (shown?.ok && shown.value.capabilities.includes(capability)) return name.replace(/:latest$/, '');
  }
  return undefined;
}

function unfitness(shown: Result<ModelInfo>, name: string, setting: ModelSetting): Failure | undefined {
  if (isCloud(name)) {
    const message = `${name} runs in a cloud, and nothing leaves this machine`;
    return { type: 'model_unavailable', message, hint: `set "${setting}" to a model that is local` };
  }
  if (!shown.ok) return shown.error;
  const { capabilities } = shown.value;
  // Old servers do not say.
  if (capabilities.length === 0 || capabilities.includes(CAPABILITY[setting])) return undefined;
  const message = `${withTag(name)} is not made for this: it can do ${capabilities.join(', ')}`;
  return { type: 'model_unavailable', message, hint: `set "${setting}" to another model` };
}
