import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLanguageGroup, type LanguageGroup } from '../../src/language/language-group.js';
import {
  BASIC_CJK_RANGES,
  COMMON_LETTER_RANGES,
  foldText,
  readBigrams,
  splitByScript,
  UNSPACED_SCRIPT_RANGES,
} from '../../src/language/scripts.js';
import { readComparisons } from '../../src/language/statements/comparison.js';
import { isNegation, splitAtNegations } from '../../src/language/words/stop.js';
import { readFoldedWords, readStatementTerms } from '../../src/language/words/terms.js';
import { toSimplified } from '../../src/language/words/traditional.js';

const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
const mixed = fc
  .array(fc.constantFrom('Redis', ' ', '使用', 'キャッシュ', '회의', 'ภาษา', '3.5', '，', 'ö', '𠮷'), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('scripts', () => {
  const oracle = {
    CJK: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]/u,
    UNSPACED:
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u,
  };

  test.each([
    ['CJK', BASIC_CJK_RANGES, 0xffff],
    ['UNSPACED', UNSPACED_SCRIPT_RANGES, 0x10ffff],
  ] as const)(
    'the ranges of %s agree with Unicode for every letter that folding leaves unchanged',
    (name, ranges, last) => {
      const pattern = new RegExp(`[${ranges}]`, 'u');
      const wrong: string[] = [];
      for (let point = 0x80; point <= last; point++) {
        const character = String.fromCodePoint(point);
        if (!/\p{L}/u.test(character) || foldText(character) !== character) continue;
        if (pattern.test(character) !== oracle[name].test(character)) wrong.push(point.toString(16));
      }
      expect(wrong).toEqual([]);
    },
  );

  test('common letters are letters and digits in Unicode', () => {
    const common = new RegExp(`[${COMMON_LETTER_RANGES}]`);
    const characters = Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point));
    expect(characters.filter((one) => common.test(one) && !/[\p{L}\p{N}]/u.test(one))).toEqual([]);
  });

  test('the runs of a text join to the text, and neighbours differ in kind', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mixed), (text) => {
        const runs = splitByScript(text);
        expect(runs.map((run) => run.text).join('')).toBe(text);
        for (const [i, run] of runs.entries()) expect(run.isUnspaced).not.toBe(runs[i + 1]?.isUnspaced);
      }),
    );
  });

  test('a run of n characters has n - 1 bigrams; a single character is its own', () => {
    expect(readBigrams('数据库')).toEqual(['数据', '据库']);
    expect(readBigrams('𠮷野家')).toEqual(['𠮷野', '野家']);
    expect(readBigrams('库')).toEqual(['库']);
    expect(readBigrams('')).toEqual([]);
  });
});

describe('terms', () => {
  test.each([
    ['使用Redis做缓存', ['使用', 'redis', '做缓', '缓存']],
    ['Postgres 8.0 and ports 80:443', ['postgres', '8.0', 'and', 'ports', '80:443']],
    ['我們喜歡咖啡', ['我们', '们喜', '喜欢', '欢咖', '咖啡']],
  ])('the words of %s', (text, expected) => expect(readFoldedWords(text)).toEqual(expected));

  test.each([
    ['She lives with her brothers in the old houses', ['live', 'brother', 'old', 'hous']],
    ['Café Zürich', ['cafe', 'zurich']],
  ])('the terms of "%s" are stems without stop words', (text, expected) =>
    expect(readStatementTerms(text)).toEqual(expected),
  );
});

describe('negations', () => {
  test.each(['not', "don't", 'nobody', 'nicht', 'keine', 'geen', 'jamais', 'nunca', 'não', 'нет'])('%s', (word) =>
    expect(isNegation(word)).toBe(true),
  );

  test.each([
    ['不要使用', 2],
    ['没有备份', 2],
    ['沒有備份', 2],
    ['未完成', 2],
    ['使わない', 2],
    ['사용하지 않', 2],
    // Words that only look like a negation.
    ['不同的端口', 1],
    ['不久以后', 1],
    ['差不多了', 1],
    ['未来计划', 1],
    ['没关系', 1],
    ['茶不如咖啡', 1],
  ])('a negation splits %s into %i parts', (text, parts) => expect(splitAtNegations(text)).toHaveLength(parts));
});

describe('comparisons', () => {
  const first = (text: string) => {
    const [found] = readComparisons(text);
    return found && { better: found.better.trim(), worse: found.worse.trim() };
  };

  test.each([
    ['likes tea more than coffee', 'likes tea', 'coffee'],
    ['prefers trains to planes', 'prefers trains', 'planes'],
    ['would rather cycle than drive', 'would rather cycle', 'drive'],
    ['Ruff works better for us than Flake8', 'Ruff works', 'Flake8'],
    ['likes buses less than trams', 'trams', 'likes buses'],
    ['finds the old office worse than the new one', 'the new one', 'finds the old office'],
    ['The new build is not as fast as the old one', 'the old one', 'The new build is'],
    ['instead of MySQL, the team took Postgres', 'the team took Postgres', 'MySQL'],
    ['觉得茶比咖啡更好', '觉得茶', '咖啡'],
    ['咖啡不如茶', '茶', '咖啡'],
    ['与其坐飞机不如坐火车', '坐火车', '坐飞机'],
    ['喜欢茶胜过咖啡', '喜欢茶', '咖啡'],
  ])('%s', (text, better, worse) => expect(first(text)).toEqual({ better, worse }));

  test.each([
    'uses more than 3 servers',
    'takes more than an hour',
    'wants better tools',
    '比较喜欢茶',
    '看了比赛，感觉很好',
    'went to Vienna',
  ])('%s is not a comparison', (text) => expect(first(text)).toBeUndefined());
});

test('traditional characters become simplified in place, and nothing else changes', () => {
  expect(toSimplified('最後一次發佈是什麼時候？ Redis')).toBe('最后一次发布是什么时候？ Redis');
  fc.assert(
    fc.property(fc.oneof(anyText, mixed), (text) => {
      expect(toSimplified(text)).toHaveLength(text.length);
      expect(toSimplified(toSimplified(text))).toBe(toSimplified(text));
    }),
  );
});

test('every combining mark of Unicode is removed from a word after any letter, except the voicing marks of kana', () => {
  const marks = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    /^\p{Mn}$/u.test(sign),
  );
  const [left, voicing] = [marks.filter((mark) => !/[\u3099\u309a]/.test(mark)), ['\u3099', '\u309a']];
  const wrong = left.filter((mark) => ['e', 'ж', 'か', 'ก', '🦆'].some((letter) => foldText(letter + mark) !== letter));
  expect(wrong).toEqual([]);
  for (const mark of voicing) expect(foldText(`か${mark}`)).toBe(`か${mark}`.normalize('NFKC'));
});

test.each<readonly [LanguageGroup, string]>([
  ['english', 'Fixed login bug, deployed v2.3'],
  ['english', 'We had coffee at the café in Zürich and talked about the trip'],
  ['english', 'Redis TTL 300'],
  ['english', ''],
  ['latin', 'Der Heizkessel wurde gestern gewartet'],
  ['latin', '¿Dónde está la llave del garaje?'],
  ['latin', 'Cuộc họp được dời sang thứ hai'],
  ['latin', 'Toplantı salı gününe ertelendi, öğretmen gelmedi'],
  ['han', '使用Redis集群，端口6380'],
  ['han', '王伟把备份移到了新机器'],
  ['kana', '会議は来週の火曜日に延期された'],
  ['hangul', '회의가 다음 주 화요일로 연기되었다'],
  ['thai', 'ประชุมเลื่อนไปวันอังคาร'],
  ['cyrillic', 'Встречу перенесли на вторник, сервер Redis работает'],
  ['arabic', 'تم تأجيل الاجتماع إلى يوم الثلاثاء'],
  ['other', 'Η συνάντηση αναβλήθηκε για την Τρίτη'],
])('the language group is %s: %s', (tongue, text) => {
  expect(detectLanguageGroup(text)).toBe(tongue);
});

test.each<readonly [LanguageGroup, string, string]>([
  ['latin', 'Greta nimmt 50 mg Atenolol', 'Der Arzt war heute da.\nSie hat keine Schmerzen'],
  ['latin', 'Fiets gestolen', 'Wij waren gisteren in de stad'],
  ['english', 'Redis TTL 300', 'The cache was full\nWe raised it'],
  ['english', 'The key hangs behind the boiler', 'Der Arzt war heute da'],
  ['cyrillic', 'Кот спит', 'Der Arzt war heute da'],
])('the language group is %s if the neighbouring text shows it: %s', (tongue, text, beside) => {
  expect(detectLanguageGroup(text, beside)).toBe(tongue);
});
