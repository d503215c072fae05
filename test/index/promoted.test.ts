import { expect, test } from 'vitest';
import { readPromotedLine } from '../../src/markdown/bullet.js';
import { testWorkspace } from '../support/test-workspace.js';

const TAIL = '[score=0.862 signals=5 recalls=4 avg=0.810 source=memory/2026-03-12.md:2-2]';
const FILES = {
  'memory/2026-03-12.md': '## Retain\n- W @Peter: lives in Vienna\n- O(c=0.8) @Peter: prefers tea\n',
  'MEMORY.md':
    '# Memory\n\n## Promoted From Short-Term Memory (2026-03-14)\n\n' +
    '<!-- openclaw-memory-promotion:memory:memory/2026-03-12.md:2:2 -->\n' +
    `- W @Peter: lives in Vienna ${TAIL}\n` +
    '- O(c=0.8) @Peter: prefers tea [score=0.91 recalls=4 avg=0.8 source=memory/2026-03-12.md:3-3] <!-- importance: 7 -->\n' +
    '- The garage code was changed [score=0.91 recalls=4 source=memory/2026-03-01.md:3-3]\n',
};

test('lines promoted by the host are shown without their tail, as copies of their source', async () => {
  const workspace = testWorkspace(FILES);
  const { results } = await workspace.json<{ results: { id: string; content: string; source: string }[] }>([
    'recall',
    'where does Peter live?',
    '--k',
    '5',
  ]);
  const found = results.filter(({ content }) => content.includes('Vienna'));
  expect(found).toMatchObject([{ content: '@Peter: lives in Vienna' }]);
  expect(JSON.stringify(results)).not.toContain('score=0');
  const { stdout } = await workspace.run(['recall', 'garage code', '--k', '1']);
  expect(stdout).toContain('The garage code was changed\n');
  const opinions = await workspace.run(['opinion', 'list']);
  expect(opinions.stdout.match(/prefers tea/gu)).toHaveLength(1);
  expect(workspace.read('MEMORY.md')).toBe(FILES['MEMORY.md']);
});

test('a text that only looks like such a tail stays', () => {
  expect(readPromotedLine(`a ${TAIL}`)).toEqual({ text: 'a', source: 'memory/2026-03-12.md' });
  for (const line of [
    'a [score=3]',
    `a ${TAIL} and more`,
    'the [score=0.5 of source=x] is shown',
    'a [link](source=x)',
  ])
    expect(readPromotedLine(line), line).toBeUndefined();
});
