import type { CommandContext } from './command.js';

/** Whether somebody sits there who can be asked. */
export function canAsk({ io, out }: CommandContext): boolean {
  return !out.json && io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks a person for one of some lines by its number.
 * @returns its index; undefined for anything else than one of the numbers, and at the end of the input
 */
export async function choose({ io, signal }: CommandContext, lines: readonly string[]): Promise<number | undefined> {
  const { createInterface } = await import('node:readline');
  io.stderr.write(lines.map((line, i) => `${i + 1}  ${line}\n`).join(''));
  // The terminal itself echoes what is typed, and sends Ctrl-C as a signal.
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
