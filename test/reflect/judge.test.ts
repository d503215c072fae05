import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../../src/app/workspace.js';
import { deniesOpinion, judgeByRules, prepareStatement } from '../../src/memory/judge/rules.js';
import { readOpinionsPage } from '../../src/memory/opinions-page.js';
import { giveVectors } from '../support/given-vectors.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const judge = (opinion: string, fact: string) =>
  judgeByRules(prepareStatement(opinion, ['Peter']), prepareStatement(fact, ['Peter']));

describe('a fact supports a belief that says the same', () => {
  test.each([
    ['prefers concise replies on WhatsApp', 'wants short replies on WhatsApp'],
    ['likes coffee', 'drinks coffee every morning'],
    ['prefers tabs over spaces', 'uses tabs in every project'],
    ['lives in Vienna', 'lives in Vienna'],
    ['dislikes long meetings', 'likes short meetings'],
    ['喜欢简短的回复', '喜欢简短回复'],
    ['喜欢咖啡', '又喝了咖啡'],
    ['prefers Emacs', 'finds Vim not as good as Emacs'],
    ['likes tea', 'likes not only tea but cake'],
    ['喜欢茶', '觉得茶比咖啡好'],
    ['喜欢茶', '觉得咖啡不如茶'],
    ['喜欢茶', '比咖啡更喜欢茶'],
  ])('%s ← %s', (opinion, fact) => expect(judge(opinion, fact)).toBe('supports'));
});

describe('reversed comparisons and denials contradict, and the same comparison supports', () => {
  test.each([
    ['prefers concise replies', 'no longer prefers concise replies', 'contradicts'],
    ['likes Kafka better than Redis', 'likes Redis better than Kafka', 'contradicts'],
    ['Emacs is better than Vim', 'Vim is better than Emacs', 'contradicts'],
    ['would rather drive than fly', 'would rather fly than drive', 'contradicts'],
    ['would sooner walk than take the bus', 'would sooner take the bus than walk', 'contradicts'],
    ['trusts Bob more than Anna', 'trusts Anna more than Bob', 'contradicts'],
    ['is happier in Graz than in Vienna', 'is happier in Vienna than in Graz', 'contradicts'],
    ['prefers trains to planes', 'prefers planes to trains', 'contradicts'],
    ['drinks coffee in the morning', 'drinks no coffee', 'contradicts'],
    ['no longer eats meat', 'eats meat again', 'contradicts'],
    ['咖啡不如茶', '茶不如咖啡', 'contradicts'],
    ['咖啡不如茶', '咖啡比茶好', 'contradicts'],
    ['认为Vue比React好用', '认为React比Vue好用', 'contradicts'],
    ['喜欢Redis多于Kafka', '喜欢Kafka多于Redis', 'contradicts'],
    ['喜欢喝咖啡', '戒了咖啡', 'contradicts'],
    ['trusts Anna more than Bob', 'trusts Anna more than Bob', 'supports'],
    ['would rather fly than drive', 'would rather fly than drive', 'supports'],
    ['prefers trains to planes', 'prefers trains over planes', 'supports'],
  ])('%s ← %s: %s', (opinion, fact, verdict) => expect(judge(opinion, fact)).toBe(verdict));
});

describe('frame words and facts about a part of a belief do not support it', () => {
  test.each([
    [
      'Wants questions in the ticket rather than in chat, so that they survive.',
      'Old items survive a merge unless an operation names them and gives a reason',
    ],
    ['Hates early flights and would rather pay for a later one.', 'would rather stay at home'],
    ['no longer eats meat', 'no longer works at Siemens'],
    ['likes dogs more than cats', 'has a dog named Rex'],
    ['prefers tea over coffee', 'bought coffee for the office'],
    ['prefers dark mode', 'prefers dark chocolate'],
    ['likes short meetings', 'likes short emails'],
    // LoCoMo's observations.
    ['believes that pets make life more enjoyable and bright', 'prefers cats over dogs as pets'],
    ['has taken up photography as a new hobby', 'sees working on cars as more than a hobby, but a passion'],
    ['took her dogs to the park and enjoys watching them', 'took her dogs to the beach over the weekend'],
    ['appreciates friends who understand the love for pets', 'does not currently have any pets'],
  ])('%s ← %s: none', (opinion, fact) => expect(judge(opinion, fact)).toBe('none'));
});

describe('a fact contradicts by a negation, an opposite, a denied word, another value or another number', () => {
  test.each([
    ['likes coffee', 'does not like coffee any more'],
    ['likes coffee', 'stopped drinking coffee'],
    ['likes coffee', 'hates coffee'],
    ['prefers concise replies on WhatsApp', 'asked for longer replies on WhatsApp'],
    ['prefers concise replies on WhatsApp', 'complained that the WhatsApp replies are too short'],
    ['the nightly build is reliable', 'the nightly build failed again'],
    ['prefers vim over emacs', 'is using emacs now'],
    ['prefers tabs over spaces', 'prefers spaces over tabs'],
    ['trusts the linter', 'distrusts the linter'],
    ['uses Redis for the queue', 'uses Kafka for the queue'],
    ['uses Redis for the queue', 'switched the queue from Redis to Kafka'],
    ['lives in Vienna', 'moved from Vienna to Graz'],
    ['wants weekly reports', 'wants monthly reports'],
    ['runs on PostgreSQL 15', 'runs on PostgreSQL 17'],
    ['喜欢咖啡', '讨厌咖啡'],
    ['喜欢简短的回复', '要求详细的回复'],
    ['使用 Redis 做缓存', '不再使用 Redis 做缓存'],
    ['部署在阿里云', '部署在腾讯云'],
    ['has a car', 'has no car'],
    ['likes tea', 'likes neither tea nor coffee'],
    ['prefers coffee', 'likes tea better than coffee'],
    ['prefers coffee', 'would rather drink tea than coffee'],
    ['prefers coffee', 'finds coffee worse than tea'],
    ['thinks Postgres is better than MySQL', 'prefers MySQL'],
    ['喜欢咖啡', '与其喝咖啡不如喝茶'],
    ['喜欢咖啡', '觉得茶比咖啡好'],
    ['trinkt Kaffee', 'trinkt keinen Kaffee mehr'],
  ])('%s ← %s', (opinion, fact) => expect(judge(opinion, fact)).toBe('contradicts'));
});

test('two negations cancel each other out in one clause only', async () => {
  const denials = ['does not like tea and does not drink coffee', 'never drinks tea, and avoids coffee'];
  for (const fact of [...denials, 'mag keinen Tee und keinen Kaffee', '不喜欢茶，也不喜欢咖啡'])
    expect(judge(fact.includes('茶') ? '喜欢茶' : fact.includes('Tee') ? 'mag Tee' : 'likes tea', fact)).toBe(
      'contradicts',
    );
  for (const fact of ['does not hate tea', 'does not avoid tea, and never refuses it'])
    expect(judge('likes tea', fact)).toBe('supports');
  const workspace = testWorkspace({
    'memory/2026-03-01.md': '## Retain\n- O(c=0.7) @Peter: likes calls in the morning\n',
    'memory/2026-03-02.md': '## Retain\n- W @Peter: Asked for no calls before noon, he hates calls in the morning\n',
  });
  expect((await workspace.run(['reflect', '--max-calls', '0'])).code).toBe(0);
  expect(workspace.read('bank/opinions.md')).toMatch(/^ {2}- against: \[memory\/2026-03-02\.md#L2\]/mu);
});

describe('any other fact does neither', () => {
  test.each([
    ['likes coffee', 'bought a new bike'],
    ['likes coffee', 'likes tea'],
    ['uses Redis for the queue', 'uses Redis for caching'],
    ['is happy with the laptop', 'is happy with the phone'],
    ['works on the relay', 'works on the billing'],
    ['favours weekly releases', 'wants releases every day'],
    ['喜欢咖啡', '喜欢茶'],
  ])('%s ← %s', (opinion, fact) => expect(judge(opinion, fact)).toBe('none'));
});

test.each<[string, string, boolean]>([
  ['likes coffee', 'does not like coffee', true],
  ['lives in Vienna', 'moved from Vienna to Graz', true],
  ['prefers short replies', 'wants long replies', true],
  ['prefers tabs over spaces', 'prefers spaces over tabs', true],
  ['uses Redis for the queue', 'uses Kafka for the queue', false],
  ['runs on PostgreSQL 15', 'runs on PostgreSQL 17', false],
  ['prefers vim over emacs', 'is using emacs now', false],
  ['SQLite is too small', 'moved the newsletter from SQLite to Postgres', false],
])('"%s" is denied in the same words by "%s": %s', (opinion, fact, expected) => {
  expect(deniesOpinion(prepareStatement(opinion, []), prepareStatement(fact, []))).toBe(expected);
});

test('only the beginning of a long statement is judged, quickly', () => {
  expect(judge('likes tea', `likes tea ${'not '.repeat(200_000)}`)).toBe('contradicts');
  expect(judge('likes tea', `likes tea ${'very '.repeat(200_000)}`)).toBe('supports');
}, 2_000);

const NOW = ['--now', '2026-03-10T12:00:00Z'];

const beliefs = (workspace: TemporaryWorkspace) =>
  readOpinionsPage(workspace.read('bank/opinions.md')).map(({ confidence, bullet, evidence }) => ({
    text: bullet.text,
    confidence,
    against: evidence.filter(({ supports }) => !supports).length,
  }));

test.each([
  ['O(c=0.8) @Atlas: SQLite is too small', 'W @Dan moved the newsletter of @Atlas from SQLite to Postgres'],
  ['O(c=0.8) @Atlas: SQLite is too small', 'W @Atlas: moved the newsletter from SQLite to Postgres'],
  ['O(c=0.8) @Atlas: uses Redis for the queue', 'W @Atlas: uses Kafka for the queue'],
  ['O(c=0.8) @Atlas: prefers vim over emacs', 'W @Atlas: is using emacs now'],
  ['O(c=0.8) @Atlas: the build is reliable', 'W @Dan: told @Atlas that the build is not reliable'],
])('%s: %s does not contradict it and begins no belief', async (opinion, fact) => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': `## Retain\n\n- ${opinion}\n`,
    'memory/2026-03-02.md': `## Retain\n\n- ${fact}\n`,
  });
  await workspace.json(['reflect', ...NOW]);
  expect(beliefs(workspace)).toEqual([{ text: opinion.replace(/^.*: /, ''), confidence: 0.8, against: 0 }]);
});

test('the moves of two people are two facts, and not beliefs against each other', async () => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md':
      '## Retain\n\n- O @Atlas: lives on SQLite\n- W @Dan moved the wiki of @Atlas from SQLite to Postgres\n',
    'memory/2026-03-02.md': '## Retain\n\n- W @Eva moved the shop of @Atlas from Postgres to SQLite\n',
  });
  await workspace.json(['reflect', ...NOW]);
  expect(beliefs(workspace)).toMatchObject([{ text: 'lives on SQLite', against: 0 }]);
});

test.each([
  ['likes coffee', 'does not like coffee any more'],
  ['lives in Vienna', 'moved from Vienna to Graz'],
  ['prefers short replies', 'asked for long replies'],
])('%s: %s contradicts it and begins no belief', async (opinion, fact) => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md': `## Retain\n\n- O(c=0.8) @Mo: ${opinion}\n`,
    'memory/2026-03-02.md': `## Retain\n\n- W @Mo: ${fact}\n`,
  });
  await workspace.json(['reflect', ...NOW]);
  const [belief, ...others] = beliefs(workspace);
  expect(others).toEqual([]);
  expect(belief?.against).toBe(1);
  expect(belief?.confidence).toBeLessThan(0.8);
});

test('the next run removes verdicts of older rules against a belief, and keeps those of a person', async () => {
  const workspace = testWorkspace({
    'memory/2026-02-01.md':
      '## Retain\n\n- O(c=0.8) @Atlas: SQLite is too small\n- O(c=0.8) @Atlas: SQLite is too slow\n',
    'memory/2026-03-02.md': '## Retain\n\n- W @Atlas: moved the newsletter from SQLite to Postgres\n',
  });
  await workspace.json(['reflect', ...NOW]);
  const small = readOpinionsPage(workspace.read('bank/opinions.md')).find(({ bullet }) =>
    bullet.text.endsWith('small'),
  );
  const { results } = await workspace.json<{ readonly results: readonly { readonly id: string }[] }>([
    'recall',
    'newsletter moved Postgres',
    ...NOW,
  ]);
  const fact = results[0]?.id;
  // A person's verdict: the second has ended.
  workspace.write(
    'bank/opinions.md',
    workspace
      .read('bank/opinions.md')
      .replace(
        /(too slow[^\n]*\n(?: {2}-[^\n]*\n)*)/,
        `$1  - against: [memory/2026-03-02.md#L3](../memory/2026-03-02.md#L3) ${fact}\n`,
      ),
  );
  await workspace.json(['reflect', ...NOW]);
  // A verdict that the rules of an earlier version gave.
  const line = { fact, opinion: small?.id, direction: 'contradicts', by: 'rules', day: '2026-03-02' };
  workspace.write('bank/evidence.jsonl', `${workspace.read('bank/evidence.jsonl')}${JSON.stringify(line)}\n`);
  await workspace.json(['reflect', ...NOW]);
  const of = (word: string) => beliefs(workspace).find(({ text }) => text.endsWith(word));
  expect(of('small')).toMatchObject({ confidence: 0.8, against: 0 });
  expect(of('slow')).toMatchObject({ against: 1 });
  expect(workspace.read('bank/evidence.jsonl')).toContain(`"opinion":"${small?.id}","direction":"none","by":"rules"`);
  const again = await workspace.json<{ readonly written: readonly string[] }>(['reflect', ...NOW]);
  expect(again.written).toEqual([]);
});

const DIRECTIONS: Readonly<Record<string, string>> = { s: 'supports', c: 'contradicts', n: 'none' };

/** Pairs of a belief and a fact about somebody, each with what a person says that the fact does to the belief. */
const pairs = readFileSync(new URL('pairs.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [direction = '', entity = '', belief = '', fact = ''] = line.split('\t');
    return { label: DIRECTIONS[direction], entity, belief, fact };
  });

test('rules give hardly any wrong verdict on 350 pairs, and most of the right ones', () => {
  expect(pairs.length).toBeGreaterThan(330);
  const judged = pairs.map((pair) => ({
    ...pair,
    verdict: judgeByRules(prepareStatement(pair.belief, [pair.entity]), prepareStatement(pair.fact, [pair.entity])),
  }));
  const given = judged.filter(({ verdict }) => verdict !== 'none');
  const wrong = given.filter(({ verdict, label }) => verdict !== label);
  expect(wrong.map(({ belief, fact, verdict }) => `${belief} ← ${fact}: ${verdict}`)).toEqual([]);
  const due = judged.filter(({ label }) => label !== 'none');
  expect(given.length / due.length).toBeGreaterThan(0.8);
});

const DAY = '2026-01-10';
/** Says the same as one of twenty beliefs in other words. */
const FACT = 'Answers in two lines at most.';
const BELIEF = 'Prefers concise replies.';
const OTHERS = Array.from({ length: 19 }, (_, i) => `Enjoys answers about subject ${inLetters(i)} in lines.`);

function workspaceOf(beliefs: readonly string[]): TemporaryWorkspace {
  const items = beliefs.map((text, i) => `- O(c=0.7) @Peter: ${text} ^o-${String(i).padStart(13, 'a')}`);
  return testWorkspace({
    'bank/opinions.md': `# Opinions\n\n${items.join('\n')}\n`,
    [`memory/${DAY}.md`]: `# ${DAY}\n\n## Retain\n- W @Peter: ${FACT}\n- W @Anna: Lives in Graz.\n`,
  });
}

const open = ({ root }: TemporaryWorkspace): Promise<Workspace> =>
  openWorkspace({ workspace: root, now: '2026-01-15T12:00:00Z', timezone: 'UTC', env: { HOME: root } });

async function asked(workspace: TemporaryWorkspace): Promise<string> {
  const { user } = await (await (await open(workspace)).reflection()).prompt();
  return user;
}

test('with vectors a model judges the belief that means the same in other words, among many of an entity', async () => {
  const workspace = workspaceOf([BELIEF, ...OTHERS]);
  await (await open(workspace)).index();
  expect(await asked(workspace)).not.toContain(BELIEF);
  giveVectors(workspace, [FACT, BELIEF]);
  expect(await asked(workspace)).toContain(BELIEF);
  expect(await asked(workspace)).not.toContain('Graz');
});

test('vectors of another model and unusable ones change nothing', async () => {
  const workspace = workspaceOf([BELIEF, ...OTHERS]);
  await (await open(workspace)).index();
  const before = await asked(workspace);
  giveVectors(workspace, [FACT, BELIEF]);
  workspace.write('memory.config.json5', '{ "embedModel": "nomic-embed-text" }');
  expect(await asked(workspace)).toBe(before);
  workspace.write('.memory/vectors.sqlite', 'no database');
  expect(await asked(workspace)).toBe(before);
});
