import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lazy } from '../base/cache.js';
import type { Day } from '../base/clock.js';
import type { Result } from '../base/failure.js';
import { MemoryError } from '../base/failure.js';
import { addAll } from '../base/order.js';
import { readForgotten } from '../index/forgotten-page.js';
import { readFileTree } from '../index/tree.js';
import { ALL_CJK_RANGES } from '../language/scripts.js';
import { isFirstPersonText } from '../language/speakers.js';
import { formatOriginNote, RULES } from '../line/generated.js';
import type { FactKind } from '../markdown/bullet.js';
import { formatBullet } from '../markdown/bullet.js';
import { replaceCodeSpans } from '../markdown/inline.js';
import { DEFAULT_CONFIDENCE, normaliseText } from '../memory/fact.js';
import { pageOfPath } from '../memory/pages.js';
import type { ToolModel } from '../model/model.js';
import type { ModelTimeLimit } from '../model/time-limit.js';
import { UnusableAnswerLimit } from '../model/unusable.js';
import { SimilarFactFinder } from '../retain/near-duplicate.js';
import type { RetainReport, RetainRequest, StaleSourceOption } from '../retain/retain.js';
import { decodeBytes } from '../text/bytes.js';
import { isQuestion, lowerCaseWords, sentencesOf } from '../text/sentences.js';
import { readVersion } from '../workspace/files.js';
import { takeOverOldState } from '../workspace/lock.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { whyNotRead } from '../workspace/readable.js';
import { readEntry, storeEntries } from '../workspace/state.js';
import { readTemplate } from '../workspace/templates.js';
import { buildInferChoices, buildInferQuestions, findOmittedSpeaker, makeFactCheck } from './infer/by-model.js';
import {
  DECISION_CUE_RANK,
  findCancellations,
  findInferenceCue,
  type InferenceCue,
  isAboutDecision,
  REMEMBER_CUE_RANK,
  RULING_RANK,
} from './infer/cues.js';
import { type LogOfDay, type LogPassage, readLogOfDay, withoutMarks } from './infer/day.js';
import { completeStatement } from './infer/statement.js';

/**
 * Maximum number of facts that the rules infer from the log of one day, and that a model adds to them. Facts that earlier
 * runs inferred count, too.
 */
const MOST_A_DAY = 5;
const LONGEST = 300;

interface InferScope {
  readonly from: Day;
  readonly to: Day;
  readonly dryRun?: boolean | undefined;
}

/** The tools and limits of one run, for all of its days. */
interface InferRun extends InferInput {
  readonly cancelled: Cancelled;
  readonly limit: UnusableAnswerLimit;
}

interface InferInput {
  /** The function `retain`. It writes the facts. */
  readonly retain: (request: RetainRequest, check?: StaleSourceOption) => Promise<RetainReport>;
  /** Returns the chat model, or the reason why there is none. Called only if a day has text to read. */
  readonly model: () => Promise<Result<ToolModel>>;
  readonly time: ModelTimeLimit;
  /** The text of `templates/prompts/infer.md`. */
  readonly template: string;
  /** Returns the names of known entities. Called only if a day has text to read. */
  readonly entities: () => Promise<readonly string[]>;
}

/**
 * Turns the plain text of daily logs into facts that cite their lines. Rules find requests such as "remember that …",
 * decisions, changes, finished work and preferences. A model adds facts that the cited lines support. Text that was read
 * before is skipped.
 * @throws MemoryError `interrupted`, and as `retain`
 */
export async function inferFacts(
  context: WorkspaceContext,
  { from, to, dryRun = false }: InferScope,
  tools: InferInput,
): Promise<RetainReport> {
  const reports: RetainReport[] = [];
  const asked = { ...tools, model: lazy(tools.model), entities: lazy(tools.entities) };
  const { files } = readFileTree(context.root, context.reads);
  const logs = files.paths.flatMap((path) => {
    const { role, day = null } = pageOfPath(path) ?? {};
    return role === 'daily' && day !== null && day >= from && day <= to ? [{ path, day }] : [];
  });
  const limit = new UnusableAnswerLimit();
  const later = lazy(() => findCancellations(context.root, files.paths, from));
  const cancelled: Cancelled = ({ text, heading }, day) =>
    later().some((one) => one.day > day && isAboutDecision(one, text, heading));
  for (const { path, day } of logs.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    reports.push(await inferDay(context, path, day, dryRun, { ...asked, cancelled, limit }));
  return {
    retained: reports.flatMap(({ retained }) => retained),
    skipped: reports.flatMap(({ skipped }) => skipped.filter(({ duplicate }) => !duplicate)),
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
    changes: reports.flatMap(({ changes }) => changes),
  };
}

/** Tests whether the log of a later day cancels a decision. */
type Cancelled = (decided: Candidate, day: Day) => boolean;

const NOTHING: RetainReport = { retained: [], skipped: [], warnings: [], changes: [] };

interface Candidate {
  readonly from: number;
  readonly to: number;
  readonly rank: number;
  /** {@link RULES}, or the name of the model that wrote it. */
  readonly by: string;
  /** The fact in the form of a list item, without its source. */
  readonly fact: string;
  readonly text: string;
  /** Heading of the log that names the topic of the fact. */
  readonly heading: string | undefined;
}

async function inferDay(
  context: WorkspaceContext,
  path: string,
  day: Day,
  dryRun: boolean,
  tools: InferRun,
): Promise<RetainReport> {
  const { root, reads, stateFolder, signal } = context;
  const { model, entities, cancelled, limit, time } = tools;
  const retain = (request: RetainRequest) => tools.retain(request, { isStale });
  const forgotten = readForgotten(root).digest;
  // Set if a statement was forgotten (`openclaw memory forget`) after the log was read. Then `retain` must not write,
  // because the inferred facts may repeat the forgotten statement.
  let isLate = false;
  const isStale = () => {
    isLate = readForgotten(root).digest !== forgotten;
    return isLate;
  };
  const version = readVersion(join(root, path));
  const unread = whyNotRead({ root, reads }, path, version?.bytes);
  if (unread !== undefined) return { ...NOTHING, warnings: [`${path} ${unread.reason}; ${unread.hint}`] };
  const log = readLogOfDay(path, decodeBytes(version?.bytes ?? Buffer.alloc(0)));
  const room = MOST_A_DAY - log.inferred;
  if (log.passages.length === 0 || room <= 0) return NOTHING;
  await takeOverOldState(context);
  const seen = seenOf(stateFolder, path, log);
  if (seen.by === 'model') return NOTHING;
  const isLeft = limit.isReached || time.isOver;
  const chat = isLeft ? { ok: false as const, error: limit.failure } : await model();
  if (!chat.ok && chat.error.type === 'interrupted') throw new MemoryError(chat.error);
  if (!chat.ok && seen.by === 'rules') return NOTHING;
  const ruled = byRules(log, await entities());
  const asked = chat.ok ? await byModel(log, day, chat.value, tools, signal) : undefined;
  // If the model fails, the next run asks it again.
  const found = asked?.facts;
  const candidates = [...ruled, ...(found ?? [])];
  const over = new Set(
    candidates.filter((one) => [DECISION_CUE_RANK, RULING_RANK].includes(one.rank) && cancelled(one, day)),
  );
  const standing = candidates.filter((one) => !over.has(one));
  const report = await write(path, firstOf(standing, log, room), retain, dryRun);
  if (isLate) return inferDay(context, path, day, dryRun, tools);
  if (!dryRun) seen.note(found === undefined ? 'rules' : 'model');
  const cancelledOnes = [...over].map(
    ({ text }) => `${day}: "${text.slice(0, 80)}" was left out, because a later log cancels it`,
  );
  return { ...report, warnings: [...(asked?.warnings ?? []), ...cancelledOnes, ...report.warnings] };
}

/**
 * The first candidates by rank, then by line, at most `room` by the rules and as many by a model. Leaves out candidates that
 * repeat a fact in the log of the day. A model never takes the place of what the rules find.
 */
function firstOf(candidates: readonly Candidate[], { stated }: LogOfDay, room: number): readonly Candidate[] {
  const factOf = (text: string) => ({ id: '', entities: [], text: normaliseText(text) });
  const known = new SimilarFactFinder(stated.map(factOf));
  const isFresh = ({ text }: Candidate): boolean => {
    if (known.near(factOf(text)) !== undefined) return false;
    known.add(factOf(text));
    return true;
  };
  const sorted = candidates.toSorted((a, b) => a.rank - b.rank || a.from - b.from);
  const ruled = sorted.filter((one) => one.by === RULES && isFresh(one)).slice(0, room);
  const added = sorted.filter((one) => one.by !== RULES && !ruled.some((other) => saysAll(other, one)) && isFresh(one));
  return [...ruled, ...added.slice(0, room)];
}

/** Whether a candidate from the same lines has all words of another. */
function saysAll(one: Candidate, { from, to, text }: Candidate): boolean {
  const words = new Set(lowerCaseWords(one.text));
  return from <= one.to && to >= one.from && lowerCaseWords(text).every((word) => words.has(word));
}

async function write(
  path: string,
  chosen: readonly Candidate[],
  retain: InferInput['retain'],
  dryRun: boolean,
): Promise<RetainReport> {
  const facts = (moved: (line: number) => number): readonly string[] =>
    chosen.map(({ from, to, fact, by }) => `${fact} ${formatOriginNote({ from: moved(from), to: moved(to) }, by)}`);
  if (chosen.length === 0) return NOTHING;
  const planned = await retain({ facts: facts((line) => line), file: path, dryRun: true });
  const [change] = planned.changes;
  if (change === undefined) return NOTHING;
  // The new facts go into one section of the log. If this section is above the lines that the facts cite, those lines move
  // down. So their line numbers are corrected.
  const first = Number(/#L(\d+)/u.exec(planned.retained[0]?.source ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  const added = linesOf(change.after) - linesOf(change.before);
  return retain({ facts: facts((line) => (line >= first ? line + added : line)), file: path, dryRun });
}

function linesOf(text: string | null): number {
  return (text ?? '').split('\n').length;
}

function byRules({ passages }: LogOfDay, known: readonly string[]): readonly Candidate[] {
  return passages.flatMap((passage) =>
    saidIn(passage).flatMap(({ said, label, cue }): readonly Candidate[] => {
      const { from, to, isByAgent } = passage;
      // An agent's rule is only advice: a person has not agreed to it.
      if ((isByAgent && (cue.kind === 'O' || cue.isRule)) || !isDone(cue, passage)) return [];
      const told = completeStatement(said, cue, { ...passage, label }, known);
      if (told === undefined) return [];
      // Work that another speaker did is not an experience (`B`) of the agent that keeps the log. It becomes a fact about
      // the world (`W`).
      const kind = cue.kind === 'B' && passage.speaker !== undefined ? 'W' : cue.kind;
      const named = new Set([...(told.about === undefined ? [] : [told.about]), ...namedIn(told.text, known)]);
      const fact = bulletOf(kind, DEFAULT_CONFIDENCE, [...named], told.text);
      return [{ from, to, rank: cue.rank, by: RULES, fact, text: told.text, heading: passage.topics.at(-1) }];
    }),
  );
}

/**
 * The statements of a passage that have a cue. An item of a list is one statement: the first sentence alone may lack the
 * reason, and a later one its subject. Of a long item, a later sentence counts only with the label of the item. In a
 * paragraph, each sentence is a statement.
 */
function saidIn({ text, label, isItem, isRuling }: LogPassage) {
  const sentences = sentencesOf(withoutMarks(text));
  const bold = /^\*\*([^*:：]{1,40})(?:\*\*\s*[:：]|[:：]\s*\*\*)/u.exec(text)?.[1];
  const found = sentences.flatMap((said, at) => {
    const cue = said.length <= LONGEST ? findInferenceCue(said, isRuling && at === 0) : undefined;
    return cue === undefined ? [] : [{ said, label: at === 0 ? label : (bold ?? label), cue }];
  });
  const whole = sentences.join(' ');
  if (found[0] === undefined || !isItem) return found;
  if (whole.length <= LONGEST && !sentences.some(isQuestion)) return [{ said: whole, label, cue: found[0].cue }];
  return bold === undefined ? found.filter(({ said }) => said === sentences[0]) : found;
}

/** Whether a sentence tells what is so. An open task does not. */
function isDone({ rank }: InferenceCue, passage: LogPassage): boolean {
  return !isRecord(passage) && (rank === REMEMBER_CUE_RANK || !passage.text.startsWith('[ ]'));
}

/** Whether a program recorded what was run: `[11:29] EXEC: ssh …`. Its label is no name of a person. */
function isRecord({ speaker = '', text }: LogPassage): boolean {
  return /^[A-Z]{3,}$/u.test(speaker) && !isFirstPersonText(text);
}

const MOST_ENTITIES = 4;

/** Known entities that a sentence names. A part of a path or of a joined name is not the entity. */
function namedIn(sentence: string, known: readonly string[]): readonly string[] {
  const said = replaceCodeSpans(sentence);
  return known
    .filter((name) => {
      const at = said.indexOf(name);
      if (name.length < 2 || at < 0) return false;
      const isPart =
        /[\p{L}\p{N}./_-]/u.test(said.charAt(at - 1)) || /^[./_-]?[\p{L}\p{N}]/u.test(said.slice(at + name.length));
      return UNSPACED.test(name) || !isPart;
    })
    .slice(0, MOST_ENTITIES);
}

const UNSPACED = new RegExp(`^[${ALL_CJK_RANGES}]+$`, 'u');

/**
 * Formats a fact as a list item. If the text begins with an entity, the entity is written only before the colon: `W @Peter:
 * lives in Graz`.
 */
function bulletOf(kind: FactKind, confidence: number, entities: readonly string[], said: string): string {
  const bare = said.replace(/^[@＠]/u, '');
  const [first] = entities.filter((name) => bare.startsWith(name)).toSorted((a, b) => b.length - a.length);
  const rest = first === undefined ? '' : bare.slice(first.length);
  const isLed = /^\s+\p{L}/u.test(rest) || (first !== undefined && UNSPACED.test(first));
  return formatBullet({ kind, confidence, entities, text: isLed && rest.trim() !== '' ? rest : said }).slice(2);
}

/** Asks the model for facts. `facts` is undefined if the model gives no answer, or the time is over. */
async function byModel(
  { passages }: LogOfDay,
  day: Day,
  model: ToolModel,
  { template, limit, time }: InferRun,
  signal: AbortSignal | undefined,
): Promise<{ readonly facts: readonly Candidate[] | undefined; readonly warnings: readonly string[] }> {
  const facts: Candidate[] = [];
  const warnings: string[] = [];
  const check = makeFactCheck(passages, day);
  const level = model.levelFor('facts', passages.map(({ text }) => text).join('\n'));
  if (level === 'unused') return { facts: undefined, warnings };
  const questions =
    level === 'free'
      ? buildInferQuestions(passages, day, template, model.window)
      : buildInferChoices(passages, readTemplate('prompts/choose.md'), model.window);
  for (const question of questions) {
    const answer = await time.ask(model, question, signal);
    if (answer === undefined) return { facts: undefined, warnings };
    limit.note(answer.ok);
    if (!answer.ok) {
      if (answer.error.type === 'interrupted') throw new MemoryError(answer.error);
      return {
        facts: undefined,
        warnings: [
          `${day}: ${answer.error.message}; ${limit.isReached ? 'the rules read the rest' : 'the rules read this day instead'}`,
        ],
      };
    }
    addAll(
      warnings,
      answer.value.refused.map((why) => `${day}: ${why}`),
    );
    for (const proposed of answer.value.facts) {
      const found = candidateOf(check(proposed), model.name);
      if (typeof found === 'string') warnings.push(`${day}: "${proposed.text.slice(0, 80)}" was left out: ${found}`);
      else facts.push(found);
    }
  }
  return { facts, warnings };
}

/** Turns a checked fact into a candidate, or returns the reason why it is left out. */
function candidateOf(checked: ReturnType<ReturnType<typeof makeFactCheck>>, by: string): Candidate | string {
  if (typeof checked === 'string') return checked;
  const { from, to, kind, text, cited, entities, confidence = DEFAULT_CONFIDENCE } = checked;
  const speaker = findOmittedSpeaker(text, entities, cited);
  if (speaker?.isTakenForUser) return `${speaker.name} says it`;
  const isAsked = cited.some((passage) =>
    sentencesOf(passage.text).some((said) => findInferenceCue(said)?.rank === REMEMBER_CUE_RANK),
  );
  const about = speaker === undefined ? entities : [speaker.name, ...entities];
  const sure = Math.min(1, Math.max(0, Number(confidence.toFixed(2))));
  // An opinion (`O`) belongs to a person: the words of an agent or a tool become an observation (`S`). An experience (`B`)
  // belongs to the agent: the deeds of another speaker become a fact about the world (`W`).
  const isOfAgent = kind === 'O' && cited.some(({ isByAgent }) => isByAgent);
  const ofSpeaker = kind === 'B' && speaker !== undefined ? 'W' : kind;
  const fact = bulletOf(isOfAgent ? 'S' : ofSpeaker, sure, about, text);
  const heading = cited[0]?.topics.at(-1);
  return { from, to, rank: isAsked ? REMEMBER_CUE_RANK : DECISION_CUE_RANK, by, fact, text, heading };
}

/** The kind of the notes about logs. */
const INFERRED = 'inferred day';

/**
 * Records on this machine whether the model or the rules have read the text of a log. Text that the model has read is not
 * read again. Text that only the rules have read is read once more when a model is available.
 */
function seenOf(stateFolder: string, path: string, { passages }: LogOfDay) {
  const said = passages.map(({ text }) => text);
  const narrative = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
  const [before, by] = readEntry<string>(stateFolder, INFERRED, path)?.split(' ') ?? [];
  const note = (who: 'model' | 'rules') =>
    storeEntries(stateFolder, [{ kind: INFERRED, name: path, value: `${narrative} ${who}` }]);
  return { by: before === narrative ? by : undefined, note };
}
