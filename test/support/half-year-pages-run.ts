import { existsSync } from 'node:fs';
import { type PageReading, type PagesYear, readPages } from '../bench/half-year-pages.js';
import { reflectAt } from './reflecting.js';
import { TemporaryWorkspace } from './workspace.js';

/** Reflects by rules on twenty days of a half-year, and reads the pages of each day. */
export async function livePages(year: PagesYear): Promise<PageReading> {
  const workspace = new TemporaryWorkspace({ 'memory.config.json5': '{ pageLines: { now: 60 } }' });
  const found: PageReading = { shown: 0, wrong: [], due: 0, missing: [], lost: [], contradictions: [] };
  const written = new Set<string>();
  try {
    for (const day of year.dates) {
      for (const [said, lines] of year.logs) {
        if (said > day || written.has(said)) continue;
        written.add(said);
        workspace.write(`memory/${said}.md`, `## Retain\n\n${lines.join('\n')}\n`);
      }
      await reflectAt(workspace.root, `${day}T20:00:00Z`);
      const pageOf = (entity: string): string => {
        const path = `bank/entities/${entity}.md`;
        return existsSync(workspace.path(path)) ? workspace.read(path) : '';
      };
      readPages(year, day, pageOf, found);
    }
    return found;
  } finally {
    workspace.dispose();
  }
}
