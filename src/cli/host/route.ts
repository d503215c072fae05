import { wantedCommand } from '../arguments.js';

/** Who a command line of `openclaw` is for, with the arguments for it. */
export interface Route {
  readonly to: 'us' | 'host';
  readonly args: readonly string[];
}

/**
 * `memory` with a verb of ours is for us, whatever else knows that verb; every other command line is the host's, whose
 * bin has the same name. The host's own options may stand before the word `memory`. Pure.
 * @param argv what stands after the word `openclaw`
 */
export function routeOf(argv: readonly string[], commands: readonly string[]): Route {
  const at = argv.findIndex((word, i) => !word.startsWith('-') && argv[i - 1] !== '--profile');
  const options = argv.slice(0, Math.max(0, at)).flatMap((word) => (word === '--dev' ? ['--profile', 'dev'] : [word]));
  const isKnown = options.every((word, i) => OF_BOTH.test(word) || options[i - 1] === '--profile');
  if (argv[at] !== 'memory' || !isKnown) return { to: 'host', args: argv };
  const rest = argv.slice(at + 1);
  if (rest[0] === FOR_HOST) return { to: 'host', args: [...argv.slice(0, at + 1), ...rest.slice(1)] };
  const verb = wantedCommand(rest);
  const isOurs = verb === undefined || verb === 'help' || commands.includes(verb);
  return isOurs ? { to: 'us', args: [...options, ...rest] } : { to: 'host', args: argv };
}

/** Right after the word `memory`: the verb behind it is the host's, though we have one of that name. */
export const FOR_HOST = '--host';

/** Options of the host's root that mean the same to us. */
const OF_BOTH = /^--(?:profile(?:=.*)?|no-color)$/;
