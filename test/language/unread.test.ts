import { expect, test } from 'vitest';
import { findUnsupportedTime } from '../../src/language/time/cue.js';
import type { RecallAnswer } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';

test.each([
  ['어제 뭐 했어?', '어제'],
  ['어제는 누구를 만났지?', '어제'],
  ['지난주에 결정한 것은?', '지난주'],
  ['Hôm qua tôi đã làm gì?', 'Hôm qua'],
  ['Tuần trước chúng ta quyết định gì?', 'Tuần trước'],
  ['เมื่อวานทำอะไร', 'เมื่อวาน'],
  ['เราตัดสินใจอะไรสัปดาห์ที่แล้ว', 'สัปดาห์ที่แล้ว'],
  ['ماذا فعلت أمس؟', 'أمس'],
  ['ماذا قررنا الأسبوع الماضي؟', 'الأسبوع الماضي'],
  ['מה עשיתי אתמול?', 'אתמול'],
  ['מה החלטנו בשבוע שעבר?', 'בשבוע שעבר'],
  ['मैंने कल क्या किया?', 'कल'],
  ['पिछले हफ्ते क्या हुआ?', 'पिछले हफ्ते'],
  ['Dün ne yaptım?', 'Dün'],
  ['Geçen hafta neye karar verdik?', 'Geçen hafta'],
  ['Co robiłem wczoraj?', 'wczoraj'],
  ['Co ustaliliśmy w zeszłym tygodniu?', 'zeszłym tygodniu'],
  ['Vad gjorde jag igår?', 'igår'],
  ['Vad bestämde vi förra veckan?', 'förra veckan'],
  ['Що я робив вчора?', 'вчора'],
  ['Що ми вирішили минулого тижня?', 'минулого тижня'],
  ['Apa yang saya lakukan kemarin?', 'kemarin'],
  ['Τι έκανα χθες;', 'χθες'],
  ['Ποιον είδα την περασμένη εβδομάδα;', 'περασμένη εβδομάδα'],
  ['Ce am făcut alaltăieri?', 'alaltăieri'],
  ['Pe cine am văzut luna trecută?', 'luna trecută'],
  ['Mitä tein eilen?', 'eilen'],
  ['Kenet tapasin viime viikolla?', 'viime viikolla'],
  ['Mit csináltam tegnapelőtt?', 'tegnapelőtt'],
  ['Kivel találkoztam múlt héten?', 'múlt héten'],
])('%s names a time that is not read', (question, time) => expect(findUnsupportedTime(question)).toBe(time));

test.each([
  'what did we decide?',
  'Igarka is a town',
  'the dagger',
  'オクルカル',
  'आजकल की खबर',
  'Kollegen in Dünkirchen',
  '오늘날의 기술'.slice(3),
])('%s names no time', (question) => expect(findUnsupportedTime(question)).toBeUndefined());

test('an answer warns that it cannot read a time of the question and searched all days', async () => {
  const workspace = testWorkspace({ 'memory/2026-03-14.md': '## Retain\n- W @Peter: 데이터베이스 서버를 옮겼다\n' });
  const { warnings } = await workspace.json<RecallAnswer>(['recall', '어제 데이터베이스']);
  expect(warnings).toEqual(['the time "어제" is not understood; all days were searched']);
  const given = await workspace.json<RecallAnswer>(['recall', '어제 데이터베이스', '--since', '2026-03-01']);
  expect(given.warnings).toEqual([]);
});
