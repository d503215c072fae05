import type { Command, Option } from 'commander';
import { addGlobalOptions } from '../arguments.js';
import type { CommandEntry } from '../command.js';
import { TextCommand } from '../program.js';
import { verb } from '../verb.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The names of entities, asked for when they are needed: the second column of `entity list`. */
const ENTITIES = `openclaw memory entity list 2>/dev/null | awk '{print $2}'`;
/** Flags whose value is a folder, a file or an entity; others have their choices or nothing to offer. */
const FOLDERS = '-w|--workspace';

/** The completion script of a shell. Pure. */
export function completionScript(shell: (typeof SHELLS)[number], tree: CompletedCommand): string {
  if (shell === 'fish') return fish(tree);
  // zsh has an adapter for bash's completion functions.
  const adapter = 'autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n';
  return shell === 'zsh' ? adapter + bash(tree) : bash(tree);
}

function bash(tree: CompletedCommand): string {
  const values = [...new Set(flagsWithValue(tree))].join('|');
  const choices = [...new Map(withChoices(tree).map((option) => [option.flags.join('|'), option])).values()].map(
    ({ flags, choices: words }) =>
      `    ${flags.join('|')}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")); return ;;`,
  );
  const paths = everyPath(tree, '').map(
    ({ path, words, flags }) => `    '${path}') words='${words.join(' ')}'; flags='${flags.join(' ')}' ;;`,
  );
  return `_openclaw_memory() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' words='' flags='' word i=1 skip=0
  COMPREPLY=()
  if [ "\${COMP_WORDS[0]##*/}" = openclaw ]; then
    if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W memory -- "$cur")); return; fi
    i=2
  fi
  while [ "$i" -lt "$COMP_CWORD" ]; do
    word=\${COMP_WORDS[i]}
    i=$((i + 1))
    if [ "$skip" = 1 ]; then skip=0; continue; fi
    case "$word" in
    ${values}) skip=1 ;;
    -*) ;;
    *) case ' ${names(tree).join(' ')} ' in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;;
    esac
  done
  case "$prev" in
    ${FOLDERS}) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    --entity) COMPREPLY=($(compgen -W "$(${ENTITIES})" -- "$cur")); return ;;
${choices.join('\n')}
  esac
  case "$path" in
${paths.join('\n')}
  esac
  if [ "$path" = entity/show ]; then words=$(${ENTITIES}); fi
  case "$cur" in -*) words=$flags ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _openclaw_memory openclaw openclaw-memory
`;
}

function fish(tree: CompletedCommand): string {
  const lines = [
    'function __openclaw_memory_entities',
    `  ${ENTITIES.replace("'{print $2}'", `'{print $2}'`)}`,
    'end',
    'complete -c openclaw -f -n __fish_use_subcommand -a memory',
  ];
  const seen = (names: readonly string[]) => names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
  for (const bin of ['openclaw', 'openclaw-memory']) {
    const root = bin === 'openclaw' ? ['memory'] : [];
    const top = tree.subcommands.map(({ name }) => name).join(' ');
    const fresh = [
      ...root.map((name) => `__fish_seen_subcommand_from ${name}`),
      `not __fish_seen_subcommand_from ${top}`,
    ];
    for (const { name, summary } of tree.subcommands) {
      lines.push(`complete -c ${bin} -f -n '${fresh.join('; and ')}' -a ${name} -d ${quote(summary)}`);
    }
    for (const option of tree.options) lines.push(fishOption(bin, '', option));
    const walk = (command: CompletedCommand, names: readonly string[]): void => {
      for (const sub of command.subcommands) {
        lines.push(`complete -c ${bin} -f -n '${seen(names)}' -a ${sub.name} -d ${quote(sub.summary)}`);
        walk(sub, [...names, sub.name]);
      }
      for (const option of command.options) lines.push(fishOption(bin, seen(names), option));
      if (names.join('/').endsWith('entity/show')) {
        lines.push(`complete -c ${bin} -f -n '${seen(names)}' -a '(__openclaw_memory_entities)'`);
      }
    };
    for (const command of tree.subcommands) walk(command, [command.name]);
  }
  return `${lines.join('\n')}\n`;
}

function fishOption(bin: string, when: string, { flags, summary, takesValue, choices }: CompletedOption): string {
  const parts = [`complete -c ${bin}`];
  if (when !== '') parts.push(`-n '${when}'`);
  for (const flag of flags) parts.push(flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`);
  if (takesValue) parts.push('-r');
  if (choices.length > 0) parts.push(`-f -a '${choices.join(' ')}'`);
  if (flags.includes('--entity')) parts.push(`-f -a '(__openclaw_memory_entities)'`);
  return `${parts.join(' ')} -d ${quote(summary)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** `entity`, `entity/show`, … */
function names(tree: CompletedCommand, path = ''): readonly string[] {
  return tree.subcommands.flatMap((sub) => [path + sub.name, ...names(sub, `${path}${sub.name}/`)]);
}

interface CompletedPath {
  readonly path: string;
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

function everyPath(
  command: CompletedCommand,
  path: string,
  inherited: readonly string[] = [],
): readonly CompletedPath[] {
  const own = command.options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--')));
  const global = path === '' ? own : inherited;
  const here: CompletedPath = {
    path,
    words: command.subcommands.map(({ name }) => name),
    flags: path === '' ? own : [...own, '--help', ...global],
  };
  return [
    here,
    ...command.subcommands.flatMap((sub) => everyPath(sub, path === '' ? sub.name : `${path}/${sub.name}`, global)),
  ];
}

function everyOption(command: CompletedCommand): readonly CompletedOption[] {
  return [...command.options, ...command.subcommands.flatMap(everyOption)];
}

function flagsWithValue(tree: CompletedCommand): readonly string[] {
  return everyOption(tree).flatMap(({ takesValue, flags }) => (takesValue ? flags : []));
}

function withChoices(tree: CompletedCommand): readonly CompletedOption[] {
  return everyOption(tree).filter(({ choices }) => choices.length > 0);
}

export const define = verb({
  takes: {
    shell: { type: 'choice', noun: 'shell', choices: SHELLS, required: true, place: 'argument', doc: 'your shell' },
  },
  examples: ['source <(openclaw memory completion bash)'],
  run: async (context, { shell }) => {
    const script = completionScript(shell, await commandTree(context.commands));
    context.out.answer(script, { shell, script });
  },
});

/** A command as completion sees it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly subcommands: readonly CompletedCommand[];
}

export interface CompletedOption {
  /** `-w`, `--workspace` */
  readonly flags: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The whole command line, with the arguments of every command. */
export async function commandTree(commands: readonly CommandEntry[]): Promise<CompletedCommand> {
  const root = addGlobalOptions(new TextCommand('memory'));
  for (const { name, summary, load } of commands) {
    (await load()).define(root.command(name).summary(summary), async () => {});
  }
  return toTree(root);
}

function toTree(command: Command): CompletedCommand {
  return {
    name: command.name(),
    summary: command.summary(),
    options: command.options.filter(({ hidden }) => !hidden).map(toOption),
    subcommands: command.commands.map(toTree),
  };
}

function toOption({ short, long, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
    summary: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}
