import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.js';
import { codeBytes, writeCode } from '../../src/index/meaning/codes.js';
import { addTimes, builtInModel, scaleToOne } from '../../src/model/word-vectors.js';
import type { RecallAnswer } from '../../src/query/request.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const NOTES = [
  'The doctor prescribed antibiotics for my infection.',
  'Bought a used bicycle from the neighbour for ninety euros.',
  'The landlord raised the rent again.',
  'Booked flights to Lisbon in spring.',
  'Die Waschmaschine ist kaputt, der Handwerker kommt morgens.',
  'Grandmother baked a cherry cake for the party.',
  'The printer in the office is out of toner.',
  'Learned three new chords on the guitar.',
  'Planted tomatoes and basil on the balcony.',
  'The meeting about the budget was boring.',
];
const DAY = 'memory/2026-03-02.md';

function workspaceOf(settings = '{}'): TemporaryWorkspace {
  const lines = NOTES.map((note) => `- ${note}`).join('\n');
  return new TemporaryWorkspace({ [DAY]: `# Monday\n\n${lines}\n`, 'memory.config.json5': settings });
}

/** The code of a line below no heading that says something, as the index has it. */
function codeOf(line: string): Buffer {
  const model = builtInModel();
  if (model === undefined) throw new Error('the built-in model is missing');
  const vector = new Float32Array(model.dimension);
  model.addTo(vector, line);
  const title = new Float32Array(model.dimension);
  model.addTo(title, 'Monday');
  addTimes(vector, title, 0.5);
  scaleToOne(vector);
  const code = Buffer.alloc(codeBytes(model.dimension));
  writeCode(vector, model.spread, code, 0);
  return code;
}

/** The files of the index that have the first or the second half of a code. A page of the database may end between them. */
function stateFilesWith(workspace: TemporaryWorkspace, code: Buffer): readonly string[] {
  const halves = [code.subarray(0, code.length / 2), code.subarray(code.length / 2)];
  const files = readdirSync(workspace.path('.memory')).filter((name) => name.startsWith('index'));
  return files.filter((name) => {
    const bytes = readFileSync(join(workspace.path('.memory'), name));
    return halves.some((half) => bytes.includes(half));
  });
}

describe('recall by the built-in model', () => {
  let workspace: TemporaryWorkspace;
  beforeAll(() => {
    workspace = workspaceOf();
    return () => workspace.dispose();
  });

  test.each([
    ['which medicine did I get?', NOTES[0]],
    ['where do we go on holiday by plane?', NOTES[3]],
    ['is the washing machine broken?', NOTES[4]],
    ['医生开了什么药？', NOTES[0]],
    ['谁烤了蛋糕？', NOTES[5]],
  ])('%j finds a line in other words or another language', async (query, line) => {
    const { mode, model, results, answers } = await workspace.recall(query);
    expect(results[0]?.content).toBe(line);
    expect({ mode, model }).toEqual({ mode: 'hybrid', model: 'built-in' });
    expect(answers).not.toBe('all');
  });

  test('what is found by meaning alone comes with a warning, and words alone do not find it', async () => {
    const query = 'which medicine did I get?';
    const { answers, warnings } = await workspace.recall(query);
    expect(answers).toBe('some');
    expect(warnings).toContain('the first result has no word of the question; its meaning is near');
    const words = await workspace.json<RecallAnswer>(['recall', query, '--mode', 'lexical']);
    expect(words).toMatchObject({ mode: 'lexical', answers: 'none' });
    expect(words).not.toHaveProperty('model');
  });

  test('a question whose words are all in a line is answered by words', async () => {
    expect(await workspace.recall('who raised the rent?')).toMatchObject({ mode: 'lexical', answers: 'all' });
  });

  test('status and doctor say which model answers', async () => {
    expect((await workspace.run(['status'])).stdout).toContain('10 lines by the model that comes with this program');
    expect((await workspace.run(['doctor'])).stdout).toContain('by the model that comes with this program');
  });

  test('a new line is found at once', async () => {
    workspace.write('memory/2026-03-03.md', '# Tuesday\n\n- The vet cut the claws of our cat.\n');
    const { results } = await workspace.recall('what happened to the pet?');
    expect(results[0]?.content).toBe('The vet cut the claws of our cat.');
  });
});

test('embedModel "none" turns it off', async () => {
  const workspace = workspaceOf('{ embedModel: "none" }');
  expect(await workspace.recall('which medicine did I get?')).toMatchObject({ mode: 'lexical', answers: 'none' });
  expect((await workspace.run(['status'])).stdout).not.toContain('the model that comes with this program');
  workspace.dispose();
});

test('a question without a telling word is not answered wholly by meaning', async () => {
  const workspace = new TemporaryWorkspace({ [DAY]: '# Monday\n\n- Der Hund war beim Tierarzt.\n' });
  const { results, answers } = await workspace.recall('狗怎么了？');
  expect(results[0]?.content).toBe('Der Hund war beim Tierarzt.');
  expect(answers).not.toBe('all');
  workspace.dispose();
});

test('models use chooses it, or none', async () => {
  const workspace = workspaceOf();
  expect((await workspace.run(['models', 'use', 'none'])).stdout).toContain('The embedding model is none.');
  expect(await workspace.recall('which medicine did I get?')).toMatchObject({ mode: 'lexical' });
  const { stdout } = await workspace.run(['models', 'use', 'built-in']);
  expect(stdout).toContain('Make the vectors: openclaw memory index\n');
  await workspace.run(['index']);
  expect(await workspace.recall('which medicine did I get?')).toMatchObject({ mode: 'hybrid', model: 'built-in' });
  expect((await workspace.run(['models', 'list'])).stdout).toMatch(/^built-in {3}word vectors/m);
  workspace.dispose();
});

test('the block before a message is the same with and without it', async () => {
  const blocks = await Promise.all(
    ['{}', '{ embedModel: "none" }'].map(async (settings) => {
      const workspace = workspaceOf(settings);
      const { stdout } = await workspace.run(['context', 'build', '--message', 'which medicine did the doctor say?']);
      workspace.dispose();
      return stdout;
    }),
  );
  expect(blocks[0]).toContain('antibiotics');
  expect(blocks[1]).toBe(blocks[0]);
});

test('forget removes the code of the line from every file of the index', async () => {
  const workspace = workspaceOf();
  await workspace.run(['index']);
  const line = NOTES[2] ?? '';
  const code = codeOf(line);
  expect(stateFilesWith(workspace, code)).not.toEqual([]);
  const { results } = await workspace.recall('who raised the rent?');
  await workspace.run(['forget', results[0]?.id ?? '']);
  expect(workspace.read(DAY)).not.toContain('landlord');
  expect(stateFilesWith(workspace, code)).toEqual([]);
  expect((await workspace.recall('which medicine did I get?')).results[0]?.content).toBe(NOTES[0]);
  workspace.dispose();
});

test('an edited line has the code of its new text only', async () => {
  const workspace = workspaceOf();
  await workspace.run(['index']);
  workspace.write(DAY, '# Monday\n\n- The neighbour plays the trumpet at night.\n');
  await workspace.run(['index']);
  const db = openDatabase(workspace.path('.memory/index.sqlite'), { readonly: true });
  const codes = db.prepare('SELECT codes FROM meaning').pluck().all();
  db.close();
  const all = Buffer.concat(codes.flatMap((blob) => (Buffer.isBuffer(blob) ? [blob] : [])));
  expect(all.includes(codeOf('The neighbour plays the trumpet at night.'))).toBe(true);
  expect(stateFilesWith(workspace, codeOf(NOTES[2] ?? ''))).toEqual([]);
  workspace.dispose();
});

test('damaged codes are left out, and the next index makes them again', async () => {
  const workspace = workspaceOf();
  await workspace.run(['index']);
  const path = workspace.path('.memory/index.sqlite');
  const db = openDatabase(path);
  db.exec("UPDATE meaning SET codes = x'0102'");
  db.close();
  expect(await workspace.recall('which medicine did I get?')).toMatchObject({ mode: 'lexical' });
  await workspace.run(['index']);
  expect(await workspace.recall('which medicine did I get?')).toMatchObject({ mode: 'hybrid' });
  writeFileSync(path, 'no database');
  expect(await workspace.recall('which medicine did I get?')).toMatchObject({ mode: 'hybrid' });
  workspace.dispose();
});

test('more lines than a block has are found, and a removed file leaves no code', async () => {
  const day = (i: number) => `memory/2026-04-${String(i + 1).padStart(2, '0')}.md`;
  const files = Array.from({ length: 30 }, (_, i): [string, string] => [
    day(i),
    `# Monday\n\n${NOTES.map((note) => `- ${note.replace('.', ` again, ${i} times.`)}\n`).join('')}`,
  ]);
  const workspace = new TemporaryWorkspace({
    ...Object.fromEntries(files),
    [DAY]: '# Monday\n\n- The otter sleeps.\n',
  });
  await workspace.run(['index']);
  expect((await workspace.recall('which animal is asleep?')).results[0]?.content).toBe('The otter sleeps.');
  workspace.remove(DAY);
  await workspace.run(['index']);
  expect(stateFilesWith(workspace, codeOf('The otter sleeps.'))).toEqual([]);
  expect((await workspace.recall('which medicine did I get?')).results[0]?.content).toContain('antibiotics');
  workspace.dispose();
});

test('a word that no line has gets the word of the results that is nearest to it, and that is searched', async () => {
  const workspace = workspaceOf();
  const { stdout: searched } = await workspace.run(['recall', 'what did the physician say?', '--json', '--explain']);
  expect(JSON.parse(searched)).toMatchObject({
    explain: expect.arrayContaining([expect.stringContaining('full text: "doctor"')]),
    answers: 'some',
    results: [{ content: NOTES[0] }],
  });
  const { missing } = await workspace.recall('which medicine did the physician say?');
  expect(missing).toContainEqual({ word: 'physician', indexed: false, near: ['doctor'] });
  const { stdout } = await workspace.run(['recall', 'which medicine did the physician say?']);
  expect(stdout).toContain('"physician" (near it: "doctor")');
  const inWords = await workspace.run(['recall', 'which medicine did the physician say?', '--mode', 'lexical']);
  expect(inWords.stdout).not.toContain('near it');
  workspace.dispose();
});
