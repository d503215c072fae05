import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import { SEARCH_OPTIONS, type SearchOptions } from '../../../session/requests.js';
import type { SessionMatches } from '../../../session/search.js';
import type { Run } from '../../command.js';
import { readFlags } from '../../flags.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

export function defineSearch(session: Command, run: Run): Command {
  return session
    .command('search')
    .description('find messages by what they say')
    .argument('<id>', 'id of the session')
    .argument('<query...>', 'words that must all stand in a message')
    .option('--archive <archive>', 'only this archive, or live')
    .option('--k <n>', 'most matches that are printed, the newest first (default 12)')
    .option('--offset <n>', 'pass over so many of the newest')
    .addHelpText('after', '\nExample:\n  openclaw memory session search chat-1 redis port')
    .action((id: string, words: string[], options: object) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const request = readFlags<SearchOptions>('session search', SEARCH_OPTIONS, options);
        const found = await (await workspace.sessions(context.signal)).search(id, words.join(' '), request);
        context.out.answer(searchText(found), found);
        return ExitCode.done;
      }),
    );
}

function searchText({ query, found, offset, matches, advice }: SessionMatches): string {
  if (found === 0) return `Nothing says "${query}". ${advice ?? ''}`;
  const shown = found > matches.length ? ` (${offset + 1} to ${offset + matches.length}, the newest first)` : '';
  const head = `Found ${count(found, 'message')} for "${query}"${shown}:`;
  const parts = matches.map(
    ({ archive, position, role, excerpt }, i) =>
      `## Match ${offset + i + 1}: ${archive} (message ${position}, ${role})\n${excerpt}`,
  );
  return [head, ...parts].join('\n\n');
}
