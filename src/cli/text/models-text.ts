import type { Failure } from '../../base/failure.js';
import type { ModelReport, ModelsReport } from '../../upkeep/models.js';

/** What `status --deep` says of the models, in lines. */
export function modelLines({ host, hostFrom, version, problem, installed, chat, embedding }: ModelsReport): string[] {
  const lines = [row('ollama', `${version ?? 'no answer'} at ${host} (from ${hostFrom})`)];
  if (problem !== null) lines.push(...problemLines(problem));
  if (version === null) return lines;
  lines.push(row('installed', installed.length === 0 ? 'no models' : installed.join(', ')));
  const { window, loadMs, answerMs } = chat;
  lines.push(
    ...modelRow('chat', chat, [
      window === null ? undefined : `window of ${window} tokens`,
      loadMs === null ? undefined : `loaded in ${loadMs} ms`,
      answerMs === null ? undefined : `20 tokens in ${answerMs} ms`,
    ]),
  );
  const { dimension, embeddingMs } = embedding;
  lines.push(
    ...modelRow('embeddings', embedding, [
      dimension === null ? undefined : `dimension ${dimension}`,
      embeddingMs === null ? undefined : `one in ${embeddingMs} ms`,
    ]),
  );
  return lines;
}

function modelRow(label: string, report: ModelReport, figures: readonly (string | undefined)[]): string[] {
  const { name, capabilities, contextLength, problem } = report;
  const known = [
    capabilities.length === 0 ? undefined : `can ${capabilities.join(', ')}`,
    contextLength === null ? undefined : `made for ${contextLength} tokens`,
  ];
  const said = [...known, ...figures].filter((part) => part !== undefined);
  return [row(label, [name, ...said].join('; ')), ...(problem === null ? [] : problemLines(problem))];
}

function problemLines({ message, hint }: Failure): string[] {
  return [row('', message), ...(hint === undefined ? [] : [row('', hint)])];
}

function row(label: string, value: string): string {
  return `${label.padEnd(10)} ${value}`;
}
