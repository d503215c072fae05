import { expect, test } from 'vitest';
import { detectLanguageGroup, type LanguageGroup } from '../../src/language/language-group.js';

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
