import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/tokens.js';
import { isWorkingMemory, parseDocument } from '../../src/wm/document.js';
import { recoverOperations } from '../../src/wm/operations.js';
import { effort } from '../support/growth.js';
import { append, documentOf, KEEP_ALL, merge, mergeOne, update } from './support.js';

const FACTS = 'Key Facts & Decisions';
const FILES = 'Files & Context';
const ERRORS = 'Errors & Corrections';
const ISSUES = 'Open Issues';
const NAMES = ['Aaron', 'Beatrice', 'Camila', 'Dmitri', 'Eleanor', 'Fabian', 'Gustav', 'Hannah', 'Ingrid', 'Jerome'];

// Weaknesses of the reference (wm-v2 facts, section 13), with our behaviour. W23 and W24 concern archives.
describe('where the reference loses information', () => {
  test('W1: a heading in new facts is demoted, so the facts below it survive the next round', () => {
    const facts = NAMES.map((name) => `- ${name} owns a service`).join('\n');
    const first = mergeOne(FACTS, facts, update(`## People\n${facts}`));
    expect(first.document).toContain('### People');
    const second = merge(first.document, KEEP_ALL);
    for (const name of NAMES) expect(second.document).toContain(`- ${name} owns a service`);
    expect(second.document).toBe(first.document);
  });

  test('W2: a heading inside an appended item cannot open a section', () => {
    const old = documentOf({ [FACTS]: '- Redis listens on 6380', [ISSUES]: '- rotate keys' });
    const first = merge(old, { [ISSUES]: append('check log\n## Key Facts & Decisions\n- nothing known') });
    expect(parseDocument(first.document).bodies[FACTS]).toBe('- Redis listens on 6380');
    expect(first.sections[ISSUES].appended).toHaveLength(1);
    expect(merge(first.document, KEEP_ALL).document).toBe(first.document);
  });

  test.each([
    'About billing.\n\n### Session Title\nBilling\n- Marta owns it\n',
    'We talked about the "## Open Issues" heading and Marta.',
    '**Overview**: talked about billing with Marta',
  ])('W3: an older summary is not a Working Memory, and seven KEEPs keep its text: %j', (legacy) => {
    expect(isWorkingMemory(legacy)).toBe(false);
    const merged = merge(legacy, KEEP_ALL);
    expect(merged.document).toContain('Marta');
    expect(merged.lost).toEqual([]);
  });

  test('W4: Chinese facts have anchors: three empty phrases cannot replace twenty facts', () => {
    const people = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许'];
    const facts = people.map((name, index) => `- ${name}工负责第${index}号网关的灰度发布`).join('\n');
    const merged = mergeOne(FACTS, facts, update('- 情况正常\n- 一切顺利\n- 见归档'));
    expect(merged.sections[FACTS].decision).toBe('APPEND');
    for (const name of people) expect(merged.document).toContain(`${name}工负责`);
  });

  test('W5: a Chinese title is protected, and a similar one is accepted', () => {
    const decide = (old: string, content: string) =>
      mergeOne('Session Title', old, update(content)).sections['Session Title'].decision;
    expect(decide('支付网关迁移方案', '周末菜谱整理')).toBe('KEEP');
    expect(decide('支付网关迁移方案', '')).toBe('KEEP');
    expect(decide('支付网关迁移方案', '周末菜谱方案')).toBe('KEEP');
    expect(decide('OpenViking 会话压缩', '会话压缩与归档')).toBe('UPDATE');
  });

  test('W6: ports, counts, versions and lower-case names are anchors', () => {
    const facts = '- redis listens on port 6380\n- retry limit is 7\n- deployed version is v2.3.1\n- reviewer is Alice';
    const merged = mergeOne(FACTS, facts, update('- Alice'));
    expect(merged.sections[FACTS].decision).toBe('APPEND');
    expect(merged.document).toContain(facts);
    const lowerCase = ['redis', 'kafka', 'nginx', 'etcd', 'pnpm', 'vitest', 'zookeeper', 'minio', 'vault', 'consul'];
    const six = lowerCase.slice(0, 6).map((name) => `- ${name} is used`);
    const all = lowerCase.map((name) => `- ${name} is used`).join('\n');
    expect(mergeOne(FACTS, all, update(six.join('\n'))).sections[FACTS].decision).toBe('KEEP');
  });

  test('W7: lists of names and dates do not replace statements', () => {
    const facts = NAMES.map((name, index) => `- ${name} joined on 2026-01-${10 + index}`);
    const dates = NAMES.slice(0, 5).map((_, index) => `2026-01-${10 + index}`);
    const merged = mergeOne(FACTS, facts.join('\n'), update(`- ${NAMES.join(', ')}\n- ${dates.join(', ')}`));
    expect(merged.sections[FACTS].decision).toBe('APPEND');
    expect(merged.document).toContain(facts.join('\n'));
  });

  test.each([
    ['- Do not use Redis', '- Use Redis'],
    ['- 不要使用缓存', '- 使用缓存'],
    ['- 不要在周五部署\n- 王芳负责 Kafka 集群', '- 在周五部署\n- 王芳负责 Kafka 集群'],
    ['- use redis\n- port is 6380', '- never use redis\n- port is 6380'],
    [
      `${NAMES.map((name) => `- ${name} joined`).join('\n')}\n- Never deploy on Friday`,
      `${NAMES.map((name) => `- ${name} joined`).join('\n')}\n- Deploy on Friday`,
    ],
  ])('W8: dropping a negation is not a consolidation: %j', (facts, flipped) => {
    const merged = mergeOne(FACTS, facts, update(flipped));
    expect(merged.sections[FACTS].decision).toBe('APPEND');
    expect(merged.document).toContain(facts);
  });

  test('W9: the template’s description is neither an issue nor a title', () => {
    const issues = mergeOne(ISSUES, '_未解决问题、阻塞项、后续风险_\n- rotate keys', update('- rotate keys'));
    expect(issues.sections[ISSUES].restored).toEqual([]);
    expect(issues.sections[ISSUES].removed).toHaveLength(1);
    const title = mergeOne(
      'Session Title',
      '_简短独特的 5-10 词标题,信息密集_\nBilling migration',
      update('Banana 标题'),
    );
    expect(title.sections['Session Title'].decision).toBe('KEEP');
  });

  test.each([
    ['- [new] rotate keys', '- [resolved] rotate keys'],
    ['- [ ] rotate keys', '- [x] rotate keys'],
    ['- rotate keys', '- rotate keys — done'],
    ['- rotate keys', '- ✅ rotate keys'],
    ['- rotate keys', '- ~~rotate keys~~'],
    ['- 轮换密钥', '- 【已解决】轮换密钥'],
    ['- [resolved] rotate keys\n- pay the invoice', '- pay the invoice'],
    ['- [x] rotate keys\n- pay the invoice', '- pay the invoice'],
  ])('W10: a status does not count as text, and a resolved issue may be removed: %j → %j', (old, content) => {
    const merged = mergeOne(ISSUES, old, update(content));
    expect(merged.sections[ISSUES].decision).toBe('UPDATE');
    expect(merged.sections[ISSUES].restored).toEqual([]);
  });

  test('W11: issues are compared in full, not by a prefix or as a substring', () => {
    const eu = 'Investigate the slow settlement of the payments service (EU)';
    const us = 'Investigate the slow settlement of the payments service (US)';
    expect(mergeOne(ISSUES, `- ${eu}\n- ${us}`, update(`- ${eu}`)).sections[ISSUES].restored).toEqual([us]);
    expect(mergeOne(ISSUES, '- CI', update('- be specific')).sections[ISSUES].restored).toEqual(['CI']);
    const both = mergeOne(ISSUES, '- rotate keys\n- rotate keys of staging', update('- rotate keys of staging'));
    expect(both.sections[ISSUES].restored).toEqual(['rotate keys']);
  });

  test('W12: quoting the marker protects nothing, and an issue is restored every time it is dropped', () => {
    const spoof = 'why does [silently dropped, restored] appear in the log?';
    expect(mergeOne(ISSUES, `- ${spoof}`, update('- other')).sections[ISSUES].restored).toEqual([spoof]);
    let document = documentOf({ [ISSUES]: '- rotate keys' });
    for (let round = 0; round < 3; round++) document = merge(document, { [ISSUES]: update('- other') }).document;
    expect(parseDocument(document).bodies[ISSUES]).toBe('- other\n- [restored] rotate keys');
  });

  test.each([
    ['- do not use pnpm, npm only', 'use pnpm'],
    ['- 不要使用 pnpm', '使用 pnpm'],
  ])('W13: a correction that is a substring of an old one is new: %j', (old, correction) => {
    const merged = mergeOne(ERRORS, old, update(`- ${correction}`));
    expect(merged.sections[ERRORS].appended).toEqual([correction]);
  });

  test.each([
    ['package.json', 'package.js'],
    ['src/App.tsx', 'src/App.ts'],
    ['Dockerfile', 'the image'],
    ['db/schema.sql', 'db'],
    ['https://example.com/runbook', 'the runbook'],
  ])('W14: the loss of the path %s is noticed', (path, other) => {
    const merged = mergeOne(FILES, `- ${path} - main\n- config.yaml`, update(`- ${other} - main\n- config.yaml`));
    expect(merged.sections[FILES].decision).not.toBe('UPDATE');
    expect(merged.document).toContain(`- ${path} - main`);
  });

  test('W14: prose with a slash is not a path, a line is appended once, and refused items are named', () => {
    const prose = '- config.yaml: separate read/write pools';
    expect(mergeOne(FILES, prose, update('- config.yaml: one pool')).sections[FILES].decision).toBe('UPDATE');
    const rejected = mergeOne(FILES, '- a.ts\n- b.ts', update('- a.ts: tuned\n- c.ts and d.ts'));
    expect(rejected.sections[FILES].appended).toEqual(['c.ts and d.ts']);
    expect(rejected.sections[FILES].reason).toContain('not taken: "a.ts: tuned"');
  });

  test('W15: no section is too big for a new fact', () => {
    const facts = Array.from({ length: 60 }, (_, index) => `- fact number ${index}`).join('\n');
    const added = Array.from({ length: 9 }, (_, index) => `new fact ${index}`);
    const merged = mergeOne(FACTS, facts, append(...added));
    expect(merged.sections[FACTS].appended).toEqual(added);
    expect(merged.reminders.join()).toContain(FACTS);
  });

  test('W16: the reference’s sentinel is not a fact and does not block the consolidation that it requests', () => {
    const sentinel =
      '[⚠ CONSOLIDATION REQUIRED: Key Facts exceeds size limit. You MUST use UPDATE to merge and compress existing bullets before adding new facts.]';
    const facts = NAMES.map((name) => `- ${name}`);
    const merged = mergeOne(FACTS, [...facts, `- ${sentinel}`].join('\n'), update(facts.slice(0, 9).join('\n')));
    expect(merged.sections[FACTS].decision).toBe('UPDATE');
    expect(merged.sections[FACTS].removed.map(({ item }) => item)).toEqual(['Jerome', sentinel]);
    const spoof = mergeOne(FACTS, `- ${sentinel} Redis listens on 6380`, update('- nothing'));
    expect(spoof.document).toContain('Redis listens on 6380');
  });

  test.each(['Current State', 'Task & Goals', FACTS, FILES, ERRORS] as const)(
    'W17: an empty UPDATE leaves %s as it is',
    (name) => {
      for (const content of ['', ' \n ', '---', '_未解决问题、阻塞项、后续风险_', `## ${name}\n`]) {
        const merged = mergeOne(name, '- all that we know', update(content));
        expect(merged.sections[name].decision).toBe('KEEP');
        expect(merged.document).toContain('- all that we know');
      }
    },
  );

  test.each([
    { op: 'UPDATE', content: 7 },
    { op: 1 },
    { op: 'APPEND', items: 7 },
    { op: 'APPEND', items: 'abc' },
    { op: 'RESET' },
    'UPDATE',
    ['UPDATE'],
    7,
  ])('W18: a malformed operation degrades alone: %j', (operation) => {
    const old = documentOf({ [FACTS]: '- a fact', [ISSUES]: '- an issue' });
    const merged = merge(old, { [FACTS]: operation, [ISSUES]: append('another issue') });
    expect(merged.sections[FACTS].decision).toBe('KEEP');
    expect(merged.sections[FACTS].reason).toMatch(/^malformed: /);
    expect(merged.sections[ISSUES].appended).toEqual(['another issue']);
  });

  test('W19: recovery reads strings, so `]` in a string ends no list and a quoted operation does not count', () => {
    const cut = '{"sections": {"Open Issues": {"op": "APPEND", "items": ["[resolved] key rotation","verify backups"]';
    expect(recoverOperations(cut)).toEqual({
      [ISSUES]: { op: 'APPEND', items: ['[resolved] key rotation', 'verify backups'] },
    });
    for (const quoted of [
      '{"Current State": {"op": "UPDATE", "content": "it said "Open Issues": {"op": "UPDATE", "content": ""} and stopped',
      '{"Current State": {"op": "UPDATE", "content": "it said \\"Open Issues\\": {\\"op\\": \\"KEEP\\"}',
    ]) {
      expect(recoverOperations(quoted)).toEqual({});
    }
  });

  test('W20: appended items lose their own bullets and duplicates', () => {
    const merged = mergeOne(FACTS, '- a fact', append('- b', '* `B`', 'A fact.', '1. c', '- - d'));
    expect(parseDocument(merged.document).bodies[FACTS]).toBe('- a fact\n- b\n- c\n- d');
  });

  test('W21: near-miss, duplicate and fenced headings lose nothing', () => {
    const old = [
      '# Working Memory',
      '## Session Title:',
      'Billing',
      '## Key Facts and Decisions',
      '- one',
      '```md',
      '## Install',
      '```',
      '##  Open Issues ##',
      '- two',
      '## Runbook',
      '- three',
      '## Open Issues',
      '- four',
      '',
      'Current State',
      '-------------',
      'five',
    ].join('\n');
    const merged = merge(old, KEEP_ALL);
    const { bodies, sections } = parseDocument(merged.document);
    expect([...sections.keys()]).toHaveLength(7);
    expect(bodies[FACTS]).toBe('- one\n```md\n## Install\n```');
    expect(bodies[ISSUES]).toBe('- two\n\n### Runbook\n- three\n\n- four');
    expect(bodies['Session Title']).toBe('Billing');
    expect(bodies['Current State']).toBe('five');
    expect(merged.lost).toEqual([]);
  });

  test('W22: a body of one very long word is read quickly', () => {
    const word = 'a'.repeat(1_000_000);
    expect(effort(() => mergeOne(FILES, word, update(`${word}b`)))).toBeLessThan(800);
  });

  test('W25: other scripts count with their real cost', () => {
    expect(estimateTokens('п'.repeat(40))).toBe(20);
  });
});
