import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deterministicOperations } from '../../src/session/memory/rules.js';
import type { MessageDraft, SessionMessage } from '../../src/session/message.js';
import { parseDocument } from '../../src/wm/document.js';
import { contentItems } from '../../src/wm/items.js';
import { mergeWorkingMemory } from '../../src/wm/merge.js';
import type { SectionName } from '../../src/wm/sections.js';
import { answers, calls, says } from './support.js';

function log(...drafts: readonly MessageDraft[]): readonly SessionMessage[] {
  return drafts.map((draft, index) => ({ ...draft, id: `m-${index}` }));
}

/** The items of a section after the messages, one after the other document. */
function section(name: SectionName, ...drafts: readonly MessageDraft[]): readonly string[] {
  return contentItems(parseDocument(merged(null, log(...drafts))).bodies[name]);
}

function merged(old: string | null, messages: readonly SessionMessage[]): string {
  return mergeWorkingMemory(old, deterministicOperations(old, messages)).document;
}

describe('a Working Memory without a model', () => {
  test('its title is the first request, in ten words', () => {
    const request = says('user', '# Move the cache of the shop to Redis before the sale begins, please.\nIt is slow.');
    expect(section('Session Title', request)).toEqual(['Move the cache of the shop to Redis before the']);
  });

  test('a title that is there stays', () => {
    const first = merged(null, log(says('user', 'Move the cache to Redis')));
    expect(merged(first, log(says('user', 'Paint the bike shed')))).toContain(
      '## Session Title\nMove the cache to Redis\n',
    );
  });

  test('its state is the last request and the last answer', () => {
    const messages = [says('user', 'first'), says('assistant', 'done'), says('user', 'second'), calls('t1')];
    expect(section('Current State', ...messages)).toEqual(['Last request: second', 'Last answer: done']);
  });

  test('typed bullets of anybody and decisions of the user are facts; questions are none', () => {
    const messages = [
      says('user', 'We decided to use port 6380.\nShould we always use it?\nhello'),
      says('assistant', 'Noted:\n- W @Redis: runs on port 6380\nI always say hello.'),
      answers('t1', '- W @Tool: printed this'),
      says('user', '我们决定改用 Redis'),
    ];
    expect(section('Key Facts & Decisions', ...messages)).toEqual([
      'We decided to use port 6380.',
      'W @Redis: runs on port 6380',
      '我们决定改用 Redis',
    ]);
  });

  test('files that anybody named and commands that were run', () => {
    const items = section(
      'Files & Context',
      says('user', 'see src/cache.ts'),
      calls('t1'),
      answers('t1', 'lib/a.go:12: bad'),
    );
    expect(items).toEqual(['`src/cache.ts`', '`lib/a.go`', 'ran `npm test`']);
  });

  test('errors that tools reported, and corrections by the user', () => {
    const messages = [
      answers('t1', 'ok\nTypeError: x is not a function\nat y'),
      says('user', 'No, use the other one.'),
    ];
    expect(section('Errors & Corrections', ...messages)).toEqual([
      'TypeError: x is not a function',
      'User: No, use the other one.',
    ]);
  });

  test('questions that nobody answered, and what was left open', () => {
    const messages = [
      says('user', 'Is it fast?'),
      says('assistant', 'Yes.\nTODO: measure it under load'),
      says('user', 'Who rotates the keys?'),
    ];
    expect(section('Open Issues', ...messages)).toEqual(['Who rotates the keys?', 'TODO: measure it under load']);
  });

  test('what is there already is not said twice', () => {
    const messages = log(says('user', 'We decided to use port 6380 in src/a.ts.'), answers('t', 'Error: no'));
    const once = merged(null, messages);
    expect(merged(once, messages)).toBe(once);
  });

  test('a section that has reached its size takes no more; the state goes on', () => {
    let document: string | null = null;
    for (let i = 0; i < 40; i++) document = merged(document, log(says('user', `We must always keep rule number ${i}`)));
    const { bodies } = parseDocument(document);
    expect(contentItems(bodies['Key Facts & Decisions']).length).toBeLessThanOrEqual(25);
    expect(bodies['Current State']).toContain('rule number 39');
  });

  test('whatever is said, it is a Working Memory that loses nothing of the old one', () => {
    const said = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('## Open Issues', '```', '- W', '<!--', '# x\n---'),
    );
    const draft = fc.tuple(fc.constantFrom('user' as const, 'assistant' as const), fc.array(said, { maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 6 }), fc.array(draft, { maxLength: 6 }), (before, after) => {
        const messages = (list: typeof before) => log(...list.map(([role, lines]) => says(role, lines.join('\n'))));
        const old = merged(null, messages(before));
        const merge = mergeWorkingMemory(old, deterministicOperations(old, messages(after)));
        expect(merge.lost).toEqual([]);
        expect(merge.document).toMatch(/^# Working Memory\n/);
      }),
      { numRuns: 150 },
    );
  });

  test('megabytes of output and of one line take no time', () => {
    const long = log(
      answers('t1', 'a/'.repeat(2_000_000)),
      says('user', `${'x'.repeat(2_000_000)}?`),
      answers('t2', '\n'.repeat(2_000_000)),
    );
    const start = performance.now();
    deterministicOperations(null, long);
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});
