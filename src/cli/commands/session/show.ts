import type { Command } from 'commander';
import { ExitCode, fail } from '../../../base/failure.js';
import type { SessionContext } from '../../../session/context.js';
import type { ExpandedArchive } from '../../../session/expand.js';
import { renderMessage } from '../../../session/render.js';
import type { SessionMatches } from '../../../session/search.js';
import type { Run } from '../../command.js';
import { readInput } from '../../io.js';
import { openFor } from '../../open.js';
import { count } from '../../text/count.js';

export function defineContext(session: Command, run: Run): Command {
  return session
    .command('context')
    .description('assemble what to give a model for the next turn, within a budget')
    .argument('<id>', 'id of the session')
    .option('--budget <tokens>', "the model's window", '128000')
    .addHelpText('after', '\nExample:\n  openclaw memory session context chat-1 --budget 32000 --json')
    .action((id: string, options: { readonly budget: string }) =>
      run(async (context) => {
        const budget = Number(options.budget);
        if (!Number.isInteger(budget) || budget < 1)
          fail('usage', `--budget must be a number of tokens, not "${options.budget}"`, 'for example --budget 128000');
        const workspace = await openFor(context);
        const built = await (await workspace.sessions(context.signal)).context(id, budget);
        context.out.answer(contextText(built), built);
        return ExitCode.done;
      }),
    );
}

function contextText(built: SessionContext): string {
  const { instruction, system_prompt_addition: rules, messages, tokens, left_out_messages, shortened_outputs } = built;
  const system = [instruction.trim(), rules].filter((text) => text !== '').join('\n\n');
  const said = messages.map(({ role, content, parts: rest }) =>
    content === undefined ? renderMessage({ role, parts: rest ?? [] }) : `[${role}]:\n${content}`,
  );
  const left = `${count(left_out_messages, 'message')} left out, ${count(shortened_outputs, 'tool output')} shortened`;
  return [...(system === '' ? [] : [`[system]:\n${system}`]), ...said, `(${tokens} tokens; ${left})`].join('\n\n');
}

export function defineExpand(session: Command, run: Run): Command {
  return session
    .command('expand')
    .description('print every message of an archive, as it was')
    .argument('<id>', 'id of the session')
    .argument('<archive>', 'archive_001, or its number')
    .addHelpText('after', '\nExample:\n  openclaw memory session expand chat-1 archive_001')
    .action((id: string, archive: string) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const expanded = await (await workspace.sessions(context.signal)).expand(id, archive);
        if (expanded.state !== 'completed')
          context.out.warn(`${expanded.archive_id} is not finished (${expanded.state})`);
        context.out.answer(expandText(expanded, expanded.messages.map(renderMessage)), expanded);
        return ExitCode.done;
      }),
    );
}

function expandText({ archive_id, abstract }: ExpandedArchive, messages: readonly string[]): string {
  const head = [`## ${archive_id}`];
  if (abstract !== '') head.push(`**Summary**: ${abstract}`);
  head.push(`**Messages**: ${messages.length}`);
  return [...head, ...messages].join('\n\n');
}

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

export function defineShow(session: Command, run: Run): Command {
  return session
    .command('show')
    .description('print the live messages, or what the guards of the Working Memory let go')
    .argument('<id>', 'id of the session')
    .option('--removed', 'items that are in no later Working Memory, with the reason')
    .addHelpText('after', '\nExample:\n  openclaw memory session show chat-1 --removed')
    .action((id: string, options: { readonly removed?: boolean }) =>
      run(async (context) => {
        const workspace = await openFor(context);
        const sessions = await workspace.sessions(context.signal);
        if (options.removed) {
          const removed = await sessions.removed(id);
          const lines = removed.map(
            ({ archive_id, section, item, reason }) => `${archive_id}  ${section}: ${item}\n  ${reason}`,
          );
          context.out.answer(lines.join('\n') || 'Nothing was let go.', { session: id, removed });
          return ExitCode.done;
        }
        const messages = await sessions.live(id);
        context.out.answer(messages.map(renderMessage).join('\n\n') || 'No live messages.', { session: id, messages });
        return ExitCode.done;
      }),
    );
}

export function defineImport(session: Command, run: Run): Command {
  return session
    .command('import')
    .description('add what is new in a transcript of OpenClaw or Claude Code')
    .argument('<file>', 'JSON lines; - for stdin')
    .option('--session <id>', 'id of the session (default: as the transcript says)')
    .addHelpText(
      'after',
      '\nHeartbeats, cron turns, slash commands, thoughts and injected context are left\nout. Importing again adds only what is new.\n\nExample:\n  openclaw memory session import transcript.jsonl --session chat-1',
    )
    .action((file: string, options: { readonly session?: string }) =>
      run(async (context) => {
        const text = await readInput(file, context.io);
        const workspace = await openFor(context);
        const report = await (await workspace.sessions(context.signal)).importTranscript(text, options.session);
        if (report.unreadable > 0) context.out.warn(`${count(report.unreadable, 'line')} could not be read`);
        const { session: id, added, known, noise, otherBranches } = report;
        context.out.answer(
          `${id}: ${count(added, 'message')} added, ${known} known already, ${noise} left out as noise, ${otherBranches} on other branches`,
          report,
        );
        return ExitCode.done;
      }),
    );
}
