import { beforeAll, describe, expect, test } from 'vitest';
import { giveVectors } from '../support/given-vectors.js';
import { inLetters } from '../support/understood.js';
import { TemporaryWorkspace } from '../support/workspace.js';

/** Two statements about one subject without a common word, and two about two subjects. */
const EARLIER = 'is out of work';
const LATER = 'started at Harrow Logistics';
const OTHERS = 'paints the fence';

interface Held {
  readonly text: string;
  readonly earlier?: readonly { readonly text: string }[];
}

async function workspaceWith(lines: number): Promise<TemporaryWorkspace> {
  const notes = Array.from({ length: lines }, (_, i) => `- Somebody spoke of matter ${inLetters(i)} for long.`);
  const workspace = new TemporaryWorkspace({
    'memory/2026-01-02.md': `## Retain\n- W @Max: ${EARLIER}\n- W @Anna: ${OTHERS}\n`,
    'memory/2026-01-20.md': '## Retain\n- W @Max: plays the cello\n',
    'memory/2026-02-03.md': `## Retain\n- W @Max: ${LATER}\n`,
    'memory/2026-02-04.md': `# Notes\n\n${notes.join('\n')}\n`,
  });
  await workspace.run(['index']);
  giveVectors(workspace, [EARLIER, LATER, OTHERS]);
  return workspace;
}

async function held(workspace: TemporaryWorkspace): Promise<readonly Held[]> {
  return (await workspace.json<{ holds: { now: readonly Held[] } }>(['entity', 'show', 'Max'])).holds.now;
}

describe('two facts of a subject with similar meaning, compared by stored vectors without a server', () => {
  let workspace: TemporaryWorkspace;
  beforeAll(async () => {
    workspace = await workspaceWith(60);
    return () => workspace.dispose();
  });

  test('the earlier one names the later one as newer, and neither is marked as superseded', async () => {
    const { results } = await workspace.recall('@Max');
    const later = results.find(({ content }) => content.includes(LATER));
    expect(later).toBeDefined();
    const marks = results.map(({ content, newer, superseded }) => [content.includes(EARLIER), newer, superseded]);
    expect(marks.filter(([, newer, superseded]) => newer !== undefined || superseded !== undefined)).toEqual([
      [true, later?.id, undefined],
    ]);
  });

  test('entity show puts the earlier one below the later one and leaves the rest in place', async () => {
    const nested = (await held(workspace)).map(({ text, earlier = [] }) => [text, earlier.map((one) => one.text)]);
    expect(nested).toEqual([
      [LATER, [EARLIER]],
      ['plays the cello', []],
    ]);
  });

  test('pages do not use vectors, since other machines write them too', async () => {
    expect((await workspace.run(['reflect', '--max-calls', '0'])).code).toBe(0);
    expect(workspace.read('bank/entities/Max.md')).toMatch(/^- .*is out of work/im);
  });
});

test('facts are not linked when too few texts have vectors to rule out chance', async () => {
  const workspace = await workspaceWith(8);
  try {
    expect((await held(workspace)).every(({ earlier }) => earlier === undefined)).toBe(true);
  } finally {
    workspace.dispose();
  }
});
