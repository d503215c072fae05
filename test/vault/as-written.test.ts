import { expect, test } from 'vitest';
import type { GetAnswer } from '../../src/query/get.js';
import type { RecallResult } from '../../src/query/request.js';
import { testWorkspace } from '../support/test-workspace.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const VAULT = "{ extraFolders: ['.'] }";

async function first(workspace: TemporaryWorkspace, question: string): Promise<RecallResult | undefined> {
  return (await workspace.recall(question)).results[0];
}

test.each([
  ["Anna's phone", 'Anna.md#L4', 'phone: 0664 777'],
  ['phone:: 0664 777', 'Anna.md#L4', 'phone: 0664 777'],
  ['birthday: 1980-02-03', 'Anna.md#L5', 'birthday: 1980-02-03'],
  ['Geburtstag von Bertram', 'pages/Bertram.md#L1', 'Geburtstag:: 3. April'],
  ['what is the serial of the boiler?', 'pages/Boiler.md#L3', 'serial:: KX-90/17'],
  ['KX-90/17', 'pages/Boiler.md#L3', 'serial:: KX-90/17'],
  ['lease ends in autumn', 'Flat.md#L3-L4', 'remark: The lease ends in autumn.'],
  ['deposit of the flat', 'Flat.md#L5-L7', 'costs: deposit: 900 rent: 450'],
  ['who painted the flat?', 'Flat.md#L8-L10', 'painted: Orla on a Sunday'],
])('a field answers when its value is asked for: %s', async (question, source, content) => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'Flat.md': [
      '---',
      'tags: [home]',
      'remark: The lease',
      '  ends in autumn.',
      'costs:',
      '  deposit: 900',
      '  rent: 450',
      'painted: >',
      '  Orla on',
      '  a Sunday',
      '---',
      'Third floor.',
      '',
    ].join('\n'),
    'Anna.md': '---\nid: 4711\ncssclass: wide\nphone: 0664 777\nbirthday: 1980-02-03\n---\nPlays the viola.\n',
    'pages/Bertram.md': 'Geburtstag:: 3. April\n\n- sings bass\n',
    'pages/Boiler.md':
      '- made in 1998\n  collapsed:: true\n  serial:: KX-90/17\n  id:: 64b8c1d2-0000-4000-8000-000000000000\n',
    'memory/2026-03-10.md': '- Anna rang twice, Bertram sang, the boiler hums\n',
  });
  expect(await first(workspace, question)).toMatchObject({ source, content });
});

test('machine keys neither answer nor appear beside an answer', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'a.md':
      '---\nid: quagga-1\ncreated-at: quagga\nbg-color: quagga\n---\n- the zoo\n  id:: quagga\n  heading:: quagga\n  text-color:: quagga\n',
  });
  expect((await workspace.recall('quagga')).results).toEqual([]);
  expect((await workspace.recall('zoo')).results.map(({ content }) => content)).toEqual(['the zoo']);
});

test.each([
  ['tip', '> [!tip] Oil it\n> Olive oil gums.\n', 'olive oil', 'Olive oil gums.', 2],
  ['a title', '> [!tip] Oil the zither\n> Weekly.\n', 'zither', 'Oil the zither', 1],
  ['folded', '> [!warning]- Mind the zither\n', 'zither', 'Mind the zither', 1],
  ['in an outline', '- > [!NOTE] Tune the zither\n', 'zither', 'Tune the zither', 1],
  ['of no known type, which is its title', '>[!Zither strings/frets]\n> Steel.\n', 'zither', 'Zither strings/frets', 1],
  ['with metadata', '> [!my-type|wide] A zither\n', 'zither', 'A zither', 1],
])('a callout, %s, is shown without its type', async (_, text, question, content, line) => {
  const workspace = testWorkspace({ 'memory.config.json5': VAULT, 'a.md': text });
  expect(await first(workspace, question)).toMatchObject({ content, startLine: line });
});

test('markup is not shown: comments, embeds, block ids and block references', async () => {
  const block = '64b8c1d2-1111-4222-8333-abcdefabcdef';
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'a.md': `the zither %%secret%% ^z-1\n![[zebra.png]]\n((${block}))\n{{query zebra}}\n\n%%\nzebra\n%%\n`,
  });
  expect((await first(workspace, 'zither'))?.content).toBe('the zither');
  for (const nothing of ['secret', block]) expect((await workspace.recall(nothing)).results, nothing).toEqual([]);
});

test('markup inside a line is not shown, but code is text', async () => {
  const block = '64b8c1d2-1111-4222-8333-abcdefabcdef';
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'a.md': [
      '- the zither hangs in the hall ^hook-7',
      `- the fiddle, as in ((${block})) and ![[quokka.png]], is lent`,
      '- write `![[quetzal]]` for a picture of the viola',
      '- the [琴](((64b8c1d2-1111-4222-8333-abcdefabcdef)))弦断了，看[琵琶]([[pipa]])的',
      '- 他买了[笛子]([[flute]]) 。',
      '',
    ].join('\n'),
  });
  expect((await first(workspace, 'zither'))?.content).toBe('the zither hangs in the hall');
  expect((await first(workspace, 'fiddle'))?.content).toBe('the fiddle, as in and , is lent');
  expect((await first(workspace, 'quetzal'))?.content).toBe('write `![[quetzal]]` for a picture of the viola');
  // A neighbouring word is not joined with it: each word of an answer occurs in its lines.
  expect((await first(workspace, '琵琶'))?.content).toBe('the [琴]弦断了，看[琵琶]的');
  expect((await first(workspace, '笛子'))?.content).toBe('他买了[笛子] 。');
  expect((await workspace.recall(block)).results).toEqual([]);
});

test.each([
  ['quokka', 'a.md#L1', 'the fiddle, as in , is lent'],
  ['quokka.png', 'a.md#L1', 'the fiddle, as in , is lent'],
  ['hook-7', 'a.md#L2', 'the zither hangs in the hall'],
  ['^hook-7', 'a.md#L2', 'the zither hangs in the hall'],
  ['64b8c1d2-0000-4000-8000-000000000000', 'a.md#L3', 'the boiler hums'],
  ['numbat', 'a.md#L5', '![[numbat map.png]]'],
  ['bilby-3', 'a.md#L7', 'a quotation about the viola'],
])('an embed is found by its name, and a line by its block id: %s', async (question, source, content) => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'a.md': [
      '- the fiddle, as in ![[quokka.png]], is lent',
      '- the zither hangs in the hall ^hook-7',
      '- the boiler hums',
      '  id:: 64b8c1d2-0000-4000-8000-000000000000',
      '- ![[numbat map.png]]',
      '',
      '> a quotation about the viola',
      '',
      '^bilby-3',
      '',
    ].join('\n'),
    'b.md': '- as in ((64b8c1d2-0000-4000-8000-000000000000))\n- the hook is number 7, see map\n',
  });
  const { results, answers } = await workspace.recall(question);
  expect(results[0]).toMatchObject({ source, content });
  expect(answers).toBe('all');
});

test('an embed links to the page that it names, but neither introduces a list nor counts as a first line', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'Viola.md': '![[viola.png]]\n',
    'a.md': '- ![[Viola]]\n  - was restrung in May\n- others\n',
  });
  const { linkedFrom } = await workspace.json<GetAnswer>(['get', 'Viola.md']);
  expect(linkedFrom.map(({ source }) => source)).toEqual(['a.md#L1']);
  expect(await first(workspace, 'Viola')).toMatchObject({ path: 'Viola.md', content: 'Viola' });
  const restrung = await first(workspace, 'restrung');
  expect(restrung?.heading).toBeUndefined();
});

test('the heading of a cited line includes the parents of an outline bullet and the header of a table', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'a.md':
      '# House\n\n- Cellar\n\t- Boiler\n\t\t- was bled on Monday\n\n| room | colour |\n| --- | --- |\n| attic | ochre |\n',
  });
  expect((await first(workspace, 'what was bled?'))?.heading).toEqual(['House', 'Cellar', 'Boiler']);
  const row = await first(workspace, 'colour of the attic');
  expect(row).toMatchObject({ source: 'a.md#L9', heading: expect.arrayContaining(['room', 'colour']) });
  for (const word of ['attic', 'ochre']) expect(row?.content).toContain(word);
  expect(row?.content).not.toContain('colour');
});

test('a link with another name shows that name, is found by both, and counts as a link to the page', async () => {
  const workspace = testWorkspace({
    'memory.config.json5': VAULT,
    'People/Kranzl.md': '---\naliases: [the fitter]\n---\nComes from Weiz.\n',
    'a.md': 'asked [[Kranzl|the man with the van]] to come\n',
    'b.md': '[[the fitter]] was late; `[[Kranzl]]` is code\n',
    'c.md': '- see [him](People/Kranzl.md)\n',
    'd.md': '```\n[[Kranzl]]\n```\n',
  });
  expect((await first(workspace, 'who was asked to come?'))?.content).toBe('asked the man with the van to come');
  const { results } = await workspace.recall('Kranzl asked');
  expect(results.map(({ path }) => path)).toContain('a.md');
  const { linkedFrom } = await workspace.json<GetAnswer>(['get', 'People/Kranzl.md']);
  expect(linkedFrom.map(({ source }) => source).sort()).toEqual(['a.md#L1', 'b.md#L1', 'c.md#L1']);
});

test('links and tags are not entities, but a link to an entity’s page mentions it; code mentions no entity', async () => {
  const workspace = testWorkspace({
    'bank/entities/Peter.md': '# Peter\n\nLives in Vienna.\n',
    'memory/2026-03-10.md': [
      '- met [[Peter]] and [[Rosa]] at the lake #outing',
      '- we did not use [[Kafka]] because it uses too much memory',
      '```java',
      '@Override public void run() {}',
      '```',
      '',
    ].join('\n'),
  });
  const { entities } = await workspace.json<{ entities: readonly { name: string; mentions: number }[] }>([
    'entity',
    'list',
  ]);
  expect(entities.map(({ name }) => name)).toEqual(['Peter']);
  const about = await workspace.recall('lake', '--entity', 'Peter');
  expect(about.results.map(({ source }) => source)).toContain('memory/2026-03-10.md#L1');
  expect((await first(workspace, 'why did we not use Kafka?'))?.source).toBe('memory/2026-03-10.md#L2');
});
