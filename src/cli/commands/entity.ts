import type { Workspace } from '../../app/workspace.js';
import { fail } from '../../base/failure.js';
import { suggestKnownWord } from '../../base/nearest.js';
import { addAll } from '../../base/order.js';
import { COUNT_FIELD_TYPE } from '../../base/request.js';
import type { ListedEntity } from '../../index/entity-list.js';
import { isGeneratedNote } from '../../recall/entity-view.js';
import { type CommandContext, defineGroup, defineVerb, REQUIRED_ARGUMENT_FIELD } from '../verb.js';
import { openMemoryWorkspace } from '../workspace.js';

const list = defineVerb({
  summary: 'list all people and things, the most mentioned first',
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
  summary: 'show the page, the facts and the related entities of one entity',
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
  },
  examples: ['entity show Peter'],
  run: async (context, { name, k, all = false }) => {
    const workspace = await openMemoryWorkspace(context);
    const view = await workspace.entity(name, all ? {} : { facts: k });
    if (view === undefined) return unknownEntity(context, workspace, name);
    context.out.answer(text(view, all), view);
  },
});

export const define = defineGroup(['entity show Peter'], { list, show });

type ShownEntity = NonNullable<Awaited<ReturnType<Workspace['entity']>>>;
const PLACES = ['now', 'planned', 'lately', 'preferences', 'before'] as const;
const CURRENT = ['now', 'planned', 'preferences'] as const;
/**
 * Matches lines that `reflect` generated from facts and beliefs, and the line with the page's name. Such lines are not
 * listed as lines of the page, because other parts of the output have the same content.
 */
const GENERATED = /\b[fo]-[0-9a-z]{13}\)$|^name: /;

function held(title: (typeof PLACES)[number], { holds, holdsCount }: ShownEntity): readonly string[] {
  const statements = holds[title];
  if (statements.length === 0) return [];
  return [
    counted(title, statements.length, holdsCount[title]),
    ...statements.flatMap(({ text, from, to, day, source, ending, by, settledBy, earlier = [], earlierCount = 0 }) => {
      // If an event was stated before it happened, show its days from the day of the statement on.
      const begun = title === 'lately' && day !== null && day < (from ?? '') ? day : from;
      const days = [begun, to === from ? null : to].filter((one) => one !== null).join(' – ');
      const end = ending === null ? '' : ` (${ending}${by === undefined ? '' : ` by ${by}`}, decided by ${settledBy})`;
      return [
        `  ${title === 'now' || days === '' ? '' : `${days}: `}${text}${end}  [${source}]`,
        ...earlier.map(
          (older) => `    earlier${older.day === null ? '' : `, ${older.day}`}: ${older.text}  [${older.source}]`,
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

function listLine({ name, type, page, mentions }: ListedEntity): string {
  return `${String(mentions).padStart(5)}  ${name}${type === null ? '' : ` (${type})`}${page === null ? '' : `  ${page}`}`;
}

function text(view: ShownEntity, isWhole: boolean): string {
  const lines = [`${view.name}${view.aliases.length > 0 ? ` (also ${view.aliases.join(', ')})` : ''}`];
  if (view.page !== null) lines.push(`page: ${view.page}`);
  if (view.firstMention !== null) lines.push(`mentioned: ${view.firstMention} to ${view.lastMention}`);
  for (const { text: summary, source } of view.summary)
    if (!GENERATED.test(summary) && !isGeneratedNote(summary) && summary !== view.name)
      lines.push(`  ${summary}  [${source}]`);
  for (const title of isWhole ? PLACES : CURRENT) addAll(lines, held(title, view));
  if (view.timeline.length > 1)
    lines.push(`by month: ${view.timeline.map(({ month, facts }) => `${month} ${facts}`).join(', ')}`);
  if (view.facts.length > 0) lines.push(`facts (${view.facts.length} of ${view.factCount}):`);
  for (const fact of view.facts)
    lines.push(
      `  ${fact.timestamp ?? '          '}  ${fact.content}  [${fact.source}${fact.sourceAway ? ', source away' : ''}]`,
    );
  if (view.lines.length > 0) lines.push(counted('named in', view.lines.length, view.lineCount));
  for (const { text: line, source } of view.lines) lines.push(`  ${line}  [${source}]`);
  const related = view.related.slice(0, 10).map(({ name, facts }) => `${name} (${facts})`);
  if (related.length > 0) lines.push(`with: ${related.join(', ')}`);
  return lines.join('\n');
}
