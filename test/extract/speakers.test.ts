import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

// Today is 2026-03-15.
const LOG = 'memory/2026-03-14.md';
const infer = (workspace: TemporaryWorkspace, ...args: readonly string[]) =>
  workspace.run(['retain', '--infer', '--since', '2026-03-01', ...args]);

/** Returns the facts inferred from a log, without their provenance. */
async function inferred(log: string): Promise<readonly string[]> {
  const workspace = testWorkspace({ [LOG]: log });
  expect(await infer(workspace)).toMatchObject({ code: 0 });
  const lines = readFileSync(join(workspace.root, LOG), 'utf8').split('\n');
  return lines.flatMap((line) => /^- (.*) \(from L.*by rules\)$/u.exec(line)?.[1] ?? []);
}

test.each([
  ['a heading with a clock', '### 09:20 @robin\nI prefer email over Slack\n', 'robin'],
  ['a German heading', '### 09:20 Uhr @jörg\nIch bevorzuge E-Mail statt Slack.\n', 'jörg'],
  ['a Chinese heading', '### 09:20 @张三\n我喜欢打麻将。\n', '张三'],
  ['a Spanish heading', '### @lucia 11:00\nPrefiero reuniones cortas por la mañana.\n', 'lucia'],
  ['a line in bold', '**09:12 @marta**\nI prefer underscores in names.\n', 'marta'],
  ['a label in bold', '**09:12 @marta:** I prefer underscores in names.\n', 'marta'],
  ['the header of a letter', '**From:** Robin <robin@example.org>\n\nI prefer email over Slack.\n', 'Robin'],
  ['a German header', 'Von: Jörg Kay <jk@example.org>\nBetreff: Kanal\n\nIch bevorzuge E-Mail.\n', 'Jörg-Kay'],
  ['a Spanish header', '**De:** Lucía\n\nPrefiero reuniones cortas.\n', 'Lucía'],
  ['a Chinese header', '**发件人：** 张三\n\n我喜欢喝绿茶，不喝咖啡。\n', '张三'],
  ['names that alternate', 'Marta: morning\nDev: hi\nMarta: I prefer tabs in every file.\n', 'Marta'],
])('"I" below %s means that speaker', async (_, log, name) => {
  const facts = await inferred(log);
  expect(facts).toHaveLength(1);
  expect(facts[0]).toMatch(new RegExp(`^O\\(c=0\\.7\\) @${name}: `, 'u'));
});

test.each([
  ['a heading of a topic', '## Email\n\nI prefer email over Slack.\n'],
  ['a heading with a clock alone', '## 09:20\n\nI prefer email over Slack.\n'],
  ['a label that is not a name', 'Note: all is well\nI prefer email over Slack.\n'],
  ['where a journey begins', 'From: Vienna\n\nI prefer email over Slack.\n'],
  ['the end of a quotation', '### 09:20 @robin\nHello\n\n## Later\n\nI prefer email over Slack.\n'],
])('"I" below %s means the owner', async (_, log) => {
  expect(await inferred(log)).toEqual([expect.stringMatching(/^O\(c=0\.7\) I prefer email over Slack\.?$/u)]);
});

test('the owner stays the owner among other speakers, and an action of another is not an experience of the agent', async () => {
  const facts = await inferred(
    'Marta: morning\nMe: I prefer tabs in every file.\nMarta: I fixed the pump of the cellar.\nMe: good\n',
  );
  expect(facts).toContain('O(c=0.7) Me: I prefer tabs in every file.');
  expect(facts).toContain('W @Marta: I fixed the pump of the cellar.');
});

test('a belief of another speaker is not injected as one of the user', async () => {
  const workspace = testWorkspace({ [LOG]: '### 09:20 @robin\nI prefer email over Slack\n' });
  await infer(workspace);
  await workspace.run(['reflect']);
  expect(workspace.read('bank/opinions.md')).toContain('@robin: I prefer email over Slack');
});

test.each([
  ['## Bees\n\n**Decision:** Deferred to July.\n', ['W Bees: Decision: Deferred to July.']],
  ['## Bienen\n\nEntscheidung: Auf Juli verschoben.\n', ['W Bienen: Entscheidung: Auf Juli verschoben.']],
  ['## Abejas\n\n**Decisión:** Aplazado a julio.\n', ['W Abejas: Decisión: Aplazado a julio.']],
  ['## 蜂箱\n\n决定：推迟到七月。\n', ['W 蜂箱: 决定：推迟到七月。']],
  ['**Decision:** Deferred to July.\n', []],
  ['## Decisions\n\n- **Decision:** Deferred to July.\n', []],
  ['## Bees\n\nDecision: the bees move in July.\n', ['W Decision: the bees move in July.']],
])('a decision is kept with its subject only: %j', async (log, facts) => {
  expect(await inferred(log)).toEqual(facts);
});

test.each([
  ['- ~~Decided to use Redis.~~\n- [x] ~~We decided on a queue.~~\n- [-] We decided on a cron job.\n', []],
  ['- [ ] Archive moved to Postgres 16 in the cellar.\n', []],
  ['"We decided to leave the club."\nAnna: she wrote “we decided to leave”\n', []],
  ['**What was decided:**\n- Decided on: see below:\n', []],
  [`${'- [11:29] EXEC: ssh Pi, changed the port to 6380\n- [11:30] READ: notes of the day\n'.repeat(3)}`, []],
  [
    '- [x] ~~Redis.~~ **We decided** on [Postgres](https://example.org/p) for __all__ logs.\n',
    ['W We decided on Postgres for all logs.'],
  ],
  ['We decided to keep `**kwargs` in the call.\n', ['W We decided to keep `**kwargs` in the call.']],
  [
    '# Log of 2026\n\n## [14:42] Search index — blocked\n\n- **Fix:** Changed the default port to 6380.\n',
    ['W Search index: Fix: Changed the default port to 6380.'],
  ],
  [
    '## [23:00] Night Shift Work\n\n- Switched to the second pump.\n',
    ['W Night Shift Work: Switched to the second pump.'],
  ],
  [
    '## Model Saga\n\n### What Happened\n\n1. Switched back to Sonnet.\n',
    ['W Model Saga: What Happened: Switched back to Sonnet.'],
  ],
  [
    '- Move of the archive:\n  - Switched to the second pump.\n',
    ['W Move of the archive: Switched to the second pump.'],
  ],
  [
    '- **Acme**: The audit is done. The meeting was moved to Friday.\n',
    ['W Acme: The audit is done. The meeting was moved to Friday.'],
  ],
  [
    '## Error "tool_use"\n\nChanged the default port to 6380.\n',
    ['W Error "tool_use": Changed the default port to 6380.'],
  ],
  ['Marta: morning\nDev: hi\nMarta: The office moved to Graz.\nDev: good\n', ['W Marta: The office moved to Graz.']],
  ['## Checkpoint — 18:15\n\nSwitched back.\n', []],
  ['## Gateway port\n\n- Changed the port to 6380.\n', ['W Gateway port: Changed the port to 6380.']],
  ['## Archive\n\n- ~~Redis~~ — the team agreed on Postgres\n- Engagement: likes, retweets\n', []],
])('an inferred fact says what it is about, in plain text: %j', async (log, facts) => {
  expect(await inferred(log)).toEqual(facts);
});

test.each([
  [
    '# Log\n\n## Archive\n\n- Rule: push to `main` after the review only.\n',
    ['W Archive: Rule: push to `main` after the review only.'],
  ],
  ['## Archive\n\n- Never push before the review.\n', ['W Archive: Never push before the review.']],
  ['- Never push before the review.\n', []],
  [
    '## Archiv\n\n- **Regel:** Vor der Freigabe wird nichts gelöscht.\n',
    ['W Archiv: Regel: Vor der Freigabe wird nichts gelöscht.'],
  ],
  ['## 归档\n\n- 规定：每月第一天备份到仓库。\n', ['W 归档: 规定：每月第一天备份到仓库。']],
  ['The pump was never cleaned, and the valve never opens.\n', []],
  [
    '## Archive\n\nThe archive needs a copy. Files must stay below 2 GB each.\n',
    ['W Archive: Files must stay below 2 GB each.'],
  ],
  ['assistant: You must always rinse the filter of the pump.\n', []],
  [
    '## Archive\n\n### Decisions\n\n- Postgres 16 for the archive, one copy a night\n  - it was cheaper than the other one\n- `vacuum full`\n',
    ['W Postgres 16 for the archive, one copy a night'],
  ],
  [
    '## Lesson: stories are posted by hand\n\n- The API sets no links in a story\n\n## Task: rules of the club\n\n- Printed four pages of them\n',
    ['W Lesson: stories are posted by hand: The API sets no links in a story'],
  ],
  [
    '# Log\n\n## Italy North 2026 — session (3 h)\n\n1. **Key decisions**\n   - Bologna in place of Siena, by train\n',
    ['W Italy North 2026: Key decisions: Bologna in place of Siena, by train'],
  ],
  ['## Key Decision Point\n\n- The pump or the valve, both in one order\n', []],
  [
    '## Archive\n\n- Access to the page was refused (not allowed by the host)\n- Both pages said "not allowed" to us\n',
    [],
  ],
  ['## 归档\n\n等待馆长决定是否安装浏览器。\n每次备份都要十分钟。\n', []],
])('a rule or a decision is known by its form, its label or its heading: %j', async (log, facts) => {
  expect(await inferred(log)).toEqual(facts);
});

test.each([
  [
    '| Part | Decision | Reason |\n|---|---|---|\n| Pump | second hand | price |\n| Valve | TBD | |\n| <part> | … | |\n',
    ['W Pump: Decision second hand; Reason price'],
  ],
  [
    '## Bees\n\n| # | Hive | Place |\n|---|---|---|\n| 1 | Oak | moved to the meadow |\n',
    ['W Bees: Oak: Place moved to the meadow'],
  ],
  ['| Part | Price |\n|---|---|\n| Pump | 20 |\n', []],
  ['## Bees\n\n- **Decision:** TBD\n- **Rule:** <what must hold>\n', []],
])('a row of a table is a fact with its subject and its columns, and a template is none: %j', async (log, facts) => {
  expect(await inferred(log)).toEqual(facts);
});

test('a preference comes before what only stands below a heading for decisions', async () => {
  const facts = await inferred(
    `## Decisions\n\n${['blue', 'red', 'green', 'grey', 'white', 'black'].map((colour, at) => `- Shelf ${at} of the hall is ${colour}\n`).join('')}\n@Anna prefers calls before noon.\n`,
  );
  expect(facts).toHaveLength(5);
  expect(facts[0]).toBe('O(c=0.7) @Anna: prefers calls before noon.');
});

test('an item of a list is one fact, with its first sentence, and the time of a line is no part of it', async () => {
  const facts = await inferred(
    '- **Bundles:** They go into every campaign. Do not forget!\n- 2026-03-14 09:12 Europe/Lisbon: We decided to keep the pump.\n',
  );
  expect(facts).toEqual(['W Bundles: They go into every campaign. Do not forget!', 'W We decided to keep the pump.']);
});

test('a topic that is a known entity is tagged, and a part of a path is not', async () => {
  const workspace = testWorkspace({
    [LOG]: '## Bees\n\n- Decision: Deferred to July, see ~/Anna/plan and Anna-notes.\n',
    'bank/entities/Bees.md': '# Bees\n',
    'bank/entities/Anna.md': '# Anna\n',
  });
  await infer(workspace);
  expect(workspace.read(LOG)).toContain('- W @Bees: Decision: Deferred to July, see ~/Anna/plan and Anna-notes. (');
});

const CANCELLED = '## Bees\n\n**Decision:** The deferral to July is cancelled.\n';

test('a decision that a later log cancels is not inferred, with the reason given', async () => {
  const workspace = testWorkspace({
    'memory/2026-03-10.md': '## Bees\n\n**Decision:** Deferred to July.\n',
    'memory/2026-03-12.md': CANCELLED,
    'memory/2026-03-13.md': '我们决定下个月在仓库使用红色标签。\n',
  });
  const { stderr } = await infer(workspace);
  expect(stderr).toContain('was left out, because a later log cancels it');
  expect(workspace.read('memory/2026-03-10.md')).not.toContain('by rules');
  expect(workspace.read('memory/2026-03-12.md')).toContain('- W Bees: Decision: The deferral to July is cancelled.');
  expect(workspace.read('memory/2026-03-13.md')).toContain('by rules');
});

test('a kept decision that is cancelled later is removed from its pages', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-10.md': '## Bees\n\n**Decision:** Deferred to July.\n' });
  await infer(workspace);
  await workspace.run(['reflect']);
  expect(workspace.read('bank/world.md')).toMatch(/^- W Bees: Decision: Deferred to July\. \^/mu);
  workspace.write('memory/2026-03-12.md', CANCELLED);
  await infer(workspace);
  await workspace.run(['reflect']);
  expect(workspace.read('bank/world.md')).not.toMatch(/^- W Bees: Decision: Deferred to July\. \^/mu);
});

test('an extraction that finds nothing says so', async () => {
  const workspace = testWorkspace({ [LOG]: 'A quiet day.\n' });
  expect(await infer(workspace)).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing found') });
});
