import { pathToFileURL } from 'node:url';
import { estimateTokens } from '../../src/text/tokens.js';
import { bySectionName, renderDocument, SECTION_NAMES } from '../../src/wm/document.js';
import { mergeWorkingMemory } from '../../src/wm/merge.js';
import { readOperations } from '../../src/wm/operations.js';

/** One measured figure against its goal; the unit is part of the name. */
interface Figure {
  readonly name: string;
  readonly figure: number;
  readonly goal: number;
}

const GOAL_MS = 20;
const GOAL_DOUBLING = 2.3;
const TOKENS = 12_000;
const MOST_TOKENS = 200_000;

/** Parse, guards, merge and ledger: at the budget of a document, and the growth of time with its size. */
function benchWm(): readonly Figure[] {
  const figures: Figure[] = [];
  for (const fenced of [false, true]) {
    const figure = round(mergeTime(TOKENS, fenced));
    figures.push({
      name: `wm: guard + merge of 12,000 tokens${fenced ? ', with a fence' : ''} (ms)`,
      figure,
      goal: GOAL_MS,
    });
  }
  return [...figures, doubling()];
}

// A single doubling measures the garbage collector as much as the merge, so the figure is the mean of all up to 200,000.
function doubling(): Figure {
  const steps = Math.log2(MOST_TOKENS / TOKENS);
  const ratio = mergeTime(MOST_TOKENS, false) / mergeTime(TOKENS, false);
  return {
    name: 'wm: time per doubling from 12,000 to 200,000 tokens (×)',
    figure: round(ratio ** (1 / steps)),
    goal: GOAL_DOUBLING,
  };
}

const RUNS = 15;

/** Best time in ms of a merge that uses every guard: the whole document is updated. */
function mergeTime(tokens: number, fenced: boolean): number {
  const perSection = tokens / SECTION_NAMES.length;
  const old = renderDocument(bySectionName((name) => body(name, perSection, fenced)));
  const sections = bySectionName((name) => ({
    op: 'UPDATE',
    content: `${body(name, perSection, fenced)}\n- one more about ${name}`,
  }));
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    const operations = readOperations({ sections });
    if (operations.ok) mergeWorkingMemory(old, operations.value);
    return performance.now() - start;
  });
  return Math.min(...times);
}

function body(name: string, tokens: number, fenced: boolean): string {
  const lines = fenced ? ['- run', '  ```sh', '  # not a heading', '  ```'] : [];
  for (let total = 0, index = 0; total < tokens; index++) {
    const line = `- Item ${index} of ${name}: owner p${index}x decided on 2026-03-${(index % 28) + 1} because src/m${index}/a.ts failed`;
    lines.push(line);
    total += estimateTokens(line);
  }
  return lines.join('\n');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, figure, goal } of benchWm()) {
    process.stdout.write(`${figure <= goal ? 'ok  ' : 'MISS'} ${name}: ${figure} (goal ${goal})\n`);
  }
}
