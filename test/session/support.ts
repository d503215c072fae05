import { join } from 'node:path';
import { err, ok, type Result } from '../../src/base/failure.js';
import type { ChatModel, Question } from '../../src/model/model.js';
import { type AddReport, addMessages } from '../../src/session/add.js';
import { listArchives, readArchivedMessages } from '../../src/session/archive/archives.js';
import type { FinishServices } from '../../src/session/finish.js';
import { sessionPaths } from '../../src/session/log/meta.js';
import { ParsedFiles } from '../../src/session/log/read.js';
import { type MessageDraft, type MessagePart, messageText, type SessionMessage } from '../../src/session/message.js';
import type { SessionWorkspace } from '../../src/session/session.js';
import { openClock } from '../../src/workspace/clock.js';
import { readTemplate } from '../../src/workspace/templates.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW, type TemporaryWorkspace } from '../support/workspace.js';

export const TEMPLATES = {
  update: readTemplate('prompts/wm-update.md'),
  create: readTemplate('prompts/wm-create.md'),
};

export const NO_MODEL: FinishServices = { templates: TEMPLATES };

/** A workspace with a session of the library's own in it. */
export function testPlace(workspace: TemporaryWorkspace = testWorkspace()): SessionWorkspace {
  return { root: workspace.root, stateFolder: workspace.path('.memory'), clock: openClock('UTC', NOW) };
}

export function says(role: MessageDraft['role'], text: string): MessageDraft {
  return { role, parts: [{ type: 'text', text }], timestamp: null };
}

export function calls(id: string): MessageDraft {
  const part: MessagePart = { type: 'tool_call', id, name: 'bash', input: { command: 'npm test' } };
  return { role: 'assistant', parts: [part], timestamp: null };
}

export function answers(id: string, output = 'ok'): MessageDraft {
  const part: MessagePart = { type: 'tool_result', id, name: 'bash', output, status: 'completed' };
  return { role: 'tool', parts: [part], timestamp: null };
}

export function add(place: SessionWorkspace, id: string, ...messages: readonly MessageDraft[]): Promise<AddReport> {
  return addMessages(place, id, { messages });
}

/** Returns every message of a session: the archives in order, then the live ones. */
export function everything(place: SessionWorkspace, id: string): readonly SessionMessage[] {
  const paths = sessionPaths(place.root, id);
  return [...listArchives(paths).flatMap(readArchivedMessages), ...new ParsedFiles().messages(paths.log)];
}

export function textsOf(messages: readonly SessionMessage[]): readonly string[] {
  return messages.map(messageText);
}

export function archiveFile(place: SessionWorkspace, id: string, archive: string, name: string): string {
  return join(sessionPaths(place.root, id).history, archive, name);
}

/** A model that gives prepared answers, checked like real ones: by the schema, then by recovery. */
export class ScriptedModel implements ChatModel {
  readonly name = 'scripted';
  readonly digest = '';
  readonly levelFor = () => 'free' as const;
  readonly prompts: string[] = [];

  constructor(
    private readonly answer: (prompt: string, turn: number) => string | undefined,
    readonly window = 32_000,
  ) {}

  async ask<T>({ prompt, schema, recover }: Question<T>): Promise<Result<T>> {
    this.prompts.push(prompt.user);
    const text = this.answer(prompt.user, this.prompts.length);
    if (text === undefined) return err({ type: 'model_unavailable', message: 'the model is away' });
    const checked = schema.safeParse(parse(text));
    if (checked.success) return ok(checked.data);
    const recovered = recover?.(text);
    return recovered === undefined ? err({ type: 'invalid_answer', message: 'no usable answer' }) : ok(recovered);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
