import { posix } from 'node:path';
import type { Clock, Day } from '../base/clock.js';
import type { Conversation, SourceMessage } from '../extract/question.js';
import { scanMarkdown } from '../markdown/scan.js';
import { pageOfPath } from '../memory/pages.js';
import { contentItems, parseDocument } from '../wm/document.js';
import type { WorkspaceContext } from '../workspace/read-scope.js';
import { archivesWithMessages } from './expand.js';
import { dayOfDraft, dayOfMessage, type MessageDraft, readDrafts, type SessionMessage } from './message.js';
import { Session } from './session.js';

/** What was said in a session, its archives too. @param after id of the last message that is left out */
export function readSessionConversation(
  { root, clock }: Pick<WorkspaceContext, 'root' | 'clock'>,
  id: string,
  after?: string,
  since?: Day,
): Conversation {
  const session = Session.open(root, id);
  const folder = `sessions/${id}`;
  const all = [
    ...archivesWithMessages(session).flatMap(({ archive, messages, isExtracted }) => {
      const [place, label] = [`history/${archive}/messages.jsonl`, `${id}/${archive}`];
      return messages.map((message) => ({ message, place, label, isExtracted }));
    }),
    ...session.live.map((message) => ({ message, place: 'messages.jsonl', label: id, isExtracted: false })),
  ];
  const from = after === undefined ? 0 : all.findIndex(({ message }) => message.id === after) + 1;
  const messages = all
    .slice(from)
    .filter(({ isExtracted }) => !isExtracted || since !== undefined)
    .flatMap(({ message, place, label }) =>
      saidBy(message, message.id, dayOfMessage(message, clock), `${folder}/${place}`, label),
    );
  const tasks = tasksOf(session.overview?.text);
  return { source: folder, ...(since === undefined && { session: id }), messages: sinceDay(messages, since), tasks };
}

/** What a Working Memory says of tasks: what they were, how they stand, what went wrong. */
function tasksOf(overview: string | undefined): string {
  const { bodies } = parseDocument(overview ?? '');
  const sections = ['Task & Goals', 'Current State', 'Errors & Corrections'] as const;
  return sections
    .flatMap((name) => contentItems(bodies[name]))
    .join('; ')
    .slice(0, LONGEST_TASKS);
}

const LONGEST_TASKS = 1_200;

/** What was said in one archive of a session. */
export function readArchiveConversation(
  session: string,
  archive: string,
  messages: readonly SessionMessage[],
  overview: string,
  clock: Clock,
): Conversation {
  const source = `sessions/${session}/history/${archive}`;
  const [path, label] = [`${source}/messages.jsonl`, `${session}/${archive}`];
  return {
    source,
    tasks: tasksOf(overview),
    messages: messages.flatMap((one) => saidBy(one, one.id, dayOfMessage(one, clock), path, label)),
  };
}

/**
 * A conversation out of a text: messages as JSON or JSON lines, else the lines of a log.
 * @param name of the file, relative to the workspace where it is in it
 * @throws MemoryError `usage` for JSON that holds no messages
 */
export function readTextConversation(text: string, name: string, clock: Clock, since?: Day): Conversation {
  const source = name === '-' ? 'stdin' : name;
  if (!/^\s*[[{]/u.test(text)) return { source, messages: linesOf(text, source) };
  const messages = readDrafts(text).flatMap((draft, index) =>
    saidBy(
      draft,
      draft.source_id ?? `${index + 1}`,
      dayOfDraft(draft.timestamp, clock),
      source,
      posix.basename(source),
    ),
  );
  return { source, messages: sinceDay(messages, since) };
}

function linesOf(text: string, path: string): readonly SourceMessage[] {
  const { lines } = scanMarkdown(text);
  const day = pageOfPath(path)?.day ?? null;
  return lines.flatMap((line, index) => {
    const place = `L${index + 1}`;
    const source = { path: `${path}#${place}`, label: `${posix.basename(path)}#${place}`, isTrusted: true };
    return line.trim() === '' ? [] : [{ id: place, role: 'log', text: line, day, source }];
  });
}

/** What people and agents said apart from what tools printed; what clients put beside messages is neither. */
function saidBy(
  { role, parts }: MessageDraft,
  id: string,
  day: Day | null,
  path: string,
  label: string,
): readonly SourceMessage[] {
  const said = parts.flatMap((part) => {
    if (part.type === 'tool_call')
      return `(calls ${part.name} ${(JSON.stringify(part.input) ?? '').slice(0, LONGEST_INPUT)})`;
    return part.type === 'text' ? part.text : [];
  });
  const results = parts.filter((part) => part.type === 'tool_result');
  const printed = results.map(({ name, status, output }) => `${name} (${status}): ${output}`);
  const calls = results.map(({ name, status }) => ({ tool: name, isFailed: /error|fail/iu.test(status) }));
  const as = (of: string, texts: readonly string[]): SourceMessage => ({
    id,
    role: of,
    text: texts.join('\n'),
    day,
    source: { path: `${path}#${id}`, label, isTrusted: of !== 'tool' },
  });
  return [
    ...(said.length === 0 ? [] : [as(role, said)]),
    ...(printed.length === 0 ? [] : [{ ...as('tool', printed), calls }]),
  ];
}

const LONGEST_INPUT = 300;

function sinceDay(messages: readonly SourceMessage[], since: Day | undefined): readonly SourceMessage[] {
  return since === undefined ? messages : messages.filter(({ day }) => day !== null && day >= since);
}
