import type { Failure } from '../../base/failure.js';
import type {
  KnownLanguage,
  ListedModel,
  ModelList,
  ModelReport,
  ModelsReport,
  ModelTrial,
} from '../../upkeep/models.js';

/** Formats the lines of `status --deep` about the models. */
export function formatModels({ host, hostFrom, version, problem, installed, chat, embedding }: ModelsReport): string[] {
  const { window, loadMs, answerMs } = chat;
  const { dimension, embeddingMs, capabilities } = embedding;
  const isThere = version !== null;
  const lines = [row('ollama', `${version ?? 'no answer'} at ${host} (from ${hostFrom})`), ...problemLines(problem)];
  if (isThere) {
    lines.push(row('installed', installed.join(', ') || 'no models'));
    const answers = [told('window of ', window, ' tokens'), told('loaded in ', loadMs, ' ms')];
    lines.push(...modelRow('chat', chat, [...answers, told('20 tokens in ', answerMs, ' ms')]));
  }
  if (isThere || capabilities.length > 0 || embedding.problem !== null)
    lines.push(
      ...modelRow('embeddings', embedding, [told('dimension ', dimension), told('one in ', embeddingMs, ' ms')]),
    );
  return lines;
}

/** Formats a value with a label before it and a unit after it; undefined if the value is unknown. */
function told(before: string, value: number | null, after = ''): string | undefined {
  return value === null ? undefined : `${before}${value}${after}`;
}

/** Formats the lines of `models list`. */
export function formatModelList({ models, server, engine }: ModelList): string[] {
  const said = engine.version === null ? [] : [row('engine', `${engine.version}, for model files`)];
  return [
    ...models.flatMap((model) => [listedLine(model), ...problemLines(model.problem)]),
    ...problemLines(server, 'ollama'),
    ...said,
    ...problemLines(engine.problem, 'engine'),
  ];
}

function listedLine({ name, from, isSet, bytes, capabilities, languages }: ListedModel): string {
  const size = told('', bytes && Math.round(bytes / 1e6), ' MB');
  return factsRow(from, [name, size, can(capabilities), languages ? knows(languages) : '', isSet ? 'chosen' : '']);
}

function can(capabilities: readonly string[]): string {
  return capabilities.length === 0 ? '' : `can ${capabilities.join(', ')}`;
}

function factsRow(label: string, facts: readonly (string | undefined)[]): string {
  return row(label, facts.filter(Boolean).join('; '));
}

/** Formats the lines of `models test`. */
export function formatModelTrial({
  name,
  dimension,
  firstMs,
  questionMs,
  thousandLinesMs,
  languages,
}: ModelTrial): string[] {
  return [
    row('model', `${name}, ${dimension} numbers a vector`),
    row('first', `${firstMs} ms for the first vector, including loading`),
    row('question', `${questionMs} ms each`),
    row('lines', `${(thousandLinesMs / 1000).toFixed(1)} s for 1,000`),
    row('languages', knows(languages)),
  ];
}

function knows(languages: readonly KnownLanguage[]): string {
  const said = (how: string, isSo: (share: number) => boolean): string => {
    const names = languages.filter(({ share }) => isSo(share)).map(({ name }) => name);
    return names.length === 0 ? '' : `${how} ${names.join(', ')}`;
  };
  const parts = [said('knows', (share) => share >= 0.5), said('a little', (share) => share > 0 && share < 0.5)];
  return parts.filter(Boolean).join('; ') || 'knows none of the tested languages';
}

function modelRow(label: string, report: ModelReport, figures: readonly (string | undefined)[]): string[] {
  const { name, capabilities, contextLength, problem } = report;
  const facts = [name, can(capabilities), told('made for ', contextLength, ' tokens'), ...figures];
  return [factsRow(label, facts), ...problemLines(problem)];
}

function problemLines(problem: Failure | null, label = ''): string[] {
  if (problem === null) return [];
  return [row(label, problem.message), ...(problem.hint === undefined ? [] : [row('', problem.hint)])];
}

function row(label: string, value: string): string {
  return `${label.padEnd(10)} ${value}`;
}
