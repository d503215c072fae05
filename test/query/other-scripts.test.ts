import { expect, test } from 'vitest';
import { testWorkspace } from '../support/test-workspace.js';

/** A log in which one of many lines answers. */
function log(line: string, others: readonly string[]): string {
  return `# 2026-02-02\n\n${[...others.slice(0, 4), line, ...others.slice(4)].map((text) => `- ${text}`).join('\n')}\n`;
}

test.each([
  [
    'a Thai sentence',
    'ใครเป็นคนสร้างสะพานแขวนข้ามแม่น้ำ',
    'สะพานแขวนข้ามแม่น้ำถูกสร้างโดยช่างไม้ชื่อสมชาย',
    ['วันนี้ฝนตกหนักมาก', 'แม่ซื้อปลาที่ตลาด', 'รถไฟมาช้าสองชั่วโมง', 'น้องสาวสอบผ่านแล้ว', 'บ้านใหม่อยู่ใกล้โรงเรียน'],
  ],
  [
    'digits that touch Chinese',
    '订单号 7719204 是什么',
    '订单号7719204是给阿姨买的茶壶',
    ['订单号在邮件里', '茶壶很漂亮', '阿姨下周来', '发票已经寄出', '快递员没有打电话'],
  ],
  [
    'a Russian word in another case',
    'Где лежит лопатка для блинов?',
    'Лопатку и сковороду убрали в кладовую.',
    ['Соседи уехали на море.', 'Купили новый чайник.', 'Позвонил мастер.', 'Кот спал весь день.', 'Полили цветы.'],
  ],
  [
    'a German compound in other parts',
    'Welcher Handwerker war im Gästezimmer?',
    'Im Gästeschlafzimmer hat am Montag Klempner Ohlsen die Heizung getauscht.',
    [
      'Der Bus fährt, weiß keiner.',
      'Zuletzt war der Hof gefegt.',
      'Die Post kam spät.',
      'Es befand sich nichts im Fach.',
      'Der Aufzug steht.',
    ],
  ],
  [
    'a Turkish word with other endings',
    'Bisiklet hangi odada duruyor?',
    'Bisikletimizi arka odaya koyduk.',
    [
      'Hangi otobüs geldi bilmiyoruz.',
      'Yağmur bütün gün yağdı.',
      'Ekmek aldık.',
      'Misafirler pazar günü gelecek.',
      'Saat durdu.',
    ],
  ],
  [
    'a question with marks of direction that were copied with it',
    '\u200fأين \u200bالمكتبة\u200f الصغيرة؟',
    'تم نقل الكتب إلى مكتبة صغيرة قرب النهر',
    ['اشترينا الخبز صباحا', 'الجو بارد اليوم', 'وصل القطار متأخرا', 'زرنا جدتي', 'أصلحنا الباب'],
  ],
  [
    'an Arabic word with what is written before it',
    'أين المكتبة الصغيرة؟',
    'تم نقل الكتب إلى مكتبة صغيرة قرب النهر',
    ['اشترينا الخبز صباحا', 'الجو بارد اليوم', 'وصل القطار متأخرا', 'زرنا جدتي', 'أصلحنا الباب'],
  ],
  [
    'a day of a month that is asked about',
    '谁的生日是3月9日？',
    '陈雨的生日是03月09号',
    ['陈雨喜欢蓝色', '王磊的生日是5月1日', '生日蛋糕要提前订', '李想出差了', '下雨没去爬山'],
  ],
])('%s finds its line', async (_, question, line, others) => {
  const workspace = testWorkspace({ 'memory/2026-02-02.md': log(line, others) });
  const { results } = await workspace.recall(question, '--now', '2026-04-01T12:00:00Z');
  expect(results[0]?.content).toBe(line);
});

const PEOPLE = {
  'memory/2025-11-05.md': log('Jonas was born on 17 February 1991', [
    'Oma Hilde hat am 3. Mai Geburtstag',
    "L'anniversaire de Luc est le 8 mars",
    'День рождения Олега 21 апреля',
    'Il compleanno di Marta è il 2 settembre',
    '每年6月1日交保险费',
    '公司周年庆定在9月28日',
    'every 1 April the water meter is read',
    'le 14 juillet il pleut toujours',
  ]),
  'memory/2026-02-17.md': log('walked the dog', ['bread', 'milk', 'tea', 'rain']),
  'memory/2025-05-03.md': log('went to the market', ['bread', 'milk', 'tea', 'rain']),
  'memory/2025-07-14.md': log('réunion avec la banque', ['pain', 'lait', 'thé', 'pluie']),
  'bank/people.md': '# People\n\n- Ines sows tomatoes on 25 March\n',
};

test.each([
  ['whose birthday is on 17 February?', 'Jonas was born on 17 February 1991'],
  ['wer hat am 3. Mai Geburtstag?', 'Oma Hilde hat am 3. Mai Geburtstag'],
  ['Qui est né le 8 mars ?', "L'anniversaire de Luc est le 8 mars"],
  ['У кого день рождения 21 апреля?', 'День рождения Олега 21 апреля'],
  ['Di chi è il compleanno il 2 settembre?', 'Il compleanno di Marta è il 2 settembre'],
  ['6月1日要交什么？', '每年6月1日交保险费'],
  ['9月28号是什么日子？', '公司周年庆定在9月28日'],
  ['what is read on 1 April?', 'every 1 April the water meter is read'],
  ['what does Ines sow on 25 March?', 'Ines sows tomatoes on 25 March'],
])('a yearly day is found wherever it is written: %s', async (question, line) => {
  const workspace = testWorkspace(PEOPLE);
  const { results, warnings } = await workspace.recall(question, '--now', '2026-03-20T12:00:00Z');
  expect(results[0]?.content).toBe(line);
  expect(warnings).toEqual([]);
});

test('a day alone finds lines of that day and lines that mention it', async () => {
  const { results } = await testWorkspace(PEOPLE).recall('le 14 juillet');
  const found = results.map(({ content }) => content);
  expect(found).toContain('réunion avec la banque');
  expect(found).toContain('le 14 juillet il pleut toujours');
});

test.each([
  ['がま口はどこ', 'がま口を机に入れた', 'かまぼこを食べた'],
  ['カギはどこ', 'ｶｷﾞは机の上', 'カキは海の中'],
  ['パズル', 'パズルを買った', 'バスを待った'],
  ['고양이 사료', '고양이 사료는 베란다에 있다', '강아지는 산책을 좋아한다'],
  ['Chìa khóa tủ', 'Chìa khóa tủ nằm trong hộp', 'Bánh mì ở tiệm'],
])('%s is found in any composition of its marks', async (question, line, other) => {
  for (const form of ['NFC', 'NFD'] as const) {
    const workspace = testWorkspace({
      'memory/2026-02-02.md': log(line.normalize(form), [other, 'rain', 'bread', 'soup', 'a letter']),
    });
    for (const asked of [question, question.normalize('NFD')]) {
      const { results } = await workspace.recall(asked);
      expect(results[0]?.content).toBe(line.normalize(form));
    }
  }
});

test('a speaker’s words about himself come before his words to another', async () => {
  const lines = [
    'Ines: Your sailing course sounds great, well done!',
    'Ben: Thanks!',
    'Ines: I finished my sailing course, too.',
  ];
  const workspace = testWorkspace({
    'memory/2026-02-02.md': `# Talk\n\n${lines.map((line) => `${line}\n`).join('\n')}`,
  });
  const { results } = await workspace.recall('What about the sailing course of Ines?');
  expect(results[0]?.content).toBe(lines[2]);
});

test('an inflected word is not taken for a misspelling', async () => {
  const workspace = testWorkspace({ 'memory/2026-02-02.md': '- Лопатку убрали в кладовую.\n- Купили новый чайник.\n' });
  const { warnings, results } = await workspace.recall('Где лежит лопатка?');
  expect(results[0]?.content).toContain('Лопатку');
  expect(warnings).toEqual([]);
});

test.each([
  ['Fussboden', 'der Fußboden ist frisch geölt'],
  ['Strauße', 'zwei Strausse standen am Zaun'],
  ['Ölofen', 'der Oelofen im Keller raucht'],
  ['Oelmühle', 'die Ölmühle hat montags zu'],
  ['龙凤', '櫃子上刻著龍鳳'],
  ['鐘錶', '他修了三十年钟表'],
  ['かめら', '赤いカメラを落とした'],
  ['トンボ', 'とんぼが窓に止まった'],
  ['كبير', 'البيت الكبير عند الجسر'],
])('%s finds its other spelling, even beside lines with its own', async (question, line) => {
  const workspace = testWorkspace({
    'memory/2026-02-02.md': log(line, [question, 'rain all day', 'bread and soup', 'the train was late', 'a letter']),
  });
  const { results } = await workspace.recall(question);
  expect(results.map(({ content }) => content)).toContain(line);
});
