import { decideExperienceRecall } from '../../src/context/gate.js';
import { stripInjected } from '../../src/text/strip.js';

/**
 * `npx tsx test/bench/gate.ts`: the cost of the gate and of strip in milliseconds of wall-clock time; the best of several
 * runs.
 */

const OPEN = '<openviking-context>';
const CLOSE = '</openviking-context>';

const MESSAGES: readonly (readonly [name: string, text: string])[] = [
  ['a short order', 'fix the flaky test in ci.yml'],
  ['a Chinese order', '帮我部署 billing 服务到预发环境，并观察日志'],
  [
    '4,000 characters of prose',
    Array.from({ length: 66 }, (_, i) => `Could you please look at part ${i}x of the deploy script, it failed?`).join(
      ' ',
    ),
  ],
  ['4,000 characters without a space', 'a/b.'.repeat(1000)],
];

/** Texts of about `length` characters. */
const TEXTS: readonly (readonly [name: string, make: (length: number) => string])[] = [
  [
    'a block, then the user',
    (n) =>
      `${OPEN}\n${'- a memory with `code` and <b>html</b>\n'.repeat(n / 78)}${CLOSE}\n\n${'the user: `code`, <i>html</i>\n'.repeat(n / 60)}`,
  ],
  ['nothing to strip', (n) => 'the user: `code`, <i>html</i>, a < b\n'.repeat(n / 37)],
  ['nothing but blocks', (n) => `${OPEN}a${CLOSE} b `.repeat(n / 45)],
  ['nothing but opening tags', (n) => OPEN.repeat(n / OPEN.length)],
  ['nothing but brackets', (n) => '<'.repeat(n)],
];

for (const [name, text] of MESSAGES) {
  print(`gate   ${name.padEnd(34)} ${ms(best(() => decideExperienceRecall({ text })))}   (goal 1 ms)`);
}
for (const [name, make] of TEXTS) {
  const times = [250_000, 500_000, 1_000_000].map((length) => {
    const text = make(length);
    return best(() => stripInjected(text));
  });
  print(`strip  ${name.padEnd(34)} ${times.map(ms).join('  ')}   for 250 kB, 500 kB, 1 MB (goal 100 ms, linear)`);
}

function best(run: () => unknown): number {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

function ms(time: number): string {
  return `${time.toFixed(2).padStart(7)} ms`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
