import { flag, list, maybe, number, type ReportFields, type ReportOf, text } from '../base/report.js';
import type { Prior } from '../memory/confidence.js';
import { EVIDENCE_PATH } from '../memory/evidence.js';
import { repairMergedOpinions } from '../memory/opinions-merge.js';
import { chooseStartPrior, readOpinionsPage } from '../memory/opinions-page.js';
import type { UnsupportedLine } from '../memory/supported.js';
import type { FileChange } from '../workspace/changes.js';
import { createBelief } from './beliefs.js';
import { findEntitiesToUpdate } from './dirty-entities.js';
import { EntityStatuses } from './entity-statuses.js';
import { reportExpectedQuestions } from './estimate.js';
import type { ReflectFact } from './facts.js';
import { findFactsOfEvidence, type HumanEdits, readHumanEdits } from './human-edits.js';
import { judgeAllFacts } from './judge-facts.js';
import {
  buildJudgedPairsKey,
  judgeStatements,
  listSettledLines,
  OpenPairFinder,
  type SettledLine,
} from './judge-statements.js';
import { planObservations } from './observations.js';
import { type OpinionReport, planOpinions } from './opinions.js';
import { suggestCoreEntries, suggestCoreRemovals } from './pages/core-suggestions.js';
import { planDurablePages } from './pages/durable-pages.js';
import { type EditedBlock, planEntityPages } from './pages/entity-pages.js';
import type { NowChange } from './pages/now-changes.js';
import { type PageRecord, UNWRITTEN_PAGE_HASH } from './pages/page-records.js';
import {
  EVIDENCE_LENGTH_KEY,
  NEWEST_RUN_DAY_KEY,
  pageHash,
  readKnownOpinionMark,
  recordKnownOpinionMarks,
  recordWaitingEntities,
} from './progress.js';
import { addLinesToText, beginRun, OPINIONS_PATH, type ReflectRun, type RunInput, readFactsOfPages } from './run.js';

/** Result of a run or dry run. `reflect --json` prints it without `changes`. */
export const REFLECT_REPORT = {
  run: text(),
  /** Number of facts that the run read. */
  facts: number(),
  /** Number of facts that the rules judged because the model is unavailable; they wait for the model. */
  awaited: number(),
  /** Paths of the entity pages that the run updated. */
  entities: list(),
  opinions: list<OpinionReport>(),
  promoted: list<{
    readonly id: string;
    readonly statement: string;
    readonly reason: string;
    readonly source: string;
  }>(),
  /** Suggested changes of the core. */
  proposals: list(),
  /** Generated blocks that the run left alone, because a person has edited them or their end is missing. */
  conflicts: list<{ readonly path: string; readonly block: string; readonly reason: string }>(),
  /** Lines that entered or left the section `Now` of a page, with the reason. */
  now: list<NowChange>(),
  /** Verdicts of this run that end a statement, completely or in part. */
  settled: list<SettledLine>(),
  /** Number of verdicts that a model proposed in this run. They count for nothing until a person settles them. */
  proposed: number(),
  /** Observations that the run wrote or changed, each with its place. */
  observed: list(),
  /** Paths of the written files. */
  written: list(),
  /** Changed files: the evidence first, then the opinions, then the pages made from both. */
  changes: list<FileChange>(),
  /** True if a run with a later day already exists. Then this report is only a preview, and nothing is written. */
  isOfThePast: flag(),
  /** Sentences of the model's summaries that their facts do not carry, if any. They are not written. */
  refused: maybe(list<UnsupportedLine>()),
  warnings: list(),
} satisfies ReportFields;

export type ReflectReport = ReportOf<typeof REFLECT_REPORT>;

/** Everything that a run would write. */
export type ReflectPlan = Awaited<ReturnType<typeof planRun>>;

const NONE: ReadonlySet<string> = new Set();

/** Plans a run: reads every page that has changed since the last run, day by day. Writes nothing. */
export async function planRun(input: RunInput) {
  const run = beginRun(input);
  const { reader, progress, seen, readPage, today, book, pairs, scope } = run;
  const { wanted: facts, left } = readFactsOfPages(run.changed, reader, run.since);
  for (const { path } of left) seen.delete(path);
  reopenRevokedPairs(run);
  const before = new EntityStatuses(reader, today, pairs.winning());
  const old = run.texts.opinions;
  const settled = scope.all ? repairMergedOpinions(old) : { text: old, merged: NONE, isUnsettled: false };
  const edits = readBeliefs(settled.isUnsettled ? '' : settled.text, settled.merged, run);
  const finder = new OpenPairFinder(before, pairs, run.near);
  await reportExpectedQuestions(run, facts, finder);
  if (!settled.isUnsettled) await judgeAllFacts(facts, run);
  if (run.settle !== undefined) await judgeStatements(run, run.settle, finder);
  const isSettling = pairs.given().length > 0;
  const standings = isSettling ? new EntityStatuses(reader, today, pairs.winning()) : before;
  const opinions = planOpinions(run, settled.text, settled.merged, edits);
  const { told, touched } = findEntitiesToUpdate(run, facts, opinions.reports, standings, settled.isUnsettled);
  const news = new Set(facts.map(({ id }) => id));
  const isNew = ({ id }: ReflectFact): boolean => news.has(id);
  const entities = await planEntityPages(run, { touched, told, isNew, standings, convictions: opinions.convictions });
  recordWaitingEntities(entities.unasked, touched, progress, seen);
  const durable = planDurablePages(run, facts, standings);
  const observations = planObservations(run);
  const edited = [...entities.edited, ...durable.edited];
  const lines = book.lines() + pairs.lines();
  const evidence = lines === '' ? run.texts.evidence : addLinesToText(run.texts.evidence, lines);
  const wanted = [
    { path: EVIDENCE_PATH, text: evidence },
    { path: OPINIONS_PATH, text: opinions.text },
    ...durable.pages,
    ...entities.pages,
    ...edited.map(versionOf),
    ...observations.pages,
  ];
  const isFact = (id: string) => reader.byId(id) !== undefined || run.elsewhere.mayHave(id);
  if (!settled.isUnsettled) {
    // The next run notices changes of the evidence and of the page of opinions by their hashes.
    if (evidence !== '') seen.set(EVIDENCE_PATH, pageHash(evidence)).set(EVIDENCE_LENGTH_KEY, String(evidence.length));
    if (opinions.text !== '') seen.set(OPINIONS_PATH, pageHash(opinions.text));
    if (scope.all) recordKnownOpinionMarks(readOpinionsPage(opinions.text), isFact, seen);
  }
  const newest = progress.get(NEWEST_RUN_DAY_KEY) ?? today;
  const isOfThePast = newest > today;
  seen.set(NEWEST_RUN_DAY_KEY, isOfThePast ? newest : today);
  const proposals = [
    ...suggestCoreEntries(run, durable, opinions.convictions),
    ...suggestCoreRemovals(run.core, readPage(run.core) ?? '', run.coreBudget),
  ];
  const all = wanted
    .map(({ path, text }): FileChange => ({ path, before: readPage(path), after: text }))
    .filter((change) => (change.before ?? '') !== change.after);
  const { changes, warnings: unread } = dropUnreadableChanges(all, run.whyUnread, entities.records);
  const report: Omit<ReflectReport, 'run'> = {
    facts: facts.length,
    awaited: run.awaited.note(isFact, seen),
    entities: entities.pages.map(({ path }) => path),
    opinions: opinions.reports,
    promoted: durable.promoted.map(({ fact: { id, text: statement, source }, reason }) => {
      return { id, statement, reason, source };
    }),
    proposals: proposals.map(({ text }) => text),
    conflicts: edited.map(({ path, block, state }) => {
      return { path, block, reason: state === 'edited' ? 'a person has edited it' : 'its end is missing' };
    }),
    now: entities.changes,
    settled: listSettledLines(pairs.given(), reader),
    proposed: countNewProposals(run),
    observed: observations.written,
    written: [],
    changes,
    isOfThePast,
    warnings: [
      ...run.elsewhere.warnings(),
      ...unread,
      ...(settled.isUnsettled
        ? [`${OPINIONS_PATH} has a merge conflict outside of the opinions: resolve it, then run reflect again`]
        : []),
      ...(book.unread > 0
        ? [`${EVIDENCE_PATH} has ${book.unread} lines that are not valid verdicts; they are ignored`]
        : []),
      ...(isOfThePast ? [`reflect already ran for ${newest}, so for ${today} it only shows what it would do`] : []),
    ],
  };
  return { report, proposals, pageRecords: entities.records, seen, gone: run.gone, observed: observations.observed };
}

/** Lets a later run ask a model about the pairs whose verdicts this run revokes. */
function reopenRevokedPairs({ pairs, reader, seen }: ReflectRun): void {
  for (const { fact } of pairs.given()) {
    const path = reader.byId(fact)?.path;
    if (path !== undefined) seen.set(buildJudgedPairsKey(path), '');
  }
}

function countNewProposals({ book, pairs }: ReflectRun): number {
  const given = new Set(pairs.given());
  const ofPairs = pairs.proposals().filter((one) => given.has(one));
  return book.proposals().filter((one) => book.isAdded(one)).length + ofPairs.length;
}

/** Loads the beliefs of the page into the run, with the edits of people since the last run. */
function readBeliefs(text: string, merged: ReadonlySet<string>, run: ReflectRun): HumanEdits {
  const { reader, scope, book, today, now } = run;
  const page = readOpinionsPage(text).map((one) => findFactsOfEvidence(one, run));
  const edits = scope.all
    ? readHumanEdits(page, book, merged, {
        today,
        now,
        dayOf: (id) => reader.byId(id)?.day ?? null,
        taken: (id) => readKnownOpinionMark(run.progress, id),
        hasForeign: scope.hasForeign,
      })
    : { verdicts: [], priors: new Map<string, Prior>(), edited: NONE, strays: NONE };
  for (const verdict of edits.verdicts) book.add(verdict);
  for (const opinion of page) {
    const { id, bullet } = opinion;
    const { entities, text } = bullet;
    const slugs = [...new Set(entities.map((name) => reader.slugOf(name)))];
    const prior = edits.priors.get(id) ?? chooseStartPrior(opinion);
    run.beliefs.add(createBelief({ id, entities, slugs, text, page: opinion, prior }));
  }
  return edits;
}

/** Returns the proposal file with the new version of a block. The block on the page belongs to the person who edited it. */
function versionOf({ path, block, content }: EditedBlock): { readonly path: string; readonly text: string } {
  const name = path
    .replace(/^bank\//, '')
    .replace(/\.md$/, '')
    .replaceAll('/', '-');
  const head = `# What would stand in the block "${block}" of ${path}\n\nSomebody has edited it, and owns it now. Delete the block there to have it made anew.`;
  return { path: `bank/proposals/block-${name}.md`, text: `${head}\n\n${content}\n` };
}

/**
 * Drops changes of pages that recall would not read. Marks the records of these pages as unwritten, so that the next run
 * tries to write them again.
 */
function dropUnreadableChanges(
  changes: readonly FileChange[],
  whyUnread: RunInput['whyUnread'],
  records: Map<string, PageRecord>,
): { readonly changes: readonly FileChange[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const kept = changes.filter(({ path, before }) => {
    const unread = whyUnread(path, before);
    if (unread === undefined) return true;
    warnings.push(`not written: ${path} ${unread.reason}; ${unread.hint}`);
    const record = records.get(path);
    if (record !== undefined) records.set(path, { ...record, sha: UNWRITTEN_PAGE_HASH, lines: [], next: null });
    return false;
  });
  return { changes: kept, warnings };
}
