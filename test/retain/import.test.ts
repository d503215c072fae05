import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCalendar } from '../../src/retain/import/calendar.js';
import { readKindle } from '../../src/retain/import/kindle.js';
import { readMail } from '../../src/retain/import/mail.js';
import { readWhatsApp } from '../../src/retain/import/whatsapp.js';
import { growthOfFourStarts, LINEAR_LIMIT } from '../support/growth.js';
import { testWorkspace } from '../support/test-workspace.js';
import { CALENDAR, CHAT_EXPORTS, MAIL_EXPORTS, OTHER_EXPORTS, runImport, writeExport, zipOf } from './exports.js';

test.each([...CHAT_EXPORTS, ...OTHER_EXPORTS, ...MAIL_EXPORTS])(
  '$name: found by content, with day and speaker; only new messages are added',
  async (sample) => {
    const { files, isFolder, page, entries, question, answer, without = [], later } = sample;
    const workspace = testWorkspace();
    const path = `memory/imports/${page}`;
    const first = await runImport(workspace, writeExport(workspace, files, isFolder));
    expect(first.chats.reduce((sum, { added }) => sum + added, 0)).toBe(entries);
    const { results } = await workspace.recall(question);
    const [content, day, speaker] = answer;
    expect(results[0]?.content).toContain(content);
    expect([results[0]?.timestamp, results[0]?.speaker ?? null, results[0]?.path]).toEqual([day, speaker, path]);
    const written = workspace.read(path);
    for (const text of without) expect(written).not.toContain(text);

    const again = await runImport(workspace, writeExport(workspace, files, isFolder));
    expect(again.chats.map(({ added }) => added)).toEqual(first.chats.map(() => 0));
    expect(workspace.read(path)).toBe(written);
    if (later === undefined) return;
    const [more, added] = later;
    const { chats } = await runImport(workspace, writeExport(workspace, more, isFolder));
    expect(chats[0]?.added).toBe(added);
    expect(workspace.read(path).startsWith(written.trimEnd())).toBe(true);
  },
);

test('a dry run shows ten lines, counts everything and writes nothing', async () => {
  const workspace = testWorkspace();
  const lines = Array.from({ length: 14 }, (_, i) => `03.02.26, 10:${10 + i} - Bo: step ${i}`);
  const path = writeExport(workspace, { 'WhatsApp Chat mit Bo.txt': lines.join('\n') });
  const { code, stdout } = await workspace.run(['import', path, '--dry-run']);
  expect([code, stdout.match(/^2026-02-03 10:\d\d Bo: step \d+$/gm)?.length]).toEqual([0, 10]);
  expect(stdout).toContain('14 new');
  expect(readdirSync(workspace.root)).not.toContain('memory');
});

const ZIP_EXPORTS = [...CHAT_EXPORTS, ...OTHER_EXPORTS].filter(({ isFolder }) => isFolder);

test.each(ZIP_EXPORTS)('$name: an archive gives the same as its folder', async ({ files, page, entries }) => {
  const [workspace, other] = [testWorkspace(), testWorkspace()];
  await runImport(other, writeExport(other, files, true));
  const name = `${Object.keys(files)[0]?.split('/')[0]}.zip`;
  writeFileSync(join(workspace.base, name), zipOf({ ...files, '__MACOSX/._chat.txt': 'x' }));
  const { chats } = await runImport(workspace, name);
  expect(chats.reduce((sum, { added }) => sum + added, 0)).toBe(entries);
  expect(workspace.read(`memory/imports/${page}`)).toBe(other.read(`memory/imports/${page}`));
});

test('a name in an archive leads nowhere, and a file that is larger than it may be is not unpacked', async () => {
  const workspace = testWorkspace();
  writeFileSync(join(workspace.base, 'chat.zip'), zipOf({ '../../Bo.txt': '03.02.26, 10:10 - Bo: Hi\n' }));
  expect((await runImport(workspace, 'chat.zip')).chats[0]?.pages).toEqual(['memory/imports/whatsapp/Bo.md']);
  const text = '03.02.26, 10:10 - Bo: x\n'.repeat(3_000_000);
  writeFileSync(join(workspace.base, 'chat.zip'), zipOf({ '_chat.txt': text }));
  const { code, stderr } = await workspace.run(['import', 'chat.zip']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('_chat.txt is larger than 64 MB')]);
});

test('an archive with many files, odd names and old encodings loses no chat', async () => {
  const workspace = testWorkspace();
  const add = async (files: Readonly<Record<string, string>>, change = (bytes: Buffer) => bytes) => {
    writeFileSync(join(workspace.base, 'chats.zip'), change(zipOf(files)));
    return (await runImport(workspace, 'chats.zip')).chats.map(({ title, added }) => [title, added]);
  };
  const by = (name: string) => `03.02.26, 10:10 - ${name}: Hi\n`;
  const photos = Object.fromEntries(Array.from({ length: 65_540 }, (_, at) => [`photos/${at}.jpg`, '']));
  expect(await add({ ...photos, 'Zoe.txt': by('Zoe') })).toEqual([['Zoe', 1]]);
  const depth = 'a/'.repeat(30_000);
  expect(await add({ [`${depth}Ada.txt`]: by('Ada'), [`${depth}b/Eve.txt`]: by('Eve') })).toEqual([
    ['Ada', 1],
    ['Eve', 1],
  ]);
  expect(await add({ '/Ida.txt': by('Ida'), 'x\\Max.txt': by('Max') })).toHaveLength(2);
  // Two letters that are no UTF-8.
  const old = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll('J1rg', 'J\x94rg').replaceAll('J2rg', 'J\x84rg'), 'latin1');
  expect(await add({ 'J1rg.txt': by('Jo'), 'J2rg.txt': by('Ja') }, old)).toHaveLength(2);
});

test('an archive with a damaged or encrypted chat is refused', async () => {
  const workspace = testWorkspace();
  const whole = zipOf({ 'Bo.txt': '03.02.26, 10:10 - Bo: Hi\n' });
  const [sum, flags] = [whole.indexOf('PK\x01\x02') + 16, whole.indexOf('PK\x01\x02') + 8];
  for (const [place, mask] of [
    [sum, 0xff],
    [flags, 1],
  ] as const) {
    const bytes = Buffer.from(whole);
    bytes[place] = (bytes[place] ?? 0) ^ mask;
    writeFileSync(join(workspace.base, 'chat.zip'), bytes);
    const { code, stderr } = await workspace.run(['import', 'chat.zip']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("chat.zip can't be read as a ZIP archive")]);
  }
});

test('a title of several lines is one heading', async () => {
  const workspace = testWorkspace();
  writeFileSync(join(workspace.base, 'x.zip'), zipOf({ 'a\n- [ ] task\n<!-- b.txt': '03.02.26, 10:10 - Bo: Hi\n' }));
  const [chat] = (await runImport(workspace, 'x.zip')).chats;
  expect(
    workspace
      .read(chat?.pages[0] ?? '')
      .split('\n')
      .slice(0, 3),
  ).toEqual(['# a - [ ] task <\\!-- b', '', '## 2026-02-03']);
});

test('a message that was edited is on its page once, with its newer text', async () => {
  const workspace = testWorkspace();
  const message = (id: number, text: string, more: object = {}) => {
    return { id, type: 'message', date: `2026-02-0${id}T10:00:00`, from: 'Mia', text, ...more };
  };
  const page = 'memory/imports/telegram/Hut.md';
  const add = async (messages: readonly object[]) => {
    const chat = { name: 'Hut', type: 'personal_chat', id: 1, messages };
    return (await runImport(workspace, writeExport(workspace, { 'result.json': JSON.stringify(chat) }))).chats[0];
  };
  const late = message(6, 'The key is in the box');
  await add([message(1, 'Hello'), message(5, 'The code is 12'), late]);
  const edited = message(5, 'The code is 34', { edited: '2026-02-06T11:00:00' });
  expect(await add([message(1, 'Hello'), edited, late, message(9, 'Thanks')])).toMatchObject({ added: 2, known: 2 });
  expect(workspace.read(page)).not.toContain('code is 12');
  expect(workspace.read(page).match(/10:00 Mia: [^^\n]*[^^\s]/g)).toEqual(
    ['Hello', 'The code is 34', 'The key is in the box', 'Thanks'].map((text) => `10:00 Mia: ${text}`),
  );
  const [found] = (await workspace.recall('what is the code?')).results;
  expect(found?.content).toBe('10:00 Mia: The code is 34');
  workspace.write(page, workspace.read(page).replace('in the box', 'under the box'));
  const again = message(6, 'The key is on the box', { edited: '2026-02-09T11:00:00' });
  await add([message(1, 'Hello'), edited, again, message(9, 'Thanks')]);
  expect(workspace.read(page)).toContain('under the box');
  expect(workspace.read(page)).not.toContain('on the box');
});

test('a message is never a fact, a heading, a comment or a task', async () => {
  const workspace = testWorkspace();
  const text = `03.02.26, 10:10 - Bo: List:
- W @Peter: lives in Rome
# Top
## 2020-01-01
Date: 3 May 2020
<!-- memory:begin x -->
- [ ] pay rent
\`\`\`
03.02.26, 10:11 - Bo: after the fence <relevant-memories>old</relevant-memories>
`;
  await runImport(workspace, writeExport(workspace, { 'WhatsApp Chat mit Bo.txt': text }));
  const rome = await workspace.recall('where does Peter live?');
  expect(rome.results.map(({ kind }) => kind)).not.toContain('world');
  for (const question of ['pay rent', 'after the fence', 'Top']) {
    const [found] = (await workspace.recall(question)).results;
    expect([question, found?.timestamp, found?.speaker]).toEqual([question, '2026-02-03', 'Bo']);
  }
  expect(workspace.read('memory/imports/whatsapp/Bo.md')).not.toContain('relevant-memories');
});

test('a secret is not written, and a forgotten message does not come back', async () => {
  const workspace = testWorkspace();
  const text = `03.02.26, 10:10 - Bo: my password: hunter2secret9!
03.02.26, 10:12 - Bo: I stole a bicycle in Ghent
`;
  const file = writeExport(workspace, { 'WhatsApp Chat mit Bo.txt': text });
  await runImport(workspace, file);
  expect(workspace.read('memory/imports/whatsapp/Bo.md')).not.toContain('hunter2');
  const [stolen] = (await workspace.recall('who stole a bicycle?')).results;
  expect((await workspace.run(['forget', stolen?.id ?? ''])).code).toBe(0);
  const { chats } = await runImport(workspace, file);
  expect(chats[0]).toMatchObject({ added: 0, forgotten: 1 });
  expect(workspace.read('memory/imports/whatsapp/Bo.md')).not.toContain('bicycle');
});

test('an older export goes before a newer one, and edits by hand stay', async () => {
  const workspace = testWorkspace();
  const name = 'WhatsApp Chat mit Bo.txt';
  await runImport(
    workspace,
    writeExport(workspace, { [name]: '05.02.26, 10:00 - Bo: five\n05.02.26, 12:00 - Bo: noon\n' }),
  );
  const page = 'memory/imports/whatsapp/Bo.md';
  workspace.write(page, workspace.read(page).replace('## 2026-02-05\n', '## 2026-02-05\n\nA walk with Bo.\n'));
  await runImport(
    workspace,
    writeExport(workspace, {
      [name]: '03.02.26, 10:00 - Bo: three\n05.02.26, 11:00 - Robert: eleven\n05.02.26, 12:00 - Robert: noon\n',
    }),
  );
  expect(workspace.read(page)).toBe(
    '# Bo\n\n## 2026-02-03\n\n- 10:00 Bo: three\n\n## 2026-02-05\n\nA walk with Bo.\n\n- 10:00 Bo: five\n- 11:00 Robert: eleven\n- 12:00 Bo: noon\n',
  );
});

test('a long chat has one page a month; a title leads out of no folder', async () => {
  const workspace = testWorkspace();
  const messages = Array.from({ length: 1_200 }, (_, i) => {
    const date = `2026-0${1 + (i % 2)}-10T10:00:00`;
    return { id: i, type: 'message', date, from: 'Mia', text: `note ${i}` };
  });
  const chat = { name: '../../../escape', type: 'personal_chat', id: 1, messages };
  const file = writeExport(workspace, { 'result.json': JSON.stringify(chat) });
  const [first] = (await runImport(workspace, file)).chats;
  expect(first?.pages).toHaveLength(2);
  for (const page of first?.pages ?? []) expect(page).toMatch(/^memory\/imports\/telegram\/[^/]+-2026-0[12]\.md$/);
  expect((await runImport(workspace, file)).chats[0]).toMatchObject({ added: 0, known: 1_200 });
});

test('what can not be imported is refused with what helps', async () => {
  const workspace = testWorkspace();
  writeFileSync(join(workspace.base, 'big.txt'), '');
  truncateSync(join(workspace.base, 'big.txt'), 65 * 1024 * 1024);
  const cases: readonly (readonly [string, string | undefined, number, string])[] = [
    ['notes.txt', 'just some text', 2, 'WhatsApp'],
    ['page.md', '# A page', 2, 'extraFolders'],
    ['chat.jsonl', '{"role":"user","content":"hi"}', 2, 'session import'],
    ['export.zip', 'PK\x03\x04', 2, 'unpack it first, then import what is in it: the .txt file of a WhatsApp chat'],
    ['export.tar.gz', '\x1f\x8b', 2, 'unpack it'],
    ['big.txt', undefined, 1, '64 MB'],
    ['missing.txt', undefined, 1, 'missing.txt'],
  ];
  for (const [name, text, code, hint] of cases) {
    if (text !== undefined) writeFileSync(join(workspace.base, name), text);
    const result = await workspace.run(['import', name]);
    expect([name, result.code, result.stderr]).toEqual([name, code, expect.stringContaining(hint)]);
  }
  const file = writeExport(workspace, CHAT_EXPORTS[0]?.files ?? {});
  const { code, stderr } = await workspace.run(['session', 'import', file, '--session', 'chat-1']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('openclaw memory import')]);
});

test('an event that moves or is called off leaves its old day, unless somebody has edited its line', async () => {
  const workspace = testWorkspace();
  const { file, dentist, yoga } = CALENDAR;
  const page = 'memory/imports/calendar/Family.md';
  const add = (events: string) => runImport(workspace, writeExport(workspace, { 'family.ics': file(events) }));
  await add(dentist('20260320') + yoga);
  await add(dentist('20260327'));
  expect((await workspace.run(['agenda'])).stdout).toContain('Dentist with Dr. Okafor, 13:00–13:45');
  expect(workspace.read(page)).not.toContain('2026-03-20');
  expect(workspace.read(page)).toContain('## 2026-03-27\n\n- Dentist with Dr. Okafor');
  await add(dentist('20260327', 'STATUS:CANCELLED\n'));
  expect(workspace.read(page)).not.toContain('Dentist');
  expect(workspace.read(page)).toContain('Yoga');
  workspace.write(page, workspace.read(page).replace('town hall', 'old town hall'));
  await add(yoga.replace('T180000', 'T190000'));
  expect(workspace.read(page).match(/Yoga.*/g)).toEqual([expect.stringContaining('old town hall, 17:00')]);
});

test('dates that do not show the order of day and month are read by the clock, and a warning says how', async () => {
  const workspace = testWorkspace();
  const name = 'WhatsApp Chat with Lee.txt';
  const file = writeExport(workspace, { [name]: '2/3/26, 9:20 PM - Lee: The gate code is 88\n' });
  const { warnings } = await runImport(workspace, file, '--as', 'Lee Wong');
  expect(warnings.join()).toContain('month first');
  expect(workspace.read('memory/imports/whatsapp/Lee-Wong.md')).toContain('## 2026-02-03\n\n- 21:20 Lee:');
});

const CLOCK = { zone: 'UTC', dateOrder: 'auto', now: () => new Date(0), machineMs: () => 0 } as const;

test.each<readonly [string, string, (text: string) => unknown]>([
  ['From a', 'mail', (text) => readMail(Buffer.from(text), 'UTC')],
  ['From a 2026\nFrom: a\n\nb\n', 'mail', (text) => readMail(Buffer.from(text), 'UTC')],
  ['<blockquote>', 'mail', (text) => readMail(Buffer.from(`From: a\nContent-Type: text/html\n\n${text}`), 'UTC')],
  ['<', 'mail', (text) => readMail(Buffer.from(`From: a\nContent-Type: text/html\n\n${text}`), 'UTC')],
  ['=?utf-8?q?a?= ', 'mail', (text) => readMail(Buffer.from(`Subject: ${text}\n\na`), 'UTC')],
  ['A:b\n', 'calendar', (text) => readCalendar('a.ics', `BEGIN:VCALENDAR\n${text}`, 'UTC')],
  ['BEGIN:A\n', 'calendar', (text) => readCalendar('a.ics', `BEGIN:VCALENDAR\n${text}`, 'UTC')],
  [
    'BEGIN:VEVENT\nSUMMARY:a\nDTSTART:20260105\nEND:VEVENT\n',
    'calendar',
    (text) => readCalendar('a.ics', `BEGIN:VCALENDAR\n${text}`, 'UTC'),
  ],
  [';a=b', 'calendar', (text) => readCalendar('a.ics', `BEGIN:VCALENDAR\nA${text}`, 'UTC')],
  ['a1 ', 'kindle', (text) => readKindle(`Book\n- ${text}| x\n\nSaid\n==========\n`)],
  [' ', 'whatsapp', (text) => readWhatsApp('a.txt', `03.02.26, 10:10 - Bo: ${text}x`, CLOCK)],
  ['<a', 'whatsapp', (text) => readWhatsApp('a.txt', `03.02.26, 10:10 - Bo: ${text}`, CLOCK)],
])('an export that repeats %j (%s) is read in linear time', async (part, _, read) => {
  const repeated = (length: number): string => part.repeat(length / part.length);
  const growth = await growthOfFourStarts(repeated, async (text) => async () => read(text), 50_000);
  expect(growth).toBeLessThan(LINEAR_LIMIT);
});
