import type { ReadableAnswer } from '../../app/asking.js';
import type { Workspace } from '../../app/workspace.js';
import { ExitCode } from '../../base/failure.js';
import { tokenize } from '../../language/tokens.js';
import { stemOf } from '../../language/words/forms.js';
import { isFrequentWord } from '../../language/words/stop.js';
import {
  type FoldedLine,
  RECALL_REQUEST,
  type RecallAnswer,
  type RecallRequest,
  type RecallResult,
  readRecallRequest,
} from '../../query/request.js';
import { contextLabel, selfContainedText } from '../../query/result-text.js';
import { createStyleMarkers, wrapText } from '../text.js';
import { type CommandContext, defineVerb, failBoth, SHARE_FIELD } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

const recall = defineVerb({
  takes: {
    ...RECALL_REQUEST,
    limit: { ...RECALL_REQUEST.k, short: 'n', doc: 'the same as --k' },
    files: { type: 'boolean', doc: 'print only the files of the results' },
    csv: { type: 'boolean', doc: 'print a table: source, day, kind, score, text' },
    batch: { type: 'boolean', doc: 'read questions from stdin and print answers, both as JSON lines' },
  },
  examples: ['recall "what does Peter prefer for WhatsApp replies?"'],
  run: async (context, { batch, limit, files = false, csv = false, ...given }) => {
    const flags = { ...given, k: limit ?? given.k };
    const { out } = context;
    const [one, other] = [out.json && '--json', batch && '--batch', files && '--files', csv && '--csv'].filter(Boolean);
    if (other && (files || csv)) failBoth(String(one), String(other));
    if (batch && flags.query !== '') failBoth('a question', '--batch');
    const workspace = await openMemoryWorkspace(context);
    const request = await readRecallRequest(flags, workspace.clock, 'flag');
    if (batch) {
      const { recallBatch } = await import('../recall-batch.js');
      return recallBatch(context, workspace, request);
    }
    if (files || csv) {
      const answer = await workspace.recall(request, context.signal);
      const { results } = answer;
      out.answer(csv ? csvOf(results) : [...new Set(results.map(({ path }) => path))].join('\n'), answer);
      return ExitCode.done;
    }
    await showAnswer(context, workspace, request);
    return ExitCode.done;
  },
});

/** Prints an answer. Ids are shortened for people, not in JSON. */
async function showAnswer(
  { out, signal, io }: CommandContext,
  workspace: Workspace,
  request: RecallRequest,
  leastScore = 0,
): Promise<void> {
  const read = out.json
    ? { answer: await workspace.recall(request, signal), ids: new Map(), newer: new Map(), files: 0 }
    : await workspace.recallToRead(request, signal);
  const { answer: whole } = read;
  const answer =
    leastScore > 0 ? { ...whole, results: whole.results.filter(({ score }) => score >= leastScore) } : whole;
  const paint = painterOf(request.query, out.colour, io.stdout.isTTY === true ? io.stdout.columns : undefined);
  out.answer(recallText({ ...read, answer }, request, paint), answer);
}

/** How text is shown: with styles and lines of a width on a terminal, plain elsewhere. */
interface Painter extends ReturnType<typeof createStyleMarkers> {
  /** Wraps a text, and highlights the words of the question in it. */
  readonly said: (text: string, indent: string) => string;
}

function painterOf(question: string, colour: boolean, columns: number | undefined): Painter {
  const style = createStyleMarkers(colour);
  const asked = tokenize(question).filter(({ lower }) => !isFrequentWord(lower));
  const stems = new Set(asked.map(({ lower }) => stemOf(lower)));
  const highlighted = (text: string): string =>
    tokenize(text).reduceRight(
      (line, { lower, start, end }) =>
        stems.has(stemOf(lower)) ? line.slice(0, start) + style.hit(line.slice(start, end)) + line.slice(end) : line,
      text,
    );
  const said = (text: string, indent: string): string => {
    const wrapped = wrapText(text, indent, columns);
    return colour ? highlighted(wrapped) : wrapped;
  };
  return { ...style, said };
}

/** A table of results as CSV, with a head. */
function csvOf(results: RecallAnswer['results']): string {
  const rows = results.map((one) => [
    one.source,
    one.timestamp ?? '',
    one.kind,
    one.score.toFixed(3),
    selfContainedText(one),
  ]);
  const cells = [['source', 'day', 'kind', 'score', 'text'], ...rows];
  return cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
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
function recallText(read: ReadableAnswer, { budget }: RecallRequest, paint: Painter): string {
  const { answer, files } = read;
  const parts = answer.explain?.map((line) => `# ${line}`) ?? [];
  if (answer.results.length === 0) parts.push(noAnswer(answer, files));
  else if (answer.answers === 'none') parts.push('No line clearly answers this.');
  // Where nothing is found, all words are missing, and that says so already.
  if (answer.missing !== undefined && answer.results.length > 0) parts.push(missingText(answer.missing));
  const shown = new Set(answer.results.map(({ id }) => id));
  for (const result of answer.results) {
    if (result.beside !== undefined && shown.has(result.beside)) continue;
    const around = answer.results.filter(({ beside }) => beside === result.id);
    const beneath = around.map((line) =>
      paint.said(`${paint.dim(`beside ${line.source}`)}  ${shortened(selfContainedText(line))}`, '    '),
    );
    parts.push(resultText(result, read, paint), ...beneath);
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
    missing
      .filter(({ indexed }) => indexed === isIndexed)
      .map(({ word, near = [] }) => [`"${word}"`, ...near.map((other) => `(near it: "${other}")`)].join(' '))
      .join(', ');
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

function resultText(result: RecallResult, { ids, newer: texts }: ReadableAnswer, style: Painter): string {
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
  const below = (result.below ?? []).map((line) => `\n${style.said(`- ${shortened(line)}`, '    ')}`).join('');
  const text = texts.get(result.newer ?? '');
  const newer = text === undefined ? '' : `\n${style.said(`newer: ${shortened(text)}`, '    ')}`;
  return `${head}\n${style.said(shortened(selfContainedText(result)), '  ')}${below}${newer}${others}${why}`;
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
