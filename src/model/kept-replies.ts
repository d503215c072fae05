import { createHash } from 'node:crypto';
import { tryWithFallback } from '../base/failure.js';
import { isRecord, parseJson } from '../base/json.js';
import { type Entry, readEntries, replaceEntries, storeEntries } from '../workspace/state.js';
import type { ChatModel, KeptReply, Question, ReplyStore } from './model.js';

/** The reply as it is stored. JSON is stored as values, so that `forget` finds a text in it. */
type StoredReply = Omit<KeptReply, 'content'> & { readonly content: unknown };

/**
 * A model whose usable replies are on disk as soon as they come. If a run is stopped or killed, the next run gets them again
 * for the same questions, and the model is asked only the others.
 * @param kind names the replies that {@link removeKeptReplies} removes together
 */
export function keepReplies(model: ChatModel, stateFolder: string, kind: string): ChatModel {
  const known = new Map(readEntries<StoredReply>(stateFolder, kind));
  const nameOf = ({ name, prompt }: Pick<Question<unknown>, 'name' | 'prompt'>): string =>
    createHash('sha256')
      .update(JSON.stringify([model.name, model.digest, name, prompt]))
      .digest('hex');
  const kept: ReplyStore = {
    find(question) {
      const reply = known.get(nameOf(question));
      if (reply === undefined) return undefined;
      const { content, cut } = reply;
      return { content: typeof content === 'string' ? content : JSON.stringify(content), cut };
    },
    add(question, { content, cut }) {
      const json = parseJson(content);
      const value: StoredReply = { content: isRecord(json) ? json : content, cut };
      const entries: readonly Entry[] = [{ kind, name: nameOf(question), value }];
      // If the disk refuses it, the run still uses the reply.
      tryWithFallback(() => storeEntries(stateFolder, entries), undefined);
    },
  };
  return {
    name: model.name,
    digest: model.digest,
    levelFor: model.levelFor,
    get window() {
      return model.window;
    },
    ask: (question, signal) => model.ask({ ...question, kept }, signal),
  };
}

/** Removes kept replies, because a run has written what they say. */
export function removeKeptReplies(stateFolder: string, kind: string): void {
  replaceEntries(stateFolder, kind, new Map());
}
