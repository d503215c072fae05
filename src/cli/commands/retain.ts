import { INFER_REQUEST } from '../../app/requests.js';
import type { Workspace } from '../../app/workspace.js';
import { ExitCode, fail } from '../../base/failure.js';
import type { RequestFields, RequestOf } from '../../base/request.js';
import { parseBullet } from '../../markdown/bullet.js';
import { RETAIN_REQUEST, type RetainReport } from '../../retain/retain.js';
import { INJECTED_REMOVED_WARNING, stripInjected } from '../../text/strip.js';
import { readStdinText } from '../io.js';
import { formatNames } from '../reflect-message.js';
import { formatNumberOf } from '../text.js';
import { type CommandContext, defineVerb, failBoth, WRITE_OPTIONS } from '../verb.js';
import { finishWrite, openAnyWorkspace, prepareShortIds, readSinceOption } from '../workspace.js';

const TAKES = {
  facts: RETAIN_REQUEST.facts,
  stdin: { type: 'boolean', doc: 'read facts from standard input, one per line' },
  file: RETAIN_REQUEST.file,
  infer: { type: 'boolean', doc: 'find up to five facts in the log of a day, each with its source lines' },
  date: INFER_REQUEST.date,
  since: INFER_REQUEST.since,
  maxMinutes: INFER_REQUEST.maxMinutes,
  force: RETAIN_REQUEST.force,
  ...WRITE_OPTIONS,
} as const satisfies RequestFields;

type Options = RequestOf<typeof TAKES>;

const retain = defineVerb({
  takes: TAKES,
  more: 'Kinds: W world fact, B what you did, O(c=0.8) opinion, S observation.',
  examples: ['retain "O(c=0.9) @Peter: prefers short replies on WhatsApp"'],
  run: retainFacts,
});

export const commands = { retain };

/** Matches the id at the end of the reason why a fact was skipped: the id of the fact that already says the same. */
const LAST_ID = /[fo]-[0-9a-z]{13}$/;

async function retainFacts(context: CommandContext, options: Options): Promise<ExitCode> {
  const { out } = context;
  const facts = options.infer ? [] : await readFacts(context, options);
  const workspace = await openAnyWorkspace(context);
  const report = options.infer
    ? await infer(workspace, options)
    : await workspace.retain({ facts, file: options.file, dryRun: options.dryRun, force: options.force });
  const ids = [
    ...report.retained.flatMap(({ id, nearDuplicateOf }) => [id, nearDuplicateOf]),
    ...report.skipped.map(({ reason }) => LAST_ID.exec(reason)?.[0]),
  ];
  const readable = await prepareShortIds(context, workspace, options.dryRun ? [] : ids);
  for (const fact of report.retained)
    if (fact.nearDuplicateOf)
      out.warn(`kept beside nearly the same fact ${readable(fact.nearDuplicateOf)}: ${fact.nearText}`);
  const refused = report.skipped.filter(({ duplicate }) => !duplicate);
  if (report.retained.length + report.skipped.length === 1 && refused[0] !== undefined)
    fail('usage', refused[0].reason, 'see openclaw memory retain --help');
  for (const { reason } of refused) out.warn(`not retained: ${reason}`);
  const { changes, warnings } = report;
  const count = `retain ${formatNumberOf(report.retained.length, 'fact')}`;
  const names = formatNames(
    new Set(report.retained.flatMap(({ entities }) => entities)),
    `memory: ${count} about `.length,
  );
  const subject = names === '' ? count : `${count} about ${names}`;
  const written = await finishWrite(context, workspace, options, changes, subject, warnings);
  const skipped = report.skipped.map(({ text, reason }) => ({ text, reason }));
  out.answer(written.diff ?? (text(report, readable) || nothingFound(options)), {
    retained: report.retained,
    skipped,
    warnings,
    ...written,
  });
  return refused.length > 0 ? ExitCode.failed : ExitCode.done;
}

/** Message when nothing was written or skipped. This is possible only with `--infer`. */
function nothingFound({ infer: isInferred }: Options): string {
  return isInferred
    ? 'nothing found: no new line tells a decision, a change, a preference, a task done or a thing to remember'
    : '';
}

async function infer(workspace: Workspace, options: Options): Promise<RetainReport> {
  const { facts, date, since, maxMinutes, dryRun, file, stdin } = options;
  if (facts.length > 0 || file !== undefined || stdin)
    fail('usage', "--infer reads logs, so it can't be used with facts", 'use only one of them');
  const from = await readSinceOption(workspace, { since });
  return (await workspace.extraction()).infer({ date, since: from, maxMinutes, dryRun });
}

async function readFacts({ io, out }: CommandContext, options: Options): Promise<readonly string[]> {
  const { facts: words, stdin, date, since, maxMinutes } = options;
  const ofDay = 'write the date in the fact, or name the log of that day with --file';
  if ((date ?? since) !== undefined) fail('usage', '--date and --since need --infer', ofDay);
  if (maxMinutes !== undefined) fail('usage', '--max-minutes needs --infer', 'leave it out, or use --infer');
  if (stdin && words.length > 0) failBoth('fact arguments', '--stdin');
  if (!stdin) {
    if (words.length === 0) fail('usage', 'there is no fact', 'write a fact, or use --stdin');
    return factsOf(words);
  }
  const given = await readStdinText(io);
  // Remove injected blocks before the text is split into lines, because a block may span several lines.
  const own = stripInjected(given);
  if (own !== given) out.warn(INJECTED_REMOVED_WARNING);
  return own.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
}

/**
 * Joins the words of the command line to facts. Unquoted words form one fact. A quoted word is a separate fact if it
 * begins with a kind, or if a quoted word before it began with a kind.
 */
function factsOf(words: readonly string[]): readonly string[] {
  const facts: string[] = [];
  let afterQuoted = false;
  for (const word of words) {
    const isQuoted = /\s/.test(word);
    const hasKind = isQuoted && parseBullet(word.trim()).type === 'fact';
    if (facts.length === 0 || hasKind || (isQuoted && afterQuoted)) {
      facts.push(word);
      afterQuoted ||= hasKind;
    } else facts.push(`${facts.pop()} ${word}`);
  }
  return facts;
}

function text({ retained, skipped }: RetainReport, readable: (id: string) => string): string {
  const lines = retained.map(({ id, source, content, confidence }) => {
    const sure = confidence === undefined ? '' : ` (c=${confidence})`;
    return `${readable(id)}  ${source}  ${content}${sure}`;
  });
  for (const { reason, duplicate } of skipped)
    if (duplicate) lines.push(`skipped: ${reason.replace(LAST_ID, readable)}`);
  return lines.join('\n');
}
