import { Argument, type Command, Option } from 'commander';
import { type ExitCode, fail } from '../base/failure.js';
import {
  DRY_RUN_FIELD,
  flagOf,
  type OnProgress,
  type RequestField,
  type RequestFields,
  type RequestFieldType,
  type RequestOf,
  readRequest,
} from '../base/request.js';
import type { GlobalOptions } from './arguments.js';
import type { CommandIo } from './io.js';
import type { Output } from './output.js';
import { toPrintable } from './text.js';

/** The input of an action: streams, output, global options, and the means to stop it and to report progress. */
export interface CommandContext {
  readonly io: CommandIo;
  readonly out: Output;
  readonly global: GlobalOptions;
  /** The entries of all commands of this program, with their names and summaries. */
  readonly commands: readonly CommandEntry[];
  /** Tells the command to stop. Ctrl-C and SIGTERM abort this signal. */
  readonly signal: AbortSignal;
  /** Reports the progress of long work; undefined if progress is not shown. */
  readonly onProgress?: OnProgress;
}

/** Result of an action: an exit code, or nothing for success. */
type ActionResult = Promise<ExitCode | undefined> | Promise<void> | ExitCode;

/** Runs an action. The process ends with the exit code that it returns. A failure that it throws is printed. */
export type RunAction = (action: (context: CommandContext) => ActionResult) => Promise<void>;

/**
 * Adds the arguments, options and action of one command. A file of `commands/` exports its
 * commands by their names. It is loaded only when one of them is used.
 */
export type DefineCommand = (command: Command, run: RunAction) => void;

export interface CommandEntry {
  readonly name: string;
  readonly group: HelpSection;
  /** One line about the command, for `--help`. */
  readonly summary: string;
  readonly load: () => Promise<DefineCommand>;
}

/** Heading in `--help`. `hidden` commands are older names. They work, but `--help` and completion do not
 * offer them. */
export type HelpSection = 'Every day' | 'Upkeep' | 'Hosts and agents' | 'hidden';

/** @throws MemoryError `usage` for arguments or options that exclude each other */
export function failBoth(...given: readonly string[]): never {
  return fail('usage', `${given.join(' and ')} can't be used together`, 'use only one of them');
}

/** Whether a person at a terminal can be asked. */
export function canAsk({ io, out }: CommandContext): boolean {
  return !out.json && io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks a person to choose one of some lines by number.
 * @returns the index of the chosen line; undefined if the input ends, or if the answer is not the number of a line
 */
export async function askToChoose(
  { io, signal }: CommandContext,
  lines: readonly string[],
): Promise<number | undefined> {
  const { createInterface } = await import('node:readline');
  io.stderr.write(toPrintable(lines.map((line, i) => `${i + 1}  ${line}\n`).join('')));
  // With `terminal: false`, Node does not handle the keys. The terminal shows what the person types, and turns Ctrl-C
  // into a signal.
  const asking = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
  const answer = await new Promise<string>((resolve) => {
    asking.question(`Which one? 1 to ${lines.length}, or Enter for none: `, { signal }, resolve);
    asking.once('close', () => resolve(''));
    signal.addEventListener('abort', () => resolve(''), { once: true });
  });
  asking.close();
  const chosen = /^\d+$/.test(answer.trim()) ? Number(answer) - 1 : -1;
  return lines[chosen] === undefined ? undefined : chosen;
}

/**
 * The description of a command that does something itself. (A group only has subcommands.) `takes` describes the
 * request of the command. The options, the help, the completion in a shell, and the check of the request are all made
 * from `takes`.
 */
interface VerbDefinition<F extends RequestFields> {
  /**
   * One line about the command, for the list of subcommands. A command of the registry has this line in the registry
   * instead.
   */
  readonly summary?: string;
  readonly takes: F;
  /** Additional help text, before the examples. */
  readonly more?: string;
  /** Example command lines, without `openclaw memory`. */
  readonly examples: readonly string[];
  run(context: CommandContext, request: RequestOf<F>): ActionResult;
}

/** Request field: a required positional argument. */
export const REQUIRED_ARGUMENT_FIELD = { type: 'text', required: true, place: 'argument' } as const;

/** Request field: a number from 0 to 1. */
export const SHARE_FIELD = { type: 'number', least: 0, most: 1 } as const;

/** Request fields of every command that writes to the workspace. */
export const WRITE_OPTIONS = {
  dryRun: DRY_RUN_FIELD,
  commit: { type: 'boolean', doc: 'commit exactly the written files to git' },
} as const satisfies RequestFields;

/** Request field: the option that reverts a run. */
export const UNDO_OPTION = {
  type: 'either',
  of: [{ type: 'text' }, { type: 'boolean' }],
  value: 'run',
  doc: 'undo the last run, or the run with this id',
} as const;

/** Hints for wrong uses of a command: an example, and its flags by the names that they have in other tools. */
export const HINTS = new WeakMap<
  Command,
  { readonly example: string | undefined; readonly otherFlags: ReadonlyMap<string, string> }
>();

/** Makes the function that defines a command for the parser (commander), from the description of the command. */
export function defineVerb<const F extends RequestFields>({
  summary,
  takes,
  more,
  examples,
  run: work,
}: VerbDefinition<F>): DefineCommand {
  return (command, run) => {
    if (summary !== undefined) command.summary(summary);
    const fields = Object.entries<RequestField>(takes);
    for (const [key, field] of fields) {
      if (field.place !== undefined) command.addArgument(argumentOf(key, field));
      else command.addOption(optionOf(key, field));
    }
    const instead = fields.flatMap(([key, field]) =>
      (field.instead ?? []).map((other) => [other, key, field] as const),
    );
    HINTS.set(command, {
      example: examples[0],
      otherFlags: new Map(instead.map(([other, key, field]) => [flagOf(other, field), flagOf(key, field)])),
    });
    command.addHelpText('after', helpAfter(examples, more)).action(() =>
      run((context) => {
        const request = readWords(takes, command);
        return work(context, readRequest(nameOf(command), takes, request, 'flag'));
      }),
    );
  };
}

/** Defines a command with subcommands. With `own`, the command also does something itself, as `extract` does. */
export function defineGroup(
  examples: readonly string[],
  members: Readonly<Record<string, DefineCommand>>,
  own?: DefineCommand,
): DefineCommand {
  return (command, run) => {
    own?.(command, run);
    if (own === undefined) command.addHelpText('after', helpAfter(examples));
    for (const [name, define] of Object.entries(members)) define(command.command(name), run);
  };
}

function helpAfter(examples: readonly string[], more?: string): string {
  const lines = examples.map((line) => `  ${line.startsWith('source ') ? line : `openclaw memory ${line}`}`);
  return `\n${more === undefined ? '' : `${more}\n\n`}Example:\n${lines.join('\n')}`;
}

/** The full name of a command, such as `session commit`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function argumentOf(key: string, field: RequestField): Argument {
  const term = field.place === 'argument' ? key : `${key}...`;
  const isNeeded = field.required === true && field.place !== 'words?';
  const argument = new Argument(isNeeded ? `<${term}>` : `[${term}]`, field.doc);
  if (field.type === 'choice') argument.argChoices = [...field.choices];
  return argument;
}

function optionOf(key: string, field: RequestField): Option {
  const flag = flagOf(key, field);
  const short = field.short === undefined ? '' : `-${field.short}, `;
  if (field.type === 'boolean')
    return field.default === true
      ? new Option(flag.replace('--', '--no-'), field.without ?? field.doc)
      : new Option(short + flag, field.doc);
  const isSwitchToo = field.type === 'either' && field.of.some(({ type }) => type === 'boolean');
  const value = field.value ?? VALUES[field.type] ?? flag.replace('--', '');
  const option = new Option(`${short}${flag} ${isSwitchToo ? `[${value}]` : `<${value}>`}`, field.doc);
  option.default(field.default);
  if (field.required && field.default === undefined) option.makeOptionMandatory();
  if (field.type === 'list')
    option.argParser((one: string, all: readonly string[] | undefined) => [...(all ?? []), one]);
  const one = field.type === 'list' ? field.of : field;
  if (one.type === 'choice') option.argChoices = [...one.choices];
  return option;
}

/**
 * Placeholder in help for the value of an option, by its type: `--k <n>`. Used if the field has no placeholder of its
 * own.
 */
const VALUES: Readonly<Partial<Record<RequestFieldType['type'], string>>> = { number: 'n', time: 'date', text: 'text' };

/**
 * Reads the arguments and options of a command line into a request: each value is at the key of its request field. Does
 * not check the values.
 */
function readWords(takes: RequestFields, command: Command): Readonly<Record<string, unknown>> {
  const options = new Map<string, unknown>(Object.entries(command.optsWithGlobals()));
  const places = Object.entries(takes).filter(([, { place }]) => place !== undefined);
  const words = new Map<string, unknown>(places.map(([key], at) => [key, command.processedArgs[at]]));
  const given: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(takes)) {
    const value = field.place === undefined ? options.get(optionOf(key, field).attributeName()) : words.get(key);
    if (field.required && field.place === 'argument' && value === '')
      fail('usage', `<${key}> is empty`, `see openclaw memory ${nameOf(command)} --help`);
    const isText = field.type === 'text' && Array.isArray(value);
    if (value !== undefined) given[key] = isText ? value.join(' ') : readWord(field, value);
  }
  return given;
}

/**
 * Converts a word of the command line to the type of its request field. If the type is a number, but the word is not,
 * the word stays text, so that the check of the request refuses it.
 */
function readWord(value: RequestFieldType, given: unknown): unknown {
  if (value.type === 'list' && Array.isArray(given)) return given.map((item) => readWord(value.of, item));
  if (typeof given !== 'string') return given;
  if (value.type === 'choice') return value.choices.find((choice) => choice === given.toLowerCase()) ?? given;
  if (value.type === 'number' && value.loose && /^\s*(?:nan|null|undefined)?\s*$/i.test(given)) return undefined;
  const isNumber =
    value.type === 'number' || (value.type === 'either' && value.of.some(({ type }) => type === 'number'));
  return isNumber && given.trim() !== '' && !Number.isNaN(Number(given)) ? Number(given) : given;
}
