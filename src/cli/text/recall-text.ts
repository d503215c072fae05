import type { ReadAnswer } from '../../app/recalling.js';
import type { RecallAnswer, RecallResult } from '../../recall/request.js';
import { paint } from './shown.js';

/** An answer for a person: one block a result, the citation first. */
export function recallText({ answer, ids, files }: ReadAnswer, colour: boolean): string {
  const parts = answer.explain?.map((line) => `# ${line}`) ?? [];
  if (answer.results.length === 0) parts.push(noAnswer(answer, files));
  else if (answer.answers === 'none')
    parts.push('(none of these lines has what the question tells: they may not answer it)');
  const shown = new Set(answer.results.map(({ id }) => id));
  for (const result of answer.results) {
    if (result.beside !== undefined && shown.has(result.beside)) continue;
    const around = answer.results.filter(({ beside }) => beside === result.id);
    parts.push(resultText(result, ids, colour), ...around.map((line) => besideText(line, colour)));
  }
  if (answer.dropped > 0) parts.push(`(${answer.dropped} more did not fit into the budget)`);
  return parts.join('\n');
}

/** What was looked at, and what to try. */
function noAnswer({ dropped }: RecallAnswer, files: number): string {
  if (dropped > 0) return `Nothing fits into the budget: it is too small for any of ${dropped} results.`;
  if (files === 0) return 'Nothing found.';
  return `Nothing found.\nLooked at ${files} file${files === 1 ? '' : 's'}; try other words, fewer of them, or no filter.`;
}

const MOST_CHARS = 600;

function resultText(result: RecallResult, ids: ReadonlyMap<string, string>, colour: boolean): string {
  const style = paint(colour);
  const marks = [
    result.kind + (result.confidence === undefined ? '' : ` c=${result.confidence}`),
    result.evidence === undefined ? '' : `${result.evidence.for.length} for, ${result.evidence.against.length} against`,
    result.superseded === undefined ? '' : `superseded by ${ids.get(result.superseded) ?? result.superseded}`,
    result.newer === undefined ? '' : `newer: ${ids.get(result.newer) ?? result.newer}`,
    result.over === undefined ? '' : `over: "${result.over}"`,
    result.why === undefined ? '' : (ids.get(result.id) ?? result.id),
  ].filter((mark) => mark !== '');
  const head = `${style.bold(result.source)}  ${style.dim(marks.join(', '))}`;
  const places = result.standsFor?.map(({ source }) => source).join(', ');
  const others =
    places === undefined
      ? ''
      : `
  ${style.dim(`stands for ${places}`)}`;
  const why = result.why === undefined ? '' : `\n  ${style.dim(`${result.score.toFixed(3)} ${result.why}`)}`;
  return `${head}\n  ${printable(shortened(result.content))}${others}${why}`;
}

/** A line beside a hit, beneath it. */
function besideText({ source, content }: RecallResult, colour: boolean): string {
  return `    ${paint(colour).dim(`beside ${source}`)}  ${printable(shortened(content))}`;
}

function shortened(content: string): string {
  return content.length > MOST_CHARS ? `${content.slice(0, MOST_CHARS - 1)}…` : content;
}

// Somebody's text must not move the cursor or colour the screen.
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
