import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { BROWSER, openBrowser, openTab } from '../support/browser.js';
import { Random } from '../support/random.js';
import { TemporaryWorkspace } from '../support/workspace.js';
import type { BenchRun, Figure } from './figure.js';
import { median, memoryArguments, timedMemory } from './measure.js';
import { fillVault } from './vault.js';

const DAYS = 300;
const FACTS_A_DAY = 34;
const LINES_A_DAY = 60;
const ENTITIES = 400;
const PAGES = 1_700;
const FIRST_DAY: Day = '2025-03-01';

/**
 * The pages of 300 days with 10,200 facts and of a vault: their size, the time to make them, and the time until they are
 * usable.
 */
export async function* view(run: BenchRun): AsyncIterable<Figure> {
  run.note(`view of ${DAYS} days with ${DAYS * FACTS_A_DAY} facts, and of a vault of ${PAGES} pages`);
  const now = ['--now', `${addDays(FIRST_DAY, DAYS)}T12:00:00Z`, '--tz', 'UTC'];
  const days = new TemporaryWorkspace();
  try {
    fill(days);
    timedMemory([...memoryArguments(days.root, 'reflect', '--max-calls', '0'), ...now]);
    yield* figures(run, days, now, { files: DAYS, name: 'view', word: 'postgres' });
  } finally {
    days.dispose();
  }
  const vault = new TemporaryWorkspace();
  try {
    fillVault(vault, PAGES);
    yield* figures(run, vault, now, { files: PAGES, name: 'view of a vault', word: 'through' });
  } finally {
    vault.dispose();
  }
}

interface Shown {
  readonly name: string;
  readonly files: number;
  /** A word on the page. */
  readonly word: string;
}

async function* figures(
  run: BenchRun,
  workspace: TemporaryWorkspace,
  now: readonly string[],
  { name, files, word }: Shown,
): AsyncIterable<Figure> {
  const of = (what: string, measured: number, unit: Figure['unit'], most: number): Figure => {
    return { name: `${name}: ${what}`, files, measured, unit, goal: { text: `${most} ${unit}`, most } };
  };
  const file = join(workspace.base, 'page.html');
  const make = () => timedMemory([...memoryArguments(workspace.root, 'view', '--out', file), ...now]).ms / 1_000;
  make();
  yield of('its page is made', median(Array.from({ length: Math.min(5, run.rounds) }, make)), 's', 3);
  yield of('size of that page', statSync(file).size / 1e6, 'MB', 8);
  if (BROWSER === undefined) return run.note('no chromium here: how fast the page opens is not measured');
  const [opened, found] = await opening(file, word);
  yield of('it is shown after opening', opened / 1_000, 's', 1.5);
  yield of('its first search result after opening', found / 1_000, 's', 2);
}

/** Times in ms from a new tab on: until it shows something, and until it has found a word. */
async function opening(file: string, word: string): Promise<readonly [number, number]> {
  const browser = await openBrowser();
  try {
    const opened: number[] = [];
    const found: number[] = [];
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      const { page, close } = await openTab(browser, file);
      opened.push(performance.now() - start);
      await page.keyboard.press('/');
      await page.keyboard.type(word);
      await page.waitForSelector('h1:has-text("result")');
      found.push(performance.now() - start);
      await close();
    }
    return [median(opened), median(found)];
  } finally {
    await browser.close();
  }
}

function fill(workspace: TemporaryWorkspace): void {
  const random = new Random(7);
  mkdirSync(workspace.path('memory'));
  // Few entities are named often, most seldom.
  const name = (): string => `Entity-${Math.floor(random.next() ** 3 * ENTITIES)}`;
  const list = (count: number, line: () => string) => Array.from({ length: count }, line).join('\n');
  for (let at = 0; at < DAYS; at++) {
    const day = addDays(FIRST_DAY, at);
    const log = list(LINES_A_DAY, () => {
      const said = `${random.pick(OBJECTS)} with ${name()}, who ${random.pick(VERBS)} ${random.pick(OBJECTS)}`;
      return `Talked about ${said} number ${random.between(1, 9_999)} and will come back to it next week.\n`;
    });
    const facts = list(FACTS_A_DAY, () => {
      const end = random.pick([
        `on Mondays`,
        `since ${day}`,
        `with @${name()}`,
        'again',
        `for ${random.between(1, 500)}`,
      ]);
      return `- ${random.pick(KINDS)} @${name()}: ${random.pick(VERBS)} ${random.pick(OBJECTS)} ${end}.`;
    });
    writeFileSync(workspace.path(`memory/${day}.md`), `# ${day}\n\n${log}\n## Retain\n\n${facts}\n`);
  }
}

const KINDS = ['W', 'W', 'W', 'B', 'B', 'O(c=0.8)', 'S'] as const;
const VERBS = ['lives in', 'works at', 'prefers', 'moved the', 'reviewed the', 'fixed the', 'met', 'runs'] as const;
const OBJECTS = [
  'Graz',
  'Lisbon',
  'the Postgres cluster',
  'green tea',
  'the deploy script',
  'a bakery',
  'Porto',
] as const;
