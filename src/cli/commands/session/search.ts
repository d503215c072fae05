import type { Command } from 'commander';
import { ExitCode } from '../../../base/failure.js';
import type { SessionMatches } from '../../../session/search.js';
import type { Run } from '../../command.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

export function defineSearch(session: Command, run: Run): Command {
  return session
    .command('search')
    .description('find messages by what they say')
    .argument('<id>', 'id of the session')
    .argument('<query...>', 'words that must all stand in a message')
    .option('--archive <archive>', 'only this archive, or live')
    .addHelpText('after', '\nExample:\n  openclaw memory session search chat-1 redis port')
    .action((id: string, words: string[], options: { readonly archive?: string }) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const found = await (await workspace.sessions(context.signal)).search(id, words.join(' '), options.archive);
        context.out.answer(searchText(found), found);
        return ExitCode.done;
      }),
    );
}

function searchText({ query, found, matches, advice }: SessionMatches): string {
  if (found === 0) return `Nothing says "${query}". ${advice ?? ''}`;
  const head = `Found ${count(found, 'message')} for "${query}"${found > matches.length ? ` (showing first ${matches.length})` : ''}:`;
  const parts = matches.map(
    ({ archive, position, role, excerpt }, i) =>
      `## Match ${i + 1}: ${archive} (message ${position}, ${role})\n${excerpt}`,
  );
  return [head, ...parts].join('\n\n');
}
