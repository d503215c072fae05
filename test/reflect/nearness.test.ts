import { expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.js';
import { openWorkspace } from '../../src/app/workspace.js';
import { giveVectors } from '../support/given-vectors.js';
import { testWorkspace } from '../support/test-workspace.js';
import { inLetters } from '../support/understood.js';
import type { TemporaryWorkspace } from '../support/workspace.js';

const DAY = '2026-01-10';
/** Says the same as one of twenty beliefs in other words. */
const FACT = 'Answers in two lines at most.';
const BELIEF = 'Prefers concise replies.';
const OTHERS = Array.from({ length: 19 }, (_, i) => `Enjoys answers about subject ${inLetters(i)} in lines.`);

function workspaceOf(beliefs: readonly string[]): TemporaryWorkspace {
  const items = beliefs.map((text, i) => `- O(c=0.7) @Peter: ${text} ^o-${String(i).padStart(13, 'a')}`);
  return testWorkspace({
    'bank/opinions.md': `# Opinions\n\n${items.join('\n')}\n`,
    [`memory/${DAY}.md`]: `# ${DAY}\n\n## Retain\n- W @Peter: ${FACT}\n- W @Anna: Lives in Graz.\n`,
  });
}

const open = ({ root }: TemporaryWorkspace): Promise<Workspace> =>
  openWorkspace({ workspace: root, now: '2026-01-15T12:00:00Z', timezone: 'UTC', env: { HOME: root } });

async function asked(workspace: TemporaryWorkspace): Promise<string> {
  const { user } = await (await (await open(workspace)).reflection()).prompt();
  return user;
}

test('with vectors a model judges the belief that means the same in other words, among many of an entity', async () => {
  const workspace = workspaceOf([BELIEF, ...OTHERS]);
  await (await open(workspace)).index();
  expect(await asked(workspace)).not.toContain(BELIEF);
  giveVectors(workspace, [FACT, BELIEF]);
  expect(await asked(workspace)).toContain(BELIEF);
  expect(await asked(workspace)).not.toContain('Graz');
});

test('vectors of another model and unusable ones change nothing', async () => {
  const workspace = workspaceOf([BELIEF, ...OTHERS]);
  await (await open(workspace)).index();
  const before = await asked(workspace);
  giveVectors(workspace, [FACT, BELIEF]);
  workspace.write('memory.config.json5', '{ "embedModel": "nomic-embed-text" }');
  expect(await asked(workspace)).toBe(before);
  workspace.write('.memory/vectors.sqlite', 'no database');
  expect(await asked(workspace)).toBe(before);
});
