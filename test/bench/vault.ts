import type { Day } from '../../src/base/clock.js';
import { addDays } from '../../src/language/time/calendar.js';
import { Random } from '../support/random.js';
import type { TemporaryWorkspace } from '../support/workspace.js';
import { Vocabulary } from './generate.js';

const JOURNALS = 200;
const FIRST_DAY: Day = '2025-01-01';
const FOLDERS = ['', 'Projects/', 'Projects/House/', 'Reading/', 'People/', 'Recipes/'] as const;
const TAGS = ['idea', 'project/heat', 'project/garden', 'book', 'todo', 'área', '日记'] as const;

/** A vault as people keep them: pages with front matter, headings, lists, tables, code, tags and links, and a journal. */
export function fillVault(workspace: TemporaryWorkspace, pages: number): void {
  const random = new Random(35);
  const vocabulary = new Vocabulary();
  const words = (least: number, most: number): string =>
    Array.from({ length: random.between(least, most) }, () => vocabulary.draw(random)).join(' ');
  const titles = Array.from({ length: pages }, (_, at) => `${words(1, 3)} ${at}`);
  // A few pages are linked from everywhere, most from one or two.
  const link = (): string => {
    const title = titles[Math.floor(random.next() ** 3 * pages)] ?? '';
    return random.pick([`[[${title}]]`, `[[${title}]]`, `[[${title}|${words(1, 2)}]]`, `[[${words(2, 2)}]]`]);
  };
  const sentence = (): string => `${words(6, 18)} ${random.next() < 0.2 ? link() : words(1, 4)} ${words(2, 6)}.`;
  const paragraph = (): string => Array.from({ length: random.between(2, 5) }, sentence).join(' ');
  const item = (): string => `- ${random.pick(['', '', '[ ] ', '[x] '])}${sentence()}\n  - ${sentence()}`;
  const block = (): string =>
    random.pick([
      paragraph,
      paragraph,
      () => Array.from({ length: random.between(2, 6) }, item).join('\n'),
      () => `> [!note] ${words(1, 3)}\n> ${sentence()}`,
      () => `| ${words(1, 1)} | ${words(1, 1)} |\n| --- | --- |\n| ${words(1, 4)} | ${link()} |`,
      () => `\`\`\`sh\n${words(3, 6)} # no tag\n\`\`\``,
      () =>
        `**${words(1, 2)}** and *${words(1, 2)}*, ==${words(1, 2)}== #${random.pick(TAGS)} ![${words(1, 2)}](https://example.com/a.png)`,
    ])();
  const section = (): string =>
    `## ${words(1, 4)}\n\n${Array.from({ length: random.between(1, 4) }, block).join('\n\n')}`;
  for (const title of titles) {
    const head = random.next() < 0.5 ? `---\ntags: [${random.pick(TAGS)}]\nstatus: ${words(1, 1)}\n---\n\n` : '';
    const body = Array.from({ length: random.between(1, 9) }, section).join('\n\n');
    workspace.write(`${random.pick(FOLDERS)}${title}.md`, `${head}# ${title}\n\n${paragraph()}\n\n${body}\n`);
  }
  for (let at = 0; at < JOURNALS; at++) {
    const day = addDays(FIRST_DAY, at);
    workspace.write(
      `journals/${day.replaceAll('-', '_')}.md`,
      Array.from({ length: 8 }, () => `- ${sentence()}\n`).join(''),
    );
  }
  workspace.write('memory.config.json5', "{ extraFolders: ['.'] }\n");
}
