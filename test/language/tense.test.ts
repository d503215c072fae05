import { describe, expect, test } from 'vitest';
import { windowsOf } from '../query/parse/support.js';

const WEDNESDAY = new Date('2026-11-25T12:00:00Z');
const SUNDAY = new Date('2026-11-29T12:00:00Z');

const SATURDAY = { last: '2026-11-21..2026-11-21', next: '2026-11-28..2026-11-28' };
const WEEKEND = { last: '2026-11-21..2026-11-22', next: '2026-11-28..2026-11-29' };
const DECEMBER = { last: '2025-12-01..2025-12-31', next: '2026-12-01..2026-12-31' };
const FIFTH = { last: '2025-12-05..2025-12-05', next: '2026-12-05..2026-12-05' };

const PAST: Readonly<Record<string, readonly string[]>> = {
  [SATURDAY.last]: [
    'where did Mo park the van on Saturday?',
    'Wo hat Mo den Bus am Samstag geparkt?',
    'Où avons-nous garé la camionnette samedi ?',
    '¿Dónde estuvo Mo el sábado?',
    'Onde estivemos no sábado?',
    'Chi è venuto sabato?',
    'Wie heeft er zaterdag gebeld?',
    'Где мы были в субботу?',
    '土曜日に何を食べた？',
    '周六去了哪里？',
  ],
  [WEEKEND.last]: [
    'what did Mo cook at the weekend?',
    'Was haben wir am Wochenende gekocht?',
    '¿Qué hicimos el fin de semana?',
    'O que fizemos no fim de semana?',
    'Cosa abbiamo cucinato nel fine settimana?',
    'Wat hebben we in het weekend gekookt?',
    'Что мы готовили в выходные?',
    '週末に何をしましたか？',
    '周末做了什么？',
  ],
};

const AHEAD: Readonly<Record<string, readonly string[]>> = {
  [DECEMBER.next]: [
    'which appointments do I have in December?',
    'Welche Termine habe ich im Dezember?',
    'Quels rendez-vous ai-je en décembre ?',
    '¿Qué citas tengo en diciembre?',
    'Quais consultas tenho em dezembro?',
    'Quali appuntamenti ho a dicembre?',
    'Welke afspraken heb ik in december?',
    'Что будет в декабре?',
    '12月の予定は何ですか？',
    '12月要去哪里？',
  ],
  [FIFTH.next]: [
    'what happens on 5 December?',
    'Was passiert am 5. Dezember?',
    'Que se passe-t-il le 5 décembre ?',
    '¿Qué pasa el 5 de diciembre?',
    'O que acontece no dia 5 de dezembro?',
    'Cosa succede il 5 dicembre?',
    'Wat gebeurt er op 5 december?',
    '12月5日に何がありますか？',
  ],
  [SATURDAY.next]: [
    'which meeting is on Saturday?',
    'Wer kommt am Samstag?',
    'Qui vient samedi ?',
    '¿Quién viene el sábado?',
    'Quem vem no sábado?',
    'Chi viene sabato?',
    'Wie komt er zaterdag?',
  ],
  [WEEKEND.next]: ['what is planned for the weekend?', 'Was ist am Wochenende los?'],
};

const UNSAID: readonly (readonly [keyof typeof BOTH, readonly string[]])[] = [
  [
    'December',
    [
      'appointments in December',
      'Termine im Dezember',
      'rendez-vous en décembre',
      'citas en diciembre',
      'consultas em dezembro',
      'appuntamenti a dicembre',
      'afspraken in december',
      'встречи в декабре',
      '12月の会議',
      '12月的会议',
    ],
  ],
  ['Saturday', ['choir on Saturday', 'Chor am Samstag', 'кто в субботу?', '周六谁来？']],
  // "From" may be of the past, whatever the verb.
  ['December', ['Was steht in den Notizen vom Dezember?']],
  // Said on a Wednesday, the weekend of this week is not over.
  [
    'weekend',
    ['what did Mo do this weekend?', 'Was haben wir dieses Wochenende gemacht?', 'Wat hebben we dit weekend gedaan?'],
  ],
];
const BOTH = { December: DECEMBER, Saturday: SATURDAY, weekend: WEEKEND };

const cases = (said: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(said).flatMap(([window, questions]) => questions.map((question) => [question, window] as const));

describe('a time that recurs, asked on a Wednesday', () => {
  test.each(cases(PAST))('the past tense means the last one: %s', async (question, window) => {
    expect(await windowsOf(question, WEDNESDAY)).toEqual([window]);
  });

  test.each(cases(AHEAD))('the present tense looks forward: %s', async (question, window) => {
    expect(await windowsOf(question, WEDNESDAY)).toEqual([window]);
  });

  test.each(UNSAID.flatMap(([name, questions]) => questions.map((question) => [question, name] as const)))(
    'without a tense it is the nearest on both sides: %s',
    async (question, name) => {
      expect(await windowsOf(question, WEDNESDAY)).toEqual([BOTH[name].last, BOTH[name].next]);
    },
  );
});

test('on a Sunday, the weekend of the past tense is this one or the last', async () => {
  for (const question of ['what did Mo cook at the weekend?', 'Was haben wir am Wochenende gekocht?'])
    expect(await windowsOf(question, SUNDAY), question).toEqual([WEEKEND.last, WEEKEND.next]);
});

test('a bound without a tense has one window', async () => {
  expect(await windowsOf('tasks until December', WEDNESDAY)).toEqual(['..2025-12-31']);
});
