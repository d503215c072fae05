import { expect, test } from 'vitest';
import { ok, type Result } from '../../src/base/failure.js';
import { extractMemories } from '../../src/extract/extract.js';
import type { SourceMessage } from '../../src/extract/question.js';
import { MemoryTypes } from '../../src/extract/types.js';
import { answerFormat } from '../../src/model/format.js';
import type { ChatLevel } from '../../src/model/levels.js';
import type { Question, ToolAnswer, ToolModel } from '../../src/model/model.js';
import { openClock } from '../../src/workspace/clock.js';
import { readTemplate } from '../../src/workspace/templates.js';
import { testWorkspace } from '../support/test-workspace.js';
import { NOW } from '../support/workspace.js';

/** A model that notes what it is asked, and finds nothing. */
class NotingModel implements ToolModel {
  readonly name = 'noting';
  readonly digest = '';
  readonly window = 8_192;
  /** Names of the types that each question asks about. */
  readonly types: (readonly string[])[] = [];
  readonly schemas: string[] = [];
  lookups = 0;

  constructor(private readonly level: ChatLevel) {}

  readonly levelFor = () => this.level;

  async ask<T>({ schema, prompt }: Question<T>): Promise<Result<T>> {
    this.types.push([...prompt.system.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name));
    this.schemas.push(JSON.stringify(answerFormat(schema).schema));
    const checked = schema.safeParse({});
    return checked.success ? ok(checked.data) : { ok: false, error: { type: 'invalid_answer', message: 'no' } };
  }

  async act<T>(): Promise<Result<ToolAnswer<T>>> {
    this.lookups++;
    return ok({ calls: [], text: '' });
  }
}

function message(id: string, role: string, text: string): SourceMessage {
  return { id, role, text, day: '2026-03-01', source: { path: 'talk.json', label: 'talk', isTrusted: true } };
}

const TALK = [message('a', 'user', 'I moved to Linz last week.'), message('b', 'assistant', 'Noted. Linz it is.')];
const WITH_CALL = [
  ...TALK,
  { ...message('c', 'assistant', 'It is open.'), calls: [{ tool: 'nmap', isFailed: false }] },
];

async function asked(
  level: ChatLevel,
  messages: readonly SourceMessage[],
  model = new NotingModel(level),
): Promise<NotingModel> {
  const workspace = testWorkspace();
  const types = MemoryTypes.load();
  await extractMemories(
    { root: workspace.root, stateFolder: workspace.path('.memory'), clock: openClock('UTC', NOW) },
    { source: 'talk.json', messages },
    model,
    {
      types,
      chosen: types.chosen(),
      template: readTemplate('prompts/extract.md'),
      find: async () => ({ results: [] }),
      lookUp: async () => ({ results: [], files: [] }),
      entityPaths: async () => new Map(),
    },
    { rounds: 1 },
  );
  return model;
}

const ALL = MemoryTypes.load()
  .chosen()
  .map(({ name }) => name)
  .toSorted();

test('every type is asked about once, in few questions, each with a short schema', async () => {
  const model = await asked('free', WITH_CALL);
  expect(model.types.flat().toSorted()).toEqual(ALL);
  expect(model.types.length).toBeLessThanOrEqual(3);
  for (const schema of model.schemas) expect(schema.length).toBeLessThanOrEqual(3_000);
});

test('a conversation without tool calls is not asked about tools', async () => {
  const model = await asked('free', TALK);
  expect(model.types.flat().toSorted()).toEqual(ALL.filter((name) => name !== 'tools'));
});

test('a model that may only choose is asked about one type at a time, and looks up nothing', async () => {
  const model = await asked('extractive', WITH_CALL);
  expect(model.types.toSorted()).toEqual(ALL.map((name) => [name]));
  expect(model.lookups).toBe(0);
  expect((await asked('free', TALK)).lookups).toBeGreaterThan(0);
});

test('a model that is not used in the language of a conversation is asked nothing', async () => {
  const model = new NotingModel('unused');
  await expect(asked('unused', TALK, model)).rejects.toMatchObject({ failure: { type: 'model_unavailable' } });
  expect(model.types).toEqual([]);
  expect(model.lookups).toBe(0);
});
