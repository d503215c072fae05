import { lazy } from '../../base/cache.js';
import { parseRecord } from '../../base/json.js';
import { isOneEdit } from '../../base/nearest.js';
import { findLogLine } from '../../index/query/ids.js';
import { withoutDurableNotes } from '../../line/generated.js';
import type { ParsedStatement } from '../../line/statement/statement.js';
import { textAfterLeadingEntities } from '../../markdown/bullet.js';
import { EVIDENCE_PATH } from '../../memory/evidence.js';
import { normaliseText, textHash, withoutImportanceMark } from '../../memory/fact.js';
import { type PageEvidence, readOpinionsPage } from '../../memory/opinions-page.js';
import { parsePairVerdicts, readFinalVerdicts } from '../../memory/threads/verdicts.js';
import { EntityStateReader } from '../../reflect/entity-state.js';
import { entitySlug } from '../../text/slug.js';
import { createProblem, type LintInput, type LintPage, type LintRule } from './problem.js';

/** Reports two statements with one id: a citation of the id would mean both. */
const sharedIds: LintRule = function* ({ pages }) {
  const first = new Map<string, { text: string; path: string; line: number }>();
  for (const { path, facts } of pages) {
    for (const { fact, text, line } of facts) {
      if (fact === null) continue;
      const known = first.get(fact);
      if (known === undefined) first.set(fact, { text, path, line });
      else if (known.text !== text && saidIn(known.text) !== saidIn(text)) {
        const message = `another statement has the same id ${fact}: ${known.path}#L${known.line}`;
        const hint = `remove ^${fact} from the wrong line`;
        yield createProblem('shared-id', 'error', path, line, message, hint);
      }
    }
  }
};

/**
 * The statement of a line, for the comparison of a promoted view with its fact. Leaves out the parts that may differ: the
 * mark with the fact's id, a leading subject, and the marks of a replaced statement.
 */
function saidIn(text: string): string {
  return normaliseText(withoutImportanceMark(textAfterLeadingEntities(withoutDurableNotes(text).replaceAll('~~', ''))));
}

/** Reports a promoted view whose fact is no longer in any log. */
const danglingIds: LintRule = function* ({ pages, stated, away }) {
  for (const { path, page, facts } of pages) {
    if (page.role !== 'bank' && page.role !== 'entity') continue;
    for (const { fact, line, detail } of facts) {
      if (fact === null || !detail?.view || !fact.startsWith('f-') || stated.has(fact)) continue;
      if (away.mayHave(fact)) continue;
      const message = `this line is a copy of the fact ${fact}, but no log has that fact`;
      const hint = 'remove the id to keep the line as its own statement, or remove the line';
      yield createProblem('dangling-id', 'warning', path, line, message, hint);
    }
  }
};

const LINK = /\[([^\]\s]+\.md)#L(\d+)(?:-L\d+)?\]\(([^)\s]*)\)(?:\s+(f-[0-9a-z]{13})\b)?/g;

const CORRECT = 'correct the link, or remove the line';

/**
 * Reports links of evidence to a missing page, line or fact. If the fact only moved within its file, the fix is its new
 * line number.
 */
const danglingEvidence: LintRule = function* ({ pages, stated, away }) {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const pageOf = (path: string) => byPath.get(path) ?? (away.has(path) ? 'away' : undefined);
  const citing = pages.filter(({ page: { role } }) => role === 'opinions' || role === 'bank' || role === 'entity');
  for (const { path, scan } of citing) {
    for (const [index, line] of scan.lines.entries()) {
      for (const [link, target = '', at = '', , fact] of line.includes('](') ? line.matchAll(LINK) : []) {
        const wrong = wrongLink(pageOf(target), Number(at), fact, stated);
        if (wrong === undefined) continue;
        const { moved, message } = wrong;
        const mended = link.replaceAll(`#L${at}`, `#L${moved}`);
        const [hint, fix] = moved === undefined ? [CORRECT] : [undefined, line.replace(link, () => mended)];
        yield createProblem('dangling-evidence', 'warning', path, index + 1, `${target}#L${at}: ${message}`, hint, fix);
      }
    }
  }
};

function wrongLink(
  target: LintPage | 'away' | undefined,
  line: number,
  fact: string | undefined,
  stated: ReadonlySet<string>,
): { message: string; moved?: number } | undefined {
  if (target === undefined) return { message: 'there is no such page' };
  if (target === 'away') return undefined;
  if (fact === undefined)
    return line > target.scan.lines.length ? { message: `the page has ${target.scan.lines.length} lines` } : undefined;
  const there = target.facts.filter((unit) => unit.fact === fact);
  if (there.some((unit) => unit.line <= line && line <= unit.endLine)) return undefined;
  const moved = there[0]?.line;
  if (moved !== undefined) return { message: `${fact} is in line ${moved}`, moved };
  return { message: stated.has(fact) ? `${fact} is in another file` : `there is no fact ${fact}` };
}

/**
 * Reports evidence that a person wrote and that is neither the place nor the text of a fact. It stays on the page, but
 * has no effect.
 */
const unmatchedEvidence: LintRule = function* ({ pages }) {
  const opinions = pages
    .filter(({ page }) => page.role === 'opinions')
    .flatMap(({ path, text }) => readOpinionsPage(text).map((opinion) => ({ path, ...opinion })))
    .filter(({ evidence }) => evidence.some(({ fact }) => fact === null));
  if (opinions.length === 0) return;
  const known = new Set<string>();
  const places = new Map<string, readonly string[]>();
  for (const { path, facts } of pages) {
    for (const { text, line, detail } of facts) {
      known.add(normaliseText(textAfterLeadingEntities(text)));
      places.set(`${path}#L${line}`, (detail?.entities ?? []).map(entitySlug));
    }
  }
  // Do not report links to missing pages here, because the rule `danglingEvidence` reports them.
  const paths = new Set(pages.map(({ path }) => path));
  const isKnown = ({ text = '', source }: PageEvidence, slugs: readonly string[]): boolean => {
    const there = places.get(source.replace(/-L?\d+$/, ''));
    const isText = known.has(normaliseText(text.replace(/^["“]|["”]$/g, '')));
    return (
      isText || (there !== undefined && isSame(there, slugs)) || (text === '' && !paths.has(source.replace(/#.*$/, '')))
    );
  };
  for (const { path, bullet, evidence } of opinions) {
    const slugs = bullet.entities.map(entitySlug);
    for (const listed of evidence.filter((one) => one.fact === null && !isKnown(one, slugs))) {
      const said = (listed.text ?? listed.source).slice(0, 60);
      const message = `no fact about the same subject says "${said}", so this evidence does not change the confidence`;
      const hint = 'save it as a fact, then cite its id or its source (memory/2026-03-01.md#L4)';
      yield createProblem('unmatched-evidence', 'info', path, listed.line, message, hint);
    }
  }
};

/** Whether two statements share an entity, or neither of the two names an entity. */
function isSame(slugs: readonly string[], others: readonly string[]): boolean {
  return slugs.length + others.length === 0 || slugs.some((slug) => others.includes(slug));
}

/** Reports lines of `bank/evidence.jsonl` that are not verdicts. */
const badEvidence: LintRule = function* ({ evidence }) {
  for (const [index, line] of evidence.split('\n').entries()) {
    if (line.trim() === '' || isVerdict(line)) continue;
    const message = 'this line is not a valid verdict';
    yield createProblem('bad-evidence', 'warning', 'bank/evidence.jsonl', index + 1, message);
  }
};

/** Reports verdicts about log lines that are no longer there as they were. Such a verdict has no effect. */
const lostVerdicts: LintRule = function* ({ evidence, search, stated, away }) {
  if (!evidence.includes('"l-')) return;
  const lines = evidence.split('\n');
  const textsOf = lazy(() => [...search.files()].flatMap(({ path }) => linesOf(search, path)));
  for (const { fact, of, relation, lines: ends } of [...readFinalVerdicts(evidence).values()].flat()) {
    if (ends === undefined) continue;
    const at = lines.findIndex((line) => line.includes(`"${fact}"`) && line.includes(`"${of}"`)) + 1;
    for (const [id, end] of [[of, ends.of] as const, [fact, ends.fact] as const]) {
      const isThere = id.startsWith('l-') ? findLogLine(search, id, end) !== undefined : stated.has(id);
      if (isThere || away.has(end.path)) continue;
      const moved = textsOf().find(({ text }) => textHash(text) === end.text);
      const message = `the verdict "${relation}" on ${of} and ${fact} has no effect: ${id} of ${end.path} was changed or removed`;
      const again = moved === undefined ? 'if the verdict still holds' : `with its new place ${moved.source}`;
      yield createProblem('lost-verdict', 'warning', EVIDENCE_PATH, at, message, `settle the two again, ${again}`);
    }
  }
};

function linesOf(search: LintInput['search'], path: string): readonly { text: string; source: string }[] {
  const file = search.file(path);
  const units = file === undefined ? [] : search.range(file.firstUnit, file.lastUnit);
  return units.map(({ text, line }) => ({ text, source: `${path}#L${line}` }));
}

export const ID_RULES: readonly LintRule[] = [
  sharedIds,
  danglingIds,
  danglingEvidence,
  unmatchedEvidence,
  badEvidence,
  lostVerdicts,
];

function isVerdict(line: string): boolean {
  if (parsePairVerdicts(line).length > 0) return true;
  const value = parseRecord(line);
  return value !== undefined && 'fact' in value && 'opinion' in value && 'direction' in value;
}

/** Reports a name or alias that two pages have. Recall can use the name for only one of the two pages. */
const claimedTwice: LintRule = function* ({ pages }) {
  const claims = new Map<string, string>();
  for (const { path, entity } of pages) {
    if (entity === null) continue;
    for (const slug of new Set([entity.slug, ...entity.aliases])) {
      const other = claims.get(slug);
      if (other === undefined) claims.set(slug, path);
      else {
        const message = `"${slug}" is also the name or an alias of ${other}`;
        yield createProblem('alias-claimed-twice', 'error', path, 1, message, 'remove it from one of the two pages');
      }
    }
  }
};

/** Reports an entity that has at most two mentions and no page, and is spelt nearly like an entity with a page. */
const unknownEntities: LintRule = function* (view) {
  const known = knownNames(view);
  for (const { slug, name, page, mentions } of view.entities) {
    if (mentions > 2 || page !== null || slug.length < 4 || known.has(slug)) continue;
    const near = [...known.keys()].find((other) => isNear(slug, other));
    const first = near && view.search.unit(view.search.linked([slug], { withResources: true }, 2).at(-1) ?? -1);
    if (near === undefined || !first) continue;
    const message = `@${name} has no page; did you mean @${known.get(near) ?? near}?`;
    const hint = 'correct the name, or add it as an alias to that page';
    yield createProblem('unknown-entity', 'warning', first.file.path, first.line, message, hint);
  }
};

export const ENTITY_RULES: readonly LintRule[] = [claimedTwice, unknownEntities];

/** For all pages of entities: maps the slug of each name and alias to the name of the entity on its page. */
function knownNames({ pages }: LintInput): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const { entity } of pages) {
    for (const slug of entity === null ? [] : [entity.slug, ...entity.aliases]) known.set(slug, entity?.name ?? slug);
  }
  return known;
}

/** Whether two names differ by one edit. Names with digits never match. */
function isNear(a: string, b: string): boolean {
  return !/\d/.test(a) && !/\d/.test(b) && isOneEdit(a, b);
}

const MOST_QUOTED = 100;

/**
 * Reports two current statements about one entity that have different values of one kind, such as two versions. Only a
 * person knows whether the later value replaced the earlier one.
 */
export const findTwoCurrentValues: LintRule = function* ({ search, root, today, entities }) {
  const holdings = new EntityStateReader(search, { today, root });
  const said = new Set<string>();
  for (const { slug, mentions } of entities) {
    if (mentions < 2) continue;
    for (const { fact: later, place, earlier } of holdings.known.latest(slug)) {
      const isOther = ({ fact: { statement } }: (typeof earlier)[number]): boolean =>
        hasOther(later.statement, statement) && haveTermInCommon(later.statement, statement);
      const older = place === 'now' ? earlier.find(isOther)?.fact : undefined;
      if (older === undefined || said.has(later.id)) continue;
      said.add(later.id);
      const settle = `openclaw memory settle ${older.id} ${later.id} replaces`;
      const message = `"${quoted(later.text)}" may contradict "${quoted(older.text)}" from ${older.day ?? 'an unknown day'} (${older.source})`;
      yield createProblem(
        'two-values',
        'info',
        later.path,
        later.line,
        `${message}; if it replaces the older one: ${settle}; if both are true, write both instead of replaces`,
      );
    }
  }
};

/**
 * Whether each of two statements has exactly one value of a kind, and the two values differ: `version 2` and `version 3`.
 * Events of the earlier statement are ignored, because they stay true.
 */
function hasOther(later: ParsedStatement, earlier: ParsedStatement): boolean {
  const now = singleValues(later);
  const was = singleValues(earlier.filter(({ isEvent }) => !isEvent));
  return [...was].some(([kind, text]) => text !== undefined && ![undefined, text].includes(now.get(kind)));
}

/**
 * Maps each kind of value in a statement to the text of the value. Undefined for a kind of which the statement has
 * several values.
 */
function singleValues(statement: ParsedStatement): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const { values = [] } of statement)
    for (const { kind, text } of values) found.set(kind, found.has(kind) ? undefined : text);
  return found;
}

function haveTermInCommon(a: ParsedStatement, b: ParsedStatement): boolean {
  const terms = new Set(a.flatMap((part) => part.terms));
  return b.some((part) => part.terms.some((term) => terms.has(term)));
}

function quoted(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}
