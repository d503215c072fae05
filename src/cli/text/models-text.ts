import type { Failure } from '../../base/failure.js';
import type { KnownLanguage, ListedModel, ModelList, ModelTrial } from '../../upkeep/embedding-models.js';
import type { ModelReport, ModelsReport } from '../../upkeep/models.js';

/** What `status --deep` says of the models, in lines. */
export function modelLines({ host, hostFrom, version, problem, installed, chat, embedding }: ModelsReport): string[] {
  const lines = [row('ollama', `${version ?? 'no answer'} at ${host} (from ${hostFrom})`)];
  lines.push(...problemLines(problem));
  if (version !== null) lines.push(...chatLines(installed, chat));
  const { dimension, embeddingMs, capabilities } = embedding;
  if (version === null && capabilities.length === 0 && embedding.problem === null) return lines;
  lines.push(
    ...modelRow('embeddings', embedding, [
      dimension === null ? undefined : `dimension ${dimension}`,
      embeddingMs === null ? undefined : `one in ${embeddingMs} ms`,
    ]),
  );
  return lines;
}

function chatLines(installed: readonly string[], chat: ModelsReport['chat']): string[] {
  const { window, loadMs, answerMs } = chat;
  return [
    row('installed', installed.length === 0 ? 'no models' : installed.join(', ')),
    ...modelRow('chat', chat, [
      window === null ? undefined : `window of ${window} tokens`,
      loadMs === null ? undefined : `loaded in ${loadMs} ms`,
      answerMs === null ? undefined : `20 tokens in ${answerMs} ms`,
    ]),
  ];
}

/** What `models list` says. */
export function listLines({ models, server, engine }: ModelList): string[] {
  const said = engine.version === null ? [] : [row('engine', `${engine.version}, for model files`)];
  return [
    ...models.flatMap((model) => [listedLine(model), ...problemLines(model.problem)]),
    ...problemLines(server, 'ollama'),
    ...said,
    ...problemLines(engine.problem, 'engine'),
  ];
}

function listedLine({ name, from, isSet, bytes, capabilities, languages }: ListedModel): string {
  const parts = [
    bytes === null ? undefined : `${Math.round(bytes / 1e6)} MB`,
    capabilities.length === 0 ? undefined : `can ${capabilities.join(', ')}`,
    languages === null ? undefined : knows(languages),
    isSet ? 'is set' : undefined,
  ];
  return row(from, [name, ...parts.filter((part) => part !== undefined)].join('; '));
}

/** What `models test` says. */
export function trialLines({ name, dimension, firstMs, questionMs, thousandLinesMs, languages }: ModelTrial): string[] {
  return [
    row('model', `${name}, ${dimension} numbers a vector`),
    row('first', `${firstMs} ms until the first vector, with loading`),
    row('question', `${questionMs} ms each`),
    row('lines', `${(thousandLinesMs / 1000).toFixed(1)} s for 1,000`),
    row('languages', knows(languages)),
  ];
}

function knows(languages: readonly KnownLanguage[]): string {
  const said = (least: number, below: number): string =>
    languages
      .filter(({ share }) => share >= least && share < below)
      .map(({ name }) => name)
      .join(', ');
  const [well, little] = [said(0.5, Number.POSITIVE_INFINITY), said(Number.MIN_VALUE, 0.5)];
  const parts = [well === '' ? '' : `knows ${well}`, little === '' ? '' : `a little ${little}`];
  return parts.filter((part) => part !== '').join('; ') || 'knows none that was tried';
}

function modelRow(label: string, report: ModelReport, figures: readonly (string | undefined)[]): string[] {
  const { name, capabilities, contextLength, problem } = report;
  const known = [
    capabilities.length === 0 ? undefined : `can ${capabilities.join(', ')}`,
    contextLength === null ? undefined : `made for ${contextLength} tokens`,
  ];
  const said = [...known, ...figures].filter((part) => part !== undefined);
  return [row(label, [name, ...said].join('; ')), ...problemLines(problem)];
}

function problemLines(problem: Failure | null, label = ''): string[] {
  if (problem === null) return [];
  return [row(label, problem.message), ...(problem.hint === undefined ? [] : [row('', problem.hint)])];
}

function row(label: string, value: string): string {
  return `${label.padEnd(10)} ${value}`;
}
