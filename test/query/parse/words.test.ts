import { describe, expect, test } from 'vitest';
import { read } from './support.js';

const words = async (question: string, weight?: number) =>
  (await read(question)).words.filter((word) => weight === undefined || word.weight === weight).map(({ text }) => text);
const formsOf = async (word: string) => (await read(`subject ${word}`)).words.at(-1)?.forms;

describe('keywords', () => {
  test.each([
    ['what does Peter prefer for WhatsApp replies?', ['peter', 'prefer', 'whatsapp', 'replies']],
    ['What kind of music does Anna play?', ['music', 'anna', 'play']],
    ['Tell me about the vector index', ['vector', 'index']],
    ['what is the name of the deploy script', ['deploy', 'script']],
    ['Do you remember how long the migration ran', ['migration', 'ran']],
    ["Peter's dog", ['peter', 'dog']],
    ['Peter’s dog', ['peter', 'dog']],
    ["why didn't we don’t-know", []],
    ["O'Brien", ['o', 'brien']],
    ['who lives in the US', ['lives', 'us']],
    ['ＲＥＤＩＳ port', ['redis', 'port']],
    ['redis Redis REDIS', ['redis']],
    ['Когда придёт Пётр', ['когда', 'придёт', 'пётр']],
  ])('%s', async (question, expected) => expect(await words(question, 1)).toEqual(expected));

  test('frame words and words of a time remain searchable with a low weight', async () => {
    const reading = await read('what kind of release did we talk about last week');
    expect(reading.words.map(({ text, role, weight }) => [text, role, weight])).toEqual([
      ['kind', 'frame', 0.3],
      ['release', 'content', 1],
      ['talk', 'frame', 0.3],
      ['last', 'time', 0.3],
      ['week', 'time', 0.3],
    ]);
  });

  test('a quoted frame word or stop word is literal', async () => {
    const reading = await read('who said "tell me"');
    expect(reading.words.map(({ text, weight }) => [text, weight])).toEqual([
      ['said', 0.3],
      ['tell', 1],
    ]);
    expect(reading.exact).toEqual(['tell me']);
  });

  test('a question of only stop words searches for every word', async () => {
    const reading = await read('the who');
    expect(reading.stopWordsOnly).toBe(true);
    expect(reading.words.map(({ text, weight }) => [text, weight])).toEqual([
      ['the', 1],
      ['who', 1],
    ]);
    expect((await read('什么')).cjk).toEqual(['什么']);
    expect((await read('???')).exact).toEqual(['???']);
    expect((await read('redis')).stopWordsOnly).toBe(false);
  });

  test('a question that is only a time keeps its words at full weight', async () => {
    const reading = await read('2025-11-27');
    expect(reading).toMatchObject({ timeOnly: true, exact: ['2025-11-27'], window: { since: '2025-11-27' } });
    expect(reading.words.map(({ weight }) => weight)).toEqual([1, 1, 1]);
    expect((await read('上周')).cjk).toEqual(['上周']);
    expect((await read('redis last week')).timeOnly).toBe(false);
  });
});

describe('inflections that no stemmer connects', () => {
  test.each([
    ['went', ['go', 'gone', 'goes']],
    ['going', ['went', 'gone', 'goes']],
    ['wrote', ['write', 'written']],
    ['writing', ['wrote', 'written']],
    ['bought', ['buy']],
    ['children', ['child', 'kid']],
    ['database', ['db']],
    ['plans', []],
    ['wife', ['wives']],
    ['mice', ['mouse']],
    ['people', ['person']],
    ['colour', ['color']],
    ['deployed', []],
    ['redis', []],
  ])('%s', async (word, forms) => expect(await formsOf(word)).toEqual(forms));

  test('a name has no inflections', async () => {
    const reading = await read('what did Will say');
    expect(reading.words[0]).toEqual({ text: 'will', weight: 1, forms: [], role: 'name' });
  });
});

describe('CJK runs', () => {
  test.each([
    ['我们决定了什么', ['决定']],
    ['上周关于 Redis 我们决定了什么', ['决定']],
    ['数据库端口是多少', ['数据库端口']],
    ['他的目的是什么', ['目的']],
    ['国庆期间我们去了哪里', []],
    ['张三更喜欢用什么编辑器', ['张三', '喜欢用', '编辑器']],
    ['小不点吃什么', ['小不点', '吃']],
    ['有没有更新过向量索引', ['更新过向量索引']],
    ['「我们的目标」是什么', ['目标']],
    ['我們決定了什麼', ['決定']],
    ['關於資料庫的連接埠是多少', ['資料庫', '連接埠']],
    ['會議で決めました', ['會議', '決め']],
    ['会議で決めました', ['会議', '決め']],
    ['회의 결과', ['회의', '결과']],
  ])('%s', async (question, runs) => {
    const reading = await read(question);
    expect(reading.stopWordsOnly || reading.timeOnly ? [] : reading.cjk).toEqual(runs);
  });
});

test.each([
  ['what is in ./src/foo.ts:12?', ['./src/foo.ts:12']],
  ['does recall take --budget or -k', ['--budget', '-k']],
  ['upgrade to v3.11.2.', ['v3.11.2']],
  ['python 3.11', ['3.11']],
  ['why ECONNREFUSED at 127.0.0.1:6379', ['ECONNREFUSED', '127.0.0.1:6379']],
  ['TS2345, SQLITE_BUSY and 0x80070005', ['TS2345', 'SQLITE_BUSY', '0x80070005']],
  ['commit e4aba9c of main', ['e4aba9c']],
  ['who calls readQuestion()?', ['readQuestion()']],
  ['set maxOldSpaceSize to 512 MB', ['maxOldSpaceSize', '512 MB']],
  ['it took 20ms (95%)', ['20ms', '95%']],
  ['C++ or C#?', ['C++', 'C#']],
  ['mail a.b@example.com', ['a.b@example.com']],
  ['issue #123', ['#123']],
  ['端口/tmp/foo.sock是什么', ['/tmp/foo.sock']],
  ['say “good morning” to "the team"', ['good morning', 'the team']],
  ['《红楼梦》和「目标」', ['红楼梦', '目标']],
  ['run `npm test -- --watch` now', ['npm test -- --watch']],
  ["the 'old way' of Peter's", ['old way']],
  ['deploy 🎉', ['🎉']],
  ['what changed on 2025-11-27', ['2025-11-27']],
  ['the well-known and/or rule of Peter & Will, 3rd time', []],
  ['what does Peter like?', []],
  ['see @peter', []],
])('%s', async (question, exact) => expect((await read(question)).exact).toEqual(exact));

test('a token of up to 256 characters is read; a longer one is skipped', async () => {
  const longest = `x1${'y'.repeat(254)}`;
  expect((await read(`find ${longest}`)).exact).toEqual([longest]);
  expect((await read(`find ${longest}z`)).exact).toEqual([]);
});
