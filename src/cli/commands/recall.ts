import type { ReadableAnswer } from '../../app/asking.js';
import type { Workspace } from '../../app/workspace.js';
import { ExitCode } from '../../base/failure.js';
import {
  type FoldedLine,
  RECALL_REQUEST,
  type RecallAnswer,
  type RecallRequest,
  type RecallResult,
  readRecallRequest,
} from '../../query/request.js';
import { contextLabel, selfContainedText } from '../../query/result-text.js';
import { createStyleMarkers } from '../text.js';
import { type CommandContext, defineVerb, failBoth, SHARE_FIELD } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

const recall = defineVerb({
  takes: {
    ...RECALL_REQUEST,
    batch: { type: 'boolean', doc: 'read questions from stdin and print answers, both as JSON lines' },
  },
  examples: ['recall "what does Peter prefer for WhatsApp replies?"'],
  run: async (context, { batch, ...flags }) => {
    if (batch && flags.query !== '') failBoth('a question', '--batch');
    const workspace = await openMemoryWorkspace(context);
    const request = await readRecallRequest(flags, workspace.clock, 'flag');
    if (batch) {
      const { recallBatch } = await import('../recall-batch.js');
      return recallBatch(context, workspace, request);
    }
    await showAnswer(context, workspace, request);
    return ExitCode.done;
  },
});

/** Prints an answer. Ids are shortened for people, not in JSON. */
export async function showAnswer(
  { out, signal }: CommandContext,
  workspace: Workspace,
  request: RecallRequest,
  leastScore = 0,
): Promise<void> {
  const read = out.json
    ? { answer: await workspace.recall(request, signal), ids: new Map<string, string>(), files: 0 }
    : await workspace.recallToRead(request, signal);
  const { answer: whole } = read;
  const answer =
    leastScore > 0 ? { ...whole, results: whole.results.filter(({ score }) => score >= leastScore) } : whole;
  out.answer(recallText({ ...read, answer }, request, out.colour), answer);
}

const { query, ...REST } = RECALL_REQUEST;

/** The command `search`: `recall` with the name and the flags that other tools use for it. */
const search = defineVerb({
  takes: {
    words: { type: 'text', place: 'words?', doc: query.doc },
    query: { type: 'text', doc: 'your question; used instead of the argument' },
    maxResults: { ...REST.k, doc: 'maximum results (default 10)' },
    minScore: { ...SHARE_FIELD, example: 0.3, value: 'score', doc: 'minimum score of a result, 0 to 1' },
    ...REST,
  },
  examples: ['search --query "deployment notes" --max-results 20 --json'],
  run: async (context, { words = '', query: asked = words, maxResults, minScore, ...request }) => {
    const workspace = await openMemoryWorkspace(context);
    const asking = { ...request, query: asked, k: maxResults ?? request.k };
    await showAnswer(context, workspace, await readRecallRequest(asking, workspace.clock, 'flag'), minScore);
  },
});

export const commands = { recall, search };

/** Formats an answer for a person: one block for each result, citation first. */
function recallText({ answer, ids, files }: ReadableAnswer, { budget }: RecallRequest, colour: boolean): string {
  const parts = answer.explain?.map((line) => `# ${line}`) ?? [];
  if (answer.results.length === 0) parts.push(noAnswer(answer, files));
  else if (answer.answers === 'none') parts.push('No line clearly answers this.');
  // Where nothing is found, all words are missing, and that says so already.
  if (answer.missing !== undefined && answer.results.length > 0) parts.push(missingText(answer.missing));
  const shown = new Set(answer.results.map(({ id }) => id));
  for (const result of answer.results) {
    if (result.beside !== undefined && shown.has(result.beside)) continue;
    const around = answer.results.filter(({ beside }) => beside === result.id);
    const { dim } = createStyleMarkers(colour);
    const beneath = around.map((line) => `    ${dim(`beside ${line.source}`)}  ${shortened(selfContainedText(line))}`);
    parts.push(resultText(result, ids, colour), ...beneath);
  }
  if (answer.dropped > 0) {
    const why = budget === undefined ? `: use --k ${answer.results.length + answer.dropped}` : ' into the budget';
    parts.push(`(${answer.dropped} more ${answer.dropped === 1 ? 'result' : 'results'} did not fit${why})`);
  }
  return parts.join('\n');
}

/** Names the words of the question that the results lack: those that some other line has, and those that no line has. */
function missingText(missing: NonNullable<RecallAnswer['missing']>): string {
  const quoted = (isIndexed: boolean): string =>
    missing.flatMap(({ word, indexed }) => (indexed === isIndexed ? `"${word}"` : [])).join(', ');
  const [elsewhere, nowhere] = [quoted(true), quoted(false)];
  return [
    elsewhere === '' ? '' : `Not in the first results: ${elsewhere}.`,
    nowhere === '' ? '' : `In no line: ${nowhere}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Says how many files were searched, and what to try next. */
function noAnswer({ dropped }: RecallAnswer, files: number): string {
  if (dropped > 0) return `The budget is too small: none of the ${dropped} results fits.`;
  if (files === 0) return 'Nothing found.';
  return `Nothing found in ${files} file${files === 1 ? '' : 's'}.\nTry other words, fewer words, or no filter.`;
}

const MOST_CHARS = 600;

function resultText(result: RecallResult, ids: ReadonlyMap<string, string>, colour: boolean): string {
  const style = createStyleMarkers(colour);
  const marks = [
    result.kind + (result.confidence === undefined ? '' : ` c=${result.confidence}`),
    evidenceOf(result),
    result.superseded === undefined ? '' : `superseded by ${ids.get(result.superseded) ?? result.superseded}`,
    result.newer === undefined ? '' : `newer: ${ids.get(result.newer) ?? result.newer}`,
    result.future ? 'in the future' : '',
    result.over === undefined ? '' : `over: "${result.over}"`,
    result.sourceAway ? 'source away' : '',
    result.conflictCopy ? 'conflict copy' : '',
    result.why === undefined ? '' : (ids.get(result.id) ?? result.id),
  ].filter((mark) => mark !== '');
  const under = contextLabel(result);
  const head = `${style.bold(result.source)}  ${style.dim([marks.join(', '), under ?? []].flat().join('  › '))}`;
  const others =
    result.standsFor === undefined ? '' : `\n  ${style.dim(placesOf(result.standsFor, result.standsForCount))}`;
  const why = result.why === undefined ? '' : `\n  ${style.dim(`${result.score.toFixed(3)} ${result.why}`)}`;
  const below = (result.below ?? []).map((line) => `\n    - ${shortened(line)}`).join('');
  return `${head}\n  ${shortened(selfContainedText(result))}${below}${others}${why}`;
}

function evidenceOf({ evidence, evidenceCount }: RecallResult): string {
  if (evidence === undefined) return '';
  const count = evidenceCount ?? { for: evidence.for.length, against: evidence.against.length };
  return `${count.for} for, ${count.against} against`;
}

const MOST_PLACES = 5;

function placesOf(places: readonly FoldedLine[], count = places.length): string {
  const named = places.slice(0, MOST_PLACES).map(({ source }) => source);
  return `stands for ${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}`;
}

function shortened(content: string): string {
  return content.length > MOST_CHARS ? `${content.slice(0, MOST_CHARS - 1)}…` : content;
}
