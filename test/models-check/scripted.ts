import { asRecord } from '../../src/base/json.js';
import { isOfChatTest } from '../support/chat-answers.js';
import { FakeOllama } from '../support/ollama/server.js';
import { WEAK_MODELS, type WeakModel } from '../support/weak-models.js';
import { FixtureModel } from './answers.js';
import { type Asked, type ByRules, type Measured, runWithModel } from './run.js';

/** The rows of the table: how a scripted model answers, and at which level. */
const INVENT = 'invent';
const GOOD = 'good';
export const SCRIPTED_ROWS: readonly { readonly name: string; readonly level?: 'extractive' | 'free' | undefined }[] = [
  ...Object.keys(WEAK_MODELS).map((name) => ({ name })),
  { name: INVENT },
  { name: GOOD },
  { name: INVENT, level: 'extractive' },
  { name: INVENT, level: 'free' },
  { name: GOOD, level: 'free' },
];

/** What a scripted model did for one task. `written`: the lines that it wrote, if it answers about the fixture. */
export interface ScriptedMeasured extends Measured {
  readonly written: readonly string[];
}

/** Runs every task with a scripted model on a fake server. */
export async function runScripted(
  { name, level }: (typeof SCRIPTED_ROWS)[number],
  rules: ByRules,
): Promise<readonly ScriptedMeasured[]> {
  const models: Readonly<Record<string, WeakModel>> = WEAK_MODELS;
  const writing = name === INVENT ? FixtureModel.inventing() : FixtureModel.good();
  const { reply = writing.reply, fault, waitMs }: WeakModel = models[name] ?? {};
  const server = await new FakeOllama({ chunkBytes: 65_536 }).start();
  server.replyBy(reply);
  if (fault !== undefined) server.faults.set(fault);
  const asked = () => countAsked(server.bodies('/api/chat'));
  const model = { name: 'qwen3:4b-instruct', server: server.url, level, waitMs, asked };
  const measured: ScriptedMeasured[] = [];
  try {
    await runWithModel(
      model,
      rules,
      (one) => measured.push({ ...one, written: writing.take() }),
      () => writing.take(),
    );
    return measured;
  } finally {
    await server.stop();
  }
}

/** Counts questions to a model, without those of its test. A request without messages only loads the model. */
export function countAsked(bodies: readonly Readonly<Record<string, unknown>>[]): Asked {
  const texts = bodies.flatMap(({ messages }) => {
    const said = Array.isArray(messages)
      ? messages.map((one: unknown) => ({ content: String(asRecord(one).content) }))
      : [];
    return said.length === 0 || isOfChatTest(said) ? [] : [said.map(({ content }) => content).join('')];
  });
  return { calls: texts.length, characters: texts.reduce((sum, { length }) => sum + length, 0) };
}
