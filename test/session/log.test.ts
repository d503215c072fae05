import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMessages } from '../../src/session/add.js';
import { readArchivedMessages } from '../../src/session/archive/archives.js';
import { commitSession } from '../../src/session/commit.js';
import { readMeta, sessionPaths } from '../../src/session/log/meta.js';
import { ParsedFiles, parseLog } from '../../src/session/log/read.js';
import { countMessageTokens } from '../../src/session/message.js';
import { Session, sessionStatus } from '../../src/session/session.js';
import { testWorkspace } from '../support/test-workspace.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import { add, answers, archiveFile, calls, everything, NO_MODEL, says, testPlace, textsOf } from './support.js';

const LINE = '{"id":"m-1","role":"user","content":"hi","timestamp":null}';

describe('a damaged log is read as far as possible', () => {
  test.each([
    ['whole lines', `${LINE}\n${LINE}\n`, 2, [], true],
    ['a last line without its line feed', `${LINE}\n${LINE}`, 2, [], false],
    ['a torn last line', `${LINE}\n${LINE.slice(0, 20)}`, 1, [], false],
    ['a line that is not a message', `${LINE}\nnonsense\n${LINE}\n`, 2, [2], true],
    ['blank lines', `\n${LINE}\n\n`, 1, [], true],
    ['nothing', '', 0, [], true],
  ])('%s', (_, text, messages, unreadable, complete) => {
    const read = parseLog(Buffer.from(text));
    expect(read.entries).toHaveLength(messages);
    expect(read.unreadable).toEqual(unreadable);
    expect(read.completeBytes === read.bytes).toBe(complete);
  });
});

describe('an appender that was killed', () => {
  test('wrote a whole line without meta: the next one counts it', async () => {
    const place = testPlace();
    await add(place, 's', says('user', 'one'));
    appendFileSync(sessionPaths(place.root, 's').log, `${LINE}\n`);
    const { live_messages } = await add(place, 's', says('user', 'three'));
    expect(live_messages).toBe(3);
    expect(textsOf(everything(place, 's'))).toEqual(['one', 'hi', 'three']);
  });

  test('tore its line: the unacknowledged rest is dropped, everything else stays', async () => {
    const place = testPlace();
    await add(place, 's', says('user', 'one'));
    appendFileSync(sessionPaths(place.root, 's').log, LINE.slice(0, 30));
    await add(place, 's', says('user', 'two'));
    expect(textsOf(everything(place, 's'))).toEqual(['one', 'two']);
  });

  test('lost only the line feed: the line counts', async () => {
    const place = testPlace();
    appendFileSync(testLog(place), LINE);
    await add(place, 's', says('user', 'two'));
    expect(textsOf(everything(place, 's'))).toEqual(['hi', 'two']);
  });

  test('had stored the first of two messages under a key: a retry adds the second', async () => {
    const place = testPlace();
    writeFileSync(testLog(place), '{"id":"m-1","role":"user","content":"one","idempotency_key":["turn",0]}\n');
    const messages = [says('user', 'one'), says('assistant', 'two')];
    expect(await addMessages(place, 's', { messages, idempotencyKey: 'turn' })).toMatchObject({ duplicates: 1 });
    expect(textsOf(everything(place, 's'))).toEqual(['one', 'two']);
  });
});

describe('adding', () => {
  test('the same key adds nothing twice, also after a commit', async () => {
    const place = testPlace();
    const request = { messages: [says('user', 'one'), says('assistant', 'two')], idempotencyKey: 'k' };
    await addMessages(place, 's', request);
    await commitSession(place, 's', { keep: 0 }, NO_MODEL);
    expect(await addMessages(place, 's', request)).toMatchObject({ added: [], duplicates: 2 });
    expect(everything(place, 's')).toHaveLength(2);
  });

  test('injected blocks are removed and secrets replaced in texts, tool inputs and tool outputs', async () => {
    const place = testPlace();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const block = '<relevant-memories>old</relevant-memories>';
    const report = await add(
      place,
      's',
      says('user', `${block}mine ${secret}`),
      says('assistant', `${block}yours ${secret}`),
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 't', name: 'bash', input: { env: [{ TOKEN: secret }] } }],
        timestamp: null,
      },
      answers('t', `${block}its ${secret}`),
      says('user', block),
    );
    const stored = JSON.stringify(everything(place, 's'));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain('relevant-memories');
    expect(stored.match(/\[redacted:github-token\]/g)).toHaveLength(4);
    expect(report).toMatchObject({ empty: [4], redacted: Array(4).fill('github-token') });
  });

  test.each(['..', '../x', 'a/b', 'a\\b', '.hidden', '', 'x'.repeat(129), 'a\u0000b', 'end.'])(
    '%j is not a session id',
    async (id) => {
      await expect(add(testPlace(), id, says('user', 'x'))).rejects.toThrow('is not a valid session id');
    },
  );

  test('a session that is a link out of the workspace is refused', async () => {
    const workspace = testWorkspace();
    const elsewhere = new TemporaryWorkspace();
    mkdirSync(workspace.path('sessions'));
    symlinkSync(elsewhere.root, workspace.path('sessions/s'));
    await expect(add(testPlace(workspace), 's', says('user', 'x'))).rejects.toThrow(
      'is a link to a place outside of the workspace',
    );
    elsewhere.dispose();
  });

  test('status is read from the meta file only', async () => {
    const place = testPlace();
    await add(place, 's', says('user', 'abcd'), says('user', 'abcd'));
    truncateSync(sessionPaths(place.root, 's').log, 0);
    expect(sessionStatus(place.root, 's', place.clock.now())).toMatchObject({
      live_messages: 2,
      pending_tokens: 2,
      keep_recent_count: 0,
    });
  });
});

test('pending tokens, updated by offset, equal a full count over any adds and commits', async () => {
  const workspace = testWorkspace();
  const place = testPlace(workspace);
  const step = fc.oneof(
    fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }).map((lengths) => ({ lengths })),
    fc.nat(4).map((keep) => ({ keep })),
  );
  let session = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const id = `s${session++}`;
      let keep = 0;
      await add(place, id, says('user', 'first'));
      for (const one of steps) {
        if ('keep' in one) {
          keep = one.keep;
          const report = await commitSession(place, id, { keep, defer: true }, NO_MODEL);
          expect(report).toMatchObject({ pending_tokens: 0, keep_recent_count: keep });
        } else await add(place, id, ...one.lengths.map((length) => says('user', 'ж'.repeat(length))));
        const live = new ParsedFiles().messages(sessionPaths(place.root, id).log);
        const pending_tokens = live
          .slice(0, Math.max(0, live.length - keep))
          .reduce((sum, one) => sum + countMessageTokens(one), 0);
        const counted = { live_count: live.length, keep_recent_count: keep, pending_tokens };
        expect(readMeta(sessionPaths(place.root, id))).toMatchObject(counted);
      }
    }),
    { numRuns: 25 },
  );
});

test('a tool pair kept whole by a commit is pending as a whole afterwards', async () => {
  const place = testPlace();
  await add(place, 's', says('user', 'x'), calls('t1'), answers('t1', 'y'.repeat(400)));
  const report = await commitSession(place, 's', { keep: 1 }, NO_MODEL);
  expect(report).toMatchObject({ live_messages: 2, pending_tokens: 0, keep_recent_count: 1 });
  const [call, result] = new ParsedFiles().messages(sessionPaths(place.root, 's').log);
  const after = await add(place, 's', says('user', 'z'));
  expect(call !== undefined && result !== undefined && countMessageTokens(call) + countMessageTokens(result)).toBe(
    after.pending_tokens,
  );
});

/** Returns the path of a log in an existing folder. */
function testLog(place: { readonly root: string }): string {
  const { log } = sessionPaths(place.root, 's');
  mkdirSync(dirname(log), { recursive: true });
  return log;
}

test('a session that is read again parses only the files that changed', async () => {
  const place = testPlace();
  await add(place, 's', says('user', 'one'), says('user', 'two'));
  await commitSession(place, 's', { keep: 1 }, NO_MODEL);
  const first = Session.open(place.root, 's');
  const [archive] = first.archives;
  const before = { live: first.live, archived: archive && readArchivedMessages(archive) };
  await add(place, 's', says('user', 'three'));
  const now = first.again();
  const [same] = now.archives;
  expect(same && readArchivedMessages(same)).toBe(before.archived);
  expect(textsOf(now.live)).toEqual(['two', 'three']);
  expect(now.again().live).toBe(now.live);
  const file = archiveFile(place, 's', 'archive_001', 'messages.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'ONE'));
  expect(textsOf(now.again().archives.flatMap(readArchivedMessages))).toEqual(['ONE']);
});
