import { isRecord, parseRecord } from '../../../base/json.js';
import { wordSet } from '../../../language/tokens.js';
import type { MessagePart, SessionMessage, ToolCallPart, ToolResultPart } from '../../message.js';

/** A message with its number in the session. */
export interface NumberedMessage {
  readonly message: SessionMessage;
  readonly at: number;
}

/** A tool call with its result. */
export interface CallWithResult {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | undefined;
  readonly at: number;
  /** The programs that the command of a shell call starts; empty for other tools. */
  readonly shell: readonly ShellCommand[];
  /** The folder of the call, if the host gives it. */
  readonly folder?: string | undefined;
  /** The exit code of its command, if the host gives it. */
  readonly code?: number | undefined;
}

/**
 * The calls in some messages with their results, oldest first. If a call only asks for the result of a command that still
 * runs, it counts as a call of that command: its result replaces the earlier result of the command. Pure.
 */
export function callsWithResults(messages: readonly NumberedMessage[]): readonly CallWithResult[] {
  const open = new Map<string, number>();
  const running = new Map<string, ToolCallPart>();
  const calls: CallWithResult[] = [];
  for (const { message, at } of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool_call') {
        open.set(part.id, calls.length);
        const call = commandAskedFor(part, running) ?? part;
        calls.push({ call, shell: parseShellCommand(commandOfCall(call)), result: undefined, at, folder: message.cwd });
      } else if (part.type === 'tool_result') take(calls, open, running, part, at);
    }
  }
  return calls;
}

function take(
  calls: CallWithResult[],
  open: ReadonlyMap<string, number>,
  running: Map<string, ToolCallPart>,
  result: ToolResultPart,
  at: number,
): void {
  const index = open.get(result.id) ?? calls.length;
  const call: MessagePart = { type: 'tool_call', id: result.id, name: result.name, input: null };
  const asked = calls[index] ?? { call, shell: [], result: undefined, at };
  const going = GOES_ON.exec(result.output.slice(0, 400));
  if (going !== null) {
    const named = going[1] ?? [...running].find(([, each]) => each === asked.call)?.[0];
    if (named !== undefined) running.set(named, asked.call);
    calls[index] = asked;
    return;
  }
  calls[index] = { ...asked, result: { ...result, ...printed(result) }, code: exitCode(result.output) };
}

/**
 * The output of a command without the host's own text. Some hosts put the output, or the reason of a failure, into fields of
 * a JSON object.
 */
function printed({ name, output }: ToolResultPart): Partial<ToolResultPart> {
  const bare = output.replace(HEAD, '');
  const inner = output.startsWith('<') ? bare.replace(/\n?<\/(?:output|stdout)>\s*$/u, '') : bare;
  const fields = /^\{\s*"(?:output|status|\w*id)"/u.test(inner) ? parseRecord(inner.trim()) : undefined;
  if (typeof fields?.output === 'string') return { output: fields.output };
  const isRefused = fields?.status === 'error' && fields.tool === name && typeof fields.error === 'string';
  return isRefused ? { output: String(fields.error), status: 'error' } : { output: inner };
}

/** Matches the message of a host that a command still runs, and the id with which the agent can ask for its result. */
const GOES_ON =
  /\brunning (?:in the background |in background )?with (?:\w+ )?ID:?\s+([\w-]+)|^<[^\n]*\n[\s\S]*<status>running</u;
/** Matches the lines about a call that hosts put before its output. */
const HEAD = /^(?:[A-Z][^\n]{0,79}\n){1,8}Output:\n|^(?:<(\w+)>[^<\n]*<\/\1>\s*){1,8}<(?:output|stdout)>\n?/u;

/**
 * The command that still runs and whose result a call asks for. The host gave the command an id, and the call names this
 * id. Undefined for other calls, and for a call that stops the command.
 */
function commandAskedFor(
  { name, input }: ToolCallPart,
  running: ReadonlyMap<string, ToolCallPart>,
): ToolCallPart | undefined {
  if (!isRecord(input) || /kill|stop|cancel/iu.test(name)) return undefined;
  const [, asked] = Object.entries(input).find(([key, id]) => /id$/iu.test(key) && running.has(String(id))) ?? [];
  const command = asked === undefined ? undefined : running.get(String(asked));
  if (command === undefined || !isRecord(command.input)) return command;
  const { run_in_background: _, background: __, ...rest } = command.input;
  return { ...command, input: rest };
}

/** The text of the first argument whose name matches; '' if there is none. */
export function argumentText(input: unknown, name: RegExp): string {
  for (const [key, value] of Object.entries(isRecord(input) ? input : {})) {
    if (!name.test(key)) continue;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (Array.isArray(value) && value.every((word) => typeof word === 'string') && value.length > 0)
      return value.join(' ');
  }
  return '';
}

const COMMAND = /^(?:command|cmd|shell_command|commandLine)$/iu;

/** The command that a shell tool was given; '' for other tools. Pure. */
export function commandOfCall({ name, input }: ToolCallPart): string {
  // Look only at shell tools: the argument `script` of another tool may be in another language.
  const isShell = /sh$|shell|exec|terminal|command/iu.test(name);
  const command = argumentText(input, isShell ? /^(?:command|cmd|script|shell_command|commandLine)$/iu : COMMAND);
  const script = command.replace(
    /^(?:\S*[\\/])?(?:(?:ba|z)?sh -l?c|(?:powershell|pwsh)(?:\.exe)? (?:-\w+ (?:Bypass )?)*?-Command)\s+(?!["'])/i,
    '',
  );
  // A patch is not a command, although some hosts let an agent pass a patch in the argument for a command.
  return /^(?:apply_patch\s|\*\*\* Begin Patch)/u.test(script) ? '' : script;
}

/** Matches the exit code as a host reports it, at the beginning or end of the output. */
const EXIT =
  /(?:^|\n)\W{0,4}(?:Exit code|exit_code"?|(?:Command|Process|Shell command)? ?exited with(?: exit)? code|exit status)\W{0,4}(-?\d{1,5})/iu;

function exitCode(output: string): number | undefined {
  const ends = keepStartAndEnd(output, 300);
  const found = (EXIT.exec(ends) ?? /"exit_code":\s*(-?\d{1,5})/u.exec(ends))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Matches the output of a failed call if the host gives no exit code: `failed in sandbox: …`, `exec_command failed: …`. */
const BEGINS_FAILED = /^(?:\w+ ){0,3}failed(?: in \w+)?: /u;

/** True if a call is known to have failed. Pure. */
export function hasCallFailed(call: CallWithResult): boolean {
  if (call.result === undefined) return false;
  if (/error|fail|denied|reject/i.test(call.result.status)) return true;
  if (call.code !== undefined) return call.code !== 0;
  const { output } = call.result;
  const isText = commandOfCall(call.call) !== '' || /read|view|open|cat|show|fetch/iu.test(call.call.name);
  return BEGINS_FAILED.test(output) || (!isText && /^error: /iu.test(output));
}

/** The beginning and the end of an output, where its errors and status are. */
export function keepStartAndEnd(output: string, most = 4_000): string {
  if (output.length <= 2 * most) return output;
  const end = output.slice(-most);
  // The first line of `end` may have lost its beginning, so drop it.
  return `${output.slice(0, most)}\n${end.slice(end.indexOf('\n') + 1)}`;
}

/** One program that a command line starts. */
export interface ShellCommand {
  /** Its name and arguments, without quotes. */
  readonly words: readonly string[];
  /** The files to which its output goes. */
  readonly writes: readonly string[];
  /** The operator after the command: `;` also stands for the end of a line, and '' for the end of the whole text. */
  readonly then: '&&' | '||' | '|' | ';' | '&' | '';
}

/** Maximum number of characters that are read. What follows in a longer command is mostly text, not commands. */
const LOOKED_AT = 8_000;
const HERE_DOCUMENT = /<<-?[ \t]*(["']?)([\w.-]+)\1([^\n]*)(?:((?:\n[^\n]*)*?)\n[ \t]*\2[ \t]*(?=\n|$)|([\s\S]*)$)/gu;
/** Maximum number of characters of a here-document that are kept. */
const MOST_INPUT = 500;
const WORD =
  /(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?|`[^`]*`?|\$\((?:[^()]|\([^()]*\))*\)?|(?![)}](?:[\s;|&)]|$))[^\s;&|<>("'`\\])+/u;
/** Matches a comment, a redirection with its file, an operator, or a word with its quotes. */
const TOKEN = new RegExp(
  String.raw`#[^\n]*|(&>>?|\d?>>?\|?|<+)(?:&\d|[ \t]*(${WORD.source}))?|(&&|\|\||\||&|;|\n|[(){}](?=[\s;|&)]|$)|\()|(${WORD.source})`,
  'gu',
);
/** Matches a command substitution. Its output is unknown. */
const INNER = /`[^`]*`?|\$\((?:[^()]|\([^()]*\))*\)?/u;
const QUOTED = new RegExp(
  String.raw`'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|\\(["'\s\\$;&|<>()*?#])|${INNER.source}`,
  'gu',
);
const ESCAPED = new RegExp(String.raw`\\(["\\$])|${INNER.source}`, 'gu');
const OPERATORS = ['&&', '||', '|', '&'] as const;
/** Keywords of the shell that may stand before a command. */
const GRAMMAR = wordSet('if then else elif do while until time ! { ( done fi }');

/**
 * Parses a shell command. Skips comments and the content of `$(…)`, whose output is unknown. Pure.
 */
export function parseShellCommand(command: string): readonly ShellCommand[] {
  const text = command
    .slice(0, LOOKED_AT)
    .replace(/\\\r?\n/gu, ' ')
    .replace(HERE_DOCUMENT, asWord);
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  const end = (then: ShellCommand['then']): void => {
    while (GRAMMAR.has(words[0] ?? '')) words.shift();
    if (words.length > 0 || writes.length > 0) commands.push({ words, writes, then });
    [words, writes] = [[], []];
  };
  for (const [, redirect, file, sign, word] of text.matchAll(TOKEN)) {
    if (word !== undefined) words.push(withoutQuotes(word));
    else if (sign !== undefined) end(OPERATORS.find((each) => each === sign) ?? ';');
    // `2>&1` only joins two outputs, so there is no file.
    else if (file !== undefined && /^[>1]/u.test(redirect ?? '')) writes.push(withoutQuotes(file));
  }
  end('');
  return commands;
}

/** Makes a here-document a word of its command: if the program runs scripts, it is the script. */
function asWord(_: string, _quote: string, _mark: string, rest: string, text?: string, open = ''): string {
  return ` '${(text ?? open).slice(0, MOST_INPUT).replaceAll("'", '"')}'${rest}`;
}

function withoutQuotes(word: string): string {
  return word.replace(QUOTED, (_, plain?: string, quoted?: string, escaped?: string) => {
    const said = quoted?.replace(ESCAPED, (__, sign?: string) => sign ?? '$()');
    return plain ?? said ?? escaped ?? '$()';
  });
}
