import type { PageEntity, PageRun } from '../page-data.js';
import { formatCount, formatLongDay, PAGE_DATA, pageAddress } from './data.js';
import * as ui from './parts.js';
import { contradictionRow, earlierStatementsList, lineWithSource, statementText } from './rows.js';
import { weekSections, weekSummary } from './week.js';

const MOST_CARDS = 12;
const MOST_LINES = 5;

/** Start page: current statements, items that need a decision of the user, and the changes of the last run. */
export function todayPage(): readonly ui.ElementChild[] {
  const { items, entities, week } = PAGE_DATA;
  const isBlank = PAGE_DATA.notes.every(({ text }) => text.trim() === '');
  if (items.length + entities.length === 0 && isBlank) return welcome();
  return [
    ui.createHtmlElement('h1', {}, formatLongDay(PAGE_DATA.today)),
    ui.leadText(week === null ? null : weekSummary(week), ...scope()),
    ...(week === null ? [] : weekSections(week)),
    waiting(),
    holding(),
    lastRun(),
    commits(),
  ];
}

function welcome(): readonly ui.ElementChild[] {
  const commands = [
    'openclaw memory retain "W @Peter: lives in Vienna"',
    'openclaw memory recall "where does Peter live?"',
    'openclaw memory view --open',
  ];
  return [
    ui.createHtmlElement('h1', {}, 'There are no memories yet'),
    ui.leadText('Save a first fact, ask for it, and make this page again:'),
    ui.createHtmlElement('pre', {}, commands.join('\n')),
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
  return told.flat().map((one) => ui.createHtmlElement('span', { class: 'scope' }, one));
}

function holding(): HTMLElement {
  const shown = PAGE_DATA.entities.filter(({ holds }) => holds !== null && holds.now.length > 0).slice(0, MOST_CARDS);
  const cards =
    shown.length === 0 ? ui.noEntityNote() : ui.createHtmlElement('div', { class: 'cards' }, ...shown.map(card));
  return ui.sectionWithTitle('True now', cards);
}

function card({ name, type, holds }: PageEntity): HTMLElement {
  const now = holds?.now ?? [];
  const href = pageAddress('entity', name);
  const rest = now.length - MOST_LINES;
  const lines = now
    .slice(0, MOST_LINES)
    .map(({ text, at, earlier = [] }) =>
      ui.listItem(statementText(text, at), ui.sourceLink(at, true), ...earlierStatementsList(earlier)),
    );
  return ui.createHtmlElement(
    'article',
    { class: 'card' },
    ui.createHtmlElement(
      'h3',
      {},
      ui.createHtmlElement('a', { href }, name),
      type === null ? null : ui.createHtmlElement('span', { class: 'type' }, type),
    ),
    ui.createHtmlElement('ul', { class: 'lines' }, ...lines),
    rest > 0 ? ui.createHtmlElement('a', { class: 'rest', href }, `${rest} more`) : null,
  );
}

function waiting(): HTMLElement | null {
  const { questions, contradictions, proposals } = PAGE_DATA.waiting;
  if (questions.length + contradictions.length + proposals.length === 0) return null;
  return ui.sectionWithTitle(
    'Waiting for you',
    group('Open questions', questions, ({ text, at, where }) =>
      at === null
        ? lineWithSource(
            text,
            at,
            null,
            ui.createHtmlElement('a', { class: 'why', href: pageAddress('session', where) }, where),
          )
        : lineWithSource(text, at),
    ),
    group('Contradictions', contradictions, contradictionRow),
    group('Proposals for the core', proposals, ({ number, action, text, reason, at }) => {
      const command = ui.createHtmlElement('code', { class: 'do' }, `openclaw memory core accept ${number}`);
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
  return all.length === 0
    ? null
    : ui.createHtmlElement('div', {}, ui.createHtmlElement('h3', {}, title), ui.longList(all, 8, row));
}

const LAST = 'Last reflection';

function lastRun(): HTMLElement {
  const run = PAGE_DATA.lastRun;
  const none = [ui.codeText('openclaw memory reflect'), ' turns facts into pages and beliefs.'];
  if (run === null) return ui.sectionWithTitle(LAST, ui.noteText('Reflect has not run on this machine yet. ', ...none));
  return ui.sectionWithTitle(
    LAST,
    ui.noteText(
      `${run.day}, ${run.result}: ${formatCount(run.facts, 'fact')} examined, ${formatCount(run.written, 'file')} written.`,
    ),
    run.message === null ? null : ui.noteText(run.message),
    changes(run),
  );
}

function changes({ now, beliefs, more = 0 }: PageRun): HTMLElement | null {
  if (now.length + beliefs.length === 0) return null;
  const rows = [
    ...beliefs.map(({ id, text, before, after }) =>
      ui.listItem(ui.labelElement(changeOf(before, after)), ui.textLink(pageAddress('belief', id), text)),
    ),
    ...now.map(({ text, at, change, why: reason, page }) => {
      const name = page.replace(/^.*\/|\.md$/g, '');
      const mark = ui.createHtmlElement(
        'span',
        { class: `tag ${change}` },
        `${change === 'entered' ? '+' : '−'} ${name}`,
      );
      return lineWithSource(text, at, mark, ui.reasonText(reason));
    }),
  ];
  const rest = more === 0 ? null : ui.noteText(`${formatCount(more, 'more change')}: the page has no room for them.`);
  return ui.createHtmlElement(
    'div',
    {},
    ui.longList(rows, 12, (row) => row),
    rest,
  );
}

function changeOf(before: number | null, after: number | null): string {
  if (before === null) return `new ${after?.toFixed(2)}`;
  return after === null ? 'removed' : `${before.toFixed(2)} → ${after.toFixed(2)}`;
}

function commits(): HTMLElement {
  const { commits: found } = PAGE_DATA;
  if (typeof found === 'string') return ui.sectionWithTitle('History', ui.noteText(`There is no history: ${found}.`));
  return (
    ui.listSection('History', found, 8, commitLine) ??
    ui.sectionWithTitle('History', ui.noteText('There are no commits yet.'))
  );
}

/** The commits that changed a page. */
export function pageHistorySection(title: string, file: number | undefined): HTMLElement | null {
  if (file === undefined || typeof PAGE_DATA.commits === 'string') return null;
  const own = PAGE_DATA.commits.filter(({ files }) => files.includes(file));
  return ui.listSection(title, own, 8, commitLine);
}

export function commitLine({ commit, day, subject }: Exclude<typeof PAGE_DATA.commits, string>[number]): HTMLElement {
  return ui.listItem(
    ui.dayLink(day),
    ui.textWithoutLinks(subject),
    ui.createHtmlElement('code', { class: 'source' }, commit),
  );
}
