import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addMessages } from '../../src/session/add.js';
import { openClock } from '../../src/workspace/clock.js';
import type { CliResult } from './cli.js';
import { fakeModel } from './ollama/model.js';
import type { FakeOllama } from './ollama/server.js';
import { inLetters } from './understood.js';
import { NOW, type TemporaryWorkspace } from './workspace.js';

/** A command that may use a model, for tables of its failures. */
export interface ModelCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** Prepares the workspace, which already has {@link FILES} with their vectors. */
  readonly prepare?: (stage: CommandStage) => Promise<void> | void;
  /** Checks the promise of exit code 0: it was done, or the answer says why not. */
  readonly check: (answer: Answer, stage: CommandStage) => void;
  /** Checks the files after any kind of end. */
  readonly settled?: (stage: CommandStage) => void;
}

export interface CommandStage {
  readonly workspace: TemporaryWorkspace;
  readonly server: FakeOllama;
  /** Runs the next command of the line, in the way of the test. */
  readonly run: (args: readonly string[]) => Promise<CliResult>;
}

type Answer = Readonly<Record<string, unknown>>;

const LINES = 12;
const QUESTION = `subject ${inLetters(49)}`;
const MESSAGES = [
  'let us keep the cache in Redis, on port 6380',
  'and the walrus is fed from src/feed.ts, in plain text with a bullet',
];

const DIARY = `## Retain
- W @Peter: drinks coffee in the morning and no tea any more
- W @Peter: lives in Graz, near the river
- B @Peter: I bought him a grinder for coffee
- O(c=0.8) @Peter: Prefers coffee in the morning.
`;
const OPINIONS = '- O(c=0.70) @Peter: Prefers tea in the morning.\n';

export const FILES = {
  'memory/2026-03-14.md': Array.from(
    { length: LINES },
    (_, i) => `- line ${inLetters(i)} about subject ${inLetters(i * 7)}`,
  ).join('\n'),
  'cases.jsonl': JSON.stringify({ id: 'c', query: QUESTION, expect: ['memory/2026-03-14.md#L8'], kind: 'x' }),
};

/** Configured models that can be downloaded, for `doctor --pull`. */
export const PULLABLE = [
  fakeModel({ name: 'tiny:1b', sizeBytes: 4_000_000 }),
  fakeModel({ name: 'tiny-embed', kind: 'embedding' }),
];

/** Each line is a test in every table. */
export const MODEL_COMMANDS: readonly ModelCommand[] = [
  {
    name: 'session commit',
    args: ['session', 'commit', 'chat', '--keep-recent', '0'],
    prepare: session,
    check: finishedByModelOrSaysWhy,
    settled: nothingOfTheSessionIsLost,
  },
  {
    name: 'session compact',
    args: ['session', 'compact', 'chat'],
    prepare: session,
    check: finishedByModelOrSaysWhy,
    settled: nothingOfTheSessionIsLost,
  },
  {
    name: 'session resume',
    args: ['session', 'resume', 'chat'],
    prepare: async (stage) => {
      await session(stage);
      await stage.run(['session', 'commit', 'chat', '--keep-recent', '0', '--defer']);
    },
    check: (answer) => {
      for (const one of list(answer.sessions)) finishedByModelOrSaysWhy(one);
    },
    settled: nothingOfTheSessionIsLost,
  },
  {
    name: 'flush run',
    args: ['flush', 'run', '--session', 'chat'],
    prepare: session,
    check: ({ status, warnings }) => {
      expect(['done', 'silent', 'failed']).toContain(status);
      if (status === 'failed') expect(warnings).not.toEqual([]);
    },
  },
  {
    name: 'reflect',
    args: ['reflect'],
    prepare: ({ workspace }) => {
      for (const path of ['bank', '.memory']) workspace.remove(path);
      workspace.write('memory/2026-03-12.md', DIARY);
      workspace.write('bank/opinions.md', OPINIONS);
    },
    check: ({ facts, warnings }) => {
      expect(facts).toBe(4);
      expect(warnings).toBeInstanceOf(Array);
    },
    settled: ({ workspace }) => {
      expect(workspace.read('memory/2026-03-12.md')).toBe(DIARY);
      expect(workspace.read('bank/opinions.md')).toContain('@Peter: Prefers tea in the morning.');
    },
  },
  {
    name: 'index --embed',
    args: ['index', '--embed'],
    prepare: ({ workspace }) => {
      for (const end of ['', '-wal', '-shm']) workspace.remove(`.memory/vectors.sqlite${end}`);
    },
    check: ({ vectors }) => expect(vectors).toMatchObject({ embedded: LINES, refused: 0, missing: 0 }),
  },
  { name: 'recall', args: ['recall', QUESTION], check: answersByMeaningOrSaysWhy },
  {
    name: 'recall --mode hybrid',
    args: ['recall', QUESTION, '--mode', 'hybrid'],
    check: answersByMeaningOrSaysWhy,
  },
  {
    name: 'eval --mode hybrid',
    args: ['eval', 'workspace/cases.jsonl', '--mode', 'hybrid'],
    check: (answer) => expect(answer).toMatchObject({ cases: 1, passed: 1 }),
  },
  {
    name: 'status --deep',
    args: ['status', '--deep'],
    check: ({ models }) => {
      const { problem, chat, embedding } = record(models);
      for (const [model, done] of [
        [record(chat), 'answerMs'],
        [record(embedding), 'dimension'],
      ] as const) {
        if (problem === null && model[done] === null) expect(model.problem).toMatchObject({ hint: expect.any(String) });
      }
    },
  },
  {
    name: 'doctor',
    args: ['doctor'],
    check: ({ checks }) => {
      for (const finding of list(checks)) if (finding.state !== 'ok') expect(finding.hint).toBeTypeOf('string');
    },
  },
  {
    name: 'doctor --pull',
    args: ['doctor', '--pull'],
    prepare: ({ workspace, server }) => {
      const settings = JSON.parse(workspace.read('memory.config.json5'));
      const models = { chatModel: 'tiny:1b', embedModel: 'tiny-embed' };
      workspace.write('memory.config.json5', JSON.stringify({ ...settings, ...models }));
      for (const { name } of PULLABLE) server.models.delete(name);
    },
    check: ({ pulled }, { server }) => {
      expect(pulled).toEqual(['tiny:1b', 'tiny-embed']);
      expect([...server.models.keys()]).toEqual(expect.arrayContaining(PULLABLE.map(({ name }) => name)));
    },
  },
];

/** Returns temporary and incomplete files of an idle workspace. */
export function leftIn({ root }: TemporaryWorkspace): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tmp$/.test(path));
}

async function session({ workspace }: CommandStage): Promise<void> {
  workspace.remove('sessions');
  const place = { root: workspace.root, stateFolder: workspace.path('.memory'), clock: openClock('UTC', NOW) };
  const messages = MESSAGES.map((text) => ({
    role: 'user' as const,
    parts: [{ type: 'text' as const, text }],
    timestamp: null,
  }));
  await addMessages(place, 'chat', { messages });
}

function finishedByModelOrSaysWhy({ finished, pending }: Answer): void {
  expect(pending).toEqual([]);
  expect(list(finished)).toHaveLength(1);
  for (const archive of list(finished)) {
    expect(archive.state).toBe('completed');
    if (archive.overview_by !== 'model') expect(archive.notes).toEqual([expect.stringMatching(/without a model: ./)]);
  }
}

/** Even after a failure: an archive is complete or waits, and every message is on the disk. */
function nothingOfTheSessionIsLost({ workspace }: CommandStage): void {
  const folder = workspace.path('sessions/chat/history/archive_001');
  const kept = existsSync(folder) ? readFileSync(join(folder, 'messages.jsonl'), 'utf8') : '';
  const live = workspace.read('sessions/chat/messages.jsonl');
  for (const message of MESSAGES) expect(kept + live).toContain(message);
  if (!existsSync(join(folder, '.done'))) return;
  const guard = record(JSON.parse(readFileSync(join(folder, 'guard.json'), 'utf8')));
  expect(guard.lost).toEqual([]);
  for (const name of ['.overview.md', '.abstract.md', '.meta.json']) {
    expect(readFileSync(join(folder, name), 'utf8')).not.toBe('');
  }
}

function answersByMeaningOrSaysWhy({ mode, warnings, results }: Answer): void {
  if (mode === 'lexical') expect(warnings).toEqual([expect.stringContaining('searched by words only')]);
  else expect(mode).toBe('hybrid');
  expect(list(results)[0]?.source).toBe('memory/2026-03-14.md#L8');
}

function list(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function record(value: unknown): Answer {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
