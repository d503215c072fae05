import { isRecord } from '../base/json.js';
import type { HostContext, HostCorpus, HostTool } from './host.js';

/** A tool of the plugin. `args` turns its arguments into those of our command line. */
export interface BankTool extends Pick<HostTool, 'name' | 'label' | 'description' | 'parameters'> {
  readonly args: (given: Readonly<Record<string, unknown>>, context: HostContext) => readonly string[];
}

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 1 } as const;

function schema(properties: Readonly<Record<string, object>>, ...required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

function option(name: string, value: unknown): readonly string[] {
  return value === undefined || value === null ? [] : [name, String(value)];
}

const SESSION = { session: { ...TEXT, description: 'id of the session (default: this one)' } } as const;

/** Tools that search and write the bank. The manifest of the plugin lists the same names. */
export const HOST_BANK_TOOLS: readonly BankTool[] = [
  {
    name: 'bank_recall',
    label: 'Recall from the bank',
    description:
      'Find what is known about people, projects, decisions and beliefs: facts with file and line. Ask a plain question with ' +
      'concrete words, and cite `source`. An empty list means that nothing is known.',
    parameters: schema(
      {
        query: { ...TEXT, description: 'the question' },
        k: { ...COUNT, description: 'maximum number of results' },
        since: { ...TEXT, description: 'only from this day on: 2026-03-01, 30d' },
        until: { ...TEXT, description: 'only up to this day' },
      },
      'query',
    ),
    args: ({ query, k, since, until }) => [
      'recall',
      ...option('--k', k),
      ...option('--since', since),
      ...option('--until', until),
      '--',
      String(query),
    ],
  },
  {
    name: 'bank_get',
    label: 'Get from the bank',
    description: 'Read the text at an id, a path, or a `source` of bank_recall such as path#L4.',
    parameters: schema(
      {
        target: { ...TEXT, description: 'an id, a path or path#L3-L9' },
        context: { ...COUNT, description: 'number of lines to show before and after' },
      },
      'target',
    ),
    args: ({ target, context }) => ['get', ...option('--context', context), '--', String(target)],
  },
  {
    name: 'bank_retain',
    label: 'Retain in the bank',
    description:
      'Save facts to the log of today, one whole sentence each: `W @Peter: lives in Vienna` (W: the world, B: what you ' +
      'did, `O(c=0.8)`: an opinion, S: an observation). Write no secrets. Known facts are skipped.',
    parameters: schema(
      { facts: { type: 'array', items: TEXT, minItems: 1, description: 'one fact per item' } },
      'facts',
    ),
    args: ({ facts }) => ['retain', '--', ...(Array.isArray(facts) ? facts.map(String) : [])],
  },
  {
    name: 'bank_forget',
    label: 'Forget from the bank',
    description: 'Remove a statement for good. Use it only when the user asks for it, with the id from bank_recall.',
    parameters: schema({ id: { ...TEXT, description: 'id of the statement' } }, 'id'),
    args: ({ id }) => ['forget', '--', String(id)],
  },
  {
    name: 'bank_entity',
    label: 'Entity of the bank',
    description: 'Show what is known about a person or thing: what holds now, plans, what happened, what held before.',
    parameters: schema({ name: { ...TEXT, description: 'name or alias' } }, 'name'),
    args: ({ name }) => ['entity', 'show', '--k', '10', '--', String(name)],
  },
  {
    name: 'bank_settle',
    label: 'Settle two statements',
    description:
      'Save what a later statement does to an earlier one: replaces, ends, partly (with `over`: the words that are no ' +
      "longer true), same, both, plan. A person's decision counts more.",
    parameters: schema(
      {
        older: { ...TEXT, description: 'id of the earlier statement' },
        newer: { ...TEXT, description: 'id of the later statement' },
        relation: { type: 'string', enum: ['replaces', 'ends', 'partly', 'same', 'both', 'plan'] },
        over: { ...TEXT, description: 'with partly: words of the earlier statement' },
      },
      'older',
      'newer',
      'relation',
    ),
    args: ({ older, newer, relation, over }) => [
      ...['settle', '--by', 'agent', ...option('--over', over), '--'],
      ...[older, newer, relation].map(String),
    ],
  },
  {
    name: 'bank_session_search',
    label: 'Search a session',
    description:
      'Search all messages of a conversation, also those that were compacted. Use two or three concrete words. ' +
      '`archive` of a match is for bank_session_expand.',
    parameters: schema(
      { query: { ...TEXT, description: 'words that a message must all contain' }, ...SESSION },
      'query',
    ),
    args: ({ query, session }, { sessionId }) => [
      'session',
      'search',
      '--',
      String(session ?? sessionId),
      String(query),
    ],
  },
  {
    name: 'bank_session_expand',
    label: 'Messages of an archive',
    description: 'Read the original messages of an archive, when a summary lacks a detail: a command, a path, a value.',
    parameters: schema({ archive: { ...TEXT, description: 'archive_001, or its number' }, ...SESSION }, 'archive'),
    args: ({ archive, session }, { sessionId }) => [
      ...['session', 'expand', '--'],
      ...[session ?? sessionId, archive].map(String),
    ],
  },
];

/** A tool that answers with the output of our command line. */
export function makeHostTool(
  { args, ...about }: BankTool,
  context: HostContext,
  run: (args: readonly string[], signal: AbortSignal | undefined) => Promise<unknown>,
): HostTool {
  return {
    ...about,
    catalogMode: 'direct-only',
    execute: async (_, given, signal) => {
      const text = JSON.stringify(await run(args(isRecord(given) ? given : {}, context), signal));
      return { content: [{ type: 'text', text }], details: {} };
    },
  };
}

/** Name of our corpus. The host searches it in addition to its own memory when an agent asks for all corpora. */
const CORPUS = 'bank';

export function makeHostCorpus(run: (args: readonly string[], asked: object) => Promise<unknown>): HostCorpus {
  return {
    search: async (asked) => {
      const answer = await run(['recall', '--k', String(asked.maxResults ?? 10), '--', asked.query], asked);
      const results = isRecord(answer) && Array.isArray(answer.results) ? answer.results.filter(isRecord) : [];
      return results.map(
        ({ path, score, content: snippet, startLine, endLine, id, kind, source: citation, timestamp }) => {
          const place = { corpus: CORPUS, path, score, snippet, startLine, endLine, id, kind, citation };
          const updated = typeof timestamp === 'string' ? { updatedAt: timestamp } : {};
          return { ...place, source: 'openclaw-memory', ...updated };
        },
      );
    },
    get: async (asked) => {
      const { lookup, fromLine, lineCount } = asked;
      const lines = fromLine === undefined ? '' : `#L${fromLine}-L${fromLine + (lineCount ?? 1) - 1}`;
      const answer = await run(['get', '--', lookup.includes('#') ? lookup : lookup + lines], asked).catch(() => null);
      const item = isRecord(answer) && isRecord(answer.item) ? answer.item : undefined;
      if (item === undefined) return null;
      const { path, content, startLine, endLine } = item;
      const [from, to] = [Number(startLine), Number(endLine)];
      return { corpus: CORPUS, path, content, fromLine: from, lineCount: to - from + 1 };
    },
  };
}
