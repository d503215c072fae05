import type { Workspace } from '../../app/workspace.js';
import { fail } from '../../base/failure.js';
import { suggestKnownWord } from '../../base/nearest.js';
import { addAll, compareText } from '../../base/order.js';
import { COUNT_FIELD_TYPE } from '../../base/request.js';
import type { PageRunRecord } from '../../extract/apply.js';
import { isGeneratedLine } from '../../line/generated.js';
import { GET_REQUEST, type GetAnswer, type PageLine } from '../../query/get.js';
import type { ListedName } from '../../query/name-list.js';
import {
  HISTORY_REQUEST,
  type HistoryReport,
  type PageChange,
  type PastReport,
  type StatementChange,
} from '../../upkeep/history.js';
import { createStyleMarkers } from '../text.js';
import { type CommandContext, defineGroup, defineVerb, REQUIRED_ARGUMENT_FIELD } from '../verb.js';
import { openMemoryWorkspace, prepareShortIds } from '../workspace.js';

const list = defineVerb({
  summary: 'list all people and things that the notes name, the most mentioned first',
  takes: { type: { type: 'text', value: 'type', doc: 'only entities whose page has this type' } },
  examples: ['entity list --type person'],
  run: async (context, { type: wanted }) => {
    const workspace = await openMemoryWorkspace(context);
    const all = await workspace.entities();
    const entities = all.filter(({ type }) => wanted === undefined || type === wanted);
    const text = entities.map(listLine).join('\n') || 'No entities.';
    context.out.answer(text, { entities, warnings: await workspace.warnings() });
  },
});

const show = defineVerb({
  summary: 'show the page, the facts and the mentions of one entity, and what the core says',
  takes: {
    name: { ...REQUIRED_ARGUMENT_FIELD, doc: 'name or alias of the entity, with or without @' },
    k: {
      ...COUNT_FIELD_TYPE,
      example: 50,
      required: true,
      default: '20',
      doc: 'maximum number of facts, and of current statements',
    },
    all: { type: 'boolean', doc: 'show every fact: current, recent and earlier ones' },
    asOf: { type: 'time', doc: 'what was known and held on this day' },
  },
  examples: ['entity show Peter', 'entity show Peter --as-of 2025-11'],
  run: async (context, { name, k, all = false, asOf }) => {
    const workspace = await openMemoryWorkspace(context);
    const view = await workspace.entity(name, {
      ...(all ? {} : { facts: k }),
      ...(asOf === undefined ? {} : { asOf }),
    });
    if (view === undefined) return unknownEntity(context, workspace, name);
    context.out.answer(entityText(view, all), view);
  },
});

const entity = defineGroup(['entity show Peter'], { list, show });

type ShownEntity = NonNullable<Awaited<ReturnType<Workspace['entity']>>>;
const PLACES = ['now', 'planned', 'lately', 'preferences', 'before'] as const;
const CURRENT = ['now', 'planned', 'preferences'] as const;

function held(title: (typeof PLACES)[number], { holds, holdsCount }: ShownEntity): readonly string[] {
  // The whole statement of a part is shown elsewhere.
  const statements = holds[title].filter(({ isPart }) => isPart !== true);
  if (statements.length === 0) return [];
  return [
    counted(title, holds[title].length, holdsCount[title]),
    ...statements.flatMap((statement) => {
      const {
        text,
        whole = text,
        from,
        to,
        day,
        source,
        ending,
        by,
        settledBy,
        earlier = [],
        earlierCount = 0,
        confidence,
      } = statement;
      // If an event was stated before it happened, show its days from the day of the statement on.
      const begun = title === 'lately' && day !== null && day < (from ?? '') ? day : from;
      const days = [begun, to === from ? null : to].filter((one) => one !== null).join(' – ');
      const sure = confidence === undefined ? '' : ` (c=${confidence.toFixed(2)})`;
      const end = ending === null ? '' : ` (${ending}${by === undefined ? '' : ` by ${by}`}, decided by ${settledBy})`;
      return [
        `  ${title === 'now' || days === '' ? '' : `${days}: `}${whole}${sure}${end}  [${source}]`,
        ...earlier.map(
          (older) =>
            `    earlier${older.day === null ? '' : `, ${older.day}`}: ${older.whole ?? older.text}  [${older.source}]`,
        ),
        ...(earlierCount > earlier.length ? [`    and ${earlierCount - earlier.length} more`] : []),
      ];
    }),
  ];
}

function counted(title: string, shown: number, count: number): string {
  return shown === count ? `${title}:` : `${title} (${shown} of ${count}):`;
}

async function unknownEntity({ out }: CommandContext, workspace: Workspace, name: string): Promise<never> {
  for (const warning of await workspace.warnings()) out.warn(warning);
  const names = (await workspace.entities()).map((entity) => entity.name);
  const hint = suggestKnownWord(name.replace(/^@/, ''), names, 'list all: openclaw memory entity list');
  return fail('not_found', `nothing is known about "${name}"`, hint);
}

function listLine({ name, type, page, mentions, lines }: ListedName): string {
  return `${String(mentions + lines).padStart(5)}  ${name}${type === null ? '' : ` (${type})`}${page === null ? '' : `  ${page}`}`;
}

function entityText(view: ShownEntity, isWhole: boolean): string {
  const lines = [`${view.name}${view.aliases.length > 0 ? ` (also ${view.aliases.join(', ')})` : ''}`];
  if (view.page !== null) lines.push(`page: ${view.page}`);
  if (view.firstMention !== null) lines.push(`mentioned: ${view.firstMention} to ${view.lastMention}`);
  // Other parts of the output have what the generated lines and the name say.
  for (const { text: summary, source } of view.summary)
    if (!isGeneratedLine(summary) && !summary.startsWith('name: ') && summary !== view.name)
      lines.push(`  ${summary}  [${source}]`);
  const core = view.core.map(({ text: line, source }) => `  ${line}  [${source}]`);
  addAll(lines, core.length === 0 ? core : ['the core says:', ...core]);
  for (const title of isWhole ? PLACES : CURRENT) addAll(lines, held(title, view));
  if (view.timeline.length > 1)
    lines.push(`by month: ${view.timeline.map(({ month, facts }) => `${month} ${facts}`).join(', ')}`);
  if (view.facts.length > 0) lines.push(`facts (${view.facts.length} of ${view.factCount}):`);
  for (const fact of view.facts)
    lines.push(
      `  ${fact.timestamp ?? '          '}  ${fact.content}  [${fact.source}${fact.sourceAway ? ', source away' : ''}]`,
    );
  addAll(lines, mentionLines(view));
  const related = view.related.slice(0, 10).map(({ name, facts }) => `${name} (${facts})`);
  if (related.length > 0) lines.push(`with: ${related.join(', ')}`);
  return lines.join('\n');
}

/** The decisions about the entity, dates after the lines that name them, and the newest lines that name it, with `@` or without. */
function mentionLines({ lines, lineCount, mentions, mentionCount, decisions, dates }: ShownEntity): readonly string[] {
  const newest = [...lines, ...mentions].sort((a, b) => compareText(b.day ?? '', a.day ?? '')).slice(0, MOST_MENTIONS);
  const section = (title: string, shown: ShownEntity['mentions']): readonly string[] =>
    shown.length === 0
      ? []
      : [title, ...shown.map(({ day, text, source }) => `  ${day ?? '          '}  ${text}  [${source}]`)];
  return [
    ...section('decisions:', decisions),
    ...section(
      'dates:',
      dates.map((line) => ({ ...line, day: line.on })),
    ),
    ...section(counted('mentions', newest.length, lineCount + mentionCount), newest),
  ];
}

/** Maximum number of lines without facts that are shown. */
const MOST_MENTIONS = 10;

const get = defineVerb({
  takes: {
    paths: { ...GET_REQUEST.path, type: 'list', of: { type: 'text' }, place: 'words' },
    context: GET_REQUEST.context,
  },
  more: 'With --json, several are one object with a list of "items".',
  examples: ['get memory/2026-03-12.md#L4 -C 3'],
  run: async (context, { paths, context: around }) => {
    if (paths.some((path) => path.trim() === '')) fail('usage', '<path> is empty', 'see openclaw memory get --help');
    const workspace = await openMemoryWorkspace(context);
    const items: GetAnswer[] = [];
    for (const path of paths) items.push(await workspace.get({ path, context: around }));
    const ids = items.flatMap(({ linkedFrom }) => linkedFrom.map(({ id }) => id));
    const readable = await prepareShortIds(context, workspace, ids);
    const text = items.map((item) => getText(item, readable, context.out.colour)).join('\n\n');
    context.out.answer(text, items.length === 1 ? items[0] : { items });
  },
});

function getText({ item, before, after, linkedFrom }: GetAnswer, readable: (id: string) => string, colour: boolean) {
  const style = createStyleMarkers(colour);
  const beside = (lines: readonly PageLine[]) => lines.map(({ line, text: said }) => style.dim(`${line}: ${said}`));
  const links = linkedFrom.map(({ id, source, content }) => `  ${style.bold(source)}  ${readable(id)}  ${content}`);
  return [
    style.bold(item.source),
    ...beside(before),
    item.content,
    ...beside(after),
    ...(links.length === 0 ? [] : ['Linked from:', ...links]),
  ].join('\n');
}

const history = defineVerb({
  takes: HISTORY_REQUEST,
  more: 'Reads git, and the extract runs that are stored on this machine.',
  examples: ['history bank/opinions.md --at 2026-01-15'],
  run: async (context, { which, at }) => {
    const history = await (await openMemoryWorkspace(context)).history();
    if (at === undefined) {
      const report = await history.of(which);
      return context.out.answer(historyText(report), report);
    }
    const past = await history.at(which, at);
    if (context.out.json || 'line' in past) context.out.answer('line' in past ? past.line : '', pastJson(past));
    else context.out.raw(past.bytes);
  },
});

export const commands = { entity, get, history };

function pastJson(past: PastReport): unknown {
  if ('line' in past) return past;
  const { bytes, ...rest } = past;
  return { ...rest, content: Buffer.from(bytes).toString('utf8') };
}

function historyText(report: HistoryReport): string {
  const changes =
    'page' in report
      ? [...report.changes.map((change) => `${head(change)}\n${change.diff}`), ...report.runs.map(runChange)]
      : report.changes.map(statementChange);
  return changes.join('\n') || 'Never committed.';
}

function runChange({ run, at, source, diff, undone }: PageRunRecord): string {
  const from = source === null ? 'extract apply' : `extract from ${source}`;
  return `${at.slice(0, 10)}  ${run}  ${from}${undone ? ', undone' : ''}\n${diff}`;
}

function statementChange(change: StatementChange): string {
  const lines = [`${head(change)}  ${change.path ?? ''}`];
  if (change.old !== null) lines.push(`- ${change.old.trim()}`);
  return `${[...lines, `+ ${change.new.trim()}`].join('\n')}\n`;
}

function head({ day, commit, subject }: Pick<PageChange, 'day' | 'commit' | 'subject'>): string {
  return commit === null ? subject : `${day}  ${commit.slice(0, 9)}  ${subject}`;
}
