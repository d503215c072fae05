import type { PageCommit, PageEntity } from '../page-data.js';
import { formatCount, formatLongDay, PAGE_DATA, pageAddress } from './data.js';
import * as ui from './parts.js';
import { earlierStatements, lineWithSource, sideList, statementText } from './rows.js';
import { weekSections, weekSummary } from './week.js';

const MOST_CARDS = 12;
const MOST_LINES = 5;

/** Start page: the week, items that need a decision of the user, and current statements. */
export function todayPage(): readonly ui.ElementChild[] {
  const { items, entities, week } = PAGE_DATA;
  const isBlank = PAGE_DATA.notes.every(({ text }) => text.trim() === '');
  if (items.length + entities.length === 0 && isBlank) return welcome();
  return [
    ui.html('h1', {}, formatLongDay(PAGE_DATA.today)),
    ui.leadText(week === null ? null : weekSummary(week), ...scope()),
    ...(week === null ? [] : weekSections(week)),
    waiting(),
    holding(),
  ];
}

function welcome(): readonly ui.ElementChild[] {
  const commands = [
    'openclaw memory retain "W @Peter: lives in Vienna"',
    'openclaw memory recall "where does Peter live?"',
    'openclaw memory view --open',
  ];
  return [
    ui.html('h1', {}, 'There are no memories yet'),
    ui.leadText('Save a first fact, ask for it, and make this page again:'),
    ui.html('pre', {}, commands.join('\n')),
  ];
}

/** Remarks that tell how the page was limited by options, and which data had no room. */
function scope(): readonly ui.ElementChild[] {
  const { since, entity, left_out: out } = PAGE_DATA;
  const left = (what: string, until: string | null): string =>
    `no room for ${what}${until === null ? '' : ` up to ${until}`}; see the files`;
  const told = [
    entity === null ? [] : `only ${entity}`,
    since === null ? [] : `only logs from ${since} on`,
    out.log_lines === 0 ? [] : left(formatCount(out.log_lines, 'log line'), out.until),
    out.shortened_pages === 0 ? [] : `${formatCount(out.shortened_pages, 'long page')} shortened`,
    out.beliefs === 0 ? [] : left(formatCount(out.beliefs, 'belief'), null),
    out.facts === 0 ? [] : left(formatCount(out.facts, 'fact'), out.facts_until),
  ];
  return told.flat().map((one) => ui.html('span', { class: 'scope' }, one));
}

function holding(): HTMLElement | null {
  const shown = PAGE_DATA.entities.filter(({ holds }) => holds !== null && holds.now.length > 0).slice(0, MOST_CARDS);
  return ui.listSection('True now', shown, MOST_CARDS, card, ui.html('div', { class: 'cards' }));
}

function card({ name, type, holds }: PageEntity): HTMLElement {
  const now = holds?.now ?? [];
  const href = pageAddress('entity', name);
  const rest = now.length - MOST_LINES;
  const lines = now
    .slice(0, MOST_LINES)
    .map(({ text, at, earlier }) =>
      ui.listItem(statementText(text, at), ui.sourceLink(at, true), earlierStatements(earlier)),
    );
  return ui.html(
    'article',
    { class: 'card' },
    ui.html('h3', {}, ui.html('a', { href }, name), type === null ? null : ui.html('span', { class: 'type' }, type)),
    ui.html('ul', { class: 'lines' }, ...lines),
    rest > 0 ? ui.html('a', { class: 'rest', href }, `${rest} more`) : null,
  );
}

function waiting(): HTMLElement | null {
  const { questions, contradictions, proposals } = PAGE_DATA.waiting;
  if (questions.length + contradictions.length + proposals.length === 0) return null;
  return ui.sectionWithTitle(
    'Waiting for you',
    group('Open questions', questions, ({ text, at, where }) =>
      at === null
        ? lineWithSource(text, at, null, ui.html('a', { class: 'why', href: pageAddress('session', where) }, where))
        : lineWithSource(text, at),
    ),
    group('Contradictions', contradictions, ({ entity, sides }) => ui.listItem(ui.entityLink(entity), sideList(sides))),
    group('Proposals for the core', proposals, ({ number, action, text, reason, at }) => {
      const command = ui.html('code', { class: 'do' }, `openclaw memory core accept ${number}`);
      return ui.listItem(
        ui.labelElement(ACTIONS[action]),
        statementText(text),
        ui.reasonText(reason),
        ui.sourceLink(at),
        command,
      );
    }),
  );
}

const ACTIONS = { add: 'add', shorten: 'shorten', 'move-out': 'move out', change: 'change' } as const;

function group<T>(title: string, all: readonly T[], row: (one: T) => HTMLElement): HTMLElement | null {
  return all.length === 0 ? null : ui.html('div', {}, ui.html('h3', {}, title), ui.longList(all, 8, row));
}

/** The commits that changed a page. */
export function pageHistorySection(title: string, file: number | undefined): HTMLElement | null {
  if (file === undefined) return null;
  const own = PAGE_DATA.commits.filter(({ files }) => files.includes(file));
  return ui.listSection(title, own, 8, commitLine);
}

export function commitLine({ commit, day, subject }: PageCommit): HTMLElement {
  return ui.listItem(ui.dayLink(day), ui.textWithoutLinks(subject), ui.html('code', { class: 'source' }, commit));
}
