import { describe, expect, test } from 'vitest';
import { messageProse } from '../../src/session/log/prose.js';
import { EMPTY_LEDGER } from '../../src/session/memory/ledger/ledger.js';
import { mergeMessagesByRules } from '../../src/session/memory/rules.js';
import type { MessageDraft } from '../../src/session/message.js';
import type { SectionName } from '../../src/wm/document.js';
import { contentItems, parseDocument } from '../../src/wm/document.js';
import { says } from './support.js';

function section(name: SectionName, ...drafts: readonly MessageDraft[]): readonly string[] {
  const messages = drafts.map((draft, at) => ({ ...draft, id: `m-${at}` }));
  return contentItems(parseDocument(mergeMessagesByRules(null, EMPTY_LEDGER, messages).merge.document).bodies[name]);
}

describe('the prose of a message', () => {
  test.each([
    ['TypeError: x is not a function\n    at f (/srv/a.js:12:5)\n    at g (/srv/b.js:1:2)\nplease fix', 'please fix'],
    ['I get this, please fix it:\n\n$ npm test\n> x@1.0.0 test\nFAIL a.test.ts', 'I get this, please fix it:'],
    ['  12 -  const port = 80;\n  12 +  const port = 8080;\n  13    listen(port);', ''],
    ['@@ -1,2 +1,2 @@\n-We always use port 80.\n+We always use port 8080.', ''],
    ['see the table\n\n| port | must be |\n|---|---|\n| 80 | 8080 |', 'see the table'],
    ['╭──────────╮\n│ Decided: use Redis │\n╰──────────╯', ''],
    ['2026-01-05T10:00:00Z INFO we must use port 80\n2026-01-05T10:00:01Z INFO done', ''],
    ['/srv/app/src/index.ts', ''],
    ['Run ```npm test``` first, please', 'Run ```npm test``` first, please'],
    ['No, do not use pnpm. npm only.', 'No, do not use pnpm. npm only.'],
    ['do this:\n- first\n- second', 'do this:\n- first\n- second'],
    ['Why?\n\nBecause we must keep it on port 80 here.', 'Why?\n\nBecause we must keep it on port 80 here.'],
    [
      `Take this review:\n\n${'1. The **cache** must never be read — see src/cache.ts:12.\n'.repeat(9)}\nWe always keep the lock.`,
      'Take this review:\n\nWe always keep the lock.',
    ],
    ['Implement the following plan:\n\n# Plan: A\n\n## Context\n\nNever do B.', 'Implement the following plan:'],
  ])('%s', (text, prose) => {
    expect(messageProse(text).trim()).toBe(prose);
  });

  test('is found quickly in long hostile texts', () => {
    for (const text of [
      'a'.repeat(400_000),
      'a '.repeat(200_000),
      '/a'.repeat(200_000),
      '# '.repeat(200_000),
      '-\n'.repeat(200_000),
      'a ```b\n'.repeat(100_000),
    ]) {
      const start = process.cpuUsage();
      messageProse(text);
      expect(process.cpuUsage(start).user).toBeLessThan(1_500_000);
    }
  });
});

describe('the Working Memory takes from a message', () => {
  test('no fact or title from pasted text', () => {
    const message = says(
      'user',
      'Error: we must always use port 80\n    at decide (/srv/a.js:1:1)\n    at never (/srv/b.js:2:2)\nplease find out where it comes from',
    );
    expect(section('Key Facts & Decisions', message)).toEqual([]);
    expect(section('Session Title', message)).toEqual(['please find out where it comes from']);
    const asked = 'please find out where it comes from';
    expect(section('Current State', message)).toEqual([`Last request: ${asked}`]);
    expect(section('Task & Goals', message)).toEqual([asked]);
  });

  test('the title of a given plan', () => {
    const plan = says(
      'user',
      'Implement the following plan:\n\n# Plan: Move the cache\n\n## Steps\n\n1. Never use pnpm.',
    );
    expect(section('Session Title', plan)).toEqual(['Plan: Move the cache']);
    expect(section('Key Facts & Decisions', plan)).toEqual([]);
  });

  test('no line below a notice of the host, and the request before a short message', () => {
    const notice =
      '<task-notification>\n<status>completed</status>\n</task-notification>\nRead the output file to retrieve the result: /tmp/x.output';
    const messages = [says('user', 'please move the cache to Redis'), says('user', 'commit'), says('user', notice)];
    expect(section('Current State', ...messages)).toEqual([
      'Last request: commit',
      'Before that: please move the cache to Redis',
    ]);
  });

  test('the words of a person who refused a call or chose in a form', () => {
    const result = (output: string): MessageDraft => ({
      role: 'user',
      parts: [{ type: 'tool_result', id: 'x', name: 'Bash', output, status: 'error' }],
      timestamp: null,
    });
    const refused = result(
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNever push to main.\n\nNote: The user's next message may contain a correction.",
    );
    const clarified = result(
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n  Questions asked: never?",
    );
    expect(section('Current State', clarified)).toEqual([]);
    const chosen = result('User has answered your questions: "Which store?"="Postgres". You can now continue.');
    expect(section('Key Facts & Decisions', refused, chosen)).toEqual([
      'Which store? – Postgres',
      'Never push to main.',
    ]);
    const shown = result(
      'Your questions have been answered: "Which frame?"="A wide one" selected preview:\n│ a "b" │, "Where?"="All of it" user notes: all of it. Go on.',
    );
    expect(section('Key Facts & Decisions', shown)).toEqual(['Where? – All of it', 'Which frame? – A wide one']);
    const apart = result(
      'User answered: "At what scope?"="Global". "What of `place`?"="Remove it". You can now go on.',
    );
    expect(section('Key Facts & Decisions', apart)).toEqual([
      'What of `place`? – Remove it',
      'At what scope? – Global',
    ]);
    const several = result(
      'Answered: "How is it stored?"="You decide", "Who sees it?"="All of us", "How is it shown?"="You decide", "Is it new?"="Yes", "Is it ours?"="Yes", "In which format?"="what speaks for each? I know none". Go on.',
    );
    expect(section('Key Facts & Decisions', several)).toEqual([
      'Is it ours? – Yes',
      'Is it new? – Yes',
      'How is it shown? – You decide',
      'Who sees it? – All of us',
      'How is it stored? – You decide',
    ]);
  });

  test('no decision from "go on" or an unclear choice, but from a clear one', () => {
    const facts = (asked: string, said: string) =>
      section('Key Facts & Decisions', says('assistant', asked), says('user', said));
    expect(facts('Want me to go on with step 2, or stop here?', 'go on with step 2')).toEqual([]);
    expect(facts('I have two ways. What do you think?', 'let us try 4 and 1 first')).toEqual([]);
    expect(facts('Which file names the store, a.db or b.db?', 'take b.db')).toHaveLength(1);
  });
});
