import { MemoryError } from '../../base/failure.js';
import { saysSomething } from '../../memory/supported.js';
import { joinSignals } from '../../model/call.js';
import { buildChoiceQuestion } from '../../model/choose.js';
import type { ChatModel } from '../../model/model.js';
import { isQuestion, sentencesOf } from '../../text/sentences.js';
import { estimateTokens, splitByTokens } from '../../text/tokens.js';
import { bySectionName, contentItems, parseDocument, SECTION_DESCRIPTIONS, SECTION_NAMES } from '../../wm/document.js';
import { findMissingItems } from '../../wm/key-facts.js';
import { type MergeResult, mergeWorkingMemory } from '../../wm/merge.js';
import type { RequestedOperation } from '../../wm/operations.js';
import { readTemplate } from '../../workspace/templates.js';
import type { SessionMessage } from '../message.js';
import type { MemoryLedger } from './ledger/ledger.js';
import { updateLedgerAfterModel } from './rules.js';
import { noteOfRest, updateByRules, type WmUpdate } from './update.js';

/** A sentence that a model may choose. */
interface SentenceToChoose {
  readonly text: string;
  readonly message: SessionMessage;
}

/** The statements of users and agents, in order. Questions, thanks, and what tools printed, can't be chosen. Pure. */
export function findSentencesToChoose(messages: readonly SessionMessage[]): readonly SentenceToChoose[] {
  const said = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  return said.flatMap((message) =>
    message.parts
      .flatMap((part) => (part.type === 'text' ? sentencesOf(part.text) : []))
      .filter((text) => !isQuestion(text) && text.length <= LONGEST && saysSomething(text))
      .map((text) => ({ text, message })),
  );
}

const LONGEST = 400;
/** Maximum number of sentences that a model may choose from one part, for each list. */
const MOST_CHOSEN = 8;
/** Share of the model's window for the sentences of one question. */
const SHARE = 0.5;

interface Signals {
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the model's time is over. */
  readonly limit?: AbortSignal | undefined;
}

/**
 * Asks a model which sentences to keep, part by part.
 * @param keys the lists that the model fills, with what belongs into each
 * @returns the chosen sentences of each part. If the model failed: the reason in `why`. If its time was over: in `next` the
 *   first sentence that it has not read
 * @throws MemoryError `interrupted`
 */
export async function chooseSentences<Key extends string>(
  sentences: readonly SentenceToChoose[],
  keys: Readonly<Record<Key, string>>,
  model: ChatModel,
  { signal, limit }: Signals,
): Promise<{
  readonly chosen: ReadonlyMap<Key, readonly SentenceToChoose[]>;
  readonly why?: string;
  readonly next?: SentenceToChoose | undefined;
}> {
  const template = readTemplate('prompts/choose.md');
  const lists = new Map<Key, SentenceToChoose[]>();
  const room = model.window * SHARE - estimateTokens(template);
  const shown = ({ text, message }: SentenceToChoose) => `${message.role}: ${text}`;
  for (const part of splitByTokens(sentences, (one) => estimateTokens(shown(one)) + 2, room)) {
    const choice = { sentences: part.map(shown), keys, most: MOST_CHOSEN, template };
    const question = buildChoiceQuestion(choice, (indexes) => indexes);
    const answer = await model.ask(question, joinSignals(signal, limit));
    if (!answer.ok && limit?.aborted === true && signal?.aborted !== true)
      return { chosen: lists, why: 'in time', next: part[0] };
    if (!answer.ok && answer.error.type === 'interrupted') throw new MemoryError(answer.error);
    if (!answer.ok) return { chosen: lists, why: answer.error.message };
    for (const [key, indexes] of answer.value)
      lists.set(key, [...(lists.get(key) ?? []), ...indexes.flatMap((index) => part[index] ?? [])]);
  }
  return { chosen: lists };
}

/** Sections whose lines a model may choose. The rules write the title, the current state and the paths. */
const CHOSEN_SECTIONS = ['Task & Goals', 'Key Facts & Decisions', 'Errors & Corrections', 'Open Issues'] as const;

interface ChoiceInput extends Signals {
  readonly old: string | null;
  /** The messages, with those that only the rules have read first. */
  readonly messages: readonly SessionMessage[];
  readonly ledger: MemoryLedger;
  /** Number of messages at the beginning that only the rules have read. */
  readonly covered: number;
  readonly model: ChatModel;
}

/**
 * Updates a Working Memory by the rules, and adds sentences of the messages that a model has chosen by number. The model
 * writes no word.
 * @throws MemoryError `interrupted`
 */
export async function updateByChoice(input: ChoiceInput): Promise<WmUpdate> {
  const { old, messages, ledger, covered, model, signal } = input;
  const fresh = messages.slice(covered);
  const ruled = await updateByRules({ old, messages: fresh, ledger, signal }, 'first');
  const keys = {
    'Task & Goals': SECTION_DESCRIPTIONS['Task & Goals'],
    'Key Facts & Decisions': SECTION_DESCRIPTIONS['Key Facts & Decisions'],
    'Errors & Corrections': SECTION_DESCRIPTIONS['Errors & Corrections'],
    'Open Issues': SECTION_DESCRIPTIONS['Open Issues'],
  } satisfies Record<(typeof CHOSEN_SECTIONS)[number], string>;
  const { chosen, why, next } = await chooseSentences(findSentencesToChoose(messages), keys, model, input);
  const merge = addChosen(ruled.document, chosen);
  const document = merge?.document ?? ruled.document;
  const merges = [...ruled.merges, ...(merge === undefined ? [] : [merge])];
  const kept = updateLedgerAfterModel(ruled.ledger, document, 0);
  const made = { ...ruled, document, merges, ledger: kept };
  if (next !== undefined) {
    const read = messages.indexOf(next.message);
    return { ...made, read, goesOn: true, notes: [noteOfRest(read, messages.length, 'in time')] };
  }
  if (why !== undefined) return { ...made, notes: [`without a model: ${why}`] };
  return { document, madeBy: 'model', merges, ledger: kept, notes: [], read: messages.length };
}

/** Adds the chosen sentences that the document does not have yet. Undefined if there is none. */
function addChosen(
  document: string,
  chosen: ReadonlyMap<(typeof CHOSEN_SECTIONS)[number], readonly SentenceToChoose[]>,
): MergeResult | undefined {
  const { bodies } = parseDocument(document);
  const carried = SECTION_NAMES.flatMap((name) => contentItems(bodies[name]));
  let count = 0;
  const operations = bySectionName((name): RequestedOperation => {
    const section = CHOSEN_SECTIONS.find((one) => one === name);
    const said = (section && chosen.get(section)) ?? [];
    const items = findMissingItems(
      said.map(({ text }) => text),
      carried,
    );
    count += items.length;
    return items.length === 0
      ? { name: 'KEEP', operation: { op: 'KEEP' } }
      : { name: 'APPEND', operation: { op: 'APPEND', items } };
  });
  return count === 0 ? undefined : mergeWorkingMemory(document, operations);
}
