import { parseBullet } from '../../../markdown/bullet.js';
import { holdsFacts } from '../../../memory/pages.js';
import type { LintPage, Problem, Rule } from '../problem.js';

/** A list item that was probably meant as a fact, and is none. It is found as log text all the same. */
export const malformedBullets: Rule = function* ({ pages }) {
  for (const page of pages) if (holdsFacts(page.page.role)) yield* ofPage(page);
};

function* ofPage({ path, scan }: LintPage): Generator<Problem> {
  for (const block of scan.blocks) {
    if (block.type !== 'item' || block.text === '') continue;
    const parsed = parseBullet(block.text);
    if (parsed.type !== 'malformed') continue;
    const line = scan.lines[block.startLine - 1] ?? '';
    const mended = block.textEndLine === block.startLine ? mend(block.text) : undefined;
    yield {
      rule: 'malformed-bullet',
      severity: 'warning',
      path,
      line: block.startLine,
      message: parsed.reason,
      hint: 'write - KIND @Entity: text, for example - W @Peter: lives in Vienna',
      ...(mended === undefined ? {} : { fix: line.replace(block.text, () => mended) }),
    };
  }
}

/** Each slip with what was meant. Tried in order until the text is a fact. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\*\*|__|\*|_)([WBOS])(?:\*\*|__|\*|_)(?=\s*@)/, '$1'],
  [/^([WBOS])\s+\(\s*c\s*[=:]\s*([\d.]+)\s*\)/, '$1(c=$2)'],
  [/^([WBOS])[(（]\s*[cC]\s*[=＝:]\s*([\d.]+)\s*[)）]/, '$1(c=$2)'],
  [/^([WBOS](?:\(c=[^()]{0,20}\))?:?)(?=[@＠])/, '$1 '],
  [/^([WBOS](?:\(c=[^()]{0,20}\))?:?\s+)＠/, '$1@'],
  [/^([WBOS](?:\(c=[^()]{0,20}\))?):(?=[^\s\\/])/, '$1: '],
];

function mend(text: string): string | undefined {
  let mended = /^[wbos](?=\(c=|\s*:?\s*@)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  for (const [slip, meant] of SLIPS) {
    if (parseBullet(mended).type === 'fact') return mended;
    mended = mended.replace(slip, meant);
  }
  return mended !== text && parseBullet(mended).type === 'fact' ? mended : undefined;
}
