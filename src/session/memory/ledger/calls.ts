import { isRecord } from '../../../base/json.js';
import type { Part, SessionMessage, ToolCallPart, ToolResultPart } from '../../message.js';

/** A message with its number in the session. */
export interface Numbered {
  readonly message: SessionMessage;
  readonly at: number;
}

/** A call of a tool with what came of it. */
export interface Call {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | undefined;
  readonly at: number;
  /** Where it was called, if the host tells. */
  readonly folder?: string | undefined;
}

/** The calls of some messages with their results, oldest first. Pure. */
export function callsOf(messages: readonly Numbered[]): readonly Call[] {
  const open = new Map<string, number>();
  const calls: Call[] = [];
  for (const { message, at } of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool_call') {
        open.set(part.id, calls.length);
        calls.push({ call: part, result: undefined, at, folder: message.cwd });
      } else if (part.type === 'tool_result') take(calls, open, part, at);
    }
  }
  return calls;
}

function take(calls: Call[], open: Map<string, number>, result: ToolResultPart, at: number): void {
  const index = open.get(result.id);
  const asked = index === undefined ? undefined : calls[index];
  if (index === undefined || asked === undefined) {
    const call: Part = { type: 'tool_call', id: result.id, name: result.name, input: null };
    calls.push({ call, result, at });
    return;
  }
  calls[index] = { ...asked, result };
}

/** A field of what a tool was given, by the first of some names that it has as text; '' when it has none. */
export function argument(input: unknown, names: readonly string[]): string {
  const fields = typeof input === 'string' ? {} : isRecord(input) ? input : {};
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (Array.isArray(value) && value.every((word) => typeof word === 'string') && value.length > 0)
      return value.join(' ');
  }
  return '';
}

/** The command that a shell tool was given; '' for other tools. Pure. */
export function commandOf({ name, input }: ToolCallPart): string {
  // Other tools take scripts of other languages.
  const script = /sh$|shell|exec|terminal|command/iu.test(name) ? ['script'] : [];
  const command = argument(input, ['command', 'cmd', ...script, 'shell_command', 'commandLine', 'CommandLine']);
  return command.replace(/^(?:bash|sh|zsh) -l?c\s+/, '');
}

/** How a host says with which code a command ended: at the beginning or the end of what it printed. */
const EXIT =
  /(?:^|\n)\W{0,4}(?:Exit code|exit_code"?|(?:Command|Process|Shell command)? ?exited with(?: exit)? code|exit status)\W{0,4}(-?\d{1,5})/iu;

/** The code with which a command ended, where the host tells it. Pure. */
export function exitCode({ result }: Call): number | undefined {
  const ends = edges(result?.output ?? '', 300);
  const found = (EXIT.exec(ends) ?? /"exit_code":\s*(-?\d{1,5})/u.exec(ends))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Whether a call failed, as far as it can be told. Pure. */
export function hasFailed(call: Call): boolean {
  if (call.result === undefined) return false;
  if (/error|fail|denied|reject/i.test(call.result.status)) return true;
  const code = exitCode(call);
  return code !== undefined && code !== 0;
}

/** The beginning and the end of an output: what it says of itself stands there. */
export function edges(output: string, most = 4_000): string {
  return output.length <= 2 * most ? output : `${output.slice(0, most)}\n${output.slice(-most)}`;
}
