import type { Day } from '../../base/clock.js';
import type { ToolModel } from '../../model/model.js';
import { redactSecrets } from '../../text/redact.js';
import { chooseSentences, findSentencesToChoose } from '../memory/choose.js';
import { toTranscript } from '../memory/update.js';
import type { SessionMessage } from '../message.js';
import { emptyFlushReport, type FlushReport, type FlushServices } from './turn.js';
import { type FactWithMessage, makeNewFactTest } from './writes.js';

interface ChoiceOfDay {
  readonly session: string;
  readonly messages: readonly SessionMessage[];
  readonly day: Day;
  /** Facts that the rules saved from these messages. */
  readonly known: readonly FactWithMessage[];
}

/**
 * Saves sentences of users that a model has chosen by number, word for word, if the model may only choose. Saves nothing if
 * it may not even do that.
 * @returns undefined if the model may write
 * @throws MemoryError `interrupted`
 */
export async function saveChosenFacts(
  { session, messages, day, known }: ChoiceOfDay,
  model: ToolModel,
  { retain }: FlushServices,
  signals: Parameters<typeof chooseSentences>[3],
): Promise<FlushReport | undefined> {
  const level = model.levelFor('facts', messages.map((message) => toTranscript(message).body).join('\n'));
  if (level === 'free') return undefined;
  if (level === 'unused') return emptyFlushReport(session, 'silent', []);
  const sentences = findSentencesToChoose(messages.filter(({ role }) => role === 'user'));
  const { chosen, why } = await chooseSentences(sentences, { keep: 'what to keep' }, model, signals);
  const facts = (chosen.get('keep') ?? []).map(({ text }) => `S ${redactSecrets(text).text}`);
  const fresh = facts.filter(makeNewFactTest(known)).map((fact) => `${fact} (from ${session}, by ${model.name})`);
  const empty = emptyFlushReport(
    session,
    'silent',
    why === undefined ? [] : [`${why}; the rules saved what they could`],
  );
  if (fresh.length === 0) return empty;
  const { retained, warnings, changes } = await retain(fresh, day);
  return { ...empty, status: 'done', saved: retained.length, warnings: [...empty.warnings, ...warnings], changes };
}
