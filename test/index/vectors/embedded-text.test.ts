import { expect, test } from 'vitest';
import type { Day } from '../../../src/base/clock.js';
import type { FoundUnit } from '../../../src/index/search.js';
import { embeddedText, type TextContext } from '../../../src/index/vectors/embedded-text.js';

function unit(text: string, { path = 'bank/entities/Peter.md', day = null as Day | null, key = 5, section = 1 } = {}) {
  const file = { segment: 0, id: 1, path, day, role: 'entity', pageType: null, firstUnit: 1, lastUnit: 9 } as const;
  const found: FoundUnit = {
    key,
    file,
    line: key,
    endLine: key,
    kind: 'entity',
    section,
    text,
    fact: null,
    validFrom: null,
    validTo: null,
    isPeriod: false,
    day: null,
    speaker: null,
    form: 0,
    head: 0,
    series: null,
    detail: null,
  };
  return found;
}

const heading = (text: string) => unit(text, { key: 1 });

/** The context of a unit: its heading and the lines before it, nearest first. */
const under = (above?: FoundUnit, before: readonly string[] = []): TextContext => ({
  unit: (key) => (key === above?.key ? above : undefined),
  before: (_, distance) => before[distance - 1],
  after: () => undefined,
});

test('the title of a line is its page and heading', () => {
  const text = embeddedText(unit('Lives in @Vienna.'), under(heading('Homes')));
  expect(text).toMatchObject({ title: 'Peter: Homes', text: 'Lives in Vienna.' });
});

test('the day of a log and a purely formal heading are not used as a title', () => {
  const log = { path: 'memory/2026-03-14.md', day: '2026-03-14' } as const;
  expect(embeddedText(unit('lives in Vienna', log), under(heading('Retain')))?.title).toBeNull();
  expect(embeddedText(unit('lives in Vienna', log), under(heading('The move')))?.title).toBe('The move');
});

test('headings and lines of fewer than two words get no vector; two Chinese characters suffice', () => {
  expect(embeddedText(heading('The move to Vienna'), under())).toBeUndefined();
  expect(embeddedText(unit('ok'), under())).toBeUndefined();
  expect(embeddedText(unit('---- ****'), under())).toBeUndefined();
  expect(embeddedText(unit('搬家'), under())?.text).toBe('搬家');
});

test('one text under one title has one hash, wherever it occurs', () => {
  const [first, second] = [unit('lives in Vienna', { key: 3 }), unit('lives in Vienna', { key: 4 })];
  expect(embeddedText(first, under(heading('x')))?.hash).toEqual(embeddedText(second, under(heading('x')))?.hash);
  expect(embeddedText(first, under(heading('x')))?.hash).not.toEqual(embeddedText(first, under(heading('y')))?.hash);
});

test('a turn of a conversation is embedded with the two lines before it, and again when they change', () => {
  const log = { path: 'memory/2026-03-14.md', day: '2026-03-14' } as const;
  const said = { ...unit('Anna: three times a week!', log), kind: 'log', speaker: 'Anna' } as const;
  const before = ['Ben: how often do you swim?', 'Anna: I swim in the @Danube'];
  const text = embeddedText(said, under(undefined, before));
  expect(text).toMatchObject({
    text: said.text,
    before: ['Anna: I swim in the Danube', 'Ben: how often do you swim?'],
  });
  expect(embeddedText(said, under())?.hash).not.toEqual(text?.hash);
  expect(embeddedText({ ...said, speaker: null }, under(undefined, before))?.before).toEqual([]);
  expect(embeddedText({ ...said, fact: 'f-1', kind: 'world' }, under(undefined, before))?.before).toEqual([]);
});

test('citations and link addresses are not embedded', () => {
  const links =
    '@Ines: decides with [her auditors](https://example.org/a-b-c/1234567890), see [[notes/Pilot|the pilot]].';
  const citation = ' ([memory/2025-12-15.md#L16](../memory/2025-12-15.md#L16))';
  expect(embeddedText(unit(links + citation), under())?.text).toBe('Ines: decides with her auditors, see the pilot.');
  // An address does not show the language either.
  const address = unit('see [the shop](https://example.org/x/y/z/le/la)');
  expect(embeddedText(address, under())).toMatchObject({ text: 'see the shop', tongue: 'english' });
});

test('texts that differ only in numbers share a vector; tool output gets none', () => {
  const [first, second] = ['backup of 3 files took 12 s', 'backup of 104 files took 9 s'].map((text) => unit(text));
  expect(first && embeddedText(first, under())?.hash).toEqual(second && embeddedText(second, under())?.hash);
  for (const printed of [
    'drwxr-xr-x 2 4096 14:05 ./12/77/3',
    '0x7ffe 0x11aa 00000000 +++ 93%',
    '| 12 | 14.5 | 99 % | ab |',
  ])
    expect(embeddedText(unit(printed), under()), printed).toBeUndefined();
});

test('the title of a line is the headings above it, or else the name of its page', () => {
  const top = { ...unit('Scottish Parliament', { key: 1, path: 'memory/topics/page-0211.md' }), section: 1 };
  const file = { ...top.file, role: 'topic' } as const;
  const line = { ...unit('The committees meet on Tuesdays.', { key: 3 }), file };
  expect(embeddedText(line, under({ ...top, file }))?.title).toBe('Scottish Parliament');
  expect(embeddedText({ ...line, section: null }, under())?.title).toBe('page-0211');
});
