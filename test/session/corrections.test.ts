import { expect, test } from 'vitest';
import { EMPTY_LEDGER, type MemoryLedger } from '../../src/session/memory/ledger/ledger.js';
import { mergeMessagesByRules } from '../../src/session/memory/rules.js';
import type { SessionMessage } from '../../src/session/message.js';
import { cases } from '../support/cases.js';
import { says } from './support.js';

const SERVICES = ['orders', 'billing', 'search', 'gateway', 'reports', 'mail', 'quota', 'pricing'];
const CHINESE = ['订单', '支付', '搜索', '网关', '报表', '邮件', '配额', '定价'];
const NOISE = ['please look at the failing test', 'run the linter again', '我看一下日志', 'thanks, looks good'];

interface Corrected {
  readonly first: (value: string) => string;
  readonly later: readonly ((value: string) => string)[];
  readonly value: (n: number) => string;
}

const FACTS: readonly Corrected[] = SERVICES.flatMap((service, i) => [
  {
    value: (n) => String(3_000 + n),
    first: (v) => `The ${service} port is ${v}.`,
    later: [(v) => `Correction: ${service} runs on port ${v}.`, (v) => `We moved the ${service} port to ${v}.`],
  },
  {
    value: (n) => `hz-${5_000 + n}`,
    first: (v) => `The ${service} host is ${v}.`,
    later: [(v) => `${service} host changed to ${v}.`, (v) => `the host of ${service} moved to ${v}`],
  },
  {
    value: (n) => String(7_000 + n),
    first: (v) => `${CHINESE[i]}服务的端口是${v}`,
    later: [(v) => `把${CHINESE[i]}服务的端口换成${v}`, (v) => `${CHINESE[i]}服务端口现在是${v}`],
  },
]);

test('repeatedly corrected facts show the current value before earlier ones, and name every removed one', () => {
  let document: string | null = null;
  let ledger: MemoryLedger = EMPTY_LEDGER;
  let said = 0;
  const current = new Map<Corrected, string>();
  const outdated = new Map<string, string>();
  const removed: string[] = [];
  const round = (): readonly SessionMessage[] =>
    NOISE.flatMap((noise, i) => {
      const fact = FACTS[said % FACTS.length];
      if (fact === undefined || i > 1) return [says('user', noise), says('assistant', 'Done.')];
      const before = current.get(fact);
      const value = fact.value(said);
      const say = before === undefined ? fact.first : fact.later[Math.floor(said / FACTS.length) % 2];
      if (before !== undefined) outdated.set(before, value);
      current.set(fact, value);
      said++;
      return [says('user', say?.(value) ?? ''), says('assistant', 'Done.')];
    }).map((draft, i) => ({ ...draft, id: `m-${said}-${i}` }));
  for (let commit = 1; commit <= cases(60, 20); commit++) {
    const step = mergeMessagesByRules(document, ledger, round());
    document = step.merge.document;
    ledger = step.ledger;
    expect(step.merge.lost).toEqual([]);
    removed.push(...Object.values(step.merge.sections).flatMap((section) => section.removed.map(({ item }) => item)));
    if (commit % 10 > 0) continue;
    const missing = [...current.values()].filter((value) => document?.includes(value) !== true);
    expect(missing).toEqual([]);
    const place = (value: string) => document?.indexOf(value) ?? -1;
    const before = [...outdated].filter(([old, value]) => place(old) >= 0 && place(old) < place(value));
    expect(before).toEqual([]);
    const lost = [...outdated.keys()].filter((old) => place(old) < 0 && !removed.some((item) => item.includes(old)));
    expect(lost).toEqual([]);
  }
});

test('beyond the limit the newest facts are shown and the oldest are named as removed', () => {
  const old = mergeMessagesByRules(null, EMPTY_LEDGER, [{ ...says('user', 'Never deploy on Fridays.'), id: 'm-0' }]);
  const messages = Array.from({ length: 1_000 }, (_, i) => ({
    ...says('user', `Remember: code ${i} is for door number-${i}.`),
    id: `m-${i}`,
  }));
  const { merge } = mergeMessagesByRules(old.merge.document, old.ledger, messages);
  expect(merge.document).toContain('code 999');
  expect(merge.sections['Key Facts & Decisions'].removed[0]).toEqual({
    item: 'Never deploy on Fridays.',
    reason: 'the section is full: the oldest goes first',
  });
  expect(merge.lost).toEqual([]);
});
