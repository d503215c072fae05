import { parseBullet } from '../../markdown/bullet.js';
import { estimateTokens } from '../../text/tokens.js';
import { parseDocument } from '../../wm/document.js';
import { contentItems, itemKey } from '../../wm/items.js';
import { KEEP, type Operation, type Operations } from '../../wm/operations.js';
import { readPaths } from '../../wm/paths.js';
import { CONSOLIDATE_BULLETS, CONSOLIDATE_TOKENS } from '../../wm/reminders.js';
import { byName, type SectionName } from '../../wm/sections.js';
import { bareText } from '../log/bare-text.js';
import { type Part, plainText, type SessionMessage } from '../message.js';

/** Most items that one commit adds to a section. What is left out is in the archive. */
const MOST_ADDED: Readonly<Record<SectionName, number>> = {
  'Session Title': 1,
  'Current State': 4,
  'Task & Goals': 4,
  'Key Facts & Decisions': 8,
  'Files & Context': 10,
  'Errors & Corrections': 6,
  'Open Issues': 6,
};
/** Longest item, in characters. */
const LONGEST_ITEM = 240;
/** So much of a text is looked at for facts, errors and paths: what a tool printed may be megabytes. */
const LOOKED_AT = 20_000;
/** A title is in the first characters of a request. */
const TITLE_FROM = 500;
const TITLE_WORDS = 10;

/**
 * Operations on a Working Memory without a model, by what the messages plainly say: the first request as title, typed
 * bullets and decisions, files and commands, errors and corrections, what was asked and not answered. Pure. Nobody
 * consolidates in the meantime, so a section that has reached its size takes no more.
 */
export function deterministicOperations(old: string | null, messages: readonly SessionMessage[]): Operations {
  const { bodies } = parseDocument(old);
  const found: Readonly<Record<SectionName, (room: Room) => readonly string[]>> = {
    'Session Title': () => messages.flatMap(requestOf).flatMap(titleOf).slice(0, 1),
    'Current State': () => currentState(messages),
    'Task & Goals': (room) => room.of(messages.flatMap(requestOf).filter((text) => text.length > 12)).slice(0, 2),
    'Key Facts & Decisions': (room) => newest(messages, factsIn, room),
    'Files & Context': (room) => filesAndCommands(messages, bodies['Files & Context'], room),
    'Errors & Corrections': (room) => newest(messages, errorsIn, room),
    'Open Issues': (room) => [...room.of(unanswered(messages)), ...newest(messages, openIn, room)].slice(-room.left),
  };
  return byName((name) => {
    const operation = operationFor(name, bodies[name], found[name]);
    return { name: operation.op, operation };
  });
}

function operationFor(name: SectionName, body: string, find: (room: Room) => readonly string[]): Operation {
  const old = contentItems(body);
  if (name === 'Session Title') {
    const title = old.length > 0 ? undefined : find(new Room(old, 1))[0];
    return title === undefined ? KEEP : { op: 'UPDATE', content: title };
  }
  const isFull = estimateTokens(body) >= CONSOLIDATE_TOKENS || old.length >= CONSOLIDATE_BULLETS;
  if (isFull && name !== 'Current State') return KEEP;
  const items = find(new Room(old, Math.min(MOST_ADDED[name], CONSOLIDATE_BULLETS - old.length)));
  if (items.length === 0) return KEEP;
  if (name !== 'Current State') return { op: 'APPEND', items };
  return { op: 'UPDATE', content: items.map((item) => `- ${item}`).join('\n') };
}

/** How much a section still takes, and what it has already. */
class Room {
  private readonly seen: Set<string>;

  constructor(
    old: readonly string[],
    readonly left: number,
  ) {
    this.seen = new Set(old.map(itemKey));
  }

  /** What is new of some items. */
  of(items: readonly string[]): readonly string[] {
    return items.filter((item) => {
      const key = itemKey(item);
      if (key === '' || this.seen.has(key)) return false;
      this.seen.add(key);
      return true;
    });
  }
}

/** The newest items that there is room for, oldest first. Looks at no more messages than it takes to find them. */
function newest(
  messages: readonly SessionMessage[],
  find: (message: SessionMessage) => readonly string[],
  room: Room,
  most = room.left,
): readonly string[] {
  const found: string[] = [];
  for (let index = messages.length - 1; index >= 0 && found.length < most; index--) {
    const message = messages[index];
    if (message !== undefined) found.unshift(...room.of(find(message)));
  }
  return found.slice(-most);
}

function requestOf(message: SessionMessage): readonly string[] {
  return message.role === 'user' ? [firstLine(plainText(message))] : [];
}

function titleOf(request: string): readonly string[] {
  const words = request
    .slice(0, TITLE_FROM)
    .replace(/^[#>*\-\s]+/u, '')
    .split(/\s+/u)
    .filter((word) => word !== '');
  const title = words
    .slice(0, TITLE_WORDS)
    .join(' ')
    .slice(0, 80)
    .replace(/[\s.,:;!?。，！？]+$/u, '');
  return /[\p{L}\p{N}]/u.test(title) ? [title] : [];
}

function currentState(messages: readonly SessionMessage[]): readonly string[] {
  const last = (role: string): string =>
    firstLine(
      plainText(messages.findLast((message) => message.role === role && plainText(message).trim() !== '') ?? NONE),
    );
  const request = last('user');
  const answer = last('assistant');
  return [
    ...(request === '' ? [] : [`Last request: ${request}`]),
    ...(answer === '' ? [] : [`Last answer: ${answer}`]),
  ];
}

const NONE: Pick<SessionMessage, 'role' | 'parts' | 'timestamp'> = { role: 'user', parts: [], timestamp: null };

const DECISION =
  /\b(?:we (?:decided|agreed|chose|will use|use)|let(?:'s| us) (?:use|go with|keep|switch)|decided to|i prefer|prefers?|always|never|must(?: not)?|don'?t use|do not use|instead of|because)\b|决定|选择|改用|不要|必须|总是|从不|偏好|因为/iu;

/** Typed bullets of anybody, and what sounds like a decision or preference of the user. */
function factsIn(message: SessionMessage): readonly string[] {
  if (message.role === 'tool') return [];
  const lines = linesOf(plainText(message));
  const typed = lines.flatMap((line) => {
    const parsed = parseBullet(line.replace(/^[-*+]\s+/u, ''));
    return parsed.type === 'fact' ? [shorten(`${parsed.bullet.kind} ${parsed.bullet.statement}`)] : [];
  });
  if (message.role !== 'user') return typed;
  return [...typed, ...lines.filter((line) => DECISION.test(line) && !isQuestion(line)).map(shorten)];
}

const MOST_COMMANDS = 4;

function filesAndCommands(messages: readonly SessionMessage[], body: string, room: Room): readonly string[] {
  const known = new Set(readPaths(body));
  const commands = newest(messages, ({ parts }) => parts.flatMap(commandsOf), room, MOST_COMMANDS);
  const files = newest(
    messages,
    ({ parts }) =>
      parts
        .flatMap((part) => readPaths(looked(part)))
        .filter((path) => path.length <= LONGEST_ITEM && !known.has(path))
        .map((path) => `\`${path}\``),
    room,
    Math.max(0, room.left - commands.length),
  );
  return [...files, ...commands].slice(-room.left);
}

function commandsOf(part: Part): readonly string[] {
  if (part.type !== 'tool_call' || typeof part.input !== 'object' || part.input === null) return [];
  const { command, cmd }: { command?: unknown; cmd?: unknown } = part.input;
  return [command, cmd].flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? [`ran \`${firstLine(value).replaceAll('`', "'")}\``] : [],
  );
}

const ERROR =
  /\b(?:[A-Za-z]*(?:Error|Exception)\b|error:|fatal:|failed\b|traceback\b|panic:|E[A-Z]{4,}\b)|错误|失败|异常/u;
const CORRECTION =
  /^(?:no[,.! ]|nope\b|wrong\b|that'?s (?:wrong|not)|actually[, ]|not what i|stop\b|undo\b|revert\b)|^(?:不对|错了|不是|不行)/iu;

function errorsIn(message: SessionMessage): readonly string[] {
  if (message.role === 'user') {
    const line = firstLine(plainText(message));
    return CORRECTION.test(line) ? [`User: ${line}`] : [];
  }
  return message.parts.flatMap((part) => {
    if (part.type !== 'tool_result') return [];
    const line = linesOf(looked(part)).find((text) => ERROR.test(text));
    if (line !== undefined) return [shorten(line)];
    return part.status === 'error' ? [shorten(`${part.name || 'tool'}: ${firstLine(looked(part))}`)] : [];
  });
}

const OPEN =
  /\b(?:TODO|FIXME|open question|still (?:need|needs|have) to|blocked (?:by|on)|not yet (?:done|fixed|decided))\b|待办|未解决|还需要/u;

function openIn(message: SessionMessage): readonly string[] {
  if (message.role === 'tool') return [];
  return linesOf(plainText(message))
    .filter((line) => OPEN.test(line))
    .map(shorten);
}

/** Questions of the user behind the last answer. */
function unanswered(messages: readonly SessionMessage[]): readonly string[] {
  const answered = messages.findLastIndex(({ role, parts }) => role === 'assistant' && parts.some(isText));
  return messages
    .slice(answered + 1)
    .filter(({ role }) => role === 'user')
    .flatMap((message) => linesOf(plainText(message)).filter(isQuestion))
    .map(shorten);
}

function isText({ type }: Part): boolean {
  return type === 'text';
}

function isQuestion(line: string): boolean {
  return /[?？]\s*$/u.test(line);
}

/** The text of a part, as far as it is looked at. */
function looked(part: Part): string {
  if (part.type === 'text') return part.text.slice(0, LOOKED_AT);
  if (part.type === 'tool_result') return part.output.slice(0, LOOKED_AT);
  return part.type === 'tool_call' ? bareText(part).slice(0, LOOKED_AT) : '';
}

function linesOf(text: string): readonly string[] {
  return text
    .slice(0, LOOKED_AT)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function firstLine(text: string): string {
  return shorten(linesOf(text)[0] ?? '');
}

function shorten(text: string): string {
  const points = [...text.slice(0, LONGEST_ITEM * 2)];
  return points.length <= LONGEST_ITEM ? text : `${points.slice(0, LONGEST_ITEM - 1).join('')}…`;
}
