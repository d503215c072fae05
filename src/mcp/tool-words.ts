import type { Tool } from './tool.js';

/**
 * A message that was written for the command line, in the words of a client: commands that are tools by their names,
 * options as keys. What only a person can do at a shell stays as it is. Pure.
 */
export function inToolWords(text: string, tools: readonly Tool[]): string {
  const names = new Set(tools.map(({ name }) => name));
  let isCommand = false;
  const named = text.replace(/(?:openclaw memory )([a-z]+)(?: ([a-z]+))?/g, (said, verb: string, sub?: string) => {
    if (sub !== undefined && names.has(`${verb}_${sub}`)) return `${verb}_${sub}`;
    if (names.has(verb)) return sub === undefined ? verb : `${verb} ${sub}`;
    isCommand = true;
    return said;
  });
  if (isCommand) return named;
  return named.replace(/(?<![\w-])--([a-z][a-z-]*)/g, (_, flag: string) =>
    flag.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase()),
  );
}
