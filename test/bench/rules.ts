import { decideExperienceRecall } from '../../src/context/gate.js';
import { stripInjected } from '../../src/text/strip.js';
import { estimateTokens } from '../../src/text/tokens.js';
import { bySectionName, renderDocument, SECTION_NAMES } from '../../src/wm/document.js';
import { mergeWorkingMemory } from '../../src/wm/merge.js';
import { readOperations } from '../../src/wm/operations.js';
import type { BenchRun, Figure } from './figure.js';

const OPEN = '<openviking-context>';
const CLOSE = '</openviking-context>';
const TOKENS = 12_000;
const MOST_TOKENS = 200_000;

/** The pure rules: the guards and the merge of a Working Memory, the gate, and the removal of injected blocks. */
export function* rules({ note }: BenchRun): Iterable<Figure> {
  note('the pure rules');
  const of = (name: string, measured: number, most: number): Figure => {
    return { name, measured, unit: 'ms', goal: { text: `${most} ms`, most } };
  };
  const merge = mergeTime(TOKENS);
  yield of('guards and merge of 12,000 tokens', merge, 20);
  // A single doubling measures the garbage collector as much as the merge, so the figure is the mean of all of them.
  const doubling = (mergeTime(MOST_TOKENS) / merge) ** (1 / Math.log2(MOST_TOKENS / TOKENS));
  const goal = { text: '2.3 ×', most: 2.3 };
  yield { name: 'time of that per doubling, up to 200,000 tokens', measured: doubling, unit: '×', goal };
  const long = 'Could you please look at part 7x of the deploy script, it failed? '.repeat(60);
  yield of(
    'gate, a short order',
    best(() => decideExperienceRecall({ text: 'fix the flaky test in ci.yml' })),
    1,
  );
  yield of(
    'gate, 4,000 characters',
    best(() => decideExperienceRecall({ text: long })),
    1,
  );
  const typical = `${OPEN}\n${'- a memory with `code` and <b>html</b>\n'.repeat(12_800)}${CLOSE}\n\n${'the user: `code`\n'.repeat(29_400)}`;
  yield of(
    'strip of 1 MB, typical',
    best(() => stripInjected(typical)),
    100,
  );
  const blocks = `${OPEN}a${CLOSE} b `.repeat(22_200);
  yield of(
    'strip of 1 MB of nothing but blocks',
    best(() => stripInjected(blocks)),
    100,
  );
}

/** Best time in ms of several runs. */
function best(run: () => unknown): number {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** Time of a merge that uses every guard: the whole document is updated. */
function mergeTime(tokens: number): number {
  const bodies = bySectionName((name) => body(name, tokens / SECTION_NAMES.length));
  const old = renderDocument(bodies);
  const sections = bySectionName((name) => ({ op: 'UPDATE', content: `${bodies[name]}\n- one more about ${name}` }));
  const operations = readOperations({ sections });
  if (!operations.ok) throw new Error(operations.error.message);
  return best(() => mergeWorkingMemory(old, operations.value));
}

function body(name: string, tokens: number): string {
  const lines = ['- run', '  ```sh', '  # not a heading', '  ```'];
  for (let total = 0, index = 0; total < tokens; index++) {
    const line = `- Item ${index} of ${name}: owner p${index}x decided on 2026-03-${(index % 28) + 1} because src/m${index}/a.ts failed`;
    lines.push(line);
    total += estimateTokens(line);
  }
  return lines.join('\n');
}
