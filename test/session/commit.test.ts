import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ok } from '../../src/base/failure.js';
import { addMessages } from '../../src/session/add.js';
import { listArchives, newestOverview } from '../../src/session/archive/archives.js';
import { type CommitReport, commitSession, resumeSession } from '../../src/session/commit.js';
import type { FinishServices } from '../../src/session/finish.js';
import { readMeta, sessionPaths } from '../../src/session/log/meta.js';
import { ParsedFiles } from '../../src/session/log/read.js';
import type { SessionWorkspace } from '../../src/session/session.js';
import { testWorkspace } from '../support/test-workspace.js';
import {
  add,
  answers,
  archiveFile,
  calls,
  everything,
  NO_MODEL,
  ScriptedModel,
  says,
  TEMPLATES,
  testPlace,
  textsOf,
} from './support.js';

const SECTIONS = ['Session Title', 'Current State', 'Task & Goals', 'Key Facts & Decisions', 'Files & Context'];
const KEEP = { op: 'KEEP' };

/** An answer that says KEEP to everything except the given operations. */
function answerOf(operations: Readonly<Record<string, unknown>>): string {
  const all = [...SECTIONS, 'Errors & Corrections', 'Open Issues'].map((name) => [name, operations[name] ?? KEEP]);
  return JSON.stringify({ sections: Object.fromEntries(all) });
}

function update(content: string) {
  return { op: 'UPDATE', content };
}

function withModel(model: ScriptedModel): FinishServices {
  return { templates: TEMPLATES, model: async () => ok(model) };
}

/** Adds one message and commits all. */
async function round(place: SessionWorkspace, text: string, tools: FinishServices = NO_MODEL): Promise<CommitReport> {
  await add(place, 's', says('user', text));
  return commitSession(place, 's', { keep: 0 }, tools);
}

function overview(place: SessionWorkspace): string {
  return newestOverview(listArchives(sessionPaths(place.root, 's')))?.text ?? '';
}

function json(place: SessionWorkspace, archive: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(archiveFile(place, 's', archive, name), 'utf8'));
}

describe('phase 1: the archive', () => {
  test('the newest messages stay, and the others are archived byte for byte', async () => {
    const place = testPlace();
    await add(place, 's', ...['a', 'b', 'c', 'd'].map((text) => says('user', text)));
    const { log } = sessionPaths(place.root, 's');
    const before = readFileSync(log, 'utf8');
    const report = await commitSession(place, 's', { keep: 1 }, NO_MODEL);
    expect(report).toMatchObject({ outcome: 'accepted', archive: 'archive_001', archived: 3 });
    expect(
      readFileSync(archiveFile(place, 's', 'archive_001', 'messages.jsonl'), 'utf8') + readFileSync(log, 'utf8'),
    ).toBe(before);
  });

  test('a tool pair stays whole: N + 1 messages are kept', async () => {
    const place = testPlace();
    await add(place, 's', says('user', 'a'), calls('t1'), answers('t1'));
    await commitSession(place, 's', { keep: 1 }, NO_MODEL);
    expect(new ParsedFiles().messages(sessionPaths(place.root, 's').log).map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
    ]);
  });

  test.each([
    [-5, 0],
    [1e9, 10_000],
    [2.7, 2],
    [Number.POSITIVE_INFINITY, 10_000],
  ])('keep %d is clamped to %i with a warning', async (keep, kept) => {
    const place = testPlace();
    await add(place, 's', says('user', 'a'));
    const { keep_recent_count, warnings } = await commitSession(place, 's', { keep }, NO_MODEL);
    expect(keep_recent_count).toBe(kept);
    expect(warnings).toEqual([expect.stringContaining(`${kept} was used`)]);
  });

  test('a commit with nothing to archive succeeds and sets pending to 0', async () => {
    const place = testPlace();
    await add(place, 's', says('user', 'abcd'));
    const kept = await commitSession(place, 's', { keep: 5 }, NO_MODEL);
    expect(kept).toMatchObject({ outcome: 'all_within_keep_window', archive: null });
    expect(kept).toMatchObject({ pending_tokens: 0, keep_recent_count: 5 });
    await commitSession(place, 's', { keep: 0 }, NO_MODEL);
    expect(await commitSession(place, 's', { keep: 0 }, NO_MODEL)).toMatchObject({ outcome: 'no_messages' });
  });

  test('a commit happens at the threshold and not below', async () => {
    const place = testPlace();
    await add(place, 's', says('user', 'abcd'.repeat(10)));
    expect(await commitSession(place, 's', { keep: 0, threshold: 11 }, NO_MODEL)).toMatchObject({
      outcome: 'below_threshold',
      pending_tokens: 10,
    });
    expect(await commitSession(place, 's', { keep: 0, threshold: 10 }, NO_MODEL)).toMatchObject({
      outcome: 'accepted',
    });
  });

  test('an unknown session is an error that names a similar one', async () => {
    const place = testPlace();
    await add(place, 'chat-1', says('user', 'x'));
    await expect(commitSession(place, 'chat-2', { keep: 0 }, NO_MODEL)).rejects.toMatchObject({
      failure: { type: 'not_found', hint: expect.stringContaining('chat-1') },
    });
  });
});

describe('phase 2: the Working Memory', () => {
  test('writes overview, abstract, guard, meta and the completion mark', async () => {
    const place = testPlace();
    await round(place, 'Let us move the cache to Redis');
    expect(overview(place)).toMatch(/^# Working Memory\n\n## Session Title\nLet us move the cache to Redis\n/);
    expect(readFileSync(archiveFile(place, 's', 'archive_001', '.abstract.md'), 'utf8')).toContain('cache to Redis');
    expect(json(place, 'archive_001', 'guard.json')).toMatchObject({ removed: [], lost: [] });
    expect(json(place, 'archive_001', '.done')).toMatchObject({
      message_count: 1,
      overview_by: 'deterministic',
      extraction: { status: 'skipped' },
    });
    expect(readMeta(sessionPaths(place.root, 's'))?.archives).toEqual({ completed: 1, failed: 0, pending: 0 });
  });

  test('an item dropped by an update is listed with operation and reason', async () => {
    const place = testPlace();
    const answers = [
      answerOf({ 'Current State': update('- building'), 'Session Title': update('Cache in Redis') }),
      answerOf({ 'Current State': update('- testing') }),
    ];
    const tools = withModel(new ScriptedModel((_, turn) => answers[turn - 1]));
    await round(place, 'Cache in Redis: building', tools);
    await round(place, 'now testing', tools);
    expect(json(place, 'archive_002', 'guard.json')).toMatchObject({
      based_on: 'archive_001',
      removed: expect.arrayContaining([
        { section: 'Current State', item: 'building', operation: 'UPDATE', reason: expect.any(String) },
      ]),
      lost: [],
    });
  });

  test('the extraction step gets messages and overview, and its failure does not fail the commit', async () => {
    const place = testPlace();
    const seen: unknown[] = [];
    const tools: FinishServices = {
      ...NO_MODEL,
      extract: async ({ archive, messages, overview: text }) => {
        seen.push([archive, textsOf(messages), text.startsWith('# Working Memory')]);
        throw new Error('no types');
      },
    };
    const report = await round(place, 'one', tools);
    expect(seen).toEqual([['archive_001', ['one'], true]]);
    expect(report.finished).toMatchObject([{ state: 'completed' }]);
    expect(json(place, 'archive_001', '.done')).toMatchObject({ extraction: { status: 'failed', reason: 'no types' } });
  });

  test('a transcript longer than the window is read completely, in parts', async () => {
    const place = testPlace();
    const model = new ScriptedModel(() => answerOf({ 'Current State': update('- going on') }), 8_000);
    await add(
      place,
      's',
      ...Array.from({ length: 60 }, (_, i) => says('user', `message ${i} ${'word '.repeat(200)} and it is going on`)),
    );
    const { finished } = await commitSession(place, 's', { keep: 0 }, withModel(model));
    expect(finished).toMatchObject([{ state: 'completed', overview_by: 'model' }]);
    expect(model.prompts.length).toBeGreaterThan(1);
    for (let i = 0; i < 60; i++)
      expect(model.prompts.some((prompt) => prompt.includes(`message ${i} word`))).toBe(true);
  });
});

describe('a fallback never bypasses the guards', () => {
  const facts = answerOf({ 'Key Facts & Decisions': update('- port is 6380\n- owner is Alice') });

  test.each([
    ['an answer cut off', '{"sections":{"Current State":{"op":"UPDATE","content":"recovered"},"Task & Goals":{"op":'],
    [
      'an unknown operation beside a good one',
      answerOf({ 'Current State': update('recovered'), 'Open Issues': { op: 'X' } }),
    ],
    ['an answer with prose around it', `Sure!\n${answerOf({ 'Current State': update('recovered') })}\nDone.`],
  ])('%s: usable parts are used, other sections stay', async (_, answer) => {
    const place = testPlace();
    const tools = withModel(new ScriptedModel((__, turn) => (turn === 1 ? facts : answer)));
    await round(place, 'the port is 6380, and the owner is Alice', tools);
    const { finished } = await round(place, 'all is recovered', tools);
    expect(finished).toMatchObject([{ overview_by: 'model' }]);
    expect(overview(place)).toContain('recovered');
    expect(overview(place)).toContain('- port is 6380\n- owner is Alice');
  });

  test.each([
    ['away', undefined],
    ['talking', 'I cannot help with that.'],
    ['answering nothing usable', '{"sections":{"Current State":{"op":7}}}'],
  ])('with a model that is %s, rules update the old Working Memory', async (_, answer) => {
    const place = testPlace();
    const tools = withModel(new ScriptedModel((__, turn) => (turn === 1 ? facts : answer)));
    await round(place, 'the port is 6380, and the owner is Alice', tools);
    const { finished } = await round(place, 'please paint the walrus', tools);
    expect(finished).toMatchObject([{ state: 'completed', overview_by: 'deterministic', notes: [expect.any(String)] }]);
    expect(overview(place)).toContain('- port is 6380\n- owner is Alice');
    expect(overview(place)).toContain('paint the walrus');
  });

  test('a creation is merged with the old Working Memory, so that a legacy summary is kept', async () => {
    const place = testPlace();
    await round(place, 'one');
    writeFileSync(archiveFile(place, 's', 'archive_001', '.overview.md'), '# Session\n\nWe keep bees in Graz.\n');
    await round(place, 'two', withModel(new ScriptedModel(() => answerOf({ 'Current State': update('ok') }))));
    expect(overview(place)).toContain('We keep bees in Graz.');
  });

  test('the next commit with a model redoes a Working Memory made without one', async () => {
    const place = testPlace();
    await round(place, 'the first one, long ago');
    await round(place, 'the second one');
    const model = new ScriptedModel(() => answerOf({ 'Current State': update('- upgraded') }));
    await round(place, 'the third one', withModel(model));
    expect(model.prompts).toHaveLength(1);
    for (const text of ['the first one, long ago', 'the second one', 'the third one']) {
      expect(model.prompts[0]?.split('<transcript>').at(-1)).toContain(`[user]: ${text}`);
    }
    await round(place, 'the fourth one', withModel(model));
    expect(model.prompts[1]?.split('<transcript>').at(-1)).not.toContain('[user]: the third one');
  });
});

describe('failed, placeholder and waiting archives (W23, W24)', () => {
  test('a placeholder never displaces a good Working Memory', async () => {
    const place = testPlace();
    await round(place, 'Let us keep bees');
    await round(place, 'two');
    const placeholder = '# Session Summary\n\n**Overview**: 3 turns, 9 messages';
    writeFileSync(archiveFile(place, 's', 'archive_002', '.overview.md'), placeholder);
    expect(overview(place)).toContain('Let us keep bees');
    await round(place, 'three');
    expect(json(place, 'archive_003', '.done')).toMatchObject({ based_on: 'archive_001' });
  });

  test('the overview of a failed archive does not count, and a later commit covers its messages', async () => {
    const place = testPlace();
    await round(place, 'Let us keep bees');
    await add(place, 's', says('user', 'remember the ostrich'), says('user', 'x'));
    await commitSession(place, 's', { keep: 0, defer: true }, NO_MODEL);
    const log = archiveFile(place, 's', 'archive_002', 'messages.jsonl');
    const whole = readFileSync(log, 'utf8');
    writeFileSync(log, `${whole.split('\n')[0]}\n`);
    const { finished } = await resumeSession(place, 's', NO_MODEL);
    expect(finished).toMatchObject([{ archive: 'archive_002', state: 'failed', stage: 'archive_read' }]);
    expect(overview(place)).toContain('Let us keep bees');
    writeFileSync(log, whole);
    const model = new ScriptedModel(() => answerOf({ 'Current State': update('covered') }));
    await round(place, 'three', withModel(model));
    expect(model.prompts[0]).toContain('remember the ostrich');
    expect(json(place, 'archive_003', '.done')).toMatchObject({ covered_failed_archives: ['archive_002'] });
  });

  describe('a model that runs out of time', () => {
    const boats = Array.from({ length: 30 }, (_, i) => `b${i}`);
    /** What the answers below repeat. */
    const SHOWN = `read 1 of 1, read 1 of 2, read 2 of 2, at the end, boats ${boats.join(' ')},`;
    const parts = (from: number, length = 40) =>
      Array.from({ length }, (_, i) =>
        says('user', `request ${from + i}: ${SHOWN} ${'look at the harbour '.repeat(50)}`),
      );
    /** Answers this many questions, then the time is over. */
    const stopping = (most: number) => {
      const stop = new AbortController();
      const model = new ScriptedModel((_, turn) => {
        if (turn <= most)
          return answerOf({ 'Key Facts & Decisions': { op: 'APPEND', items: [`read ${turn} of ${most}`] } });
        stop.abort();
        return undefined;
      }, 8_192);
      return { model, tools: { ...withModel(model), limit: stop.signal } };
    };
    const seenBy = (...models: readonly ScriptedModel[]) => {
      const answered = models.flatMap(({ prompts }) => prompts);
      return [
        ...new Set(
          answered.flatMap((text) => [...text.matchAll(/\[user\]: request (\d+):/gu)].map(([, n]) => Number(n))),
        ),
      ];
    };
    const dropLast = ({ prompts }: ScriptedModel) => prompts.pop();
    const all = (count: number) => Array.from({ length: count }, (_, i) => i);

    test('leaves the archive to the rules with a note of its progress, and resume continues there', async () => {
      const place = testPlace();
      await add(place, 's', ...parts(0));
      const first = stopping(2);
      const { finished } = await commitSession(place, 's', { keep: 0 }, first.tools);
      dropLast(first.model);
      const read = seenBy(first.model).length;
      expect(finished).toMatchObject([
        {
          state: 'completed',
          overview_by: 'deterministic',
          notes: [expect.stringContaining(`the model read ${read} of 40 messages in time`)],
        },
      ]);
      expect(overview(place)).toContain('read 2 of 2');
      expect(overview(place)).toContain('request 39');
      const second = stopping(1);
      expect((await resumeSession(place, 's', second.tools)).finished).toMatchObject([
        { overview_by: 'deterministic' },
      ]);
      dropLast(second.model);
      const third = new ScriptedModel(() => answerOf({ 'Current State': update('at the end') }), 8_192);
      expect((await resumeSession(place, 's', withModel(third))).finished).toMatchObject([{ overview_by: 'model' }]);
      expect(seenBy(first.model, second.model, third)).toEqual(all(40));
      // Each message is sent once.
      expect([first.model, second.model, third].map((model) => seenBy(model).length).reduce((a, b) => a + b)).toBe(40);
      expect(overview(place)).toContain('read 2 of 2');
      expect(overview(place)).toContain('at the end');
      expect((await resumeSession(place, 's', withModel(third))).finished).toEqual([]);
    });

    test('is asked a limited number of questions, and the next commits continue', async () => {
      const place = testPlace();
      await add(place, 's', ...parts(0, 120));
      const long = (prompt: string) => {
        const request = /\[user\]: (request \d+):/u.exec(prompt)?.[1];
        return boats.map((boat) => `${request}: boat ${boat}, look at the harbour, look at the boats`);
      };
      const talkative = () =>
        new ScriptedModel((prompt) => {
          const asked = ['Key Facts & Decisions', 'Task & Goals', 'Open Issues'].filter((name) =>
            prompt.includes(name),
          );
          return answerOf(Object.fromEntries(asked.map((name) => [name, { op: 'APPEND', items: long(prompt) }])));
        }, 8_192);
      const first = talkative();
      const { finished } = await commitSession(place, 's', { keep: 0 }, withModel(first));
      const read = seenBy(first).length;
      expect(first.prompts.length).toBeLessThanOrEqual(35);
      expect(read).toBeLessThan(120);
      expect(finished).toMatchObject([
        {
          overview_by: 'deterministic',
          notes: [expect.stringContaining(`read ${read} of 120 messages in 35 questions`)],
        },
      ]);
      const second = new ScriptedModel(() => answerOf({ 'Current State': update('at the end') }), 32_000);
      expect((await resumeSession(place, 's', withModel(second))).finished).toMatchObject([{ overview_by: 'model' }]);
      expect(seenBy(second)).toEqual(all(120).slice(read));
    });

    test('is continued by the next commit before its own messages', async () => {
      const place = testPlace();
      await add(place, 's', ...parts(0));
      const first = stopping(1);
      await commitSession(place, 's', { keep: 0 }, first.tools);
      dropLast(first.model);
      await add(place, 's', ...parts(40));
      const second = stopping(1);
      await commitSession(place, 's', { keep: 0 }, second.tools);
      dropLast(second.model);
      await add(place, 's', says('user', 'request 80: the last one'));
      const third = new ScriptedModel(() => answerOf({ 'Current State': update('at the end') }), 8_192);
      await commitSession(place, 's', { keep: 0 }, withModel(third));
      expect(seenBy(first.model, second.model, third)).toEqual(all(81));
      expect([first.model, second.model, third].map((model) => seenBy(model).length).reduce((a, b) => a + b)).toBe(81);
    });

    test('leaves its work waiting while there is no model', async () => {
      const place = testPlace();
      await add(place, 's', ...parts(0));
      await commitSession(place, 's', { keep: 0 }, stopping(1).tools);
      const before = overview(place);
      expect((await resumeSession(place, 's', NO_MODEL)).finished).toEqual([]);
      expect(overview(place)).toBe(before);
    });

    test('is announced with the number of its questions', async () => {
      const said: string[] = [];
      const place = {
        ...testPlace(),
        onProgress: (done: number, count: number, what: string) => said.push(`${done} of ${count} ${what}`),
      };
      await add(place, 's', ...parts(0));
      const model = new ScriptedModel(() => answerOf({ 'Current State': update('x') }), 8_192);
      await commitSession(place, 's', { keep: 0 }, withModel(model));
      expect(said[0]).toBe(`0 of 40 messages in about ${model.prompts.length} questions`);
    });
  });

  test('resume retries only a failed archive that no later one covers', async () => {
    const place = testPlace();
    await round(place, 'one');
    writeFileSync(archiveFile(place, 's', 'archive_001', '.failed.json'), '{}');
    rmSync(archiveFile(place, 's', 'archive_001', '.done'));
    expect((await resumeSession(place, 's', NO_MODEL)).finished).toMatchObject([{ state: 'completed' }]);
    expect(existsSync(archiveFile(place, 's', 'archive_001', '.failed.json'))).toBe(false);
    expect((await resumeSession(place, 's', NO_MODEL)).finished).toEqual([]);
  });

  test('archives are finished strictly in order, each from the previous one', async () => {
    const place = testPlace();
    for (const text of ['one', 'two', 'three']) {
      await add(place, 's', says('user', text));
      await commitSession(place, 's', { keep: 0, defer: true }, NO_MODEL);
    }
    const { finished } = await resumeSession(place, 's', NO_MODEL);
    expect(finished.map(({ archive }) => archive)).toEqual(['archive_001', 'archive_002', 'archive_003']);
    const based = finished.map(({ archive }) => json(place, archive, '.done').based_on);
    expect(based).toEqual([null, 'archive_001', 'archive_002']);
  });

  test('an interrupted model leaves the archive waiting, not failed', async () => {
    const place = testPlace();
    const stop = new AbortController();
    const model = new ScriptedModel(() => undefined);
    const interrupted = { ...place, signal: stop.signal };
    model.ask = async () => {
      stop.abort();
      return { ok: false, error: { type: 'interrupted', message: 'stopped' } };
    };
    await add(place, 's', says('user', 'one'));
    await expect(commitSession(interrupted, 's', { keep: 0 }, withModel(model))).rejects.toThrow('stopped');
    expect(listArchives(sessionPaths(place.root, 's'))).toMatchObject([{ state: 'pending' }]);
    expect((await resumeSession(place, 's', NO_MODEL)).finished).toMatchObject([{ state: 'completed' }]);
  });
});

describe('a crash between the steps of phase 1', () => {
  test('archive written, log not shortened: resume shortens the log', async () => {
    const place = testPlace();
    const paths = sessionPaths(place.root, 's');
    await add(place, 's', says('user', 'a'), says('user', 'b'), says('user', 'c'));
    const [log, meta] = [readFileSync(paths.log), readFileSync(paths.meta)];
    await commitSession(place, 's', { keep: 1, defer: true }, NO_MODEL);
    writeFileSync(paths.log, log);
    writeFileSync(paths.meta, meta);
    await add(place, 's', says('user', 'd'));
    await resumeSession(place, 's', NO_MODEL);
    expect(textsOf(everything(place, 's'))).toEqual(['a', 'b', 'c', 'd']);
    expect(textsOf(new ParsedFiles().messages(paths.log))).toEqual(['c', 'd']);
    expect(readMeta(paths)).toMatchObject({
      live_count: 2,
      archived_count: 2,
      keep_recent_count: 1,
      pending_tokens: 1,
    });
  });

  test('log shortened, meta not written: the next command reads the real state', async () => {
    const place = testPlace();
    const paths = sessionPaths(place.root, 's');
    await add(place, 's', says('user', 'a'), says('user', 'b'), says('user', 'c'));
    const meta = readFileSync(paths.meta);
    await commitSession(place, 's', { keep: 1, defer: true }, NO_MODEL);
    writeFileSync(paths.meta, meta);
    await round(place, 'd');
    expect(textsOf(everything(place, 's'))).toEqual(['a', 'b', 'c', 'd']);
    expect(listArchives(paths)).toHaveLength(2);
    expect(readMeta(paths)).toMatchObject({ archived_count: 4, live_count: 0, last_archive: 2 });
  });

  test('log shortened, then grown to the size in the old meta: keys of new messages are known', async () => {
    const place = testPlace();
    const paths = sessionPaths(place.root, 's');
    await add(place, 's', says('user', 'a'), says('user', 'b'));
    const meta = readFileSync(paths.meta);
    await commitSession(place, 's', { keep: 1, defer: true }, NO_MODEL);
    const archived = readFileSync(archiveFile(place, 's', 'archive_001', 'messages.jsonl')).length;
    writeFileSync(paths.meta, meta);
    const line = '{"id":"m-c","role":"user","content":"","idempotency_key":["k",0]}';
    appendFileSync(paths.log, `${line.replace('""', JSON.stringify('c'.repeat(archived - line.length - 1)))}\n`);
    expect(statSync(paths.log).size).toBe(JSON.parse(meta.toString()).log_bytes);
    const again = await addMessages(place, 's', { messages: [says('user', 'c')], idempotencyKey: 'k' });
    expect(again).toMatchObject({ duplicates: 1, live_messages: 2 });
    expect(readMeta(paths)).toMatchObject({ live_count: 2, archived_count: 1, last_archive: 1 });
  });

  test('a lost meta file is rebuilt from log and archives', async () => {
    const place = testPlace();
    const paths = sessionPaths(place.root, 's');
    await round(place, 'a');
    await round(place, 'b');
    await add(place, 's', says('user', 'c'));
    const before = readMeta(paths);
    rmSync(paths.meta);
    await resumeSession(place, 's', NO_MODEL);
    expect(readMeta(paths)).toMatchObject({
      live_count: 1,
      archived_count: before?.archived_count,
      archives: before?.archives,
      pending_tokens: before?.pending_tokens,
    });
  });
});

test('recall finds the overview of the last commit, and no longer the one before', async () => {
  const workspace = testWorkspace();
  const place = testPlace(workspace);
  await round(place, 'Where does the walrus sleep?');
  const opened = await workspace.open();
  const found = await opened.recall({ query: 'walrus' });
  expect(found.results[0]).toMatchObject({ kind: 'summary', path: 'sessions/s/history/archive_001/.overview.md' });
  await round(place, 'And the walrus pup?');
  const again = await opened.recall({ query: 'walrus' });
  expect(new Set(again.results.map(({ path }) => path))).toEqual(
    new Set(['sessions/s/history/archive_002/.overview.md']),
  );
});
