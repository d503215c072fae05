import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as CUES from '../../../src/language/words/question-cues.js';
import { matchesCue } from '../../../src/query/parse/cues.js';
import { explainReading } from '../../../src/query/parse/explain.js';
import { readQuestion } from '../../../src/query/parse/read.js';
import { readTimeIntent } from '../../../src/query/parse/time-intent.js';
import { cases } from '../../support/cases.js';
import { entities, NOW, read } from './support.js';

test.each(['"what did Dan eat on February 17?"', '“2月17日做了什么？”', '«Was war am 17. Februar?»'])(
  'a question in quotation marks keeps its time: %s',
  async (question) => {
    const { window, exact } = await read(question);
    expect(window?.since).toMatch(/-02-17$/);
    expect(exact).toEqual([]);
  },
);

test('a day of the month with a full stop does not end a sentence', async () => {
  expect((await read('Wer hatte am 17. Februar Besuch?')).window?.since).toMatch(/-02-17$/);
});

test.each(['他的猫叫什么名字？', 'who is the ship named after?'])('does not ask for a title: %s', async (question) => {
  expect((await read(question)).cues.title).toBe(false);
});

describe('entities', () => {
  test.each([
    ['what does Peter like', ['peter']],
    ["Pete's replies and @Peter's mail", ['peter']],
    ['peter smith', ['peter']],
    ['the roof of The Castle', ['the-castle']],
    ['@the-castle', ['the-castle']],
    ['node.js or redis', ['node.js', 'redis']],
    ['张三更喜欢什么', ['张三']],
    ['昨天老张和王小明说了什么', ['张三', '王小明']],
    ['@张三的看法', ['张三']],
    ['did Will come', ['will']],
    ['Will you come', []],
    ['Will users like it', []],
    ["Will's birthday", ['will']],
    ['May’s birthday', ['may']],
    ['Will likes coffee', ['will']],
    ['May was here', ['may']],
    ['Will moved to Graz', ['will']],
    ['he will come', []],
    ['@will', ['will']],
    ['in "Peter" we trust', ['peter']],
  ])('%s', async (question, slugs) => expect((await read(question)).entities).toEqual(slugs));

  test('names are looked up in folded form, and only in proportion to the question’s length', async () => {
    const asked: string[] = [];
    const names = { lookup: (name: string) => void asked.push(name) };
    await readQuestion('Ｗho is PETER’s 张三丰 friend', { now: NOW, zone: 'UTC', entities: names });
    expect(asked).toContain('peter');
    expect(asked).toContain('张三丰');
    expect(asked.every((name) => name === name.normalize('NFKC').toLowerCase())).toBe(true);
    asked.length = 0;
    await readQuestion('张三 peter '.repeat(10_000), { now: NOW, zone: 'UTC', entities: names });
    expect(asked.length).toBeLessThan(256 * 4 + 256 * 6);
    expect(entities.lookup('constructor')).toBeUndefined();
  });
});

describe('requested kinds', () => {
  test.each([
    'what does Peter prefer for WhatsApp replies?',
    'does Peter like tea',
    'what do I like to drink',
    'who likes tea',
    "what's Anna's favourite colour",
    'what did Peter think of the plan',
    'how does she feel about remote work',
    '张三更喜欢什么编辑器',
    '老张对向量索引的看法',
    '用户的偏好是什么',
    '張三更喜歡什麼',
  ])('asks for an opinion: %s', async (question) => expect((await read(question)).wishes.opinion).toBe(true));

  test.each([
    'what did it look like',
    'what is the house like',
    'something like redis',
    'how many likes did the post get',
    'how many views of the page are there',
    'which port does redis use',
    '端口是多少',
  ])('asks for no opinion: %s', async (question) => expect((await read(question)).wishes.opinion).toBe(false));

  test.each([
    'what did I deploy',
    'how did we fix the timeout',
    'have we tried pnpm',
    "didn't we fix that",
    '我们试过 pnpm 吗',
    '上周我修了什么',
    '我们怎么解决的',
  ])('asks for experience: %s', async (question) => expect((await read(question)).wishes.experience).toBe(true));

  test.each(['what does Peter like', 'is redis up', '张三喜欢什么'])('asks for no experience: %s', async (question) =>
    expect((await read(question)).wishes.experience).toBe(false),
  );
});

describe('cues', () => {
  test.each([
    ['When did Peter move?', 'when'],
    ['do you know when the release is', 'when'],
    ['what date is the talk', 'when'],
    ['什么时候发布', 'when'],
    ['How many nodes are there', 'howMany'],
    ['how often does it fail', 'howMany'],
    ['有多少个节点', 'howMany'],
    ['which books does Peter like', 'title'],
    ['几个人来了', 'howMany'],
    ['用了几个小时', 'howMany'],
    ['前几天做了什么', ''],
    ['几个月前做了什么', ''],
    ['几年之前', ''],
    ['那本小说好看吗', 'title'],
    ['什么书', 'title'],
    ['哪本书', 'title'],
    ['我看的书', 'title'],
    ['常听的歌', 'title'],
    ['证书过期了', ''],
    ['秘书请假了', ''],
    ['谷歌的项目', ''],
    ['矛盾加剧了', ''],
    ['Where does Anna live', 'where'],
    ['which city did they visit', 'where'],
    ['王小明在哪里上班', 'where'],
    ['Who owns the deploy', 'who'],
    ['whose dog is it', 'who'],
    ['谁负责部署', 'who'],
    ['誰負責部署', 'who'],
    ['what is the latest plan', 'recent'],
    ['目前的计划', 'recent'],
    ['what did he say when he left the person who called', ''],
  ])('%s', async (question, cue) => {
    const { cues } = await read(question);
    expect(Object.entries(cues).flatMap(([name, on]) => (on ? [name] : []))).toEqual(cue === '' ? [] : [cue]);
  });
});

test('explain shows everything that was read', async () => {
  const reading = await read('where did we go with Peter\'s "red car" around Nov 27?');
  expect(explainReading(reading)).toEqual([
    'keywords: go (also went, gone, goes), peter, red, car, nov ×0.3, 27 ×0.3',
    'exact: "red car"',
    'entities: peter',
    'time: 2025-11-24 to 2025-11-30, from "around Nov 27"',
    'wishes: experience',
    'asks: where',
  ]);
  expect(explainReading(await read('what was true before March'))).toContain(
    'time: … to 2025-02-28, from "before March"',
  );
  expect(explainReading(await read('the'))).toContain('nothing but stop words: all of them are searched');
});

test('every match of a cue’s pattern contains one of its words', () => {
  const pieces = Object.values(CUES)
    .flatMap((cue) => (typeof cue === 'object' && 'english' in cue ? cue.english : []))
    .flatMap(([words, pattern]) => [...words.split('|'), ...(pattern.source.match(/[a-z']+/g) ?? [])]);
  const text = fc.array(fc.constantFrom(...pieces, 'i', 'we', 'you', 'of', 'on', ',', '?'), { maxLength: 8 });
  fc.assert(
    fc.property(text, (parts) => {
      const plain = parts.join(' ').replace(/\s+/g, ' ').trim();
      for (const cue of Object.values(CUES)) {
        if (!('english' in cue)) continue;
        for (const sign of cue.english) expect(matchesCue(sign, plain)).toBe(sign[1].test(plain));
      }
    }),
    { numRuns: cases(3000) },
  );
});

test.each([
  'what did we work on    ?',
  'what did I buy in        ?',
  'what did Tomás drink in       ?',
  'what happened           ?',
  'what else broke in      ?',
  'what has changed since  ?',
  '    我们做了什么',
  '    聊了哪些话题',
])('asks for events in a time: %s', (text) => {
  expect(readTimeIntent(text)).toBe('events');
});

test.each([
  'where were the backups kept in      ?',
  "where was Helena's desk in    ?",
  'what was the pool limit in     ?',
  'which Postgres in          ?',
  'how did Helena want the summary in      ?',
  'what did Tomás prefer in       ?',
  '缓存在    用什么？',
])('asks for a state in a time: %s', (text) => {
  expect(readTimeIntent(text)).toBe('state');
});

test.each([
  'what did we decide about Redis         ?',
  'who came to dinner on       ?',
  '     关于 Redis 我们决定了什么',
  '     买了哪些书',
])('asks for one thing in a time: %s', (text) => {
  expect(readTimeIntent(text)).toBeNull();
});
