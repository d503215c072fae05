import type { Command } from 'commander';
import { UNIT_KINDS } from '../memory/unit.js';

/** The options that `recall` and `search` have in common. */
export function addFilterOptions(command: Command): Command {
  const collect = (value: string, all: readonly string[] = []): readonly string[] => [...all, value];
  return command
    .option('--since <date>', 'from this day on: a date, 30d, 2w, or words such as "last week"')
    .option('--until <date>', 'up to this day')
    .option('--around <date>', 'three days before to three days after')
    .option('--as-of <date>', 'what held on that day')
    .option('--entity <name>', 'only about this entity (again for more)', collect)
    .option('--kind <kind>', `only this kind: ${UNIT_KINDS.join(', ')}`, collect)
    .option('--path <glob>', 'only from these pages, such as "pages/**" (again for more)', collect)
    .option('--tag <tag>', 'only what has this tag, itself or by its page (again for more)', collect)
    .option('--budget <tokens>', 'at most so many tokens of content')
    .option('--mode <mode>', 'lexical (by words), hybrid (by meaning too), or auto: hybrid when it can be', 'auto')
    .option('--explain', 'say how the question was read and why each result is there');
}
