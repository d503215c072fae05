import type { Command, Option } from 'commander';
import { fillTemplate } from '../../workspace/templates.js';
import { addGlobalOptions } from '../arguments.js';
import { TextCommand } from '../program.js';
import { defineVerb } from '../verb.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Shell command that lists entity names at completion time: the second column of `entity list`. */
const ENTITIES = `openclaw memory entity list 2>/dev/null | awk '{print $2}'`;
/** Flags whose value is a folder. Other flags complete an entity, fixed choices, or nothing. */
const FOLDERS = '-w|--workspace';

/** A command with its path: the words that name it, such as `session commit`. The path of the root is empty. */
interface Placed {
  readonly path: readonly string[];
  readonly command: Command;
}

/** A command and all its subcommands, parents first. */
function everyCommand(command: Command, path: readonly string[] = []): readonly Placed[] {
  return [{ path, command }, ...command.commands.flatMap((sub) => everyCommand(sub, [...path, sub.name()]))];
}

function optionsOf({ options }: Command): readonly Option[] {
  return options.filter(({ hidden }) => !hidden);
}

/** The flags of an option, such as `-w` and `--workspace`. */
function flagsOf({ short, long }: Option): readonly string[] {
  return [short, long].filter((flag) => flag !== undefined && flag !== null);
}

function bash(all: readonly Placed[]): string {
  const options = all.flatMap(({ command }) => optionsOf(command));
  const withValue = options.filter(({ required, optional }) => required || optional);
  const chosen = new Map(options.flatMap((one) => (one.argChoices ? [[flagsOf(one).join('|'), one.argChoices]] : [])));
  const choices = [...chosen].map(
    ([flags, words]) => `    ${flags}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")); return ;;`,
  );
  const long = ({ command }: Placed) => optionsOf(command).flatMap(({ long: flag }) => flag ?? []);
  const everywhere = all.slice(0, 1).flatMap(long);
  const paths = all.map((placed) => {
    const { path, command } = placed;
    const flags = path.length === 0 ? everywhere : [...long(placed), '--help', ...everywhere];
    const words = command.commands.map((sub) => sub.name());
    return `    '${path.join('/')}') words='${words.join(' ')}'; flags='${flags.join(' ')}' ;;`;
  });
  return fillTemplate('completion.bash', {
    values: [...new Set(withValue.flatMap(flagsOf))].join('|'),
    names: all
      .slice(1)
      .map(({ path }) => path.join('/'))
      .join(' '),
    folders: FOLDERS,
    entities: ENTITIES,
    choices: choices.join('\n'),
    paths: paths.join('\n'),
  });
}

function fish([root, ...all]: readonly Placed[]): string {
  const lines = [
    'function __openclaw_memory_entities',
    `  ${ENTITIES}`,
    'end',
    'complete -c openclaw -f -n __fish_use_subcommand -a memory',
  ];
  const seen = (names: readonly string[]) => names.map((name) => `__fish_seen_subcommand_from ${name}`);
  const top = root?.command.commands.map((sub) => sub.name()).join(' ');
  for (const bin of ['openclaw', 'openclaw-memory']) {
    const fresh = [...seen(bin === 'openclaw' ? ['memory'] : []), `not __fish_seen_subcommand_from ${top}`];
    for (const { path, command } of all) {
      const when = path.length === 1 ? fresh : seen(path.slice(0, -1));
      const what = `-a ${command.name()} -d ${quote(command.summary())}`;
      lines.push(`complete -c ${bin} -f -n '${when.join('; and ')}' ${what}`);
    }
    for (const { path, command } of root === undefined ? all : [root, ...all]) {
      const when = seen(path).join('; and ');
      for (const option of optionsOf(command)) lines.push(fishOption(bin, when, option));
      if (path.join('/') === 'entity/show')
        lines.push(`complete -c ${bin} -f -n '${when}' -a '(__openclaw_memory_entities)'`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function fishOption(bin: string, when: string, option: Option): string {
  const { required, optional, argChoices = [], description } = option;
  const flags = flagsOf(option);
  const parts = [`complete -c ${bin}`];
  if (when !== '') parts.push(`-n '${when}'`);
  for (const flag of flags) parts.push(flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`);
  if (required || optional) parts.push('-r');
  if (argChoices.length > 0) parts.push(`-f -a '${argChoices.join(' ')}'`);
  if (flags.includes('--entity')) parts.push(`-f -a '(__openclaw_memory_entities)'`);
  return `${parts.join(' ')} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

// zsh has an adapter for bash's completion functions.
const ADAPTER = 'autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n';
const SCRIPTS = { bash, zsh: (all: readonly Placed[]) => ADAPTER + bash(all), fish } as const;

const completion = defineVerb({
  takes: {
    shell: { type: 'choice', noun: 'shell', choices: SHELLS, required: true, place: 'argument', doc: 'your shell' },
  },
  examples: ['source <(openclaw memory completion bash)'],
  run: async (context, { shell }) => {
    const root = addGlobalOptions(new TextCommand('memory'));
    for (const { name, summary, load } of context.commands.filter(({ group }) => group !== 'hidden'))
      (await load())(root.command(name).summary(summary), async () => {});
    const script = SCRIPTS[shell](everyCommand(root));
    context.out.answer(script, { shell, script });
  },
});

export const commands = { completion };
