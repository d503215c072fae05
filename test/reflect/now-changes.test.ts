import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../src/language/time/calendar.js';
import { cases } from '../support/cases.js';
import { TemporaryWorkspace } from '../support/workspace.js';

const FIRST_DAY = '2026-04-01';

/** Statements for a day: stays, illness, plans, values that replace each other, several things at once. */
const SAID: readonly ((day: (later: number) => string) => string)[] = [
  () => 'W @Tove: lives in Bergen',
  () => 'W @Tove: lives in Narvik',
  (day) => `W @Tove: is in Rome from ${day(0)} to ${day(2)}`,
  () => 'W @Tove: is ill with a cold',
  () => 'S @Tove: is well again',
  (day) => `W @Tove: flies to Malta on ${day(2)}`,
  () => 'W @Tove: works as a nurse; has a red bike',
  () => 'W @Tove: no longer has a red bike',
  () => 'W @小溪: 住在苏州',
  () => 'W @小溪: 住在杭州',
  () => 'W @小溪: 养了一只猫；会弹琴',
  (day) => `W @小溪: ${day(1)}去上海出差`,
  () => 'W @Bäckerei: öffnet um 6 Uhr',
  () => 'W @Bäckerei: öffnet um 7 Uhr',
  (day) => `W @Bäckerei: ist vom ${day(1)} bis ${day(3)} geschlossen`,
  () => 'B @Bäckerei: ordered the cake',
];
const CITATION = / \(\[[^\]]+\]\([^)]+\) f-[0-9a-z]{13}\)/g;

/** The lines under Now of every page, each with the page's path before it. */
function linesUnderNow(workspace: TemporaryWorkspace): ReadonlySet<string> {
  const names = ['Tove', '小溪', 'Bäckerei'].map((name) => `bank/entities/${name}.md`);
  return new Set(
    names.flatMap((path) => {
      const text = existsSync(join(workspace.root, path)) ? workspace.read(path) : '';
      const body = /\*\*Now\*\*\n\n([\s\S]*?)\n(?:\n|<!--)/.exec(text)?.[1] ?? '';
      const lines = body.split('\n').filter((line) => line.startsWith('- ') && line.search(CITATION) >= 0);
      return lines.map((line) => `${path} ${line.slice(2).replace(CITATION, '')}`);
    }),
  );
}

test('the lines that a run reports as entered and left are exactly the changes under Now', async () => {
  const day = fc.uniqueArray(fc.nat({ max: SAID.length - 1 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 6, maxLength: 6 }), async (days) => {
      const workspace = new TemporaryWorkspace();
      try {
        let before = linesUnderNow(workspace);
        for (const [i, said] of days.entries()) {
          const today = addDays(FIRST_DAY, i);
          const facts = said.map((which) => `- ${SAID[which]?.((later) => addDays(today, later))}\n`);
          workspace.write(`memory/${today}.md`, `## Retain\n\n${facts.join('')}`);
          const now = `${addDays(today, 1)}T05:00:00Z`;
          const { stdout } = await workspace.run(['reflect', '--json', '--now', now, '--tz', 'UTC']);
          const changes: readonly { path: string; line: string; change: string }[] = JSON.parse(stdout).now;
          const named = (change: string) =>
            changes.flatMap((each) => (each.change === change ? `${each.path} ${each.line}` : [])).sort();
          const after = linesUnderNow(workspace);
          expect(named('entered')).toEqual([...after].filter((line) => !before.has(line)).sort());
          expect(named('left')).toEqual([...before].filter((line) => !after.has(line)).sort());
          before = after;
        }
      } finally {
        workspace.dispose();
      }
    }),
    { numRuns: cases(8, 4) },
  );
});
