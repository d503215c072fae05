import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildSessionContext, type ContextMessage, type SessionContext } from '../../src/session/context.js';
import { formatMessage, type MessagePart, type SessionMessage } from '../../src/session/message.js';
import { estimateTokens } from '../../src/text/tokens.js';
import { mergeWorkingMemory } from '../../src/wm/merge.js';
import { readOperations } from '../../src/wm/operations.js';
import { testWorkspace } from '../support/test-workspace.js';
import { calls } from './support.js';

const BUDGETS = [1_000, 4_000, 8_000, 32_000, 64_000, 200_000];
const IMAGE = Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * 7_919) % 251)).toString('base64');

const FILES = Array.from({ length: 107 }, (_, i) => `\`src/part-${i}/file-${i}.ts\` changed 2×, last edited`);
const ERRORS = Array.from({ length: 15 }, (_, i) => `\`make part-${i}\`: error TS2305: no export ${i}`);

/** One turn of a conversation, described by numbers. */
interface Turn {
  readonly said: number;
  readonly kind: 'words' | 'chinese' | 'calls' | 'image' | 'unanswered';
  readonly output: number;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  said: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 400 }) }, fc.constant(20_000)),
  kind: fc.constantFrom('words', 'chinese', 'calls', 'image', 'unanswered'),
  output: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 3_000 }) }, fc.constant(240_000)),
});

function messagesOf(turns: readonly Turn[]): readonly SessionMessage[] {
  let count = 0;
  const of = (role: SessionMessage['role'], ...parts: MessagePart[]): SessionMessage => ({
    id: `m-${count++}`,
    role,
    parts,
    timestamp: null,
  });
  return turns.flatMap(({ said, kind, output }, i) => {
    const text = `Request ${i}: ${(kind === 'chinese' ? '我们把端口改成' : 'please look at it ').repeat(said)}`;
    const ask = () => of('user', { type: 'text', text });
    if (kind === 'words' || kind === 'chinese')
      return [ask(), of('assistant', { type: 'text', text: `Done with ${i}.` })];
    if (kind === 'image') {
      const value = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } };
      return [of('user', { type: 'other', value }, { type: 'text', text })];
    }
    const call: MessagePart = { type: 'tool_call', id: `t-${i}`, name: 'exec', input: { command: `make ${i}` } };
    const result: MessagePart = {
      type: 'tool_result',
      id: `t-${i}`,
      name: 'exec',
      output: 'line of output\n'.repeat(output / 15),
      status: 'completed',
    };
    const answer = kind === 'calls' ? [of('assistant', { type: 'text', text: `Made ${i}.` })] : [];
    return [ask(), of('assistant', call), of('tool', result), ...answer];
  });
}

/** Writes a session with some messages in a finished archive and the rest live. */
function session(messages: readonly SessionMessage[], archived: number, core: string): string {
  const { root } = testWorkspace(core === '' ? {} : { 'MEMORY.md': core });
  const folder = join(root, 'sessions', 's');
  const archive = join(folder, 'history', 'archive_001');
  mkdirSync(archive, { recursive: true });
  const log = (some: readonly SessionMessage[]) => some.map(formatMessage).join('');
  writeFileSync(join(folder, 'messages.jsonl'), log(messages.slice(archived)));
  writeFileSync(join(folder, '.meta.json'), JSON.stringify({ live_count: messages.length - archived }));
  if (archived > 0) {
    const sections = {
      'Session Title': { op: 'UPDATE', content: 'A long session' },
      'Files & Context': { op: 'APPEND', items: FILES },
      'Errors & Corrections': { op: 'APPEND', items: ERRORS },
      'Key Facts & Decisions': {
        op: 'APPEND',
        items: Array.from({ length: 300 }, (_, i) => `fact ${i} of the session`),
      },
    };
    const operations = readOperations({ sections });
    if (!operations.ok) throw new Error(operations.error.message);
    writeFileSync(join(archive, 'messages.jsonl'), log(messages.slice(0, archived)));
    writeFileSync(join(archive, '.overview.md'), mergeWorkingMemory(null, operations.value).document);
    writeFileSync(join(archive, '.done'), '{}');
  }
  return root;
}

function tokensOf({ content, parts = [] }: ContextMessage): number {
  const counted = parts.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'tool_call') return part.id + part.name + JSON.stringify(part.input);
    return part.type === 'tool_result' ? part.output : '';
  });
  return estimateTokens((content ?? '') + counted.join(''));
}

function printedTokens({ instruction, system_prompt_addition, messages }: SessionContext): number {
  const said = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  return estimateTokens(instruction) + estimateTokens(system_prompt_addition) + said;
}

test('a context never exceeds its budget, has the last request and complete pairs, and no base64', () => {
  const archivedShare = fc.constantFrom(0, 0.5, 1);
  const core = fc.constantFrom('', '# Memory\n- be brief\n', `# Memory\n${'- a line of the core\n'.repeat(1_500)}`);
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 40 }), archivedShare, core, (turns, share, text) => {
      const messages = messagesOf(turns);
      const root = session(messages, Math.floor(messages.length * share), text);
      for (const budget of BUDGETS) {
        const context = buildSessionContext(root, 's', budget);
        const room = context.budget.total - context.budget.reserve;
        expect(context.tokens).toBeLessThanOrEqual(room);
        expect(printedTokens(context)).toBeLessThanOrEqual(room);
        const printed = JSON.stringify(context.messages);
        expect(printed).toContain(`Request ${turns.length - 1}:`.slice(0, budget < 2_000 ? 8 : undefined));
        expect(printed).not.toContain(IMAGE.slice(100, 300));
        expectPairs(context.messages);
      }
    }),
    { numRuns: 12 },
  );
});

function expectPairs(messages: readonly ContextMessage[]): void {
  const parts = messages.flatMap((message) => message.parts ?? []);
  const called = parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  const answered = parts.flatMap((part) => (part.type === 'tool_result' ? [part.id] : []));
  expect(answered.toSorted()).toEqual(called.toSorted());
}

describe('the budget is used', () => {
  test.each(BUDGETS)('at least nine tenths of %i tokens are used if the session has as much', (budget) => {
    const turns = Array.from(
      { length: 400 },
      (_, i): Turn => ({
        said: 60 + (i % 50),
        kind: i % 3 === 0 ? 'calls' : 'words',
        output: 4_000,
      }),
    );
    const messages = messagesOf(turns);
    for (const archived of [0, messages.length - 10, messages.length]) {
      const context = buildSessionContext(session(messages, archived, '# Memory\n- be brief\n'), 's', budget);
      const room = context.budget.total - context.budget.reserve;
      const all = messages.reduce((sum, { parts }) => sum + tokensOf({ role: 'user', parts }), 0);
      expect(printedTokens(context)).toBeGreaterThan(0.9 * Math.min(room, all / 2));
    }
  });

  test('the newest message may be a tool result of any size', () => {
    const messages = messagesOf([
      { said: 3, kind: 'words', output: 0 },
      { said: 3, kind: 'unanswered', output: 240_000 },
    ]);
    for (const budget of [8_000, 32_000]) {
      const context = buildSessionContext(session(messages, 0, ''), 's', budget);
      expect(context.messages).toHaveLength(messages.length);
      expect(printedTokens(context)).toBeGreaterThan(0.9 * (budget - context.budget.reserve));
      expect(JSON.stringify(context.messages)).toContain('left out for lack of room');
    }
  });
});

test('every archived text of a user is included with its archive, in order, if all take less than half', () => {
  const turns = Array.from(
    { length: 60 },
    (_, i): Turn => ({ said: 20, kind: i % 2 ? 'calls' : 'words', output: 30_000 }),
  );
  const messages = messagesOf(turns);
  const context = buildSessionContext(session(messages, messages.length - 10, ''), 's', 64_000);
  const asked = context.messages.flatMap(({ content }) => /^Request (\d+):/.exec(content ?? '')?.[1] ?? []);
  expect(asked.map(Number)).toEqual(turns.map((_, i) => i));
  const archived = context.messages.filter(({ archive }) => archive === 'archive_001');
  expect(archived.length).toBeGreaterThan(55);
  expect(context.messages.findLastIndex(({ archive }) => archive !== undefined)).toBe(archived.length);
});

test('after a compaction the last messages come from the archive, with unanswered tool calls', () => {
  const messages = messagesOf([
    { said: 2, kind: 'words', output: 0 },
    { said: 9_000, kind: 'unanswered', output: 60_000 },
  ]);
  const context = buildSessionContext(session(messages, messages.length, ''), 's', 8_000);
  const [asked, call, result] = context.messages.slice(-3);
  expect(asked).toMatchObject({ role: 'user', archive: 'archive_001' });
  expect(asked?.content).toContain('Request 1');
  expect(call?.parts?.[0]).toMatchObject({ type: 'tool_call', id: 't-1' });
  expect(result?.parts?.[0]).toMatchObject({ type: 'tool_result', id: 't-1' });
});

test('the core is shortened before the Working Memory, and each shortening is reported', () => {
  const messages = messagesOf(Array.from({ length: 20 }, (): Turn => ({ said: 400, kind: 'words', output: 0 })));
  const context = buildSessionContext(session(messages, 39, `# Memory\n${'- a line\n'.repeat(4_000)}`), 's', 8_000);
  expect(context.warnings).toEqual([expect.stringContaining('core file was shortened')]);
  expect(context.instruction).toContain('left out for lack of room');
  expect(context.latest_archive_overview).not.toBeNull();
});

test('an image is shown as kind, size and place, even inside a tool result', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } };
  const call = { ...calls('t'), id: 'm-1' };
  const messages: readonly SessionMessage[] = [
    {
      id: 'm-0',
      role: 'user',
      timestamp: null,
      parts: [
        { type: 'other', value: image },
        { type: 'text', text: 'see' },
      ],
    },
    call,
    {
      id: 'm-2',
      role: 'tool',
      timestamp: null,
      parts: [{ type: 'tool_result', id: 't', name: 'shot', output: JSON.stringify(image), status: 'completed' }],
    },
  ];
  const context = buildSessionContext(session(messages, 0, ''), 's', 8_000);
  const printed = JSON.stringify(context);
  expect(printed).toContain('[image/png, 29 KB, left out; the original: message m-0 in sessions/s/messages.jsonl]');
  expect(printed.length).toBeLessThan(2_500);
});

test('one long output leaves room for open errors and recent files; with enough room it is complete', () => {
  const asked = { said: 3, kind: 'words', output: 0 } as const;
  const listed = { said: 3, kind: 'unanswered', output: 60_000 } as const;
  const messages = messagesOf([...Array.from({ length: 20 }, () => asked), listed]);
  const root = session(messages, 40, '');
  const outputOf = ({ messages: shown }: SessionContext): string =>
    shown
      .flatMap(({ parts = [] }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.output] : [])))
      .join();
  const small = buildSessionContext(root, 's', 8_000);
  for (const item of [...ERRORS, ...FILES.slice(0, 12)]) expect(small.latest_archive_overview).toContain(item);
  expect(small.tokens).toBeLessThanOrEqual(6_800);
  const large = buildSessionContext(root, 's', 200_000);
  for (const item of [...ERRORS, ...FILES]) expect(large.latest_archive_overview).toContain(item);
  expect(outputOf(large)).toHaveLength(60_000);
});
